import classes from './sparkline.module.css';

export interface SparkPoint {
  /** Null where there is nothing to measure; the line runs on to the next value. */
  readonly value: number | null;
  /** What pointing at it says: "Tue 3 Nov: 7.8 h". */
  readonly tip: string;
}

interface Props {
  /** Oldest first, evenly spaced. */
  readonly points: readonly SparkPoint[];
  /** The sentence that stands for the picture. */
  readonly label: string;
}

const HEIGHT = 34;
/** Room for half the dot above and below. */
const MARGIN = 3;

/** A line without axes, 34 px high, with a dot at its latest value. Fewer than two values draw no line. */
export function Sparkline({ points, label }: Props) {
  const known = points.flatMap(({ value }, at) => (value === null ? [] : [{ at, value }]));
  const values = known.map(({ value }) => value);
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const x = (at: number) => (points.length < 2 ? 100 : (100 * at) / (points.length - 1));
  const y = (value: number) => (span === 0 ? HEIGHT / 2 : MARGIN + (HEIGHT - 2 * MARGIN) * (1 - (value - low) / span));
  const line = known.map(({ at, value }) => `${x(at).toFixed(2)},${y(value).toFixed(2)}`).join(' ');
  const first = known[0];
  const last = known.at(-1);
  return (
    <div className={classes.sparkline} role="img" aria-label={label}>
      {first !== undefined && last !== undefined && (
        <>
          <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <polygon className={classes.area} points={`${x(first.at)},${HEIGHT} ${line} ${x(last.at)},${HEIGHT}`} />
            <polyline className={classes.line} points={line} />
          </svg>
          <span className={classes.dot} style={{ left: `${x(last.at)}%`, top: y(last.value) }} />
        </>
      )}
      <span className={classes.days} aria-hidden="true">
        {points.map(({ tip }) => (
          <span key={tip} data-tip={tip} />
        ))}
      </span>
    </div>
  );
}
