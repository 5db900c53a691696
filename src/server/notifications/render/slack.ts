import { figureWords, type Letter, type LetterItem, type LetterPart } from '#domain/notifications/texts.ts';

/** The most blocks, and the most characters of a section and of a header, that Slack takes (docs.slack.dev). */
const MOST_BLOCKS = 50;
const LONGEST_SECTION = 3000;
const LONGEST_HEADER = 150;
/** The most characters of text that Slack asks for beside blocks. */
const LONGEST_TEXT = 4000;

export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly object[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

/** A message in Slack's form: what others wrote stands in plain text, which knows no links, mentions or formatting. */
export function slackOf(letter: Letter): SlackMessage {
  const { headline, parts, more, open, settings, footer } = letter;
  const head = { type: 'header', text: { type: 'plain_text', text: cut(headline, LONGEST_HEADER), emoji: false } };
  const things = parts.flatMap(blocksOf);
  // Beside those stand the header, what is behind it all, and the footer.
  const { shown, left } = fitting(things, MOST_BLOCKS - 3);
  const rest = left === 0 ? more : `+ ${left + Number(/\d+/.exec(more ?? '')?.[0] ?? 0)} more`;
  // No button: where an app answers no clicks, Slack shows a warning beside it.
  const end = [
    section(`${rest === null ? '' : `${escaped(rest)} · `}${link(open.url, open.label)}`),
    context(plain(footer), markdown(link(settings.url, settings.label))),
  ];
  return { text: plainOf(letter), blocks: [head, ...shown, ...end], unfurl_links: false, unfurl_media: false };
}

/** The blocks of one thing, which is shown whole or not at all. */
interface Thing {
  readonly blocks: readonly object[];
  /** Whether it is one of what is counted. */
  readonly counts: boolean;
}

function fitting(things: readonly Thing[], most: number): { readonly shown: readonly object[]; readonly left: number } {
  const shown: object[] = [];
  const left = things.filter(({ blocks }) => {
    if (shown.length + blocks.length > most) return true;
    shown.push(...blocks);
    return false;
  });
  return { shown, left: left.filter(({ counts }) => counts).length };
}

/** The same without blocks: what Slack shows in its notices, and all that Mattermost and Rocket.Chat know of the form. */
function plainOf({ subject, parts, more, open }: Letter): string {
  const last = `${more === null ? '' : `${escaped(more)} · `}${link(open.url, open.label)}`;
  const lines = [escaped(subject)];
  let room = LONGEST_TEXT - lines.join().length - last.length - 2;
  for (const text of parts.flatMap(textsOf)) {
    room -= text.length + 1;
    if (room < 0) break;
    lines.push(text);
  }
  return [...lines, last].join('\n');
}

function blocksOf({ heading, items, notices, rows }: LetterPart): Thing[] {
  const counted = (...blocks: object[]): Thing => ({ blocks, counts: true });
  const beside = (...blocks: object[]): Thing => ({ blocks, counts: false });
  return [
    ...(heading === null ? [] : [beside(rich({ type: 'text', text: heading, style: { bold: true } }))]),
    ...items.map((item) => counted(...itemBlocks(item))),
    ...notices.map(({ what, say }) =>
      counted(rich({ type: 'text', text: what, style: { bold: true } }, { type: 'text', text: `\n${say}` })),
    ),
    ...(rows.length === 0 ? [] : [beside(section(figuresText(rows)))]),
  ];
}

function itemBlocks({ place, title, why, url, host_url, host_label }: LetterItem): object[] {
  const name = { type: 'link', url, text: place };
  return [
    title === null ? rich(name) : rich(name, { type: 'text', text: cut(` ${title}`, LONGEST_SECTION) }),
    context(plain(why), markdown(link(host_url, host_label))),
  ];
}

function textsOf({ heading, items, notices, rows }: LetterPart): string[] {
  return [
    ...(heading === null ? [] : [`*${escaped(heading)}*`]),
    ...items.map(itemText),
    ...notices.map(({ what, say }) => `*${escaped(what)}*\n${escaped(say)}`),
    ...(rows.length === 0 ? [] : [figuresText(rows)]),
  ];
}

function itemText({ place, title, why, url, host_url, host_label }: LetterItem): string {
  const first = title === null ? link(url, place) : `${link(url, place)} ${escaped(title)}`;
  return `${first}\n${escaped(why)} · ${link(host_url, host_label)}`;
}

function figuresText(rows: LetterPart['rows']): string {
  const lines = rows.map(
    ({ label, last, before }) =>
      `${label}: *${last.value}*${last.n === null ? '' : `, ${last.n}`}${before === null ? '' : ` (${figureWords(before)})`}`,
  );
  return escaped(lines.join('\n'));
}

function section(text: string): object {
  return { type: 'section', text: markdown(cut(text, LONGEST_SECTION)) };
}

function context(...elements: object[]): object {
  return { type: 'context', elements };
}

function rich(...elements: object[]): object {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** Of our own words alone. */
function markdown(text: string): object {
  return { type: 'mrkdwn', verbatim: true, text };
}

function plain(text: string): object {
  return { type: 'plain_text', text: cut(text, LONGEST_SECTION), emoji: false };
}

function link(url: string, label: string): string {
  return `<${escaped(url).replaceAll('|', '%7C')}|${escaped(label)}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
