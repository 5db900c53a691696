import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './scope.ts';

/** What can be summed for each person; durations in milliseconds. See the columns of `contributor_months`. */
export type Summed =
  | 'opened'
  | 'merged'
  | 'counting_reviews'
  | 'reviewed'
  | 'lines_opened'
  | 'ended'
  | 'merge_ms'
  | 'with_cycles'
  | 'cycles'
  | 'responses'
  | 'response_ms'
  | 'contributions';

const ofOpened: Partial<Record<Summed, string>> = {
  opened: 'count(*)::int',
  lines_opened: 'sum(lines_changed)::float8',
};
const ofEnded: Partial<Record<Summed, string>> = {
  ended: 'count(*)::int',
  merged: 'count(time_to_merge)::int',
  merge_ms: 'sum(time_to_merge * 3600000)',
  with_cycles: '(count(*) filter (where time_to_merge is not null and review_cycles > 0))::int',
  cycles: 'coalesce(sum(review_cycles) filter (where time_to_merge is not null), 0)::int',
};
const ofReviews: Partial<Record<Summed, string>> = {
  counting_reviews: 'count(*)::int',
  reviewed: '(count(*) filter (where latest))::int',
  responses: 'count(response_hours)::int',
  response_ms: 'sum(response_hours * 3600000)',
};

/**
 * What each person came to since `after`: rows of `person_id` and the sums named, as float8. Whole years that begin with
 * a calendar quarter of UTC, and the whole months before the first of them, are taken from what is kept of them, so that a year costs
 * little more than a month; what lies before the first whole month is read itself.
 * `contributions` are those of the whole months alone: a person with none may still have some before them.
 * Deleted accounts have no row.
 */
export function figuresSince(scope: Scope, after: Date, names: readonly Summed[]): RawBuilder<unknown> {
  const inScope = scope.filter();
  const month = firstOfMonths(1, after);
  const quarter = firstOfMonths(3, after);
  const rest = (column: string) => sql`${sql.ref(column)} > ${after} and ${sql.ref(column)} < ${month}`;
  const columns = (made: Partial<Record<Summed, string>>) =>
    sql.join(names.map((name) => sql`${sql.raw(made[name] ?? '0')} as ${sql.ref(name)}`));
  const kept = (span: RawBuilder<unknown>) => sql`
      select person_id, ${sql.join(names.map((name) => sql.ref(name)))}
      from contributor_months where ${inScope} and ${span}`;
  const parts = [
    kept(sql`span = ${quarter.getUTCMonth() + 1} and month >= ${quarter}::date`),
    ...(month < quarter ? [kept(sql`span = 0 and month >= ${month}::date and month < ${quarter}::date`)] : []),
    ...(names.some((name) => name in ofOpened)
      ? [
          sql`
      select author_id, ${columns(ofOpened)} from pull_requests where ${inScope} and ${rest('created_at')} group by author_id`,
        ]
      : []),
    ...(names.some((name) => name in ofEnded)
      ? [
          sql`
      select author_id, ${columns(ofEnded)} from pull_request_facts where ${inScope} and ${rest('ended_at')} group by author_id`,
        ]
      : []),
    ...(names.some((name) => name in ofReviews)
      ? [
          sql`
      select author_id, ${columns(ofReviews)} from reviews where ${inScope} and counts and ${rest('submitted_at')} group by author_id`,
        ]
      : []),
  ];
  return sql`
    select person_id, ${sql.join(names.map((name) => sql`sum(${sql.ref(name)})::float8 as ${sql.ref(name)}`))}
    from (${sql.join(parts, sql` union all `)}) part
    where person_id is not null group by person_id`;
}

/** The beginning of the first calendar month of UTC, or quarter, that lies after a moment as a whole. */
function firstOfMonths(months: 1 | 3, moment: Date): Date {
  const month = moment.getUTCMonth();
  return new Date(Date.UTC(moment.getUTCFullYear(), month - (month % months) + months, 1));
}
