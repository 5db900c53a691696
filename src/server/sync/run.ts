import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { refreshStatistics } from '../db/statistics.ts';
import type { RateLimit } from '../host/errors.ts';
import type { SkippedItem } from '../host/pages.ts';
import type { HostPullRequest } from '../host/pull-request.ts';
import type { HostRepository } from '../host/repository.ts';
import type { SyncDeps } from './context.ts';
import { firstPageSize, nextPageSize, type PageSizing, rememberedPageSize } from './plan.ts';
import { percentageOf, smoothedPace } from './progress.ts';
import { noteAnswer } from './repository.ts';
import { type RetryingHostClient, SessionLost } from './retrying-host-client.ts';
import { json } from './rows.ts';
import { saveStorable } from './save-storable.ts';
import type { StoredRepository, SyncSession } from './sessions.ts';
import { noteUnread } from './unread.ts';

/** What a checkpoint stores: pull requests as the host answered them, however they were asked for. */
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
  Pick<
    SyncSession,
    | 'stage'
    | 'cursor'
    | 'total_prs'
    | 'processed_prs'
    | 'processed_reviews'
    | 'processed_items'
    | 'scan_started_at'
    | 'phase'
    | 'status'
  >
>;

type RepositoryChange = Partial<
  Pick<
    StoredRepository,
    'page_size' | 'watermark' | 'history_completed_at' | 'last_synced_at' | 'swept_at' | 'changed_at'
  >
>;

/** A session while this worker runs it: what its stages share, and its checkpoints. */
export class Run {
  readonly context: SyncDeps;
  readonly #worker: string;
  readonly hostClient: RetryingHostClient;
  readonly #shouldYield: (session: SyncSession) => boolean;
  #session: SyncSession;
  #repository: StoredRepository;
  #sizing: PageSizing;
  #checkpoint: Date;

  constructor(
    context: SyncDeps,
    worker: string,
    session: SyncSession,
    repository: StoredRepository,
    hostClient: RetryingHostClient,
    shouldYield: (session: SyncSession) => boolean,
  ) {
    this.context = context;
    this.#worker = worker;
    this.#session = session;
    this.#repository = repository;
    this.hostClient = hostClient;
    this.#shouldYield = shouldYield;
    this.#sizing = { size: firstPageSize(repository.page_size, session.page_size_limit), good: 0 };
    this.#checkpoint = context.now();
  }

  /** The session as of the last checkpoint. */
  get session(): SyncSession {
    return this.#session;
  }

  /** Takes how many the host could compute together of a page or batch as large as it may be. */
  resize(computed: number): void {
    this.#sizing = nextPageSize(this.#sizing, computed, this.#session.page_size_limit);
  }

  /** What later sessions begin with. */
  get remembered(): { readonly page_size: number | null } {
    const { page_size } = this.#repository;
    return { page_size: rememberedPageSize(page_size, this.#sizing.size, this.#session.page_size_limit) };
  }

  /** Of the page or batch that is asked for next. */
  get sizing(): PageSizing {
    return this.#sizing;
  }

  /** The repository as of the last checkpoint. */
  get repository(): StoredRepository {
    return this.#repository;
  }

  /** Whether another session is to have this one's place; asked between two pages. */
  hasToGiveWay(): boolean {
    return this.#shouldYield(this.#session);
  }

  /**
   * A checkpoint: everything of a page, the session's new state and the repository's, in one transaction. `more` is done in it too
   * and answers whether it changed anything that a screen shows.
   * @throws SessionLost when the session is no longer this worker's, and then nothing is stored; or, after storing, when the run's
   * signal is aborted
   */
  async store(
    page: Page,
    change: SessionChange,
    ofRepository: RepositoryChange = {},
    more: (transaction: Transaction<Database>, saved: ReadonlySet<number>) => Promise<boolean> = async () => false,
  ): Promise<void> {
    const now = this.context.now();
    const before = this.#session;
    let unstorable: readonly SkippedItem[] = [];
    let moved = false;
    this.#session = await this.context.db.transaction().execute(async (transaction) => {
      const mine = await transaction
        .selectFrom('sync_sessions')
        .selectAll()
        .where('id', '=', before.id)
        .where('worker', '=', this.#worker)
        // A worker can claim again what it has lost to its own silence.
        .where('turn', '=', before.turn)
        .where('status', '=', 'running')
        .forUpdate()
        .executeTakeFirst();
      if (mine === undefined) throw new SessionLost();
      const { saved, skipped } = await saveStorable(transaction, this.#repository, page.pulls, {
        asked_at: page.asked_at,
        answered_at: now,
      });
      unstorable = skipped;
      const left = new Set(skipped.map((one) => one.number));
      const stored = page.pulls.filter((pull) => !left.has(pull.number));
      const known = new Set(page.pulls.map(({ number }) => number));
      await noteUnread(
        transaction,
        this.#repository.id,
        page.skipped.filter(({ number }) => number !== null && !known.has(number)),
        now,
      );
      const changed = (await more(transaction, new Set(saved.map(({ number }) => number)))) || saved.length > 0;
      const fresh = new Set(saved.filter((row) => row.fresh).map((row) => row.number));
      const counted = page.counted ? stored : stored.filter((pull) => fresh.has(pull.number));
      const report = { ...page, skipped: [...page.skipped, ...skipped] };
      const after = sessionAfter(mine, counted, report, change, now, this.#checkpoint);
      moved = changed || after.cursor !== mine.cursor || after.stage !== mine.stage;
      const session: SyncSession = moved ? { ...after, ...noFailure } : after;
      await transaction
        .updateTable('sync_sessions')
        .set({ ...session, skipped: json(session.skipped), heartbeat_at: sql<Date>`clock_timestamp()` })
        .where('id', '=', mine.id)
        .execute();
      const noted = await noteAnswer(
        transaction,
        this.#repository,
        page.repository ?? null,
        { user_id: before.user_id, grant_id: this.hostClient.grant_id },
        { asked_at: page.asked_at, now },
      );
      const repository = { ...noted, ...ofRepository, ...(changed && { changed_at: now }) };
      if (Object.keys(repository).length > 0)
        await transaction.updateTable('repositories').set(repository).where('id', '=', this.#repository.id).execute();
      this.#repository = { ...this.#repository, ...repository };
      return session;
    });
    this.#checkpoint = now;
    if (moved) this.hostClient.forgetOutage();
    for (const { number, reason } of unstorable)
      this.context.log.warn({ repository: this.#repository.id, number, reason }, 'skipped a pull request');
    if (page.pulls.length > 0) await refreshStatistics(this.context.db);
    if (this.hostClient.signal.aborted) throw new SessionLost();
  }
}

/**
 * What a checkpoint makes of earlier failures when it stores something that is not read again however the session ends: a pull request, the
 * cursor or the stage. All others come before the same failure again.
 */
const noFailure = { attempts: 0, waited_seconds: 0, error: null, error_kind: null, error_link: null } as const;

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
  const comments = sum(counted.map((pull) => pull.comments.length));
  const changed = { ...before, ...change };
  const after: SyncSession = {
    ...changed,
    processed_prs: changed.processed_prs + counted.length,
    processed_reviews: changed.processed_reviews + reviews,
    processed_items: changed.processed_items + counted.length + reviews + comments,
    skipped: skippedAfter(before.skipped, page).slice(0, MOST_SKIPPED),
    waiting_until: null,
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
    seconds_per_pull_request: smoothedPace(
      before.seconds_per_pull_request,
      seconds,
      counted.length,
      after.processed_prs,
    ),
    total_prs: after.total_prs === null ? null : Math.max(after.total_prs, after.processed_prs),
    percentage: Math.max(before.percentage, percentageOf(after)),
    finished_at: after.status === 'completed' ? now : null,
    worker: after.status === 'completed' ? null : after.worker,
  };
}

/** What was left out so far: each named once, and not any more when it was read after all. */
function skippedAfter(before: readonly SkippedItem[], page: Page): SkippedItem[] {
  const known = new Set([...page.pulls, ...page.skipped].map((one) => one.number));
  return [...before.filter(({ number }) => number === null || !known.has(number)), ...page.skipped];
}

/** More skipped items than these are not named one by one. */
const MOST_SKIPPED = 1000;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The page of a checkpoint that stores no pull request. */
export function nothingIn(asked_at: Date) {
  return { pulls: [], skipped: [], asked_at, counted: false };
}
