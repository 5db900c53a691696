import classes from './bars.module.css';
import { roomFor } from './room-for.ts';

export type BarTone = 'chart-1' | 'chart-2';

interface Props {
  /** From top to bottom. */
  readonly rows: readonly {
    readonly label: string;
    readonly value: number;
    readonly tone: BarTone;
    /** What stands at the bar's end. */
    readonly text: string;
    /** Names the bar to whoever listens to presses on the drawing. */
    readonly part?: string | undefined;
    /** The bar of what it is compared with, grey and beneath. */
    readonly other?: { readonly value: number; readonly text: string; readonly part?: string | undefined } | undefined;
  }[];
}

/** Horizontal bars with a scale from 0, the value at each bar's end. Draws itself once, in 400 ms. */
export function Bars({ rows }: Props) {
  const largest = Math.max(Number.MIN_VALUE, ...rows.flatMap(({ value, other }) => [value, other?.value ?? 0]));
  const room = roomFor(
    rows.flatMap(({ text, other }) => [text, other?.text ?? '']),
    '3.5rem',
  );
  return (
    <div className={classes.bars}>
      {rows.map(({ label, value, tone, text, part, other }) => (
        <div key={label} className={classes.row}>
          <span className={classes.label}>{label}</span>
          <span className={classes.pair}>
            <Bar share={value / largest} tone={tone} thin={other !== undefined} {...{ text, room, part }} />
            {other && (
              <Bar
                share={other.value / largest}
                tone="reference"
                thin
                text={other.text}
                room={room}
                part={other.part}
              />
            )}
          </span>
        </div>
      ))}
    </div>
  );
}

interface BarProps {
  readonly share: number;
  readonly tone: BarTone | 'reference';
  readonly text: string;
  readonly thin: boolean;
  /** The width that is left to the text. */
  readonly room: string;
  readonly part: string | undefined;
}

function Bar({ share, tone, text, thin, room, part }: BarProps) {
  return (
    <span className={`${classes.track} ${thin ? classes.thin : ''}`} data-part={part}>
      <span
        className={classes.bar}
        style={{ width: `calc(${share} * (100% - ${room}))`, background: `var(--${tone})` }}
      />
      <span className={tone === 'reference' ? classes.quiet : classes.value}>{text}</span>
    </span>
  );
}
