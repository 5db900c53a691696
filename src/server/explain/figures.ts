import { sql } from 'kysely';
import { lastCalendarDays } from '#domain/calendar-days.ts';
import type { FigureKey } from '#domain/definitions.ts';
import { leftOutReasons } from '#domain/left-out.ts';
import { LARGE_ABOVE_LINES } from '#domain/metrics/thresholds.ts';
import { lastDays, type Period, periodDays } from '#domain/period.ts';
import { isAwaiting, isComplexReview, isOld, isStale } from '../metrics/conditions.ts';
import { contributions } from '../metrics/contributions.ts';
import { type Figure, type Frame, figure, nothing, type Sql } from './figure.ts';
import { figuresOfComparisons } from './figures-of-comparisons.ts';
import { figuresOfParts } from './figures-of-parts.ts';
import { figuresOfTheLoad } from './figures-of-the-load.ts';
import {
  byMachines,
  closedUnmerged,
  ended,
  given,
  inScope,
  latestPerKey,
  merged,
  noResponse,
  open,
  opened,
  others,
  pulls,
  replies,
  responses,
  submitted,
} from './items.ts';

const WEEK = 7;
const MONTH = 30;

const contributionsSince = (from: (frame: Frame) => Date, frame: Frame) =>
  contributions(
    ({ person, at }) => sql`${frame.scope.filter()} and ${person} = ${frame.person_id} and ${at} >= ${from(frame)}`,
    true,
  );
const activeDays = (frame: Frame) => {
  const starts = lastCalendarDays(frame.now.getTime(), MONTH, frame.time_zone).map(({ from }) => new Date(from));
  return latestPerKey(sql`width_bucket(at, ${starts}::timestamptz[])`, (of) =>
    contributionsSince(() => starts[0]!, of),
  )(frame);
};
const participations = (condition: Sql) => (frame: Frame) =>
  sql`
  select p.repository_id, p.number, p.last_activity_at as at from participations p
  where ${inScope(frame)} and p.person_id = ${frame.person_id} and ${condition}`;

/** What every person's lists share, in their window. */
const openNow = figure(null, 'count', open());
const stuck = open(({ now }) => isOld(now));
const isMerged = sql`(p.merged_at is not null)::int::float8`;

/** The figures that are one number over many pull requests, by the key of their definition (docs/metrics.md). */
export const figures: Partial<Record<FigureKey, Figure>> = {
  'team.total_contributors': figure(
    MONTH,
    'count',
    ({ scope, after }) => sql`
      select active.repository_id, (
        select min(one.number) from participations one
        where one.repository_id = active.repository_id and one.person_id = active.person_id
          and one.last_activity_at = active.last_activity_at
      ) as number, active.last_activity_at as at, ${nothing} as value
      from (
        select distinct on (t.person_id) t.repository_id, t.person_id, t.last_activity_at
        from contributor_totals t join people person on person.id = t.person_id and person.kind = 'human'
        where ${scope.filter('t')} and t.last_activity_at > ${after}
        order by t.person_id, t.last_activity_at desc, t.repository_id
      ) active`,
  ),
  'team.open_prs': openNow,
  'team.stuck_prs': figure(null, 'count', stuck),
  'team.active_prs_today': figure(null, 'count', (frame) => {
    const midnight = new Date(lastCalendarDays(frame.now.getTime(), 1, frame.time_zone)[0]!.from);
    return latestPerKey(
      sql`(repository_id, number)`,
      () => sql`select repository_id, number, at from timeline_moments p where ${inScope(frame)} and at >= ${midnight}`,
    )(frame);
  }),
  'team.total_prs': figure(MONTH, 'count', opened(nothing)),
  'team.merged_prs': figure(MONTH, 'count', merged(nothing), closedUnmerged),
  'team.pr_merge_rate': figure(MONTH, 'share', ended(isMerged)),
  'team.avg_time_to_merge_hours': figure(MONTH, 'mean', merged(sql`f.time_to_merge`), closedUnmerged),
  'team.avg_review_time_hours': figure(
    MONTH,
    'mean',
    pulls(sql`f.first_review_at`, sql`f.time_to_first_review`, ({ after }) => sql`f.first_review_at > ${after}`),
    byMachines,
    replies,
    {
      reason: leftOutReasons.notReviewedYet,
      rows: pulls(
        sql`p.created_at`,
        nothing,
        ({ after }) => sql`p.created_at > ${after} and f.first_review_at is null`,
      ),
    },
  ),
  'team.total_reviews': figure(MONTH, 'count', submitted(sql`r.counts`), replies, byMachines, others),
  'team.avg_pr_size': figure(MONTH, 'mean', opened(sql`p.lines_changed::float8`)),

  'reviewer.review_count': figure(WEEK, 'count', given, replies, others),
  'reviewer.avg_review_time_hours': figure(WEEK, 'mean', responses, noResponse),
  'load.reviews_last_week': figure(WEEK, 'count', given, replies, others),
  'load.complex_reviews': figure(WEEK, 'count', submitted(sql`(r.counts or r.automated) and ${isComplexReview('r')}`)),
  'load.merged_last_week': figure(WEEK, 'count', merged(nothing), closedUnmerged),
  'load.outstanding_reviews': figure(
    null,
    'count',
    (frame) => sql`
      select p.repository_id, p.number, p.created_at as at, ${nothing} as value
      from pull_requests p
      join review_requests request on request.repository_id = p.repository_id and request.number = p.number
      where ${inScope(frame)} and p.state = 'open' and not p.draft and request.person_id = ${frame.person_id}`,
  ),

  'developer.open_prs': openNow,
  'developer.merged_prs': figure(MONTH, 'count', merged(nothing), closedUnmerged),
  'developer.avg_pr_size': figure(MONTH, 'mean', opened(sql`p.lines_changed::float8`)),
  'developer.avg_merge_time_hours': figure(MONTH, 'mean', merged(sql`f.time_to_merge`), closedUnmerged),
  'developer.reviews_given': figure(MONTH, 'count', given, replies, others),
  'developer.avg_review_response_hours': figure(MONTH, 'mean', responses, noResponse),
  'developer.prs_awaiting_review': figure(
    null,
    'count',
    open(({ now }) => isAwaiting(now)),
  ),
  'developer.review_approval_rate': figure(
    MONTH,
    'percent',
    pulls(
      sql`coalesce(p.ended_at, p.created_at)`,
      sql`(f.latest_opinion = 'approved')::int::float8`,
      ({ after }) => sql`(p.created_at > ${after} or p.ended_at > ${after}) and f.latest_opinion is not null`,
    ),
    {
      reason: 'Without an approval or a request for changes',
      rows: pulls(
        sql`p.created_at`,
        nothing,
        ({ after }) => sql`(p.created_at > ${after} or p.ended_at > ${after}) and f.latest_opinion is null`,
      ),
    },
  ),
  'developer.first_time_approval_rate': figure(
    MONTH,
    'percent',
    ended(sql`f.approved_first_time::int::float8`, sql`f.approved_first_time is not null`),
    { reason: 'Without a review', rows: ended(nothing, sql`f.approved_first_time is null`) },
  ),
  'developer.review_to_pr_ratio': figure(MONTH, { per: opened(nothing) }, given),
  'developer.active_days': figure(MONTH, 'count', activeDays),

  'contributor.total_prs_opened': figure('period', 'count', opened(nothing)),
  'contributor.total_prs_merged': figure('period', 'count', merged(nothing), closedUnmerged),
  'contributor.current_open_prs': openNow,
  'contributor.repositories_count': figure(
    null,
    'count',
    latestPerKey(sql`repository_id`, participations(sql`p.opened + p.counting_reviews + p.automated_reviews > 0`)),
  ),
  'contributor.total_commits': figure('period', 'count', (frame) =>
    latestPerKey(
      sql`sha`,
      (of) => sql`select * from (${contributionsSince(({ after }) => after, of)}) c where at > ${of.after}`,
    )(frame),
  ),
  'contributor.total_prs_reviewed': figure(
    'period',
    'count',
    latestPerKey(sql`(repository_id, number)`, given),
    replies,
    others,
  ),
  'contributor.active_days': figure(MONTH, 'count', activeDays),
  'contributor.avg_time_to_merge_hours': figure('period', 'mean', merged(sql`f.time_to_merge`), closedUnmerged),
  'contributor.avg_pr_size': figure('period', 'mean', opened(sql`p.lines_changed::float8`)),
  'contributor.pr_merge_rate': figure('period', 'share', ended(isMerged)),
  'contributor.avg_review_cycles': figure(
    'period',
    'mean',
    merged(sql`f.review_cycles::float8`, sql`f.review_cycles > 0`),
    { reason: 'Merged without a review', rows: merged(nothing, sql`f.review_cycles = 0`) },
    closedUnmerged,
  ),
  'contributor.avg_review_response_time': figure('period', 'mean', responses, noResponse),
  'contributor.review_response_time_p50': figure('period', { percentile: 0.5 }, responses, noResponse),
  'contributor.review_response_time_p75': figure('period', { percentile: 0.75 }, responses, noResponse),
  'contributor.review_response_time_p95': figure('period', { percentile: 0.95 }, responses, noResponse),
  'contributor.unique_developers_reviewed': figure(
    'period',
    'count',
    latestPerKey(
      sql`author_id`,
      (frame) =>
        sql`
        select every.*, p.author_id from (${given(frame)}) every
        join pull_requests p on p.repository_id = every.repository_id and p.number = every.number
        join people h on h.id = p.author_id and h.kind = 'human'`,
    ),
  ),
  'contributor.stale_prs': figure(
    null,
    'count',
    pulls(sql`f.last_activity_at`, nothing, ({ now }) => isStale(now)),
    { reason: 'Drafts', rows: open(() => sql`p.draft`) },
  ),
  'contributor.large_pr_frequency': figure(
    'period',
    'share',
    opened(sql`(p.lines_changed > ${LARGE_ABOVE_LINES})::int::float8`),
  ),

  'all_time.total_prs_opened': figure(null, 'count', opened(nothing)),
  'all_time.total_prs_merged': figure(null, 'count', merged(nothing), closedUnmerged),

  ...figuresOfTheLoad,
  ...figuresOfParts,
  ...figuresOfComparisons,
};

/** What a figure's window begins after; null for one without a window. */
export function beginningOf({ days }: Figure, period: Period, now: Date): Date | null {
  if (days === null) return null;
  return new Date(lastDays(now.getTime(), days === 'period' ? periodDays(period) : days).after);
}
