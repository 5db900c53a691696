import classes from './named-bars.module.css';
import { roomFor } from './room-for.ts';

export interface NamedBar {
  readonly name: string;
  /** From 0. */
  readonly value: number;
  /** The value as printed at the bar's end. */
  readonly text: string;
  /** The one that the others are compared with is coloured, the others are grey. */
  readonly isThis: boolean;
  /** Names the bar to whoever listens to presses on the drawing. */
  readonly part?: string | undefined;
}

interface Props {
  readonly bars: readonly NamedBar[];
  /** 10 px instead of 20. */
  readonly thin?: boolean;
}

/** Horizontal bars from 0 to the largest value, their names at the left and their values at their ends. */
export function NamedBars({ bars, thin = false }: Props) {
  const largest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const room = roomFor(
    bars.map(({ text }) => text),
    '5.5rem',
  );
  return (
    <div className={thin ? classes.thin : classes.bars}>
      {bars.map(({ name, value, text, isThis, part }) => (
        <div key={name} className={`${classes.row} ${isThis ? classes.this : ''}`}>
          <span className={classes.name}>{name}</span>
          <span className={classes.track} data-part={part}>
            <span className={classes.bar} style={{ width: `calc(${value / largest} * (100% - ${room}))` }} />
            <span className={classes.value}>{text}</span>
          </span>
        </div>
      ))}
    </div>
  );
}
