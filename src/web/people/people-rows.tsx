import { lazy, type ReactNode } from 'react';
import { part } from '../api/part.ts';
import { LazyPart } from '../kit/lazy-part.tsx';
import type { PeopleListing, PeopleRows } from '../table/data-table.tsx';
import { figureTip, PersonFigure } from './people-figures.tsx';
import type { PeopleInColumns } from './people-phone-list.tsx';

// Loading it late must not lose what kind of rows it takes.
const PeopleList = lazy(part(() => import('./people-phone-list.tsx'))) as unknown as <Row>(
  props: PeopleInColumns<Row> & PeopleListing<Row>,
) => ReactNode;

/** For a table in `PeopleFigures` whose rows are people: figures that explain themselves, and on a phone people with theirs in columns. */
export function peopleRows<Row>(people: PeopleInColumns<Row>): PeopleRows<Row> {
  return {
    figure: (column, row, labelId, first) =>
      column.figure && (
        <PersonFigure
          of={column.figure.metric}
          whose={people.who(row).username}
          labelId={labelId}
          tip={figureTip(column.figure, row)}
          first={first}
          bar={column.figure.bar?.(row)}
        >
          {column.cell(row)}
        </PersonFigure>
      ),
    list: (list) => {
      const height = `calc(3.625rem * ${list.rows?.length ?? list.expectedRows} + 2.875rem)`;
      return (
        <LazyPart fallback={<div style={{ height }} />}>
          <PeopleList {...people} {...list} />
        </LazyPart>
      );
    },
  };
}
