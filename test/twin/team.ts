import type { PersonRef } from '#domain/pull-request.ts';
import { dateOf, lastDates, meanOf, rateOf, sortedBy, timeOf } from './arithmetic.ts';
import { activeDatesOf, authoredBy, everybody, exists, reviewsOf } from './people.ts';
import { AWAITING, DAY, isHuman, STUCK, type TwinPull } from './pull-request.ts';

type Within = (at: number | null) => boolean;

const window =
  (from: number, to: number): Within =>
  (at) =>
    at !== null && at > from && at <= to;

/** When the earliest pull request was opened; null without any. */
export function historyBegins(pulls: readonly TwinPull[]): string | null {
  return pulls.length === 0 ? null : new Date(Math.min(...pulls.map(({ createdAt }) => createdAt))).toISOString();
}

/** The time that figures are over: after one moment, up to and including another. */
export interface TwinWindow {
  readonly after: number;
  readonly until: number;
}

export const lastDaysOf = (now: number, days: number): TwinWindow => ({ after: now - days * DAY, until: now });
const during = ({ after, until }: TwinWindow) => window(after, until);
const earlier = ({ after, until }: TwinWindow) => window(2 * after - until, after);
const daysIn = ({ after, until }: TwinWindow) => Math.max(1, Math.round((until - after) / DAY));

export function teamStats(pulls: readonly TwinPull[], now: number, zone: string, asked: TwinWindow) {
  const dates = lastDates(zone, asked.until, Math.min(90, daysIn(asked)));
  const today = dateOf(zone, now);
  return {
    ...teamFigures(pulls, during(asked)),
    open_prs: pulls.filter(({ pull }) => pull.state === 'open').length,
    active_prs_today: pulls.filter(({ moments }) => moments.some(({ at }) => dateOf(zone, at) === today)).length,
    active_prs_yesterday: pulls.filter(({ moments }) =>
      moments.some(
        ({ at }) => dateOf(zone, at) === lastDates(zone, now, 2)[0] && timeOf(zone, at) <= timeOf(zone, now),
      ),
    ).length,
    previous: teamFigures(pulls, earlier(asked)),
    series: dates.map((date) => {
      const on: Within = (at) => at !== null && dateOf(zone, at) === date;
      const ended = pulls.filter(({ endedAt }) => on(endedAt));
      return {
        date,
        merged_prs: ended.filter(({ pull }) => pull.state === 'merged').length,
        open_prs: pulls.filter(
          ({ createdAt, endedAt }) =>
            dateOf(zone, createdAt) <= date && (endedAt === null || dateOf(zone, endedAt) > date),
        ).length,
        avg_time_to_merge_hours: meanOf(ended.map(({ mergeHours }) => mergeHours)),
        avg_review_time_hours: meanOf(
          pulls.filter(({ firstReviewAt }) => on(firstReviewAt)).map(({ firstReviewHours }) => firstReviewHours),
        ),
        pr_merge_rate: rateOf(ended, ({ pull }) => pull.state === 'merged'),
      };
    }),
  };
}

function teamFigures(pulls: readonly TwinPull[], within: Within) {
  const opened = pulls.filter(({ createdAt }) => within(createdAt));
  const ended = pulls.filter(({ endedAt }) => within(endedAt));
  const people = new Set<string>();
  for (const { pull, moments } of pulls) {
    for (const { at, by } of moments) if (isHuman(by) && within(at)) people.add(by.id);
    for (const comment of pull.comments)
      if (isHuman(comment.author) && within(comment.createdAt)) people.add(comment.author.id);
  }
  return {
    total_contributors: people.size,
    pr_merge_rate: rateOf(ended, ({ pull }) => pull.state === 'merged'),
    merged_prs: ended.filter(({ pull }) => pull.state === 'merged').length,
    avg_time_to_merge_hours: meanOf(ended.map(({ mergeHours }) => mergeHours)),
    avg_review_time_hours: meanOf(
      pulls.filter(({ firstReviewAt }) => within(firstReviewAt)).map(({ firstReviewHours }) => firstReviewHours),
    ),
    total_prs: opened.length,
    total_reviews: pulls.flatMap(({ counting }) => counting).filter(({ at }) => within(at)).length,
    avg_pr_size: meanOf(opened.map(({ size }) => size)),
    ended_prs: ended.length,
    first_reviewed_prs: pulls.filter(
      ({ firstReviewAt, firstReviewHours }) => within(firstReviewAt) && firstReviewHours !== null,
    ).length,
  };
}

/** Which ones are stuck, oldest first, as `owner/name#number`. */
export function stuck(pulls: readonly TwinPull[], now: number): string[] {
  return sortedBy(
    pulls.filter(({ pull, createdAt }) => pull.state === 'open' && now - createdAt > STUCK),
    ({ createdAt, owner, name, pull }) => [createdAt, owner, name, pull.number],
  ).map(({ repository, pull }) => `${repository}#${pull.number}`);
}

export function listed(pulls: readonly TwinPull[], withAutomation: boolean): PersonRef[] {
  return everybody(pulls).filter((person) => withAutomation || isHuman(person));
}

export function reviewerStats(pulls: readonly TwinPull[], asked: TwinWindow, withAutomation: boolean) {
  const within = during(asked);
  const rows = listed(pulls, withAutomation).flatMap((person) => {
    const reviews = reviewsOf(pulls, person).filter(({ at }) => within(at));
    const row = {
      reviewer: person.login,
      review_count: reviews.length,
      avg_review_time_hours: meanOf(reviews.map(({ response }) => response)),
    };
    return reviews.length === 0 ? [] : [row];
  });
  return sortedBy(rows, (row) => [-row.review_count, row.avg_review_time_hours, row.reviewer]);
}

export function reviewLoad(pulls: readonly TwinPull[], asked: TwinWindow, withAutomation: boolean) {
  const within = during(asked);
  const rows = listed(pulls, withAutomation).map((person) => {
    const reviews = reviewsOf(pulls, person).filter(({ at }) => within(at));
    return {
      reviewer: person.login,
      reviews_last_week: reviews.length,
      merged_last_week: authoredBy(pulls, person).filter(
        ({ pull, endedAt }) => pull.state === 'merged' && within(endedAt),
      ).length,
      complex_reviews: reviews.filter(({ comments, review }) => comments >= 5 || review.state === 'changes_requested')
        .length,
      outstanding_reviews: pulls.filter(
        ({ pull }) =>
          pull.state === 'open' &&
          !pull.draft &&
          pull.requested.some((request) => 'person' in request && request.person.id === person.id),
      ).length,
      is_contributor: exists(pulls, person),
    };
  });
  return sortedBy(
    rows.filter((row) => row.reviews_last_week + row.merged_last_week + row.outstanding_reviews > 0),
    (row) => [-row.outstanding_reviews, -row.reviews_last_week, row.reviewer],
  );
}

export function developerStats(
  pulls: readonly TwinPull[],
  now: number,
  zone: string,
  asked: TwinWindow,
  withAutomation: boolean,
) {
  const within = during(asked);
  const before = earlier(asked);
  const dates = lastDates(zone, asked.until, daysIn(asked));
  const rows = listed(pulls, withAutomation).flatMap((person) => {
    const theirs = authoredBy(pulls, person);
    const opened = theirs.filter(({ createdAt }) => within(createdAt));
    const ended = theirs.filter(({ endedAt }) => within(endedAt));
    const open = theirs.filter(({ pull }) => pull.state === 'open');
    const reviews = reviewsOf(pulls, person).filter(({ at }) => within(at));
    if (opened.length + ended.length + open.length + reviews.length === 0) return [];
    const merged = ended.filter(({ pull }) => pull.state === 'merged');
    const mergedBefore = theirs.filter(({ pull, endedAt }) => pull.state === 'merged' && before(endedAt));
    const hours = meanOf(merged.map(({ mergeHours }) => mergeHours));
    const hoursBefore = meanOf(mergedBefore.map(({ mergeHours }) => mergeHours));
    const opinionated = theirs.filter(
      ({ createdAt, endedAt, latestOpinion }) => latestOpinion !== null && (within(createdAt) || within(endedAt)),
    );
    const faster = hours === null || hoursBefore === null ? 0 : moved(hours, hoursBefore);
    return {
      author: person.login,
      open_prs: open.length,
      merged_prs: merged.length,
      avg_pr_size: meanOf(opened.map(({ size }) => size)),
      avg_merge_time_hours: hours,
      reviews_given: reviews.length,
      avg_review_response_hours: meanOf(reviews.map(({ response }) => response)),
      prs_awaiting_review: open.filter(
        ({ pull, phases: { turn } }) => !pull.draft && turn?.on === 'reviewers' && now - turn.since > AWAITING,
      ).length,
      review_approval_rate: rateOf(opinionated, ({ latestOpinion }) => latestOpinion === 'approved', 100),
      first_time_approval_rate: rateOf(
        ended.filter(({ approvedFirst }) => approvedFirst !== null),
        ({ approvedFirst }) => approvedFirst === true,
        100,
      ),
      review_to_pr_ratio: opened.length === 0 ? null : reviews.length / opened.length,
      active_days: activeDatesOf(pulls, person, now, zone, dates),
      velocity_trend: ['down', 'stable', 'up'][moved(merged.length, mergedBefore.length) + 1],
      merge_time_trend: ['improved', 'stable', 'slower'][faster + 1],
    };
  });
  return sortedBy(rows, (row) => [-row.merged_prs, row.author]);
}

/** 1 beyond 10 % more, −1 beyond 10 % less, else 0. */
function moved(current: number, previous: number): number {
  if (previous === 0) return current > 0 ? 1 : 0;
  const change = (100 * (current - previous)) / previous;
  return change > 10 ? 1 : change < -10 ? -1 : 0;
}
