import { defaultHealthSettings } from '#domain/signals.ts';
import { toolsOf, whoWrote } from './ai-accounts.ts';
import { startedBy } from './ai-credit.ts';
import { mondayOf, sizeOf, sizes, weeksOf } from './ai-reviewers.ts';
import { dateOf, meanOf, percentileOf } from './arithmetic.ts';
import type { TwinTime } from './health.ts';
import {
  humanFindings,
  independentReviews,
  isFailing,
  isMergedOfAgent,
  isOnOwnWord,
  isTried,
  shareByAgents,
} from './outcomes.ts';
import { DAY, HOUR, type TwinPull } from './pull-request.ts';
import { signalsOf, type TwinSignal } from './signals.ts';

/*
 * How the pull requests of agents fare beside people's (docs/metrics.md#agents-pull-requests-beside-peoples), one after the other.
 */

export interface AskedOfAuthorship {
  /** Of all that is asked about. */
  readonly pulls: readonly TwinPull[];
  /** Of everything in these repositories, for what names another pull request. */
  readonly all: readonly TwinPull[];
  readonly window: TwinTime;
  readonly now: number;
  readonly zone: string;
  readonly by: 'group' | 'tool';
  readonly bots: boolean;
}

const isIn = ({ from, to }: TwinTime, at: number | null) => at !== null && at >= from && at < to;
const isMerged = ({ pull }: TwinPull) => pull.state === 'merged';
const earlier = ({ from, to }: TwinTime, days: number): TwinTime => ({ from: from - days * DAY, to: to - days * DAY });

function spread(values: readonly (number | null)[]) {
  const known = values.filter((value) => value !== null);
  return {
    ...{ value: meanOf(known), n: known.length },
    p50: percentileOf(known, 0.5),
    p75: percentileOf(known, 0.75),
    p90: percentileOf(known, 0.9),
  };
}
function share(values: readonly boolean[]) {
  return { value: meanOf(values.map(Number)), n: values.length };
}
const partOf = (part: number, whole: number) => ({ value: whole === 0 ? null : part / whole, n: whole });

/** The signals that are told here, of whatever branch. */
type Signals = Readonly<Record<'merged_unreviewed' | 'reverted' | 'followed_up', TwinSignal>>;

function signalShare(signals: Signals, key: keyof Signals, pulls: readonly TwinPull[], time: TwinTime) {
  const those = new Set(pulls);
  return share(
    signals[key].things.filter(({ on, at }) => those.has(on) && isIn(time, at)).map(({ value }) => value === 1),
  );
}

function figuresOf(
  key: string,
  pulls: readonly TwinPull[],
  whole: readonly TwinPull[],
  signals: Signals,
  window: TwinTime,
) {
  const opened = (some: readonly TwinPull[]) => some.filter(({ createdAt }) => isIn(window, createdAt));
  const merged = (some: readonly TwinPull[]) => some.filter((on) => isMerged(on) && isIn(window, on.endedAt));
  const [its, all] = [opened(pulls), opened(whole)];
  const [done, allDone] = [merged(pulls), merged(whole)];
  const ended = pulls.filter(({ endedAt }) => isIn(window, endedAt));
  const byAgents = done.filter(isMergedOfAgent);
  const commits = its.flatMap((on) => shareByAgents(on) ?? []);
  return {
    key,
    n_opened: its.length,
    n_merged: done.length,
    tried: ended.filter(isTried).length,
    figures: {
      share_opened: partOf(its.length, all.length),
      lines_changed: spread(its.map(({ size }) => size)),
      changed_files: spread(its.map(({ pull }) => pull.changedFiles)),
      commits_by_agent: { value: percentileOf(commits, 0.5), n: commits.length },
      time_to_first_review: spread(
        pulls
          .filter(({ firstReviewAt }) => isIn(window, firstReviewAt))
          .map(({ firstReviewHours }) => firstReviewHours),
      ),
      share_merged: partOf(done.length, allDone.length),
      time_to_merge: spread(done.map(({ mergeHours }) => mergeHours)),
      merged_unreviewed: signalShare(signals, 'merged_unreviewed', pulls, window),
      merged_on_own_word: share(byAgents.map(isOnOwnWord)),
      independent_reviews: withMean(byAgents.map(independentReviews)),
      reverted: signalShare(signals, 'reverted', pulls, earlier(window, 30)),
      followed_up: signalShare(signals, 'followed_up', pulls, earlier(window, 7)),
      merge_rate: share(ended.map(isMerged)),
      waiting_for_review_time: spread(ended.map(({ phases }) => phases.waiting / HOUR)),
      review_cycles: withMean(ended.filter(({ counting }) => counting.length > 0).map(({ rounds }) => rounds)),
      human_findings: withMean(ended.map(humanFindings)),
      failing_at_last_push: share(ended.flatMap((on) => isFailing(on) ?? [])),
    },
  };
}
const withMean = (values: readonly number[]) => ({ value: meanOf(values), n: values.length });

/** What is told of who writes pull requests. */
export function authorshipOf(asked: AskedOfAuthorship) {
  const { pulls, all, window, now, zone, by, bots } = asked;
  const wrote = new Map(pulls.map((on) => [on, whoWrote(on.pull)]));
  const kinds = ['human', 'assisted', 'agent', ...(bots ? ['bot'] : [])];
  const whole = pulls.filter((on) => kinds.includes(wrote.get(on)!));
  const signals = signalsOf(all, {
    settings: defaultHealthSettings,
    authorship: ['human', 'assisted', 'agent', 'bot'],
    withBots: true,
    allBases: true,
    bases: [],
    moment: now,
  });

  const tools = new Map(whole.map((on) => [on, toolsOf(on.pull)]));
  const isOf = (key: string) => (on: TwinPull) => {
    if (by === 'group') return wrote.get(on) === key;
    const its = tools.get(on)!;
    return key === 'none' ? its.length === 0 : its.includes(key);
  };
  const keys = by === 'group' ? kinds : toolKeys(whole, tools, window);
  const groupsOf = (some: readonly TwinPull[]) =>
    keys.map((key) => figuresOf(key, some.filter(isOf(key)), some, signals, window));
  const ofAgents = pulls.filter((on) => wrote.get(on) === 'agent' && isIn(window, on.createdAt));
  const rules = { session: 0, trailer: 0, line: 0, assignee: 0, asked: 0, issue: 0, corrected: 0 };
  for (const on of ofAgents) {
    const rule = startedBy(on).by as keyof typeof rules | null;
    if (rule !== null) rules[rule] += 1;
  }
  return {
    groups: groupsOf(whole),
    series: weeksOf(window, zone).flatMap((week) =>
      keys.map((group) => ({
        week: mondayOf(dateOf(zone, week.from)),
        group,
        opened: whole.filter((on) => isOf(group)(on) && isIn(week, on.createdAt)).length,
        merged: whole.filter((on) => isOf(group)(on) && isMerged(on) && isIn(week, on.endedAt)).length,
      })),
    ),
    within_sizes: sizes.map((size) => ({ size, groups: groupsOf(whole.filter((on) => sizeOf(on) === size)) })),
    bots_with_trace: pulls.filter(
      (on) => wrote.get(on) === 'bot' && toolsOf(on.pull).length > 0 && isIn(window, on.createdAt),
    ).length,
    credited: { n: Object.values(rules).reduce((sum, count) => sum + count, 0), of: ofAgents.length, by: rules },
  };
}

/** The tools of what was opened, first reviewed or ended then, the most opened first; then what has none. */
function toolKeys(
  whole: readonly TwinPull[],
  tools: ReadonlyMap<TwinPull, readonly string[]>,
  window: TwinTime,
): string[] {
  const opened = new Map<string, number>();
  for (const on of whole)
    for (const tool of tools.get(on)!)
      if ([on.createdAt, on.firstReviewAt, on.endedAt].some((at) => isIn(window, at)))
        opened.set(tool, (opened.get(tool) ?? 0) + (isIn(window, on.createdAt) ? 1 : 0));
  const sorted = [...opened].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).map(([tool]) => tool);
  return [...sorted, 'none'];
}
