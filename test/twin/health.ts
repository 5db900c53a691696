import { type SignalKey, type SignalMetric, signalKeys } from '#domain/signals.ts';
import { dateOf, meanOf, percentileOf } from './arithmetic.ts';
import { type Thing, things as thingsOfMetric } from './metrics.ts';
import { DAY, HOUR, isHuman, type TwinPull } from './pull-request.ts';
import { revertsAmong } from './reverts.ts';
import { countsOf, fewestOf, isAbout, linesOf, signalsOf, type TwinHealth } from './signals.ts';

/** From one instant, it too, up to another, that one not. */
export interface TwinTime {
  readonly from: number;
  readonly to: number;
}

/** What is asked of a review practice. */
export interface AskedOfTwin extends Omit<TwinHealth, 'moment'> {
  readonly pulls: readonly TwinPull[];
  readonly now: number;
  readonly zone: string;
}

const movedBack: Partial<Record<SignalKey, number>> = { reverted: 30 * DAY, followed_up: 7 * DAY };
const isAtMoment = (key: SignalMetric) => key === 'long_open' || key === 'stale_approval';
const isIn =
  ({ from, to }: TwinTime) =>
  ({ at }: { readonly at: number }) =>
    at >= from && at < to;
const movedBy = ({ from, to }: TwinTime, by: number): TwinTime => ({ from: from - by, to: to - by });

/** What is told of every signal, and of what stands beside some, without those of checks. */
export function healthOf(asked: AskedOfTwin, window: TwinTime) {
  const { pulls, now, zone } = asked;
  // What is so at a moment is counted anew for each, all else once.
  const cache = new Map<number, ReturnType<typeof signalsOf>>();
  const told = (moment: number) => {
    const known = cache.get(moment) ?? signalsOf(pulls, { ...asked, moment });
    cache.set(moment, known);
    return known;
  };
  const allTime = told(now);
  const active = activeIn(asked);
  const thingsIn = (key: SignalMetric, time: TwinTime): Thing[] =>
    isAtMoment(key) ? told(Math.min(time.to, now))[key].things : allTime[key].things.filter(isIn(time));
  const figureOf = (key: SignalMetric, time: TwinTime): number | null => {
    const things = thingsIn(key, time);
    if (key === 'concentration') return things.length === 0 || active(time) < 3 ? null : fewestOf(countsOf(things));
    return meanOf(things.map(({ value }) => value));
  };
  const withN = (key: SignalMetric, time: TwinTime) => ({ value: figureOf(key, time), n: thingsIn(key, time).length });

  return signalKeys
    .filter((key) => key !== 'ci_wait')
    .map((key) => {
      const time = movedBy(window, movedBack[key] ?? 0);
      const weeks = weeksUntil(Math.min(time.to, now), zone, 27);
      const values = weeks.map((week) => figureOf(key, week));
      const before = values.slice(0, -1).filter((value) => value !== null);
      const left = (why: 'trivial' | 'dismissed' | 'unknown') =>
        (isAtMoment(key) ? told(Math.min(time.to, now))[key][why] : allTime[key][why].filter(isIn(time))).length;
      return {
        key,
        ...withN(key, time),
        left_out: { trivial: left('trivial'), dismissed: left('dismissed'), unknown: left('unknown'), undecided: 0 },
        previous: figureOf(key, movedBy(time, time.to - time.from)),
        series: weeks.slice(-12).map((week) => ({ from: dateOf(zone, week.from), ...withN(key, week) })),
        usual: before.length < 12 ? null : { from: Math.min(...before), to: Math.max(...before) },
        ...besideOf(key, time),
      };
    });

  function besideOf(key: SignalKey, time: TwinTime): object {
    if (key === 'merged_unreviewed') return { merged_on_comment: withN('merged_on_comment', time) };
    if (key === 'approved_then_pushed') return { by_force: withN('pushed_by_force', time) };
    if (key === 'review_depth') {
      const findings = thingsIn(key, time).map(({ value }) => value!);
      return {
        p50: percentileOf(findings, 0.5),
        p90: percentileOf(findings, 0.9),
        none: figureOf('without_findings', time),
      };
    }
    if (key === 'reverted') return { time_to_revert: timeToRevert(asked, window) };
    if (key !== 'concentration') return {};
    const merges = pulls
      .filter(({ pull, endedAt }) => isHuman(pull.mergedBy) && endedAt !== null && isIn(time)({ at: endedAt }))
      .map((on) => ({ on, at: on.endedAt!, person: on.pull.mergedBy, value: null }));
    const { half: _, ...spread } = spreadOf(countsOf(thingsIn(key, time)), active(time));
    return { ...spread, merges: spreadOf(countsOf(merges), active(time)) };
  }
}

/** The pull requests behind a signal, as `owner/name#number`, the latest first; those of one moment by their number. */
export function pullRequestsBehind(asked: AskedOfTwin, key: SignalKey, window: TwinTime): string[] {
  const time = movedBy(window, movedBack[key] ?? 0);
  const { things } = signalsOf(asked.pulls, { ...asked, moment: Math.min(time.to, asked.now) })[key];
  const has = things.filter(
    (thing) => (isAtMoment(key) || isIn(time)(thing)) && (thing.value !== 0 || key === 'review_depth'),
  );
  const latest = new Map<TwinPull, number>();
  for (const { on, at } of has) latest.set(on, Math.max(at, latest.get(on) ?? at));
  return [...latest]
    .sort(([a, at], [b, bt]) => bt - at || a.pull.number - b.pull.number)
    .map(([{ repository, pull }]) => `${repository}#${pull.number}`);
}

/** What those of each size cost, and those up to and above the limit of big ones. */
export function sizesOf(asked: AskedOfTwin, window: TwinTime) {
  const { pulls, now, settings } = asked;
  const signals = signalsOf(pulls, { ...asked, moment: now });
  const valuesOf = (key: SignalMetric) => new Map(signals[key].things.map(({ on, value }) => [on, value]));
  const [stamped, reverted, findings] = [valuesOf('stamped'), valuesOf('reverted'), valuesOf('review_depth')];
  const told = pulls.filter(
    (on) => on.pull.state === 'merged' && isIn(window)({ at: on.endedAt! }) && isAbout(on, { ...asked, moment: now }),
  );
  const lines = new Map(told.map((on) => [on, linesOf(on, settings)]));
  const limits: [string, number, number][] = [
    ['0-50', 0, 50],
    ['51-200', 51, 200],
    ['201-500', 201, 500],
    ['501-1000', 501, 1000],
    ['1000+', 1001, Number.POSITIVE_INFINITY],
    [`<=${settings.big}`, 0, settings.big],
    [`>${settings.big}`, settings.big + 1, Number.POSITIVE_INFINITY],
  ];
  return limits.map(([size, least, most]) => {
    const those = told.filter((on) => lines.get(on)! >= least && lines.get(on)! <= most);
    const deep = those.filter((on) => findings.has(on) && lines.get(on)! >= 20);
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    const mean = (of: ReadonlyMap<TwinPull, number | null>, some = those) =>
      meanOf(some.map((on) => of.get(on) ?? null));
    return {
      size,
      n: those.length,
      time_to_merge: percentileOf(
        those.map(({ mergeHours }) => mergeHours!),
        0.5,
      ),
      depth_per_100_lines:
        deep.length === 0
          ? null
          : (100 * sum(deep.map((on) => findings.get(on)!))) / sum(deep.map((on) => lines.get(on)!)),
      stamped: mean(stamped),
      reverted: mean(
        reverted,
        those.filter(({ endedAt }) => endedAt! <= now - 30 * DAY),
      ),
    };
  });
}

/** Who reviews which part of the code, the most reviewed first. */
export function areasOf(asked: AskedOfTwin, window: TwinTime) {
  const { pulls, now } = asked;
  const active = activeIn(asked)(window);
  const reviews = signalsOf(pulls, { ...asked, moment: now }).concentration.things.filter(isIn(window));
  const isMerged = ({ pull, endedAt }: TwinPull) => pull.state === 'merged' && isIn(window)({ at: endedAt! });
  const told = [...new Set(pulls.flatMap(areasOfPull))].map((area) => {
    const there = pulls.filter((on) => areasOfPull(on).includes(area));
    const given = reviews.filter(({ on }) => there.includes(on));
    const reviewed = there
      .filter((on) => given.some((review) => review.on === on))
      .map((on) => ({ on, at: Math.max(...given.filter((review) => review.on === on).map(({ at }) => at)) }));
    const last = reviewed.sort((a, b) => b.at - a.at).slice(0, 10);
    const ofLast = new Set(last.flatMap(({ on }) => on.counting.map(({ by }) => by.id)));
    const spread = spreadOf(countsOf(given), active);
    const authors = there.flatMap((on) => (isMerged(on) && isHuman(on.pull.author) ? [on.pull.author] : []));
    const could = [...new Set(authors.map(({ id }) => id))].filter(
      (id) =>
        authors.filter((author) => author.id === id).length >= 3 &&
        given.filter(({ person }) => person!.id === id).length / given.length < 0.05,
    );
    const logins = could.map((id) => authors.find((author) => author.id === id)!.login);
    const isHeld = given.length >= 20 && (spread.top_share ?? 0) >= 0.8;
    return {
      reviewed: reviewed.length,
      reviews: given.length,
      row: {
        area,
        ...spread,
        at_risk: active >= 3 && (isHeld || ofLast.size === 1),
        could: logins.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
      },
    };
  });
  return told
    .filter(({ reviewed }) => reviewed >= 20)
    .sort((a, b) => b.reviews - a.reviews || (a.row.area < b.row.area ? -1 : 1))
    .map(({ row }) => row);
}

/** The first two folders of each of its files; of one in none the root. */
function areasOfPull({ pull }: TwinPull): string[] {
  const areas = pull.files.map(({ path }) => path.split('/').slice(0, -1).slice(0, 2).join('/') || '.');
  return [...new Set(areas)];
}

/** How many people did anything, by a stretch of time. */
function activeIn({ pulls, now, zone }: AskedOfTwin): (time: TwinTime) => number {
  const all = thingsOfMetric.contributions(pulls, 'people', now, zone).filter(({ person }) => isHuman(person));
  return (time) => new Set(all.filter(isIn(time)).map(({ person }) => person!.id)).size;
}

function spreadOf(counts: readonly number[], active: number) {
  const reviewers = counts.length;
  if (active < 3 || reviewers === 0) return { reviewers, half: null, top_share: null, gini: null };
  const total = counts.reduce((sum, count) => sum + count, 0);
  let differences = 0;
  for (const one of counts) for (const other of counts) differences += Math.abs(one - other);
  const mean = total / reviewers;
  return {
    reviewers,
    half: fewestOf(counts),
    top_share: counts[0]! / total,
    gini: differences / (2 * reviewers * reviewers * mean),
  };
}

function timeToRevert(asked: AskedOfTwin, window: TwinTime) {
  const hours: number[] = [];
  for (const [repository, pulls] of Map.groupBy(asked.pulls, (on) => on.repository)) {
    const byNumber = new Map(pulls.map((on) => [on.pull.number, on]));
    const reverts = revertsAmong(
      repository,
      pulls.map(({ pull }) => pull),
    );
    for (const [number, targets] of reverts) {
      const by = byNumber.get(number)!;
      if (!isIn(window)({ at: by.endedAt! })) continue;
      for (const target of targets) {
        const on = byNumber.get(target)!;
        if (isAbout(on, { ...asked, moment: asked.now })) hours.push((by.endedAt! - on.endedAt!) / HOUR);
      }
    }
  }
  return { median: percentileOf(hours, 0.5), p90: percentileOf(hours, 0.9), n: hours.length };
}

/** So many whole weeks that are over by an instant, the last one last. */
function weeksUntil(to: number, zone: string, count: number): TwinTime[] {
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
  let monday = Temporal.PlainDate.from(dateOf(zone, to));
  while (monday.dayOfWeek !== 1) monday = monday.subtract({ days: 1 });
  const weeks: TwinTime[] = [];
  for (let back = count; back >= 1; back -= 1)
    weeks.push({
      from: startOf(monday.subtract({ weeks: back })),
      to: startOf(monday.subtract({ weeks: back - 1 })),
    });
  return weeks;
}
