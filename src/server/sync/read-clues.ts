import { type Kysely, type RawBuilder, sql } from 'kysely';
import { namesOfAgent } from '#domain/attribution.ts';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isRefusal } from '../db/sight.ts';
import { type NamedAccount, peopleNamed, storedRecords } from '../db/stored-records.ts';
import { HostError } from '../host/errors.ts';
import type { HostAccount } from '../host/pull-request.ts';
import { isReadForSyncs } from '../metrics/kept-in-sync.ts';
import { recountParticipations } from '../metrics/participations.ts';
import { absentNames, type ClueKind, nameOf } from './clues.ts';
import type { SyncDeps } from './context.ts';
import { failureRules } from './failures.ts';
import { savePeople } from './people.ts';
import { computeFacts } from './rebuild-facts.ts';
import { livingAccount } from './record.ts';
import { repositoryBy } from './refresh.ts';
import { RetryingHostClient } from './retrying-host-client.ts';
import type { StoredRepository } from './sessions.ts';

/** Clues of one repository that are read together. Threads of many share a request where pull requests have about as many. */
const BATCH = 20;
const BATCH_OF_THREADS = 200;
/** What could not be read is tried again after so long. */
const MINUTES_BEFORE_ANOTHER_TRY = 60;
/** What is due further ahead than that, and than clocks of two processes lie apart, is of before the clock was set back. */
const isDue = (now: Date) =>
  sql<boolean>`(due_at <= ${now} or due_at > ${now}::timestamptz + make_interval(mins => ${MINUTES_BEFORE_ANOTHER_TRY + 5}))`;

interface Clue {
  readonly number: number;
  readonly kind: ClueKind;
  readonly node_id: string;
}

/** What reading a clue needs. */
interface Reading {
  readonly context: SyncDeps;
  readonly personal: PersonalClient;
  readonly hostClient: RetryingHostClient;
  readonly repository: StoredRepository;
  readonly signal: AbortSignal;
}

/**
 * Asks for the clues that are due: how threads ended, and who started agents' pull requests. `inSomebodysName` answers whether that
 * could be done for a repository, which else rests until the next time.
 */
export async function readDueClues(
  context: SyncDeps,
  signal: AbortSignal,
  isPaused: () => boolean,
  inSomebodysName: (repository_id: number, act: (personal: PersonalClient) => Promise<void>) => Promise<boolean>,
): Promise<void> {
  const resting = new Set<number>();
  while (!isPaused()) {
    const next = await nextClues(context.db, [...resting], context.now());
    if (next === null) return;
    const { repository_id, clues } = next;
    const isDone = await inSomebodysName(repository_id, async (personal) => {
      const repository = await repositoryBy(context, repository_id);
      const hostClient = new RetryingHostClient(context, personal, repository, signal, null);
      const reading: Reading = { context, personal, hostClient, repository, signal };
      const threads = clues.filter(({ kind }) => kind === 'threads');
      if (threads.length > 0) await readThreads(reading, threads);
      for (const clue of clues) if (clue.kind !== 'threads' && !signal.aborted) await readStarter(reading, clue);
    });
    if (!isDone) {
      resting.add(repository_id);
      await later(context, repository_id, clues);
    }
  }
}

async function nextClues(
  db: Kysely<Database>,
  resting: readonly number[],
  now: Date,
): Promise<{ repository_id: number; clues: readonly Clue[] } | null> {
  const { rows } = await sql<{ repository_id: number }>`
    select due.repository_id from clues due
    where ${isDue(now)} and not (due.repository_id = any(${resting}::int[]))
      and exists (select from connections c where c.repository_id = due.repository_id and ${isReadForSyncs})
    order by due.due_at, due.repository_id limit 1`.execute(db);
  if (rows[0] === undefined) return null;
  const { repository_id } = rows[0];
  const due = async (kinds: RawBuilder<boolean>, limit: number) => {
    const { rows: clues } = await sql<Clue>`
      select c.number, c.kind, p.node_id from clues c
      join pull_requests p on p.repository_id = c.repository_id and p.number = c.number
      where c.repository_id = ${repository_id} and ${isDue(now)} and ${kinds}
      order by c.number desc, c.kind limit ${limit}`.execute(db);
    return clues;
  };
  const threads = await due(sql`c.kind = 'threads'`, BATCH_OF_THREADS);
  return { repository_id, clues: [...threads, ...(await due(sql`c.kind <> 'threads'`, BATCH))] };
}

/** How the threads of some pull requests stand now that they have ended. Those of which the host could not tell it are left for later. */
async function readThreads({ context, personal, hostClient, repository, signal }: Reading, due: readonly Clue[]) {
  const { db, now } = context;
  const { rows } = await sql<{ number: number; threads: number }>`
    select number, count(*)::int as threads from comments
    where repository_id = ${repository.id} and number = any(${due.map(({ number }) => number)}::int[])
      and kind = 'inline' and in_reply_to is null
    group by number`.execute(db);
  const known = new Map(rows.map(({ number, threads }) => [number, threads]));
  const wanted = due.map(({ number, node_id }) => ({ node_id, threads: known.get(number) ?? 1 }));
  const found = await hostClient.ask(() => personal.client.reviewThreads(wanted, signal));
  // Whom the repository is not shown any more is told of no threads either: somebody else is.
  if (wanted.some(({ node_id }) => !found.has(node_id)))
    await hostClient.ask(() => personal.client.repositoryById(repository.host_id));
  await later(
    context,
    repository.id,
    due.filter(({ node_id }) => found.get(node_id) === null),
  );
  const clues = due.filter(({ node_id }) => found.get(node_id) !== null);
  if (clues.length === 0) return;
  const numbers = clues.map(({ number }) => number);
  await db.transaction().execute(async (transaction) => {
    const resolvers = [...found.values()].flatMap((threads) =>
      (threads ?? []).flatMap(({ resolved_by }) => livingAccount(resolved_by) ?? []),
    );
    const people = await savePeople(transaction, repository.host, resolvers, []);
    await sql`delete from review_threads where repository_id = ${repository.id} and number = any(${numbers}::int[])`.execute(
      transaction,
    );
    const threads = clues.flatMap(({ number, node_id }) =>
      (found.get(node_id) ?? []).map(({ comment_id, resolved, resolved_by }) => ({
        repository_id: repository.id,
        number,
        comment_id,
        resolved,
        resolved_by_id: people.get(livingAccount(resolved_by)?.id ?? '')?.id ?? null,
      })),
    );
    if (threads.length > 0)
      await transaction
        .insertInto('review_threads')
        .values(threads)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    // What became of findings follows from their threads.
    await computeFacts(transaction, repository.id, numbers, now());
    await recountParticipations(transaction, repository.id, numbers);
    await sql`
      update clues set due_at = null
      where repository_id = ${repository.id} and number = any(${numbers}::int[]) and kind = 'threads'`.execute(
      transaction,
    );
    await transaction.updateTable('repositories').set({ changed_at: now() }).where('id', '=', repository.id).execute();
  });
}

/** Who started one pull request of an agent, as far as this clue tells it. What the token may not read tells of nobody, for good. */
async function readStarter(reading: Reading, clue: Clue): Promise<void> {
  const { context, repository } = reading;
  let accounts: readonly HostAccount[];
  try {
    accounts = await startersBy(reading, clue);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (!isForGood(error)) {
      await later(context, repository.id, [clue]);
      if (failureRules[error.kind].outcome === 'give_up') return;
      // What the host says of the token, or to everybody, it would say of the next one, too.
      if (error.kind !== 'unavailable') throw error;
    }
    // Something small tells whether it is only this that the host refuses, or cannot compute.
    await reading.hostClient.ask(() => reading.personal.client.repositoryById(repository.host_id));
    if (!isForGood(error)) return;
    accounts = [];
  }
  const living = accounts.flatMap((account) => livingAccount(account) ?? []);
  await context.db.transaction().execute(async (transaction) => {
    const people = await savePeople(transaction, repository.host, living, []);
    const ids = clue.kind === 'names' ? [] : living.map(({ id }) => people.get(id)!.id);
    await sql`
      update clues set due_at = null, person_ids = ${ids}::int[]
      where repository_id = ${repository.id} and number = ${clue.number} and kind = ${clue.kind}`.execute(transaction);
    await computeFacts(transaction, repository.id, [clue.number], context.now());
    await recountParticipations(transaction, repository.id, [clue.number]);
    // Names beyond those are looked up when it is stored the next time.
    if (clue.kind === 'names')
      await sql`
        update clues set due_at = null
        where repository_id = ${repository.id} and number = ${clue.number} and kind = 'names'`.execute(transaction);
    await transaction
      .updateTable('repositories')
      .set({ changed_at: context.now() })
      .where('id', '=', repository.id)
      .execute();
  });
}

async function startersBy(reading: Reading, { kind, number, node_id }: Clue): Promise<readonly HostAccount[]> {
  const { context, personal, hostClient, repository, signal } = reading;
  const { client } = personal;
  if (kind === 'names') return await namedAccounts(reading, number);
  if (kind === 'session') {
    const { starter } = await hostClient.ask(async (of) => ({
      starter: await client.sessionStarter(of, number, signal),
    }));
    return starter === null ? [] : [starter];
  }
  // A person's pull request of which somebody said that an agent wrote it was assigned to nobody in the agent's name.
  const { rows } = await sql<{ id: string; login: string }>`
    select a.host_id as id, a.login from pull_requests p join people a on a.id = p.author_id
    where p.repository_id = ${repository.id} and p.number = ${number} and a.kind <> 'human'`.execute(context.db);
  const [agent] = rows;
  if (agent === undefined) return [];
  const named = { id: agent.id, names: namesOfAgent(agent.login) };
  const { starters } = await hostClient.ask(async (of) => ({
    starters: await client.issueStarters(of, node_id, named, signal),
  }));
  return starters;
}

/** The accounts that a pull request's texts name and that are not known yet; whom the host does not know either is written down. */
async function namedAccounts(
  { context, personal, repository, signal }: Reading,
  number: number,
): Promise<HostAccount[]> {
  const { db, now } = context;
  const { unknown } = await storedRecords(db, repository.id, [number]);
  const all = [...new Map((unknown.get(number) ?? []).map((one) => [nameOf(one), one])).values()];
  const absent = await absentNames(db, repository.id, all.map(nameOf));
  const named = all.filter((one) => !absent.has(nameOf(one))).slice(0, MOST_NAMES);
  const found: HostAccount[] = [];
  for (const one of named) {
    if ((await peopleNamed(db, repository.host, [one])).length > 0) continue;
    const account = await personal.client.account(one.id === null ? { login: one.login } : { id: one.id }, signal);
    if (account !== null && isNamed(account, one)) found.push(account);
    else
      await db
        .insertInto('unknown_accounts')
        .values({ host: repository.host, named: nameOf(one), looked_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }
  return found;
}

/** The most accounts that are looked up for one pull request: whoever writes a commit can name as many as they like. */
const MOST_NAMES = 10;

function isNamed(account: HostAccount, { id, login }: NamedAccount): boolean {
  return id === null ? account.login.toLowerCase() === login.toLowerCase() : account.id === id;
}

/** Such as single sign-on of the organisation that has the issue. Whether the repository itself may be read is asked beside. */
function isForGood(error: HostError): boolean {
  return isRefusal(error) || error.kind === 'refused';
}

async function later({ db, now }: SyncDeps, repository_id: number, clues: readonly Clue[]): Promise<void> {
  if (clues.length === 0) return;
  await sql`
    update clues c set due_at = ${now()}::timestamptz + make_interval(mins => ${MINUTES_BEFORE_ANOTHER_TRY})
    from unnest(${clues.map(({ number }) => number)}::int[], ${clues.map(({ kind }) => kind)}::text[]) as tried (number, kind)
    where c.repository_id = ${repository_id} and c.number = tried.number and c.kind = tried.kind and c.due_at is not null`.execute(
    db,
  );
}
