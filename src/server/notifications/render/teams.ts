import { figureWords, type Letter, type LetterItem, type LetterPart } from '#domain/notifications/texts.ts';

/** Teams takes cards of 28 kB with all around them. */
const MOST_BYTES = 24_000;

/** A message as an Adaptive Card: what others wrote stands in runs of text alone, which know neither links nor mentions. */
export function teamsOf(letter: Letter): object {
  let left = letter.parts.reduce((sum, { items }) => sum + items.length, 0);
  for (;;) {
    const card = cardOf(letter, left);
    if (left === 0 || Buffer.byteLength(JSON.stringify(card)) <= MOST_BYTES) return card;
    left -= 1;
  }
}

/** The first `shown` items; of the others how many there are. */
function cardOf({ headline, parts, more, open, settings, footer }: Letter, shown: number): object {
  let room = shown;
  const body = parts.flatMap((part) => {
    const items = part.items.slice(0, room);
    room -= items.length;
    return blocksOf({ ...part, items });
  });
  const cut = parts.reduce((sum, { items }) => sum + items.length, 0) - shown;
  const rest = cut === 0 ? more : `+ ${cut + Number(/\d+/.exec(more ?? '')?.[0] ?? 0)} more`;
  const content = {
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      runs([{ text: headline, weight: 'Bolder', size: 'Medium' }]),
      ...body,
      ...(rest === null ? [] : [runs([{ text: rest }])]),
      runs([{ text: footer, isSubtle: true, size: 'Small' }], true),
    ],
    actions: [open, settings].map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

function blocksOf({ heading, items, notices, rows }: LetterPart): object[] {
  return [
    ...(heading === null ? [] : [runs([{ text: heading, weight: 'Bolder' }], true)]),
    ...items.flatMap(itemBlocks),
    ...notices.flatMap(({ what, say }) => [
      runs([{ text: what, weight: 'Bolder' }], true),
      runs([{ text: say, isSubtle: true }]),
    ]),
    ...rows.map(({ label, last, before }) =>
      runs([
        { text: `${label}: ` },
        { text: last.value, weight: 'Bolder' },
        ...(last.n === null ? [] : [{ text: `, ${last.n}` }]),
        ...(before === null ? [] : [{ text: ` (${figureWords(before)})`, isSubtle: true }]),
      ]),
    ),
  ];
}

function itemBlocks({ place, title, why, url, host_url, host_label }: LetterItem): object[] {
  const opens = (to: string) => ({ selectAction: { type: 'Action.OpenUrl', url: to } });
  return [
    runs([{ text: place, weight: 'Bolder', ...opens(url) }, ...(title === null ? [] : [{ text: ` ${title}` }])], true),
    runs([
      { text: `${why} · `, isSubtle: true, size: 'Small' },
      { text: host_label, size: 'Small', ...opens(host_url) },
    ]),
  ];
}

function runs(inlines: readonly object[], separator = false): object {
  return {
    type: 'RichTextBlock',
    ...(separator && { separator: true }),
    inlines: inlines.map((inline) => ({ type: 'TextRun', ...inline })),
  };
}
