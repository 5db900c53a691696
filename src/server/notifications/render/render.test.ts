import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WorkItem } from '#contract/my-work.ts';
import { webhookBody } from '#contract/notifications.ts';
import type { Figures, Message } from '#domain/notifications/message.ts';
import { notices } from '#domain/notifications/notices.ts';
import { defaultOptions, defaultQuietHours } from '#domain/notifications/subscriptions.ts';
import { figureWords, type LetterRow, layOut, subjectOf } from '#domain/notifications/texts.ts';
import { mailOf } from './mail.ts';
import { slackOf } from './slack.ts';
import { teamsOf } from './teams.ts';
import { webhookHeaders, webhookOf } from './webhook.ts';

const BASE = 'https://mergelight.test';
const AT = Date.parse('2026-11-23T08:00:00Z');

const anItem = (change: Partial<WorkItem> = {}): WorkItem => ({
  ...{ repo_owner: 'acme', repo_name: 'web', pr_number: 12, title: 'Fix the login', author: 'bea' },
  ...{ github_url: 'https://github.com/acme/web/pull/12', author_avatar_url: null, author_kind: 'human' },
  ...{ by_agent: false, authorship: 'human', agents: [], credited_to: 'bea', credit_by: 'author' },
  ...{ lines_changed: 3, changed_files: 1, draft: false, created_at: '2026-11-20T08:00:00Z', kind: 'review' },
  ...{ reason: 'requested', team: null, asked_at: '2026-11-22T22:05:00Z', since: '2026-11-22T22:05:00Z' },
  reviewed: false,
  ...{ waited_hours: 10, waited_working_hours: null, overdue: false, overdue_after_hours: 48, checks: null },
  ...{ reviewers: ['ada'], waiting_on: 'reviewers', waits_for: ['ada'], snooze: null },
  ...change,
});

const aMessage = (change: Partial<Message<WorkItem>> = {}): Message<WorkItem> => ({
  ...{ id: '6f1c7a4e-6a0e-4f7f-9d52-6b1f6f0c2c11', kind: 'turn', at: AT, recipient: { type: 'person', name: 'ada' } },
  ...{
    zone: 'Europe/Berlin',
    titles: true,
    period: null,
    items: [anItem()],
    sections: [],
    more: 0,
    others_turn: 0,
    figures: null,
    notices: [],
    stuck_after: null,
    left_out: 0,
    schedule: defaultQuietHours,
    made_by: null,
  },
  links: { open: `${BASE}/my-work`, settings: `${BASE}/settings`, unsubscribe: `${BASE}/unsubscribe/token` },
  ...change,
});

const ofPerson: Figures = {
  of: 'person',
  week: { opened: 4, merged: 3, reviews: 14, response: { hours: 5.2, n: 12 }, first_review: { hours: 9.4, n: 4 } },
  before: { opened: 3, merged: 4, reviews: 11, response: { hours: null, n: 0 }, first_review: { hours: 12.1, n: 3 } },
};
const ofTeam: Figures = {
  ...{ of: 'channel', open: 9, stuck: { author: 1, reviewers: 2, merge: 3 } },
  week: { merged: 3, opened: 4, first_review: { hours: 2, n: 5 }, merge: { hours: 30, n: 6 }, by_agents: 0.25 },
  before: { merged: 3, opened: 0, first_review: { hours: 2, n: 5 }, merge: { hours: 30, n: 6 }, by_agents: null },
};
const team = { type: 'channel', name: 'Payments' } as const;
const aDay = [
  { key: 'review', total: 7, items: [anItem()] },
  { key: 'yours_waits', total: 3, items: [] },
];

test('what passed a limit says which; what waits for others is not said to wait for its recipient', () => {
  const headline = (change: Partial<Message<WorkItem>>) => layOut(aMessage(change), BASE).headline;
  expect([
    headline({ kind: 'stuck', stuck_after: 24, more: 2 }),
    headline({ kind: 'stuck', stuck_after: 1, recipient: team }),
    headline({ kind: 'turn' }),
    headline({ kind: 'daily', items: [], sections: aDay, others_turn: 3 }),
    headline({ kind: 'daily', items: [], sections: aDay, recipient: team }),
    headline({ kind: 'sync', items: [], notices: [notices.tokenRejected()] }),
    headline({ kind: 'weekly', period: '2026-W47', recipient: team }),
  ]).toEqual([
    '3 pull requests have waited longer than 24 hours',
    '1 pull request has waited longer than 1 hour',
    '1 waiting for you',
    '7 waiting for you',
    '10 pull requests wait now',
    'Something needs you',
    'Payments, week 47',
  ]);
});

test('the week of a digest is the same in every zone', () => {
  const headings = ['Pacific/Auckland', 'Pacific/Kiritimati', 'Europe/Berlin', 'Pacific/Midway'].map((zone) =>
    ['2026-W47', '2026-W01'].map(
      (period) =>
        layOut(aMessage({ kind: 'weekly', period, zone, items: [], figures: ofPerson }), BASE).parts[0]!.heading,
    ),
  );
  const weeks = [
    'Last week, 16 to 22 Nov, against the week before',
    'Last week, 29 Dec to 4 Jan, against the week before',
  ];
  expect(headings).toEqual(headings.map(() => weeks));
});

test('a thousand repositories that don’t sync fit in every channel: ten are told, the others counted', () => {
  const many = Array.from({ length: 1000 }, (_, at) => notices.unsynced(`acme/repository-${at}`));
  const letter = layOut(aMessage({ kind: 'sync', items: [], notices: many }), BASE);
  const { text, html } = mailOf(letter);
  for (const all of [text, html, JSON.stringify(slackOf(letter)), JSON.stringify(teamsOf(letter))]) {
    expect(all).toContain('acme/repository-9');
    expect(all).not.toContain('acme/repository-10');
    expect(all).toContain('+ 990 more');
    expect(Buffer.byteLength(all)).toBeLessThan(24_000);
  }
});

test.each([
  [{ kind: 'turn', more: 2 }, 'Mergelight: 3 waiting for you'],
  [{ kind: 'daily' }, 'Mergelight: 1 waiting for you'],
  [{ kind: 'weekly', period: '2026-W47' }, 'Mergelight: your week'],
  [{ kind: 'weekly', period: '2026-W47', items: [] }, 'Mergelight: your week'],
  [{ kind: 'weekly', period: '2026-W07', recipient: team }, 'Mergelight: Payments, week 7'],
  [{ kind: 'stuck', recipient: team }, 'Mergelight: Payments, 1 waiting'],
  [{ kind: 'stuck', more: 1, others_turn: 1 }, 'Mergelight: 1 waiting for you'],
  [{ kind: 'stuck', others_turn: 1 }, 'Mergelight: 1 of yours, waiting for others'],
  [{ kind: 'daily', sections: aDay, items: [], others_turn: 3 }, 'Mergelight: 7 waiting for you'],
  [{ kind: 'daily', sections: aDay, items: [], recipient: team }, 'Mergelight: Payments, 10 waiting'],
  [{ kind: 'weekly', period: '2026-W07', recipient: { ...team, name: 'A\r\nBcc: x' } }, 'Mergelight: A Bcc: x, week 7'],
  [{ kind: 'sync', items: [] }, 'Mergelight: something needs you'],
  [{ kind: 'test', items: [] }, 'Mergelight: a test'],
] as const)('the subject of %j is %s', (change, subject) => {
  expect(subjectOf(aMessage(change))).toBe(subject);
});

test('an item says what, why, and since when in the zone of its recipient', () => {
  const { parts } = layOut(aMessage(), BASE);
  expect(parts).toEqual([
    expect.objectContaining({
      items: [
        {
          ...{
            place: 'acme/web#12',
            title: 'Fix the login',
            why: 'your review was requested, since Sun 22 Nov, 23:05',
          },
          ...{ url: `${BASE}/pr/acme/web/12`, host_url: 'https://github.com/acme/web/pull/12' },
          host_label: 'open at GitHub',
        },
      ],
    }),
  ]);
  const why = (
    change: Partial<WorkItem>,
    recipient: Message<WorkItem>['recipient'] = { type: 'person', name: 'ada' },
  ) => layOut(aMessage({ items: [anItem(change)], recipient, zone: 'Asia/Kolkata' }), BASE).parts[0]!.items[0]!.why;
  expect([
    why({ reason: 'requested_of_team', team: '@acme/payments', kind: 'team_review' }),
    why({ reason: 'approved', kind: 'merge', waiting_on: 'merge' }),
    why({ reason: 'changes_requested', kind: 'author', since: '2025-12-31T20:00:00Z' }),
    why({ reason: 'never_reviewed', kind: 'yours_waits', waits_for: ['cyd', 'dan'] }),
    why({ reason: 'agent', kind: 'yours_waits', waiting_on: 'author', waits_for: [] }),
    why({ reason: 'updated_after_review', kind: 'yours_waits', reviewers: ['cyd'], waits_for: [] }),
    why({ reason: 'commented', kind: 'reviewed_waits', waiting_on: 'author' }),
    why({ reason: 'commented', kind: 'reviewed_waits', waiting_on: 'author', reviewed: true }),
    why({ reason: 'never_reviewed', kind: 'review', waits_for: ['cyd'] }, team),
    why({ reason: 'updated_after_review', kind: 'review', reviewers: ['cyd', 'dan'], waits_for: ['dan'] }, team),
    why({ reason: 'updated_after_review', kind: 'review', reviewers: ['cyd'], waits_for: [] }, team),
    why({ reason: 'approved', kind: 'merge', waiting_on: 'merge' }, team),
  ]).toEqual([
    'requested of @acme/payments, since Mon 23 Nov, 03:35',
    'approved, ready to merge, since Mon 23 Nov, 03:35',
    'changes requested, since Thu 1 Jan, 01:30',
    'waits for cyd and dan, since Mon 23 Nov, 03:35',
    'the agent has it, since Mon 23 Nov, 03:35',
    'updated after review, since Mon 23 Nov, 03:35',
    'asked of you, the author is at it, since Mon 23 Nov, 03:35',
    'commented, since Mon 23 Nov, 03:35',
    'Reviewers · never reviewed, since Mon 23 Nov, 03:35 · waits for cyd',
    'Reviewers · updated after review, since Mon 23 Nov, 03:35 · waits for dan',
    'Reviewers · updated after review, since Mon 23 Nov, 03:35 · nobody is asked',
    'Ready to merge · approved, since Mon 23 Nov, 03:35 · by bea',
  ]);
});

const rowWords = ({ label, last, before }: LetterRow) =>
  `${label}: ${figureWords(last)} (${before && figureWords(before)})`;

test('a week is told against the one before, with what each median is of, and its days', () => {
  const [part] = layOut(aMessage({ kind: 'weekly', period: '2026-W47', items: [], figures: ofPerson }), BASE).parts;
  expect(part!.heading).toBe('Last week, 16 to 22 Nov, against the week before');
  expect(part!.rows.map(rowWords)).toEqual([
    'Opened: 4 (3)',
    'Merged: 3 (4)',
    'Reviews given: 14 (11)',
    'Median response time: 5.2 h, n 12 (N/A)',
    'Median time to first review of yours: 9.4 h, n 4, few (12.1 h, n 3, few)',
  ]);
  const rows = layOut(aMessage({ kind: 'weekly', recipient: team, figures: ofTeam }), BASE).parts.at(-1)!.rows;
  expect(rows.map(rowWords).slice(4)).toEqual([
    'Opened by agents: 25 % (N/A)',
    'Open now: 9 (null)',
    'Stuck now, waiting for reviewers: 2 (null)',
    'Stuck now, waiting for authors: 1 (null)',
    'Stuck now, ready to merge: 3 (null)',
  ]);
});

/** What all texts of a type in some blocks say. */
function textsIn(blocks: unknown, type: string): string[] {
  if (Array.isArray(blocks)) return blocks.flatMap((one) => textsIn(one, type));
  if (typeof blocks !== 'object' || blocks === null) return [];
  const own = 'type' in blocks && blocks.type === type && 'text' in blocks ? [String(blocks.text)] : [];
  return [...own, ...Object.values(blocks).flatMap((one) => textsIn(one, type))];
}

/** Between two colours, as WCAG has it. */
function contrast(one: string, other: string): number {
  const light = (colour: string) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at]!, 0.05);
  const [a, b] = [light(one), light(other)];
  return Math.max(a, b) / Math.min(a, b);
}

const nasty =
  '<script>alert(1)</script> <!here> <@U1> @channel *b* [x](https://evil.test) https://evil.test mail@evil.test evil.com\u202e\u2066\u0007\nnext & "q"';

test('nothing in a title becomes a link, a mention or markup, whichever way it is sent', () => {
  const message = aMessage({ items: [anItem({ title: nasty })] });
  const letter = layOut(message, BASE);
  const { text, html } = mailOf(letter);
  const sent = { text, html, slack: JSON.stringify(slackOf(letter)), teams: JSON.stringify(teamsOf(letter)) };
  for (const [way, all] of Object.entries(sent)) {
    for (const bad of ['https://evil.test', 'mail@evil.test', 'evil.com', '@channel', '\u202e', '\u2066', '\u0007'])
      expect(all.includes(bad), `${way}: ${bad}`).toBe(false);
  }
  expect(html).not.toMatch(/<script|<!here|<img|<@/);
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    ...[`${BASE}/pr/acme/web/12`, 'https://github.com/acme/web/pull/12', `${BASE}/my-work`],
    ...[`${BASE}/settings`, `${BASE}/unsubscribe/token`],
  ]);
  expect(slackOf(letter).text).not.toMatch(/<!here>|<@U1>/);
  expect(textsIn(slackOf(letter).blocks, 'mrkdwn').join()).not.toMatch(/alert|here|\*b\*/);
  expect(textsIn(slackOf(letter).blocks, 'text').join()).toContain('*b*');
  expect(sent.teams).not.toContain('"TextBlock"');
  expect(webhookOf(message).items[0]!.title).not.toMatch(/\p{Cc}|\u202e|\u2066/u);
  expect(webhookOf(message).items[0]!.title).toContain('https://evil.test');
});

test.each([
  ['a link without a dot', '[Approve](evil%2Ecom/login)', ']('],
  ['a link with another dot', '[x](evil。com)', '。c'],
  ['a link to a name', '[x](jira/login)', ']('],
  ['a picture', '![p](evil%2Ecom/p)', '!['],
  ['a link by reference', '[x][1]', ']['],
  ['what a reference means', '[1]: jira/login', ']:'],
  ['an address with wide dots', 'evil．com evil｡com', '．c'],
])('nothing in a title becomes a link or a picture where texts are Markdown, as in Mattermost: %s', (_, title, bad) => {
  const { text } = slackOf(layOut(aMessage({ items: [anItem({ title })] }), BASE));

  expect(text).not.toContain(bad);
  expect(text.replaceAll('\u2060', '')).toContain(title);
});

test('a message says when messages of its kind come, who made the channel, and what it leaves out', () => {
  const said = (change: Partial<Message<WorkItem>>) => layOut(aMessage(change), BASE).footer;
  const { person, channel } = defaultOptions;
  expect([
    said({}),
    said({ kind: 'stuck', schedule: { ...defaultQuietHours, mode: 'off' } }),
    said({ kind: 'daily', schedule: person.daily }),
    said({ kind: 'weekly', schedule: { time: '10:30', weekday: 7 } }),
    said({ kind: 'stuck', recipient: team, made_by: 'bea', left_out: 2 }),
    said({ kind: 'stuck', recipient: team, made_by: 'bea', left_out: 1 }),
    said({ kind: 'weekly', recipient: team, made_by: 'bea', schedule: channel.weekly }),
    said({ kind: 'turn', made_by: 'bea' }),
    said({ kind: 'test', schedule: null }),
  ]).toEqual([
    'Times are in Europe/Berlin. You get this because you asked for it; messages come 08:00 to 19:00, Monday to Friday.',
    'Times are in Europe/Berlin. You get this because you asked for it; messages come at any time.',
    'Times are in Europe/Berlin. You get this at 09:00 (Monday to Friday) because you asked for it.',
    'Times are in Europe/Berlin. You get this on Sundays at 10:30 because you asked for it.',
    '2 more with failing checks are left out. Times are in Europe/Berlin. bea made this channel and can change what comes here; messages come 08:00 to 19:00, Monday to Friday.',
    '1 more with failing checks is left out. Times are in Europe/Berlin. bea made this channel and can change what comes here; messages come 08:00 to 19:00, Monday to Friday.',
    'Times are in Europe/Berlin. bea made this channel and can change what comes here; this comes on Mondays at 09:00.',
    'Times are in Europe/Berlin. bea made this channel and can change what comes here; messages come 08:00 to 19:00, Monday to Friday.',
    'Somebody pressed “Send a test” in the settings of Mergelight.',
  ]);
});

test('a mail has no line of more than 64 characters but addresses and their like, and figures stand in columns', () => {
  const { text } = mailOf(layOut(aMessage({ kind: 'weekly', period: '2026-W47', figures: ofPerson }), BASE));
  const lines = text.split('\n');
  expect(lines.filter((line) => line.length > 64 && !line.includes('https://'))).toEqual([]);
  expect(lines.slice(lines.indexOf('LAST WEEK, 16 TO 22 NOV, AGAINST THE WEEK BEFORE') + 2).slice(0, 7)).toEqual([
    'Opened                                     4                 (3)',
    'Merged                                     3                 (4)',
    'Reviews given                             14                (11)',
    'Median response time             5.2 h, n 12               (N/A)',
    'Median time to first review',
    'of yours                     9.4 h, n 4, few  (12.1 h, n 3, few)',
    '',
  ]);
});

test('a mail keeps the background and the colour of text that its reader has', () => {
  const { html } = mailOf(layOut(aMessage({ kind: 'weekly', period: '2026-W47', figures: ofPerson }), BASE));
  expect(html.match(/background:[^;]*/g)).toEqual(['background:#2a5bd0']);
  const onLight = [...html.matchAll(/[;"]color:(#[0-9a-f]{6})/g)].map(([, colour = '']) => colour);
  const onDark = [...html.matchAll(/color:(#[0-9a-f]{6})!important/g)].map(([, colour = '']) => colour).slice(0, 2);
  expect(new Set(onLight)).toEqual(new Set(['#515966', '#2a5bd0', '#ffffff']));
  for (const colour of ['#515966', '#2a5bd0']) expect(contrast(colour, '#ffffff')).toBeGreaterThan(4.5);
  for (const colour of onDark) expect(contrast(colour, '#1e1e1e')).toBeGreaterThan(4.5);
  expect(onDark).toHaveLength(2);
});

test('without titles none is said', () => {
  const message = aMessage({ titles: false, items: [anItem({ title: 'SECRET' })] });
  const letter = layOut(message, BASE);
  const all = JSON.stringify([mailOf(letter), slackOf(letter), teamsOf(letter), webhookOf(message)]);
  expect([all.includes('SECRET'), all.includes('acme/web#12')]).toEqual([false, true]);
  expect(webhookOf(message).items[0]!.title).toBe(null);
});

test('a mail says the same in text and HTML, with where it is stopped', () => {
  const sections = [{ key: 'review', total: 5, items: [anItem()] }];
  const message = aMessage({
    kind: 'daily',
    schedule: defaultOptions.person.daily,
    sections,
    more: 4,
    figures: ofPerson,
    notices: [notices.tokenRejected()],
  });
  const { text, html } = mailOf(layOut(message, BASE));
  for (const words of [
    'acme/web#12',
    'Fix the login',
    'your review was requested, since Sun 22 Nov, 23:05',
    '+ 4 more',
    'Median response time',
    'Times are in Europe/Berlin. You get this at 09:00 (Monday to',
    'Sign in again',
  ])
    expect([text.includes(words), html.includes(words), words]).toEqual([true, true, words]);
  expect(text).toContain(`Stop these mails:\n${BASE}/unsubscribe/token`);
  expect(text).toContain('WAITING FOR YOUR REVIEW: 5');
  expect(html).not.toMatch(/<img|src=|url\(|@import|<link|<script/);
  const toList = mailOf(
    layOut(aMessage({ recipient: team, made_by: 'bea', links: { ...message.links, unsubscribe: null } }), BASE),
  );
  expect(toList.text).not.toContain('Stop these mails');
  expect(toList.html).toContain('bea made this channel and can change what comes here;');
});

test('Slack gets at most 50 blocks and 3,000 characters in each, and nothing unfurls', () => {
  const items = Array.from({ length: 60 }, (_, at) => anItem({ pr_number: at + 1, title: '<&>'.repeat(2000) }));
  const message = slackOf(layOut(aMessage({ items, more: 7 }), BASE));
  expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false });
  expect(message.text).toMatch(/^Mergelight: 67 waiting for you\n/);
  expect(message.text.length).toBeLessThanOrEqual(4000);
  expect(message).not.toHaveProperty('link_names');
  const { blocks } = message;
  expect(blocks.length).toBeLessThanOrEqual(50);
  const texts = ['mrkdwn', 'plain_text', 'text'].flatMap((type) => textsIn(blocks, type));
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(3000);
  expect(JSON.stringify(blocks).match(/"mrkdwn"/g)).toHaveLength(
    JSON.stringify(blocks).match(/"verbatim":true/g)!.length,
  );
  const shown = items.filter(({ pr_number }) => JSON.stringify(blocks).includes(`"acme/web#${pr_number}"`)).length;
  expect(shown).toBeGreaterThan(20);
  expect(JSON.stringify(blocks)).toContain(`+ ${60 - shown + 7} more`);
});

test('figures that are below what is shown are no markup for Slack', () => {
  const week = { ...ofTeam.week, first_review: { hours: 0.005, n: 5 }, by_agents: 0.0004 };
  const figures = { ...ofTeam, week, before: week } as Figures;
  const message = slackOf(layOut(aMessage({ kind: 'weekly', recipient: team, items: [], figures }), BASE));
  for (const text of [message.text, textsIn(message.blocks, 'mrkdwn').join('\n')]) {
    expect(text).toContain('Median time to first review: *&lt;1 min*, n 5 (&lt;1 min, n 5)');
    expect(text).toContain('Opened by agents: *&lt;0.1 %* (&lt;0.1 %)');
  }
});

test('who knows Slack’s form but no blocks reads all of it in the text', () => {
  const { text } = slackOf(layOut(aMessage({ items: [anItem({ title: '<!here> & @channel' })], more: 2 }), BASE));
  expect(text).toBe(
    [
      'Mergelight: 3 waiting for you',
      `<${BASE}/pr/acme/web/12|acme/web#12> &lt;!here&gt; &amp; @\u2060channel`,
      'your review was requested, since Sun 22 Nov, 23:05 · <https://github.com/acme/web/pull/12|open at GitHub>',
      `+ 2 more · <${BASE}/my-work|Open My work>`,
    ].join('\n'),
  );
});

test('Teams gets an Adaptive Card of at most 24 kB; what doesn’t fit is counted', () => {
  const items = Array.from({ length: 20 }, (_, at) => anItem({ pr_number: at + 1, title: 'ä'.repeat(1500) }));
  const card = teamsOf(layOut(aMessage({ items, more: 3 }), BASE));
  const text = JSON.stringify(card);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
  const shown = items.filter(({ pr_number }) => text.includes(`"acme/web#${pr_number}"`)).length;
  expect(shown).toBeGreaterThan(3);
  expect(text).toContain(`+ ${20 - shown + 3} more`);
  expect(card).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          actions: [{ type: 'Action.OpenUrl', url: `${BASE}/my-work` }, {}],
        },
      },
    ],
  });
  expect(text).not.toContain('msteams');
});

test('a webhook gets the shape of the contract, signed over the moment and the body', () => {
  const message = aMessage({ kind: 'weekly', period: '2026-W47', figures: ofTeam, recipient: team });
  const body = webhookOf(message);
  expect(webhookBody.parse(body)).toEqual(body);
  expect(body).toEqual({
    ...{ id: message.id, kind: 'weekly', at: '2026-11-23T08:00:00.000Z', recipient: team, period: '2026-W47' },
    ...{ items: message.items, figures: ofTeam, notices: [] },
    links: { open: `${BASE}/my-work`, settings: `${BASE}/settings` },
  });
  const signature = createHmac('sha256', 'secret').update('1764000000.{}').digest('hex');
  expect(webhookHeaders(message, '{}', 'secret', new Date(1_764_000_000_999))).toEqual({
    'X-Mergelight-Event': 'weekly',
    'X-Mergelight-Delivery': message.id,
    'X-Mergelight-Timestamp': '1764000000',
    'X-Mergelight-Signature': `sha256=${signature}`,
  });
});

test('a webhook is told what needs its owner as all others are', () => {
  const needs = [notices.unsynced('acme/web'), notices.channelPaused('A\u202e\nboard', 'the address is gone')];
  const body = webhookOf(aMessage({ kind: 'sync', items: [], notices: needs }));

  expect(webhookBody.parse(body)).toEqual(body);
  expect(body.notices).toEqual([
    needs[0],
    { what: 'The channel A board', say: 'It is paused: the address is gone. The settings can resume it.' },
  ]);
});
