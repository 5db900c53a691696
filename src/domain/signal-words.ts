import { counted } from './counted.ts';
import { FOLLOWED_WITHIN_DAYS, REVERTED_WITHIN_DAYS } from './metrics/thresholds.ts';
import type { HealthSettings, SignalKey } from './signals.ts';

/** What a signal is called over many pull requests. */
export const signalNames: Readonly<Record<SignalKey, string>> = {
  merged_unreviewed: 'Merged without review',
  merged_unapproved: 'Merged without approval',
  merged_over_objection: 'Merged over an objection',
  self_merged: 'Merged by the author, unapproved',
  stamped: 'Likely stamped',
  approved_then_pushed: 'Pushed after approval',
  review_depth: 'Findings for each pull request',
  ping_pong: 'Back and forth',
  big: 'Big pull requests',
  long_open: 'Open for long',
  stale_approval: 'Approved and waiting',
  reverted: `Reverted within ${REVERTED_WITHIN_DAYS} days`,
  followed_up: 'Likely followed up',
  ci_wait: 'Waiting for checks',
  concentration: 'People who give half of the reviews',
};

/** A signal in words (docs/metrics.md#signals). */
export interface SignalRule {
  /** When a pull request has it, or what it measures: one sentence. */
  readonly rule: string;
  /** When it says nothing, to follow "Wrong where". */
  readonly wrongWhere: string;
}

/** The rule of a signal with the thresholds that hold. */
export function signalRuleOf(key: SignalKey, settings: HealthSettings): SignalRule {
  const { stamped, ping_pong } = settings;
  switch (key) {
    case 'merged_unreviewed':
      return {
        rule: 'Merged without a review that counts, and without a comment by another person before the merge.',
        wrongWhere: 'it was reviewed in pairs or in a chat.',
      };
    case 'merged_unapproved':
      return {
        rule: 'Merged while no approval stood.',
        wrongWhere: 'the project does not use approvals.',
      };
    case 'merged_over_objection':
      return {
        rule: 'Merged while a request for changes stood.',
        wrongWhere: 'it was settled elsewhere.',
      };
    case 'self_merged':
      return {
        rule: 'Merged by whoever wrote or started it, while no approval stood.',
        wrongWhere: 'one person maintains it alone.',
      };
    case 'stamped':
      return {
        rule: `Approved with at most ${counted(stamped.words, 'word')} by anybody, no comment at a line, and within ${counted(stamped.minutes, 'minute')} or a minute for each ${counted(stamped.lines_per_minute, 'line')} of being asked.`,
        wrongWhere: 'the change is small and careful, or was made in pairs.',
      };
    case 'approved_then_pushed':
      return {
        rule: 'Commits came after the last approval that stood at the merge, merges of the base branch aside, and nobody reviewed them.',
        wrongWhere: 'the author rebased.',
      };
    case 'review_depth':
      return {
        rule: 'The mean number of findings, threads at lines that other people opened, of what was reviewed.',
        wrongWhere: 'good code draws few.',
      };
    case 'ping_pong':
      return {
        rule: `${counted(ping_pong.rounds, 'review round')} or more, or handed back by the author ${counted(ping_pong.turns, 'time')} within 24 hours.`,
        wrongWhere: 'it teaches, or the design is large.',
      };
    case 'big':
      return {
        rule: `More than ${counted(settings.big, 'changed line')}, those in generated files aside.`,
        wrongWhere: 'code was moved.',
      };
    case 'long_open':
      return {
        rule: `Open for more than ${counted(settings.long_open_days, 'day')}, and no draft.`,
        wrongWhere: 'it is parked on purpose.',
      };
    case 'stale_approval':
      return {
        rule: `Approved for more than ${counted(settings.stale_approval_days, 'day')} and not merged.`,
        wrongWhere: 'a release is frozen.',
      };
    case 'reverted':
      return {
        rule: `Reverted by a pull request that was merged within ${counted(REVERTED_WITHIN_DAYS, 'day')}, and not reapplied soon.`,
        wrongWhere: 'it is a planned roll-back.',
      };
    case 'followed_up':
      return {
        rule: `Within ${counted(FOLLOWED_WITHIN_DAYS, 'day')} the same person or a reviewer merged a small fix in at least half of its files.`,
        wrongWhere: 'it is a series of small steps.',
      };
    case 'ci_wait':
      return {
        rule: 'The time from the last push until the last check of it was done.',
        wrongWhere: 'checks are run again later.',
      };
    case 'concentration':
      return {
        rule: 'The fewest people who gave at least half of the reviews.',
        wrongWhere: 'few people work on it.',
      };
  }
}

/** While lines are counted again after the patterns of generated files were changed. */
export const COUNTING_LINES =
  'Lines are being counted again without the generated files. Until then shares hold some that were counted before.';
