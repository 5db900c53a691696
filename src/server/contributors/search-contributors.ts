import { type Kysely, sql } from 'kysely';
import type { FoundContributor } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import { contributes } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import { totalsByPerson } from '../metrics/starters.ts';

const AT_MOST = 20;

/**
 * The contributors whose login or display name holds the text: an exact login first, then logins that begin with it, then the
 * rest (docs/server.md#lists-and-searches). Upper and lower case are the same; a blank text finds nobody.
 */
export async function searchContributors(
  db: Kysely<Database>,
  scope: Scope,
  query: string,
  withAutomation: boolean,
): Promise<FoundContributor[]> {
  const text = query.trim().toLowerCase();
  if (text === '') return [];
  const { rows } = await sql<FoundContributor>`
    select person.login as username, person.name as display_name, person.avatar_url,
      (count(distinct t.repository_id) filter (where ${contributes('t')}))::int as repository_count
    from ${totalsByPerson(scope)} t
    join people person on person.id = t.person_id
    where ${scope.filter('t')} and (person.kind = 'human' or ${withAutomation})
      and (strpos(lower(person.login), ${text}) > 0 or strpos(person.name_lower, ${text}) > 0)
    group by person.id, person.login, person.name, person.avatar_url
    having bool_or(${contributes('t')})
    order by lower(person.login) = ${text} desc, starts_with(lower(person.login), ${text}) desc, lower(person.login) collate "C"
    limit ${AT_MOST}`.execute(db);
  return rows;
}
