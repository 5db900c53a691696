import { counted } from './counted.ts';
import { FOLLOWED_WITHIN_DAYS, REVERTED_WITHIN_DAYS } from './metrics/thresholds.ts';
import { signalNames } from './signal-words.ts';
import type { HealthSettings, OwnSignalKey } from './signals.ts';

/** What is told of one pull request beside the rule that it meets; null where it was not merged, or nothing is known. */
export interface SignalNumbers {
  readonly lines_counted: number | null;
  readonly review_cycles: number;
  readonly standing_requests: number | null;
  readonly approval_lag_minutes: number | null;
  readonly commits_after_approval: number | null;
  readonly forced_after_approval: boolean | null;
  readonly turns_in_a_day: number | null;
  /** Whole days that it is open, and approved. */
  readonly open_days: number | null;
  readonly approved_days: number | null;
  /** The first that reverts it, and the first that follows it up. */
  readonly reverted_by: number | null;
  readonly followed_up_by: number | null;
}

/** A signal of a pull request in a few words, with the number that matters: "pushed after approval (2 commits)". */
export function labelOf(key: OwnSignalKey, of: SignalNumbers): string {
  switch (key) {
    case 'approved_then_pushed':
      return `pushed after approval (${counted(of.commits_after_approval ?? 0, 'commit')})`;
    case 'ping_pong':
      return `back and forth (${counted(of.review_cycles, 'review round')})`;
    case 'big':
      return `big (${counted(of.lines_counted ?? 0, 'line')})`;
    case 'long_open':
      return `open for ${counted(of.open_days ?? 0, 'day')}`;
    case 'stale_approval':
      return `approved for ${counted(of.approved_days ?? 0, 'day')}`;
    case 'reverted':
      return `reverted by #${of.reverted_by}`;
    case 'followed_up':
      return `likely followed up by #${of.followed_up_by}`;
    default:
      return signalNames[key].replace(/^./, (first) => first.toLowerCase());
  }
}

/** The rule of a signal as a pull request meets it, in a sentence (docs/metrics.md#signals). */
export function whyOf(key: OwnSignalKey, of: SignalNumbers, settings: HealthSettings): string {
  const lines = counted(of.lines_counted ?? 0, 'line');
  switch (key) {
    case 'merged_unreviewed':
      return 'Merged without a review or a comment by another person.';
    case 'merged_unapproved':
      return 'Merged while no approval stood.';
    case 'merged_over_objection':
      return `Merged while ${counted(of.standing_requests ?? 0, 'request')} for changes stood.`;
    case 'self_merged':
      return 'Merged by whoever wrote or started it, while no approval stood.';
    case 'stamped':
      return `Likely a stamp: approved in ${minutesOf(of.approval_lag_minutes)} for ${lines}, with at most ${counted(settings.stamped.words, 'word')} said.`;
    case 'approved_then_pushed':
      return pushedAfter(of);
    case 'ping_pong':
      return `${counted(of.review_cycles, 'review round')}, and up to ${counted(of.turns_in_a_day ?? 0, 'turn')} of the author within 24 hours.`;
    case 'big':
      return `${lines}, more than ${settings.big.toLocaleString('en')}; generated files aside.`;
    case 'long_open':
      return `Open for ${daysOver(of.open_days, settings.long_open_days)}.`;
    case 'stale_approval':
      return `Approved and not merged for ${daysOver(of.approved_days, settings.stale_approval_days)}.`;
    case 'reverted':
      return `Reverted by #${of.reverted_by} within ${counted(REVERTED_WITHIN_DAYS, 'day')}.`;
    case 'followed_up':
      return `Likely set right by #${of.followed_up_by} within ${counted(FOLLOWED_WITHIN_DAYS, 'day')}.`;
  }
}

function pushedAfter({ commits_after_approval, forced_after_approval }: SignalNumbers): string {
  const commits = `Pushed after the last approval: ${counted(commits_after_approval ?? 0, 'commit')} that nobody reviewed.`;
  return forced_after_approval === true ? `${commits} A force push was among them.` : commits;
}

/** How long, where that is over a limit in days: cut to whole days it can be as long as the limit. */
function daysOver(days: number | null, limit: number): string {
  if (days === null || days <= limit) return `more than ${counted(limit, 'day')}`;
  return `${counted(days, 'day')}, more than ${limit}`;
}

function minutesOf(minutes: number | null): string {
  if (minutes === null || minutes < 1) return 'less than a minute';
  return minutes < 120 ? counted(Math.round(minutes), 'minute') : counted(Math.round(minutes / 60), 'hour');
}
