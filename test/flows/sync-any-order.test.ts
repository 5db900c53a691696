import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addHints, type HintSubject } from '../../src/server/db/hints.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { HostClient } from '../../src/server/host/client.ts';
import { cancelSession, isActive, newestSession } from '../../src/server/sync/sessions.ts';
import { casesOf, empty, openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { everythingStored, openSyncing, type Syncing } from '../support/syncing.ts';

/** Something happens on the host, or a delivery about it reaches us. Numbers name one of the pull requests that there are. */
type Event =
  | { readonly what: 'entry'; readonly number: number; readonly entry: object }
  /** The host's copies lag: it shows what happened so many seconds ago, perhaps its closing too. */
  | { readonly what: 'opened'; readonly secondsAgo: number; readonly closed: boolean }
  | { readonly what: 'last comment deleted'; readonly number: number }
  | { readonly what: 'check'; readonly number: number }
  | { readonly what: 'thread resolved'; readonly number: number }
  | { readonly what: 'time passes'; readonly seconds: number }
  /** Deliveries that are lost are those that do not occur here; others come more than once and in any order. */
  | { readonly what: 'delivery'; readonly about: 'pull request' | 'commit' | 'repository'; readonly number: number };

/** Syncs, and what happens when one has asked the host so many times. */
type Step =
  | Event
  | {
      readonly what: 'sync';
      readonly mode: 'smart' | 'incremental' | 'full';
      readonly meanwhile: readonly { readonly request: number; readonly events: readonly (Event | 'cancelled')[] }[];
    };

const number = fc.integer({ min: 1, max: 5 });
const entry = fc.constantFrom<object>(
  { kind: 'comment', by: 'mona' },
  { kind: 'comment', by: 'hubot' },
  { kind: 'review', by: 'octo', state: 'APPROVED', comments: [{}] },
  { kind: 'review', by: 'mona', state: 'CHANGES_REQUESTED', bodyLength: 12 },
  { kind: 'commits', count: 1 },
  { kind: 'force_push', count: 2 },
  { kind: 'convert_to_draft' },
  { kind: 'ready_for_review' },
  { kind: 'review_requested', by: 'octo', reviewer: { account: 'hubot' } },
  { kind: 'closed', by: 'octo' },
  { kind: 'reopened', by: 'octo' },
  { kind: 'merged', by: 'octo' },
);
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('entry' as const), number, entry }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('opened' as const),
      secondsAgo: fc.constantFrom(0, 45, 90),
      closed: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('last comment deleted' as const), number }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('check' as const), number }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('thread resolved' as const), number }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('time passes' as const), seconds: fc.constantFrom(1, 1, 50, 300) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('delivery' as const),
      about: fc.constantFrom(
        'pull request' as const,
        'pull request' as const,
        'commit' as const,
        'repository' as const,
      ),
      number,
    }),
  },
);
const long = fc.constant({ what: 'time passes' as const, seconds: 300 });
const sync = fc.record({
  what: fc.constant('sync' as const),
  mode: fc.constantFrom('smart' as const, 'incremental' as const, 'incremental' as const, 'full' as const),
  meanwhile: fc.array(
    fc.record({
      request: fc.integer({ min: 1, max: 7 }),
      events: fc.oneof(
        {
          weight: 2,
          arbitrary: fc.array(
            fc.oneof({ weight: 5, arbitrary: event }, { weight: 1, arbitrary: fc.constant('cancelled' as const) }),
            { minLength: 1, maxLength: 3 },
          ),
        },
        // What changes behind a reader who then takes longer than any overlap.
        { weight: 1, arbitrary: fc.tuple(fc.record({ what: fc.constant('entry' as const), number, entry }), long) },
      ),
    }),
    { maxLength: 2 },
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof({ weight: 3, arbitrary: event }, { weight: 2, arbitrary: sync });

/** The host takes a minute to answer about what changed meanwhile; in the second of that answer it changes once more. */
const slowAnswer: Step[] = [
  {
    what: 'sync',
    mode: 'smart',
    meanwhile: [
      {
        request: 2,
        events: [
          { what: 'time passes', seconds: 50 },
          { what: 'entry', number: 2, entry: { kind: 'closed', by: 'octo' } },
        ],
      },
    ],
  },
  { what: 'sync', mode: 'smart', meanwhile: [] },
  { what: 'opened', secondsAgo: 0, closed: false },
  { what: 'entry', number: 2, entry: { kind: 'comment', by: 'mona' } },
];

/** Our clock runs so far ahead of the host's, in milliseconds. */
const AHEAD = 5 * 60_000;
const runs = Number(process.env.ANY_ORDER_RUNS ?? casesOf(40));
const seed = Number(process.env.ANY_ORDER_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('any interleaving of changes, webhooks and syncs', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let cases = 0;
  let hostClock = 0;
  let ticks = 0;
  /** Goes on with the host's alone, however slow the machine is, and names no moment twice. */
  const ourClock = () => new Date(hostClock + AHEAD + ticks++);

  beforeAll(async () => {
    [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
    await pass(0);
  });
  afterAll(async () => {
    await database.close();
    await simulator.stop();
  });

  it('ends, after one more incremental sync, in the state of a fresh full sync', { timeout: 600_000 }, async () => {
    console.info(`The interleavings come from ANY_ORDER_SEED=${seed}.`);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const scene = await openScene();
        try {
          for (const one of steps) await scene.take(one);
          const [interleaved, fresh] = await scene.end();
          expect(interleaved).toEqual(fresh);
        } finally {
          await scene.close();
        }
      }),
      { numRuns: runs, seed, endOnFailure: process.env.ANY_ORDER_SHRINK !== '1', examples: [[slowAnswer]] },
    );
  });

  async function pass(seconds: number): Promise<void> {
    const clock = (await simulator.control('clock', { frozen: true, advanceSeconds: seconds })) as { now: string };
    hostClock = Date.parse(clock.now);
  }

  /** A repository of its own on the host, with three pull requests that have been read. */
  async function openScene() {
    cases += 1;
    const full_name = `octo-org/case-${cases}`;
    const onHost = `repos/${full_name}`;
    const lastComment = new Map<number, number>();
    const inlineComment = new Map<number, number>();
    let openedThere = 0;
    let states: ('OPEN' | 'CLOSED' | 'MERGED')[] = [];
    const [owner, name] = full_name.split('/');
    await simulator.control('repos', { owner, name, readers: ['octo'] });
    for (const author of ['mona', 'hubot', 'octo']) await open(author, 3600, false);

    /** How often the host was asked in the sync that runs, and what then happens. */
    let asked = 0;
    let meanwhile: (Step & { what: 'sync' })['meanwhile'] = [];
    const underWay = new Set<Promise<void>>();
    const interrupt = async () => {
      asked += 1;
      for (const one of meanwhile.filter(({ request }) => request === asked))
        for (const happening of one.events) {
          if (happening === 'cancelled') await cancel();
          else await happen(happening);
        }
    };
    const syncing: Syncing = openSyncing(database.db, simulator, {
      now: ourClock,
      client: (client) =>
        interrupted(client, async () => {
          const interruption = interrupt();
          underWay.add(interruption);
          await interruption.finally(() => underWay.delete(interruption));
        }),
    });
    const user = await syncing.user('octo');
    const repository = await syncing.connect(user, full_name);
    await syncing.run(user, repository, 'full');

    async function open(author: string, secondsAgo: number, closed: boolean): Promise<void> {
      const { now } = (await simulator.control('state')) as { now: string };
      openedThere += 1;
      states = [...states, closed ? 'CLOSED' : 'OPEN'];
      const createdAt = Date.parse(now) - secondsAgo * 1000;
      await simulator.control(`${onHost}/pulls`, { title: `Number ${openedThere}`, author, createdAt });
      if (closed) await enter(openedThere, { kind: 'closed', at: createdAt });
    }
    async function enter(pull: number, one: object): Promise<{ id?: number; comments?: { id: number }[] }> {
      const applied = (await simulator.control(`${onHost}/pulls/${pull}/entries`, one)) as {
        id?: number;
        comments?: { id: number }[];
      }[];
      return applied[0] ?? {};
    }
    async function cancel(): Promise<void> {
      const newest = await newestSession(database.db, repository);
      if (newest !== null && isActive(newest)) await cancelSession(database.db, newest.id, syncing.context.now());
    }
    async function happen(one: Event): Promise<void> {
      const pull = 'number' in one ? ((one.number - 1) % openedThere) + 1 : 0;
      const state = states[pull - 1];
      switch (one.what) {
        case 'entry': {
          const { kind } = one.entry as { kind: string };
          if (['closed', 'merged'].includes(kind) && state !== 'OPEN') return;
          if (kind === 'reopened' && state !== 'CLOSED') return;
          const { id, comments } = await enter(pull, one.entry);
          if (kind === 'comment') lastComment.set(pull, id!);
          if (kind === 'review' && comments?.[0]) inlineComment.set(pull, comments[0].id);
          const next = { closed: 'CLOSED', merged: 'MERGED', reopened: 'OPEN' } as const;
          states[pull - 1] = next[kind as keyof typeof next] ?? state!;
          return;
        }
        case 'opened':
          return await open('hubot', one.secondsAgo, one.closed);
        case 'last comment deleted': {
          const id = lastComment.get(pull);
          if (id !== undefined) await enter(pull, { kind: 'comment_deleted', id });
          lastComment.delete(pull);
          return;
        }
        case 'check':
          // Of one that is closed a check shows a day later.
          if (state === 'OPEN') await enter(pull, { kind: 'check', name: 'build', outcome: 'FAILURE' });
          return;
        case 'thread resolved': {
          const comment = inlineComment.get(pull);
          if (comment !== undefined && state === 'OPEN') await enter(pull, { kind: 'thread_resolved', comment });
          return;
        }
        case 'time passes':
          return await pass(one.seconds);
        case 'delivery':
          return await deliver(one.about, pull);
      }
    }
    async function deliver(about: (Event & { what: 'delivery' })['about'], pull: number): Promise<void> {
      const subject = async (): Promise<HintSubject> => {
        if (about === 'pull request') return { kind: 'pull_request', number: pull };
        if (about === 'repository') return { kind: 'repository' };
        const row = await database.db
          .selectFrom('pull_requests')
          .select('head_sha')
          .where('repository_id', '=', repository)
          .where('number', '=', pull)
          .executeTakeFirst();
        return { kind: 'commit', sha: row?.head_sha ?? 'f'.repeat(40) };
      };
      await addHints(database.db, repository, [await subject()], syncing.context.now());
      syncing.nudge();
    }

    return {
      async take(one: Step): Promise<void> {
        if (one.what !== 'sync') return await happen(one);
        asked = 0;
        meanwhile = one.meanwhile;
        await syncing.run(user, repository, one.mode, 2);
        meanwhile = [];
        // A request for a page that was begun ahead may outlive its sync: what it brings about is no part of the next one.
        await Promise.allSettled(underWay);
      },
      /** What is stored after one more incremental sync, and what a fresh full one stores. */
      async end() {
        const last = await syncing.run(user, repository, 'incremental');
        expect(last).toMatchObject({ status: 'completed', skipped: [] });
        await syncing.stop();
        const interleaved = await everythingStored(database.db, repository);
        await empty(
          database.db,
          'pull_requests',
          'participations',
          'contributor_totals',
          'contributor_months',
          'number_states',
          'person_numbers',
          'hints',
        );
        const calm = openSyncing(database.db, simulator, { now: ourClock });
        await calm.user('octo');
        await calm.run(user, repository, 'full');
        await calm.stop();
        return [interleaved, await everythingStored(database.db, repository)] as const;
      },
      async close(): Promise<void> {
        await syncing.stop();
        await database.db.deleteFrom('repositories').execute();
      },
    };
  }
});

/** A client that lets something happen before each of the sync's requests, and that answers about a single pull request late. */
function interrupted(client: HostClient, before: () => Promise<void>): HostClient {
  return {
    ...client,
    async pullRequests(of, page) {
      await before();
      return await client.pullRequests(of, page);
    },
    async changes(of, cursor) {
      await before();
      return await client.changes(of, cursor);
    },
    async openPullRequests(of, cursor) {
      await before();
      return await client.openPullRequests(of, cursor);
    },
    async pullRequestsById(of, node_ids, signal) {
      await before();
      return await client.pullRequestsById(of, node_ids, signal);
    },
    async pullRequest(of, number, signal) {
      const answer = await client.pullRequest(of, number, signal);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return answer;
    },
  };
}
