import { type Kysely, sql } from 'kysely';
import type { Contributor } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';
import { totalsOf } from './member-totals.ts';

type Row = Omit<Contributor, 'last_activity' | 'repository_count'> & { last_activity: Date | null };

/**
 * Everyone who authored a pull request or gave a counting review, of all time, latest activity (`contributor.last_activity`) first
 * (docs/server.md#lists-and-searches); of a team those who did so while they belonged to it, and what they did then. `withAutomation` adds
 * bots and agents. Who did nothing but start agents has no `last_activity`.
 */
export async function listContributors(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  withAutomation: boolean,
): Promise<Contributor[]> {
  const { rows } = await sql<Row>`
    select person.login as username, person.name as display_name, person.avatar_url, person.kind,
      sum(t.opened)::int as total_prs_opened, sum(t.merged)::int as total_prs_merged, sum(t.open)::int as current_open_prs,
      case when max(t.last_activity_at) is not null then least(max(t.last_activity_at), ${now}::timestamptz) end as last_activity,
      (count(distinct t.repository_id) filter (where t.contributes))::int as repositories_count
    from ${totalsOf(scope)} t
    join people person on person.id = t.person_id
    where person.kind = 'human' or ${withAutomation}
    group by person.id, person.login, person.name, person.avatar_url, person.kind
    having bool_or(t.contributes)
    order by last_activity desc nulls last, lower(person.login) collate "C"`.execute(db);
  return rows.map((row) => ({
    ...row,
    last_activity: row.last_activity?.toISOString() ?? null,
    repository_count: row.repositories_count,
  }));
}
