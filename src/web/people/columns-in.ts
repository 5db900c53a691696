import { definitionsOfTheTeam } from '#domain/metrics/team.ts';
import type { Column } from '../table/data-table.tsx';
import { inWindow, tipOf } from './people-figures.tsx';

/** The tooltip of a column's head; `window` in words, where another one than the figure's own was chosen. */
export const columnTip = (key: keyof typeof definitionsOfTheTeam, window?: string) =>
  tipOf(inWindow(definitionsOfTheTeam[key], window));
/** Columns whose figures are over a chosen window, in words. */
export function columnsIn<Row>(columns: readonly Column<Row>[], window: string): Column<Row>[] {
  return columns.map((column) =>
    column.figure === undefined
      ? column
      : { ...column, tip: columnTip(column.figure.metric, window), figure: { ...column.figure, window } },
  );
}
