import type { Health, Signal } from '#contract/health.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { FOLLOWED_WITHIN_DAYS } from '#domain/metrics/thresholds.ts';
import { percentWords, shareWords } from '#domain/percent.ts';
import { periodDays } from '#domain/period.ts';
import {
  decidedAfterDays,
  ENOUGH_FOR_A_SIGNAL,
  type HealthSettings,
  type SignalKey,
  signalTraits,
} from '#domain/signals.ts';
import { readingOf } from '#domain/trends.ts';
import { type Choice, daysLater, daysWords, type WindowWords } from '../../filters/choice-of-figures.ts';
import { dayOf, formatCount, formatMean } from '../../time/moment.ts';
import type { HealthSearch } from './search.ts';

/** The four questions, and the signals that answer each; the order is fixed. */
export const questions: readonly { readonly title: string; readonly keys: readonly SignalKey[] }[] = [
  {
    title: 'Was it looked at?',
    keys: [
      'merged_unreviewed',
      'merged_unapproved',
      'merged_over_objection',
      'self_merged',
      'stamped',
      'approved_then_pushed',
    ],
  },
  { title: 'How did it go?', keys: ['review_depth', 'ping_pong', 'big', 'long_open', 'stale_approval', 'ci_wait'] },
  { title: 'Did it hold?', keys: ['reverted', 'followed_up'] },
];

/** The title of the fourth question, about people together. */
export const CARRIED = 'Who carries it?';

export const NOTHING_MERGED = 'Nothing was merged in this window.';
export const TOO_FEW = `Fewer than ${ENOUGH_FOR_A_SIGNAL}: too few to say.`;

/** Signals that are told of what is open at the end of the window. */
export const isAtEnd = (key: SignalKey) => signalTraits[key].isAtEnd === true;

/** Signals that too small pull requests are left out of. */
export const leavesOutTrivial = (key: SignalKey) => signalTraits[key].leavesOutTrivial === true;

/** Signals that are a share of n, and no measure. */
export const isShare = (key: SignalKey) => signalTraits[key].isMeasure !== true;

export const isFew = ({ n }: { readonly n: number }) => n < ENOUGH_FOR_A_SIGNAL;

/** A value of a signal in words: "4 %", "1.4", "18 min"; null is 'N/A'. */
export function valueText(key: SignalKey, value: number | null): string {
  if (value === null) return NOT_AVAILABLE;
  if (isShare(key)) return shareWords(value);
  return key === 'ci_wait' ? formatDuration(value) : key === 'concentration' ? formatCount(value) : formatMean(value);
}

/** How many of a share's n have the signal. */
const countOf = ({ value, n }: { readonly value: number | null; readonly n: number }) => Math.round((value ?? 0) * n);

/** What a value is over: "24 of 272", "239 PRs". */
export function nText(signal: Signal): string {
  if (signal.n === 0) return 'of 0';
  return isShare(signal.key) ? `${formatCount(countOf(signal))} of ${formatCount(signal.n)}` : counted(signal.n, 'PR');
}

/** The last full week beside its usual range, or why it is not read. */
export function readingText(signal: Signal): string {
  if (signal.n === 0) return NOT_AVAILABLE;
  return isFew(signal) ? TOO_FEW : readingOf(signal.series.at(-1) ?? null, signal.usual);
}

/** Whether nothing at all was merged in the window, not even what these signals leave out. Signals of an earlier time cannot say so. */
export function isNothingMerged(signals: readonly Signal[]): boolean {
  return signals.every(
    ({ key, n, left_out }) =>
      decidedAfterDays[key] === undefined && n === 0 && Object.values(left_out).every((count) => count === 0),
  );
}

/** Why there is no value, in place of its line. */
export function whyNothing(signal: Signal, settings: HealthSettings): string {
  const { key, message } = signal;
  if (message !== undefined) return `${message}.`;
  const leftOut = leftOutOf(signal, settings);
  if (leftOut.length > 0)
    return `Left out: ${leftOut.map(([why, count]) => `${why} (${formatCount(count)})`).join('; ')}.`;
  switch (key) {
    case 'approved_then_pushed':
      return 'Nothing with a standing approval was merged in this window.';
    case 'review_depth':
    case 'ping_pong':
      return 'Nothing that was reviewed was merged in this window.';
    case 'long_open':
      return 'Nothing but drafts was open at the end of the window.';
    case 'stale_approval':
      return 'Nothing approved was open at the end of the window.';
    case 'reverted':
    case 'followed_up':
      return 'Nothing was merged in the days that it is told of.';
    default:
      return NOTHING_MERGED;
  }
}

/** What a signal is, in plain words with the thresholds that hold, and the one number that stands beside it. */
export function clauseOf(signal: Signal, { sizes }: Health, settings: HealthSettings): string {
  const { stamped, ping_pong } = settings;
  switch (signal.key) {
    case 'merged_unreviewed': {
      const more = countOf(signal.merged_on_comment ?? signal);
      return `nobody else reviewed or commented; ${formatCount(more)} more had only a comment`;
    }
    case 'merged_unapproved':
      return 'no approval stood at the merge';
    case 'merged_over_objection':
      return 'a request for changes stood at the merge';
    case 'self_merged':
      return 'merging one’s own approved pull request is not counted';
    case 'stamped':
      return `approved with at most ${counted(stamped.words, 'word')} and no finding, within ${counted(stamped.minutes, 'minute')} or ${counted(stamped.lines_per_minute, 'line')} a minute`;
    case 'approved_then_pushed': {
      const forced = countOf(signal.by_force ?? signal);
      return `commits after the last approval that nobody reviewed; ${formatCount(forced)} more by force push`;
    }
    case 'review_depth':
      return signal.none == null
        ? 'threads at lines that other people opened'
        : `threads at lines that other people opened; ${percentWords(signal.none)} % of pull requests had none`;
    case 'ping_pong':
      return `${counted(ping_pong.rounds, 'review round')} or more, or handed back ${counted(ping_pong.turns, 'time')} in a day`;
    case 'big': {
      const [over, under] = [`>${settings.big}`, `<=${settings.big}`].map((size) =>
        sizes.find((row) => row.size === size),
      );
      const limit = `over ${counted(settings.big, 'line')}`;
      if (over?.time_to_merge == null || under?.time_to_merge == null) return limit;
      return `${limit}; they take ${formatDuration(over.time_to_merge)} to merge, the others ${formatDuration(under.time_to_merge)}`;
    }
    case 'long_open':
      return `open for more than ${counted(settings.long_open_days, 'day')} at the end of the window`;
    case 'stale_approval':
      return `approved for more than ${counted(settings.stale_approval_days, 'day')} and still open`;
    case 'ci_wait':
      return signal.p90 == null
        ? 'from the last push until the last check ended'
        : `from the last push until the last check ended; one in ten takes ${formatDuration(signal.p90)} or more`;
    case 'reverted': {
      const median = signal.time_to_revert?.median;
      return median == null
        ? 'another pull request took it back'
        : `reverts of this window came after ${formatDuration(median)} (median)`;
    }
    case 'followed_up':
      return `a small fix to the same files within ${counted(FOLLOWED_WITHIN_DAYS, 'day')}`;
    case 'concentration':
      return 'the fewest people who gave half of the reviews';
  }
}

/** When the pull requests of a signal were merged, where that is earlier than the window: "merged 30 to 120 days ago"; else null. */
export function movedWords(key: SignalKey, { period, from, to }: Choice, now: number, timeZone: string): string | null {
  const after = decidedAfterDays[key];
  if (after === undefined) return null;
  if (from === undefined || to === undefined)
    return `merged ${after} to ${formatCount(after + periodDays(period ?? '90d'))} days ago`;
  const tomorrow = daysLater(dayOf(now, timeZone), 1);
  const end = to < tomorrow ? to : tomorrow;
  return `merged ${daysWords(daysLater(from, -after), daysLater(end, -after), now, timeZone).alone}`;
}

/** Which pull requests the list of a signal holds, by when: of the same time as its row. */
export function listedWords(
  key: SignalKey,
  choice: Choice,
  { caption }: WindowWords,
  now: number,
  timeZone: string,
): string {
  if (isAtEnd(key)) return 'open at the end of the window';
  return `${movedWords(key, choice, now, timeZone) ?? caption}, latest first`;
}

/** So many areas are shown at first. */
const AREAS_AT_FIRST = 8;

/** The most reviewed areas, and whatever else is at risk, in their order. */
export function areasAtFirst(areas: Health['areas']): Health['areas'] {
  return areas.filter(({ at_risk }, at) => at < AREAS_AT_FIRST || at_risk);
}

const authors = {
  human: 'by people alone',
  assisted: 'by people with an AI tool',
  agent: 'by agents',
} as const;

/** Which pull requests are counted: "over pull requests by people that were merged in the last 90 days into the default branch". */
export function populationWords({ authorship, allBases }: HealthSearch, { during }: WindowWords): string {
  const by = authorship === undefined ? 'by people' : authors[authorship];
  return `over pull requests ${by} that were merged ${during} into ${allBases ? 'any branch' : 'the default branch'}`;
}

/** Numbers that stand beside a signal, as pairs. */
export function besideOf(signal: Signal): readonly (readonly [label: string, value: string])[] {
  const { key, merged_on_comment, by_force, p50, p90, none, time_to_revert, ci_share, reruns } = signal;
  switch (key) {
    case 'merged_unreviewed':
      return [['With a comment alone, no review', `${countOf(merged_on_comment ?? signal)}`]];
    case 'approved_then_pushed':
      return [['By force push, counted apart', `${countOf(by_force ?? signal)}`]];
    case 'review_depth':
      return [
        ['Median', p50 == null ? NOT_AVAILABLE : formatMean(p50)],
        ['90th percentile', p90 == null ? NOT_AVAILABLE : formatMean(p90)],
        ['Without a finding', shareWords(none ?? null)],
      ];
    case 'reverted':
      return time_to_revert === undefined || time_to_revert.n === 0
        ? []
        : [
            ['Pull requests reverted in the window', formatCount(time_to_revert.n)],
            ['From merge to revert, median', formatDuration(time_to_revert.median)],
            ['90th percentile', formatDuration(time_to_revert.p90)],
          ];
    case 'ci_wait':
      return [
        ['90th percentile', formatDuration(p90 ?? null)],
        ['Part of the waiting that checks ran', shareWords(ci_share ?? null)],
        [
          'Workflow runs that were run again',
          reruns?.rerun_share == null
            ? NOT_AVAILABLE
            : `${percentWords(reruns.rerun_share)} % of ${formatCount(reruns.runs)}`,
        ],
        ['From a failure to its success, median', formatDuration(reruns?.rerun_wait?.median ?? null)],
      ];
    default:
      return [];
  }
}

/** What is left out of a signal and why, as far as there is any. */
export function leftOutOf({ left_out }: Signal, { trivial }: HealthSettings): readonly (readonly [string, number])[] {
  const all = [
    [`too small, below ${counted(trivial.lines, 'line')} in ${counted(trivial.files, 'file')}`, left_out.trivial],
    ['marked “Not so”', left_out.dismissed],
    ['not known', left_out.unknown],
    ['may still come', left_out.undecided],
  ] as const;
  return all.filter(([, count]) => count > 0);
}
