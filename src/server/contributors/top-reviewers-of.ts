import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import { compile } from '../metrics/compile.ts';
import type { Asked } from '../metrics/sources/source.ts';

const AT_MOST = 3;

/**
 * The three humans with most counting reviews on the pull requests of the person asked about (`top_reviewed_by` in
 * docs/metrics.md#one-person).
 */
export async function topReviewersOf(
  db: Kysely<Database>,
  asked: Asked,
): Promise<ContributorMetrics['top_reviewed_by']> {
  const { rows } = await sql<ContributorMetrics['top_reviewed_by'][number]>`
    select person.login as username, person.avatar_url, given.count
    from ${compile(asked, { count: 'reviews_received' }, 'reviewer')} given
    join people person on person.id = given.key::int
    order by count desc, lower(person.login) collate "C"
    limit ${AT_MOST}`.execute(db);
  return rows;
}
