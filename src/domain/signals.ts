import { FOLLOWED_WITHIN_DAYS, REVERTED_WITHIN_DAYS } from './metrics/thresholds.ts';

/** Signals of the review practice, in the order in which they are told (docs/metrics.md#signals). */
export const signalKeys = [
  'merged_unreviewed',
  'merged_unapproved',
  'merged_over_objection',
  'self_merged',
  'stamped',
  'approved_then_pushed',
  'review_depth',
  'ping_pong',
  'big',
  'long_open',
  'stale_approval',
  'reverted',
  'followed_up',
  'ci_wait',
  'concentration',
] as const;
export type SignalKey = (typeof signalKeys)[number];

/** Those that one pull request has or has not: what the deep dive shows, and what somebody can say is not so. */
export const ownSignalKeys = [
  'merged_unreviewed',
  'merged_unapproved',
  'merged_over_objection',
  'self_merged',
  'stamped',
  'approved_then_pushed',
  'ping_pong',
  'big',
  'long_open',
  'stale_approval',
  'reverted',
  'followed_up',
] as const satisfies readonly SignalKey[];
export type OwnSignalKey = (typeof ownSignalKeys)[number];

/** How signals are told, beside their rules. */
export const signalTraits: Readonly<
  Record<
    SignalKey,
    {
      /** It is a measure; else a share of its n. */
      readonly isMeasure?: true;
      /** It is told of what is open at the end of the window; else of what was merged in it. */
      readonly isAtEnd?: true;
      /** What is too small to be reviewed is left out. */
      readonly leavesOutTrivial?: true;
    }
  >
> = {
  merged_unreviewed: { leavesOutTrivial: true },
  merged_unapproved: { leavesOutTrivial: true },
  merged_over_objection: { leavesOutTrivial: true },
  self_merged: { leavesOutTrivial: true },
  stamped: { leavesOutTrivial: true },
  approved_then_pushed: {},
  review_depth: { isMeasure: true },
  ping_pong: {},
  big: {},
  long_open: { isAtEnd: true },
  stale_approval: { isAtEnd: true },
  reverted: {},
  followed_up: {},
  ci_wait: { isMeasure: true },
  concentration: { isMeasure: true },
};

/** What is counted for the signals, over pull requests or reviews: one for each, and what stands beside some. */
export type SignalMetric = SignalKey | 'merged_on_comment' | 'pushed_by_force' | 'without_findings';

/** The thresholds of signals, which administrators set for everyone (docs/metrics.md#signals). */
export interface HealthSettings {
  /** Fewer lines than `lines` in at most so many files: too little to be reviewed. */
  readonly trivial: { readonly lines: number; readonly files: number };
  /** Approved with at most so many words, within the minutes or as fast as nobody reads. */
  readonly stamped: { readonly words: number; readonly minutes: number; readonly lines_per_minute: number };
  /** So many review rounds, or so many turns within 24 hours. */
  readonly ping_pong: { readonly rounds: number; readonly turns: number };
  /** More lines than these. */
  readonly big: number;
  readonly long_open_days: number;
  readonly stale_approval_days: number;
  /** Files that nobody writes, as in .gitattributes: a pattern without a slash is that of a name anywhere. */
  readonly generated: readonly string[];
}

export const defaultHealthSettings: HealthSettings = {
  trivial: { lines: 10, files: 1 },
  stamped: { words: 2, minutes: 5, lines_per_minute: 30 },
  ping_pong: { rounds: 4, turns: 3 },
  big: 400,
  long_open_days: 14,
  stale_approval_days: 3,
  generated: [
    '*.lock',
    '*-lock.json',
    '*-lock.yaml',
    'npm-shrinkwrap.json',
    'go.sum',
    '*.lockfile',
    '*.snap',
    '*.min.*',
    'vendor/**',
    '**/generated/**',
  ],
};

/** Days after the merge within which a pull request may still get a signal; of all others it is known at once. */
export const decidedAfterDays: Readonly<Partial<Record<string, number>>> = {
  reverted: REVERTED_WITHIN_DAYS,
  followed_up: FOLLOWED_WITHIN_DAYS,
} satisfies Partial<Record<SignalKey, number>>;

/** With fewer things than these a signal says too little to be read. */
export const ENOUGH_FOR_A_SIGNAL = 10;
