import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AccountKind } from '#domain/pull-request.ts';
import type { Database } from '../db/database.ts';
import { always, asking, since } from '../metrics/asked.ts';
import { numbersOf } from '../metrics/compile.ts';
import { takesPart } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import { activity } from '../metrics/sources/activity.ts';
import type { Asked } from '../metrics/sources/source.ts';
import { totalsByPerson } from '../metrics/starters.ts';
import { isAlways } from '../metrics/team-people.ts';

/** In milliseconds. */
const LATELY = 30 * 86_400_000;

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
 * (docs/server.md#lists-and-searches). Of two who had the same login one after the other, the one active last. A team does not decide who
 * exists, nor what is told of them (`asMember`).
 */
export async function findContributor(
  db: Kysely<Database>,
  scope: Scope,
  username: string,
  now: Date,
): Promise<FoundPerson | null> {
  const { rows } = await sql<FoundPerson>`
    select person.id, person.login as username, person.name as display_name, person.avatar_url, person.kind,
      case when max(t.last_activity_at) is not null then least(max(t.last_activity_at), ${now}::timestamptz) end as last_active,
      sum(t.open)::int as current_open_prs
    from people person
    join ${totalsByPerson(scope)} t on t.person_id = person.id and ${scope.filter('t')}
    where lower(person.login) = lower(${username})
    group by person.id, person.login, person.name, person.avatar_url, person.kind
    having bool_or(${takesPart('t')})
    order by max(t.last_activity_at) desc nulls last, person.id
    limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The same person, of a team with when they were last active as a member, and what is open of what they opened as one. */
export async function asMember(
  db: Kysely<Database>,
  scope: Scope,
  person: FoundPerson,
  now: Date,
): Promise<FoundPerson> {
  const { team } = scope;
  const isAllTheirs = team?.members?.some((member) => member.person_id === person.id && isAlways(member));
  if (team === null || isAllTheirs) return person;
  const asked = asking(scope, now, 'UTC', { person: person.id });
  const [numbers, last_active] = await Promise.all([
    numbersOf<Pick<FoundPerson, 'current_open_prs'>>(db, asked, { current_open_prs: 'open' }),
    lastActive(db, asked),
  ]);
  return { ...person, ...numbers, last_active };
}

/** Most were active lately: all of history is read for the others alone. */
async function lastActive(db: Kysely<Database>, asked: Asked): Promise<Date | null> {
  for (const window of [since(asked.now.getTime() - LATELY), always]) {
    const { rows } = await latestActivity({ ...asked, window }).execute(db);
    const last = rows[0]?.last_active ?? null;
    if (last !== null) return last;
  }
  return null;
}

function latestActivity(asked: Asked): RawBuilder<Pick<FoundPerson, 'last_active'>> {
  const { from, where } = activity.rows(asked, 'items');
  return sql`select max(least(it.at, ${asked.now}::timestamptz)) as last_active from ${from} where ${where}`;
}
