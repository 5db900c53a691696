import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ImportEstimate } from '#contract/connecting.ts';
import { askHostAs, confirmRejection } from '../ask-host-as.ts';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HostError, isPassing } from '../host/errors.ts';
import { POINTS_PER_PULL_REQUEST, POINTS_PER_REPOSITORY } from '../host/price.ts';
import type { HostRepository, RepositoryName } from '../host/repository.ts';
import type { Queue } from '../jobs/jobs.ts';
import type { RequestOrigin } from '../security-events.ts';
import { type ConnectDeps, noteConnected, noteRefusalOf, type RepositoryAnswer, storeConnection } from './connect.ts';
import { beginImport, resumeAbandoned, type StopDeps, stopUnlessRunning } from './imports.ts';
import { answerOf, type DatedListedRepository, FRESH_FOR, isReadable, repositoriesBy } from './own-list.ts';
import { repositoryName } from './repository-name.ts';

type Person = { readonly id: number; readonly host: string };

/** By what the names of repositories are compared. */
const keyOf = ({ owner, name }: RepositoryName) => `${owner}/${name}`.toLowerCase();

/** Dependencies of connecting several repositories at once. */
export interface SeveralDeps extends ConnectDeps, StopDeps {
  /** Starts a sync of a repository for a person; null where it is gone. */
  readonly startSync: (user_id: number, repository_id: number) => Promise<{ readonly id: string } | null>;
  readonly stepFailed: (error: unknown, fields: object) => void;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * How long a request waits before it is answered, in milliseconds from its beginning; what is not known by then is connected behind the
 * answer. The answer has to be there within 15 seconds, and takes reading how far that is.
 */
const ANSWER_WITHIN = 14_000;
/** Repositories by their names in one request, and requests side by side. */
const NAMES_AT_ONCE = 50;
const REQUESTS_AT_ONCE = 4;
/** How long listed repositories wait for those asked for by name, in milliseconds, so that all are connected in the order of the last push. */
const WAIT_FOR_NAMES = 7_000;

/** How long after the beginning of an import a repository that the host fails at when asked for it alone is tried again, in milliseconds. */
const TRY_FOR = 30 * 60_000;

/** What was not connected when a process ended, or the host failed, is tried again every minute, in one process. */
export const connectSeveralQueue: Queue = { name: 'connect-several', cron: '* * * * *', time_limit: 600 };

export interface SeveralResult {
  readonly bulk_id: string;
  readonly results: {
    owner: string;
    name: string;
    id: number | null;
    status: 'connected' | 'already' | 'refused' | 'pending';
    reason: string | null;
  }[];
  readonly sessions: { repository_id: number; session_id: string }[];
}

/**
 * Connects repositories together and, with `sync`, imports those whose history is not here yet, the latest pushed first. One that fails
 * stops none. What is not known within 14 seconds is `pending`, and goes on behind the answer; `request` is kept for as long.
 * @throws HttpError 400 for a name that is none, 409 where too many imports of the user are under way: nothing is connected then
 */
export async function connectSeveral(
  deps: SeveralDeps,
  user: Person,
  wanted: readonly RepositoryName[],
  sync: boolean,
  request: RequestOrigin | null = null,
): Promise<SeveralResult> {
  const { db, now } = deps;
  const names = wanted.map(({ owner, name }) => repositoryName(owner, name));
  const unique = [...new Map(names.map((name) => [keyOf(name), name])).values()];
  const id = randomUUID();
  const answerTimer = new AbortController();
  const deadline = deps.sleep(ANSWER_WITHIN, answerTimer.signal);
  try {
    await beginImport(db, { id, user_id: user.id, sync, started_at: now() }, unique);
    const work = connectPending(deps, id, AbortSignal.timeout(10 * 60_000), request).catch((error: unknown) =>
      deps.stepFailed(error, { import: id }),
    );
    await Promise.race([work, deadline]);
  } finally {
    answerTimer.abort();
  }
  const rows = await db
    .selectFrom('import_repositories')
    .selectAll()
    .where('import_id', '=', id)
    .orderBy('position')
    .execute();
  const byKey = new Map(rows.map((row, at) => [keyOf(unique[at]!), row]));
  return {
    bulk_id: id,
    results: names.map((name) => {
      const { owner, name: called, repository_id, status, reason } = byKey.get(keyOf(name))!;
      return { owner, name: called, id: repository_id, status, reason };
    }),
    sessions: rows.flatMap(({ repository_id, session_id }) =>
      repository_id === null || session_id === null ? [] : [{ repository_id, session_id }],
    ),
  };
}

/**
 * Goes on with every import of which something is not connected yet, or was left undone by others, one after the other: with the first of
 * every person, then the second, so that nobody's many keep another's waiting.
 */
export async function connectWhatIsPending(deps: SeveralDeps, signal: AbortSignal): Promise<void> {
  await resumeAbandoned(deps);
  const now = deps.now();
  const { rows } = await sql<{ id: string }>`
    select i.id from imports i
    -- A beginning in the future is one of before the clock was set back.
    where i.state = 'running' and (i.started_at < ${now}::timestamptz - interval '30 seconds'
        or i.started_at > ${now}::timestamptz + interval '5 minutes')
      and exists (select from import_repositories r where r.import_id = i.id and r.status = 'pending')
    order by row_number() over (partition by i.user_id order by i.started_at, i.id), i.started_at, i.id`.execute(
    deps.db,
  );
  for (const { id } of rows) {
    if (signal.aborted) return;
    try {
      await connectPending(deps, id, signal, null);
    } catch (error) {
      deps.stepFailed(error, { import: id });
    }
  }
}

interface Pending extends RepositoryName {
  readonly position: number;
}

/** Connects what is pending of an import and begins its syncs. What the host says nothing about stays pending. */
async function connectPending(
  deps: SeveralDeps,
  import_id: string,
  signal: AbortSignal,
  request: RequestOrigin | null,
): Promise<void> {
  const { db } = deps;
  const { rows: owners } = await sql<Person & { sync: boolean; started_at: Date }>`
    select u.id, u.host, i.sync, i.started_at from imports i join users u on u.id = i.user_id where i.id = ${import_id}`.execute(
    db,
  );
  const [user] = owners;
  if (user === undefined) return;
  const personal = await deps.clientFor(user.id);
  const pending = await db
    .selectFrom('import_repositories')
    .select(['position', 'owner', 'name'])
    .where('import_id', '=', import_id)
    .where('status', '=', 'pending')
    .orderBy('position')
    .execute();
  if (personal === null) {
    for (const row of pending)
      await settle(db, import_id, row, {
        status: 'refused',
        reason: 'Cannot access repository: sign in again, your access token is not accepted any more.',
      });
    return;
  }
  const connecting = { deps, import_id, user, personal, request };
  const listed = await listedOf(db, user.id, personal.grant_id, deps.now());
  const known: Found[] = [];
  const asked: Pending[] = [];
  for (const row of pending) {
    const found = listed.get(keyOf(row));
    if (found === undefined || !isReadable(found)) asked.push(row);
    else known.push({ row, pushed_at: found.pushed_at, answer: answerOf(found, personal.grant_id) });
  }
  const connectInOrder = async (all: readonly Found[]) => {
    for (const one of all.toSorted(byLastPush)) {
      if (signal.aborted) return;
      await connectOne(connecting, one);
    }
  };
  const lookup = findByName(connecting, asked, signal);
  const nameTimer = new AbortController();
  const named = await Promise.race([lookup, deps.sleep(WAIT_FOR_NAMES, nameTimer.signal).then(() => null)]);
  nameTimer.abort();
  await connectInOrder([...known, ...(named ?? [])]);
  if (named === null) await connectInOrder(await lookup);
}

/** An import, and as whom it asks the host. */
interface Connecting {
  readonly deps: SeveralDeps;
  readonly import_id: string;
  readonly user: Person & { readonly sync: boolean; readonly started_at: Date };
  readonly personal: PersonalClient;
  /** Where the import was asked for; null where what it left is gone on with by schedule. */
  readonly request: RequestOrigin | null;
}

/** A repository of an import, and what the host says of it. */
interface Found {
  readonly row: Pending;
  readonly pushed_at: Date | string | null;
  readonly answer: RepositoryAnswer;
}

/** The latest push first, what nobody has pushed to last. */
function byLastPush(one: Found, other: Found): number {
  const pushOf = ({ pushed_at }: Found) => (pushed_at === null ? 0 : new Date(pushed_at).getTime());
  return pushOf(other) - pushOf(one) || one.row.position - other.row.position;
}

/**
 * What the host says of these when asked by their names. What it refuses is settled, and what it says nothing about stays pending; one that it
 * fails at when asked for it alone is settled, too, once it has been tried for long enough.
 */
async function findByName(
  connecting: Connecting,
  rows: readonly Pending[],
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const { deps, import_id } = connecting;
  const found: Found[] = [];
  const batches = Array.from({ length: Math.ceil(rows.length / NAMES_AT_ONCE) }, (_, at) =>
    rows.slice(at * NAMES_AT_ONCE, (at + 1) * NAMES_AT_ONCE),
  );
  const lookUpBatches = async () => {
    for (let batch = batches.shift(); batch !== undefined && !signal.aborted; batch = batches.shift()) {
      try {
        found.push(...((await findTogether(connecting, batch, signal)) ?? []));
      } catch (error) {
        deps.stepFailed(error, { import: import_id });
      }
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, lookUpBatches));
  return found;
}

/** Null where the host says nothing about any of them. */
async function findTogether(
  connecting: Connecting,
  rows: readonly Pending[],
  signal: AbortSignal,
): Promise<readonly Found[] | null> {
  const { deps, import_id, user, personal } = connecting;
  let answers: readonly (HostRepository | HostError)[];
  const { grant_id } = personal;
  const asked_at = deps.now();
  try {
    answers = await personal.client.repositoriesNamed(rows, signal);
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    const error = await confirmRejection(deps, user.id, grant_id, thrown);
    if (isPassing(error)) return null;
    answers = rows.map(() => error);
  }
  const found: Found[] = [];
  const alone: Pending[] = [];
  const isLastTry = asked_at.getTime() - user.started_at.getTime() >= TRY_FOR;
  for (const [at, row] of rows.entries()) {
    const answer = answers[at]!;
    if (!(answer instanceof HostError)) {
      const { pushed_at } = answer;
      found.push({
        row,
        pushed_at,
        answer: { repository: answer, grant_id, asked_at, is_listed: false, is_readable: true },
      });
    } else if (isPassing(answer) && rows.length > 1) {
      if (isLastTry) alone.push(row);
    } else if (!isPassing(answer) || isLastTry) {
      await noteRefusalOf(deps, user, grant_id, row, answer);
      await settle(deps.db, import_id, row, {
        status: 'refused',
        reason: `Cannot access repository: ${answer.message}`,
      });
    }
  }
  for (const row of alone) {
    const answered = await findTogether(connecting, [row], signal);
    if (answered === null) break;
    found.push(...answered);
  }
  return found;
}

async function connectOne({ deps, import_id, user, request }: Connecting, { row, answer }: Found): Promise<void> {
  const { db } = deps;
  try {
    // Another process may have connected it since it was looked up, and its person may have removed it again.
    const pending = await db
      .selectFrom('import_repositories as r')
      .innerJoin('imports as i', 'i.id', 'r.import_id')
      .select('r.position')
      .where('r.import_id', '=', import_id)
      .where('r.position', '=', row.position)
      .where('r.status', '=', 'pending')
      .where('i.state', '=', 'running')
      .executeTakeFirst();
    if (pending === undefined) return;
    const { added, row: stored } = await storeConnection(deps, user, answer);
    // Under the name that the host told this person.
    const { owner, name } = answer.repository;
    if (added) await noteConnected(deps, user.id, stored, request);
    const { history_completed_at } = await db
      .selectFrom('repositories')
      .select('history_completed_at')
      .where('id', '=', stored.id)
      .executeTakeFirstOrThrow();
    // What is here already is ready, and kept current by the schedule.
    const begins = user.sync && history_completed_at === null;
    const session = begins ? await deps.startSync(user.id, stored.id) : null;
    await settle(db, import_id, row, {
      status: added ? 'connected' : 'already',
      ...{ owner, name, repository_id: stored.id, session_id: session?.id ?? null },
      reason: null,
    });
    if (session !== null) await stopUnlessRunning(deps, user.id, import_id);
  } catch (error) {
    deps.stepFailed(error, { import: import_id, position: row.position });
  }
}

/** Notes what became of a repository, once; of one that is connected also where its import was cancelled meanwhile. */
async function settle(
  db: Kysely<Database>,
  import_id: string,
  { position }: Pending,
  change: {
    readonly status: 'connected' | 'already' | 'refused';
    readonly reason: string | null;
    readonly owner?: string;
    readonly name?: string;
    readonly repository_id?: number;
    readonly session_id?: string | null;
  },
): Promise<void> {
  await db
    .updateTable('import_repositories')
    .set(change)
    .where('import_id', '=', import_id)
    .where('position', '=', position)
    .where('status', 'in', change.status === 'refused' ? ['pending'] : ['pending', 'refused'])
    .execute();
}

/** By lower-cased full name, what the person's token listed within the last five minutes. */
async function listedOf(
  db: Kysely<Database>,
  user_id: number,
  grant_id: number,
  now: Date,
): Promise<ReadonlyMap<string, DatedListedRepository>> {
  const list = await db
    .selectFrom('repository_lists')
    .select(['repositories', 'read_at'])
    .where('user_id', '=', user_id)
    .where('grant_id', '=', grant_id)
    .where('read_at', '>', new Date(now.getTime() - FRESH_FOR))
    .orderBy('read_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return repositoriesBy(list ?? { repositories: [], read_at: now }, keyOf);
}

/** Seconds that a point takes until this installation has imports of its own to tell by. */
const SECONDS_PER_POINT = 3;

/**
 * What importing these repositories would take. What is here already, whoever imported it, costs nothing.
 * @throws HttpError 400 for a name that is none, 422 without a token; HostError where the host says nothing, also of one of them: what is left
 *   would be told as if it were all
 */
export async function estimateImport(
  deps: ConnectDeps,
  user: Person,
  wanted: readonly RepositoryName[],
): Promise<ImportEstimate> {
  const names = new Map(
    wanted.map(({ owner, name }) => repositoryName(owner, name)).map((name) => [keyOf(name), name]),
  );
  return await askHostAs(deps, user.id, async (personal) => await estimateWith(deps, user, names, personal));
}

async function estimateWith(
  { db, now }: ConnectDeps,
  user: Person,
  names: ReadonlyMap<string, RepositoryName>,
  personal: PersonalClient,
): Promise<ImportEstimate> {
  const listed = await listedOf(db, user.id, personal.grant_id, now());
  const found = new Map<string, number>();
  const uncounted: RepositoryName[] = [];
  for (const [key, name] of names) {
    const one = listed.get(key);
    // The host lists repositories without saying how many pull requests they have; where it did not say that either, it is asked again.
    if (one === undefined || one.pull_requests === null) uncounted.push(name);
    else found.set(one.id, one.pull_requests);
  }
  const answers =
    uncounted.length === 0
      ? []
      : await personal.client.repositoriesNamed(uncounted, AbortSignal.timeout(ANSWER_WITHIN));
  let unreadable = 0;
  for (const answer of answers) {
    if (!(answer instanceof HostError)) found.set(answer.id, answer.pull_requests);
    else if (isPassing(answer)) throw answer;
    else unreadable += 1;
  }
  const { rows } = await sql<{ host_id: string }>`
    select host_id from repositories r where host = ${user.host} and host_id = any(${[...found.keys()]}::text[])
      and history_completed_at is not null
      and exists (select from connections c where c.repository_id = r.id)`.execute(db);
  for (const { host_id } of rows) found.delete(host_id);
  const pull_requests = [...found.values()].reduce((sum, count) => sum + count, 0);
  const points = Math.ceil(pull_requests * POINTS_PER_PULL_REQUEST + found.size * POINTS_PER_REPOSITORY);
  const quota = await personal.client.rateLimit();
  const pace = await secondsPerPoint(db);
  return {
    repositories: found.size,
    pull_requests,
    points,
    hours:
      quota === null
        ? null
        : Math.max(Math.max(0, points - quota.remaining) / Math.max(1, quota.limit), (points * pace) / 3600),
    here_already: rows.length,
    unreadable,
  };
}

/** By the pace of the last imports here. */
async function secondsPerPoint(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ pace: number | null }>`
    select percentile_cont(0.5) within group (order by seconds_per_pull_request) as pace from (
      select seconds_per_pull_request from sync_sessions
      where mode = 'full' and status = 'completed' and seconds_per_pull_request is not null
      order by sequence desc limit 20) latest`.execute(db);
  const [row] = rows;
  return row?.pace == null ? SECONDS_PER_POINT : row.pace / POINTS_PER_PULL_REQUEST;
}
