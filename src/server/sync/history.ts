import { HostError } from '../host/errors.ts';
import type { PullRequestPage } from '../host/pages.ts';
import { isTooMuch } from './failures.ts';
import { watermarkOf } from './plan.ts';
import { nothingIn, type Run } from './run.ts';
import { hasUnbegun } from './sessions.ts';
import { countLeftOut, forgetUntold, noteUntold } from './unread.ts';

/** Days: of many repositories these latest ones are read first, of all of them. */
const DAYS_READ_FIRST = 31;

const NOT_IN_HISTORY = 'The host told fewer pull requests than it had counted.';

/** All pull requests by creation date; false when it gave way before the end. */
export async function readHistory(run: Run): Promise<boolean> {
  let recentIsRead = false;
  for (let first = true; ; first = false) {
    if (!first && (run.hasToGiveWay() || (recentIsRead && (await hasUnbegun(run.context.db, run.session)))))
      return false;
    const next = await nextPage(run, first);
    if (next === null) return await goOnByUpdateDate(run);
    const { page, begins_again } = next;
    const asked_at = page.begun_at;
    run.resize(page.page_size);
    // What it did not tell by its number either is missing in the count, and found by update date.
    const skipped = page.skipped.filter(({ number }) => number !== null);
    const scan_started_at =
      run.session.scan_started_at ?? watermarkOf(run.hostClient.client.hostTime() ?? asked_at, page.newest);
    const last = page.next_cursor === null;
    // As it was counted when history was begun: what was opened since is not in it.
    const total_prs = (begins_again ? null : run.session.total_prs) ?? page.total;
    const isShort = last && (await countTold(run, next)) < total_prs;
    const history_completed_at = run.repository.history_completed_at ?? asked_at;
    await run.store(
      { ...page, skipped, pulls: page.pull_requests, asked_at, counted: true },
      {
        ...(begins_again && { processed_prs: 0, processed_reviews: 0, processed_items: 0 }),
        cursor: page.next_cursor,
        total_prs,
        scan_started_at,
        phase: last ? 'fetching_reviews' : 'fetching_prs',
        stage: last ? 'changes' : 'history',
      },
      // Whatever changed before the reading began was read; what changed since is the next stage's.
      { ...run.remembered, ...(last && { watermark: scan_started_at, history_completed_at }) },
      async (transaction) => {
        const { id } = run.repository;
        if (last) await forgetUntold(transaction, id);
        if (isShort) await noteUntold(transaction, id, { since: new Date(0), reason: NOT_IN_HISTORY }, asked_at);
        return false;
      },
    );
    if (last) return true;
    const recent = asked_at.getTime() - DAYS_READ_FIRST * 86_400_000;
    recentIsRead = page.pull_requests.some((pull) => pull.created_at.getTime() < recent);
  }
}

/**
 * How many pull requests history has told up to its last page, whether they could be read and stored or not. What was kept with part of its
 * lists is both processed and named as skipped.
 */
async function countTold(
  { context, repository, session }: Run,
  { page, begins_again }: { page: PullRequestPage; begins_again: boolean },
): Promise<number> {
  const here = new Set([...page.pull_requests, ...page.skipped].flatMap(({ number }) => number ?? []));
  if (begins_again) return here.size;
  const before = session.skipped.flatMap(({ number }) => (number === null || here.has(number) ? [] : [number]));
  return session.processed_prs + (await countLeftOut(context.db, repository.id, before)) + here.size;
}

/** The next page, or where the cursor is not understood any more the first one; null when the host cannot compute one even of a single pull request. */
async function nextPage(run: Run, first: boolean): Promise<{ page: PullRequestPage; begins_again: boolean } | null> {
  const ask = (cursor: string | null) =>
    run.hostClient.ask(
      (of) => run.hostClient.client.pullRequests(of, { cursor, size: run.sizing.size, signal: run.hostClient.signal }),
      { heavy: true },
    );
  const { cursor } = run.session;
  try {
    const page = await unlessTooMuch(run, () => ask(cursor));
    return page && { page, begins_again: false };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    // A cursor of an earlier day that the host no longer understands: read again from the top.
    if (!first || cursor === null || error.kind !== 'protocol') throw error;
    return { page: await ask(null), begins_again: true };
  }
}

/** How often the same page is asked for while the host computes other things. */
const TRIES = 3;

/** The answer to a heavy question; null when the host is there, and does not compute it. @throws HostError when the host is away for too long */
export async function unlessTooMuch<T>(run: Run, question: () => Promise<T>): Promise<T | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof HostError) || !isTooMuch(error)) throw error;
      if (tries === TRIES) return null;
      // Something small tells a host that is down, which is waited for, from one that has too much to do.
      await run.hostClient.ask((of) => run.hostClient.client.changes(of, null));
    }
  }
}

/**
 * Where a page of history cannot be computed, what follows it cannot be reached: the rest is then found by update date, all of it,
 * and fetched by its keys, so that only what is itself too heavy is left out. The cursor stays: by it a session that
 * ends before that is done is known to have history left.
 */
async function goOnByUpdateDate(run: Run): Promise<boolean> {
  await run.store({ ...nothingIn(run.context.now()), rate_limit: null }, { stage: 'changes' }, { watermark: null });
  return true;
}
