import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { lastSixWeeks, type Window } from '#domain/period.ts';
import { activePeople } from '../db/contributions.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';

type Averages = ContributorMetrics['team_averages'];

/**
 * What a human of the team comes to on average: of those active in the last six weeks what each opened and merged in them, and of
 * those active in the period every figure, nulls left out (metric definitions, section 4, `team_averages`).
 */
export async function teamAverages(db: Kysely<Database>, scope: Scope, now: Date, period: Window): Promise<Averages> {
  const sixWeeks = new Date(lastSixWeeks(now.getTime())[0]!.after);
  const { active_people, ...means } = await averagesSince(db, scope, new Date(period.after));
  return { ...(await velocitySince(db, scope, sixWeeks)), active_people, period: means };
}

async function velocitySince(
  db: Kysely<Database>,
  scope: Scope,
  after: Date,
): Promise<Pick<Averages, 'total_prs_opened' | 'total_prs_merged'>> {
  const inScope = sql`repository_id = any(${scope.repository_ids}::int[])`;
  const { rows } = await sql<Pick<Averages, 'total_prs_opened' | 'total_prs_merged'>>`
    with active as (
      ${activePeople(scope, after)}
    ), opened as (
      select author_id as person_id, count(*) as prs
      from pull_requests where ${inScope} and created_at > ${after} group by author_id
    ), merged as (
      select author_id as person_id, count(*) as prs
      from pull_requests where ${inScope} and ended_at > ${after} and merged_at is not null group by author_id
    )
    select avg(coalesce(opened.prs, 0))::float8 as total_prs_opened, avg(coalesce(merged.prs, 0))::float8 as total_prs_merged
    from active left join opened using (person_id) left join merged using (person_id)`.execute(db);
  return rows[0]!;
}

async function averagesSince(
  db: Kysely<Database>,
  scope: Scope,
  after: Date,
): Promise<Averages['period'] & Pick<Averages, 'active_people'>> {
  const inScope = sql`repository_id = any(${scope.repository_ids}::int[])`;
  const { rows } = await sql<Averages['period'] & Pick<Averages, 'active_people'>>`
    with active as (
      ${activePeople(scope, after)}
    ), opened as (
      select author_id as person_id, count(*) as prs, avg(lines_changed) as size
      from pull_requests where ${inScope} and created_at > ${after} group by author_id
    ), ended as (
      select p.author_id as person_id, count(p.merged_at) as merged, count(p.merged_at)::float8 / count(*) as merge_rate,
        avg(f.time_to_merge) as hours,
        avg(f.review_cycles) filter (where p.merged_at is not null and f.review_cycles > 0) as cycles
      from pull_requests p
      join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
      where p.${inScope} and p.ended_at > ${after} and f.${inScope} and f.ended_at > ${after} group by p.author_id
    ), reviewed as (
      select person_id, count(*) as prs, sum(total_hours) / nullif(sum(responses), 0) as hours
      from (
        select author_id as person_id, sum(response_hours) as total_hours, count(response_hours) as responses
        from reviews where ${inScope} and counts and submitted_at > ${after}
        group by author_id, repository_id, number
      ) by_pull_request
      group by person_id
    )
    select
      count(*)::int as active_people,
      avg(coalesce(opened.prs, 0))::float8 as total_prs_opened,
      avg(coalesce(ended.merged, 0))::float8 as total_prs_merged,
      avg(coalesce(reviewed.prs, 0))::float8 as total_prs_reviewed,
      avg(ended.hours)::float8 as avg_time_to_merge_hours,
      avg(opened.size)::float8 as avg_pr_size,
      avg(ended.merge_rate)::float8 as pr_merge_rate,
      avg(ended.cycles)::float8 as avg_review_cycles,
      avg(reviewed.hours)::float8 as avg_review_response_time
    from active
    left join opened using (person_id) left join ended using (person_id) left join reviewed using (person_id)`.execute(
    db,
  );
  return rows[0]!;
}
