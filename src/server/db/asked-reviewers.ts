import { sql } from 'kysely';

/** Whether a person or a team is asked to review the pull request of `alias`, a relation with its repository and number. */
export const isAsked = (alias: string) => sql<boolean>`exists (
  select from review_requests request left join people asked on asked.id = request.person_id
  where request.repository_id = ${sql.ref(`${alias}.repository_id`)} and request.number = ${sql.ref(`${alias}.number`)}
    and (request.team is not null or (asked.kind = 'human' and asked.type <> 'mannequin')))`;

/** When each person reviewed the pull request of `alias` last, and the opinion of theirs that stands: a relation of `reviewed_at opinion`. */
export const latestReviews = (alias: string) => sql`(
  select max(review.submitted_at) as reviewed_at,
    nullif((array_agg(review.state order by review.position desc) filter (where review.state <> 'commented'))[1], 'dismissed') as opinion
  from reviews review
  join people reviewer on reviewer.id = review.author_id and reviewer.kind = 'human' and reviewer.type <> 'mannequin'
  where review.repository_id = ${sql.ref(`${alias}.repository_id`)} and review.number = ${sql.ref(`${alias}.number`)} and review.counts
  group by review.author_id)`;
