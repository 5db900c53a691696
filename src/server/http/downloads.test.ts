import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { downloads, pagesOf } from './downloads.ts';
import { createLimits, defaultLimits } from './limits.ts';

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
    const raw = { closed: false, once: (_: string, end: () => void) => void ends.push(end) };
    const goOn = begin({ raw: { socket } } as unknown as FastifyRequest, { raw } as unknown as FastifyReply, 7);
    return { goOn, end: () => ends.map((each) => each()) };
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
});
