import classes from './heat-grid.module.css';

export type HeatLevel = 0 | 1 | 2 | 3 | 4;

export interface HeatCell {
  /** From 0. */
  readonly row: number;
  readonly column: number;
  readonly level: HeatLevel;
  /** What pointing at it says. */
  readonly tip: string;
  /** Names the cell to whoever listens to presses on the drawing. */
  readonly part?: string | undefined;
}

interface Props {
  /** From top to bottom; an empty word leaves the row unnamed. */
  readonly rows: readonly string[];
  /** From left to right; an empty word leaves the column unnamed. */
  readonly columns: readonly string[];
  readonly columnsAt: 'top' | 'bottom';
  readonly cells: readonly HeatCell[];
}

/** Squares of up to 19 px whose colour, in five steps, says how much there was. A place without a cell stays empty. */
export function HeatGrid({ rows, columns, columnsAt, cells }: Props) {
  const firstRow = columnsAt === 'top' ? 2 : 1;
  const crowded = columns.every((word) => word !== '');
  return (
    <div className={classes.box}>
      <div
        className={`${classes.grid} ${crowded ? classes.crowded : ''}`}
        style={{ gridTemplateColumns: `max-content repeat(${columns.length}, minmax(0, 1.1875rem))` }}
      >
        {columns.map((word, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={at}
            className={`${classes.column} ${crowded && at % 3 !== 0 ? classes.minor : ''}`}
            style={{ gridArea: `${columnsAt === 'top' ? 1 : rows.length + 1} / ${at + 2}` }}
          >
            {word}
          </span>
        ))}
        {rows.map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <span key={at} className={classes.row} style={{ gridArea: `${at + firstRow} / 1` }}>
            {word}
          </span>
        ))}
        {cells.map(({ row, column, level, tip, part }) => (
          <span
            key={`${row} ${column}`}
            className={classes.cell}
            data-level={level}
            data-tip={tip}
            data-part={part}
            style={{ gridArea: `${row + firstRow} / ${column + 2}`, background: `var(--heat-${level})` }}
          />
        ))}
      </div>
    </div>
  );
}

/** The key of a heat grid: Less, five squares, More. */
export function HeatKey() {
  return (
    <span className={classes.key}>
      Less
      {[0, 1, 2, 3, 4].map((level) => (
        <span key={level} style={{ background: `var(--heat-${level})` }} />
      ))}
      More
    </span>
  );
}
