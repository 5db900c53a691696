import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';
import { runsOf } from './pdf-letters.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

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

/**
 * How wide, in ems, the outlines of the thin eastern face are drawn, so that its letters are as strong as those beside them: the face
 * has all weights in one file, of which only the thinnest can be embedded.
 */
const outline = { [regular]: 0.026, [bold]: 0.055 } as const;

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');

/** An empty A4 document with fonts that know Latin, Greek, Cyrillic and Arabic letters. */
export function openPdf(title: string, createdAt: Date): Pdf {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: page.top, bottom: 0, left: page.left, right: page.right },
    autoFirstPage: false,
    lang: 'en',
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
}

/** Text on one line, cut with an ellipsis where it does not fit `width`; answers how wide it came out. */
export function line(pdf: Pdf, text: string, at: Place): number {
  const { x, y, width, size, font = regular, color = ink.text, align = 'left' } = at;
  const { shown, wide } = fitting(pdf, text, at);
  let left = x + (align === 'right' ? width - wide : align === 'center' ? (width - wide) / 2 : 0);
  const runs = runsOf(pdf, shown);
  for (const [index, run] of runs.entries()) {
    pdf
      .font(run.slice ?? font)
      .fontSize(size)
      .fillColor(color);
    if (run.slice === null) pdf.text(run.text, left, y, { lineBreak: false });
    else {
      pdf.lineWidth(outline[font] * size).strokeColor(color);
      // Its letters hang lower in their line than those of the report's own face.
      pdf.text(run.text, left, y - 0.16 * size, { lineBreak: false, fill: true, stroke: true });
    }
    if (index < runs.length - 1) left += pdf.widthOfString(run.text);
  }
  return wide;
}

function widthOf(pdf: Pdf, text: string, { font = regular, size }: Place): number {
  return runsOf(pdf, text).reduce(
    (sum, run) =>
      sum +
      pdf
        .font(run.slice ?? font)
        .fontSize(size)
        .widthOfString(run.text),
    0,
  );
}

/** As much of a text as fits, with an ellipsis where it was cut, and how wide that is. */
function fitting(pdf: Pdf, text: string, at: Place): { shown: string; wide: number } {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Emoji_Presentation}]/gu, ' ');
  const whole = widthOf(pdf, clean, at);
  if (whole <= at.width) return { shown: clean, wide: whole };
  const letters = [...clean];
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(pdf, `${letters.slice(0, middle).join('')}…`, at) <= at.width) low = middle;
    else high = middle - 1;
  }
  const shown = `${letters.slice(0, low).join('').trimEnd()}…`;
  return { shown, wide: widthOf(pdf, shown, at) };
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

/** The line at the foot of a page: what this is, and which page of how many. */
export function footer(pdf: Pdf, text: string, number: number, total: number): void {
  const y = page.height - 36;
  rule(pdf, y - 8);
  line(pdf, text, { x: page.left, y, width: contentWidth - 90, size: 8, color: ink.text3 });
  const place = { x: page.width - page.right - 90, y, width: 90, size: 8, color: ink.text3, align: 'right' as const };
  line(pdf, `Page ${number} of ${total}`, place);
}
