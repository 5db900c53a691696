import type { ConnectedRepository } from '#contract/repositories.ts';
import type { SyncMode, SyncResponse } from '#contract/sync.ts';
import { readableRepositories } from './readable-repositories.ts';
import type { Unfinished } from './unfinished.ts';

/** Progress is polled every 2 s (docs/product.md#add-repository-and-sync); beyond `MOST_POLLED` repositories, that much less often. */
const POLL_EVERY = 2_000;
/** These take 5 of the 10 requests a second that a person has (docs/operating.md#limits). */
const MOST_POLLED = 10;
/** At most this many are started at once. */
const MOST_STARTING = 10;
/** After this many starts, or one that was refused, there are 5 a second: with the polls, the requests that a person has. */
const MOST_FREELY = 300;
const START_EVERY = 200;
/** After 5 minutes the browser stops waiting; the server's work goes on. */
const TIMEOUT = 300_000;
export const ATTEMPTS = 3;

export interface RepositoryToSync {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
}

/** A connected repository, with whether it may be read now. */
export interface KnownRepository extends RepositoryToSync {
  readonly access: Pick<ConnectedRepository['access'], 'state' | 'reason'>;
}

/** The calls of the flow (docs/product.md#add-repository-and-sync). A rejection's message is shown to the person. */
export interface SyncCalls {
  readonly listRepositories: () => Promise<readonly KnownRepository[]>;
  readonly start: (repository: RepositoryToSync, mode: SyncMode) => Promise<SyncResponse>;
  readonly progress: (repository: RepositoryToSync) => Promise<SyncResponse>;
  readonly startFallback: (repository: RepositoryToSync) => Promise<SyncResponse>;
  readonly progressFallback: (sessionId: string) => Promise<SyncResponse>;
  /** Null where the session cannot be resumed: it is gone, has gone on, or a newer one of its repository exists. */
  readonly resume: (sessionId: string) => Promise<SyncResponse | null>;
  /** Whether trying again at once cannot help: the host or the server refused. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Whether it was refused because there were too many requests, which says nothing about the sync. */
  readonly isTooMany: (error: unknown) => boolean;
}

/** Time and chance, in milliseconds and 0 to 1. `sleep` rejects when the flow is given up. */
export interface Surroundings {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
  /** Whether the person has removed the repository since the run began: nothing more is told of it. */
  readonly isRemoved: (id: number) => boolean;
}

export interface RepositorySync {
  readonly repository: RepositoryToSync;
  /** `timed-out`: the page has stopped waiting, the server goes on. */
  readonly status: 'syncing' | 'retrying' | 'done' | 'partial' | 'failed' | 'timed-out';
  /** Failed tries so far. */
  readonly attempts: number;
  /** The server's last word; null before the first. */
  readonly answer: SyncResponse | null;
  /** Why it failed, was cut off or is no longer waited for; null while none of it is so. */
  readonly error: string | null;
}

export interface SyncState {
  readonly mode: SyncMode;
  readonly repositories: readonly RepositorySync[];
}

export interface SyncOutcome {
  /** For the green banner; null where everything failed. */
  readonly message: string | null;
  /** For the red block: below its head a line per repository that failed or was cut off, then one per timeout; null without any. */
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
  readonly status: 'failed' | 'timed-out';

  constructor(
    message: string,
    final: boolean,
    answer: SyncResponse | null = null,
    status: SyncFailure['status'] = 'failed',
  ) {
    super(message);
    this.final = final;
    this.answer = answer;
    this.status = status;
  }
}

/** How a repository ends by a failure; any other error is thrown on. */
function failedBy(error: unknown): Partial<RepositorySync> {
  if (!(error instanceof SyncFailure)) throw error;
  const { status, message, answer } = error;
  return { status, error: message, ...(answer && { answer }) };
}

const isAtWork = ({ status }: RepositorySync): boolean => status === 'syncing' || status === 'retrying';

/** Whether the server has not yet said that it has started it. */
const isToStart = (row: RepositorySync): boolean => isAtWork(row) && row.answer === null;

const isOf =
  (id: number) =>
  ({ repository }: RepositorySync): boolean =>
    repository.id === id;

const newRow = (repository: RepositoryToSync): RepositorySync => ({
  repository,
  status: 'syncing',
  attempts: 0,
  answer: null,
  error: null,
});

/** Whether a repository failed, or was cut off for a reason after some of its history. */
export const hasFailed = ({ status, error }: RepositorySync): boolean =>
  status === 'failed' || (status === 'partial' && error !== null);

/** Whether the page has stopped waiting for a repository with which the server goes on. */
export const hasTimedOut = ({ status }: RepositorySync): boolean => status === 'timed-out';

/** Calls the server for several repositories, within the requests that a person has. */
interface PacedCalls extends SyncCalls, Surroundings {
  /** How long to wait before a repository is polled again, in milliseconds. */
  readonly pollEvery: () => number;
  /**
   * Makes a call when it is its turn, and again while there are too many requests, for as long as the page waits for a repository.
   * Throws a `SyncFailure`.
   */
  readonly inTurn: <Answer>(call: () => Promise<Answer>, otherwise: string, prefix?: string) => Promise<Answer>;
}

function pacedCalls(calls: SyncCalls, surroundings: Surroundings, atWork: () => number): PacedCalls {
  const { now, sleep } = surroundings;
  let turnsLeft = MOST_STARTING;
  const waiting: (() => void)[] = [];
  let freeLeft = MOST_FREELY;
  let nextAt = now();
  const untilNext = async () => {
    freeLeft -= 1;
    if (freeLeft >= 0) return;
    const at = Math.max(now(), nextAt);
    nextAt = at + START_EVERY;
    if (at > now()) await sleep(at - now());
  };
  return {
    ...calls,
    ...surroundings,
    pollEvery: () => POLL_EVERY * Math.max(1, atWork() / MOST_POLLED),
    async inTurn(call, otherwise, prefix = '') {
      const mustWait = turnsLeft === 0;
      if (mustWait) await new Promise<void>((resolve) => waiting.push(resolve));
      else turnsLeft -= 1;
      try {
        // What was given up meanwhile goes no further.
        if (mustWait) await sleep(0);
        for (const started = now(); ; await sleep(POLL_EVERY)) {
          await untilNext();
          try {
            return await call();
          } catch (error) {
            if (calls.isTooMany(error)) freeLeft = 0;
            if (!calls.isTooMany(error) || now() - started >= TIMEOUT)
              throw new SyncFailure(prefix + messageOf(error, otherwise), calls.isRefusal(error));
          }
        }
      } finally {
        const next = waiting.shift();
        if (next === undefined) turnsLeft += 1;
        else next();
      }
    },
  };
}

/** Runs repositories side by side and tells of every change to any of them; `run` resolves when its one has ended. */
async function runRows(
  mode: SyncMode,
  rows: readonly RepositorySync[],
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
  run: (row: RepositorySync, calls: PacedCalls, change: (next: Partial<RepositorySync>) => void) => Promise<void>,
): Promise<SyncOutcome> {
  const states = [...rows];
  const kept = () => states.filter(({ repository }) => !surroundings.isRemoved(repository.id));
  const paced = pacedCalls(calls, surroundings, () => states.filter(isAtWork).length);
  const tell = () => onChange({ mode, repositories: kept() });
  tell();
  await Promise.all(
    rows.map((row, at) =>
      run(row, paced, (next) => {
        states[at] = { ...states[at]!, ...next };
        tell();
      }),
    ),
  );
  return outcomeOf(kept());
}

/** Which repositories a sync is of; or the sentence that says why there is none. */
async function repositoriesOf(
  { repositoryIds, host }: SyncRequest,
  calls: SyncCalls,
): Promise<readonly RepositoryToSync[] | string> {
  let known: readonly KnownRepository[];
  try {
    known = await calls.listRepositories();
  } catch (error) {
    return `${hostFailed(host)}: ${messageOf(error, 'Failed to fetch repositories')}`;
  }
  if (known.length === 0) return 'No repositories configured. Please add a repository first.';
  const chosen = repositoryIds === null ? known : known.filter(({ id }) => repositoryIds.includes(id));
  const readable = readableRepositories(chosen);
  return readable.length > 0 ? readable : (chosen[0]?.access.reason ?? 'Repository not found');
}

/**
 * Runs the browser's side of a sync to its end: starts it, polls until it is complete, tries a failed repository again, falls
 * back to the older calls where the newer ones are 'not eligible' (docs/product.md#add-repository-and-sync). Repositories
 * run side by side and fail alone. Those of a run that is under way are taken over: what is at work there goes on, what has ended stays.
 * `onChange` hears every step. Rejects only when `sleep` does.
 */
export async function runSync(
  request: SyncRequest,
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
  before: readonly RepositorySync[] = [],
): Promise<SyncOutcome> {
  const found = await repositoriesOf(request, calls);
  const problem = typeof found === 'string' ? found : null;
  if (problem !== null && before.length === 0) return { message: null, error: problem };
  const asked = typeof found === 'string' ? [] : found;
  const rows = [
    ...before.map((row): RepositorySync => {
      if (isAtWork(row)) return { ...row, status: 'syncing', error: null };
      return asked.some(({ id }) => isOf(id)(row)) ? newRow(row.repository) : row;
    }),
    ...asked.filter(({ id }) => !before.some(isOf(id))).map(newRow),
  ];
  const { message, error } = await runRows(
    request.mode,
    rows,
    calls,
    surroundings,
    onChange,
    async (row, paced, change) => {
      if (isAtWork(row)) await syncWithRetries(row, request, paced, change);
    },
  );
  return { message, error: [problem, error].filter((part) => part !== null).join('\n') || null };
}

/**
 * Tries those of a run again that are chosen, or all that failed or timed out, and leaves the others as they are: a session that can be
 * resumed is, one that timed out is followed, of the others a new one is started. Where there is none of them the whole request is run.
 */
export async function retrySync(
  request: SyncRequest,
  before: SyncState | null,
  chosen: readonly RepositorySync[],
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
): Promise<SyncOutcome> {
  const all = before?.repositories ?? [];
  const wanted = chosen.length > 0 ? chosen : all.filter((row) => hasFailed(row) || hasTimedOut(row));
  if (before === null || wanted.length === 0) return await runSync(request, calls, surroundings, onChange);
  const { mode } = before;
  const rows = all.map(
    (row): RepositorySync =>
      wanted.some(isOf(row.repository.id)) ? { ...row, status: 'syncing', attempts: 0, error: null } : row,
  );
  return await runRows(mode, rows, calls, surroundings, onChange, async ({ repository }, paced, change) => {
    const row = wanted.find(isOf(repository.id));
    if (row === undefined) return;
    const session = row.answer?.can_resume ? row.answer.resume_session_id : null;
    if (hasTimedOut(row) && row.answer !== null) await follow(repository, row.answer, paced, change);
    else if (session === null || !(await resumeSync(repository, session, paced, change)))
      await syncWithRetries(newRow(repository), { ...request, mode }, paced, change);
  });
}

/** Goes on with a failed session of one repository to its end, or ends with 'Failed to resume sync'. False where there is nothing to resume. */
async function resumeSync(
  repository: RepositoryToSync,
  sessionId: string,
  calls: PacedCalls,
  onChange: (next: Partial<RepositorySync>) => void,
): Promise<boolean> {
  const failure = 'Failed to resume sync';
  try {
    const first = await calls.inTurn(() => calls.resume(sessionId), 'the server did not say why', `${failure}: `);
    if (first === null) return false;
    onChange({ status: 'syncing', answer: first, error: null });
    onChange(endOf(await untilComplete(first, () => calls.progress(repository), calls, onChange, failure)));
  } catch (error) {
    onChange(failedBy(error));
  }
  return true;
}

/** Follows the newest session of a repository to its end, from the last answer about it. */
async function follow(
  repository: RepositoryToSync,
  answer: SyncResponse,
  calls: PacedCalls,
  onChange: (next: Partial<RepositorySync>) => void,
): Promise<void> {
  const progress = () => calls.progress(repository);
  try {
    onChange(endOf(await untilComplete(answer, progress, calls, onChange, 'Sync failed')));
  } catch (error) {
    onChange(failedBy(error));
  }
}

/**
 * Takes up what a tab was syncing before its page was loaded again: what had not been started yet is started, the other sessions are
 * followed to their end, which may have come already, and are not started again when they fail: the person decides. Null when there is none
 * of it, and where that cannot be found out.
 */
export async function takeUp(
  { mode, repositoryIds, notStarted = [] }: Unfinished,
  host: string,
  calls: SyncCalls,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
): Promise<SyncOutcome | null> {
  const { inTurn } = pacedCalls(calls, surroundings, () => 0);
  let rows: readonly RepositorySync[];
  try {
    const known = readableRepositories(await calls.listRepositories());
    const looks = known
      .filter(({ id }) => repositoryIds.includes(id))
      .map(async (repository) => {
        const isStarted = !notStarted.includes(repository.id);
        // One that cannot be looked at keeps none of the others.
        const answer = isStarted ? await inTurn(() => calls.progress(repository), '').catch(() => undefined) : null;
        return answer === undefined ? [] : [{ ...newRow(repository), answer }];
      });
    rows = (await Promise.all(looks)).flat().filter(({ answer }) => answer?.status !== 'idle');
  } catch {
    // Nobody asked for this look back: without an answer the page is as after any other load.
    return null;
  }
  if (rows.length === 0) return null;
  const request = { mode, repositoryIds, host };
  return await runRows(mode, rows, calls, surroundings, onChange, async (row, paced, change) => {
    if (row.answer === null) await syncWithRetries(row, request, { ...paced, inTurn }, change);
    else await follow(row.repository, row.answer, paced, change);
  });
}

/** What is to be taken up when the page is loaded again while its run is under way. */
export function underWay({ mode, repositories }: SyncState): Unfinished {
  const idOf = ({ repository }: RepositorySync): number => repository.id;
  return { mode, repositoryIds: repositories.map(idOf), notStarted: repositories.filter(isToStart).map(idOf) };
}

/** What is to be taken up when the page is loaded again although its run has ended: sessions with which the server goes on. */
export function unfinishedOf(state: SyncState | null): Unfinished | null {
  const left = state?.repositories.filter(hasTimedOut) ?? [];
  if (state === null || left.length === 0) return null;
  return { mode: state.mode, repositoryIds: left.map(({ repository }) => repository.id) };
}

/** Begins with the session that is under way where the row has one, and counts on from its failed tries. */
async function syncWithRetries(
  { repository, answer: last, attempts }: RepositorySync,
  request: SyncRequest,
  calls: PacedCalls,
  onChange: (next: Partial<RepositorySync>) => void,
): Promise<void> {
  let running = last !== null && ['queued', 'running', 'waiting'].includes(last.status) ? last : null;
  for (let attempt = attempts + 1; ; attempt += 1) {
    try {
      onChange(endOf(await syncOnce(repository, running, request, calls, onChange)));
      return;
    } catch (error) {
      const failure = { ...failedBy(error), attempts: attempt };
      if (error instanceof SyncFailure && error.final) return onChange(failure);
      if (attempt >= ATTEMPTS) {
        onChange({ ...failure, error: `${failure.error} (failed after 3 attempts)` });
        return;
      }
      onChange({ ...failure, status: 'retrying' });
      running = null;
      await calls.sleep(backoff(attempt, calls.random));
      onChange({ status: 'syncing', error: null });
    }
  }
}

async function syncOnce(
  repository: RepositoryToSync,
  running: SyncResponse | null,
  { mode, host }: SyncRequest,
  calls: PacedCalls,
  onChange: (next: Partial<RepositorySync>) => void,
): Promise<SyncResponse> {
  let first: SyncResponse;
  let progress = () => calls.progress(repository);
  if (running !== null) return untilComplete(running, progress, calls, onChange, hostFailed(host));
  try {
    first = await calls.inTurn(() => calls.start(repository, mode), hostFailed(host));
    if (first.error !== null && isNotEligible(first.error)) throw new SyncFailure(first.error, false);
  } catch (error) {
    if (!(error instanceof SyncFailure) || !isNotEligible(error.message)) throw error;
    first = await calls.inTurn(() => calls.startFallback(repository), hostFailed(host));
    const sessionId = first.session_id;
    if (sessionId !== null) progress = () => calls.progressFallback(sessionId);
  }
  onChange({ answer: first });
  return untilComplete(first, progress, calls, onChange, hostFailed(host));
}

const isNotEligible = (error: string): boolean => error.includes('not eligible');

/** Whether a session was cut off after some of the history: what it brought counts, and why it ended is told beside it. */
const isPartial = ({ has_more, imported_prs }: SyncResponse): boolean => has_more && imported_prs > 0;

function endOf(answer: SyncResponse): Pick<RepositorySync, 'status' | 'answer' | 'error'> {
  return { status: answer.has_more ? 'partial' : 'done', answer, error: answer.error };
}

/**
 * Polls until the session is complete; fails when it failed with nothing brought, was cancelled, may not be asked for, or is not done after
 * 5 minutes.
 */
async function untilComplete(
  first: SyncResponse,
  progress: () => Promise<SyncResponse>,
  { now, sleep, pollEvery, isTooMany, isRefusal }: PacedCalls,
  onChange: (next: Partial<RepositorySync>) => void,
  otherwise: string,
): Promise<SyncResponse> {
  const ends = now() + TIMEOUT;
  for (let answer = first; ; ) {
    if (answer.status === 'failed' && !isPartial(answer))
      throw new SyncFailure(answer.error ?? otherwise, false, answer);
    if (answer.status === 'cancelled') throw new SyncFailure('The sync was cancelled.', true, answer);
    if (answer.is_complete || answer.status === 'completed' || answer.status === 'failed') return answer;
    const left = ends - now();
    if (left <= 0) {
      const message = 'Sync timeout. The server goes on; Show Progress tells how far it is.';
      throw new SyncFailure(message, true, answer, 'timed-out');
    }
    await sleep(Math.min(pollEvery(), left));
    try {
      answer = await progress();
    } catch (error) {
      // Where no answer comes, the server may well go on.
      if (isTooMany(error) || !isRefusal(error)) continue;
      throw new SyncFailure(messageOf(error, otherwise), true);
    }
    onChange({ answer });
  }
}

/** What to tell when every repository has ended: the success, what is partial, and one line per failure and per timeout. */
export function outcomeOf(states: readonly RepositorySync[]): SyncOutcome {
  const ended = states.filter(({ status }) => status === 'done' || status === 'partial');
  const sum = (read: (answer: SyncResponse) => number) =>
    ended.reduce((total, { answer }) => total + (answer === null ? 0 : read(answer)), 0);
  const lines = [
    `Successfully synced ${sum((answer) => answer.imported_prs)} PRs and ${sum((answer) => answer.imported_reviews)} reviews`,
    ...ended
      .filter(({ status }) => status === 'partial')
      .map(({ repository: { owner, name } }) => `Partial sync complete for ${owner}/${name}. More data available.`),
  ];
  const reasonOf = ({ repository: { owner, name }, error }: RepositorySync) => `${owner}/${name}: ${error}`;
  const failures = states.filter(hasFailed).map(reasonOf);
  const errors = [
    ...(failures.length === 0 ? [] : ['Sync completed with errors:', ...failures]),
    ...states.filter(hasTimedOut).map(reasonOf),
  ];
  return {
    message: ended.length === 0 ? null : lines.join('\n'),
    error: errors.length === 0 ? null : errors.join('\n'),
  };
}
