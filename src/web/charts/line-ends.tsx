import classes from './line-ends.module.css';
import type { LineTone } from './line-tones.ts';
import { spread } from './ticks.ts';
import type { Pointed, TimeLine } from './time-plot.tsx';

/** Pixels from one name to the next, which are pressed. */
const NAME = 24;

interface Props {
  readonly lines: readonly TimeLine[];
  /** What stands at each line's name: its last full value; text 3 where it is over few. */
  readonly values: readonly { readonly words: string; readonly isFew: boolean }[];
  /** In pixels from the top, where each line ends. */
  readonly ends: readonly number[];
  readonly height: number;
  readonly pointed: Pointed;
  readonly onPoint: (pointed: Pointed) => void;
  readonly onPin: (key: string) => void;
}

/** Every line's name and value at its end, tied to it by a hairline; one is lifted while it is pointed at, and pinned by a press. */
export function LineEnds({ lines, values, ends, height, pointed, onPoint, onPin }: Props) {
  const places = spread(
    ends.map((end) => end - NAME / 2),
    NAME,
    height - NAME / 2,
  );
  return (
    <div className={classes.ends}>
      <svg width="16" height={height} aria-hidden="true">
        {ends.map((end, at) => (
          <line key={lines[at]!.key} x1={1} y1={end} x2={15} y2={places[at]! + NAME / 2} />
        ))}
      </svg>
      {orderOf(ends).map((at) => {
        const { key, name, tone, pinned } = lines[at]!;
        const { words, isFew } = values[at]!;
        const lift = () => onPoint({ at: pointed.at, line: key });
        const drop = () => onPoint({ at: pointed.at, line: null });
        return (
          <button
            key={key}
            type="button"
            data-on-paper
            className={`${classes.end} ${classes[tone]} ${pointed.line !== null && pointed.line !== key ? classes.faded : ''}`}
            style={{ top: places[at]! }}
            aria-pressed={pinned}
            title={name}
            onPointerEnter={lift}
            onPointerLeave={drop}
            onFocus={lift}
            onBlur={drop}
            onClick={() => onPin(key)}
          >
            <span className={classes.name}>{name}</span>
            <span className={isFew ? classes.few : classes.value}>{words}</span>
          </button>
        );
      })}
    </div>
  );
}

/** The places of lines by where they end, from the top down. */
function orderOf(ends: readonly number[]): number[] {
  return ends.map((_, at) => at).sort((a, b) => ends[a]! - ends[b]! || a - b);
}

/** The short piece of a line beside its name. */
export function Swatch({ tone }: { readonly tone: LineTone }) {
  return <span className={`${classes.swatch} ${classes[tone]}`} />;
}
