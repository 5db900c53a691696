import { addHints, type HintSubject } from '../db/hints.ts';
import { type HostClient, HostError } from '../host/host.ts';
import { Asking } from './asking.ts';
import type { SyncContext } from './context.ts';
import { failureRules } from './failures.ts';
import { deletePullRequests, savePullRequests } from './save.ts';
import type { StoredRepository } from './sessions.ts';
import { loseSight } from './settle.ts';

interface Wanted {
  readonly user_id: number;
  readonly repository_id: number;
  readonly number: number;
  readonly signal: AbortSignal;
}

/**
 * The same for somebody who looks at the page: whom the host no longer lets in loses sight of the repository at once, a token that
 * it rejects is not used again (server specification, sections 3 and 4). A repository that the host does not show has no pull
 * request either: false.
 * @throws HostError as the host fails otherwise
 */
export async function refreshForPerson(context: SyncContext, wanted: Wanted): Promise<boolean> {
  try {
    return await refreshPullRequest(context, wanted);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    await keepOut(context, wanted.user_id, wanted.repository_id, error);
    if (error.kind !== 'not_found') throw error;
    return false;
  }
}

/**
 * Fetches one pull request with this user's token and stores it; false when the host has none of this number: it is then deleted
 * here too. Asks the host once: somebody waits for the answer.
 * @throws HostError as the host fails, `unauthorized` also when the user has no token
 */
async function refreshPullRequest(context: SyncContext, wanted: Wanted): Promise<boolean> {
  const { user_id, repository_id, number, signal } = wanted;
  const { repository, client } = await clientOn(context, repository_id, user_id);
  const asking = new Asking(context, client, repository, signal, false);
  const asked_at = context.now();
  const { pull } = await asking.ask(async (of) => ({ pull: await client.pullRequest(of, number, signal) }));
  await context.db.transaction().execute(async (transaction) => {
    const changed =
      pull === null
        ? await deletePullRequests(transaction, repository_id, [number])
        : (await savePullRequests(transaction, repository, [pull], asked_at)).length;
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
 * longer lets in or whose quota is spent is passed over for the next.
 * @throws HostError the last user's, when no one could look
 */
export async function follow(
  context: SyncContext,
  repository_id: number,
  subject: HintSubject,
  signal: AbortSignal,
): Promise<void> {
  if (subject.kind === 'repository') return await checkEverybody(context, repository_id, signal);
  if (subject.kind === 'commit' && (await hintHeads(context, repository_id, subject.sha))) return;
  await asAnyUser(context, repository_id, async (user_id) => {
    if (subject.kind === 'pull_request') {
      await refreshPullRequest(context, { user_id, repository_id, number: subject.number, signal });
      return;
    }
    const { repository, client } = await clientOn(context, repository_id, user_id);
    const asking = new Asking(context, client, repository, signal, false);
    const { numbers } = await asking.ask(async (of) => ({
      numbers: await client.pullRequestsOfCommit(of, subject.sha),
    }));
    await addHints(context.db, repository_id, numbers.map(pullRequestOf), context.now());
  });
}

/** Who may read the repository, under what name, is asked with each user's own token. */
async function checkEverybody(context: SyncContext, repository_id: number, signal: AbortSignal): Promise<void> {
  const rows = await context.db
    .selectFrom('connections')
    .select('user_id')
    .where('repository_id', '=', repository_id)
    .orderBy('user_id')
    .execute();
  for (const { user_id } of rows) {
    if (signal.aborted) return;
    await context.checkAccess(user_id, repository_id);
  }
}

function pullRequestOf(number: number): HintSubject {
  return { kind: 'pull_request', number };
}

/** True when open pull requests with this head are stored: they are to be looked at. */
async function hintHeads(context: SyncContext, repository_id: number, sha: string): Promise<boolean> {
  const rows = await context.db
    .selectFrom('pull_requests')
    .select('number')
    .where('repository_id', '=', repository_id)
    .where('head_sha', '=', sha)
    .where('state', '=', 'open')
    .execute();
  const subjects = rows.map((row) => pullRequestOf(row.number));
  await addHints(context.db, repository_id, subjects, context.now());
  return rows.length > 0;
}

async function asAnyUser(
  context: SyncContext,
  repository_id: number,
  act: (user_id: number) => Promise<void>,
): Promise<void> {
  const users = await readersOf(context, repository_id);
  let last: unknown = null;
  for (const user_id of users) {
    try {
      return await act(user_id);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      if (failureRules[error.kind].outcome === 'give_up') throw error;
      await keepOut(context, user_id, repository_id, error);
      last = error;
    }
  }
  if (last !== null) throw last;
}

/** What the host's refusal means for this user from now on. */
async function keepOut(context: SyncContext, user_id: number, repository_id: number, error: HostError): Promise<void> {
  const { outcome } = failureRules[error.kind];
  if (outcome === 'sign_in') await context.rejectToken(user_id);
  if (outcome === 'lose_sight') await loseSight(context, user_id, repository_id);
}

/** Who may read the repository, those who signed in last first. */
export async function readersOf(context: SyncContext, repository_id: number): Promise<number[]> {
  const rows = await context.db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.user_id')
    .select('user_id')
    .where('repository_id', '=', repository_id)
    .where('readable', '=', true)
    .orderBy('users.signed_in_at', 'desc')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

async function clientOn(
  context: SyncContext,
  repository_id: number,
  user_id: number,
): Promise<{ repository: StoredRepository; client: HostClient }> {
  const repository = await context.db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (repository === undefined) throw new HostError('not_found', 'The repository is not connected any more.');
  const client = await context.clientFor(user_id);
  if (client === null) throw new HostError('unauthorized', 'There is no token.');
  return { repository, client };
}
