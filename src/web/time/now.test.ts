import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen, read } from './now.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the present moves on every half minute while anybody listens', () => {
  const told = vi.fn();
  const stop = listen(told);
  const before = read();
  vi.advanceTimersByTime(60_000);

  expect(read() - before).toBe(60_000);
  expect(told).toHaveBeenCalledTimes(2);
  stop();
});

it('the present is that of the clock also after a time in which nobody listened', () => {
  listen(() => {})();
  vi.advanceTimersByTime(3_600_000);
  const stop = listen(() => {});

  expect(read()).toBe(Date.now());
  stop();
});
