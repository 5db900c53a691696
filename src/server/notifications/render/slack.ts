import { figureWords, type Letter, type LetterItem, type LetterPart } from '#domain/notifications/texts.ts';

/** Slack takes so many blocks, and so many characters of a section and of a header (docs.slack.dev). */
const MOST_BLOCKS = 50;
const LONGEST_SECTION = 3000;
const LONGEST_HEADER = 150;

export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly object[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

/** A message in Slack's form: what others wrote is escaped, and nothing in it is made a link or a mention. */
export function slackOf({ subject, headline, parts, more, open, settings, footer }: Letter): SlackMessage {
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
  return { text: escaped(subject), blocks, unfurl_links: false, unfurl_media: false };
}

function blocksOf({ heading, items, notices, rows }: LetterPart): object[] {
  return [
    ...(heading === null ? [] : [section(`*${escaped(heading)}*`)]),
    ...items.map((item) => section(itemText(item))),
    ...notices.map(({ what, say }) => section(`*${escaped(what)}*\n${escaped(say)}`)),
    ...(rows.length === 0
      ? []
      : [
          section(
            rows
              .map(
                ({ label, last, before }) =>
                  `${label}: *${last.value}*${last.n === null ? '' : `, ${last.n}`}${before === null ? '' : ` (${figureWords(before)})`}`,
              )
              .join('\n'),
          ),
        ]),
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
