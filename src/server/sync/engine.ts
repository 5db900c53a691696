import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import {
  HostError,
  type HostPullRequest,
  type HostRepository,
  type OpenPullRequestDigest,
  type PullRequestBatch,
  type PullRequestDigest,
  type PullRequestPage,
  type RateLimit,
  type SkippedItem,
} from '../host/host.ts';
import { Asking, SessionLost } from './asking.ts';
import type { SyncContext } from './context.ts';
import { firstPageSize, needsFetch, nextPageSize, type PageSizing, scanFloor, watermarkOf } from './plan.ts';
import { percentageOf, smoothedPace } from './progress.ts';
import { noteAnswer } from './repository.ts';
import { json } from './rows.ts';
import { deletePullRequests, savePullRequests } from './save.ts';
import { releaseSessions, type StoredRepository, type SyncSession } from './sessions.ts';
import { closedToLookAt, type LookAt, openToLookAt, saveFingerprints, sweepIsDue } from './sweep.ts';

/**
 * Runs one session that this worker has claimed, stage by stage, until it is completed, has to give way (`giveWay` is asked at
 * every checkpoint) or is lost. Each page is stored with the cursor behind it in one transaction, in which the session must still
 * be this worker's.
 * @throws HostError when the host fails in a way that repeating does not help; SessionLost when the session is somebody else's
 */
export async function runSession(
  context: SyncContext,
  worker: string,
  claimed: SyncSession,
  signal: AbortSignal,
  giveWay: (session: SyncSession) => boolean,
): Promise<void> {
  const client = await context.clientFor(claimed.user_id);
  if (client === null) throw new HostError('unauthorized', 'There is no token.');
  const repository = await context.db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', claimed.repository_id)
    .executeTakeFirst();
  if (repository === undefined) throw new SessionLost();
  await new Run(
    context,
    worker,
    claimed,
    repository,
    new Asking(context, client, repository, signal),
    giveWay,
  ).finish();
}

interface Page {
  readonly pulls: readonly HostPullRequest[];
  readonly skipped: readonly SkippedItem[];
  /** When the host was asked for it. */
  readonly asked_at: Date;
  readonly repository?: HostRepository;
  readonly rate_limit: RateLimit | null;
  /** False for those that were counted before: only what is new is added to the counters then. */
  readonly counted: boolean;
}

type SessionChange = Partial<
  Pick<SyncSession, 'stage' | 'cursor' | 'total_prs' | 'scan_started_at' | 'phase' | 'status'>
>;

type RepositoryChange = Partial<
  Pick<
    StoredRepository,
    'page_size' | 'watermark' | 'history_completed_at' | 'last_synced_at' | 'swept_at' | 'changed_at'
  >
>;

class Run {
  readonly #context: SyncContext;
  readonly #worker: string;
  readonly #asking: Asking;
  readonly #giveWay: (session: SyncSession) => boolean;
  #session: SyncSession;
  #repository: StoredRepository;
  #sizing: PageSizing;
  #checkpoint: Date;

  constructor(
    context: SyncContext,
    worker: string,
    session: SyncSession,
    repository: StoredRepository,
    asking: Asking,
    giveWay: (session: SyncSession) => boolean,
  ) {
    this.#context = context;
    this.#worker = worker;
    this.#session = session;
    this.#repository = repository;
    this.#asking = asking;
    this.#giveWay = giveWay;
    this.#sizing = { size: firstPageSize(repository.page_size, session.page_size_limit), good: 0 };
    this.#checkpoint = context.now();
  }

  async finish(): Promise<void> {
    const stages = { history: this.#history, changes: this.#changes };
    while (this.#session.stage !== 'done') {
      const ended = await stages[this.#session.stage].call(this);
      if (!ended) return await releaseSessions(this.#context.db, this.#worker, this.#context.now(), this.#session.id);
    }
  }

  /** All pull requests by creation date; false when it gave way before the end. */
  async #history(): Promise<boolean> {
    for (let first = true; ; first = false) {
      if (!first && this.#giveWay(this.#session)) return false;
      const asked_at = this.#context.now();
      const page = await this.#historyPage(first);
      if (page === null) return await this.#historyOneByOne(asked_at);
      this.#sizing = nextPageSize(this.#sizing, page.page_size, this.#session.page_size_limit);
      const newest = newestOf(page.pull_requests);
      const scan_started_at = this.#session.scan_started_at ?? watermarkOf(asked_at, newest);
      const last = page.next_cursor === null;
      await this.#store(
        { ...page, pulls: page.pull_requests, asked_at, counted: true },
        {
          cursor: page.next_cursor,
          total_prs: page.total,
          scan_started_at,
          phase: last ? 'fetching_reviews' : 'fetching_prs',
          stage: last ? 'changes' : 'history',
        },
        // Whatever changed before the reading began was read; what changed since is the next stage's.
        { page_size: this.#sizing.size, ...(last && { watermark: scan_started_at, history_completed_at: asked_at }) },
      );
      if (last) return true;
    }
  }

  /** The next page; null when the host cannot compute one even of a single pull request. */
  async #historyPage(first: boolean): Promise<PullRequestPage | null> {
    const ask = (cursor: string | null) =>
      this.#asking.ask((of) =>
        this.#asking.client.pullRequests(of, { cursor, size: this.#sizing.size, signal: this.#asking.signal }),
      );
    const { cursor } = this.#session;
    try {
      return await ask(cursor);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      if (isTooMuch(error)) return null;
      // A cursor of an earlier day that the host no longer understands: read again from the top.
      if (!first || cursor === null || error.kind !== 'protocol') throw error;
      return await ask(null);
    }
  }

  /**
   * Where a page of history cannot be computed, what follows it cannot be reached: the rest is then found by update date, all of it,
   * and fetched by its keys, so that only what is itself too heavy is left out.
   */
  async #historyOneByOne(asked_at: Date): Promise<boolean> {
    await this.#store(
      { ...nothingIn(asked_at), rate_limit: null },
      { stage: 'changes', cursor: null },
      { watermark: null },
    );
    return true;
  }

  /**
   * What changed since the watermark, by update date, and what the update date does not tell; begins at the top whenever it was
   * interrupted. Everything is named first and then fetched once.
   */
  async #changes(): Promise<boolean> {
    const started = this.#context.now();
    const changes = await this.#changesSince(scanFloor(this.#repository.watermark ?? new Date(0)));
    if (changes === null) return false;
    const due = sweepIsDue(this.#session, this.#repository, started);
    const swept = due ? await this.#sweep(started) : [];
    const fingerprints = new Map(swept.map((one) => [one.node_id, one.fingerprint ?? null]));
    if (!(await this.#fetchAll(distinct([...changes.wanted, ...swept]), fingerprints))) return false;
    await this.#store(
      { ...nothingIn(this.#context.now()), rate_limit: null },
      { stage: 'done', phase: 'completed', status: 'completed' },
      {
        watermark: watermarkOf(started, changes.newest),
        history_completed_at: this.#repository.history_completed_at ?? started,
        last_synced_at: this.#context.now(),
        ...(due && { swept_at: started }),
      },
    );
    return true;
  }

  /** Reads update dates, newest first, down to and including `floor`; null when it gave way. */
  async #changesSince(floor: Date): Promise<{ newest: Date | null; wanted: PullRequestDigest[] } | null> {
    const wanted: PullRequestDigest[] = [];
    let newest: Date | null = null;
    for (let cursor: string | null = null; ; ) {
      const asked_at = this.#context.now();
      const page = await this.#asking.ask((of) => this.#asking.client.changes(of, cursor));
      newest ??= page.digests[0]?.updated_at ?? null;
      const within = page.digests.filter((digest) => digest.updated_at >= floor);
      wanted.push(...(await this.#needed(within)));
      cursor = page.next_cursor;
      await this.#store({ ...page, ...nothingIn(asked_at) }, { phase: 'fetching_prs' });
      if (cursor === null || within.length < page.digests.length) return { newest, wanted };
      if (this.#giveWay(this.#session)) return null;
    }
  }

  /** The open pull requests of which something changed, and those closed lately. */
  async #sweep(started: Date): Promise<LookAt[]> {
    const open: OpenPullRequestDigest[] = [];
    for (let cursor: string | null = null, more = true; more; ) {
      const asked_at = this.#context.now();
      const page = await this.#asking.ask((of) => this.#asking.client.openPullRequests(of, cursor));
      open.push(...page.digests);
      cursor = page.next_cursor;
      more = cursor !== null;
      await this.#store({ ...page, ...nothingIn(asked_at) }, {});
    }
    const { db } = this.#context;
    return [
      ...(await openToLookAt(db, this.#repository.id, open, started)),
      ...(await closedToLookAt(db, this.#repository.id, started)),
    ];
  }

  /** Those of the digests whose pull request is to be fetched. */
  async #needed(digests: readonly PullRequestDigest[]): Promise<PullRequestDigest[]> {
    const rows = await this.#context.db
      .selectFrom('pull_requests')
      .select(['number', 'updated_at', 'settled'])
      .where('repository_id', '=', this.#repository.id)
      .where(sql<boolean>`number = any(${digests.map((digest) => digest.number)}::int[])`)
      .execute();
    const stored = new Map(rows.map((row) => [row.number, row]));
    return digests.filter((digest) => needsFetch(digest, stored.get(digest.number) ?? null));
  }

  /** Fetches pull requests by their keys, batch by batch; false when it gave way. Those that are gone are deleted. */
  async #fetchAll(
    wanted: readonly { node_id: string; number: number }[],
    fingerprints: ReadonlyMap<string, string | null> = new Map(),
  ): Promise<boolean> {
    const counted = this.#session.mode === 'incremental';
    if (counted) {
      const total_prs = this.#session.processed_prs + wanted.length;
      await this.#store({ ...nothingIn(this.#context.now()), rate_limit: null }, { total_prs });
    }
    for (let at = 0; at < wanted.length; ) {
      if (at > 0 && this.#giveWay(this.#session)) return false;
      const batch = wanted.slice(at, at + this.#sizing.size);
      at += batch.length;
      const asked_at = this.#context.now();
      const answer = await this.#batch(batch);
      const missing = batch.filter((one) => answer.missing.includes(one.node_id));
      const gone = await this.#reallyGone(missing.map((one) => one.number));
      await this.#store(
        { ...answer, pulls: answer.pull_requests, asked_at, counted },
        { phase: at < wanted.length ? 'fetching_reviews' : 'processing_data' },
        {},
        async (transaction) => {
          await saveFingerprints(transaction, this.#repository.id, batch, fingerprints);
          if (gone.length > 0) await deletePullRequests(transaction, this.#repository.id, gone);
        },
      );
    }
    return true;
  }

  /** Pull requests by their keys; where the host cannot compute one of them even alone, that one is skipped and named. */
  async #batch(batch: readonly { node_id: string; number: number }[]): Promise<PullRequestBatch> {
    const ids = batch.map((one) => one.node_id);
    try {
      return await this.#asking.ask((of) => this.#asking.client.pullRequestsById(of, ids, this.#asking.signal));
    } catch (error) {
      if (!(error instanceof HostError) || !isTooMuch(error)) throw error;
      const [only] = batch;
      // The host must be there otherwise: nothing is skipped because of an outage.
      if (batch.length === 1) await this.#asking.ask((of) => this.#asking.client.changes(of, null));
      if (batch.length === 1 && only !== undefined)
        return {
          pull_requests: [],
          skipped: [{ number: only.number, reason: error.message }],
          missing: [],
          rate_limit: null,
        };
    }
    const half = Math.ceil(batch.length / 2);
    const [one, other] = [await this.#batch(batch.slice(0, half)), await this.#batch(batch.slice(half))];
    return {
      pull_requests: [...one.pull_requests, ...other.pull_requests],
      skipped: [...one.skipped, ...other.skipped],
      missing: [...one.missing, ...other.missing],
      rate_limit: other.rate_limit ?? one.rate_limit,
    };
  }

  /** A key can die without its pull request: only what the host does not know by its number either is gone. */
  async #reallyGone(numbers: readonly number[]): Promise<number[]> {
    const gone: number[] = [];
    for (const number of numbers) {
      const asked_at = this.#context.now();
      const { pull } = await this.#asking.ask(async (of) => ({
        pull: await this.#asking.client.pullRequest(of, number, this.#asking.signal),
      }));
      if (pull === null) gone.push(number);
      else await this.#store({ pulls: [pull], skipped: [], asked_at, rate_limit: null, counted: false }, {});
    }
    return gone;
  }

  /** A checkpoint: everything of a page, the session's new state and the repository's, in one transaction. */
  async #store(
    page: Page,
    change: SessionChange,
    ofRepository: RepositoryChange = {},
    more: (transaction: Transaction<Database>) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const now = this.#context.now();
    const before = this.#session;
    this.#session = await this.#context.db.transaction().execute(async (transaction) => {
      const mine = await transaction
        .selectFrom('sync_sessions')
        .selectAll()
        .where('id', '=', before.id)
        .where('worker', '=', this.#worker)
        .where('status', '=', 'running')
        .forUpdate()
        .executeTakeFirst();
      if (mine === undefined) throw new SessionLost();
      const saved = await savePullRequests(transaction, this.#repository, page.pulls, page.asked_at);
      await more(transaction);
      const fresh = new Set(saved.filter((row) => row.fresh).map((row) => row.number));
      const counted = page.counted ? page.pulls : page.pulls.filter((pull) => fresh.has(pull.number));
      const session = sessionAfter(mine, counted, page, change, now, this.#checkpoint);
      await transaction
        .updateTable('sync_sessions')
        .set({ ...session, skipped: json(session.skipped) })
        .where('id', '=', mine.id)
        .execute();
      const noted = await noteAnswer(transaction, this.#repository, page.repository ?? null, before.user_id, now);
      const repository = { ...noted, ...ofRepository, ...(saved.length > 0 && { changed_at: now }) };
      if (Object.keys(repository).length > 0)
        await transaction.updateTable('repositories').set(repository).where('id', '=', this.#repository.id).execute();
      this.#repository = { ...this.#repository, ...repository };
      return session;
    });
    this.#checkpoint = now;
    if (this.#asking.signal.aborted) throw new SessionLost();
  }
}

/** The session's row after a checkpoint. */
function sessionAfter(
  before: SyncSession,
  counted: readonly HostPullRequest[],
  page: Page,
  change: SessionChange,
  now: Date,
  checkpoint: Date,
): SyncSession {
  const reviews = sum(counted.map((pull) => pull.reviews.length));
  const after: SyncSession = {
    ...before,
    ...change,
    processed_prs: before.processed_prs + counted.length,
    processed_reviews: before.processed_reviews + reviews,
    processed_items:
      before.processed_items + counted.length + reviews + sum(counted.map((pull) => pull.comments.length)),
    skipped: [...before.skipped, ...page.skipped].slice(0, MOST_SKIPPED),
    attempts: 0,
    error: null,
    error_kind: null,
    error_link: null,
    updated_at: now,
    ...(page.rate_limit !== null && {
      rate_remaining: page.rate_limit.remaining,
      rate_limit: page.rate_limit.limit,
      rate_reset_at: page.rate_limit.reset_at,
    }),
  };
  const seconds = (now.getTime() - checkpoint.getTime()) / 1000;
  return {
    ...after,
    seconds_per_pull_request: smoothedPace(before.seconds_per_pull_request, seconds, counted.length),
    total_prs: after.total_prs === null ? null : Math.max(after.total_prs, after.processed_prs),
    percentage: Math.max(before.percentage, percentageOf(after)),
    finished_at: after.status === 'completed' ? now : null,
    worker: after.status === 'completed' ? null : after.worker,
  };
}

/** Whether the host failed over what was asked for, as far as its answer tells: it answered, but not in time or not within its limits. */
function isTooMuch(error: HostError): boolean {
  return error.kind === 'too_heavy' || (error.kind === 'unavailable' && [200, 502, 504].includes(error.status ?? 0));
}

/** More skipped items than these are not named one by one. */
const MOST_SKIPPED = 1000;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function nothingIn(asked_at: Date) {
  return { pulls: [], skipped: [], asked_at, counted: false };
}

function newestOf(pulls: readonly HostPullRequest[]): Date | null {
  return pulls.length === 0 ? null : new Date(Math.max(...pulls.map((pull) => pull.updated_at.getTime())));
}

function distinct<T extends { readonly node_id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.node_id, item])).values()];
}
