import classes from './donut.module.css';

interface Props {
  /** Clockwise from the top; lengths in any one unit. */
  readonly parts: readonly { readonly name: string; readonly value: number; readonly tone: 'chart-1' | 'reference' }[];
  /** In the middle: the figure and what it counts. */
  readonly figure: string;
  readonly unit: string;
}

const RADIUS = 40;
/** Of 100. */
const GAP = 1;

/** Parts of a whole as a ring, the whole in its middle. */
export function Donut({ parts, figure, unit }: Props) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  const shown = parts.filter(({ value }) => value > 0);
  const gap = shown.length > 1 ? GAP : 0;
  let start = 0;
  return (
    <svg viewBox="0 0 100 100" className={classes.donut} aria-hidden="true">
      <circle cx="50" cy="50" r={RADIUS} className={classes.track} />
      {shown.map(({ name, value, tone }) => {
        const length = (100 * value) / whole;
        const from = start;
        start += length;
        return (
          <circle
            key={name}
            cx="50"
            cy="50"
            r={RADIUS}
            className={classes.part}
            pathLength={100}
            stroke={`var(--${tone})`}
            strokeDasharray={`${Math.max(0.5, length - gap)} 100`}
            strokeDashoffset={-from}
            transform="rotate(-90 50 50)"
          />
        );
      })}
      <text x="50" y="50" className={classes.figure}>
        {figure}
      </text>
      <text x="50" y="62" className={classes.unit}>
        {unit}
      </text>
    </svg>
  );
}
