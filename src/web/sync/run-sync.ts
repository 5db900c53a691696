import type { SyncMode, SyncResponse } from '#contract/sync.ts';

/** Progress is asked for every 2 s (docs/product.md#add-repository-and-sync). */
export const POLL_EVERY = 2_000;
/** After 5 minutes the browser stops waiting; the server's work goes on. */
export const TIMEOUT = 300_000;
export const ATTEMPTS = 3;

export interface RepositoryToSync {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
}

/** The calls of the flow (docs/product.md#add-repository-and-sync). A rejection's message is shown to the person. */
export interface SyncCalls {
  readonly listRepositories: () => Promise<readonly RepositoryToSync[]>;
  readonly start: (repository: RepositoryToSync, mode: SyncMode) => Promise<SyncResponse>;
  readonly progress: (repository: RepositoryToSync) => Promise<SyncResponse>;
  readonly startFallback: (repository: RepositoryToSync) => Promise<SyncResponse>;
  readonly progressFallback: (sessionId: string) => Promise<SyncResponse>;
  readonly resume: (sessionId: string) => Promise<SyncResponse>;
  /** Whether trying again cannot help: the host or the server refused. */
  readonly isRefusal: (error: unknown) => boolean;
}

/** Time and chance, in milliseconds and 0 to 1. `sleep` rejects when the flow is given up. */
export interface Surroundings {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
}

export interface RepositorySync {
  readonly repository: RepositoryToSync;
  readonly status: 'syncing' | 'retrying' | 'done' | 'partial' | 'failed';
  /** Failed tries so far. */
  readonly attempts: number;
  /** The server's last word; null before the first. */
  readonly answer: SyncResponse | null;
  /** Why it failed or was cut off; null while it has not. */
  readonly error: string | null;
}

export interface SyncState {
  readonly mode: SyncMode;
  readonly repositories: readonly RepositorySync[];
}

export interface SyncOutcome {
  /** For the green banner; null where everything failed. */
  readonly message: string | null;
  /** For the red block, one line per repository that failed or was cut off below its head; null where none was. */
  readonly error: string | null;
}

export interface SyncRequest {
  readonly mode: SyncMode;
  /** Null syncs every connected repository. */
  readonly repositoryIds: readonly number[] | null;
  /** The name to show for {host}. */
  readonly host: string;
}

/** How long to wait after a failed attempt (1, 2, 3 …): 1 s, 2 s, 4 s plus up to 1 s of jitter. */
export function backoff(attempt: number, random: () => number): number {
  return 1_000 * 2 ** (attempt - 1) + 1_000 * random();
}

const messageOf = (error: unknown, otherwise: string): string =>
  error instanceof Error && error.message !== '' ? error.message : otherwise;

/** What the browser says when the server did not name the reason. */
const hostFailed = (host: string): string => `Failed to sync from ${host}`;

class SyncFailure extends Error {
  readonly final: boolean;
  readonly answer: SyncResponse | null;

  constructor(message: string, final: boolean, answer: SyncResponse | null = null) {
    super(message);
    this.final = final;
    this.answer = answer;
  }
}

/**
 * Runs the browser's side of a sync to its end: starts it, polls until it is complete, tries a failed repository again, falls
 * back to the older calls where the newer ones are 'not eligible' (docs/product.md#add-repository-and-sync). Repositories
 * run side by side and fail alone. `onChange` hears every step. Rejects only when `sleep` does.
 */
export async function runSync(
  request: SyncRequest,
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
): Promise<SyncOutcome> {
  let known: readonly RepositoryToSync[];
  try {
    known = await calls.listRepositories();
  } catch (error) {
    return { message: null, error: `${hostFailed(request.host)}: ${messageOf(error, 'Failed to fetch repositories')}` };
  }
  if (known.length === 0) {
    return { message: null, error: 'No repositories configured. Please add a repository first.' };
  }
  const { repositoryIds } = request;
  const chosen = repositoryIds === null ? known : known.filter(({ id }) => repositoryIds.includes(id));
  if (chosen.length === 0) return { message: null, error: 'Repository not found' };

  const states = chosen.map(
    (repository): RepositorySync => ({ repository, status: 'syncing', attempts: 0, answer: null, error: null }),
  );
  const change = (at: number, next: Partial<RepositorySync>) => {
    states[at] = { ...states[at]!, ...next };
    onChange({ mode: request.mode, repositories: [...states] });
  };
  onChange({ mode: request.mode, repositories: [...states] });
  await Promise.all(
    chosen.map((repository, at) =>
      syncWithRetries(repository, request, calls, surroundings, (next) => change(at, next)),
    ),
  );
  return outcomeOf(states);
}

/** Goes on with a failed session of one repository; what it cannot resume ends with 'Failed to resume sync'. */
export async function resumeSync(
  repository: RepositoryToSync,
  sessionId: string,
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (state: Partial<RepositorySync>) => void,
): Promise<SyncOutcome> {
  let end: Partial<RepositorySync>;
  try {
    const first = await calls.resume(sessionId).catch((error: unknown) => {
      throw new SyncFailure(`Failed to resume sync: ${messageOf(error, 'the server did not say why')}`, true);
    });
    onChange({ status: 'syncing', answer: first, error: null });
    const progress = () =>
      calls.progress(repository).catch((error: unknown) => {
        throw new SyncFailure(messageOf(error, 'Failed to resume sync'), true);
      });
    const answer = await untilComplete(first, progress, surroundings, onChange, 'Failed to resume sync');
    end = endOf(answer);
  } catch (error) {
    if (!(error instanceof SyncFailure)) throw error;
    end = {
      status: 'failed',
      error: error.message,
      ...(error.answer && { answer: error.answer }),
    };
  }
  onChange(end);
  return outcomeOf([{ repository, status: 'syncing', attempts: 0, answer: null, error: null, ...end }]);
}

/**
 * Follows sessions that were started before, e.g. before the page was loaded again, to their end, which may have come already. They are
 * not started again when they fail: the person decides.
 */
export async function followSyncs(
  sessions: readonly { readonly repository: RepositoryToSync; readonly answer: SyncResponse }[],
  mode: SyncMode,
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
): Promise<SyncOutcome> {
  const states = sessions.map(
    ({ repository, answer }): RepositorySync => ({ repository, status: 'syncing', attempts: 0, answer, error: null }),
  );
  const change = (at: number, next: Partial<RepositorySync>) => {
    states[at] = { ...states[at]!, ...next };
    onChange({ mode, repositories: [...states] });
  };
  onChange({ mode, repositories: [...states] });
  const follow = async ({ repository, answer }: (typeof sessions)[number], at: number) => {
    const progress = () =>
      calls.progress(repository).catch((error: unknown) => {
        throw new SyncFailure(messageOf(error, 'Sync failed'), true);
      });
    try {
      const last = await untilComplete(answer, progress, surroundings, (next) => change(at, next), 'Sync failed');
      change(at, endOf(last));
    } catch (error) {
      if (!(error instanceof SyncFailure)) throw error;
      change(at, { status: 'failed', error: error.message });
    }
  };
  await Promise.all(sessions.map(follow));
  return outcomeOf(states);
}

async function syncWithRetries(
  repository: RepositoryToSync,
  request: SyncRequest,
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (next: Partial<RepositorySync>) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await syncOnce(repository, request, calls, surroundings, onChange);
      onChange(endOf(answer));
      return;
    } catch (error) {
      if (!(error instanceof SyncFailure)) throw error;
      const answer = error.answer === null ? {} : { answer: error.answer };
      if (error.final) {
        onChange({ status: 'failed', attempts: attempt, error: error.message, ...answer });
        return;
      }
      if (attempt === ATTEMPTS) {
        const message = `${error.message} (failed after 3 attempts)`;
        onChange({ status: 'failed', attempts: attempt, error: message, ...answer });
        return;
      }
      onChange({ status: 'retrying', attempts: attempt, error: error.message, ...answer });
      await surroundings.sleep(backoff(attempt, surroundings.random));
      onChange({ status: 'syncing', error: null });
    }
  }
}

async function syncOnce(
  repository: RepositoryToSync,
  { mode, host }: SyncRequest,
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (next: Partial<RepositorySync>) => void,
): Promise<SyncResponse> {
  const asked = async (call: Promise<SyncResponse>): Promise<SyncResponse> => {
    try {
      return await call;
    } catch (error) {
      throw new SyncFailure(messageOf(error, hostFailed(host)), calls.isRefusal(error));
    }
  };
  let first: SyncResponse;
  let progress = () => asked(calls.progress(repository));
  try {
    first = await asked(calls.start(repository, mode));
    if (first.error !== null && isNotEligible(first.error)) throw new SyncFailure(first.error, false);
  } catch (error) {
    if (!(error instanceof SyncFailure) || !isNotEligible(error.message)) throw error;
    first = await asked(calls.startFallback(repository));
    const sessionId = first.session_id;
    if (sessionId !== null) progress = () => asked(calls.progressFallback(sessionId));
  }
  onChange({ answer: first });
  return untilComplete(first, progress, surroundings, onChange, hostFailed(host));
}

const isNotEligible = (error: string): boolean => error.includes('not eligible');

/** Whether a session was cut off after some of the history: what it brought counts, and why it ended is told beside it. */
const isPartial = ({ has_more, imported_prs }: SyncResponse): boolean => has_more && imported_prs > 0;

function endOf(answer: SyncResponse): Pick<RepositorySync, 'status' | 'answer' | 'error'> {
  return { status: answer.has_more ? 'partial' : 'done', answer, error: answer.error };
}

/** Polls until the session is complete; fails when it failed with nothing brought, was cancelled, or is not done after 5 minutes. */
async function untilComplete(
  first: SyncResponse,
  progress: () => Promise<SyncResponse>,
  { now, sleep }: Surroundings,
  onChange: (next: Partial<RepositorySync>) => void,
  otherwise: string,
): Promise<SyncResponse> {
  const started = now();
  for (let answer = first; ; ) {
    if (answer.status === 'failed' && !isPartial(answer))
      throw new SyncFailure(answer.error ?? otherwise, false, answer);
    if (answer.status === 'cancelled') throw new SyncFailure('The sync was cancelled.', true, answer);
    if (answer.is_complete || answer.status === 'completed' || answer.status === 'failed') return answer;
    if (now() - started >= TIMEOUT) {
      throw new SyncFailure('Sync timeout. The server goes on; Show Progress tells how far it is.', true, answer);
    }
    await sleep(POLL_EVERY);
    answer = await progress();
    onChange({ answer });
  }
}

/** What to tell when every repository has ended: the success, what is partial, and one line per failure. */
export function outcomeOf(states: readonly RepositorySync[]): SyncOutcome {
  const ended = states.filter(({ status }) => status === 'done' || status === 'partial');
  const failed = states.filter(({ status, error }) => status === 'failed' || (status === 'partial' && error !== null));
  const sum = (read: (answer: SyncResponse) => number) =>
    ended.reduce((total, { answer }) => total + (answer === null ? 0 : read(answer)), 0);
  const lines = [
    `Successfully synced ${sum((answer) => answer.imported_prs)} PRs and ${sum((answer) => answer.imported_reviews)} reviews`,
    ...ended
      .filter(({ status }) => status === 'partial')
      .map(({ repository: { owner, name } }) => `Partial sync complete for ${owner}/${name}. More data available.`),
  ];
  const failures = failed.map(({ repository: { owner, name }, error }) => `${owner}/${name}: ${error}`);
  return {
    message: ended.length === 0 ? null : lines.join('\n'),
    error: failures.length === 0 ? null : ['Sync completed with errors:', ...failures].join('\n'),
  };
}
