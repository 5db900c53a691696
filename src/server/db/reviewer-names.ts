import { sql } from 'kysely';

/**
 * The lists' `reviewers` of the pull request `p` with the facts `f` in the question around it, as text[]: people with a counting
 * review in order of their first one, then the humans, then the teams, whose review is requested now and who have not
 * reviewed, in the host's order (metric definitions, section 1).
 */
export const reviewerNames = sql<string[]>`array(
  select name from (
    select person.login as name, 1 as part, reviewer.position
      from unnest(f.reviewer_ids) with ordinality reviewer (id, position)
      join people person on person.id = reviewer.id
    union all
    select person.login, 2, request.position
      from review_requests request
      join people person on person.id = request.person_id
      where request.repository_id = p.repository_id and request.number = p.number
        and person.kind = 'human' and request.person_id <> all (f.reviewer_ids)
    union all
    select request.team, 3, request.position
      from review_requests request
      where request.repository_id = p.repository_id and request.number = p.number and request.team is not null
  ) names order by part, position)`;
