import type { WorkItem } from '../../src/contract/my-work.ts';
import type { Message } from '../../src/domain/notifications/message.ts';
import { notices } from '../../src/domain/notifications/notices.ts';
import { defaultOptions, defaultQuietHours } from '../../src/domain/notifications/subscriptions.ts';

/** A message of every kind, as a company's people get them on a Monday in Oslo. */

const BASE = 'https://mergelight.brasswick.example';
const AT = Date.parse('2026-11-23T08:00:00Z');

function item(place: string, title: string, since: string, change: Partial<WorkItem>): WorkItem {
  const [, repo_name = '', number = ''] = /^(.+)#(\d+)$/.exec(place) ?? [];
  return {
    ...{ repo_owner: 'brasswick', repo_name, pr_number: Number(number), title, author: 'devi-r' },
    ...{ github_url: `https://github.com/brasswick/${repo_name}/pull/${number}`, author_avatar_url: null },
    ...{ author_kind: 'human', by_agent: false, authorship: 'human', agents: [], credited_to: 'devi-r' },
    ...{ credit_by: 'author', lines_changed: 120, changed_files: 4, draft: false, created_at: since, kind: 'review' },
    ...{ reason: 'requested', team: null, asked_at: since, reviewed: false, since },
    ...{ waited_hours: 70, waited_working_hours: null },
    ...{ overdue: true, overdue_after_hours: 48, checks: 'passing', reviewers: ['sanna-h'], waiting_on: 'reviewers' },
    ...{ waits_for: change.waiting_on === undefined ? (change.reviewers ?? ['sanna-h']) : [], snooze: null, ...change },
  };
}

const turn = [
  item('storefront#3967', 'Use a dedicated quantity stepper in the order history', '2026-11-15T13:10:00Z', {}),
  item('ledger#2399', 'Make the settlement batch faster with three decimal currencies', '2026-11-17T09:20:00Z', {
    kind: 'review_again',
    reason: 'answered',
  }),
  item('quayside#2512', 'Ingress: roll out one zone at a time', '2026-11-18T15:05:00Z', {
    ...{ kind: 'team_review', reason: 'requested_of_team', team: '@brasswick/payments' },
  }),
  item('courier#1044', 'Keep the manifest when the upload is retried', '2026-11-18T12:40:00Z', {
    ...{ kind: 'author', reason: 'changes_requested', waiting_on: 'author' },
  }),
  item(
    'ledger#2387',
    'Explain <b>the payout hold</b> & see www.evil.example @channel *now* \u202etxt',
    '2026-11-19T10:02:00Z',
    {
      ...{ kind: 'merge', reason: 'approved', waiting_on: 'merge' },
    },
  ),
];
const waiting = [
  item('ledger#2391', 'Retry the webhook when the ledger is read only', '2026-11-16T08:31:00Z', {
    ...{ kind: 'yours_waits', reason: 'never_reviewed', reviewers: ['devi-r', 'oren-t'] },
  }),
  item('storefront#3984', 'Show the pickup window on the order page', '2026-11-19T07:02:00Z', {
    ...{ kind: 'yours_waits', reason: 'updated_after_review', reviewers: [] },
  }),
];
const stuck = [
  item('ledger#2402', 'Replace the chargeback fee table', '2026-11-17T13:20:00Z', {
    ...{ reason: 'never_reviewed', reviewers: ['@brasswick/payments'] },
  }),
  item('ledger#2391', 'Retry the webhook when the ledger is read only', '2026-11-16T08:31:00Z', {
    ...{ reason: 'never_reviewed', reviewers: ['devi-r', 'oren-t'] },
  }),
  item('ledger#2370', 'Add the ledger lock to the settlement', '2026-11-16T14:12:00Z', {
    ...{ kind: 'merge', reason: 'approved', waiting_on: 'merge', author: 'ilse-m' },
  }),
];

const base: Message<WorkItem> = {
  ...{ id: '6f1c7a4e-6a0e-4f7f-9d52-6b1f6f0c2c11', kind: 'turn', at: AT },
  ...{ recipient: { type: 'person', name: 'sanna-h' }, zone: 'Europe/Oslo', titles: true, period: null },
  ...{ items: [], sections: [], more: 0, others_turn: 0, figures: null, notices: [], stuck_after: null, made_by: null },
  ...{ left_out: 0, schedule: defaultQuietHours },
  links: { open: `${BASE}/my-work`, settings: `${BASE}/settings`, unsubscribe: `${BASE}/unsubscribe/t0ken` },
};
const team: Partial<Message<WorkItem>> = {
  ...{ recipient: { type: 'channel', name: 'Payments reviews' }, made_by: 'sanna-h' },
  links: { open: `${BASE}/dashboard`, settings: `${BASE}/settings`, unsubscribe: null },
};
const median = (hours: number | null, n: number) => ({ hours, n });

/** By a name that says what it is. */
export const everyMessage: Readonly<Record<string, Message<WorkItem>>> = {
  turn: { ...base, items: turn.slice(0, 1) },
  'turn-many': { ...base, items: Array.from({ length: 20 }, (_, at) => turn[at % turn.length]!), more: 7 },
  stuck: {
    ...{ ...base, kind: 'stuck', items: [...turn.slice(0, 2), ...waiting.slice(0, 1)], others_turn: 1 },
    stuck_after: 24,
  },
  daily: {
    ...{
      ...base,
      kind: 'daily',
      schedule: defaultOptions.person.daily,
      period: '2026-11-23',
      items: [...turn, ...waiting],
      others_turn: 2,
    },
    sections: [
      { key: 'review', total: 2, items: turn.slice(0, 2) },
      { key: 'author', total: 1, items: turn.slice(3, 4) },
      { key: 'merge', total: 1, items: turn.slice(4) },
      { key: 'team_review', total: 1, items: turn.slice(2, 3) },
      { key: 'yours_waits', total: 2, items: waiting },
    ],
  },
  weekly: {
    ...{
      ...base,
      kind: 'weekly',
      schedule: defaultOptions.person.weekly,
      period: '2026-W47',
      items: [...turn, ...waiting],
      others_turn: 2,
    },
    sections: [
      { key: 'turn', total: 5, items: turn },
      { key: 'yours_waits', total: 2, items: waiting },
    ],
    figures: {
      of: 'person',
      week: { opened: 4, merged: 3, reviews: 14, response: median(5.2, 12), first_review: median(9.4, 4) },
      before: { opened: 3, merged: 4, reviews: 11, response: median(6.8, 9), first_review: median(12.1, 3) },
    },
  },
  sync: { ...base, kind: 'sync', notices: [notices.tokenRejected(), notices.unsynced('brasswick/ledger')] },
  test: { ...base, kind: 'test', schedule: null, links: { ...base.links, unsubscribe: null } },
  'team-stuck': { ...base, ...team, kind: 'stuck', items: stuck, stuck_after: 24, left_out: 2 },
  'team-stuck-without-titles': { ...base, ...team, kind: 'stuck', items: stuck, stuck_after: 24, titles: false },
  'team-daily': {
    ...{ ...base, ...team, kind: 'daily', schedule: defaultOptions.channel.daily, period: '2026-11-23', items: stuck },
    sections: [
      { key: 'review', total: 2, items: stuck.slice(0, 2) },
      { key: 'merge', total: 1, items: stuck.slice(2) },
    ],
  },
  'team-weekly': {
    ...{ ...base, ...team, kind: 'weekly', schedule: defaultOptions.channel.weekly, period: '2026-W47', items: stuck },
    sections: [{ key: 'longest', total: 3, items: stuck }],
    figures: {
      ...{ of: 'channel', open: 31, stuck: { author: 3, reviewers: 8, merge: 2 } },
      week: { merged: 18, opened: 22, first_review: median(6.1, 19), merge: median(41, 18), by_agents: 0.23 },
      before: { merged: 15, opened: 17, first_review: median(9.7, 14), merge: median(52, 15), by_agents: null },
    },
  },
};
export const messagesAt = BASE;
