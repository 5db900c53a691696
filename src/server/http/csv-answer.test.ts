import { AsyncLocalStorage } from 'node:async_hooks';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import compress from '@fastify/compress';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PullRequestListItem } from '#contract/pull-requests.ts';
import { recordsOf } from '../../../test/support/rfc-4180.ts';
import { LongList } from './csv-answer.ts';
import { serve } from './serve.ts';

/** CSV as it leaves over a connection, from lists that cost nothing. */
const ROWS = 100_001;
const PAGE = 5000;

const app = Fastify();
const callers = new AsyncLocalStorage<{ pages: number }>();
let address: string;
let source: {
  fetched: number;
  ended: boolean;
  failAt: number;
  callers: Set<unknown>;
  totals: number[];
  moments: Set<unknown>;
};

const row = { title: 'x'.repeat(300), reviewers: ['ada', 'bo'], pr_number: 1 } as unknown as PullRequestListItem;

async function* rows(most: number, page: number) {
  try {
    for (let at = 0; at < most; at += page) {
      if (at >= source.failAt) throw new Error('The database went away.');
      source.fetched += 1;
      source.callers.add(callers.getStore());
      await sleep(0);
      yield Array.from({ length: Math.min(page, most - at) }, (_, n) => ({ ...row, pr_number: at + n + 1 }));
    }
  } finally {
    source.ended = true;
  }
}

let goOn: () => Promise<void>;
let clock = Date.parse('2026-03-29T01:00:00Z');

beforeAll(async () => {
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  serve(
    app,
    {
      listPullRequests: async ({ csv }) => new LongList(ROWS, rows(csv!.most!, csv!.page)),
      listDeliveries: async ({ query: { limit, offset }, csv }) => {
        const total = source.totals[source.fetched] ?? 12_000;
        source.fetched += 1;
        source.callers.add(callers.getStore());
        source.moments.add(csv?.now.getTime());
        const deliveries = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, n) => ({
          attempts: offset + n,
        }));
        return { deliveries: deliveries as never, total };
      },
    },
    {
      signedIn: async () => ({ id: 1, host: 'h', login: 'ada', time_zone: 'UTC', own_marks: false }),
      check_answers: false,
      now: () => {
        clock += 1000;
        return new Date(clock);
      },
      openDownload: () => () => goOn(),
      within: (_request, _user_id, work) => callers.run({ pages: 0 }, work),
    },
  );
  address = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());
beforeEach(() => {
  goOn = async () => undefined;
  const sets = { callers: new Set(), moments: new Set() };
  source = { fetched: 0, ended: false, failAt: Number.POSITIVE_INFINITY, totals: [], ...sets };
});

const opened = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => get(`${address}${path}`, resolve).on('error', reject));

test('of 100,001 rows a CSV has the first 100,000 and says so', async () => {
  const answer = await fetch(`${address}/api/prs?format=csv`);
  const [header, ...records] = recordsOf(await answer.text());

  expect(records).toHaveLength(100_000);
  expect(records.at(-1)![header!.indexOf('pr_number')]).toBe('100000');
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'x-truncated': 'true', 'x-total-count': '100001' });
  expect(source.ended).toBe(true);
});

test('of a list by offset no page is fetched behind the last row of the CSV', async () => {
  source.totals = Array.from({ length: 20 }, () => 112_000);
  const answer = await fetch(`${address}/api/notifications/log?format=csv`);

  // What would be asked for after them has another total, which breaks the connection.
  expect(recordsOf(await answer.text())).toHaveLength(1 + 100_000);
  expect(source.fetched).toBe(20);
});

test('every page of one CSV is fetched as its one caller', async () => {
  await (await fetch(`${address}/api/prs?format=csv`)).text();
  expect([source.fetched, source.callers.size, source.callers.has(undefined)]).toEqual([20, 1, false]);

  source.callers.clear();
  source.fetched = 0;
  const text = await (await fetch(`${address}/api/notifications/log?format=csv`)).text();
  const [header, ...records] = recordsOf(text);
  expect(records.map((cells) => cells[header!.indexOf('attempts')])).toEqual(
    Array.from({ length: 12_000 }, (_, n) => String(n)),
  );
  expect([source.fetched, source.callers.size, source.callers.has(undefined)]).toEqual([3, 1, false]);
});

test('all pages of a list are asked for as of one moment', async () => {
  await (await fetch(`${address}/api/notifications/log?format=csv`)).text();
  expect([source.fetched, source.moments.size, source.moments.has(undefined)]).toEqual([3, 1, false]);
});

test.each([
  ['grows', [12_000, 12_001]],
  ['shrinks', [12_000, 12_000, 9_000]],
  ['ends earlier', [12_000, 5000]],
])('a list that %s between its pages breaks the connection: its rows have moved', async (_, totals) => {
  source.totals = totals;
  const answer = await fetch(`${address}/api/notifications/log?format=csv`);

  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test('no more is fetched than is read, and nothing once the reader has gone', async () => {
  const answer = await opened('/api/prs?format=csv');
  answer.once('data', () => answer.pause());
  await sleep(300);
  const { fetched } = source;
  expect(fetched).toBeLessThan(12);
  expect(source.ended).toBe(false);

  answer.destroy();
  await expect.poll(() => source.ended).toBe(true);
  expect(source.fetched - fetched).toBeLessThan(3);
});

test('a page is read until nobody may read on, which breaks the connection', async () => {
  let asked = 0;
  goOn = async () => {
    asked += 1;
    if (asked === 3) throw new Error('ended');
  };
  const answer = await fetch(`${address}/api/notifications/log?format=csv`);

  await expect(answer.text()).rejects.toThrow();
  expect([asked, source.fetched]).toEqual([3, 1]);
});

test.each(['identity', 'gzip', 'br'])('what fails half way breaks the connection (%s)', async (encoding) => {
  source.failAt = 9 * PAGE;
  const answer = await fetch(`${address}/api/prs?format=csv`, { headers: { 'accept-encoding': encoding } });

  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
  await expect(answer.text()).rejects.toThrow();
});

test('what fails at first is an error, and none of it a CSV', async () => {
  source.failAt = 0;
  const answer = await fetch(`${address}/api/prs?format=csv`);

  expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
  expect(answer.headers.has('content-disposition')).toBe(false);
});

test('HEAD has the headers and fetches no more than they take', async () => {
  const answer = await fetch(`${address}/api/prs`, { method: 'HEAD', headers: { accept: 'text/csv' } });

  expect(Object.fromEntries(answer.headers)).toMatchObject({
    ...{ 'content-type': 'text/csv; charset=utf-8', 'x-truncated': 'true' },
    'content-disposition': 'attachment; filename="mergelight-prs-2026-03-29.csv"',
  });
  expect([source.fetched, source.ended]).toEqual([1, true]);
});
