import { type RampTone, rampClass } from './ramp.tsx';
import classes from './stacked-columns.module.css';
import { spread } from './ticks.ts';

interface Props {
  /** From the bottom up. */
  readonly parts: readonly { readonly key: string; readonly name: string; readonly tone: RampTone }[];
  /** Oldest first; counts in the order of the parts. */
  readonly columns: readonly {
    readonly key: string;
    /** Below the column; undefined for none. */
    readonly label?: string | undefined;
    readonly counts: readonly number[];
    /** It isn't over. */
    readonly isRunning: boolean;
  }[];
  /** A count of a total in words. */
  readonly shareText: (count: number, total: number) => string;
}

/** Pixels of the plot, and between the labels at its end. */
const HEIGHT = 216;
const LABEL = 36;

const TICKS = [0, 25, 50, 75, 100];

/** Columns of 100 % each, divided into parts; the parts of the last one that holds anything are named at the right end, with share and count. */
export function StackedColumns({ parts, columns, shareText }: Props) {
  const last = columns.findLast(({ counts }) => totalOf(counts) > 0);
  const total = last === undefined ? 0 : totalOf(last.counts);
  const middles = parts.map((_, at) => {
    const below = (last?.counts ?? []).slice(0, at).reduce((sum, count) => sum + count, 0);
    const middle = total === 0 ? 0 : (below + (last?.counts[at] ?? 0) / 2) / total;
    // What is empty keeps its place in the order.
    return HEIGHT * (1 - middle) - LABEL / 2 - at / 100;
  });
  const tops = spread(middles, LABEL, HEIGHT - LABEL);
  return (
    <div className={classes.chart}>
      <div className={classes.ticks}>
        {TICKS.map((tick) => (
          <span key={tick} style={{ bottom: `${tick}%` }}>
            {tick}
          </span>
        ))}
      </div>
      <div className={classes.plot}>
        {columns.map(({ key, counts, isRunning }) => {
          const whole = totalOf(counts);
          return (
            <div key={key} className={`${classes.column} ${isRunning ? classes.running : ''}`}>
              {parts.map(({ key: part, tone }, at) => {
                const count = counts[at] ?? 0;
                return count === 0 ? null : (
                  <span key={part} className={rampClass(tone)} style={{ height: `${(100 * count) / whole}%` }} />
                );
              })}
            </div>
          );
        })}
      </div>
      <div className={classes.labels}>
        {last !== undefined &&
          parts.map(({ key, name }, at) => (
            <span key={key} className={classes.label} style={{ top: tops[at] }}>
              <b>{name}</b>
              <span>{shareText(last.counts[at] ?? 0, total)}</span>
            </span>
          ))}
      </div>
      <div className={classes.axis}>
        {columns.map(({ key, label, isRunning }) => (
          <span key={key} className={isRunning ? classes.now : undefined}>
            {label !== undefined && <span>{label}</span>}
          </span>
        ))}
      </div>
    </div>
  );
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
