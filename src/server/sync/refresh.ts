import type { PersonalClient } from '../context.ts';
import {
  claimHintedSync,
  countLook,
  isKnownAbsent,
  POINTS_OF_A_CHECK,
  type QuotaPurpose,
  rememberAbsent,
  reserveCheck,
  reserveQuota,
  settleQuota,
  uncountLook,
} from '../db/hint-limits.ts';
import { addHints, awaitsPullRequest, type HintSubject, pullRequestSubjects } from '../db/hints.ts';
import { isRefusal, noteRefused } from '../db/sight.ts';
import { isDatabaseAway } from '../db/statement-limits.ts';
import { HostError, type RateLimit, wantsPause } from '../host/errors.ts';
import { isReadForSyncs } from '../metrics/kept-in-sync.ts';
import type { SyncDeps } from './context.ts';
import { eachAlone } from './each-alone.ts';
import { failureRules, pauseEnd } from './failures.ts';
import { RetryingHostClient } from './retrying-host-client.ts';
import { deletePullRequests } from './save.ts';
import { saveStorable } from './save-storable.ts';
import { isActive, newestSession, type StoredRepository, startSessionWithin } from './sessions.ts';

interface Wanted {
  readonly user_id: number;
  readonly repository_id: number;
  readonly number: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches one pull request in the name of somebody who looks at its page, and stores it; false when the host has none of this number, or
 * does not show them the repository. Whom the host does not let in any more loses sight of the repository at once, a token that it rejects
 * is not used again (docs/server.md#credentials-and-sight).
 * @throws HostError as the host fails otherwise
 */
export async function refreshForPerson(context: SyncDeps, wanted: Wanted): Promise<boolean> {
  const personal = await context.clientFor(wanted.user_id);
  if (personal === null) throw new HostError('unauthorized', 'There is no token.');
  try {
    return await refreshPullRequest(context, personal, wanted);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    await applyRefusal(context, { ...wanted, grant_id: personal.grant_id }, error);
    if (error.kind !== 'not_found') throw error;
    return false;
  }
}

/**
 * False when the host has no pull request of this number: it is then deleted here too. Asks the host once: somebody waits for the answer.
 * @throws HostError as the host fails
 */
async function refreshPullRequest(
  context: SyncDeps,
  personal: PersonalClient,
  wanted: Omit<Wanted, 'user_id'>,
): Promise<boolean> {
  const { repository_id, number, signal } = wanted;
  const { client } = personal;
  const repository = await repositoryBy(context, repository_id);
  const hostClient = new RetryingHostClient(context, personal, repository, signal, null);
  const asked_at = context.now();
  const { pull } = await hostClient.ask(async (of) => await client.pullRequest(of, number, signal));
  const fetched = { asked_at, answered_at: context.now() };
  await context.db.transaction().execute(async (transaction) => {
    const changed =
      pull === null
        ? await deletePullRequests(transaction, repository_id, [number])
        : (await saveStorable(transaction, repository, [pull], fetched)).saved.length;
    // A number that is unknown here and there changes nothing: whoever looks at it must not be told to look again.
    if (changed > 0)
      await transaction
        .updateTable('repositories')
        .set({ changed_at: context.now() })
        .where('id', '=', repository_id)
        .execute();
  });
  return pull !== null;
}

/**
 * Looks at what a hint names, with the token of any user who may read the repository: one whose token the host rejects, whom it no
 * longer lets in, whose quota is spent or of whose quota hints have had their share is passed over for the next.
 * @throws HostError when no one could look: the first that time may mend, else the last user's; LookLater when nobody may now; TooManyLooks;
 * the signal's reason when it is aborted while people are asked
 */
export async function follow(
  context: SyncDeps,
  repository_id: number,
  subject: HintSubject,
  signal: AbortSignal,
): Promise<void> {
  if (subject.kind === 'changes') return await syncChanges(context, repository_id);
  if (subject.kind === 'head' || subject.kind === 'commit') {
    const isStored = await hintHeads(context, repository_id, subject.sha);
    if (isStored) return;
  }
  const { db, now } = context;
  if (subject.kind === 'head') {
    // The pull request whose head it is may be looked at for the first time just now, as of before.
    if (await awaitsPullRequest(db, repository_id, now()))
      throw new LookLater(new Date(now().getTime() + WHILE_ONE_IS_READ));
    return;
  }
  if (subject.kind === 'pull_request' && (await isKnownAbsent(db, repository_id, subject.number, now()))) return;
  const isCounted = await countLook(db, repository_id, now());
  // Once a minute at most, it is done however many look-ups there were: who lost access is to be found soon.
  if (subject.kind === 'repository' || subject.kind === 'deleted')
    return await checkEverybody(context, repository_id, subject.kind === 'deleted', signal);
  if (!isCounted) throw new TooManyLooks();
  try {
    await asAnyUser(context, repository_id, 'hints', signal, async (personal) => {
      if (subject.kind === 'pull_request') {
        const { number } = subject;
        const isThere = await refreshPullRequest(context, personal, { repository_id, number, signal });
        if (!isThere) await rememberAbsent(db, repository_id, number, now());
        return true;
      }
      const repository = await repositoryBy(context, repository_id);
      const hostClient = new RetryingHostClient(context, personal, repository, signal, null);
      const { numbers } = await hostClient.ask(async (of) => ({
        numbers: await personal.client.pullRequestsOfCommit(of, subject.sha),
      }));
      if (numbers === null) return false;
      await addHints(db, repository_id, pullRequestSubjects(numbers), now());
      return true;
    });
  } catch (error) {
    if (error instanceof LookLater) await uncountLook(db, repository_id);
    throw error;
  }
}

/** Nothing may be looked at before then: hints have used their share of everybody's quota, or of the hour. */
export class LookLater extends Error {
  readonly again: Date;

  constructor(again: Date) {
    super('Hints have used what they may for now.');
    this.again = again;
  }
}

/** Hints have led to as many look-ups of the repository within the hour as they may. */
export class TooManyLooks extends Error {}

/** How long a look by a head that is not stored waits while pull requests are looked at, in milliseconds. */
const WHILE_ONE_IS_READ = 5_000;

/** How long a look at everything that changed waits for a sync that runs, in milliseconds. */
const WHILE_A_SYNC_RUNS = 15_000;

/** One incremental sync with one sweep of the open pull requests, at most once an hour. A first import has to come first. */
async function syncChanges(context: SyncDeps, repository_id: number): Promise<void> {
  const { db } = context;
  const now = context.now();
  const repository = await db
    .selectFrom('repositories')
    .select('history_completed_at')
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (repository === undefined || repository.history_completed_at === null) return;
  const newest = await newestSession(db, repository_id);
  // One that runs may have read past what changed: it ends first.
  if (newest !== null && isActive(newest)) throw new LookLater(new Date(now.getTime() + WHILE_A_SYNC_RUNS));
  for (const user_id of await readersOf(context, repository_id)) {
    if (!(await hasToken(context, user_id, repository_id))) continue;
    const request = {
      repository_id,
      user_id,
      mode: 'incremental',
      asked_by: 'schedule',
      page_size_limit: null,
    } as const;
    // All or nothing: a sync that could not begin must not use up the hour's one.
    await db.transaction().execute(async (transaction) => {
      if ((await startSessionWithin(transaction, request, now)) === null) return;
      await transaction.updateTable('repositories').set({ swept_at: null }).where('id', '=', repository_id).execute();
      const again = await claimHintedSync(transaction, repository_id, now);
      if (again !== null) throw new LookLater(again);
    });
    return;
  }
  throw new HostError('unauthorized', 'There is no token.');
}

/** Access checks of one hint side by side, each with another person's token. */
const CHECKS_AT_ONCE = 4;

/** Who may read the repository, under what name, is asked with each user's own token. */
async function checkEverybody(
  context: SyncDeps,
  repository_id: number,
  deleted: boolean,
  signal: AbortSignal,
): Promise<void> {
  const rows = await context.db
    .selectFrom('connections')
    .select('user_id')
    .where('repository_id', '=', repository_id)
    .orderBy('user_id')
    .execute();
  let later: Date | null = null;
  const waiting = rows.values();
  const work = () =>
    eachAlone(
      waiting,
      signal,
      async ({ user_id }) => {
        const reserved = await reserveCheck(context.db, user_id, context.now());
        if ('again' in reserved) {
          later = earlier(later, reserved.again);
          return;
        }
        let heard: RateLimit | null = null;
        try {
          heard = await context.checkAccess(user_id, repository_id, deleted);
        } finally {
          await settleQuota(context.db, user_id, 'hints', reserved.points, POINTS_OF_A_CHECK, heard);
        }
      },
      (error, { user_id }) => context.stepFailed('check_access', error, { user_id, repository_id }),
    );
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  signal.throwIfAborted();
  if (later !== null) throw new LookLater(later);
}

function earlier(one: Date | null, other: Date): Date {
  return one === null || other < one ? other : one;
}

/** True when open pull requests with this head are stored: they are to be looked at. */
async function hintHeads(context: SyncDeps, repository_id: number, sha: string): Promise<boolean> {
  const rows = await context.db
    .selectFrom('pull_requests')
    .select('number')
    .where('repository_id', '=', repository_id)
    .where('head_sha', '=', sha)
    .where('state', '=', 'open')
    .execute();
  const subjects = pullRequestSubjects(rows.map((row) => row.number));
  await addHints(context.db, repository_id, subjects, context.now());
  return rows.length > 0;
}

/** How long nobody asks in somebody's name where the host wants a pause and names no date, in milliseconds. */
const PAUSE = 60_000;

/** What somebody's token is used for, within so many points of their quota; false where it may not be: the next user's is tried. */
export type ActInName = (personal: PersonalClient, points: number) => Promise<boolean>;

/**
 * What fails on the way to one user's answer, such as a token that cannot be opened, never keeps the next user from trying; a host that
 * is away is away for all of them.
 * @returns false where nobody's token may be used for it, and none failed otherwise
 */
export async function asAnyUser(
  context: SyncDeps,
  repository_id: number,
  purpose: QuotaPurpose,
  signal: AbortSignal,
  act: ActInName,
): Promise<boolean> {
  const users = await readersOf(context, repository_id);
  const usageOf = ({ client }: PersonalClient) => {
    const { points, rate_limit, requests } = client.usage();
    // Some of what is asked beside is counted in requests, of which there are about as many.
    return purpose === 'actions' ? requests : { points: points + requests.points, rate_limit };
  };
  let last: unknown = null;
  let later: Date | null = null;
  for (const user_id of users) {
    let grant_id: number | null = null;
    try {
      const personal = await context.clientForSync(user_id, repository_id);
      if (personal === null) {
        last ??= new HostError('unauthorized', 'There is no token.');
        continue;
      }
      grant_id = personal.grant_id;
      const reserved = await reserveQuota(context.db, user_id, purpose, context.now());
      if ('again' in reserved) {
        later = earlier(later, reserved.again);
        continue;
      }
      const before = usageOf(personal).points;
      let paused_until: Date | null = null;
      try {
        if (await act(personal, reserved.points)) return true;
      } catch (error) {
        if (wantsPause(error)) paused_until = pauseEnd(error, context.now(), PAUSE);
        throw error;
      } finally {
        const { points, rate_limit } = usageOf(personal);
        await settleQuota(context.db, user_id, purpose, reserved.points, points - before, rate_limit, paused_until);
      }
    } catch (error) {
      if (signal.aborted || isDatabaseAway(error)) throw error;
      if (!(error instanceof HostError)) context.stepFailed('follow_hint', error, { user_id, repository_id });
      else if (!isRefusal(error) && (error.kind === 'unavailable' || failureRules[error.kind].outcome === 'give_up'))
        throw error;
      else if (grant_id !== null) await applyRefusal(context, { user_id, repository_id, grant_id }, error);
      // Who fails for now may read what others may not.
      if (isFinal(last)) last = error;
    }
  }
  if (later !== null) throw new LookLater(later);
  if (last !== null) throw last;
  return false;
}

/** A refusal is; a pause, and a failure of ours, is not. */
function isFinal(error: unknown): boolean {
  return error === null || (error instanceof HostError && failureRules[error.kind].outcome !== 'wait');
}

/** What the host's refusal means for this user from now on. */
async function applyRefusal(
  context: SyncDeps,
  of: { user_id: number; repository_id: number; grant_id: number },
  error: HostError,
): Promise<void> {
  if (error.kind === 'unauthorized') await context.rejectToken(of.user_id, of.grant_id);
  if (!isRefusal(error)) return;
  const lost = await noteRefused(context.db, of, error, context.now());
  if (lost !== null) await context.noteSecurityEvent(lost, null);
}

/** With whose tokens the repository can be read, those who signed in last first. */
export async function readersOf(context: SyncDeps, repository_id: number): Promise<number[]> {
  const rows = await context.db
    .selectFrom('connections as c')
    .innerJoin('users', 'users.id', 'c.user_id')
    .select('user_id')
    .where('repository_id', '=', repository_id)
    .where(isReadForSyncs)
    .orderBy('users.signed_in_at', 'desc')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

/** Whether the user has a token to sync with; one that cannot be looked up counts as none, so that the next reader's turn comes. */
export async function hasToken(context: SyncDeps, user_id: number, repository_id: number): Promise<boolean> {
  try {
    return (await context.clientForSync(user_id, repository_id)) !== null;
  } catch (error) {
    context.stepFailed('find_token', error, { user_id });
    return false;
  }
}

export async function repositoryBy(context: SyncDeps, repository_id: number): Promise<StoredRepository> {
  const repository = await context.db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (repository === undefined) throw new HostError('protocol', 'The repository is not connected any more.');
  return repository;
}
