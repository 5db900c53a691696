import type { Kysely } from 'kysely';
import type { ContributorMetrics, OwnFigures } from '#contract/contributors.ts';
import { ACTIVE_DAYS_OUT_OF } from '#domain/activity-calendar.ts';
import { badgesOf } from '#domain/badges.ts';
import { lastDays, type Period, periodDays, windowBefore } from '#domain/period.ts';
import { countTrend, meanTrend } from '#domain/trend.ts';
import type { Database } from '../db/database.ts';
import { comparedWith } from '../metrics/compared-with.ts';
import type { Scope } from '../metrics/scope.ts';
import { activityCalendar } from './activity-calendar.ts';
import { type AuthoredFigures, authoredFigures } from './authored-figures.ts';
import { codeOwnershipAreas } from './code-ownership.ts';
import { commitsAuthored } from './commits-authored.ts';
import type { FoundPerson } from './find-contributor.ts';
import { type ReviewFigures, reviewFigures } from './review-figures.ts';
import { stalePullRequests } from './stale-pull-requests.ts';
import { teamFigures } from './team-figures.ts';
import { topReviewersOf } from './top-reviewers-of.ts';
import { velocityOf } from './velocity.ts';

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
  const after = new Date(window.after);
  const [team, own, top_reviewed_by, code_ownership_areas, stale_prs] = await Promise.all([
    teamFigures(db, scope, now, window),
    ownFigures(db, scope, person, period, now, timeZone),
    topReviewersOf(db, scope, person.id, after),
    codeOwnershipAreas(db, scope, person.id, after),
    stalePullRequests(db, scope, person.id, now),
  ]);
  const { authored, reviews, figures } = own;
  return {
    ...figures,
    badges: badgesOf({
      countingReviews: reviews.counting_reviews,
      mostCountingReviews: team.most_counting_reviews,
      medianResponse: reviews.review_response_time_p50,
      responses: reviews.responses,
      opened: authored.total_prs_opened,
      openedUnder200Lines: authored.opened_under_200,
      activeDays: figures.active_days,
      mergeRate: authored.pr_merge_rate,
      ended: authored.ended,
    }),
    top_reviewed_by,
    code_ownership_areas,
    stale_prs,
    team_averages: team.team_averages,
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
): Promise<{ authored: AuthoredFigures; reviews: ReviewFigures; figures: OwnFigures }> {
  const window = lastDays(now.getTime(), periodDays(period));
  const [authored, reviews, activity_calendar, total_commits, velocity_trend, compared_with] = await Promise.all([
    authoredFigures(db, scope, person.id, window),
    reviewFigures(db, scope, person.id, window),
    activityCalendar(db, scope, person.id, now, timeZone),
    commitsAuthored(db, scope, person.id, new Date(window.after)),
    velocityOf(db, scope, person.id, now, timeZone),
    comparedWith(db, scope, windowBefore(window)),
  ]);
  const figures = {
    username: person.username,
    display_name: person.display_name,
    avatar_url: person.avatar_url,
    kind: person.kind,
    last_active: person.last_active?.toISOString() ?? null,
    total_prs_opened: authored.total_prs_opened,
    total_prs_merged: authored.total_prs_merged,
    total_commits,
    current_open_prs: person.current_open_prs,
    active_days: activity_calendar.slice(-ACTIVE_DAYS_OUT_OF).filter(({ count }) => count > 0).length,
    prs_opened_trend: countTrend(authored.total_prs_opened, authored.opened_before),
    prs_merged_trend: countTrend(authored.total_prs_merged, authored.merged_before),
    avg_time_to_merge_hours: authored.avg_time_to_merge_hours,
    time_to_merge_trend: meanTrend(authored.avg_time_to_merge_hours, authored.hours_to_merge_before),
    previous: {
      total_prs_opened: authored.opened_before,
      total_prs_merged: authored.merged_before,
      total_prs_reviewed: reviews.reviewed_before,
      avg_time_to_merge_hours: authored.hours_to_merge_before,
    },
    compared_with,
    avg_pr_size: authored.avg_pr_size,
    pr_merge_rate: authored.pr_merge_rate,
    avg_review_cycles: authored.avg_review_cycles,
    review_response_time_p50: reviews.review_response_time_p50,
    review_response_time_p75: reviews.review_response_time_p75,
    review_response_time_p95: reviews.review_response_time_p95,
    total_prs_reviewed: reviews.total_prs_reviewed,
    prs_reviewed_trend: countTrend(reviews.total_prs_reviewed, reviews.reviewed_before),
    unique_developers_reviewed: reviews.unique_developers_reviewed,
    avg_review_response_time: reviews.avg_review_response_time,
    large_pr_frequency: authored.large_pr_frequency,
    pr_size_distribution: {
      '0-50': authored.size_0_50,
      '51-200': authored.size_51_200,
      '201-500': authored.size_201_500,
      '501-1000': authored.size_501_1000,
      '1000+': authored.size_over_1000,
    },
    velocity_trend,
    activity_calendar,
  };
  return { authored, reviews, figures };
}
