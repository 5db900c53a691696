import type { Kysely } from 'kysely';
import type { ContributorMetrics, OwnFigures } from '#contract/contributors.ts';
import { ACTIVE_DAYS_OUT_OF } from '#domain/activity-calendar.ts';
import { badgesOf } from '#domain/badges.ts';
import { lastDays, type Period, periodDays, windowBefore } from '#domain/period.ts';
import { countTrend, meanTrend } from '#domain/trend.ts';
import type { Database } from '../db/database.ts';
import { asking, since } from '../metrics/asked.ts';
import { comparedWith } from '../metrics/compared-with.ts';
import type { Scope } from '../metrics/scope.ts';
import { codeOwnershipAreas } from './code-ownership.ts';
import type { FoundPerson } from './find-contributor.ts';
import { activityCalendar, type OwnNumbers, ownNumbers, velocityOf } from './own-numbers.ts';
import { stalePullRequests } from './stale-pull-requests.ts';
import { teamFigures } from './team-figures.ts';
import { topReviewersOf } from './top-reviewers-of.ts';
import { withAgents } from './with-agents.ts';

/** Every figure about one contributor over a period (docs/metrics.md#one-person). A date later than `now` counts as now. */
export async function contributorMetrics(
  db: Kysely<Database>,
  scope: Scope,
  person: FoundPerson,
  period: Period,
  now: Date,
  timeZone: string,
): Promise<ContributorMetrics> {
  const window = lastDays(now.getTime(), periodDays(period));
  const asked = asking(scope, now, timeZone, { window: since(window.after), person: person.id });
  const [team, own, top_reviewed_by, code_ownership_areas, stale_prs, with_agents] = await Promise.all([
    teamFigures(db, scope, now, window),
    ownFigures(db, scope, person, period, now, timeZone),
    topReviewersOf(db, asked),
    codeOwnershipAreas(db, asked),
    stalePullRequests(db, scope, person.id, now),
    withAgents(db, scope, person.id, new Date(window.after)),
  ]);
  const { numbers, figures } = own;
  return {
    ...figures,
    badges: badgesOf({
      countingReviews: numbers.counting_reviews,
      mostCountingReviews: team.most_counting_reviews,
      medianResponse: numbers.review_response_time_p50,
      responses: numbers.responses,
      opened: numbers.total_prs_opened,
      openedSmall: numbers.opened_small,
      activeDays: figures.active_days,
      mergeRate: numbers.pr_merge_rate,
      ended: numbers.ended,
    }),
    top_reviewed_by,
    code_ownership_areas,
    stale_prs,
    team_averages: team.team_averages,
    with_agents,
  };
}

/**
 * Those of `contributorMetrics` that need no more than a look at this contributor, in less than half the time; and what they and the
 * badges are made of.
 */
export async function ownFigures(
  db: Kysely<Database>,
  scope: Scope,
  person: FoundPerson,
  period: Period,
  now: Date,
  timeZone: string,
): Promise<{ numbers: OwnNumbers; figures: OwnFigures }> {
  const window = lastDays(now.getTime(), periodDays(period));
  const asked = asking(scope, now, timeZone, { window: since(window.after), person: person.id });
  const [numbers, activity_calendar, velocity_trend, compared_with] = await Promise.all([
    ownNumbers(db, asked, window),
    activityCalendar(db, asked),
    velocityOf(db, asked),
    comparedWith(db, scope, windowBefore(window)),
  ]);
  const figures = {
    username: person.username,
    display_name: person.display_name,
    avatar_url: person.avatar_url,
    kind: person.kind,
    last_active: person.last_active?.toISOString() ?? null,
    total_prs_opened: numbers.total_prs_opened,
    total_prs_merged: numbers.total_prs_merged,
    total_commits: numbers.total_commits,
    current_open_prs: person.current_open_prs,
    active_days: activity_calendar.slice(-ACTIVE_DAYS_OUT_OF).filter(({ count }) => count > 0).length,
    prs_opened_trend: countTrend(numbers.total_prs_opened, numbers.opened_before),
    prs_merged_trend: countTrend(numbers.total_prs_merged, numbers.merged_before),
    avg_time_to_merge_hours: numbers.avg_time_to_merge_hours,
    time_to_merge_trend: meanTrend(numbers.avg_time_to_merge_hours, numbers.hours_to_merge_before),
    previous: {
      total_prs_opened: numbers.opened_before,
      total_prs_merged: numbers.merged_before,
      total_prs_reviewed: numbers.reviewed_before,
      avg_time_to_merge_hours: numbers.hours_to_merge_before,
    },
    compared_with,
    avg_pr_size: numbers.avg_pr_size,
    pr_merge_rate: numbers.pr_merge_rate,
    avg_review_cycles: numbers.avg_review_cycles,
    review_response_time_p50: numbers.review_response_time_p50,
    review_response_time_p75: numbers.review_response_time_p75,
    review_response_time_p95: numbers.review_response_time_p95,
    total_prs_reviewed: numbers.total_prs_reviewed,
    prs_reviewed_trend: countTrend(numbers.total_prs_reviewed, numbers.reviewed_before),
    unique_developers_reviewed: numbers.unique_developers_reviewed,
    avg_review_response_time: numbers.avg_review_response_time,
    large_pr_frequency: numbers.large_pr_frequency,
    pr_size_distribution: numbers.sizes,
    velocity_trend,
    activity_calendar,
  };
  return { numbers, figures };
}
