import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Explanation } from '#contract/explain.ts';
import type { explainTrendPoint, TrendFigure } from '#contract/trends.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { invalidValue } from '../http/errors.ts';
import { fromTo } from '../metrics/asked.ts';
import { countedOf } from '../metrics/catalogue.ts';
import { pageOf } from '../metrics/explain.ts';
import { compileLeftOutThings, compileThings, type Lines } from '../metrics/lines.ts';
import type { Scope } from '../metrics/scope.ts';
import type { Asked, Sql } from '../metrics/sources.ts';
import { definitionOf, figureOf, isCount } from './figures.ts';
import { askedOver, demandChoices, isUndecided, linesAsked, pointsOf, shownLines, splitOf } from './trends.ts';
import type { TrendWindow } from './window.ts';

type PointQuery = QueryOf<typeof explainTrendPoint>;

/**
 * What went into one point of a trend that is asked for in the same way: its `n` and value, and as many things, page by page
 * (docs/metrics.md#trends).
 * @throws HttpError 400 where the window has no such point, the split no such line, or the figure no such aggregate
 */
export async function explainPoint(
  db: Kysely<Database>,
  scope: Scope,
  figure: TrendFigure,
  query: PointQuery,
  window: TrendWindow,
  user: Pick<SignedIn, 'host' | 'time_zone'>,
  now: Date,
): Promise<Explanation> {
  demandChoices(figure, query);
  const bucket = window.buckets.find(({ date }) => date === query.point);
  if (bucket === undefined) throw invalidValue('point', 'must be the first day of a point of this window');
  const line = lineIn(query);
  const { settings } = await healthSettingsOf(db, user.host);
  const over = (await askedOver(db, scope, query, settings, user, now))(figure);
  // Only the last point goes on until now and later.
  const asked: Asked = {
    ...over(bucket.from, bucket.to),
    ...(bucket.to < window.to && { window: fromTo(bucket.from, bucket.to) }),
  };
  const each = linesAsked(figure, query, await splitOf(db, scope, query));
  const shown =
    query.split !== 'none' && line === 'others' ? await shownLines(db, each, query.split, window, over) : null;
  const lines: Lines = { ...each, shown: shown === null || shown.rest === 0 ? null : shown.keys };
  const told = isUndecided(figure, bucket, now)
    ? undefined
    : (await pointsOf(db, lines, [bucket], () => asked)).get(line)?.get(1);
  const things = compileThings(asked, lines, line);
  const { summary, items } = await pageOf(db, told === undefined ? noThings : things, 0.5, asked, query);
  const { made, leftOut = [] } = countedOf(figure);
  const isOfSingleValues = made === 'mean';
  return {
    metric: figure,
    name: figureOf(figure).name,
    definition: definitionOf(figure, settings),
    unit: figureOf(figure).unit,
    part: query.split === 'none' ? null : line,
    window: { from: new Date(bucket.from).toISOString(), to: new Date(bucket.to).toISOString() },
    value: told?.value ?? (isCount(figure) ? 0 : null),
    mean: isOfSingleValues ? summary.mean : null,
    median: isOfSingleValues ? summary.median : null,
    n: told?.n ?? 0,
    left_out: await Promise.all(
      leftOut.map(async ({ reason, ...of }) => {
        const { rows } = await sql<{ count: number }>`
          select count from ${compileLeftOutThings(asked, lines, line, { reason, ...of })} left_out`.execute(db);
        return { reason, count: rows[0]!.count };
      }),
    ),
    items,
    total: summary.n,
    hasMore: query.offset + items.length < summary.n,
  };
}

function lineIn({ split, line }: PointQuery): string {
  if (split !== 'none') {
    if (line === undefined) throw invalidValue('line', 'is needed: the trend is split');
    return line;
  }
  if (line !== undefined && line !== 'all') throw invalidValue('line', 'must be all: the trend is not split');
  return 'all';
}

const noThings: Sql = sql`
  select null::int as repository_id, null::int as number, null::timestamptz as at, null::float8 as value where false`;
