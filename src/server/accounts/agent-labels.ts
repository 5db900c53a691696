import { type Kysely, sql } from 'kysely';
import type { AgentSettings } from '#contract/accounts.ts';
import { knownTools } from '#domain/known-tools.ts';
import { changeAccountKinds } from '../db/account-kinds-lock.ts';
import type { Database } from '../db/database.ts';
import { namedLabelsOf } from '../db/stored-records.ts';
import { type Issue, invalidValues } from '../http/errors.ts';

/** The labels that stand for a tool at a host, by name. */
export async function agentSettings(db: Kysely<Database>, host: string): Promise<AgentSettings> {
  return { labels: [...(await namedLabelsOf(db, host))] };
}

/**
 * Replaces these labels. The worker computes the facts of pull requests that carry one which has changed; here nothing is counted.
 * @throws HttpError 400 for a label that is named twice, and for a tool that nobody knows
 */
export async function saveAgentSettings(
  db: Kysely<Database>,
  user: { readonly id: number; readonly host: string },
  { labels }: AgentSettings,
  now: Date,
): Promise<void> {
  const wanted = new Map(labels.map(({ label, tool }) => [label.toLowerCase(), tool]));
  const twice = labels.flatMap(({ label }, index): Issue[] =>
    labels.slice(0, index).some((other) => other.label.toLowerCase() === label.toLowerCase())
      ? [{ path: `labels.${index}.label`, message: 'is named twice; upper and lower case are the same' }]
      : [],
  );
  refuse(twice);
  await db.transaction().execute(async (transaction) => {
    await changeAccountKinds(transaction);
    const before = new Map((await namedLabelsOf(transaction, user.host)).map(({ label, tool }) => [label, tool]));
    refuse(unknownTools(labels, before));
    await transaction.deleteFrom('agent_labels').where('host', '=', user.host).execute();
    if (wanted.size > 0)
      await transaction
        .insertInto('agent_labels')
        .values([...wanted].map(([label, tool]) => ({ host: user.host, label, tool, set_by: user.id, set_at: now })))
        .execute();
    const changed = [...new Set([...before.keys(), ...wanted.keys()])].filter(
      (label) => before.get(label) !== wanted.get(label),
    );
    if (changed.length === 0) return;
    const spellings = await spellingsOf(transaction, user.host, changed);
    await sql`
      update pull_request_facts f set version = 0
      from pull_requests p join repositories r on r.id = p.repository_id and r.host = ${user.host}
      where p.repository_id = f.repository_id and p.number = f.number and p.labels && ${spellings}::text[]`.execute(
      transaction,
    );
  });
}

/** How pull requests of a host spell these labels, which are in lower case: by JavaScript, for a database's `lower` may know ASCII alone. */
async function spellingsOf(db: Kysely<Database>, host: string, lowered: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`
    select distinct label from pull_requests p join repositories r on r.id = p.repository_id and r.host = ${host}
    cross join unnest(p.labels) label`.execute(db);
  return rows.map(({ label }) => label).filter((label) => lowered.includes(label.toLowerCase()));
}

/** Tools that are neither known nor what their label stands for already. */
function unknownTools(labels: AgentSettings['labels'], stored: ReadonlyMap<string, string>): Issue[] {
  return labels.flatMap(({ label, tool }, index) =>
    knownTools.some((known) => known === tool) || stored.get(label.toLowerCase()) === tool
      ? []
      : [{ path: `labels.${index}.tool`, message: `must be one of: ${knownTools.join(', ')}` }],
  );
}

function refuse([first, ...others]: readonly Issue[]): void {
  if (first !== undefined) throw invalidValues([first, ...others]);
}
