import type { TeamRow } from '#contract/teams.ts';
import type { CsvColumn } from '../../table/csv.ts';
import { type Against, comparedFigures, countOf, incomparableIn } from './figures.ts';

/** The comparison as a file: each figure with its count and its change in percent, where that is shown. */
export const comparisonCsv = (against: Against): readonly CsvColumn<TeamRow>[] => [
  {
    name: 'team',
    value: ({ key, team }) => team?.name ?? (key === 'scope' ? 'Everything' : 'Nobody’s team'),
  },
  { name: 'handle', value: ({ team }) => team?.handle ?? null },
  { name: 'people_now', value: ({ people_now }) => people_now },
  ...comparedFigures.flatMap(({ key }): CsvColumn<TeamRow>[] => [
    { name: key, value: (row) => row[key].value },
    ...(key === 'opened' || key === 'merged' || key === 'stuck'
      ? []
      : [{ name: `${key}_n`, value: (row: TeamRow) => countOf(row, key) }]),
    {
      name: `${key}_change_percent`,
      value: (row) => (incomparableIn(against, row, key) === null ? row[key].trend : null),
    },
  ]),
];
