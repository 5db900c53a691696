import { expect, test } from 'vitest';
import { throttled } from './throttle.ts';

test('a key that comes often is acted for at once and once more a minute later, and others do not wait for it', async () => {
  const acted: string[] = [];
  const ends: (() => void)[] = [];
  const sleep = async () => await new Promise<void>((resolve) => void ends.push(resolve));
  const closing = new AbortController();
  const run = throttled(async (key: string) => void acted.push(key), {
    ...{ milliseconds: 60_000, sleep, signal: closing.signal },
  });
  const minuteOver = async () => {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  };

  for (const key of ['ada', 'ada', 'ben', 'ada']) await run(key);
  expect(acted).toEqual(['ada', 'ben']);
  await minuteOver();
  expect(acted).toEqual(['ada', 'ben', 'ada']);
  // Nothing came since, of either.
  await minuteOver();
  expect(acted).toEqual(['ada', 'ben', 'ada']);
  await run('ada');
  await run('ada');
  closing.abort();
  await minuteOver();
  expect(acted).toEqual(['ada', 'ben', 'ada', 'ada']);
});
