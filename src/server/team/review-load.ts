import { type Kysely, sql } from 'kysely';
import type { ReviewLoadRow } from '#contract/team.ts';
import type { Database } from '../db/database.ts';
import { always, asking } from '../metrics/asked.ts';
import type { AskedWindow } from '../metrics/asked-window.ts';
import { compile } from '../metrics/compile.ts';
import { isContributor } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * Who carries the review load: reviews and merges of a window and what is requested of them now
 * (docs/metrics.md#the-team-and-its-people). A request to a team is no single person's.
 */
export async function reviewLoad(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  { span }: AskedWindow,
  withAutomation: boolean,
  /** In which scope people are looked for who exist as contributors: a repository narrows figures alone. */
  everywhere: Scope = scope,
): Promise<ReviewLoadRow[]> {
  const asked = asking(scope, now, 'UTC', { window: span });
  const load = compile(
    asked,
    {
      reviews_last_week: 'reviews',
      merged_last_week: 'merged',
      complex_reviews: 'complex_reviews',
      outstanding_reviews: { metric: 'outstanding_reviews', window: always },
    },
    'person',
  );
  const { rows } = await sql<ReviewLoadRow>`
    select person.login as reviewer, person.name as display_name, person.avatar_url, person.kind,
      load.reviews_last_week, load.merged_last_week, load.complex_reviews, load.outstanding_reviews,
      ${isContributor(everywhere, sql`person.id`)} as is_contributor
    from ${load} load
    join people person on person.id = load.key
    where person.kind = 'human' or ${withAutomation}
    order by outstanding_reviews desc, reviews_last_week desc, lower(person.login) collate "C"`.execute(db);
  return rows;
}
