import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { HostError } from '../host/errors.ts';
import type {
  DigestPage,
  OpenDigestPage,
  OpenPageRequest,
  OpenPullRequestDigest,
  PullRequestBatch,
  PullRequestDigest,
  SkippedItem,
} from '../host/pages.ts';
import type { HostPullRequest } from '../host/pull-request.ts';
import { isTooMuch } from './failures.ts';
import { unlessTooMuch } from './history.ts';
import { needsFetch, scanFloor, watermarkOf } from './plan.ts';
import { nothingIn, type Run } from './run.ts';
import { deletePullRequests } from './save.ts';
import {
  closedToLookAt,
  detailFingerprints,
  type FetchCandidate,
  notFetchedSince,
  openToLookAt,
  saveFingerprints,
  sweepIsDue,
} from './sweep.ts';
import { forgetUntold, leaveUnread, leaveUntold, noteUntold, unreadOf, untoldSince } from './unread.ts';

/**
 * What changed since the watermark, or since the host left something untold, by update date, and what the update date does not tell; begins
 * at the top whenever it was interrupted. Everything is named first and then fetched once. The first pages of both travel in one request.
 */
export async function readChanges(run: Run): Promise<boolean> {
  const started = run.context.now();
  const due = sweepIsDue(run.session, run.repository, started);
  const swept = due ? await sweepOpen(run, started) : { looked: [], changes: null, complete: false };
  const { id, watermark } = run.repository;
  const again = await untoldSince(run.context.db, id, started);
  const since = new Date(Math.min((watermark ?? new Date(0)).getTime(), again?.getTime() ?? Infinity));
  // Whatever was updated before this was read later than it: its date tells whether it is stored.
  const { scan_started_at, started_at } = run.session;
  const floor = scanFloor(watermark ?? scan_started_at ?? since);
  // Where history could not be read to its end, that holds of what this session has read of it alone.
  const read_since = watermark === null ? (started_at ?? started) : new Date(0);
  const scan = { since: scanFloor(since), floor, read_since };
  const changes = await changesSince(run, scan, swept.changes).catch(async (error) => {
    // One page that the host cannot compute, or that makes no sense, would else stop every sync that follows, too.
    if (again !== null && isBadPage(error)) await leaveUntold(run.context.db, id, started);
    throw error;
  });
  const unstorable = await unstorableOf(run.context.db, run.repository.id);
  const looked = swept.looked.filter(({ number }) => !unstorable.has(number));
  const fingerprints = new Map(swept.looked.map((one) => [one.node_id, one.fingerprint ?? null]));
  if (!(await fetchAll(run, distinct([...changes.wanted, ...looked]), fingerprints))) return false;
  if (changes.gaveWay || !(await readUnread(run)) || !(await readUnlisted(run, changes.listed))) return false;
  await run.store(
    { ...nothingIn(run.context.now()), skipped: changes.untold, rate_limit: null },
    { stage: 'done', phase: 'completed', status: 'completed' },
    {
      watermark: watermarkOf(run.hostClient.client.hostTime() ?? started, changes.newest),
      history_completed_at: run.repository.history_completed_at ?? started,
      // What happens while it is read may be seen or not: all that was there before is in.
      last_synced_at: started,
      ...(swept.complete && { swept_at: started }),
    },
    async (transaction) => {
      const [untold] = changes.untold;
      if (untold === undefined) {
        if (again !== null) await forgetUntold(transaction, id);
      } else if (again !== null) await leaveUntold(transaction, id, started);
      else await noteUntold(transaction, id, { since, reason: untold.reason }, started);
      return false;
    },
  );
  for (const { reason } of changes.untold)
    run.context.log.warn({ repository: id, reason }, 'the host listed a changed pull request without telling which');
  return true;
}

const isBadPage = (error: unknown) => error instanceof HostError && (isTooMuch(error) || error.kind === 'protocol');

/** What a scan of changes has found. */
interface Changes {
  readonly newest: Date | null;
  readonly wanted: readonly PullRequestDigest[];
  /** The numbers of all that it has named, wanted or not. */
  readonly listed: ReadonlySet<number>;
  /** Those that the host listed without telling which. */
  readonly untold: readonly SkippedItem[];
  /** Whether it ended early, with something to fetch. */
  readonly gaveWay: boolean;
}

/** A scan gives way only after it has named this number, or a batch: the host cannot fail to compute all of these. */
const LEAST_NAMED = 10;

/**
 * Reads update dates, newest first, down to and including `since`; see `neededOf` for the others. `begun` is the first page where it was read
 * already.
 */
async function changesSince(
  run: Run,
  { since, floor, read_since }: { readonly since: Date; readonly floor: Date; readonly read_since: Date },
  begun: ChangesPage | null,
): Promise<Changes> {
  const wanted: PullRequestDigest[] = [];
  const listed = new Set<number>();
  const untold: SkippedItem[] = [];
  let newest: Date | null = null;
  for (let page = begun ?? (await nextChanges(run, null)); ; page = await nextChanges(run, page.next_cursor)) {
    newest ??= page.digests[0]?.updated_at ?? null;
    const within = page.digests.filter((digest) => digest.updated_at >= since);
    // What comes behind an older one is older.
    const lost = page.untold.filter(({ after }) => after <= within.length);
    untold.push(...lost.map(({ reason }) => ({ number: null, reason })));
    wanted.push(...(await neededOf(run.context.db, run.repository.id, within, floor, read_since)));
    for (const { number } of within) listed.add(number);
    if (page.next_cursor === null || within.length < page.digests.length)
      return { newest, wanted, listed, untold, gaveWay: false };
    // The next one begins at the top again: not before something is there to be kept.
    const isWorthwhile = wanted.length >= Math.max(LEAST_NAMED, run.sizing.size);
    if (isWorthwhile && run.hasToGiveWay()) return { newest, wanted, listed, untold, gaveWay: true };
  }
}

type ChangesPage = Pick<DigestPage, 'digests' | 'untold' | 'next_cursor'>;

async function nextChanges(run: Run, cursor: string | null): Promise<ChangesPage> {
  const asked_at = run.context.now();
  const page = await run.hostClient.ask((of) => run.hostClient.client.changes(of, cursor));
  await run.store({ ...page, ...nothingIn(asked_at) }, { phase: 'fetching_prs' });
  return page;
}

/**
 * The open pull requests of which something changed, and those closed lately; beside them the first page of changes. It is not complete
 * where the host cannot compute a page of the open ones: those before that page are looked at.
 */
async function sweepOpen(
  run: Run,
  started: Date,
): Promise<{ looked: FetchCandidate[]; changes: ChangesPage | null; complete: boolean }> {
  const { db } = run.context;
  let closer = await detailFingerprints(db, run.repository.id, started);
  let changes: ChangesPage | null = null;
  const open: OpenPullRequestDigest[] = [];
  const found = { threads: new Map<string, string>(), checks: new Map<string, string>() };
  let complete = true;
  for (let cursor: string | null = null, more = true; more; ) {
    const asked_at = run.context.now();
    const request: OpenPageRequest = { cursor, changes: changes === null, closer };
    const page: OpenDigestPage | null = await unlessTooMuch(run, () =>
      run.hostClient.ask((of) => run.hostClient.client.openPullRequests(of, request), { heavy: true }),
    );
    if (page === null) {
      complete = false;
      run.context.log.warn(
        { repository: run.repository.id, read: open.length },
        'the open pull requests are too much for the host',
      );
      break;
    }
    changes ??= page.changes;
    open.push(...page.digests);
    for (const [key, fingerprint] of page.threads) found.threads.set(key, fingerprint);
    for (const [key, fingerprint] of page.checks) found.checks.set(key, fingerprint);
    closer = {
      threads: closer.threads.slice(page.looked.threads),
      checks: closer.checks.slice(page.looked.checks),
    };
    cursor = page.next_cursor;
    more = cursor !== null;
    await run.store({ ...page, ...nothingIn(asked_at) }, { phase: 'fetching_prs' });
  }
  const candidates = await openToLookAt(db, run.repository.id, open, found, started);
  // One that is not in part of the list may be open.
  const listed = complete ? candidates : candidates.filter(({ fingerprint }) => fingerprint !== undefined);
  return { looked: [...listed, ...(await closedToLookAt(db, run.repository.id, started))], changes, complete };
}

/**
 * Those of the digests whose pull request is to be fetched; what was updated before `floor`, and read at `read_since` or later, needs to be
 * stored as of then, no more.
 */
export async function neededOf(
  db: Kysely<Database>,
  repository_id: number,
  digests: readonly PullRequestDigest[],
  floor: Date,
  read_since = new Date(0),
): Promise<PullRequestDigest[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .select(['number', 'updated_at', 'settled', 'fetched_at'])
    .where('repository_id', '=', repository_id)
    .where(sql<boolean>`number = any(${digests.map((digest) => digest.number)}::int[])`)
    .execute();
  const countsAsSettled = (row: (typeof rows)[number]) => row.updated_at < floor && row.fetched_at >= read_since;
  const stored = new Map(rows.map((row) => [row.number, { ...row, settled: row.settled || countsAsSettled(row) }]));
  const unstorable = await unstorableOf(db, repository_id);
  return digests.filter(
    (digest) =>
      unstorable.get(digest.number)?.getTime() !== digest.updated_at.getTime() &&
      needsFetch(digest, stored.get(digest.number) ?? null),
  );
}

/** Those that could not be stored, with the update date that was tried: they are not tried again before they change. */
export async function unstorableOf(db: Kysely<Database>, repository_id: number): Promise<ReadonlyMap<number, Date>> {
  const rows = await db
    .selectFrom('unstorable_pull_requests')
    .select(['number', 'updated_at'])
    .where('repository_id', '=', repository_id)
    // Others were not even read.
    .where('again_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.number, row.updated_at]));
}

/** Fetches pull requests by their keys, batch by batch; false when it gave way, with something stored or deleted. Those that are gone are deleted. */
async function fetchAll(
  run: Run,
  wanted: readonly { node_id: string; number: number }[],
  fingerprints: ReadonlyMap<string, string | null> = new Map(),
): Promise<boolean> {
  const counted = run.session.mode === 'incremental';
  if (counted) {
    const total_prs = run.session.processed_prs + wanted.length;
    await run.store({ ...nothingIn(run.context.now()), rate_limit: null }, { total_prs });
  }
  let hasStored = false;
  for (let at = 0; at < wanted.length; ) {
    if (hasStored && run.hasToGiveWay()) return false;
    const batch = wanted.slice(at, at + run.sizing.size);
    at += batch.length;
    const asked_at = run.context.now();
    const answer = namingAll(batch, await fetchBatch(run, batch));
    const missing = batch.filter((one) => answer.missing.includes(one.node_id));
    const gone = await reallyGone(
      run,
      missing.map((one) => one.number),
    );
    await run.store(
      { ...answer, pulls: answer.pull_requests, asked_at, counted },
      { phase: at < wanted.length ? 'fetching_reviews' : 'processing_data' },
      run.remembered,
      async (transaction, saved) => {
        // One that was left out, or was fetched as of an earlier moment, is as it was: the next sweep sees it.
        const stored = batch.filter(({ number }) => saved.has(number));
        await saveFingerprints(transaction, run.repository.id, stored, fingerprints);
        const deleted = gone.length === 0 ? 0 : await deletePullRequests(transaction, run.repository.id, gone);
        hasStored ||= saved.size > 0 || deleted > 0;
        return deleted > 0;
      },
    );
  }
  return true;
}

/** The same answer, in which whatever of the batch the host did not tell is skipped by the number that it was asked for. */
function namingAll(batch: readonly { node_id: string; number: number }[], answer: PullRequestBatch): PullRequestBatch {
  const named = answer.skipped.filter(({ number }) => number !== null);
  const nameless = answer.skipped.filter(({ number }) => number === null);
  const told = new Set([...answer.pull_requests, ...named].map(({ number }) => number));
  const untold = batch.filter(({ number, node_id }) => !told.has(number) && !answer.missing.includes(node_id));
  const skipped = untold.map(({ number }, index) => ({ number, reason: nameless[index]?.reason ?? 'left out' }));
  return { ...answer, skipped: [...named, ...skipped] };
}

/** Pull requests by their keys; where the host cannot compute one of them even alone, that one is skipped and named. */
async function fetchBatch(run: Run, batch: readonly { node_id: string; number: number }[]): Promise<PullRequestBatch> {
  const ids = batch.map((one) => one.node_id);
  let reason = '';
  const answer = await unlessTooMuch(run, async () => {
    try {
      return await run.hostClient.ask((of) => run.hostClient.client.pullRequestsById(of, ids, run.hostClient.signal), {
        heavy: true,
      });
    } catch (error) {
      if (error instanceof HostError) reason = error.message;
      throw error;
    }
  });
  if (answer !== null) {
    // A smaller batch than it may be says nothing of the host.
    if (batch.length === run.sizing.size) run.resize(answer.batch_size);
    return answer;
  }
  const [only] = batch;
  if (batch.length === 1 && only !== undefined)
    return {
      pull_requests: [],
      skipped: [{ number: only.number, reason }],
      missing: [],
      batch_size: 1,
      rate_limit: null,
    };
  const half = Math.ceil(batch.length / 2);
  const [one, other] = [await fetchBatch(run, batch.slice(0, half)), await fetchBatch(run, batch.slice(half))];
  return {
    pull_requests: [...one.pull_requests, ...other.pull_requests],
    skipped: [...one.skipped, ...other.skipped],
    missing: [...one.missing, ...other.missing],
    batch_size: Math.max(one.batch_size, other.batch_size),
    rate_limit: other.rate_limit ?? one.rate_limit,
  };
}

/** A key can die without its pull request: only what the host does not know by its number either is gone. */
async function reallyGone(run: Run, numbers: readonly number[]): Promise<number[]> {
  const gone: number[] = [];
  for (const number of numbers) {
    const asked_at = run.context.now();
    const { pull, reason } = await readByNumber(run, number);
    const skipped = reason === null ? [] : [{ number, reason }];
    if (pull === null && reason === null) gone.push(number);
    else await run.store({ ...nothingIn(asked_at), pulls: pull === null ? [] : [pull], skipped, rate_limit: null }, {});
  }
  return gone;
}

/** One pull request, null when the repository has none of that number, or for the `reason` that the host cannot tell it. */
async function readByNumber(
  run: Run,
  number: number,
): Promise<{ readonly pull: HostPullRequest | null; readonly reason: string | null }> {
  const { client, signal } = run.hostClient;
  let reason = '';
  const answer = await unlessTooMuch(run, () =>
    run.hostClient
      .ask((of) => client.pullRequest(of, number, signal), { heavy: true })
      .catch((error: unknown) => {
        if (error instanceof HostError) reason = error.message;
        throw error;
      }),
  ).catch((error: unknown) => {
    if (error instanceof HostError && error.kind === 'protocol') return null;
    throw error;
  });
  return answer === null ? { pull: null, reason } : { pull: answer.pull, reason: null };
}

/** Asks once more for those that the host could not tell a day ago, each by itself; false when it gave way. */
async function readUnread(run: Run): Promise<boolean> {
  const { db } = run.context;
  const { id } = run.repository;
  for (const [index, number] of (await unreadOf(db, id, run.context.now())).entries()) {
    if (index > 0 && run.hasToGiveWay()) return false;
    const asked_at = run.context.now();
    const { pull, reason } = await readByNumber(run, number);
    const pulls = pull === null ? [] : [pull];
    await run.store({ ...nothingIn(asked_at), pulls, rate_limit: null }, {}, {}, async (transaction) => {
      if (reason !== null) {
        await leaveUnread(transaction, id, number, asked_at);
        return false;
      }
      if (pull !== null) return false;
      await transaction
        .deleteFrom('unstorable_pull_requests')
        .where('repository_id', '=', id)
        .where('number', '=', number)
        .execute();
      return (await deletePullRequests(transaction, id, [number])) > 0;
    });
  }
  return true;
}

/**
 * Asks for what is stored and was named neither by the history that a full session has read nor among the changes: it may be gone. False when it
 * gave way.
 */
async function readUnlisted(run: Run, listed: ReadonlySet<number>): Promise<boolean> {
  const { mode, started_at } = run.session;
  // A beginning in the future is one of before the clock was set back: all that was read since would seem to be older.
  if (mode !== 'full' || started_at === null || started_at > run.context.now()) return true;
  const unread = await notFetchedSince(run.context.db, run.repository.id, started_at);
  return await fetchAll(
    run,
    unread.filter(({ number }) => !listed.has(number)),
  );
}

function distinct<T extends { readonly node_id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.node_id, item])).values()];
}
