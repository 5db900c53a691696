import { type Kysely, sql, type Transaction } from 'kysely';
import { isCopilotCodingAgent } from '#domain/attribution.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import { hasAgentsInlineComment } from '#domain/reviewer-acts.ts';
import type { Database } from '../db/database.ts';
import type { NamedAccount, StoredRecords } from '../db/stored-records.ts';
import type { FactRows } from './fact-rows.ts';

export type ClueKind = Database['clues']['kind'];

/** How an account that a text names is written down where the host does not know it. */
export function nameOf({ id, login }: NamedAccount): string {
  return id ?? `@${login.toLowerCase()}`;
}

/**
 * Notes that the threads of those that have ended are to be read, where an agent has commented inline, as everybody counts accounts or as
 * somebody with marks of their own does: once for each end.
 */
export async function noteThreads(
  transaction: Transaction<Database>,
  repository_id: number,
  records: readonly PullRequestRecord[],
  now: Date,
): Promise<void> {
  await note(
    transaction,
    repository_id,
    records.flatMap((record) => {
      const ended_at = record.mergedAt ?? record.closedAt;
      return ended_at !== null && hasAgentsInlineComment(record)
        ? [{ number: record.number, kind: 'threads' as const, read_for: new Date(ended_at) }]
        : [];
    }),
    now,
  );
}

/**
 * Notes what is to be asked about agents' pull requests before it is known who started them: the session, accounts that their texts name,
 * and where all that tells of nobody, the issue that they close.
 */
export async function noteStarters(
  transaction: Transaction<Database>,
  repository_id: number,
  { records, unknown, clues }: StoredRecords,
  rows: readonly FactRows[],
  now: Date,
): Promise<void> {
  const ofAgents = rows.flatMap(({ facts }) => {
    const record = facts.authorship === 'agent' ? records.get(facts.number) : undefined;
    return record?.attribution.isRead === true ? [{ facts, record }] : [];
  });
  if (ofAgents.length === 0) return;
  const names = ofAgents.flatMap(({ facts }) => (unknown.get(facts.number) ?? []).map(nameOf));
  const absent = await absentNames(transaction, repository_id, names);
  const wanted = ofAgents.flatMap(({ facts: { number, credit_by }, record: { author, attribution } }) => {
    const kinds: ClueKind[] = [];
    if (isCopilotCodingAgent(author, attribution.knownIds)) kinds.push('session');
    if ((unknown.get(number) ?? []).some((named) => !absent.has(nameOf(named)))) kinds.push('names');
    // The issue is the last to be asked: only where all before it told of nobody.
    const isTold = (kind: ClueKind) =>
      !kinds.includes(kind) || (clues.get(number) ?? []).some((clue) => clue.kind === kind && clue.due_at === null);
    const isAgents = author !== null && author.kind !== 'human';
    if (credit_by === null && isAgents && isTold('session') && !kinds.includes('names')) kinds.push('issue');
    return kinds.map((kind) => ({ number, kind, read_for: null }));
  });
  await note(transaction, repository_id, wanted, now);
}

/** Those of these names that the host is known not to know. */
export async function absentNames(
  db: Kysely<Database>,
  repository_id: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const { rows } = await sql<{ named: string }>`
    select u.named from unknown_accounts u join repositories r on r.id = ${repository_id} and r.host = u.host
    where u.named = any(${names}::text[])`.execute(db);
  return new Set(rows.map(({ named }) => named));
}

/** What was asked already is asked again for another end alone, and for names that were not there then. */
async function note(
  transaction: Transaction<Database>,
  repository_id: number,
  clues: readonly { number: number; kind: ClueKind; read_for: Date | null }[],
  now: Date,
): Promise<void> {
  if (clues.length === 0) return;
  await sql`
    insert into clues as c (repository_id, number, kind, read_for, due_at)
    select ${repository_id}, number, kind, read_for, ${now}
    from unnest(${clues.map(({ number }) => number)}::int[], ${clues.map(({ kind }) => kind)}::text[],
      ${clues.map(({ read_for }) => read_for)}::timestamptz[]) as wanted (number, kind, read_for)
    on conflict (repository_id, number, kind) do update set due_at = excluded.due_at, read_for = excluded.read_for
    where c.read_for is distinct from excluded.read_for or (c.kind = 'names' and c.due_at is null)`.execute(
    transaction,
  );
}
