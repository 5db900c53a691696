import { expect, test } from 'vitest';
import { sleep } from './sleep.ts';

const FOR_EVER = 2 ** 31 - 1;

test('a signal wakes whoever sleeps, also one that was aborted before', async () => {
  const signal = new AbortController();
  const asleep = sleep(FOR_EVER, signal.signal);
  signal.abort();

  await expect(asleep).resolves.toBeUndefined();
  await expect(sleep(FOR_EVER, signal.signal)).resolves.toBeUndefined();
});
