import { type Kysely, sql } from 'kysely';
import type { ComparativeMetrics } from '#contract/pull-requests.ts';
import { ENOUGH_TO_COMPARE } from '#domain/metrics/thresholds.ts';
import type { Compared } from '../db/compared.ts';
import type { Database } from '../db/database.ts';
import { hoursToMerge } from '../db/hours-to-merge.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * Where a pull request stands among those that the team's people merged in the 90 days before its end, and against its author's
 * others of 180 days (docs/metrics.md#one-pull-request). The team's figures are null with fewer than 5 others.
 */
export async function comparisonOf(db: Kysely<Database>, scope: Scope, it: Compared): Promise<ComparativeMetrics> {
  const mergedWithin = (days: number) => sql`
    ${scope.filter('p')}
      and p.merged_at is not null and p.ended_at > ${new Date(it.end.getTime() - days * 24 * 3_600_000)}
      and ${it.ends_now ? sql`true` : sql`p.ended_at <= ${it.end}`}
      and (p.repository_id, p.number) <> (${it.repository_id}::int, ${it.number}::int)`;
  const { rows } = await sql<ComparativeMetrics>`
    with team as (
      select count(*)::int as prs,
        percentile_cont(0.5) within group (order by ${hoursToMerge}) as p50,
        percentile_cont(0.75) within group (order by ${hoursToMerge}) as p75,
        percentile_cont(0.9) within group (order by ${hoursToMerge}) as p90,
        percentile_cont(0.5) within group (order by p.lines_changed) as p50_size,
        100 * avg((${hoursToMerge} < ${it.hours}::float8)::int) as cycle_time_percentile,
        100 * avg((p.lines_changed < ${it.lines_changed}::int)::int) as size_percentile
      from pull_requests p
      join people author on author.id = p.author_id and author.kind = 'human'
      where ${mergedWithin(90)}
    ), author as (
      select count(*)::int as prs, avg(p.lines_changed)::float8 as avg_pr_size, avg(${hoursToMerge}) as avg_cycle_time
      from pull_requests p
      where p.author_id = ${it.author_id}::int and ${mergedWithin(180)}
    )
    select author.avg_pr_size as author_avg_pr_size, author.avg_cycle_time as author_avg_cycle_time,
      case when enough then size_percentile::float8 end as size_percentile,
      case when enough then cycle_time_percentile::float8 end as cycle_time_percentile,
      case when enough then p50 end as team_p50_cycle_time,
      case when enough then p75 end as team_p75_cycle_time,
      case when enough then p90 end as team_p90_cycle_time,
      case when enough then p50_size end as team_p50_pr_size,
      author.prs as author_set_size, team.prs as comparison_set_size
    from author, team, lateral (select team.prs >= ${ENOUGH_TO_COMPARE} as enough) judged`.execute(db);
  return rows[0]!;
}
