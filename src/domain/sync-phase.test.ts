import { expect, it } from 'vitest';
import { isRateLimitLow, syncPhaseMessage } from './sync-phase.ts';

it.each([
  ['starting', 'Initializing sync...'],
  ['fetching_prs', 'Fetching pull requests...'],
  ['fetching_reviews', 'Fetching reviews...'],
  ['processing_data', 'Processing data...'],
  ['completed', 'Sync completed'],
  ['error', 'Sync failed'],
  ['anything else', 'Syncing...'],
  ['toString', 'Syncing...'],
])('in the phase %s a sync says %s', (phase, message) => {
  expect(syncPhaseMessage(phase)).toBe(message);
});

it('a rate limit is low below 100 requests', () => {
  expect(isRateLimitLow(100)).toBe(false);
  expect(isRateLimitLow(99)).toBe(true);
});
