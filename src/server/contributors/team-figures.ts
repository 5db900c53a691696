import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { lastSixWeeks, type Window } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import { wasActiveSince } from '../metrics/contributions.ts';
import { figuresSince, type Summed } from '../metrics/figures-since.ts';
import type { Scope } from '../metrics/scope.ts';

type Averages = ContributorMetrics['team_averages'];

export interface TeamFigures {
  readonly team_averages: Averages;
  /** The highest number of counting reviews that anyone gave in the scope and period. */
  readonly most_counting_reviews: number;
}

type PeriodFigures = Averages['period'] & Pick<Averages, 'active_people'> & Pick<TeamFigures, 'most_counting_reviews'>;

/**
 * What a human of the team comes to on average: of those active in the last six weeks what each opened and merged in them, and of
 * those active in the period every figure, nulls left out (`team_averages` and `badges` in docs/metrics.md#one-person).
 */
export async function teamFigures(db: Kysely<Database>, scope: Scope, now: Date, period: Window): Promise<TeamFigures> {
  const sixWeeks = new Date(lastSixWeeks(now.getTime())[0]!.after);
  const [{ active_people, most_counting_reviews, ...means }, velocity] = await Promise.all([
    figuresOf(db, scope, new Date(period.after)),
    velocitySince(db, scope, sixWeeks),
  ]);
  return {
    team_averages: { ...velocity, active_people, period: means },
    most_counting_reviews,
  };
}

async function velocitySince(
  db: Kysely<Database>,
  scope: Scope,
  after: Date,
): Promise<Pick<Averages, 'total_prs_opened' | 'total_prs_merged'>> {
  const { rows } = await sql<Pick<Averages, 'total_prs_opened' | 'total_prs_merged'>>`
    with active as (
      ${activePeople(scope, after, ['opened', 'merged', 'contributions'])}
    )
    select avg(coalesce(opened, 0)) as total_prs_opened, avg(coalesce(merged, 0)) as total_prs_merged
    from active`.execute(db);
  return rows[0]!;
}

async function figuresOf(db: Kysely<Database>, scope: Scope, after: Date): Promise<PeriodFigures> {
  const { rows } = await sql<PeriodFigures>`
    with active as (
      ${activePeople(scope, after, summed)}
    )
    select
      count(*)::int as active_people,
      coalesce(max(counting_reviews), 0)::int as most_counting_reviews,
      avg(coalesce(opened, 0)) as total_prs_opened,
      avg(coalesce(merged, 0)) as total_prs_merged,
      avg(coalesce(reviewed, 0)) as total_prs_reviewed,
      avg(merge_ms / nullif(merged, 0)) / 3600000 as avg_time_to_merge_hours,
      avg(lines_opened / nullif(opened, 0)) as avg_pr_size,
      avg(merged / nullif(ended, 0)) as pr_merge_rate,
      avg(cycles / nullif(with_cycles, 0)) as avg_review_cycles,
      avg(response_ms / nullif(responses, 0)) / 3600000 as avg_review_response_time
    from active`.execute(db);
  return rows[0]!;
}

const summed = [
  'opened',
  'merged',
  'counting_reviews',
  'reviewed',
  'lines_opened',
  'ended',
  'merge_ms',
  'with_cycles',
  'cycles',
  'responses',
  'response_ms',
  'contributions',
] as const;

/** Humans who were active since `after`, each with what they came to; null where nothing of that kind is known of them. */
function activePeople(scope: Scope, after: Date, names: readonly Summed[]) {
  return sql`
    select figures.*
    from (
      select distinct person_id as id from contributor_totals where ${scope.filter()}
    ) seen
    join people person on person.id = seen.id and person.kind = 'human'
    left join (${figuresSince(scope, after, names)}) figures on figures.person_id = seen.id
    where figures.contributions > 0 or ${wasActiveSince(scope, after, 'seen.id')}`;
}
