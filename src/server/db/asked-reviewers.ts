import { type RawBuilder, sql } from 'kysely';

/** Whether a person or a team is asked to review the pull request of `alias`, a relation with its repository and number. */
export const isAsked = (alias: string) => sql<boolean>`exists (
  select from review_requests request left join people asked on asked.id = request.person_id
  where request.repository_id = ${sql.ref(`${alias}.repository_id`)} and request.number = ${sql.ref(`${alias}.number`)}
    and (request.team is not null or (asked.kind = 'human' and asked.type <> 'mannequin')))`;

/**
 * When a review of the pull request with the facts `f` was last asked for of those whom `isOf` finds in an event `e`, when that was last taken
 * back, and when the pull request was last made ready: a relation of one row, `requested removed ready`.
 */
export const askedMoments = (isOf: RawBuilder<unknown>) => sql`(
  select max(e.at) filter (where e.type = 'review_requested' and ${isOf}) as requested,
    max(e.at) filter (where e.type = 'review_request_removed' and ${isOf}) as removed,
    max(e.at) filter (where e.type = 'ready_for_review') as ready
  from events e where e.repository_id = f.repository_id and e.number = f.number)`;

/**
 * By these moments, in the relation `told`, when a review was asked for that still is (docs/metrics.md#my-work): what the timeline says last, else
 * when the pull request was ready, and never before it last became so.
 */
export const askedAt = (told: string) => sql<Date>`greatest(
  case when ${sql.ref(`${told}.requested`)} >= coalesce(${sql.ref(`${told}.removed`)}, '-infinity') then ${sql.ref(`${told}.requested`)}
    else coalesce(f.ready_at, f.created_at) end,
  ${sql.ref(`${told}.ready`)})`;

/** How requests name the team of `alias`, a row of `teams`, in lower case; null of a group, and of a team that is gone, whose address may be another's. */
export const teamHandle = (alias: string) => sql<string | null>`case when ${sql.ref(`${alias}.archived_at`)} is null
  then lower('@' || ${sql.ref(`${alias}.organisation`)} || '/' || ${sql.ref(`${alias}.slug`)}) end`;

/** The opinion that stands of one person's counting reviews, the rows of `alias`: neither dismissed nor replaced; null without one. */
export const standingOpinion = (alias: string) => {
  const state = sql.ref(`${alias}.state`);
  return sql<'approved' | 'changes_requested' | null>`nullif(
    (array_agg(${state} order by ${sql.ref(`${alias}.position`)} desc) filter (where ${state} <> 'commented'))[1], 'dismissed')`;
};

/** When each person reviewed the pull request of `alias` last, and the opinion of theirs that stands: a relation of `reviewed_at opinion`. */
export const latestReviews = (alias: string) => sql`(
  select max(review.submitted_at) as reviewed_at, ${standingOpinion('review')} as opinion
  from reviews review
  join people reviewer on reviewer.id = review.author_id and reviewer.kind = 'human' and reviewer.type <> 'mannequin'
  where review.repository_id = ${sql.ref(`${alias}.repository_id`)} and review.number = ${sql.ref(`${alias}.number`)} and review.counts
  group by review.author_id)`;
