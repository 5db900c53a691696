import { highlight } from './highlight.ts';

/** A text in which what was typed is bold, wherever it stands: a `b`, where the kit's Highlight draws a `mark`. */
export function Marked({ text, typed }: { text: string; typed: string }) {
  return (
    <>
      {highlight(text, typed).map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other identity
        part.matches ? <b key={at}>{part.text}</b> : <span key={at}>{part.text}</span>,
      )}
    </>
  );
}
