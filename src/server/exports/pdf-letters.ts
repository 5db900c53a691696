import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import decompress from 'woff2-encoder/decompress';
import type { Pdf } from './pdf-page.ts';

/** Letters of Chinese, Japanese and Korean, with their punctuation and full-width forms; the report's own face has none of them. */
const eastern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

/**
 * The faces that hold them, each in slices of some hundred letters: a report reads only the slices that it needs. Hangul is left to
 * the Korean one: the other names some of it among its ranges without having it.
 */
const faces = [
  { face: 'noto-sans-sc', without: /\p{Script=Hangul}/u },
  { face: 'noto-sans-kr', without: null },
];

const find = createRequire(import.meta.url);

/** Part of a text in one face. */
export interface Run {
  readonly text: string;
  /** The slice that holds its letters; null is the report's own face. */
  readonly slice: string | null;
}

let slices: Promise<ReadonlyMap<number, string>> | undefined;
const loaded = new WeakMap<Pdf, Map<string, string>>();

/** Makes the letters of a text known to the document, if they are eastern ones; to be awaited before the text is drawn. */
export async function knowLetters(pdf: Pdf, text: string): Promise<void> {
  if (!eastern.test(text)) return;
  slices ??= readSlices();
  const sliceOf = await slices;
  const known = loaded.get(pdf) ?? new Map<string, string>();
  loaded.set(pdf, known);
  for (const letter of new Set(text)) {
    if (!eastern.test(letter) || known.has(letter)) continue;
    const slice = sliceOf.get(letter.codePointAt(0)!);
    if (slice === undefined) continue;
    if (![...known.values()].includes(slice))
      pdf.registerFont(slice, Buffer.from(await decompress(await readFile(slice))));
    known.set(letter, slice);
  }
}

/** A text as runs of one face each. A letter that no face has stays in the report's own one, which draws a box for it. */
export function runsOf(pdf: Pdf, text: string): Run[] {
  const known = loaded.get(pdf);
  if (known === undefined) return [{ text, slice: null }];
  const runs: { text: string; slice: string | null }[] = [];
  for (const letter of text) {
    const slice = known.get(letter) ?? null;
    const last = runs.at(-1);
    if (last !== undefined && last.slice === slice) last.text += letter;
    else runs.push({ text: letter, slice });
  }
  return runs;
}

/** Which slice holds a code point; of two faces the first. */
async function readSlices(): Promise<ReadonlyMap<number, string>> {
  const sliceOf = new Map<number, string>();
  for (const { face, without } of faces) {
    const folder = dirname(find.resolve(`@fontsource-variable/${face}/package.json`));
    const ranges = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
    for (const [name, letters] of Object.entries(ranges)) {
      const file = join(folder, 'files', `${face}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`);
      for (const range of letters.split(',')) {
        const [from = '', to = from] = range.trim().slice(2).split('-');
        for (let letter = Number.parseInt(from, 16); letter <= Number.parseInt(to, 16); letter++) {
          if (!sliceOf.has(letter) && !without?.test(String.fromCodePoint(letter))) sliceOf.set(letter, file);
        }
      }
    }
  }
  return sliceOf;
}
