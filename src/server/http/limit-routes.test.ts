import Fastify from 'fastify';
import { expect, test } from 'vitest';
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
