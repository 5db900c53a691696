import { expect, test } from 'vitest';
import { HttpError } from './errors.ts';
import {
  type UnverifiedBody as Body,
  createLimits,
  defaultLimits,
  type LimitSettings,
  type Limits,
  networkOf,
} from './limits.ts';
import { TokenBuckets } from './token-buckets.ts';

let at = Date.parse('2026-03-29T01:00:00Z');
const now = () => new Date(at);
const slept: number[] = [];
const sleep = async (milliseconds: number) => void slept.push(milliseconds);
const limits = (settings: Partial<LimitSettings> = {}): Limits =>
  createLimits({ settings: { ...defaultLimits, ...settings }, now, sleep });

const me = { user_id: 1, address: '192.0.2.1' };
const nobody = { user_id: null, address: '192.0.2.1' };

function times(count: number, act: () => void): void {
  for (let n = 0; n < count; n += 1) act();
}

async function signIn(of: Limits, address: string, failed: boolean): Promise<void> {
  (await of.beginSignIn(address)).settle(failed);
}

test('a person has 600 calls at once and ten more with each second, wherever they call from', () => {
  const { countRequest } = limits();
  times(600, () => countRequest(me, false));

  expect(() => countRequest({ ...me, address: '192.0.2.2' }, false)).toThrow(
    expect.objectContaining({ status: 429, code: 'too_many_requests', retry_after: 1 }),
  );
  at += 1000;
  times(10, () => countRequest(me, false));
  expect(() => countRequest(me, false)).toThrow('Too many requests. Try again in a second.');
});

test('another person at the same address is not held up', () => {
  const { countRequest } = limits();
  times(600, () => countRequest(me, false));

  expect(() => countRequest({ ...me, user_id: 2 }, false)).not.toThrow();
});

test('calls without a session are counted by their address, apart from those of people there', () => {
  const { countRequest } = limits();
  times(600, () => countRequest(nobody, false));

  expect(() => countRequest(nobody, false)).toThrow(expect.objectContaining({ status: 429 }));
  expect(() => countRequest(me, false)).not.toThrow();
  expect(() => countRequest({ ...nobody, address: '192.0.2.2' }, false)).not.toThrow();
});

test('an address has as many sessions looked up as can be refused, side by side as well; those found valid before and others go on', async () => {
  const { lookUp } = limits({ requests: 10 });
  let looks = 0;
  const look = async (hash: string, address = '192.0.2.1') =>
    await lookUp(hash, address, async () => {
      looks += 1;
      await Promise.resolve();
      return hash.startsWith('valid') ? {} : null;
    }).then(
      (found) => found !== null,
      (error: unknown) => error,
    );
  const refused = expect.objectContaining({ status: 429, retry_after: 6 });

  expect(await look('valid')).toBe(true);
  const guessed = await Promise.all(Array.from({ length: 30 }, (_, n) => look(`guess ${n}`)));
  expect([guessed.filter((found) => found === false).length, looks]).toEqual([10, 11]);
  expect(await look('guess')).toEqual(refused);
  expect(await look('valid, but never seen')).toEqual(refused);
  expect(await look('valid')).toBe(true);
  expect(await look('valid, but never seen', '192.0.2.2')).toBe(true);
  expect(looks).toBe(13);
});

test('a valid session is looked up as often as a person may call, one that has ended like any other, and nothing that fails counts', async () => {
  const { lookUp } = limits({ requests: 10 });
  const valid = async () => await lookUp('valid', '192.0.2.1', async () => 1);
  for (let n = 0; n < 9; n += 1) await valid();
  expect(await lookUp('valid', '192.0.2.1', async () => null)).toBe(null);
  for (let n = 0; n < 10; n += 1) await valid();
  await expect(valid()).rejects.toMatchObject({ status: 429, message: 'Too many requests. Try again in 6 seconds.' });

  const failing = async (failed: Error) => await lookUp('unknown', '192.0.2.1', () => Promise.reject(failed));
  for (let n = 0; n < 20; n += 1) await expect(failing(new Error('away'))).rejects.toThrow('away');
  const badToken = new HttpError('bad_token', 'No.');
  for (let n = 0; n < 10; n += 1) await expect(failing(badToken)).rejects.toThrow('No.');
  await expect(failing(badToken)).rejects.toMatchObject({ status: 429 });
});

const MiB = 1024 * 1024;

test('64 MiB of one address and 128 of all are held of bodies that anybody may have sent, 8 and 64 of small ones', () => {
  const { openUnverified } = limits();
  const toApp = { webhook_key: 'app', is_public: true };
  const large = (address: string) => openUnverified({ ...toApp, address, size: 'large' });
  const [first, second, third] = ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map(large) as [Body, Body, Body];
  first.add(40 * MiB);
  second.add(24 * MiB);
  expect(() => second.add(1)).toThrow(expect.objectContaining({ status: 429, retry_after: 10 }));
  third.add(64 * MiB);
  expect(() => large('192.0.2.3').add(1)).toThrow('Too many deliveries at once. Try again in 10 seconds.');

  const small = (address: string) => openUnverified({ ...toApp, address, size: 'small' });
  const one = small('192.0.2.1');
  one.add(8 * MiB);
  expect(() => one.add(1)).toThrow(expect.objectContaining({ status: 429 }));
  for (let n = 2; n <= 8; n += 1) small(`192.0.2.${n}`).add(8 * MiB);
  expect(() => small('192.0.2.9').add(1)).toThrow(expect.objectContaining({ status: 429 }));

  first.end();
  first.end();
  first.add(40 * MiB);
  large('192.0.2.1').add(40 * MiB);
  expect(() => large('192.0.2.3').add(1)).toThrow(expect.objectContaining({ status: 429 }));
});

test('what is held for one webhook of an address keeps none of another from there, and what is held for the App none of anybody’s', () => {
  const { openUnverified } = limits();
  const held = (webhook_key: string, address: string, is_public = false) =>
    openUnverified({ webhook_key, is_public, address, size: 'large' });
  for (const address of ['192.0.2.1', '192.0.2.2']) held('app', address, true).add(64 * MiB);
  held('a', '192.0.2.1').add(64 * MiB);

  expect(() => held('a', '192.0.2.1').add(1)).toThrow(expect.objectContaining({ status: 429 }));
  held('a', '192.0.2.2').add(32 * MiB);
  held('b', '192.0.2.1').add(32 * MiB);
  expect(() => held('c', '192.0.2.3').add(1)).toThrow(expect.objectContaining({ status: 429 }));
});

test('60 of the calls may be exports and explanations', () => {
  const { countRequest } = limits();
  times(60, () => countRequest(me, true));

  expect(() => countRequest(me, true)).toThrow('Too many exports and explanations. Try again in a second.');
  times(540, () => countRequest(me, false));
  expect(() => countRequest(me, false)).toThrow(expect.objectContaining({ status: 429 }));
});

test('ten failed sign-ins of an address keep it out for six seconds each; successful ones don’t count', async () => {
  const those = limits();
  for (let n = 0; n < 40; n += 1) await signIn(those, '192.0.2.1', false);
  for (let n = 0; n < 10; n += 1) await signIn(those, '192.0.2.1', true);

  await expect(those.beginSignIn('192.0.2.1')).rejects.toMatchObject({
    status: 429,
    retry_after: 6,
    message: 'Too many failed sign-ins from your address. Try again in 6 seconds.',
  });
  await signIn(those, '192.0.2.2', false);
  at += 6000;
  await signIn(those, '192.0.2.1', true);
  await expect(those.beginSignIn('192.0.2.1')).rejects.toMatchObject({ status: 429 });
});

test('attempts side by side do not get round that limit, and none of many good ones is refused', async () => {
  const guessing = limits({ sign_in: 10_000 });
  let tried = 0;
  const guesses = Array.from({ length: 100 }, async () => {
    const attempt = await guessing.beginSignIn('192.0.2.1');
    tried += 1;
    await Promise.resolve();
    attempt.settle(true);
  });
  const refused = (await Promise.allSettled(guesses)).filter(({ status }) => status === 'rejected');
  expect([tried, refused.length]).toEqual([10, 90]);

  const office = limits({ sign_in: 10_000 });
  await Promise.all(Array.from({ length: 100 }, () => signIn(office, '192.0.2.1', false)));
});

test('an address brings 30 new visitors of the demo at once, and another one every two minutes', () => {
  const { countVisitor } = limits();
  times(30, () => countVisitor('192.0.2.1'));

  expect(() => countVisitor('192.0.2.1')).toThrow(
    expect.objectContaining({ status: 429, code: 'too_many_requests', retry_after: 120 }),
  );
  countVisitor('192.0.2.2');
  at += 120_000;
  countVisitor('192.0.2.1');
  expect(() => countVisitor('192.0.2.1')).toThrow('Too many visitors of the demo from your address.');
});

test('beyond 60 sign-ins a minute everybody is answered, later and later up to ten seconds', async () => {
  const those = limits();
  for (let n = 0; n < 60; n += 1) await signIn(those, `192.0.2.${n}`, false);
  expect(slept.splice(0)).toEqual([]);

  for (let n = 0; n < 30; n += 1) await signIn(those, `198.51.100.${n}`, false);
  expect(slept.slice(0, 3)).toEqual([1000, 2000, 3000]);
  expect(slept.splice(0).slice(-2)).toEqual([10_000, 10_000]);

  at += 11_000;
  await signIn(those, '203.0.113.1', false);
  expect(slept.splice(0)).toEqual([]);
});

test('one webhook takes 6,000 deliveries a minute, and others are not touched by its flood', () => {
  const { countDelivery } = limits();
  times(6000, () => countDelivery('a'));

  expect(() => countDelivery('a')).toThrow(expect.objectContaining({ status: 429, retry_after: 1 }));
  expect(() => countDelivery('b')).not.toThrow();
});

test('a person has eight streams, an address 512; one that ends makes room for another', () => {
  const those = limits();
  const ends = Array.from({ length: 8 }, () => those.openStream(1, '192.0.2.1'));
  expect(() => those.openStream(1, '192.0.2.2')).toThrow(expect.objectContaining({ status: 429, retry_after: 30 }));
  ends[0]?.();
  ends[0]?.();
  those.openStream(1, '192.0.2.1');
  expect(() => those.openStream(1, '192.0.2.1')).toThrow(expect.objectContaining({ status: 429 }));

  for (let n = 0; n < 504; n += 1) those.openStream(100 + n, '192.0.2.1');
  expect(() => those.openStream(9999, '192.0.2.1')).toThrow(expect.objectContaining({ status: 429 }));
  expect(() => those.openStream(9999, '192.0.2.2')).not.toThrow();
});

test('a clock that is set back or forward by a day holds nobody up', () => {
  const { countRequest } = limits();
  times(600, () => countRequest(me, false));
  at -= 86_400_000;
  expect(() => countRequest(me, false)).toThrow(expect.objectContaining({ retry_after: 1 }));
  at += 1000;
  expect(() => countRequest(me, false)).not.toThrow();
  at += 86_400_000;
  times(600, () => countRequest(me, false));
});

test('whoever comes from ever new addresses fills no memory', () => {
  const buckets = new TokenBuckets(10, 1, now);
  for (let n = 0; n < 200_000; n += 1) buckets.take(String(n));

  expect(buckets.size).toBeLessThanOrEqual(50_000);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
