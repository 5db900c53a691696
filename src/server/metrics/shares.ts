import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { fromTo } from './asked.ts';
import { type AnyMetric, countedOf } from './catalogue.ts';
import type { Asked } from './sources/source.ts';

/** From an instant, it too, up to another, that one not, in epoch milliseconds; `to` null: without an end. */
export interface Stretch {
  readonly from: number;
  readonly to: number | null;
}

/** How many things a share is over, and the share; null over nothing. */
export interface Share {
  readonly value: number | null;
  readonly n: number;
}

/** Of each thing a code has three bits for each metric: it counts, it is known whether the condition holds, and it holds. */
const BITS = 3;
/** With more of them a code would be no whole number in JavaScript. */
const MOST = Math.floor(53 / BITS);

/**
 * Shares of the things of one source over many stretches of time, of which each thing is looked at once: a fraction of what an aggregate for
 * each share takes, and one for each stretch. `metrics` are shares of the same source, 17 at most. What it answers tells of one of them over
 * one of the `stretches` what `compile` does over that window.
 */
export async function sharesOver<Metric extends AnyMetric>(
  db: Kysely<Database>,
  asked: Asked,
  metrics: readonly [Metric, ...Metric[]],
  stretches: readonly [Stretch, ...Stretch[]],
): Promise<(metric: Metric, stretch: Stretch) => Share> {
  const source = countedOf(metrics[0]).from;
  const isTold = (metric: Metric) => countedOf(metric).from === source && countedOf(metric).made === 'share';
  if (metrics.length > MOST || !metrics.every(isTold))
    throw new Error(`These cannot be told at once: ${metrics.join(', ')}.`);

  const bounds = [...new Set(stretches.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))].sort(ascending);
  const last = stretches.some(({ to }) => to === null) ? null : bounds.at(-1)!;
  const inAll: Asked = { ...asked, window: fromTo(bounds[0]!, last) };
  const { from, where } = source.rows(inAll, 'each');
  const codes = metrics.map((metric, at) => {
    const { where: counts, value } = countedOf(metric);
    const code = sql`case ${value!(inAll)} when true then 7 when false then 3 else 1 end`;
    return sql`((case when ${counts?.(inAll) ?? sql`true`} then ${code} else 0 end)::int8 << ${sql.lit(at * BITS)})`;
  });
  const { rows } = await sql<{ place: number; code: number; things: number }>`
    select place, code::float8 as code, things from (
      select width_bucket(${source.moment}, ${bounds.map((bound) => new Date(bound))}::timestamptz[]) as place,
        ${sql.join(codes, sql` | `)} as code, count(*)::int as things
      from ${from} where ${where} group by 1, 2
    ) told`.execute(db);

  /** How many things have a bit of a metric, up to each bound: a stretch has the difference of two. */
  const sums = (metric: number, bit: number): number[] => {
    const mask = 2 ** (metric * BITS + bit);
    const at = new Array<number>(bounds.length + 1).fill(0);
    for (const { place, code, things } of rows) if (Math.floor(code / mask) % 2 === 1) at[place]! += things;
    let sum = 0;
    return at.map((things) => (sum += things));
  };
  const told = new Map(
    metrics.map((metric, at) => [metric, { n: sums(at, 0), known: sums(at, 1), holding: sums(at, 2) }]),
  );
  return (metric, stretch) => {
    const { n, known, holding } = told.get(metric)!;
    const [first, end] = [bounds.indexOf(stretch.from), stretch.to === null ? -1 : bounds.indexOf(stretch.to)];
    const within = (upTo: readonly number[]) => upTo.at(end)! - upTo[first]!;
    return { value: within(known) === 0 ? null : within(holding) / within(known), n: within(n) };
  };
}

const ascending = (one: number, other: number) => one - other;
