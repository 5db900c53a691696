import { type Kysely, sql } from 'kysely';
import type { Contributor } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import { isoOf } from '../db/iso-of.ts';
import type { Scope } from '../metrics/scope.ts';
import { totalsOf } from './member-totals.ts';

type Row = Omit<Contributor, 'repository_count'>;

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
  // Of a team's member, or of who started agents, there may be several rows of a repository. Else each row is another one: to count rows spares
  // sorting them, which `distinct` takes.
  const isOneRowEach = scope.team === null && scope.authors === 'openers';
  const { rows } = await sql<Row>`
    select person.login as username, person.name as display_name, person.avatar_url, person.kind,
      t.opened as total_prs_opened, t.merged as total_prs_merged, t.open as current_open_prs,
      t.last_activity_at::text as last_activity,
      t.repositories_count
    from (
      select person_id, sum(opened)::int as opened, sum(merged)::int as merged, sum(open)::int as open,
        max(least(last_activity_at, ${now}::timestamptz)) filter (where last_activity_at is not null) as last_activity_at,
        (count(${isOneRowEach ? sql`*` : sql`distinct repository_id`}) filter (where contributes))::int as repositories_count
      from ${totalsOf(scope)} of_repository group by person_id having bool_or(contributes)
    ) t
    join people person on person.id = t.person_id
    where person.kind = 'human' or ${withAutomation}
    order by t.last_activity_at desc nulls last, lower(person.login) collate "C"`.execute(db);
  return rows.map((row) => ({
    ...row,
    last_activity: row.last_activity && isoOf(row.last_activity),
    repository_count: row.repositories_count,
  }));
}
