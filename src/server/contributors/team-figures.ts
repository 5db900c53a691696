import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { MetricKey } from '#domain/metrics/metric.ts';
import { lastSixWeeks, type Window } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import { asking, since } from '../metrics/asked.ts';
import { wasMemberIn } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import { wasActiveSince } from '../metrics/contributions.ts';
import type { Scope } from '../metrics/scope.ts';
import type { Asked, Sql } from '../metrics/sources/source.ts';
import { totalsByPerson } from '../metrics/starters.ts';
import { keptSince } from '../metrics/sums.ts';

type Averages = ContributorMetrics['team_averages'];

export interface TeamFigures {
  readonly team_averages: Averages;
  /** The highest number of counting reviews that anyone gave in the scope and period. */
  readonly most_counting_reviews: number;
}

type PeriodFigures = Averages['period'] & Pick<Averages, 'active_people'> & Pick<TeamFigures, 'most_counting_reviews'>;

/**
 * What a human of the team comes to on average: of those active in the last six weeks what each opened and merged in them, and of
 * those active in the period every figure, nulls left out (`contributor.team_averages` and `badges` in docs/metrics.md#one-person).
 */
export async function teamFigures(db: Kysely<Database>, scope: Scope, now: Date, period: Window): Promise<TeamFigures> {
  const askedSince = (after: number) => asking(scope, now, 'UTC', { window: since(after) });
  const [{ active_people, most_counting_reviews, ...means }, velocity] = await Promise.all([
    figuresOf(db, askedSince(period.after)),
    velocitySince(db, askedSince(lastSixWeeks(now.getTime())[0]!.after)),
  ]);
  return {
    team_averages: { ...velocity, active_people, period: means },
    most_counting_reviews,
  };
}

async function velocitySince(
  db: Kysely<Database>,
  asked: Asked,
): Promise<Pick<Averages, 'total_prs_opened' | 'total_prs_merged'>> {
  const { rows } = await sql<Pick<Averages, 'total_prs_opened' | 'total_prs_merged'>>`
    select avg(coalesce(opened, 0)) as total_prs_opened, avg(coalesce(merged, 0)) as total_prs_merged
    from ${activePeople(asked, { opened: 'opened', merged: 'merged' })} active`.execute(db);
  return rows[0]!;
}

async function figuresOf(db: Kysely<Database>, asked: Asked): Promise<PeriodFigures> {
  const { rows } = await sql<PeriodFigures>`
    select
      count(*)::int as active_people,
      coalesce(max(counting_reviews), 0)::int as most_counting_reviews,
      avg(coalesce(total_prs_opened, 0)) as total_prs_opened,
      avg(coalesce(total_prs_merged, 0)) as total_prs_merged,
      avg(coalesce(total_prs_reviewed, 0)) as total_prs_reviewed,
      ${sql.join(Object.keys(means).map((name) => sql`avg(${sql.ref(name)}) as ${sql.ref(name)}`))}
    from ${activePeople(asked, { ...counts, ...means })} active`.execute(db);
  return rows[0]!;
}

const counts = {
  counting_reviews: 'counting_reviews',
  total_prs_opened: 'opened',
  total_prs_merged: 'merged',
  total_prs_reviewed: 'pull_requests_reviewed',
} as const;

/** Of people for whom they are known. */
const means = {
  avg_time_to_merge_hours: 'time_to_merge',
  avg_pr_size: 'size',
  pr_merge_rate: 'merge_rate',
  avg_review_cycles: 'rounds',
  avg_review_response_time: 'response_time',
} as const;

/**
 * Humans who were active in the window, of a team as members, each with what they came to; null where nothing of that kind is known of them.
 * They stand by their ids, for a mean depends on the order in which numbers are added.
 */
function activePeople(asked: Asked, metrics: Readonly<Record<string, MetricKey>>): Sql {
  const { team } = asked.scope;
  return sql`(
    select figures.*
    from (
      select distinct t.person_id as id from ${totalsByPerson(asked.scope)} t where ${allOf([
        asked.scope.filter('t'),
        ...(team === null ? [] : [wasMemberIn(team, sql`t.person_id`, asked.window, asked.now)]),
      ])}
    ) seen
    join people person on person.id = seen.id and person.kind = 'human'
    left join ${keptSince(asked, metrics)} figures on figures.person_id = seen.id
    where figures.contributions > 0 or ${wasActiveSince(asked.scope, asked.window.after, 'seen.id')}
    order by seen.id)`;
}
