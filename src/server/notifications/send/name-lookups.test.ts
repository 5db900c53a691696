import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nameLookups } from './name-lookups.ts';
import { checkTarget } from './targets.ts';

const [ADA, BEN] = [1, 2];
/** Names that were given to the system, and how each of them ends. */
const asked: string[] = [];
const ends = new Map<string, (addresses: readonly string[]) => void>();
const resolve = (name: string) => {
  asked.push(name);
  if (name === 'quick.example.org') return Promise.resolve(['10.0.0.1']);
  const { promise, resolve: end } = Promise.withResolvers<readonly string[]>();
  ends.set(name, end);
  return promise;
};
const check = (of: ReturnType<typeof lookups>, user_id: number, name: string) =>
  checkTarget(`https://${name}/hook`, 'webhook', { allowPrivate: false, resolve: of(user_id) });
const lookups = () => nameLookups(() => new Date(), resolve);
const PRIVATE = 'leads to a private address';

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
});
afterEach(() => void vi.useRealTimers());

test('of names that nobody answers for one at a time is looked up, until that has ended, and all are taken for unknown in three seconds', async () => {
  const of = lookups();
  const slow = Array.from({ length: 600 }, (_, at) => check(of, ADA, `slow-${at}.example.org`));
  await vi.advanceTimersByTimeAsync(3000);

  expect(new Set(await Promise.all(slow))).toEqual(new Set([null]));
  expect(asked).toEqual(['slow-0.example.org']);
  const next = check(of, BEN, 'quick.example.org');
  await vi.advanceTimersByTimeAsync(1000);
  ends.get('slow-0.example.org')!([]);

  // Those that were given up are never asked for.
  expect(await next).toBe(PRIVATE);
  expect(asked).toEqual(['slow-0.example.org', 'quick.example.org']);
});

test('whose names took long waits, and nobody else does', async () => {
  const of = lookups();
  const late = check(of, ADA, 'slow.example.org');
  await vi.advanceTimersByTimeAsync(20_000);
  ends.get('slow.example.org')!(['10.0.0.1']);
  const found = async () => [await check(of, ADA, 'quick.example.org'), await check(of, BEN, 'quick.example.org')];
  const atOnce = await found();
  await vi.advanceTimersByTimeAsync(100_000);
  const soon = await found();
  await vi.advanceTimersByTimeAsync(20_000);

  expect(await late).toBe(null);
  expect([atOnce, soon]).toEqual([
    [null, PRIVATE],
    [null, PRIVATE],
  ]);
  expect(await found()).toEqual([PRIVATE, PRIVATE]);
});

test('an address needs no lookup, and names that are answered quickly wait for nothing', async () => {
  const of = lookups();
  void check(of, ADA, 'slow.example.org');
  expect(await check(of, BEN, '127.0.0.1')).toBe(PRIVATE);
  ends.get('slow.example.org')!([]);
  for (let at = 0; at < 600; at += 1) expect(await check(of, BEN, 'quick.example.org')).toBe(PRIVATE);
});
