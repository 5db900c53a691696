import type { WaitingOn, WaitingReason } from '#domain/whose-turn.ts';

/** The invented figures of the public page. They agree with each other and belong to nobody. */

export interface SampleFigure {
  readonly label: string;
  readonly figure: string;
  readonly unit: string;
  readonly percent: number | null;
  readonly better: 'up' | 'down' | null;
  readonly before: string;
  readonly days: readonly number[];
}

export const sampleFigures: readonly SampleFigure[] = [
  {
    label: 'Time to first review',
    figure: '7.8',
    unit: 'h',
    percent: -18,
    better: 'down',
    before: 'from 9.5 h',
    days: [9.9, 9.4, 10.4, 9.2, 9.5, 10, 8.9, 9.2, 8.4, 8.8, 8.6, 9, 8.3, 8.5, 8, 8.3, 7.9, 8.2, 7.8],
  },
  {
    label: 'Time to merge',
    figure: '41.6',
    unit: 'h',
    percent: 6,
    better: 'down',
    before: 'from 39.2 h',
    days: [36, 38, 35, 39, 37, 40, 38, 41, 38, 42, 40, 41, 39, 43, 41, 44, 40, 43, 41.6],
  },
  {
    label: 'Merged',
    figure: '132',
    unit: 'PRs',
    percent: 11,
    better: 'up',
    before: 'from 119',
    days: [4, 6, 5, 7, 3, 6, 4, 7, 5, 6, 4, 8, 6, 7, 5, 8, 6, 7, 8],
  },
  {
    label: 'Merge rate',
    figure: '94',
    unit: '%',
    percent: 0,
    better: 'up',
    before: '132 of 141 ended',
    days: [90, 92, 96, 94, 91, 90, 94, 96, 98, 94, 93, 96, 94, 93, 96, 97, 94, 94, 94],
  },
  {
    label: 'Open now',
    figure: '37',
    unit: 'PRs',
    percent: 12,
    better: null,
    before: 'from 33 a month ago',
    days: [30, 29, 32, 34, 33, 31, 33, 35, 32, 33, 34, 33, 36, 35, 34, 36, 38, 37, 37],
  },
];

export const sampleMinor: readonly {
  readonly label: string;
  readonly value: string;
  readonly percent: number | null;
}[] = [
  { label: 'PRs opened', value: '148', percent: 4 },
  { label: 'Reviews', value: '418', percent: 9 },
  { label: 'Average size', value: '186 lines', percent: -11 },
  { label: 'Contributors', value: '16', percent: null },
  { label: 'Active today', value: '21 PRs', percent: null },
];

export interface SamplePullRequest {
  readonly title: string;
  readonly reference: string;
  readonly author: string;
  readonly kind: 'human' | 'bot';
  readonly lines: number;
  readonly on: WaitingOn;
  readonly reason: WaitingReason;
  /** Days. */
  readonly open: number;
  readonly waiting: number;
}

export const samplePullRequests: readonly SamplePullRequest[] = [
  {
    title: 'Replace the rate table cache with a versioned snapshot',
    reference: 'ledger #2361',
    author: 'devi-r',
    kind: 'human',
    lines: 1284,
    on: 'reviewers',
    reason: 'never_reviewed',
    open: 13.4,
    waiting: 9.1,
  },
  {
    title: 'Courier app: retry uploads after the device wakes up',
    reference: 'courier #918',
    author: 'tobin-a',
    kind: 'human',
    lines: 342,
    on: 'author',
    reason: 'changes_requested',
    open: 11,
    waiting: 6.3,
  },
  {
    title: 'Split the checkout form into three steps',
    reference: 'storefront #4127',
    author: 'carys-d',
    kind: 'human',
    lines: 716,
    on: 'reviewers',
    reason: 'updated_after_review',
    open: 8.7,
    waiting: 4,
  },
  {
    title: 'Bump the date library to 5.2 and drop the shim',
    reference: 'storefront #4133',
    author: 'deps-bot',
    kind: 'bot',
    lines: 96,
    on: 'reviewers',
    reason: 'never_reviewed',
    open: 7.9,
    waiting: 7.9,
  },
  {
    title: 'Ledger export: stream rows instead of buffering',
    reference: 'ledger #2398',
    author: 'emre-s',
    kind: 'human',
    lines: 228,
    on: 'merge',
    reason: 'approved',
    open: 6.2,
    waiting: 2.8,
  },
];
