import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SyncResponse } from '#contract/sync.ts';
import {
  backoff,
  type KnownRepository,
  type RepositorySync,
  retrySync,
  runSync,
  type SyncCalls,
  type SyncRequest,
  type SyncState,
  takeUp,
  underWay,
  unfinishedOf,
} from './run-sync.ts';
import { syncCalls } from './sync-calls.ts';

const access = { state: 'readable', reason: null } as const;
const ledger: KnownRepository = { id: 1, owner: 'brasswick', name: 'ledger', access };
const courier: KnownRepository = { id: 2, owner: 'brasswick', name: 'courier', access };
const session = '0b6d3a52-6f0f-4d86-9a7e-6d3c1d1f0a11';

const answer = (changes: Partial<SyncResponse> = {}): SyncResponse => ({
  success: true,
  session_id: session,
  resume_session_id: null,
  started_by_you: true,
  status: 'running',
  is_complete: false,
  has_more: false,
  can_resume: false,
  imported_prs: 0,
  imported_reviews: 0,
  progress: {
    percentage: 10,
    current_phase: 'fetching_prs',
    processed_items: 0,
    processed_prs: 0,
    total_prs: null,
    processed_reviews: 0,
    total_reviews: null,
    estimated_time_remaining: null,
    message: 'Fetching pull requests...',
  },
  rate_limit_status: null,
  waiting_until: null,
  error: null,
  error_link: null,
  skipped: [],
  ...changes,
});
const completed = (prs: number, reviews: number, changes: Partial<SyncResponse> = {}) =>
  answer({ status: 'completed', is_complete: true, imported_prs: prs, imported_reviews: reviews, ...changes });
const failed = (error: string | null, changes: Partial<SyncResponse> = {}) =>
  answer({ success: false, status: 'failed', error, ...changes });

class Refusal extends Error {}
class TooMany extends Refusal {}

/** A server that answers from scripts, and a clock that only `sleep` moves. */
function scene(
  changes: Partial<SyncCalls> = {},
  repositories: readonly KnownRepository[] = [ledger],
  whileAsleep: () => Promise<void> = async () => {},
) {
  const asked: string[] = [];
  const sleeps: number[] = [];
  const removed: number[] = [];
  let time = 0;
  const calls: SyncCalls = {
    listRepositories: async () => repositories,
    start: async () => answer({ status: 'queued' }),
    progress: async () => completed(42, 118),
    startFallback: async () => answer({ status: 'queued' }),
    progressFallback: async () => completed(42, 118),
    resume: async () => answer({ status: 'queued' }),
    isRefusal: (error) => error instanceof Refusal,
    isTooMany: (error) => error instanceof TooMany,
    ...changes,
  };
  const named = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (...given: never[]) => {
        if (!name.startsWith('is')) asked.push(name);
        return (call as (...given: never[]) => unknown)(...given);
      },
    ]),
  ) as unknown as SyncCalls;
  const surroundings = {
    now: () => time,
    sleep: async (milliseconds: number) => {
      sleeps.push(milliseconds);
      time += milliseconds;
      await whileAsleep();
    },
    random: () => 0.5,
    isRemoved: (id: number) => removed.includes(id),
  };
  const states: SyncState[] = [];
  const run = (request: Partial<SyncRequest> = {}) =>
    runSync({ mode: 'smart', repositoryIds: null, host: 'GitHub', ...request }, named, surroundings, (state) =>
      states.push(state),
    );
  const resume = () => {
    const resumable = failed('Bad gateway', { can_resume: true, resume_session_id: session });
    const row = { repository: ledger, status: 'failed', attempts: 3, answer: resumable, error: 'Bad gateway' } as const;
    const request = { mode: 'smart', repositoryIds: null, host: 'GitHub' } as const;
    return retrySync(request, { mode: 'smart', repositories: [row] }, [], named, surroundings, () => {});
  };
  return { run, resume, calls: named, surroundings, asked, sleeps, removed, states };
}

/** Answers one after the other; the last one again and again. Errors are thrown. */
function script<T>(...answers: (T | Error)[]): () => Promise<T> {
  let at = 0;
  return async () => {
    const next = answers[Math.min(at, answers.length - 1)]!;
    at += 1;
    if (next instanceof Error) throw next;
    return next;
  };
}

describe('a sync that succeeds', () => {
  it('says how many pull requests and reviews were synced', async () => {
    const { run } = scene();

    expect(await run()).toEqual({ message: 'Successfully synced 42 PRs and 118 reviews', error: null });
  });

  it('adds up the repositories that it covered', async () => {
    const { run } = scene({}, [ledger, courier]);

    expect((await run()).message).toBe('Successfully synced 84 PRs and 236 reviews');
  });

  it('covers only the repository that was asked for', async () => {
    const { run, asked } = scene({}, [ledger, courier]);

    await run({ repositoryIds: [courier.id] });

    expect(asked.filter((name) => name === 'start')).toHaveLength(1);
  });

  it('covers each of several that were asked for, and tells of all of them together', async () => {
    const { run, asked } = scene({ progress: script(completed(84, 236), completed(1, 2)) }, [ledger, courier]);

    const { message } = await run({ repositoryIds: [ledger.id, courier.id] });

    expect(asked.filter((name) => name === 'start')).toHaveLength(2);
    expect(message).toBe('Successfully synced 85 PRs and 238 reviews');
  });

  it('asks for the progress every 2 seconds until it is complete', async () => {
    const { run, sleeps } = scene({ progress: script(answer(), answer(), completed(1, 0)) });

    await run();

    expect(sleeps).toEqual([2_000, 2_000, 2_000]);
  });

  it('goes on waiting while the host’s rate limit does', async () => {
    const { run } = scene({ progress: script(answer({ status: 'waiting' }), completed(3, 4)) });

    expect((await run()).message).toBe('Successfully synced 3 PRs and 4 reviews');
  });

  it('tells of every step', async () => {
    const { run, states } = scene();

    await run();

    expect(states.map(({ repositories: [one] }) => one?.status)).toEqual(['syncing', 'syncing', 'syncing', 'done']);
  });

  it('tells nothing more of a repository that was removed meanwhile', async () => {
    const progress: SyncCalls['progress'] = async ({ id }) => {
      if (id === courier.id) return completed(42, 118);
      removed.push(id);
      throw new Refusal('Repository not found');
    };
    const { run, removed, states } = scene({ progress }, [ledger, courier]);

    expect(await run()).toEqual({ message: 'Successfully synced 42 PRs and 118 reviews', error: null });
    expect(states[0]?.repositories.map(({ repository }) => repository.id)).toEqual([ledger.id, courier.id]);
    expect(states.at(-1)?.repositories.map(({ repository }) => repository.id)).toEqual([courier.id]);
  });

  it('says where more data is available', async () => {
    const { run, states } = scene({ progress: script(completed(42, 118, { has_more: true })) });

    expect((await run()).message).toBe(
      'Successfully synced 42 PRs and 118 reviews\nPartial sync complete for brasswick/ledger. More data available.',
    );
    expect(states.at(-1)?.repositories[0]?.status).toBe('partial');
  });
});

describe('a sync that was cut off', () => {
  const cutOff = (imported_prs: number) =>
    failed('GitHub no longer accepts your sign-in. Sign in again to go on.', { has_more: true, imported_prs });

  it('says what it brought, that there is more, and why it ended', async () => {
    const { run, asked } = scene({ progress: async () => cutOff(42) });

    expect(await run()).toEqual({
      message:
        'Successfully synced 42 PRs and 0 reviews\nPartial sync complete for brasswick/ledger. More data available.',
      error:
        'Sync completed with errors:\nbrasswick/ledger: GitHub no longer accepts your sign-in. Sign in again to go on.',
    });
    expect(asked.filter((name) => name === 'start')).toHaveLength(1);
  });

  it('before it brought anything has failed', async () => {
    const { run } = scene({ progress: async () => cutOff(0) });

    expect(await run()).toEqual({
      message: null,
      error:
        'Sync completed with errors:\nbrasswick/ledger: GitHub no longer accepts your sign-in. Sign in again to go on. (failed after 3 attempts)',
    });
  });
});

describe('a sync that cannot begin', () => {
  it('asks to add a repository when there is none', async () => {
    const { run } = scene({}, []);

    expect((await run()).error).toBe('No repositories configured. Please add a repository first.');
  });

  it('does not find a repository that is not connected', async () => {
    const { run } = scene();

    expect(await run({ repositoryIds: [99] })).toEqual({ message: null, error: 'Repository not found' });
  });

  it.each([
    ['all of them', null],
    ['the one that was asked for', [courier.id]],
  ])('says why when %s cannot be read now', async (_, repositoryIds) => {
    const lost = { state: 'lost', reason: 'GitHub no longer shows it to your account.' } as const;
    const known = [repositoryIds === null ? { ...ledger, access: lost } : ledger, { ...courier, access: lost }];
    const { run, asked } = scene({}, known);

    expect(await run({ repositoryIds })).toEqual({ message: null, error: lost.reason });
    expect(asked).toEqual(['listRepositories']);
  });

  it('says so when the repositories cannot be listed', async () => {
    const { run } = scene({ listRepositories: script<never>(new Error('The server did not answer.')) });

    expect((await run()).error).toBe('Failed to sync from GitHub: The server did not answer.');
  });
});

describe('a repository that fails', () => {
  it('is tried three times, 1 and 2 seconds apart plus jitter, and then given up', async () => {
    const { run, sleeps, asked, states } = scene({ start: script<never>(new Error('Bad gateway')) });

    expect((await run()).error).toBe(
      'Sync completed with errors:\nbrasswick/ledger: Bad gateway (failed after 3 attempts)',
    );
    expect(asked.filter((name) => name === 'start')).toHaveLength(3);
    expect(sleeps).toEqual([1_500, 2_500]);
    expect(states.at(-1)?.repositories[0]).toMatchObject({ status: 'failed', attempts: 3 });
  });

  it('succeeds at the second try as if nothing had happened', async () => {
    const { run } = scene({ start: script(new Error('Bad gateway'), completed(7, 8)) });

    expect(await run()).toEqual({ message: 'Successfully synced 7 PRs and 8 reviews', error: null });
  });

  it('is tried again when the session failed on the server', async () => {
    const { run, asked } = scene({ progress: script(failed('Disk full'), completed(5, 6)) });

    expect((await run()).message).toBe('Successfully synced 5 PRs and 6 reviews');
    expect(asked.filter((name) => name === 'start')).toHaveLength(2);
  });

  it('is not tried again where it was refused', async () => {
    const { run, asked, states } = scene({ start: script<never>(new Refusal('Repository not found')) });

    expect((await run()).error).toBe('Sync completed with errors:\nbrasswick/ledger: Repository not found');
    expect(asked.filter((name) => name === 'start')).toHaveLength(1);
    expect(states.at(-1)?.repositories[0]?.attempts).toBe(1);
  });

  it('names the host where the server gave no reason', async () => {
    const { run } = scene({ start: async () => failed(null) });

    expect((await run()).error).toBe(
      'Sync completed with errors:\nbrasswick/ledger: Failed to sync from GitHub (failed after 3 attempts)',
    );
  });

  it('leaves the others alone', async () => {
    const { run } = scene(
      { start: async ({ id }) => (id === ledger.id ? Promise.reject(new Refusal('No access')) : answer()) },
      [ledger, courier],
    );

    expect(await run()).toEqual({
      message: 'Successfully synced 42 PRs and 118 reviews',
      error: 'Sync completed with errors:\nbrasswick/ledger: No access',
    });
  });

  it('has one line each when several fail', async () => {
    const { run } = scene({ start: script<never>(new Refusal('No access')) }, [ledger, courier]);

    expect((await run()).error?.split('\n')).toEqual([
      'Sync completed with errors:',
      'brasswick/ledger: No access',
      'brasswick/courier: No access',
    ]);
  });
});

describe('a sync that takes too long', () => {
  it('ends the waiting after 5 minutes with Sync timeout, without starting it again', async () => {
    const { run, sleeps, asked, states } = scene({ progress: async () => answer() });

    expect((await run()).error).toBe(
      'brasswick/ledger: Sync timeout. The server goes on; Show Progress tells how far it is.',
    );
    expect(sleeps.reduce((sum, slept) => sum + slept, 0)).toBe(300_000);
    expect(asked.filter((name) => name === 'start')).toHaveLength(1);
    expect(states.at(-1)?.repositories[0]).toMatchObject({ status: 'timed-out', answer: { status: 'running' } });
  });

  it('is to be followed again, and only it', async () => {
    const { run, states } = scene({ progress: async ({ id }) => (id === ledger.id ? answer() : completed(1, 2)) }, [
      ledger,
      courier,
    ]);
    await run();

    expect(unfinishedOf(states.at(-1)!)).toEqual({ mode: 'smart', repositoryIds: [ledger.id] });
    expect(unfinishedOf(null)).toBeNull();
  });

  it('still hears of a completion at the last moment', async () => {
    const { run } = scene({ progress: script(...Array.from({ length: 149 }, () => answer()), completed(1, 2)) });

    expect((await run()).message).toBe('Successfully synced 1 PRs and 2 reviews');
  });
});

describe('a sync that cannot be heard of', () => {
  const noAnswer = new Error('The server did not answer.');

  it('goes on, and does not count as failed', async () => {
    const { run, asked, states } = scene({ progress: script<SyncResponse>(answer(), noAnswer, completed(7, 8)) });

    expect(await run()).toEqual({ message: 'Successfully synced 7 PRs and 8 reviews', error: null });
    expect(asked.filter((name) => name === 'start')).toHaveLength(1);
    expect(states.at(-1)?.repositories[0]?.attempts).toBe(0);
  });

  it('for 5 minutes is left to the server', async () => {
    const { run } = scene({ progress: script<never>(noAnswer) });

    expect((await run()).error).toContain('brasswick/ledger: Sync timeout.');
  });

  it('because it was refused has failed', async () => {
    const { run, asked } = scene({ progress: script<never>(new Refusal('Repository not found')) });

    expect((await run()).error).toContain('brasswick/ledger: Repository not found');
    expect(asked.filter((name) => name === 'start')).toHaveLength(1);
  });
});

describe('a call that was one too many', () => {
  const tooMany = new TooMany('Too many requests. Try again in a second.');

  it('is made again and does not count as a failed try, whether it starts a sync or asks how far it is', async () => {
    const { run, asked, states } = scene({
      start: script(tooMany, answer({ status: 'queued' })),
      progress: script(answer(), tooMany, tooMany, tooMany, completed(7, 8)),
    });

    expect(await run()).toEqual({ message: 'Successfully synced 7 PRs and 8 reviews', error: null });
    expect(asked.filter((name) => name === 'start')).toHaveLength(2);
    expect(states.at(-1)?.repositories[0]?.attempts).toBe(0);
  });

  it('is made again where a session is resumed', async () => {
    const { resume } = scene({ resume: script(tooMany, answer()) });

    expect((await resume()).error).toBeNull();
  });

  it('leaves a sync that the page has stopped waiting for to the server', async () => {
    const { run } = scene({ progress: script<never>(tooMany) });

    expect((await run()).error).toContain('brasswick/ledger: Sync timeout.');
  });

  it('ends what could not be started for 5 minutes', async () => {
    const { run, sleeps } = scene({ start: script<never>(tooMany) });

    expect((await run()).error).toContain('brasswick/ledger: Too many requests.');
    expect(sleeps.reduce((sum, slept) => sum + slept, 0)).toBeLessThan(310_000);
  });
});

describe('a sync of many repositories', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Syncs repositories that take `seconds` each, where a person has 600 requests, or only `left` of them, and 10 more each second. */
  async function syncMany(count: number, seconds: number, left = 600) {
    const many = Array.from({ length: count }, (_, at) => ({ ...ledger, id: at + 1, name: `r${at + 1}` }));
    const begun = new Map<number, number>();
    const seen = { refused: 0, starting: 0, mostStarting: 0 };
    const bucket = { left, at: Date.now() };
    const request = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      bucket.left = Math.min(600, bucket.left + (Date.now() - bucket.at) / 100);
      bucket.at = Date.now();
      if (bucket.left < 1) {
        seen.refused += 1;
        throw new TooMany('Too many requests.');
      }
      bucket.left -= 1;
    };
    const { calls, states } = scene(
      {
        start: async ({ id }) => {
          seen.starting += 1;
          seen.mostStarting = Math.max(seen.mostStarting, seen.starting);
          await request();
          seen.starting -= 1;
          begun.set(id, Date.now());
          return answer({ status: 'queued' });
        },
        progress: async ({ id }) => {
          await request();
          return Date.now() - begun.get(id)! >= seconds * 1_000 ? completed(1, 0) : answer();
        },
      },
      many,
    );
    const surroundings = {
      now: Date.now,
      sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
      random: () => 0.5,
      isRemoved: () => false,
    };
    const outcome = runSync({ mode: 'smart', repositoryIds: null, host: 'GitHub' }, calls, surroundings, (state) =>
      states.push(state),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    const afterASecond = states.at(-1)!;
    await vi.advanceTimersByTimeAsync(399_000);
    return { ...seen, outcome: await outcome, states, begun: [...begun.keys()], afterASecond };
  }

  it.each([
    [100, 60],
    [100, 200],
    [400, 30],
    [900, 30],
  ])('has room within the requests of a person: %i of %i s each', async (count, seconds) => {
    const { refused, outcome } = await syncMany(count, seconds);

    expect(outcome).toEqual({ message: `Successfully synced ${count} PRs and 0 reviews`, error: null });
    expect(refused).toBe(0);
  });

  it('slows down once a start is refused, by no more than those that are on their way', async () => {
    const { refused, outcome } = await syncMany(300, 30, 100);

    expect(outcome).toEqual({ message: 'Successfully synced 300 PRs and 0 reviews', error: null });
    expect(refused).toBeLessThanOrEqual(10);
  });

  it('starts ten at once', async () => {
    expect(await syncMany(40, 3)).toMatchObject({ mostStarting: 10, outcome: { error: null } });
  });

  it('knows which wait for their start when the page is left', async () => {
    const { begun, afterASecond } = await syncMany(400, 30);
    const { repositoryIds, notStarted } = underWay(afterASecond);

    expect(repositoryIds).toHaveLength(400);
    expect(notStarted!.length).toBeGreaterThan(100);
    expect(begun.slice(-notStarted!.length)).toEqual(notStarted);
  });
});

describe('a server that finds the newer call not eligible', () => {
  it('is asked by the older calls when it refuses', async () => {
    const { run, asked } = scene({ start: script<never>(new Refusal('This repository is not eligible')) });

    expect((await run()).message).toBe('Successfully synced 42 PRs and 118 reviews');
    expect(asked).toEqual(['listRepositories', 'start', 'startFallback', 'progressFallback']);
  });

  it('is asked by the older calls when its answer says so', async () => {
    const { run, asked } = scene({ start: async () => failed('not eligible for the complete sync') });

    expect((await run()).error).toBeNull();
    expect(asked).toContain('startFallback');
    expect(asked).not.toContain('progress');
  });
});

describe('resuming', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('goes on with the session and polls it to its end', async () => {
    const { resume, asked } = scene();

    expect((await resume()).message).toBe('Successfully synced 42 PRs and 118 reviews');
    expect(asked).toEqual(['resume', 'progress']);
  });

  it('says that it failed, and why', async () => {
    const { resume } = scene({ resume: script<never>(new Refusal('Sign in again.')) });

    expect((await resume()).error).toBe(
      'Sync completed with errors:\nbrasswick/ledger: Failed to resume sync: Sign in again.',
    );
  });

  it('starts a new session where the server has nothing to resume', async () => {
    for (const status of [404, 409]) {
      const body = JSON.stringify({ error: 'There is nothing to resume in this sync.', code: 'nothing_to_resume' });
      vi.stubGlobal('fetch', async () => new Response(body, { status }));
      const { resume, asked } = scene({ resume: syncCalls.resume, isRefusal: syncCalls.isRefusal });

      expect(await resume()).toEqual({ message: 'Successfully synced 42 PRs and 118 reviews', error: null });
      expect(asked).toEqual(['resume', 'start', 'progress']);
    }
  });
});

describe('trying a run again', () => {
  const row = (repository: KnownRepository, changes: Partial<RepositorySync>): RepositorySync => ({
    repository,
    status: 'failed',
    attempts: 3,
    answer: null,
    error: 'Bad gateway',
    ...changes,
  });
  const resumable = failed('Bad gateway', { can_resume: true, resume_session_id: session });
  const again = async (repositories: readonly RepositorySync[], chosen: readonly RepositorySync[] = []) => {
    const { calls, surroundings, asked, states } = scene({}, [ledger, courier]);
    const request = { mode: 'full', repositoryIds: null, host: 'GitHub' } as const;
    const outcome = await retrySync(request, { mode: 'full', repositories }, chosen, calls, surroundings, (state) =>
      states.push(state),
    );
    return { asked, outcome, ends: states.at(-1)?.repositories.map(({ status }) => status) };
  };

  it('resumes what can be resumed, starts the others, and leaves what went well', async () => {
    const { asked, ends } = await again([
      row(ledger, { answer: resumable }),
      row(courier, {}),
      row({ ...courier, id: 3 }, { status: 'done', error: null }),
    ]);

    expect(asked.toSorted()).toEqual(['progress', 'progress', 'resume', 'start']);
    expect(ends).toEqual(['done', 'done', 'done']);
  });

  it('goes on with what was cut off for a reason, too', async () => {
    const { asked } = await again([row(ledger, { status: 'partial', answer: resumable })]);

    expect(asked).toEqual(['resume', 'progress']);
  });

  it('is of the chosen one alone', async () => {
    const [first, second] = [row(ledger, {}), row(courier, {})];
    const { asked, ends, outcome } = await again([first, second], [second]);

    expect(asked).toEqual(['start', 'progress']);
    expect(ends).toEqual(['failed', 'done']);
    expect(outcome.error).toBe('Sync completed with errors:\nbrasswick/ledger: Bad gateway');
  });

  it('follows what timed out without starting it', async () => {
    const { asked, ends } = await again([row(ledger, { status: 'timed-out', answer: answer() })]);

    expect(asked).toEqual(['progress']);
    expect(ends).toEqual(['done']);
  });

  it('runs the whole request where nothing of it had begun', async () => {
    const { calls, surroundings, asked } = scene({}, [ledger, courier]);
    const request = { mode: 'smart', repositoryIds: [courier.id], host: 'GitHub' } as const;
    await retrySync(request, null, [], calls, surroundings, () => {});

    expect(asked).toEqual(['listRepositories', 'start', 'progress']);
  });
});

describe('what is started while a sync runs', () => {
  const request = { mode: 'full', repositoryIds: [courier.id], host: 'GitHub' } as const;
  const join = async (repositories: readonly RepositorySync[], changes: Partial<SyncCalls> = {}) => {
    const { calls, surroundings, asked, states } = scene(changes, [ledger, courier]);
    const outcome = await runSync(request, calls, surroundings, (state) => states.push(state), repositories);
    return { asked, outcome, states };
  };
  const atWork: RepositorySync = { repository: ledger, status: 'syncing', attempts: 0, answer: answer(), error: null };

  it('joins it: what was at work goes on without being started again', async () => {
    const { asked, outcome, states } = await join([atWork]);

    expect(asked.filter((name) => name === 'start')).toHaveLength(1);
    expect(states.at(-1)).toMatchObject({
      mode: 'full',
      repositories: [{ repository: ledger }, { repository: courier }],
    });
    expect(outcome.message).toBe('Successfully synced 84 PRs and 236 reviews');
  });

  it('leaves it at work where the repositories cannot be listed, and says so at the end', async () => {
    const { outcome } = await join([atWork], { listRepositories: script<never>(new Error('Bad gateway')) });

    expect(outcome).toEqual({
      message: 'Successfully synced 42 PRs and 118 reviews',
      error: 'Failed to sync from GitHub: Bad gateway',
    });
  });
});

describe('a page that is loaded again', () => {
  it.each<[string, Partial<SyncCalls>, string | undefined]>([
    ['takes up what it was syncing', {}, 'Successfully synced 42 PRs and 118 reviews'],
    [
      'is as any other where that cannot be found out',
      { progress: script<never>(new Error('Bad gateway')) },
      undefined,
    ],
  ])('%s', async (_, changes, message) => {
    const { calls, surroundings, asked } = scene(changes, [ledger, courier]);
    const unfinished = { mode: 'smart', repositoryIds: [ledger.id] } as const;

    expect((await takeUp(unfinished, 'GitHub', calls, surroundings, () => {}))?.message).toBe(message);
    expect(asked).toEqual(['listRepositories', 'progress']);
  });

  it('starts what still waited for its start, and only that', async () => {
    const started: unknown[] = [];
    const { calls, surroundings, asked } = scene(
      {
        start: async ({ id }, mode) => {
          started.push([id, mode]);
          return answer({ status: 'queued' });
        },
        // What an earlier sync of it ended with is nothing that this one has brought.
        progress: async ({ id }) => (id === ledger.id || started.length > 0 ? completed(1, 2) : completed(42, 118)),
      },
      [ledger, courier],
    );
    const unfinished = { mode: 'full', repositoryIds: [ledger.id, courier.id], notStarted: [courier.id] } as const;
    const outcome = await takeUp(unfinished, 'GitHub', calls, surroundings, () => {});

    expect(outcome).toEqual({ message: 'Successfully synced 2 PRs and 4 reviews', error: null });
    expect(started).toEqual([[courier.id, 'full']]);
    expect(asked).toEqual(['listRepositories', 'progress', 'start', 'progress']);
  });
});

describe('sessions that are already at work', () => {
  const follow = (progress: SyncCalls['progress'], states: SyncState[] = []) => {
    const { calls, surroundings } = scene({ progress });
    const unfinished = { mode: 'full', repositoryIds: [ledger.id] } as const;
    return takeUp(unfinished, 'GitHub', calls, surroundings, (state) => states.push(state));
  };

  it('are followed to their end without being started', async () => {
    const states: SyncState[] = [];

    expect((await follow(script(answer({ status: 'waiting' }), answer(), completed(9, 3)), states))?.message).toBe(
      'Successfully synced 9 PRs and 3 reviews',
    );
    expect(states.at(-1)).toMatchObject({ mode: 'full', repositories: [{ status: 'done' }] });
  });

  it('are not started again when they fail', async () => {
    expect((await follow(script(answer(), failed('Disk full'))))?.error).toBe(
      'Sync completed with errors:\nbrasswick/ledger: Disk full',
    );
    expect((await follow(script<SyncResponse>(answer(), new Refusal('Repository not found'))))?.error).toContain(
      'Repository not found',
    );
  });

  it('that ended before anybody looked are told as they ended', async () => {
    expect(await follow(async () => completed(9, 3))).toEqual({
      message: 'Successfully synced 9 PRs and 3 reviews',
      error: null,
    });
  });
});

describe('the wait before another try', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ])('after failure %i is %i ms, and up to a second more', (attempt, base) => {
    expect(backoff(attempt, () => 0)).toBe(base);
    expect(backoff(attempt, () => 0.999)).toBeLessThan(base + 1_000);
  });
});

it('is given up where the waiting is', async () => {
  const { run } = scene({ progress: async () => answer() }, [ledger], () => Promise.reject(new Error('given up')));

  await expect(run()).rejects.toThrow('given up');
});
