import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { HttpError } from './errors.ts';
import { limitSignIn } from './limit-routes.ts';
import { createLimits, defaultLimits } from './limits.ts';
import { limitAnswers, timeLimits } from './time-limits.ts';

test('a sign-in that was answered while it waited for its turn keeps no place of its address', async () => {
  const held: (() => void)[] = [];
  const limits = createLimits({
    settings: { ...defaultLimits, failed_sign_in: 1, sign_in: 1 },
    now: () => new Date(0),
    sleep: () => new Promise((go) => held.push(go)),
  });
  const app = Fastify();
  limitAnswers(app, { ...timeLimits, answer: 50 });
  app.post('/', limitSignIn(limits), async () => ({}));
  const signIn = async () => (await app.inject({ method: 'POST', url: '/' })).statusCode;

  expect(await signIn()).toBe(200);
  expect(await signIn()).toBe(503);
  held.shift()!();
  await expect.poll(() => held).toEqual([]);
  const next = signIn();
  await expect.poll(() => held.length).toBe(1);
  held.shift()!();
  expect(await next).toBe(200);
  await app.close();
});

test.each([
  ['GET', 'image', [302, 302, 302], 0],
  ['GET', 'iframe', [302, 302, 302], 0],
  ['HEAD', 'empty', [302, 302, 302], 0],
  ['GET', 'document', [302, 302, 429], 2],
  ['GET', undefined, [302, 302, 429], 2],
] as const)(
  'a callback that is asked for by %s as %s is a refused sign-in of its address, or not looked at',
  async (method, as, expected, looks) => {
    const limits = createLimits({
      settings: { ...defaultLimits, failed_sign_in: 2, sign_in: 10 },
      now: () => new Date(0),
      sleep: async () => {},
    });
    const app = Fastify();
    limitAnswers(app, timeLimits);
    app.setErrorHandler((error, _, reply) => reply.code(error instanceof HttpError ? error.status : 500).send());
    let looked = 0;
    app.get('/', limitSignIn(limits), async (_, reply) => {
      looked += 1;
      return reply.redirect('/login?error=state_mismatch');
    });

    const headers = as === undefined ? {} : { 'sec-fetch-dest': as };
    const statuses = [];
    for (const _ of expected) statuses.push((await app.inject({ method, url: '/', headers })).statusCode);
    expect([statuses, looked]).toEqual([expected, looks]);
    await app.close();
  },
);
