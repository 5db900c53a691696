import { type Kysely, sql } from 'kysely';
import type { Signal } from '#contract/health.ts';
import { concentrationOf, ENOUGH_PEOPLE } from '#domain/concentration.ts';
import { decidedAfterDays, type SignalKey, type SignalMetric, signalKeys, signalTraits } from '#domain/signals.ts';
import { type Bucket, judge, judgedBuckets } from '#domain/trends.ts';
import type { Database } from '../db/database.ts';
import { always, fromTo, over } from '../metrics/asked.ts';
import { type AskedWindow, movedBack } from '../metrics/asked-window.ts';
import { ownStatistic } from '../metrics/catalogue.ts';
import { type Column, compile } from '../metrics/compile.ts';
import { compileLines } from '../metrics/lines.ts';
import { type Stretch, sharesOver } from '../metrics/shares.ts';
import { isKnown, signals } from '../metrics/signals.ts';
import { mergedForSignals, openAt } from '../metrics/sources/for-signals.ts';
import { ended } from '../metrics/sources/pull-requests.ts';
import type { Asked, Span } from '../metrics/sources/source.ts';
import { activeInWindow, activePeople } from './active-people.ts';
import { checkWaits, rerunsOf } from './checks.ts';
import type { AskedHealth } from './view.ts';

/** Weeks that are drawn, of those by which the last is judged. */
const SERIES = 12;

type Told = Pick<Signal, 'value' | 'n'>;

/** Every signal over the window, in which so many people were `active`, in their order (docs/metrics.md#signals). */
export async function signalsOf(db: Kysely<Database>, health: AskedHealth, active: number): Promise<Signal[]> {
  const [share, now, previous, series, leftOut, beside, spread, check_waits, reruns] = await Promise.all([
    sharesIn(db, health),
    numbersOver(db, health, 0),
    numbersOver(db, health, 1),
    seriesOf(db, health),
    leftOutOf(db, health),
    timeToRevert(db, health),
    spreadOf(db, health, active),
    checkWaits(db, health),
    rerunsOf(db, health),
  ]);
  const told = (key: SignalMetric, back: 0 | 1 = 0): Told =>
    shares.includes(key)
      ? share(key, stretchOf(movedSpan(key, health, back)))
      : ([now, previous] as const)[back].told(key);
  return signalKeys.map((key) => {
    const weeks = shares.includes(key)
      ? weeksOf(key, health).map(({ date, ...week }): Week => ({ date, ...share(key, week) }))
      : series.get(key)!;
    const { from, to } = windowOf(key, health);
    const row = {
      key,
      ...told(key),
      window: { from: new Date(signalTraits[key].isAtEnd ? to : from).toISOString(), to: new Date(to).toISOString() },
      left_out: leftOut.get(key) ?? nothingLeftOut,
      previous: told(key, 1).value,
      series: weeks.slice(-SERIES).map(({ date, value, n }) => ({ from: date, value, n })),
      usual: judge(
        weeks.map(({ value }) => value),
        key !== 'review_depth',
      ).usual,
    };
    switch (key) {
      case 'merged_unreviewed':
        return { ...row, merged_on_comment: told('merged_on_comment') };
      case 'approved_then_pushed':
        return { ...row, by_force: told('pushed_by_force') };
      case 'review_depth':
        return { ...row, p50: now.of('depth p50'), p90: now.of('depth p90'), none: told('without_findings').value };
      case 'reverted':
        return { ...row, time_to_revert: beside };
      case 'ci_wait':
        return {
          ...row,
          p90: now.of('ci p90'),
          ci_share: now.of('ci share'),
          check_waits,
          reruns,
          ...(row.n === 0 && { message: 'No checks were read of what was merged in this window' }),
        };
      case 'concentration':
        return { ...row, ...spread.now, previous: spread.previous };
      default:
        return row;
    }
  });
}

const nothingLeftOut = { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 };

/** The window of a signal: early enough that it is known by the end of what is asked for which pull requests have it. */
const windowOf = (key: SignalKey | SignalMetric, { asked, window }: AskedHealth): AskedWindow =>
  movedBack(window, decidedAfterDays[key] ?? 0, asked.time_zone);

/** The time over which a signal is told, so many of its lengths before: each ends where the next begins. */
export function movedSpan(key: SignalKey | SignalMetric, health: AskedHealth, back: number): Span {
  const { window, span } = windowOf(key, health);
  if (back === 0) return span;
  const by = back * (window.until - window.after);
  return over({ after: window.after - by, until: window.until - by });
}

/** What is a share of merged pull requests: told of all windows and weeks at once. */
const shares = (Object.keys(signals) as SignalMetric[]).filter(
  (key) => signals[key].from === mergedForSignals && signals[key].made === 'share',
);
/** What is told by itself: those whose value is a median among them. */
const others = (Object.keys(signals) as SignalMetric[]).filter(
  (key) => !shares.includes(key) && key !== 'concentration',
);

const stretchOf = ({ after, until }: Span): Stretch => ({
  from: after.getTime() + 1,
  to: until === null ? null : until.getTime() + 1,
});

/** Those shares over the window, the one before, and each week. */
async function sharesIn(
  db: Kysely<Database>,
  health: AskedHealth,
): Promise<(key: SignalMetric, stretch: Stretch) => Told> {
  const [first, ...more] = shares.flatMap((key) => [
    stretchOf(movedSpan(key, health, 0)),
    stretchOf(movedSpan(key, health, 1)),
    ...weeksOf(key, health),
  ]);
  return await sharesOver(db, health.asked, shares as [SignalMetric, ...SignalMetric[]], [first!, ...more]);
}

interface Numbers {
  readonly told: (key: SignalMetric) => Told;
  readonly of: (name: string) => number | null;
}

async function numbersOver(db: Kysely<Database>, health: AskedHealth, back: 0 | 1): Promise<Numbers> {
  const columns: Record<string, Column> = {};
  for (const metric of others) {
    const window = movedSpan(metric, health, back);
    columns[metric] = { metric, window, statistic: ownStatistic(metric) };
    columns[`${metric} n`] = { metric, window, statistic: 'n' };
  }
  const window = movedSpan('review_depth', health, back);
  // Of what was before the window a signal's own number is told, and no more.
  if (back === 0) {
    columns['depth p50'] = { metric: 'review_depth', window, statistic: 'p50' };
    columns['depth p90'] = { metric: 'review_depth', window, statistic: 'p90' };
    columns['ci p90'] = { metric: 'ci_wait', window, statistic: 'p90' };
  }
  const { rows } = await sql<Record<string, number | null>>`
    select * from ${compile(health.asked, columns, 'whole')} numbers`.execute(db);
  const share = back === 0 ? await ciShareOf(db, health) : null;
  const row: Record<string, number | null> = { ...rows[0]!, 'ci share': share };
  return {
    told: (key) => ({ value: row[key] ?? null, n: row[`${key} n`] ?? 0 }),
    of: (name) => row[name] ?? null,
  };
}

/** Which part of the hours that pull requests waited or were approved their checks ran. */
async function ciShareOf(db: Kysely<Database>, { asked }: AskedHealth): Promise<number | null> {
  const { from, where } = mergedForSignals.rows(asked, 'each');
  const { rows } = await sql<{ share: number | null }>`
    select sum(it.ci_overlap_hours) / nullif(sum(it.waiting_for_review_time + coalesce(it.post_approval_time, 0)), 0) as share
    from ${from} where ${where} and ${isKnown} and it.ci_overlap_hours is not null`.execute(db);
  return rows[0]!.share;
}

type Week = Told & Pick<Bucket, 'date'>;

/** The full weeks up to the end of the window of a signal, the last one of them the one that is judged. */
const weeksOf = (key: SignalKey | SignalMetric, health: AskedHealth): Bucket[] =>
  judgedBuckets(windowOf(key, health).to, 'week', health.asked.time_zone, health.asked.now.getTime());

/** What isn't a share of merged pull requests, by those weeks. */
async function seriesOf(db: Kysely<Database>, health: AskedHealth): Promise<Map<SignalKey, Week[]>> {
  const { asked } = health;
  const byKind = Map.groupBy(
    signalKeys.filter((key) => !shares.includes(key)),
    (key) => (signals[key].from === openAt ? 'at moments' : 'in weeks'),
  );
  const all = await Promise.all(
    [...byKind].map(async ([kind, keys]) => {
      const weeks = weeksOf(keys[0]!, health);
      const inWeeks = { ...asked, window: fromTo(weeks[0]!.from, weeks.at(-1)!.to) };
      const starts = weeks.map(({ from }) => new Date(from));
      const told =
        kind === 'at moments' ? await atMoments(db, inWeeks, keys, starts) : await byWeek(db, inWeeks, keys, starts);
      // Where half of the reviews takes two people, three or more gave some, who were active.
      const isInDoubt = weeks.some((_, at) => told('concentration', at).value === 1);
      const active = keys.includes('concentration') && isInDoubt ? await activePeople(db, inWeeks, starts) : null;
      return keys.map((key) => {
        const of = weeks.map(({ date }, at): Week => {
          const { value, n } = told(key, at);
          const isFew = key === 'concentration' && active !== null && active[at]! < ENOUGH_PEOPLE;
          return { date, value: isFew ? null : value, n };
        });
        return [key, of] as const;
      });
    }),
  );
  return new Map(all.flat());
}

type ByWeek = (key: SignalKey, at: number) => Told;

async function byWeek(
  db: Kysely<Database>,
  asked: Asked,
  keys: readonly SignalKey[],
  starts: readonly Date[],
): Promise<ByWeek> {
  const columns = Object.fromEntries(
    keys.flatMap((metric): [string, Column][] => [
      [metric, { metric, statistic: ownStatistic(metric) }],
      [`${metric} n`, { metric, statistic: 'n' }],
    ]),
  );
  const { rows } = await sql<Record<string, number | null>>`
    select * from ${compile(asked, columns, { starts })} weeks order by key`.execute(db);
  return (key, at) => ({ value: rows[at]![key] ?? null, n: rows[at]![`${key} n`] ?? 0 });
}

async function atMoments(
  db: Kysely<Database>,
  asked: Asked,
  keys: readonly SignalKey[],
  starts: readonly Date[],
): Promise<ByWeek> {
  const points = await Promise.all(
    keys.map(async (metric) => {
      const lines = { metric, statistic: 'value', split: null, shown: null, only: {} } as const;
      const { rows } = await sql<{ key: number; value: number | null; n: number }>`
        select key, value, n from ${compileLines(asked, lines, starts)} points`.execute(db);
      return [metric, new Map(rows.map((row) => [row.key - 1, row]))] as const;
    }),
  );
  const byKey = new Map(points);
  return (key, at) => byKey.get(key)?.get(at) ?? { value: null, n: 0 };
}

/** What is left out of each signal, by why. */
async function leftOutOf(db: Kysely<Database>, health: AskedHealth): Promise<Map<SignalKey, Signal['left_out']>> {
  const groups = Map.groupBy(
    signalKeys.filter((key) => key !== 'concentration'),
    (key) => (signals[key].from === openAt ? 'at moments' : decidedAfterDays[key]),
  );
  const all = await Promise.all(
    [...groups.values()].map(async (keys) => {
      const asked = { ...health.asked, window: movedSpan(keys[0]!, health, 0) };
      const { from, where } = signals[keys[0]!].from.rows(asked, 'each');
      const counts = keys.flatMap((key) =>
        (signals[key].leftOut ?? []).map(
          (left) => sql`count(*) filter (where ${left.where!(asked)})::int as ${sql.ref(`${key} ${left.why}`)}`,
        ),
      );
      const { rows } = await sql<Record<string, number>>`
        select ${sql.join(counts)} from ${from} where ${where}`.execute(db);
      return keys.map((key) => {
        const of = (why: string) => rows[0]![`${key} ${why}`] ?? 0;
        const counted = { trivial: of('trivial'), dismissed: of('dismissed'), unknown: of('unknown'), undecided: 0 };
        return [key, counted] as const;
      });
    }),
  );
  return new Map(all.flat());
}

/** From merge to merge, in hours, over the reverts of the window, however late, of what the signals are about. */
async function timeToRevert(
  db: Kysely<Database>,
  { asked }: AskedHealth,
): Promise<NonNullable<Signal['time_to_revert']>> {
  // Whosever the reverts are: what they revert is of the team.
  const reverting = ended.rows({ ...asked, scope: asked.scope.ofEverybody }, 'each');
  const { from, where } = mergedForSignals.rows({ ...asked, window: always }, 'each');
  const { rows } = await sql<{ median: number | null; p90: number | null; n: number }>`
    with reverting as materialized (
      select it.repository_id, it.number, it.ended_at from ${reverting.from} where ${reverting.where} and it.time_to_merge is not null)
    select percentile_cont(0.5) within group (order by hours) as median, percentile_cont(0.9) within group (order by hours) as p90,
      count(*)::int as n
    from (select extract(epoch from y.ended_at - it.ended_at)::float8 / 3600 as hours
      from reverting y join reverts v on v.repository_id = y.repository_id and v.number = y.number
      join ${from} on it.repository_id = v.repository_id and it.number = v.target
      where ${where} and ${isKnown}) times`.execute(db);
  return rows[0]!;
}

interface Spread {
  readonly now: Pick<Signal, 'value' | 'n' | 'reviewers' | 'top_share' | 'gini' | 'merges'>;
  readonly previous: number | null;
}

/** Who carries the reviews, and apart the merges. */
async function spreadOf(db: Kysely<Database>, health: AskedHealth, active: number): Promise<Spread> {
  const spreadOver = async (back: number) => {
    const asked = { ...health.asked, window: movedSpan('concentration', health, back) };
    const { from, where } = signals.concentration.from.rows(asked, 'each');
    const { rows } = await sql<{ things: number }>`
      select count(*)::int as things from ${from} where ${where} and it.counts group by it.author_id`.execute(db);
    return { asked, things: rows.map(({ things }) => things) };
  };
  const [now, before] = await Promise.all([spreadOver(0), spreadOver(1)]);
  const activeBefore = await activeInWindow(db, before.asked);
  const { from, where } = ended.rows(now.asked, 'each');
  // Whoever merged is looked for beside each, so that no others are read; `offset 0`: once, however often it is named.
  const merger = sql`(select p.merged_by_id from pull_requests p where p.repository_id = it.repository_id and p.number = it.number)`;
  const { rows: merges } = await sql<{ things: number }>`
    select count(*)::int as things from (select ${merger} as id from ${from} where ${where} and it.time_to_merge is not null offset 0) merged
    join people merger on merger.id = merged.id and merger.kind = 'human' group by merger.id`.execute(db);
  const { half, ...spread } = concentrationOf(now.things, active);
  return {
    now: {
      value: half,
      n: now.things.reduce((sum, things) => sum + things, 0),
      ...spread,
      merges: concentrationOf(
        merges.map(({ things }) => things),
        active,
      ),
    },
    previous: concentrationOf(before.things, activeBefore).half,
  };
}
