import { sql } from 'kysely';

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
  ) || array(
    select coalesce(person.login, request.team)
    from review_requests request
    left join people person on person.id = request.person_id
    where request.repository_id = p.repository_id and request.number = p.number
      and (request.team is not null or (person.kind = 'human' and request.person_id <> all (f.reviewer_ids)))
    order by request.team is not null, request.position
  ))`;
