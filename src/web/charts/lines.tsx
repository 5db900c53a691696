import classes from './lines.module.css';
import { spread, ticksFor } from './ticks.ts';

export type LineTone = 'chart-1' | 'chart-3';

interface Props {
  /** The words under the points, oldest first. */
  readonly labels: readonly string[];
  readonly lines: readonly {
    readonly name: string;
    /** One per label. */
    readonly values: readonly number[];
    readonly tone: LineTone;
    /** One per label: names the point to whoever listens to presses on the drawing. */
    readonly parts?: readonly (string | undefined)[];
    /** Stands at the line's end: "6 opened". */
    readonly end: string;
  }[];
  /** Dashed, horizontal, each with its words at its end. */
  readonly references?: readonly { readonly name: string; readonly value: number; readonly tone: LineTone }[];
  /** The value that the scale reaches at least, so that charts beside each other share one. */
  readonly highest?: number;
  /** How a value is written. */
  readonly format: (value: number) => string;
}

/** Pixels: the plot, the room above and below it for half a dot, and a label. */
const HEIGHT = 176;
const MARGIN = 6;
const LABEL = 16;

/**
 * Straight lines over evenly spaced points, each of which tells its values wherever its column is pointed at, with a scale from 0, dashed reference lines, and every name at the end of its line. Draws itself
 * once, in 1.5 s.
 */
export function Lines({ labels, lines, references = [], highest = 0, format }: Props) {
  const values = [...lines.flatMap((line) => line.values), ...references.map(({ value }) => value), highest];
  const ticks = ticksFor(Math.max(0, ...values));
  const top = ticks.at(-1) ?? 1;
  const y = (value: number) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value / top);
  const x = (at: number) => (labels.length < 2 ? 50 : 4 + (94 * at) / (labels.length - 1));
  const columnTip = (at: number) =>
    `${labels[at]}: ${lines.map(({ name, values: of }) => `${format(of[at] ?? 0)} ${name}`).join(', ')}`;
  const ends = [
    ...lines.map(({ values: of, tone, end }) => ({ words: end, tone, at: y(of.at(-1) ?? 0), strong: true })),
    ...references.map(({ name, value, tone }) => ({ words: name, tone, at: y(value), strong: false })),
  ];
  const places = spread(
    ends.map(({ at }) => at - LABEL / 2),
    LABEL,
    HEIGHT - LABEL,
  );
  return (
    <div className={classes.box}>
      <div className={classes.chart} style={{ gridTemplateRows: `${HEIGHT}px auto` }}>
        <div
          className={classes.ticks}
          style={{ minWidth: `${Math.max(...ticks.map((tick) => format(tick).length))}ch` }}
        >
          {ticks.map((tick) => (
            <span key={tick} style={{ top: y(tick) }}>
              {format(tick)}
            </span>
          ))}
        </div>
        <div className={classes.plot}>
          {ticks.map((tick) => (
            <span key={tick} className={classes.grid} style={{ top: y(tick) }} />
          ))}
          {references.map(({ name, value, tone }) => (
            <span key={name} className={`${classes.reference} ${classes[tone]}`} style={{ top: y(value) }} />
          ))}
          <div className={classes.drawing}>
            <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
              {lines.map(({ name, values: of, tone }) => (
                <polyline
                  key={name}
                  className={`${classes.line} ${classes[tone]}`}
                  points={of.map((value, at) => `${x(at).toFixed(2)},${y(value).toFixed(2)}`).join(' ')}
                />
              ))}
            </svg>
            {labels.map((label, at) => (
              <span
                key={label}
                className={classes.column}
                style={{ left: `${x(at)}%`, width: `${labels.length < 2 ? 100 : 94 / (labels.length - 1)}%` }}
                data-tip={columnTip(at)}
              />
            ))}
            {lines.map(({ name, values: of, tone, parts }) =>
              of.map((value, at) => (
                <span
                  key={`${name} ${labels[at]}`}
                  className={`${classes.dot} ${classes[tone]}`}
                  style={{ left: `${x(at)}%`, top: y(value) }}
                  data-tip={`${labels[at]}: ${format(value)} ${name}`}
                  data-part={parts?.[at]}
                />
              )),
            )}
          </div>
        </div>
        <div className={classes.ends}>
          {ends.map(({ words, tone, strong }, at) => (
            <span
              key={words}
              className={`${classes.end} ${classes[tone]} ${strong ? classes.strong : ''}`}
              style={{ transform: `translateY(${places[at]}px)` }}
            >
              {words}
            </span>
          ))}
        </div>
        <div className={classes.labels}>
          {labels.map((label, at) => (
            <span key={label} style={{ left: `${x(at)}%` }}>
              {label}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
