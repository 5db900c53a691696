import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';

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
  blue: '#2F5FD0',
  teal: '#16998A',
  amber: '#CC7A00',
  heat: ['#ECEEF2', '#CBDAF9', '#92B1F0', '#5280DF', '#234EB4'],
} as const;

export const regular = 'regular';
export const bold = 'bold';

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

/** Text on one line, cut with an ellipsis where it does not fit `width`. */
export function line(
  pdf: Pdf,
  text: string,
  at: {
    x: number;
    y: number;
    width: number;
    size: number;
    font?: string;
    color?: string;
    align?: 'left' | 'right' | 'center';
  },
): void {
  pdf
    .font(at.font ?? regular)
    .fontSize(at.size)
    .fillColor(at.color ?? ink.text);
  const shown = fitting(pdf, text, at.width);
  pdf.text(shown, at.x, at.y, { width: at.width, align: at.align ?? 'left', lineBreak: false });
}

function fitting(pdf: Pdf, text: string, width: number): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Emoji_Presentation}]/gu, ' ');
  if (pdf.widthOfString(clean) <= width) return clean;
  const letters = [...clean];
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (pdf.widthOfString(`${letters.slice(0, middle).join('')}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join('').trimEnd()}…`;
}

/** The line at the foot of a page: what this is, and which page of how many. */
export function footer(pdf: Pdf, text: string, number: number, total: number): void {
  const y = page.height - 36;
  line(pdf, text, { x: page.left, y, width: contentWidth - 90, size: 8, color: ink.text3 });
  const place = { x: page.width - page.right - 90, y, width: 90, size: 8, color: ink.text3, align: 'right' as const };
  line(pdf, `Page ${number} of ${total}`, place);
}
