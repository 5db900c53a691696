import { type Kysely, sql } from 'kysely';
import type { ReviewerStat } from '#contract/team.ts';
import type { Database } from '../db/database.ts';
import { asking } from '../metrics/asked.ts';
import type { AskedWindow } from '../metrics/asked-window.ts';
import { compile } from '../metrics/compile.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * Who reviewed in a window, how often and how fast (docs/metrics.md#the-team-and-its-people). `withAutomation` adds
 * bots and agents by the reviews that they submitted; no human's figure changes by it.
 */
export async function reviewerStats(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  { span }: AskedWindow,
  withAutomation: boolean,
): Promise<ReviewerStat[]> {
  const asked = asking(scope, now, 'UTC', { window: span });
  const given = compile(asked, { review_count: 'reviews', avg_review_time_hours: 'response_time' }, 'person');
  const { rows } = await sql<ReviewerStat>`
    select person.login as reviewer, person.name as display_name, person.avatar_url, person.kind,
      given.review_count, given.avg_review_time_hours
    from ${given} given
    join people person on person.id = given.key
    where person.kind = 'human' or ${withAutomation}
    order by given.review_count desc, given.avg_review_time_hours nulls last, lower(person.login) collate "C"`.execute(
    db,
  );
  return rows;
}
