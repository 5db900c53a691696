/** A text in parts, those that hold what was typed marked; without regard to case. Nothing typed marks nothing. */
export function highlight(
  text: string,
  typed: string,
): readonly { readonly text: string; readonly matches: boolean }[] {
  const wanted = typed.trim().toLowerCase();
  const lower = text.toLowerCase();
  // Where lowering the case changes the length, places would not fit any more.
  if (wanted === '' || lower.length !== text.length) return [{ text, matches: false }];
  const parts: { text: string; matches: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), matches: false });
    from = at + wanted.length;
    parts.push({ text: text.slice(at, from), matches: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), matches: false });
  return parts;
}
