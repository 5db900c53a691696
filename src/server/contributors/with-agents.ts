import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { authorshipOf, ownerOf } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';
import { within } from '../metrics/sources/source.ts';
import { isOpenedAsMember } from './member-totals.ts';

/**
 * Of the pull requests that the person asked about opened since a moment, or started an agent to open, in how many an agent took part
 * (docs/product.md#a-contributor); null for anybody but that person.
 */
export async function withAgents(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  after: Date,
): Promise<ContributorMetrics['with_agents']> {
  const kind = sql`(select kind from people where id = f.author_id)`;
  // Of anybody else nothing is read.
  const isOwn = sql`exists (select from users u join people own on own.host = u.host and own.host_id = u.host_id
    where u.id = ${scope.user_id} and own.id = ${personId})`;
  const { rows } = await sql<{ is_own: boolean; opened: number; with_agents: number }>`
    select ${isOwn} as is_own, count(*)::int as opened,
      (count(*) filter (where kind in ('assisted', 'agent')))::int as with_agents
    from (
      select ${authorshipOf('f', kind)} as kind from pull_request_facts f
      where ${isOwn} and ${scope.filter('f')} and ${ownerOf('f')} = ${personId}
        and ${within(sql`f.created_at`, { after, until: null })} and ${isOpenedAsMember(scope, personId, 'f')}
    ) written`.execute(db);
  const { is_own, opened, with_agents } = rows[0]!;
  return is_own ? { opened, with_agents } : null;
}
