import { expect, test } from 'vitest';
import type { TeamComparison, TeamRow } from '#contract/teams.ts';
import { comparisonCsv } from './comparison-csv.ts';
import { comparedFigures, incomparableIn } from './figures.ts';

const against: Pick<TeamComparison, 'window' | 'compared_with'> = {
  window: { from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z' },
  compared_with: {
    from: '2026-05-02T00:00:00Z',
    history_begins: '2026-05-02T00:00:00Z',
    import_complete: true,
  },
};
const counted = { value: 12, trend: 140, before: 5 };
const measured = { ...counted, n: 5 };
const row: TeamRow = {
  ...{ team: { id: 1, name: 'Core', handle: '@acme/core' }, key: 'team', people_now: 3 },
  ...{ opened: counted, merged: counted, stuck: counted },
  ...{ time_to_first_review: measured, time_to_merge: measured, size: measured, rounds: measured },
  reviews_per_merged: measured,
};
/** Why each figure's change is not shown, of those that have a reason. */
const reasons = (of: typeof against, one = row) =>
  Object.fromEntries(
    comparedFigures.flatMap(({ key }) => {
      const reason = incomparableIn(of, one, key);
      return reason === null ? [] : [[key, reason.why]];
    }),
  );
/** The changes that the file has. */
const inFile = (of: typeof against, one = row) =>
  comparisonCsv(of).flatMap(({ name, value }) => (name.endsWith('_change_percent') ? [value(one)] : []));

test('a team whose earlier window is all there and holds five has its changes', () => {
  expect(reasons(against)).toEqual({});
  expect(inFile(against)).toEqual(Array(8).fill(140));
});

test('nothing is compared with a window that is not wholly imported', () => {
  const importing = { ...against, compared_with: { ...against.compared_with, import_complete: false } };

  expect(new Set(Object.values(reasons(importing)))).toEqual(new Set(['importing']));
  expect(Object.keys(reasons(importing))).toHaveLength(8);
  expect(inFile(importing)).toEqual(Array(8).fill(null));
});

test('nor with one before the history, but for what was stuck when the window began', () => {
  const young = (history_begins: string) => ({
    ...against,
    compared_with: { ...against.compared_with, history_begins },
  });
  const { stuck: _, ...others } = reasons(young('2026-06-01T00:00:01Z'));

  expect(reasons(young('2026-06-01T00:00:00Z'))).toEqual(others);
  expect(Object.values(others)).toEqual(Array(7).fill('history'));
  expect(reasons(young('2026-06-01T00:00:01Z'))).toHaveProperty('stuck', 'history');
});

test('nor where fewer than five are on either side of it', () => {
  const few = {
    ...row,
    opened: { ...counted, before: 4 },
    size: { ...measured, before: 4 },
    rounds: { ...measured, n: 4 },
  };

  expect(reasons(against, few)).toEqual({ opened: 'few', size: 'few', rounds: 'few' });
  expect(inFile(against, few)).toEqual([null, 140, 140, 140, null, null, 140, 140]);
});
