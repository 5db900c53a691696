import { sql } from 'kysely';
import type { dimensionWords } from '#domain/metrics/metric.ts';
import { PEOPLE } from '#domain/reviewer-acts.ts';
import { clockIn } from '../db/time-zones.ts';
import { kindOf, sizeOf } from './conditions.ts';
import type { Asked, Source, Sql } from './sources/source.ts';

/** What tells the things that a metric counts apart; outside, a value is a text. */
interface Dimension {
  readonly of: (row: { source: Source; pull: Sql; facts: string | null; asked: Asked }) => Sql;
  /** The column that alone it is made of: of columns the database knows how many values there are. */
  readonly column?: Sql;
  /** It is a whole number, which an index may hold. */
  readonly isNumber?: true;
  /** It looks at the pull request, `pull`, which is joined with where the source has none; facts hold a copy of what it reads. */
  readonly ofPull?: true;
  /** It reads facts of the pull request, by a look at each where they are not joined with. */
  readonly ofFacts?: true;
  /** Only some sources have it. */
  readonly own?: true;
}

/** The line of people beside those of AI reviewers. */
export const PEOPLE_LINE = 'people';

/** On the clocks of whoever asks; a date later than now counts as now. */
const local = ({ source, asked }: { source: Source; asked: Asked }) =>
  clockIn(asked.time_zone, sql`least(${source.moment}, ${asked.now}::timestamptz)`);

/** Every metric can be told apart by each of these (docs/metrics.md#what-holds-everywhere). */
export const dimensions = {
  repository: { of: () => sql`it.repository_id`, isNumber: true },
  author_kind: {
    of: ({ pull }) => kindOf(sql`${pull}.author_id`),
    ofPull: true,
  },
  size: {
    of: ({ pull }) => sizeOf(sql`${pull}.lines_changed`),
    ofPull: true,
  },
  base_branch: {
    // Facts that were computed by an older version do not hold it yet.
    of: ({ pull, facts }) =>
      facts !== null
        ? sql`coalesce(${sql.ref(`${facts}.base_ref`)}, (select based.base_ref from pull_requests based
            where based.repository_id = it.repository_id and based.number = it.number))`
        : sql`${pull}.base_ref`,
    ofPull: true,
  },
  /** `true` or `false`. */
  draft: {
    of: ({ facts }) =>
      facts === null
        ? sql`coalesce((select opened.opened_as_draft from pull_request_facts opened
            where opened.repository_id = it.repository_id and opened.number = it.number), false)::text`
        : sql`coalesce(${sql.ref(`${facts}.opened_as_draft`)}, false)::text`,
    ofFacts: true,
  },
  weekday: { of: (row) => sql`extract(isodow from ${local(row)})::int`, isNumber: true },
  hour: { of: (row) => sql`extract(hour from ${local(row)})::int`, isNumber: true },
  /** `1-10` is Monday, ten o'clock. */
  hour_of_week: { of: (row) => sql`extract(isodow from ${local(row)}) || '-' || extract(hour from ${local(row)})` },
  /** Of reviews alone: by whom, a row id. */
  reviewer: { of: () => sql`it.author_id`, isNumber: true, own: true },
  /** Of what is told of each of several AI reviewers apart: a tool, or `people`. */
  ai_reviewer: {
    of: () => sql`coalesce(nullif(it.reviewer, ${PEOPLE}), ${PEOPLE_LINE})`,
    column: sql`it.reviewer`,
    own: true,
  },
  /** Of lines changed alone. */
  area: { of: () => sql`it.area`, own: true },
} as const satisfies Record<
  keyof typeof dimensionWords | 'hour_of_week' | 'reviewer' | 'ai_reviewer' | 'area',
  Dimension
>;

export type DimensionKey = keyof typeof dimensions;

/** Values of dimensions that alone are asked for. */
export type Only = Readonly<Partial<Record<DimensionKey, string>>>;

/** The expression of a dimension for rows of a source whose pull request has the alias `pull`, and its facts, where they are joined with, `facts`. */
export function dimensionOf(
  key: DimensionKey,
  source: Source,
  pull: string,
  asked: Asked,
  facts: string | null = source.isFacts ? 'it' : null,
): Sql {
  const dimension: Dimension = dimensions[key];
  return dimension.of({ source, pull: sql.ref(pull), facts, asked });
}

/** The column that alone a dimension is made of; null where there is none. */
export function columnOf(key: DimensionKey): Sql | null {
  const dimension: Dimension = dimensions[key];
  return dimension.column ?? null;
}

/** A value as the expression has it. */
export function typed(key: DimensionKey, value: string): string | number {
  return 'isNumber' in dimensions[key] ? Number(value) : value;
}

/** Those of the values that things of any source have. */
export function shared(only: Only): Only {
  return Object.fromEntries(Object.entries(only).filter(([key]) => !('own' in dimensions[key as DimensionKey])));
}

/** Whether a dimension looks at the pull request. */
export function isOfPull(key: DimensionKey): boolean {
  return 'ofPull' in dimensions[key];
}

/** Whether a dimension reads facts of the pull request. */
export function readsFacts(key: DimensionKey): boolean {
  return 'ofFacts' in dimensions[key];
}
