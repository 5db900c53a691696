import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Bidi } from 'bidi-js';
import type PDFDocument from 'pdfkit';
import decompress from 'woff2-encoder/decompress';

export type Pdf = InstanceType<typeof PDFDocument>;

interface Face {
  /** The npm package, whose folder holds the face in slices of some hundred letters each. */
  readonly package: string;
  /** The letters that are taken from it: packages list more in their ranges than their files have. */
  readonly letters: RegExp;
  /** What follows the name of a slice in the name of its file. */
  readonly file: string;
  /** How wide, in ems, its outlines are drawn, regular and bold, to be as strong as the report's own face. */
  readonly outline: readonly [regular: number, bold: number];
  /** How far, in ems, its letters stand below the baseline of the report's own face. */
  readonly drop: number;
}

/** One weight of a script's own face; bold is drawn by an outline. */
const ofScript = (script: string, letters: RegExp): Face => ({
  package: `@fontsource/noto-sans-${script}`,
  letters,
  file: '-400-normal.woff2',
  outline: [0, 0.03],
  drop: 0,
});

/** The package has all weights in one file, of which only the thinnest can be embedded. */
const eastern = (language: string, letters: RegExp): Face => ({
  package: `@fontsource-variable/noto-sans-${language}`,
  letters,
  file: '-wght-normal.woff2',
  outline: [0.026, 0.055],
  drop: 0.07,
});

/** Faces of scripts that the report's own face, which has Latin, Greek, Cyrillic, Arabic and Hebrew, lacks; of two that have a letter the first. */
const faces: readonly Face[] = [
  ofScript('devanagari', /\p{Script_Extensions=Devanagari}/u),
  ofScript('thai', /\p{Script_Extensions=Thai}/u),
  eastern('sc', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u),
  eastern('kr', /[\p{Script=Hangul}\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u),
];

const foreign = new RegExp(faces.map(({ letters }) => letters.source).join('|'), 'u');
/** The blocks of the scripts that are written from right to left, with their marks. */
const rightToLeft = /[\u0590-\u08ff\u200f\u2067\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const turnedByShaping = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}]/u;
/** Shaping takes a text to be of the script of its first letter. */
const wordsOfOneScript =
  /\s+|[\p{Script_Extensions=Arabic}\p{M}\u200c\u200d]+|[\p{Script=Hebrew}\p{M}]+|[^\s\p{Script_Extensions=Arabic}\p{Script=Hebrew}]+/gu;
/** A mark or a joiner belongs to the letter before it, in whose face it is drawn. */
const attached = /[\p{M}\u200c\u200d]/u;
/** What orders or isolates text and is not drawn itself. */
const invisible = /[\u061c\u200e\u200f\u2066-\u2069]/g;

export type Direction = 'ltr' | 'rtl' | 'auto';

/** A file of letters as the document knows it. */
export interface Slice {
  readonly file: string;
  readonly face: Face;
}

/** Part of a text in one face; runs follow one another from left to right. */
export interface Run {
  readonly text: string;
  /** The slice that holds its letters; null is the report's own face. */
  readonly slice: Slice | null;
}

const find = createRequire(import.meta.url);
let reading: Promise<void> | undefined;
/** Which slice holds a code point. */
const sliceOf = new Map<number, Slice>();
let bidi: Bidi | undefined;
const loaded = new WeakMap<Pdf, Set<Slice>>();

/** Reads what the letters of a text need that the report's own face does not have; to be awaited before the text is measured or drawn. */
export async function loadLetters(pdf: Pdf, text: string): Promise<void> {
  if (rightToLeft.test(text)) bidi ??= await loadBidi();
  if (!foreign.test(text)) return;
  reading ??= readSlices();
  await reading;
  const known = loaded.get(pdf) ?? new Set();
  loaded.set(pdf, known);
  for (const letter of new Set(text)) {
    const slice = sliceOf.get(letter.codePointAt(0)!);
    if (slice === undefined || known.has(slice)) continue;
    pdf.registerFont(slice.file, Buffer.from(await decompress(await readFile(slice.file))));
    known.add(slice);
  }
}

async function loadBidi(): Promise<Bidi> {
  const { default: create } = await import('bidi-js');
  // Node gives the function itself; the package's types are those of an ES module.
  return (create as unknown as () => Bidi)();
}

/**
 * Whether the letters of a text are drawn in another order than they are written, so that readers have to be told what is written. Text
 * from right to left is put in order by the readers themselves.
 */
export function isReordered(text: string): boolean {
  return /\p{Script=Devanagari}/u.test(text) && !rightToLeft.test(text);
}

/** Whether a text reads from right to left: whether its first letter with a direction does. */
export function readsRightToLeft(text: string): boolean {
  return rightToLeft.test(text) && bidi !== undefined && bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1;
}

/**
 * A text as it stands on the line, in runs of one face and one direction each, ordered by the Unicode Bidirectional Algorithm. Within a
 * run of a script from right to left the letters stay as they are written: they are turned round where they are joined. A letter that no
 * face has stays in the report's own one, which draws a box for it.
 */
export function runsOf(pdf: Pdf, text: string, direction: Direction): Run[] {
  const known = loaded.get(pdf);
  if (bidi === undefined || !(direction === 'rtl' || rightToLeft.test(text))) {
    return inFaces(known, text);
  }
  const embedding = bidi.getEmbeddingLevels(text, direction);
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const runs: Run[] = [];
  let at = 0;
  const order = bidi.getReorderedIndices(text, embedding);
  while (at < order.length) {
    const isRightToLeft = embedding.levels[order[at]!]! % 2 === 1;
    const step = isRightToLeft ? -1 : 1;
    let end = at + 1;
    while (end < order.length && order[end] === order[end - 1]! + step) {
      if ((embedding.levels[order[end]!]! % 2 === 1) !== isRightToLeft) break;
      end++;
    }
    const first = Math.min(order[at]!, order[end - 1]!);
    const part = Array.from({ length: end - at }, (_, index) => mirrored.get(first + index) ?? text[first + index]);
    const ordered = inFaces(known, part.join('')).flatMap((run) => words(run, isRightToLeft));
    runs.push(...(isRightToLeft ? ordered.reverse() : ordered));
    at = end;
  }
  return runs;
}

/**
 * The words of a run, as they are to be shaped: shaping turns round each word of letters or digits of a script from right to left, and
 * none else. Punctuation that reads from right to left, and Arabic digits, which read from left to right, are turned before.
 */
function words({ text, slice }: Run, isRightToLeft: boolean): Run[] {
  return (text.match(wordsOfOneScript) ?? []).map((word) => ({
    text: turnedByShaping.test(word) === isRightToLeft ? word : [...word].reverse().join(''),
    slice,
  }));
}

/** A text in the order in which it is written, as runs of one face each. */
function inFaces(known: ReadonlySet<Slice> | undefined, text: string): Run[] {
  const drawn = text.replace(invisible, '');
  if (known === undefined) return [{ text: drawn, slice: null }];
  const runs: { text: string; slice: Slice | null }[] = [];
  for (const letter of drawn) {
    const last = runs.at(-1);
    const own = sliceOf.get(letter.codePointAt(0)!);
    const slice = last !== undefined && attached.test(letter) ? last.slice : own && known.has(own) ? own : null;
    if (last !== undefined && last.slice === slice) last.text += letter;
    else runs.push({ text: letter, slice });
  }
  return runs;
}

async function readSlices(): Promise<void> {
  for (const face of faces) {
    const folder = dirname(find.resolve(`${face.package}/package.json`));
    const name = face.package.split('/')[1];
    const ranges = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
    for (const [part, letters] of Object.entries(ranges)) {
      const slice = { file: join(folder, 'files', `${name}-${part.replace(/[[\]]/g, '')}${face.file}`), face };
      for (const range of letters.split(',')) {
        const [from = '', to = from] = range.trim().slice(2).split('-');
        for (let letter = Number.parseInt(from, 16); letter <= Number.parseInt(to, 16); letter++) {
          if (!sliceOf.has(letter) && face.letters.test(String.fromCodePoint(letter))) sliceOf.set(letter, slice);
        }
      }
    }
  }
}
