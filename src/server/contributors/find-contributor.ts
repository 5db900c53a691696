import { type Kysely, sql } from 'kysely';
import type { AccountKind } from '#domain/pull-request.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

export interface FoundPerson {
  readonly id: number;
  readonly username: string;
  readonly display_name: string | null;
  readonly avatar_url: string | null;
  readonly kind: AccountKind;
  /** Null of someone who did nothing in the scope. */
  readonly last_active: Date | null;
  readonly current_open_prs: number;
}

/**
 * The person of that login who authored or submitted a review on a pull request in scope, bots and agents too, or null
 * (docs/server.md#lists-and-searches). Of two who had the same login one after the other, the one active last.
 */
export async function findContributor(
  db: Kysely<Database>,
  scope: Scope,
  username: string,
  now: Date,
): Promise<FoundPerson | null> {
  const { rows } = await sql<FoundPerson>`
    select person.id, person.login as username, person.name as display_name, person.avatar_url, person.kind,
      least(max(t.last_activity_at), ${now}::timestamptz) as last_active, sum(t.open)::int as current_open_prs
    from people person
    join contributor_totals t on t.person_id = person.id and ${scope.filter('t')}
    where lower(person.login) = lower(${username})
    group by person.id, person.login, person.name, person.avatar_url, person.kind
    having sum(t.opened + t.submitted_reviews) > 0
    order by max(t.last_activity_at) desc, person.id
    limit 1`.execute(db);
  return rows[0] ?? null;
}
