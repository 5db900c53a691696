import { type Kysely, sql } from 'kysely';
import { agentOf } from '#domain/account-kind.ts';
import { givesKnownIds } from '#domain/code-host.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from './scope.ts';
import type { ReviewerView } from './sources/source.ts';

/** An account of an AI reviewer. */
interface Account {
  readonly id: number;
  readonly login: string;
  readonly avatar_url: string | null;
}

/** An AI reviewer that has acted in the scope: a tool with its accounts. */
export interface SeenReviewer {
  readonly tool: string;
  readonly accounts: readonly Account[];
  /** The account that acted last. */
  readonly account: Account;
  readonly first_seen: Date;
  readonly last_seen: Date;
}

/** The agents' accounts of a host, by the tool that they stand for: `reviewer_acts` names tools. */
export async function accountsByTool(
  db: Kysely<Database>,
  host: string,
): Promise<ReadonlyMap<string, readonly Account[]>> {
  const { rows } = await sql<Account & { host_id: string }>`
    select id, host_id, login, avatar_url from people where host = ${host} and kind = 'agent' and login <> '' order by id`.execute(
    db,
  );
  const knownIds = givesKnownIds(host);
  return Map.groupBy(rows, ({ host_id, login }) => agentOf({ id: host_id, login }, knownIds).tool);
}

/** Every AI reviewer that ever acted in the repositories of a scope, or the one to which an account of that login belongs. */
export async function seenReviewers(
  db: Kysely<Database>,
  { repository_ids }: Scope,
  host: string,
  login: string | null = null,
): Promise<SeenReviewer[]> {
  const byTool = await accountsByTool(db, host);
  const isCalled = ({ login: own }: Account) => withoutSuffix(own) === withoutSuffix(login!);
  const tools = [...byTool].flatMap(([tool, of]) => (login === null || of.some(isCalled) ? [tool] : []));
  const { rows } = await sql<{ tool: string; person_id: number; first_seen: Date; last_seen: Date }>`
    select distinct on (tool) tool, last.person_id, min(first_seen) over (partition by tool) as first_seen, last_seen
    from unnest(${tools}::text[]) tool cross join unnest(${repository_ids}::int[]) repository
    cross join lateral (select a.first_act_at as first_seen from reviewer_acts a
      where a.repository_id = repository and a.reviewer = tool order by a.first_act_at limit 1) first
    cross join lateral (select a.last_act_at as last_seen, a.person_id, lower(person.login) as login
      from reviewer_acts a join people person on person.id = a.person_id
      where a.repository_id = repository and a.reviewer = tool
      order by a.last_act_at desc, lower(person.login) collate "C" limit 1) last
    order by tool, last_seen desc, last.login collate "C"`.execute(db);
  return rows.map(({ tool, person_id, ...seen }) => {
    const own = byTool.get(tool)!;
    return { tool, accounts: own, account: own.find(({ id }) => id === person_id) ?? own[0]!, ...seen };
  });
}

const withoutSuffix = (login: string) => login.toLowerCase().replace(/\[bot\]$/, '');

/** Whose figures are asked for. */
export function viewOf({ tool, accounts }: SeenReviewer): Extract<ReviewerView['of'], { tool: string }> {
  return { tool, accounts: accounts.map(({ id }) => id) };
}
