import { type Kysely, sql } from 'kysely';
import type { Explanation } from '#contract/explain.ts';
import { creditedWords } from '#domain/ai-authorship.ts';
import { creditRules, NOBODY } from '#domain/credit.ts';
import type { Database } from '../db/database.ts';
import { invalidValue } from '../http/errors.ts';
import { pageOf } from '../metrics/explain.ts';
import type { Scope } from '../metrics/scope.ts';
import { type AskedToExplain, authorshipAskedToExplain, openedWithCredit } from './authorship.ts';

/** How many do not count where a part is asked for, by why. */
const leftOutOf = {
  rule: 'Credited by another rule, or to nobody',
  nobody: 'Credited to a person',
} as const;

/**
 * Of how many of agents' pull requests it is known who started them; of those of one rule, or credited to nobody, where `part` names that.
 * @throws HttpError 400 for a window that makes no sense, or a part that is none
 */
export async function explainCredited(db: Kysely<Database>, toExplain: AskedToExplain): Promise<Explanation> {
  const { query } = toExplain;
  const { part } = query;
  const { asked, window } = await authorshipAskedToExplain(db, toExplain);
  const { from, where, isOfAgent, isCredited } = openedWithCredit(asked);
  const all = sql`
    select it.repository_id, it.number, it.created_at as at, (${isCredited})::int::float8 as value, it.credit_by
    from ${from} where ${where} and ${isOfAgent}`;
  const things = sql`select repository_id, number, at, value from (${all}) things where ${isOfPart(part)}`;
  const { summary, items } = await pageOf(db, things, 0.5, asked, query);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${all}) things`.execute(db);
  const { count } = rows[0]!;
  const { name, definition, unit } = creditedWords;
  return {
    metric: 'ai.credited',
    ...{ name, definition, unit, part: part ?? null },
    window: { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() },
    value: part === undefined ? summary.mean : count === 0 ? null : summary.n / count,
    ...{ mean: null, median: null, n: summary.n },
    left_out:
      part === undefined ? [] : [{ reason: leftOutOf[part === NOBODY ? 'nobody' : 'rule'], count: count - summary.n }],
    items: await withTools(db, asked.scope, items),
    total: summary.n,
    hasMore: query.offset + items.length < summary.n,
  };
}

function isOfPart(part: string | undefined) {
  if (part === undefined) return sql`true`;
  if (part === NOBODY) return sql`value = 0`;
  if (creditRules.some((rule) => rule === part)) return sql`value = 1 and credit_by = ${part}`;
  throw invalidValue('part', `must be one of: ${[...creditRules, NOBODY].join(', ')}`);
}

/** Which tools took part in these pull requests, and whether they are drafts. */
async function withTools(
  db: Kysely<Database>,
  scope: Scope,
  items: Explanation['items'],
): Promise<Explanation['items']> {
  const { rows } = await sql<{ place: number; agents: string[]; draft: boolean }>`
    select (item.place - 1)::int as place, coalesce(f.agents, '{}') as agents, p.draft
    from unnest(${items.map(({ repo_owner }) => repo_owner)}::text[], ${items.map(({ repo_name }) => repo_name)}::text[],
      ${items.map(({ pr_number }) => pr_number)}::int[]) with ordinality item (owner, name, number, place)
    join repositories r on ${scope.filter('r', 'id')} and r.owner = item.owner and r.name = item.name
    join pull_requests p on p.repository_id = r.id and p.number = item.number
    join pull_request_facts f on f.repository_id = r.id and f.number = item.number`.execute(db);
  const byPlace = new Map(rows.map(({ place, ...of }) => [place, of]));
  return items.map((item, place) => ({ ...item, ...byPlace.get(place) }));
}
