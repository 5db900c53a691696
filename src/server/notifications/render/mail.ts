import {
  figureWords,
  type Letter,
  type LetterFigure,
  type LetterItem,
  type LetterPart,
} from '#domain/notifications/texts.ts';
import { escaped } from '../../http/html.ts';

/** The two parts of a mail. In HTML only our own links are links; there are no pictures, and nothing is loaded from anywhere. */
export function mailOf(letter: Letter): { readonly text: string; readonly html: string } {
  return { text: textOf(letter), html: htmlOf(letter) };
}

const WIDTH = 64;

function textOf({ headline, parts, more, open, settings, stop, footer }: Letter): string {
  const blocks = [
    headline,
    ...parts.flatMap((part) => [
      ...(part.heading === null ? [] : [part.heading.toUpperCase()]),
      ...part.items.map(itemText),
      ...part.notices.map(({ what, say }) => `${wrapped(what)}\n${wrapped(say, '  ')}`),
      ...(part.rows.length === 0 ? [] : [tableText(part)]),
    ]),
    ...(more === null ? [] : [more]),
    `${open.label}:\n${open.url}`,
    wrapped(footer),
    `${settings.label}:\n${settings.url}`,
    ...(stop === null ? [] : [`${stop.label}:\n${stop.url}`]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function itemText({ place, title, why, url, host_url }: LetterItem): string {
  return [
    wrapped(title === null ? place : `${place} ${title}`),
    wrapped(why, '  '),
    ...[url, host_url].map((line) => `  ${line}`),
  ].join('\n');
}

function wrapped(text: string, indent = ''): string {
  return linesOf(text, WIDTH, indent).join('\n');
}

function linesOf(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Figures stand in columns at the right; what is too long beside them goes on above them. */
function tableText({ rows }: LetterPart): string {
  const width = (words: (row: LetterPart['rows'][number]) => string) =>
    Math.max(...rows.map((row) => words(row).length));
  const lastWords = (row: LetterPart['rows'][number]) => figureWords(row.last);
  const beforeWords = (row: LetterPart['rows'][number]) => (row.before === null ? '' : `(${figureWords(row.before)})`);
  const [last, before] = [width(lastWords) + 2, width(beforeWords) + 2];
  const label = WIDTH - last - before;
  return rows
    .map((row) => {
      const lines = linesOf(row.label, label);
      const figures = `${lines.pop()!.padEnd(label)}${lastWords(row).padStart(last)}${beforeWords(row).padStart(before)}`;
      return [...lines, figures.trimEnd()].join('\n');
    })
    .join('\n');
}

const font = 'font:15px/1.5 -apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const line = 'border-bottom:1px solid #d5d8de;padding:8px 0';

/*
 * No background and no colour of text is set, so that a dark mail client stays dark. What has a colour of its own has another one there, as none
 * is readable enough on white and on black: with styles stripped all of it is in the client's own colours.
 */
const darkStyle =
  '@media (prefers-color-scheme:dark){.q{color:#a9b1bd!important}.a{color:#8fb0ff!important}.l{border-color:#3a3f47!important}}';
const quiet = 'class="q" style="color:#515966;font-size:13px';
function htmlOf(letter: Letter): string {
  const { headline, parts, more, open, settings, stop, footer } = letter;
  const end = [settings, ...(stop === null ? [] : [stop])].map(({ label, url }) => link(url, label)).join(' · ');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><title>${escaped(letter.subject)}</title><style>${darkStyle}</style></head>
<body style="margin:0;padding:24px;${font}"><main><div style="max-width:560px;margin:0 auto">
<h1 style="font-size:18px;margin:0 0 16px">${escaped(headline)}</h1>
${parts.map(partHtml).join('\n')}
${more === null ? '' : `<p style="margin:12px 0">${link(open.url, more)}</p>`}
<p style="margin:24px 0"><a href="${escaped(open.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#2a5bd0;color:#ffffff;text-decoration:none">${escaped(open.label)}</a></p>
<div class="l" style="border-top:1px solid #d5d8de;padding-top:16px"><p ${quiet};margin:0">${escaped(footer)} ${end}</p></div>
</div></main></body></html>
`;
}

function partHtml({ heading, items, notices, rows }: LetterPart): string {
  return [
    heading === null ? '' : `<h2 style="font-size:15px;margin:24px 0 4px">${escaped(heading)}</h2>`,
    ...items.map(
      ({ place, title, why, url, host_url, host_label }) =>
        `<div class="l" style="${line}">${link(url, place)}${title === null ? '' : ` ${escaped(title)}`}<br><span ${quiet}">${escaped(why)} · ${link(host_url, host_label, ';white-space:nowrap')}</span></div>`,
    ),
    ...notices.map(
      ({ what, say }) =>
        `<div class="l" style="${line}"><b>${escaped(what)}</b><br><span ${quiet}">${escaped(say)}</span></div>`,
    ),
    rows.length === 0 ? '' : tableHtml(rows),
  ].join('\n');
}

function tableHtml(rows: LetterPart['rows']): string {
  const right = 'text-align:right;white-space:nowrap;padding-left:12px';
  const cell = (text: string) => `<td class="l" style="${line};vertical-align:baseline;${right}">${text}</td>`;
  const body = rows.map(
    ({ label, last, before }) =>
      `<tr><th scope="row" class="l" style="${line};vertical-align:baseline;text-align:left;font-weight:400">${escaped(label)}</th>${cell(figureHtml(last))}${cell(before === null ? '' : quietly(figureWords(before)))}</tr>`,
  );
  const head = ['Last week', 'Before'].map(
    (text) => `<th scope="col" style="text-align:right;font-weight:400">${quietly(text)}</th>`,
  );
  return `<table style="width:100%;border-collapse:collapse"><tr><td></td>${head.join('')}</tr>${body.join('')}</table>`;
}

function figureHtml({ value, n }: LetterFigure): string {
  return `<b>${escaped(value)}</b>${n === null ? '' : ` ${quietly(n)}`}`;
}

function quietly(text: string): string {
  return `<span ${quiet}">${escaped(text)}</span>`;
}

function link(url: string, label: string, style = ''): string {
  // Not by its colour alone: some see none.
  return `<a href="${escaped(url)}" class="a" style="color:#2a5bd0;text-decoration:underline${style}">${escaped(label)}</a>`;
}
