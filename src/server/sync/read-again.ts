import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { QuotaPurpose } from '../db/hint-limits.ts';
import { addHints, pullRequestSubjects } from '../db/hints.ts';
import { isDatabaseAway } from '../db/statement-limits.ts';
import { COLLECTION, NOT_GIVEN, TO_READ_AGAIN, WITHOUT_COMMITS } from '../db/stored-records.ts';
import { HostError } from '../host/errors.ts';
import type { PullRequestBatch } from '../host/pages.ts';
import type { Queue } from '../jobs/jobs.ts';
import { isReadForSyncs } from '../metrics/kept-in-sync.ts';
import type { SyncDeps } from './context.ts';
import { failureRules, isTooMuch, pauseEnd, pauseLasts } from './failures.ts';
import { readDueClues } from './read-clues.ts';
import { type ActInName, asAnyUser, LookLater, repositoryBy } from './refresh.ts';
import { RetryingHostClient } from './retrying-host-client.ts';
import type { Fetched } from './save.ts';
import { saveStorable } from './save-storable.ts';
import type { StoredRepository } from './sessions.ts';

/** What was stored before it was collected is read again behind the running server, in one process. */
export const readAgainQueue: Queue = { name: 'read-again', cron: '* * * * *', time_limit: 3600 };

/** Pull requests of one repository that are asked for at once: a single point, as a rule, for what all of them have. */
const BATCH = 74;
/** One that could not be read again is tried once more after so long, in milliseconds. */
const ANOTHER_TRY = 24 * 3_600_000;

/**
 * Reads again what was stored before it was collected (docs/server.md#what-is-read-again), the newest pull requests first, and asks for
 * what is due beside them, until nothing is left or nobody's share of the quota. Where it stands is stored with each batch.
 */
export async function readAgain(context: SyncDeps, pause: Pause, signal: AbortSignal): Promise<void> {
  const isPaused = () => signal.aborted || pauseLasts(pause.until, context.now());
  const run: Run = { context, purpose: 'collection', pause, resting: new Set(), signal };
  while (!isPaused()) {
    const next = await nextToRead(context.db, [...run.resting], context.now());
    if (next === null) break;
    /** As read with tokens that may not read commits: stored only where no other reader's may. */
    const withoutCommits: Batch[] = [];
    const outcome = await unlessItFails(run, 'read_again', next.repository_id, async (personal) => {
      const batch = await readBatch(context, personal, next, signal);
      if (hidesCommits(batch)) {
        withoutCommits.push(batch);
        return false;
      }
      await saveBatch(context, next, batch, batch.asked_at);
      return true;
    });
    const [batch] = withoutCommits;
    if (batch === undefined || outcome === 'done' || outcome === 'failed') continue;
    try {
      // Somebody may be given them then.
      const isLater = outcome instanceof Date;
      await saveBatch(context, next, batch, isLater ? new Date(outcome.getTime() - ANOTHER_TRY) : batch.asked_at);
      // Only those without commits wait now.
      if (!isLater) run.resting.delete(next.repository_id);
    } catch (error) {
      if (signal.aborted || isDatabaseAway(error)) throw error;
      context.stepFailed('read_again', error, { repository_id: next.repository_id });
    }
  }
  if (!isPaused())
    await readDueClues(context, signal, isPaused, async (repository_id, act) => {
      const reading: ActInName = async (personal) => {
        await act(personal);
        return true;
      };
      return (await unlessItFails(run, 'read_clues', repository_id, reading)) === 'done';
    });
}

/** Until when nothing is read again because the host asked for a pause, or could not be reached; null for no pause. */
export interface Pause {
  until: Date | null;
}

/** How long it is left alone where the host does not say, in milliseconds. */
const PAUSE = 10 * 60_000;

/** What is read beside the syncs, in one process. */
export interface Run {
  readonly context: SyncDeps;
  /** Whose share of the quota it takes. */
  readonly purpose: QuotaPurpose;
  readonly pause: Pause;
  /** Repositories that could not be read now. */
  readonly resting: Set<number>;
  readonly signal: AbortSignal;
}

/**
 * `refused`: the host refused it to somebody. `failed`: it may succeed when it is tried again. A date: somebody's share of the quota is used up until
 * then.
 */
type Outcome = 'done' | 'nobody may' | 'refused' | 'failed' | Date;

/** In the name of anybody who may read the repository and has some of their share of the quota left; else the repository rests. */
export async function unlessItFails(
  { context, purpose, pause, resting, signal }: Run,
  step: 'read_again' | 'read_clues' | 'read_runs',
  repository_id: number,
  act: ActInName,
): Promise<Outcome> {
  let outcome: Outcome = 'failed';
  try {
    outcome = (await asAnyUser(context, repository_id, purpose, signal, act)) ? 'done' : 'nobody may';
  } catch (error) {
    if (signal.aborted || isDatabaseAway(error)) throw error;
    const follows = error instanceof HostError ? failureRules[error.kind].outcome : null;
    if (error instanceof HostError && follows === 'wait') {
      pause.until = pauseEnd(error, context.now(), PAUSE);
      context.hostWaited(error.kind);
    } else if (follows !== null) outcome = 'refused';
    if (error instanceof LookLater) outcome = error.again;
    // What a sync of the repository meets too, it tells.
    const isExpected = error instanceof LookLater || (follows !== null && follows !== 'give_up');
    if (!isExpected) context.stepFailed(step, error, { repository_id });
  }
  if (outcome !== 'done') resting.add(repository_id);
  return outcome;
}

interface Next {
  readonly repository_id: number;
  readonly pulls: readonly { number: number; node_id: string }[];
}

/** The newest ones that are left, all of one repository; null when none is. */
async function nextToRead(db: Kysely<Database>, resting: readonly number[], now: Date): Promise<Next | null> {
  // Where no reader's token may read commits, one batch a day is enough to see whether that has changed.
  const since = sql`${new Date(now.getTime() - ANOTHER_TRY)}::timestamptz`;
  // A try in the future is one of before the clock was set back.
  const isTriedLately = sql`(p.collection_tried_at > ${since} and p.collection_tried_at <= ${now}::timestamptz + interval '5 minutes')`;
  const isLeft = (areCommitsHidden: RawBuilder<unknown>) => sql`p.collection < ${COLLECTION}
    and ${isTriedLately} is not true
    and (p.collection <> ${WITHOUT_COMMITS} or not ${areCommitsHidden})`;
  const { rows } = await sql<{ repository_id: number; are_commits_hidden: boolean }>`
    select r.id as repository_id, lately.are_commits_hidden from repositories r
    cross join lateral (select exists (select from pull_requests p where p.repository_id = r.id and p.collection < 1
        and ${isTriedLately} and p.collection = ${WITHOUT_COMMITS}) as are_commits_hidden) lately
    cross join lateral (select p.created_at from pull_requests p
      where p.repository_id = r.id and ${isLeft(sql`lately.are_commits_hidden`)} order by p.created_at desc limit 1) newest
    where not (r.id = any(${resting}::int[]))
      and exists (select from connections c where c.repository_id = r.id and ${isReadForSyncs})
      and not exists (select from recounts where recounts.repository_id = r.id)
    order by newest.created_at desc, r.id limit 1`.execute(db);
  if (rows[0] === undefined) return null;
  const { repository_id, are_commits_hidden } = rows[0];
  const { rows: pulls } = await sql<{ number: number; node_id: string }>`
    select p.number, p.node_id from pull_requests p
    where p.repository_id = ${repository_id} and ${isLeft(sql`${are_commits_hidden}`)} order by p.created_at desc, p.number desc limit ${BATCH}`.execute(
    db,
  );
  return { repository_id, pulls };
}

/** What the host gave of the pull requests that it was asked for. */
interface Batch extends Pick<PullRequestBatch, 'pull_requests' | 'missing'>, Fetched {
  readonly repository: StoredRepository;
}

async function readBatch(
  context: SyncDeps,
  personal: PersonalClient,
  { repository_id, pulls }: Next,
  signal: AbortSignal,
): Promise<Batch> {
  const repository = await repositoryBy(context, repository_id);
  const asked_at = context.now();
  const read = await ask(context, personal, repository, pulls, signal);
  return { ...read, repository, asked_at, answered_at: context.now() };
}

/**
 * Those that the host does not give now are tried again a day after `tried_at`, except those that a sync has stored meanwhile, which the host was
 * not asked for as they are now; those whose key is gone are looked at by their numbers.
 */
async function saveBatch(
  { db, now }: SyncDeps,
  { repository_id, pulls }: Next,
  { repository, pull_requests, missing, asked_at, answered_at }: Batch,
  tried_at: Date,
): Promise<void> {
  const numbers = pulls.map(({ number }) => number);
  const left = hidesCommits({ pull_requests }) ? WITHOUT_COMMITS : NOT_GIVEN;
  // What was fetched later than now was before the clock was set back.
  const isStoredMeanwhile = sql`(fetched_at > ${asked_at} and fetched_at <= ${now()})`;
  await db.transaction().execute(async (transaction) => {
    const { saved } = await saveStorable(transaction, repository, pull_requests, { asked_at, answered_at });
    await sql`
      update pull_requests set collection_tried_at = ${tried_at},
        collection = case when collection < ${TO_READ_AGAIN} then ${left}::smallint else collection end
      where repository_id = ${repository_id} and number = any(${numbers}::int[]) and collection < ${COLLECTION}
        and not ${isStoredMeanwhile}`.execute(transaction);
    if (saved.length > 0)
      await transaction
        .updateTable('repositories')
        .set({ changed_at: now() })
        .where('id', '=', repository_id)
        .execute();
  });
  const gone = pulls.filter(({ node_id }) => missing.includes(node_id)).map(({ number }) => number);
  if (gone.length > 0) await addHints(db, repository_id, pullRequestSubjects(gone), now());
}

function hidesCommits({ pull_requests }: Pick<Batch, 'pull_requests'>): boolean {
  const all = pull_requests.map(({ commits }) => commits);
  return all.includes(null) && all.every((commits) => commits === null || commits.length === 0);
}

/** Pull requests by their keys; one that the host cannot compute even alone is left out. */
async function ask(
  context: SyncDeps,
  personal: PersonalClient,
  repository: StoredRepository,
  pulls: Next['pulls'],
  signal: AbortSignal,
): Promise<Pick<PullRequestBatch, 'pull_requests' | 'missing'>> {
  const hostClient = new RetryingHostClient(context, personal, repository, signal, null);
  const ids = pulls.map(({ node_id }) => node_id);
  try {
    return await hostClient.ask((of) => personal.client.pullRequestsById(of, ids, signal), { heavy: true });
  } catch (error) {
    if (!(error instanceof HostError) || !isTooMuch(error)) throw error;
    // Fails where the host is down.
    if (error.kind === 'unavailable') await hostClient.ask((of) => personal.client.changes(of, null));
    if (pulls.length === 1) return { pull_requests: [], missing: [] };
    const half = Math.ceil(pulls.length / 2);
    const one = await ask(context, personal, repository, pulls.slice(0, half), signal);
    const other = await ask(context, personal, repository, pulls.slice(half), signal);
    return {
      pull_requests: [...one.pull_requests, ...other.pull_requests],
      missing: [...one.missing, ...other.missing],
    };
  }
}
