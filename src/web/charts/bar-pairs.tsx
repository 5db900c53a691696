import classes from './bar-pairs.module.css';
import { roomFor } from './room-for.ts';

interface Props {
  /** The names of the two series. */
  readonly series: readonly [string, string];
  /** From top to bottom; each with one value per series, from 0. */
  readonly rows: readonly {
    readonly key: string;
    readonly label: string;
    readonly values: readonly [number, number];
    /** What each value's bar carries as its `data-part`. */
    readonly parts?: readonly [string, string];
  }[];
  /** How a value is written. */
  readonly format: (value: number) => string;
}

/**
 * Horizontal bars in pairs, 55 px per row, the value at each bar's end and the names on the vertical axis. The scale starts at 0 and ends
 * at the largest value. Draws itself once, in 400 ms.
 */
export function BarPairs({ series, rows, format }: Props) {
  const largest = Math.max(1, ...rows.flatMap(({ values }) => values));
  const room = roomFor(
    rows.flatMap(({ values }) => values.map(format)),
    '3rem',
  );
  return (
    <div className={classes.chart}>
      {rows.map(({ key, label, values, parts }) => (
        <div key={key} className={classes.row}>
          <span className={classes.label} title={label} dir="auto">
            {label}
          </span>
          <span className={classes.bars}>
            {values.map((value, at) => (
              <span key={series[at]} className={classes.track}>
                <span
                  className={`${classes.bar} ${at === 0 ? classes.first : classes.second}`}
                  style={{ width: `calc(${value / largest} * (100% - ${room}))` }}
                  data-part={parts?.[at]}
                />
                <span className={at === 0 ? classes.value : classes.quiet} data-part={parts?.[at]}>
                  {format(value)}
                </span>
              </span>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}

/** The key of the two series, for the head of the card. */
export function BarPairsKey({ series }: Pick<Props, 'series'>) {
  return (
    <span className={classes.key}>
      {series.map((name, at) => (
        <span key={name}>
          <span className={`${classes.swatch} ${at === 0 ? classes.first : classes.second}`} />
          {name}
        </span>
      ))}
    </span>
  );
}
