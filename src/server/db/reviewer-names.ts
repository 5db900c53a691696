import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#domain/pull-request.ts';
import { standingOpinion } from './asked-reviewers.ts';

/** The humans, of those whom `isWanted` finds in `person` and `request`, then the teams whose review of `p` is requested now, in the host's order. */
const requestedNames = (isWanted: RawBuilder<unknown>) => sql<string[]>`array(
    select coalesce(person.login, request.team)
    from review_requests request
    left join people person on person.id = request.person_id
    where request.repository_id = p.repository_id and request.number = p.number
      and (request.team is not null or (person.kind = 'human' and ${isWanted}))
    order by request.team is not null, request.position
  )`;

/**
 * The lists' `reviewers` of the pull request `p` with the facts `f` in the question around it, as text[]: people with a counting
 * review in order of their first one, then the humans, then the teams, whose review is requested now and who have not
 * reviewed, in the host's order (docs/server.md#lists-and-searches).
 */
export const reviewerNames = sql<string[]>`(
  array(
    select (select person.login from people person where person.id = reviewer.id)
    from unnest(f.reviewer_ids) with ordinality reviewer (id, position)
    order by reviewer.position
  ) || ${requestedNames(sql`request.person_id <> all (f.reviewer_ids)`)})`;

/** Who may have to review a pull request that waits for reviewers. */
export interface AwaitedReviewers {
  readonly waiting_since: Instant;
  /** The people, then the teams, whose review is requested now. */
  readonly asked: readonly string[];
  /** The others who reviewed it, in order of their first review, with their latest. */
  readonly reviewed: readonly {
    readonly login: string;
    readonly reviewed_at: Instant;
    readonly opinion: 'approved' | 'changes_requested' | null;
  }[];
}

const milliseconds = (at: string) => sql`(extract(epoch from ${sql.ref(at)}) * 1000)::float8`;

/** Those of the same pull request, as json; null while it waits for somebody else. */
export const awaitedReviewers = sql<AwaitedReviewers | null>`case when f.waiting_on = 'reviewers' then json_build_object(
  'waiting_since', ${milliseconds('f.waiting_since')},
  'asked', ${requestedNames(sql`person.type <> 'mannequin'`)},
  'reviewed', (
    select coalesce(json_agg(json_build_object('login', given.login, 'reviewed_at', ${milliseconds('given.at')},
      'opinion', given.opinion) order by given.first), '[]')
    from (
      select reviewer.login, min(review.position) as first, max(review.submitted_at) as at, ${standingOpinion('review')} as opinion
      from reviews review
      join people reviewer on reviewer.id = review.author_id and reviewer.kind = 'human' and reviewer.type <> 'mannequin'
      where review.repository_id = p.repository_id and review.number = p.number and review.counts
        and not exists (select from review_requests request where request.repository_id = p.repository_id
          and request.number = p.number and request.person_id = review.author_id)
      group by reviewer.id, reviewer.login
    ) given)) end`;
