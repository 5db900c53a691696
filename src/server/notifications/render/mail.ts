import {
  figureWords,
  type Letter,
  type LetterFigure,
  type LetterItem,
  type LetterPart,
} from '#domain/notifications/texts.ts';

/** The two parts of a mail. In HTML only our own links are links; there are no pictures, and nothing is loaded from anywhere. */
export function mailOf(letter: Letter): { readonly text: string; readonly html: string } {
  return { text: textOf(letter), html: htmlOf(letter) };
}

const WIDTH = 72;

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
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

function tableText({ rows }: LetterPart): string {
  const width = (of: (row: LetterPart['rows'][number]) => string) => Math.max(...rows.map((row) => of(row).length));
  const before = (row: LetterPart['rows'][number]) => (row.before === null ? '' : `(${figureWords(row.before)})`);
  const [label, last] = [width((row) => row.label), width((row) => figureWords(row.last))];
  return rows
    .map((row) => `${row.label.padEnd(label)}  ${figureWords(row.last).padStart(last)}  ${before(row)}`.trimEnd())
    .join('\n');
}

const font = 'font:15px/1.5 -apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#171a21';
const quiet = 'color:#515966;font-size:13px';
const line = 'border-bottom:1px solid #e6e8ec;padding:8px 0';
// Not by their colour alone: some see none.
const anchor = 'color:#2a5bd0;text-decoration:underline';

function htmlOf(letter: Letter): string {
  const { headline, parts, more, open, settings, stop, footer } = letter;
  const end = [settings, ...(stop === null ? [] : [stop])].map(({ label, url }) => link(url, label)).join(' · ');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><title>${escaped(letter.subject)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;${font}"><main><div style="max-width:560px;margin:0 auto">
<h1 style="font-size:18px;margin:0 0 16px">${escaped(headline)}</h1>
${parts.map(partHtml).join('\n')}
${more === null ? '' : `<p style="margin:12px 0">${link(open.url, more)}</p>`}
<p style="margin:24px 0"><a href="${escaped(open.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#2a5bd0;color:#ffffff;text-decoration:none">${escaped(open.label)}</a></p>
<p style="margin:0;padding-top:16px;border-top:1px solid #e6e8ec;${quiet}">${escaped(footer)} ${end}</p>
</div></main></body></html>
`;
}

function partHtml({ heading, items, notices, rows }: LetterPart): string {
  return [
    heading === null ? '' : `<h2 style="font-size:15px;margin:24px 0 4px">${escaped(heading)}</h2>`,
    ...items.map(
      ({ place, title, why, url, host_url, host_label }) =>
        `<div style="${line}">${link(url, place)}${title === null ? '' : ` ${escaped(title)}`}<br><span style="${quiet}">${escaped(why)} · ${link(host_url, host_label, ';white-space:nowrap')}</span></div>`,
    ),
    ...notices.map(
      ({ what, say }) =>
        `<div style="${line}"><b>${escaped(what)}</b><br><span style="${quiet}">${escaped(say)}</span></div>`,
    ),
    rows.length === 0 ? '' : tableHtml(rows),
  ].join('\n');
}

function tableHtml(rows: LetterPart['rows']): string {
  const cell = (text: string, style: string) => `<td style="${line};vertical-align:baseline;${style}">${text}</td>`;
  const right = 'text-align:right;white-space:nowrap;padding-left:12px';
  const body = rows.map(
    ({ label, last, before }) =>
      `<tr><th scope="row" style="${line};vertical-align:baseline;text-align:left;font-weight:400">${escaped(label)}</th>${cell(figureHtml(last), right)}${cell(before === null ? '' : escaped(figureWords(before)), `${right};${quiet}`)}</tr>`,
  );
  const head = ['Last week', 'Before'].map(
    (text) => `<th scope="col" style="text-align:right;font-weight:400;${quiet}">${text}</th>`,
  );
  return `<table style="width:100%;border-collapse:collapse"><tr><td></td>${head.join('')}</tr>${body.join('')}</table>`;
}

function figureHtml({ value, n }: LetterFigure): string {
  return `<b>${escaped(value)}</b>${n === null ? '' : ` <span style="${quiet}">${escaped(n)}</span>`}`;
}

function link(url: string, label: string, style = ''): string {
  return `<a href="${escaped(url)}" style="${anchor}${style}">${escaped(label)}</a>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
