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

/** A message in Slack's form: what others wrote is escaped, and nothing in it is made a link or a mention. */
export function slackOf(letter: Letter): SlackMessage {
  const { headline, parts, more, open, settings, footer } = letter;
  const body = [
    { type: 'header', text: { type: 'plain_text', text: cut(headline, LONGEST_HEADER), emoji: false } },
    ...parts.flatMap(blocksOf),
  ];
  const end = [
    section(`${more === null ? '' : `${escaped(more)} · `}${link(open.url, open.label)}`),
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', verbatim: true, text: `${escaped(footer)} ${link(settings.url, settings.label)}` }],
    },
  ];
  const blocks = [...body.slice(0, MOST_BLOCKS - end.length), ...end];
  return { text: plainOf(letter), blocks, unfurl_links: false, unfurl_media: false };
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

function blocksOf(part: LetterPart): object[] {
  return textsOf(part).map(section);
}

function textsOf({ heading, items, notices, rows }: LetterPart): string[] {
  const figures = rows.map(
    ({ label, last, before }) =>
      `${label}: *${last.value}*${last.n === null ? '' : `, ${last.n}`}${before === null ? '' : ` (${figureWords(before)})`}`,
  );
  return [
    ...(heading === null ? [] : [`*${escaped(heading)}*`]),
    ...items.map(itemText),
    ...notices.map(({ what, say }) => `*${escaped(what)}*\n${escaped(say)}`),
    ...(figures.length === 0 ? [] : [figures.join('\n')]),
  ];
}

function itemText({ place, title, why, url, host_url, host_label }: LetterItem): string {
  const first = title === null ? link(url, place) : `${link(url, place)} ${escaped(title)}`;
  return `${first}\n${escaped(why)} · ${link(host_url, host_label)}`;
}

function section(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: cut(text, LONGEST_SECTION) } };
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
