import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';
import { type Direction, isReordered, type Pdf, type Run, readsRightToLeft, runsOf } from './pdf-letters.ts';

/** A4 in points, and what every page keeps free. */
export const page = { width: 595.28, height: 841.89, left: 48, right: 48, top: 52, bottom: 56 } as const;
export const contentWidth = page.width - page.left - page.right;
export const contentBottom = page.height - page.bottom;

/** The light scheme's colours: a report is printed. */
export const ink = {
  text: '#171A21',
  text2: '#515966',
  text3: '#667080',
  line: '#E6E8EC',
  grid: '#ECEEF2',
  track: '#F4F5F7',
  blue: '#2F5FD0',
  teal: '#16998A',
  amber: '#CC7A00',
  good: '#0E6F4C',
  watch: '#8A5300',
  bad: '#B3261E',
  states: { draft: '#59636E', open: '#1A7F37', merged: '#8250DF', closed: '#CF222E' },
  heat: ['#ECEEF2', '#CBDAF9', '#92B1F0', '#5280DF', '#234EB4'],
} as const;

export const regular = 'regular';
export const bold = 'bold';

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');

/** How far, in ems, the baseline lies below the top of a line. */
const ascent = 0.928;
/** Longer texts of others are cut before they are measured: no line or two of the report hold as much. */
const longest = 600;

/** An empty A4 document whose fonts have Latin, Greek, Cyrillic, Arabic and Hebrew letters; `loadLetters` adds those of other scripts. */
export function openPdf(title: string, createdAt: Date): Pdf {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: page.top, bottom: 0, left: page.left, right: page.right },
    autoFirstPage: false,
    lang: 'en',
    pdfVersion: '1.5',
    displayTitle: true,
    info: { Title: title, Creator: 'Mergelight', CreationDate: createdAt },
  });
  pdf.registerFont(regular, join(fonts, 'DejaVuSans.ttf'));
  pdf.registerFont(bold, join(fonts, 'DejaVuSans-Bold.ttf'));
  return pdf;
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly font?: typeof regular | typeof bold;
  readonly color?: string;
  readonly align?: 'left' | 'right' | 'center';
  /** `auto` for titles and names of others, which read as their first letter does; the report's own sentences read from left to right. */
  readonly direction?: Direction;
}

/** Text of others within a sentence of the report, which it does not turn round. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Text on one line, cut with an ellipsis where it does not fit `width`; returns how wide it came out. */
export function line(pdf: Pdf, text: string, at: Place): number {
  const { x, y, width, align = 'left' } = at;
  const { shown, wide } = fitting(pdf, clean(text), at);
  draw(pdf, shown, x + (align === 'right' ? width - wide : align === 'center' ? (width - wide) / 2 : 0), y, at);
  return wide;
}

type Measured = Pick<Place, 'width' | 'size' | 'font' | 'direction'>;

/** A text on as many lines as it needs up to `most`, broken between words where it can be, the last one cut with an ellipsis. */
export function wrap(pdf: Pdf, text: string, at: Measured, most: number): string[] {
  const lines: string[] = [];
  let rest = clean(text).trim();
  while (lines.length < most - 1 && widthOf(pdf, rest, at) > at.width) {
    const fits = (end: number) => widthOf(pdf, rest.slice(0, end).trimEnd(), at) <= at.width;
    const end = lastFitting(wordStarts(rest), fits) ?? lastFitting(letterEnds(rest), fits) ?? 1;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, fitting(pdf, rest, at).shown];
}

/** Lines that `wrap` made, `leading` points apart. Those of a text from right to left begin at the right of the widest one. */
export function drawLines(pdf: Pdf, lines: readonly string[], at: Place, leading: number): void {
  const isRightToLeft = at.direction === 'auto' && readsRightToLeft(lines.join(' '));
  const place = isRightToLeft ? ({ ...at, direction: 'rtl' } as const) : at;
  const widths = isRightToLeft ? lines.map((text) => widthOf(pdf, text, place)) : [];
  for (const [index, text] of lines.entries()) {
    const indent = isRightToLeft ? Math.max(...widths) - widths[index]! : 0;
    draw(pdf, text, at.x + indent, at.y + index * leading, place);
  }
}

function draw(pdf: Pdf, text: string, x: number, y: number, at: Place): void {
  const { size, font = regular, color = ink.text, direction = 'ltr' } = at;
  const runs = runsOf(pdf, text, direction);
  const isMarked = isReordered(text);
  if (isMarked) pdf.markContent('Span', { actual: text });
  let left = x;
  for (const [index, run] of runs.entries()) {
    inFace(pdf, run, font).fontSize(size).fillColor(color);
    const { drop = 0, outline = [0, 0] } = run.slice?.face ?? {};
    const width = outline[font === bold ? 1 : 0] * size;
    if (width > 0) pdf.lineWidth(width).strokeColor(color);
    const options = { lineBreak: false, baseline: 'alphabetic', fill: true, stroke: width > 0 } as const;
    pdf.text(run.text, left, y + (ascent + drop) * size, options);
    if (index < runs.length - 1) left += pdf.widthOfString(run.text);
  }
  if (isMarked) pdf.endMarkedContent();
}

function inFace(pdf: Pdf, { slice }: Run, font: string): Pdf {
  return pdf.font(slice?.file ?? font);
}

/** How wide a text is on one line. */
export function widthOf(pdf: Pdf, text: string, { font = regular, size, direction = 'ltr' }: Measured): number {
  return runsOf(pdf, text, direction).reduce(
    (sum, run) => sum + inFace(pdf, run, font).fontSize(size).widthOfString(run.text),
    0,
  );
}

/**
 * A text of others as a line can hold it: at most so long, without line ends, emoji, and what would turn the text around it; a pile of
 * marks is cut to four. In Thai the vowel am is drawn under a tone mark that stands before it.
 */
function clean(text: string): string {
  return text
    .slice(0, longest)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Emoji_Presentation}]|(?![\u061c\u200c-\u200f\u2066-\u2069])\p{Cf}/gu, ' ')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .replace(/([\u0e48-\u0e4b])\u0e33/g, '\u0e4d$1\u0e32');
}

/** As much of a text as fits, with an ellipsis where it was cut, and how wide that is. */
function fitting(pdf: Pdf, text: string, at: Measured): { shown: string; wide: number } {
  const whole = widthOf(pdf, text, at);
  if (whole <= at.width) return { shown: text, wide: whole };
  const cut = (end: number) => `${text.slice(0, end).trimEnd()}…`;
  const shown = cut(lastFitting(letterEnds(text), (end) => widthOf(pdf, cut(end), at) <= at.width) ?? 0);
  return { shown, wide: widthOf(pdf, shown, at) };
}

/** The last of rising positions that fits, undefined where none does. */
function lastFitting(positions: readonly number[], fits: (position: number) => boolean): number | undefined {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(positions[middle]!)) low = middle + 1;
    else high = middle;
  }
  return positions[low - 1];
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });
/** Scripts that are written without spaces. */
const withoutSpaces = /[\p{Script=Thai}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Where each letter with its marks ends. */
function letterEnds(text: string): number[] {
  return Array.from(letters.segment(text), ({ index, segment }) => index + segment.length);
}

/** Where a line may begin: after a space, a hyphen or a slash, and at the words of scripts that have no spaces. */
function wordStarts(text: string): number[] {
  return Array.from(words.segment(text))
    .filter(
      ({ index, segment, isWordLike }) =>
        index > 0 &&
        (/[\s/-]/.test(text[index - 1]!) ? !/^\s/.test(segment) : isWordLike === true && withoutSpaces.test(segment)),
    )
    .map(({ index }) => index);
}

export function heading(pdf: Pdf, text: string, x: number, y: number, width: number): void {
  line(pdf, text, { x, y, width, size: 10, font: bold });
}

/** A hairline, across the page unless told otherwise. */
export function rule(pdf: Pdf, y: number, x: number = page.left, width: number = contentWidth): void {
  pdf
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.5)
    .stroke(ink.line);
}

/** One line or two at the foot of a page: what this is, and which page of how many. */
export function footer(pdf: Pdf, text: string, number: number, total: number): void {
  const place = { x: page.left, width: contentWidth - 90, size: 8, color: ink.text3 } as const;
  const shown = wrap(pdf, text, place, 2);
  const y = page.height - 36 - 5 * (shown.length - 1);
  rule(pdf, y - 8);
  drawLines(pdf, shown, { ...place, y }, 10);
  const end = { x: page.width - page.right - 90, width: 90, align: 'right' } as const;
  line(pdf, `Page ${number} of ${total}`, { ...place, ...end, y });
}
