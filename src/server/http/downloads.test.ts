import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { downloads, pagesOf, piecesOf } from './downloads.ts';
import { createLimits, defaultLimits } from './limits.ts';
import { serve } from './serve.ts';
import { limitAnswers, timeLimits } from './time-limits.ts';

const inContext = AsyncLocalStorage.snapshot();

describe('the pages of a list', () => {
  async function* pages() {
    yield* [[1], [2], [3]];
  }

  it('are made until nobody may read on, which breaks them off', async () => {
    let asked = 0;
    const rest = pagesOf(pages(), inContext, async () => {
      asked += 1;
      if (asked === 2) throw new Error('ended');
    });
    expect(await rest.next()).toEqual({ done: false, value: [1] });
    expect(asked).toBe(0);
    expect(await rest.next()).toEqual({ done: false, value: [2] });
    await expect(rest.next()).rejects.toThrow('ended');
  });
});

describe('the pieces of a file', () => {
  let at = Date.parse('2026-03-29T01:00:00Z');
  const now = () => new Date(at);
  const text = async (content: Readable, goOn: () => Promise<void>, seconds: number) => {
    let read = '';
    for await (const piece of piecesOf(content, goOn, now)) {
      read += String(piece);
      at += seconds * 1000;
    }
    return read;
  };

  it('are read until nobody may read on, which ends what makes them; it is asked once a second, however many there are', async () => {
    let asked = 0;
    const goOn = async () => {
      asked += 1;
      if (asked === 3) throw new Error('ended');
    };
    expect(await text(Readable.from(Array.from({ length: 1000 }, () => 'x')), goOn, 0.001)).toHaveLength(1000);
    expect(asked).toBeLessThan(3);

    asked = 0;
    const slow = Readable.from(['a', 'b', 'c', 'd', 'e']);
    await expect(text(slow, goOn, 1)).rejects.toThrow('ended');
    expect([asked, slow.destroyed]).toEqual([3, true]);
  });
});

describe('a file that is ready when nobody waits for it', () => {
  it.each([
    ['who asked has gone', true, 'AbortError'],
    ['they were told that it takes too long', false, 503],
  ])('ends what makes it: %s', async (_why, goes, outcome) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    limitAnswers(app, { ...timeLimits, answer: goes ? 60_000 : 50 });
    const content = new Readable({ read: () => undefined });
    const client = new AbortController();
    const exportContributor = async ({ reply }: { readonly reply: FastifyReply }) => {
      if (goes) client.abort();
      await once(reply.raw, 'close');
      return { filename: 'ada.pdf', content_type: 'application/pdf', content };
    };
    const user = { id: 1, host: 'h', login: 'ada', time_zone: 'UTC', own_marks: false };
    const settings = { signedIn: async () => user, check_answers: false, now: () => new Date() };
    serve(app, { exportContributor }, settings);
    const address = await app.listen({ port: 0, host: '127.0.0.1' });

    const asked = fetch(`${address}/api/contributors/export`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, signal: client.signal },
      body: JSON.stringify({ username: 'ada', format: 'pdf' }),
    });

    const ended = asked.then(
      ({ status }) => status,
      ({ name }: Error) => name,
    );
    expect(await ended).toBe(outcome);
    await expect.poll(() => content.destroyed).toBe(true);
  });
});

describe('a download', () => {
  let at = Date.parse('2026-03-29T01:00:00Z');
  let isIn = true;
  const now = () => new Date(at);
  const limits = createLimits({ settings: defaultLimits, now, sleep: async () => undefined });
  const begin = downloads({ limits, now, letsIn: async () => isIn });
  /** A request whose answer goes on until it is ended. */
  const aRequest = () => {
    const ends: (() => void)[] = [];
    const socket = { destroyed: false, once: () => undefined };
    const raw = { closed: false, once: (_: string, end: () => void) => void ends.push(end), destroy: vi.fn() };
    const goOn = begin({ raw: { socket } } as unknown as FastifyRequest, { raw } as unknown as FastifyReply, 7);
    return { goOn, end: () => ends.map((each) => each()), cut: raw.destroy };
  };

  it('goes on while its person is signed in, and for half an hour at most', async () => {
    const { goOn, end } = aRequest();
    await goOn();
    at += 31 * 60_000;
    await expect(goOn()).rejects.toMatchObject({ status: 503 });
    end();
    const other = aRequest();
    isIn = false;
    await expect(other.goOn()).rejects.toMatchObject({ status: 401 });
    isIn = true;
    other.end();
  });

  it('is one of four that a person may have at once', () => {
    const four = [1, 2, 3, 4].map(aRequest);
    expect(aRequest).toThrow(expect.objectContaining({ status: 429 }));
    four[0]!.end();
    const fifth = aRequest();
    for (const each of [...four, fifth]) each.end();
  });

  it('is cut off after half an hour, also where nobody takes a next page', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [held, over] = [aRequest(), aRequest()];
    over.end();
    vi.advanceTimersByTime(29 * 60_000);
    expect(held.cut).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect([held.cut, over.cut].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    held.end();
  });
});
