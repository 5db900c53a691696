import { expect, it } from 'vitest';
import {
  isMergeRateLow,
  mergeRateWarning,
  velocityMergeRate,
  velocityMessage,
  velocityWords,
  weekOverWeek,
} from './velocity.ts';

const week = (prs_opened: number, prs_merged = 0) => ({ prs_opened, prs_merged });

it('compares the last two weeks only', () => {
  expect(weekOverWeek([week(100), week(4), week(5)])).toBe(25);
  expect(weekOverWeek([week(0), week(2)])).toBe(100);
  expect(weekOverWeek([week(3)])).toBeNull();
});

it.each([
  [20.1, 'Excellent momentum'],
  [20, 'Good progress'],
  [0.1, 'Good progress'],
  [0, 'Relatively stable'],
  [-20, 'Relatively stable'],
  [-20.1, 'Velocity declining'],
  [null, null],
])('a change of %s percent reads %s', (change, message) => {
  expect(velocityMessage(change)).toBe(message);
});

it('warns of a merge rate below 70 percent of what was opened', () => {
  expect(velocityMergeRate([week(6, 3), week(4, 4)])).toBe(0.7);
  expect(velocityMergeRate([week(0, 3)])).toBeNull();
  expect(isMergeRateLow(0.7)).toBe(false);
  expect(isMergeRateLow(0.699)).toBe(true);
  expect(isMergeRateLow(null)).toBe(false);
  expect(mergeRateWarning(0.7)).toBeNull();
  expect(mergeRateWarning(0.699)).toBe('Merge rate below 70%');
  expect(mergeRateWarning(null)).toBeNull();
});

it('says nothing of weeks that are not all stored', () => {
  const weeks = [
    { week: '2026-11-08', ...week(4, 1) },
    { week: '2026-11-15', ...week(8, 1) },
  ];
  const compared = { from: '', history_begins: '2025-05-01T00:00:00Z', import_complete: true };

  expect(velocityWords(weeks, compared)).toMatchObject({
    message: 'Excellent momentum',
    warning: 'Merge rate below 70%',
  });
  expect(velocityWords(weeks, { ...compared, import_complete: false })).toEqual({
    message: null,
    mergeRate: null,
    warning: null,
  });
  expect(velocityWords(weeks, { ...compared, history_begins: '2026-11-10T00:00:00Z' }).message).toBeNull();
  expect(velocityWords(weeks.slice(1), compared).message).toBeNull();
});
