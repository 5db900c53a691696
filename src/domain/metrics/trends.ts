import { signalNames } from '../signal-words.ts';
import type { SignalKey } from '../signals.ts';
import type { Unit } from './metric.ts';
import { STUCK_AFTER_HOURS } from './thresholds.ts';

/** A figure over time in words. */
export interface TrendWords {
  readonly name: string;
  /** One sentence, whichever way its values are told. */
  readonly definition: string;
  readonly unit: Extract<Unit, 'hours' | 'lines' | 'share' | 'count'>;
  /** By which moment a thing counts. */
  readonly moment: string;
}

/** Those that are told of agents' pull requests beside people's, too. */
export const sharedTrendWords = {
  merge_rate: {
    name: 'Merge rate',
    definition: 'Of the pull requests that ended in this time, the share that was merged.',
    unit: 'share',
    moment: 'merged or closed',
  },
  time_to_merge: {
    name: 'Time to merge',
    definition: 'The time from opening to merge, of the pull requests merged in this time.',
    unit: 'hours',
    moment: 'merged',
  },
  time_to_first_review: {
    name: 'Time to first review',
    definition:
      'The time from “ready for review” to the first review by a person other than the author, where that came in this time.',
    unit: 'hours',
    moment: 'first reviewed',
  },
  size: {
    name: 'Pull request size',
    definition: 'The changed lines of the pull requests opened in this time.',
    unit: 'lines',
    moment: 'opened',
  },
} as const satisfies Record<string, TrendWords>;

/** The figures of the dashboard over time (docs/metrics.md#trends); each is the metric of the same key. */
export const trendWords = {
  opened: {
    name: 'Pull requests opened',
    definition: 'The pull requests opened in this time.',
    unit: 'count',
    moment: 'opened',
  },
  merged: {
    name: 'Pull requests merged',
    definition: 'The pull requests merged in this time.',
    unit: 'count',
    moment: 'merged',
  },
  closed: {
    name: 'Closed without merging',
    definition: 'The pull requests closed in this time without being merged.',
    unit: 'count',
    moment: 'closed',
  },
  merge_rate: sharedTrendWords.merge_rate,
  time_to_merge: sharedTrendWords.time_to_merge,
  time_to_first_review: sharedTrendWords.time_to_first_review,
  reviews: {
    name: 'Reviews',
    definition: 'The reviews given in this time by people other than the author.',
    unit: 'count',
    moment: 'submitted',
  },
  response_time: {
    name: 'Response time of reviews',
    definition: 'The time from what asked for a review to the review, of those given in this time.',
    unit: 'hours',
    moment: 'submitted',
  },
  size: sharedTrendWords.size,
  rounds: {
    name: 'Review cycles',
    definition: 'How often the pull requests merged in this time went through a review, of those that had one.',
    unit: 'count',
    moment: 'merged',
  },
  from_outside: {
    name: 'Reviews from outside the team',
    definition:
      'Of the reviews given in this time on the team’s pull requests, the share by people who were no members at that moment.',
    unit: 'share',
    moment: 'submitted',
  },
  to_outside: {
    name: 'Reviews outside the team',
    definition:
      'Of members’ reviews given in this time on people’s pull requests, the share on pull requests that are not the team’s.',
    unit: 'share',
    moment: 'submitted',
  },
  open: {
    name: 'Open pull requests',
    definition: 'The pull requests that were open when this time ended, drafts too.',
    unit: 'count',
    moment: 'end of each bucket',
  },
  stuck: {
    name: 'Stuck pull requests',
    definition: `The pull requests that had been open for more than ${STUCK_AFTER_HOURS} hours when this time ended.`,
    unit: 'count',
    moment: 'end of each bucket',
  },
} as const satisfies Record<string, TrendWords>;

/** The signals over time; what each is says its rule, with the thresholds that hold (`signalRuleOf`). */
export const signalTrendWords: Readonly<Record<SignalKey, Omit<TrendWords, 'definition'>>> = {
  merged_unreviewed: { name: signalNames.merged_unreviewed, unit: 'share', moment: 'merged' },
  merged_unapproved: { name: signalNames.merged_unapproved, unit: 'share', moment: 'merged' },
  merged_over_objection: { name: signalNames.merged_over_objection, unit: 'share', moment: 'merged' },
  self_merged: { name: signalNames.self_merged, unit: 'share', moment: 'merged' },
  stamped: { name: signalNames.stamped, unit: 'share', moment: 'merged' },
  approved_then_pushed: { name: signalNames.approved_then_pushed, unit: 'share', moment: 'merged' },
  review_depth: { name: signalNames.review_depth, unit: 'count', moment: 'merged' },
  ping_pong: { name: signalNames.ping_pong, unit: 'share', moment: 'merged' },
  big: { name: signalNames.big, unit: 'share', moment: 'merged' },
  long_open: { name: signalNames.long_open, unit: 'share', moment: 'end of each bucket' },
  stale_approval: { name: signalNames.stale_approval, unit: 'share', moment: 'end of each bucket' },
  reverted: { name: signalNames.reverted, unit: 'share', moment: 'merged' },
  followed_up: { name: signalNames.followed_up, unit: 'share', moment: 'merged' },
  ci_wait: { name: signalNames.ci_wait, unit: 'hours', moment: 'merged' },
  concentration: { name: signalNames.concentration, unit: 'count', moment: 'submitted' },
};
