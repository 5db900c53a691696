import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Explanation } from '#contract/explain.ts';
import type { explainTrendPoint, TrendFigure } from '#contract/trends.ts';
import { toolName } from '#domain/known-tools.ts';
import type { Bucket } from '#domain/trends.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { invalidValue } from '../http/errors.ts';
import { fromTo } from '../metrics/asked.ts';
import { countedOf, isCount, isDifference } from '../metrics/catalogue.ts';
import { pageOf } from '../metrics/explain.ts';
import { explainSides } from '../metrics/explain-sides.ts';
import { compileLeftOutThings, compileThings, type Lines, type Side, sidesOf } from '../metrics/lines.ts';
import type { Scope } from '../metrics/scope.ts';
import type { Asked, Sql } from '../metrics/sources/source.ts';
import { definitionOf, figureOf } from './figures.ts';
import {
  askedOver,
  demandChoices,
  type FigureLines,
  isUndecided,
  linesAsked,
  pointsOf,
  shownLines,
  splitOf,
} from './trends.ts';
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
  const lines: FigureLines = { ...each, shown: shown === null || shown.rest === 0 ? null : shown.keys };
  const explained = {
    metric: figure,
    name: figureOf(figure).name,
    definition: definitionOf(figure, settings),
    unit: figureOf(figure).unit,
    part: query.split === 'none' ? null : line,
    window: { from: new Date(bucket.from).toISOString(), to: new Date(bucket.to).toISOString() },
  };
  const { metric } = lines;
  if (isDifference(metric)) {
    const sides = sidesOf(asked, lines, metric);
    const { value } = (await pointsOf(db, lines, [bucket], () => asked)).get(line)?.get(1) ?? { value: null };
    return { ...explained, ...(await explainBoth(db, sides, line, query, bucket, value)) };
  }
  if (query.part !== undefined) throw invalidValue('part', 'makes sense of a difference alone');
  const point = (await pointsOf(db, lines, [bucket], () => asked)).get(line)?.get(1);
  const undecided = isUndecided(figure, bucket, now);
  const told = undecided ? undefined : point;
  const things = compileThings(asked, { ...lines, metric }, line);
  const { summary, items } = await pageOf(db, told === undefined ? noThings : things, 0.5, asked, query);
  const { made } = countedOf(figure);
  const isOfSingleValues = made === 'mean';
  return {
    ...explained,
    value: told?.value ?? (isCount(figure) ? 0 : null),
    mean: isOfSingleValues ? summary.mean : null,
    median: isOfSingleValues ? summary.median : null,
    n: told?.n ?? 0,
    left_out: [
      ...(await leftOutOf(db, asked, { ...lines, metric }, line)),
      ...(undecided ? [{ reason: 'May still come', count: point?.n ?? 0 }] : []),
    ],
    items,
    total: summary.n,
    hasMore: query.offset + items.length < summary.n,
  };
}

async function leftOutOf(
  db: Kysely<Database>,
  asked: Asked,
  lines: Lines,
  line: string,
): Promise<Explanation['left_out']> {
  const { leftOut = [] } = countedOf(lines.metric);
  return await Promise.all(
    leftOut.map(async (things) => {
      const { rows } = await sql<{ count: number }>`
        select count from ${compileLeftOutThings(asked, lines, line, things)} left_out`.execute(db);
      return { reason: things.reason, count: rows[0]!.count };
    }),
  );
}

/** What is behind a point of a difference: both sides, each with its value and things. */
async function explainBoth(
  db: Kysely<Database>,
  sides: readonly Side[],
  line: string,
  query: PointQuery,
  bucket: Bucket,
  value: number | null,
): Promise<Awaited<ReturnType<typeof explainSides>>> {
  const told = await Promise.all(
    sides.map(async ({ part, asked, lines, line: own }) => {
      const of = own ?? line;
      const name = part === 'people' ? 'People' : query.split === 'reviewer' ? nameOfLine(of) : 'AI reviewers';
      const point = (await pointsOf(db, lines, [bucket], () => asked)).get(of)?.get(1) ?? { value: null, n: 0 };
      return {
        side: { part, name, ...point },
        things: sql`select things.*, ${part}::text as part from (${compileThings(asked, lines, of)}) things`,
        leftOut: (await leftOutOf(db, asked, lines, of)).map(({ reason, count }) => ({
          reason: `${reason}: ${name}`,
          count,
        })),
      };
    }),
  );
  const things = sql.join(
    told.map((side) => side.things),
    sql` union all `,
  );
  return await explainSides(db, sides[0]!.asked, query, {
    ...{ value, things },
    sides: told.map(({ side }) => side),
    leftOut: told.flatMap(({ leftOut }) => leftOut),
  });
}

const nameOfLine = (line: string) => (line === 'others' ? 'Others' : toolName(line));

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
