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
const partOf = (part: number, whole: number) => ({ value: whole === 0 ? null : part / whole, n: whole });

/** The signals that are told here, of whatever branch. */
type Signals = Readonly<Record<'merged_unreviewed' | 'reverted' | 'followed_up', TwinSignal>>;

/** A pull request behind a figure, with what it contributes; null where it is only counted. */
export interface TwinThing {
  readonly on: TwinPull;
  readonly value: number | null;
}

/** The pull requests behind each figure of a group. */
function thingsOf(pulls: readonly TwinPull[], signals: Signals, window: TwinTime) {
  const opened = pulls.filter(({ createdAt }) => isIn(window, createdAt));
  const done = pulls.filter((on) => isMerged(on) && isIn(window, on.endedAt));
  const ended = pulls.filter(({ endedAt }) => isIn(window, endedAt));
  const byAgents = done.filter(isMergedOfAgent);
  const counted = (some: readonly TwinPull[]): TwinThing[] => some.map((on) => ({ on, value: null }));
  const each = (some: readonly TwinPull[], value: (on: TwinPull) => number | boolean | null): TwinThing[] =>
    some.flatMap((on) => {
      const its = value(on);
      return its === null ? [] : [{ on, value: Number(its) }];
    });
  const those = new Set(pulls);
  const signal = (key: keyof Signals, time: TwinTime): TwinThing[] =>
    signals[key].things.filter(({ on, at }) => those.has(on) && isIn(time, at));
  return {
    share_opened: counted(opened),
    lines_changed: each(opened, ({ size }) => size),
    changed_files: each(opened, ({ pull }) => pull.changedFiles),
    commits_by_agent: each(opened, shareByAgents),
    time_to_first_review: each(
      pulls.filter(({ firstReviewAt }) => isIn(window, firstReviewAt)),
      ({ firstReviewHours }) => firstReviewHours,
    ),
    share_merged: counted(done),
    time_to_merge: each(done, ({ mergeHours }) => mergeHours),
    merged_unreviewed: signal('merged_unreviewed', window),
    merged_on_own_word: each(byAgents, isOnOwnWord),
    independent_reviews: each(byAgents, independentReviews),
    reverted: signal('reverted', earlier(window, 30)),
    followed_up: signal('followed_up', earlier(window, 7)),
    merge_rate: each(ended, isMerged),
    waiting_for_review_time: each(ended, ({ phases }) => phases.waiting / HOUR),
    review_cycles: each(
      ended.filter(({ counting }) => counting.length > 0),
      ({ rounds }) => rounds,
    ),
    human_findings: each(ended, humanFindings),
    failing_at_last_push: each(ended, isFailing),
    tried: counted(ended.filter(isTried)),
  };
}
type TwinFigure = keyof ReturnType<typeof thingsOf>;

function figuresOf(
  key: string,
  pulls: readonly TwinPull[],
  whole: readonly TwinPull[],
  signals: Signals,
  window: TwinTime,
) {
  const things = thingsOf(pulls, signals, window);
  const all = thingsOf(whole, signals, window);
  const values = (figure: TwinFigure) => things[figure].map(({ value }) => value!);
  const spreadOf = (figure: TwinFigure) => spread(values(figure));
  const meanOver = (figure: TwinFigure) => ({ value: meanOf(values(figure)), n: things[figure].length });
  const part = (figure: TwinFigure) => partOf(things[figure].length, all[figure].length);
  const commits = values('commits_by_agent');
  return {
    key,
    n_opened: things.share_opened.length,
    n_merged: things.share_merged.length,
    tried: things.tried.length,
    figures: {
      share_opened: part('share_opened'),
      lines_changed: spreadOf('lines_changed'),
      changed_files: spreadOf('changed_files'),
      commits_by_agent: { value: percentileOf(commits, 0.5), n: commits.length },
      time_to_first_review: spreadOf('time_to_first_review'),
      share_merged: part('share_merged'),
      time_to_merge: spreadOf('time_to_merge'),
      merged_unreviewed: meanOver('merged_unreviewed'),
      merged_on_own_word: meanOver('merged_on_own_word'),
      independent_reviews: meanOver('independent_reviews'),
      reverted: meanOver('reverted'),
      followed_up: meanOver('followed_up'),
      merge_rate: meanOver('merge_rate'),
      waiting_for_review_time: spreadOf('waiting_for_review_time'),
      review_cycles: meanOver('review_cycles'),
      human_findings: meanOver('human_findings'),
      failing_at_last_push: meanOver('failing_at_last_push'),
    },
  };
}

/** What a figure of a group explains itself by, and what is left out of it where that is counted here, too. */
export function explainedFigures(asked: AskedOfAuthorship, key: string) {
  const { whole, signals, isOf } = groupedBy(asked);
  const { window } = asked;
  const own = whole.filter(isOf(key));
  const [things, all] = [thingsOf(own, signals, window), thingsOf(whole, signals, window)];
  const ended = own.filter(({ endedAt }) => isIn(window, endedAt));
  const leftOut: Partial<Record<TwinFigure, number>> = {
    share_opened: all.share_opened.length - things.share_opened.length,
    share_merged: all.share_merged.length - things.share_merged.length,
    time_to_merge: ended.filter((on) => !isMerged(on)).length,
    review_cycles: ended.filter(({ counting }) => counting.length === 0).length,
    failing_at_last_push: ended.filter((on) => isFailing(on) === null).length,
  };
  return (Object.keys(things) as TwinFigure[]).map((figure) => {
    const values = things[figure].flatMap(({ value }) => value ?? []);
    const isPart = figure === 'share_opened' || figure === 'share_merged';
    const value = isPart
      ? partOf(things[figure].length, all[figure].length).value
      : figure === 'tried'
        ? things.tried.length
        : figure === 'commits_by_agent'
          ? percentileOf(values, 0.5)
          : meanOf(values);
    return { figure, value, things: things[figure], leftOut: leftOut[figure] };
  });
}

/** Of these the percentile is compared within sizes, of others the mean. */
const comparedWithinSizes = {
  time_to_first_review: true,
  time_to_merge: true,
  merged_unreviewed: false,
  reverted: false,
  followed_up: false,
  merge_rate: false,
  waiting_for_review_time: true,
  review_cycles: false,
  human_findings: false,
  failing_at_last_push: false,
} as const satisfies Partial<Record<TwinFigure, boolean>>;

/** What each figure of a group comes to within the sizes of which it and those without a trace have five or more. */
export function explainedWithinSizes(asked: AskedOfAuthorship, key: string, percentile: number) {
  const { whole, wrote, signals, isOf } = groupedBy(asked);
  const own = thingsOf(whole.filter(isOf(key)), signals, asked.window);
  const people = thingsOf(
    whole.filter((on) => wrote.get(on) === 'human'),
    signals,
    asked.window,
  );
  return Object.entries(comparedWithinSizes).map(([name, isSpread]) => {
    const figure = name as keyof typeof comparedWithinSizes;
    const bySize = sizes.map((size) =>
      [own, people].map((things) => things[figure].filter(({ on }) => sizeOf(on) === size)),
    );
    const weights = bySize.map((both) => {
      const smaller = Math.min(...both.map(({ length }) => length));
      return smaller < 5 ? 0 : smaller;
    });
    const side = (at: 0 | 1) => {
      const things = bySize.flatMap((both, size) => (weights[size] === 0 ? [] : both[at]!));
      let [sum, over] = [0, 0];
      for (const [size, weight] of weights.entries()) {
        if (weight === 0) continue;
        const values = bySize[size]![at]!.map(({ value }) => value!);
        sum += weight * (isSpread ? percentileOf(values, percentile) : meanOf(values))!;
        over += weight;
      }
      return { value: over === 0 ? null : sum / over, n: things.length, things };
    };
    return { figure, weights, sides: [side(0), side(1)] as const };
  });
}

/** Agents' pull requests of the window that nobody is known to have started. */
export function creditedToNobody(asked: AskedOfAuthorship): TwinPull[] {
  const { pulls, window } = asked;
  return pulls.filter((on) => whoWrote(on.pull) === 'agent' && isIn(window, on.createdAt) && startedBy(on).by === null);
}

/** The pull requests that are in any group, and which of them are in one. */
function groupedBy({ pulls, all, now, by, bots }: AskedOfAuthorship) {
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
  return { wrote, kinds, whole, signals, tools, isOf };
}

/** What is told of who writes pull requests. */
export function authorshipOf(asked: AskedOfAuthorship) {
  const { pulls, window, zone, by } = asked;
  const { wrote, kinds, whole, signals, tools, isOf } = groupedBy(asked);
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
    series: weeksOf(asked).flatMap((week) =>
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
