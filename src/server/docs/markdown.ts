import { escaped } from '../http/html.ts';

/** Where a link of a document leads on the page; null where the page has no such place, and its words stand alone. */
type Follow = (target: string) => string | null;

/** The heading's anchor, as GitHub makes it, so that a link into a document works in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/**
 * HTML of a document in the Markdown that this repository writes: headings, paragraphs, flat lists, tables, fenced code, `code`,
 * **bold** and links. Everything else is escaped text. A table row about a figure gets the figure's key as its anchor.
 */
export function htmlOf(markdown: string, follow: Follow): string {
  const lines = markdown.split('\n');
  const html: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const heading = /^(#{1,4}) (.+)$/.exec(line);
    if (heading) {
      const [, marks = '', words = ''] = heading;
      html.push(`<h${marks.length} id="${anchorOf(words)}">${inline(words, follow)}</h${marks.length}>`);
      at += 1;
    } else if (line.startsWith('```')) {
      const end = lines.indexOf('```', at + 1);
      html.push(`<pre tabindex="0"><code>${escaped(lines.slice(at + 1, end).join('\n'))}</code></pre>`);
      at = end + 1;
    } else {
      const block = blockFrom(lines, at);
      html.push(blockHtml(block, follow));
      at += block.length;
    }
  }
  return html.join('\n');
}

/** The lines up to the next blank one, heading or fence. */
function blockFrom(lines: readonly string[], at: number): string[] {
  const endsBlock = (line: string) => line.trim() === '' || /^(#{1,4} |```)/.test(line);
  let end = at + 1;
  while (end < lines.length && !endsBlock(lines[end]!)) end += 1;
  return lines.slice(at, end);
}

function blockHtml(lines: readonly string[], follow: Follow): string {
  const first = lines[0] ?? '';
  if (first.startsWith('|')) return tableHtml(lines, follow);
  const begin = lines.findIndex((line) => /^(-|\d+\.) /.test(line));
  if (begin === 0) return listHtml(lines, follow);
  // A list may follow the line that announces it.
  if (begin > 0) return `${blockHtml(lines.slice(0, begin), follow)}\n${listHtml(lines.slice(begin), follow)}`;
  return `<p>${inline(lines.join('\n'), follow)}</p>`;
}

function listHtml(lines: readonly string[], follow: Follow): string {
  const tag = lines[0]?.startsWith('- ') ? 'ul' : 'ol';
  const items: string[] = [];
  for (const line of lines) {
    const item = /^(?:-|\d+\.) (.*)$/.exec(line);
    if (item) items.push(item[1] ?? '');
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  return `<${tag}>${items.map((words) => `<li>${inline(words, follow)}</li>`).join('')}</${tag}>`;
}

function tableHtml([head = '', , ...rows]: readonly string[], follow: Follow): string {
  const cells = (row: string) =>
    row
      .replace(/^\||\|\s*$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
  const line = (row: string, tag: 'th' | 'td') => {
    const key = /<br>`([\w.]+)`/.exec(row)?.[1];
    const anchor = tag === 'td' && key !== undefined ? ` id="${key}"` : '';
    return `<tr${anchor}>${cells(row)
      // A heading of nothing heads nothing.
      .map((cell) => [cell === '' ? 'td' : tag, inline(cell, follow)])
      .map(([of, text]) => `<${of}>${text}</${of}>`)
      .join('')}</tr>`;
  };
  const body = rows.map((row) => line(row, 'td')).join('');
  return `<div class="wide" tabindex="0"><table><thead>${line(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

/** Code first: nothing inside it means anything else. */
function inline(text: string, follow: Follow): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`.+`$/s.test(part) ? `<code>${escaped(part.slice(1, -1))}</code>` : words(part, follow)))
    .join('');
}

function words(text: string, follow: Follow): string {
  return escaped(text)
    .replaceAll('&lt;br&gt;', '<br>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => {
      const to = follow(target);
      return to === null ? label : `<a href="${to}">${label}</a>`;
    });
}
