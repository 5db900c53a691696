import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import classes from './sparkline.module.css';

export interface SparkPoint {
  /** Null where there is nothing to measure: the line has a gap there. */
  readonly value: number | null;
  /** What pointing at it says: "Tue 3 Nov: 7.8 h". */
  readonly tip: string;
}

interface Props {
  /** Oldest first, evenly spaced. */
  readonly points: readonly SparkPoint[];
  /** The sentence that stands for the picture. */
  readonly label: string;
  /** The usual range, drawn as a band behind the line; null where there is none yet. Its line has no area below it. */
  readonly band?: Band | null;
  /** From where to where the picture goes, so that several can be compared; its own values unless said. */
  readonly scale?: Band;
  /** The last point runs still: the way to it is dashed, and the dot stands at the value before it. */
  readonly running?: boolean;
  /** How many of the first points are still to come: hatched, not a gap. */
  readonly missing?: number;
  /** What the values are called together, for a screen reader. */
  readonly group?: string;
  /** Inside a link, which is the keyboard's one stop. */
  readonly linked?: boolean;
}

interface Band {
  readonly from: number;
  readonly to: number;
}

const HEIGHT = 34;
/** Room for half the dot above and below. */
const MARGIN = 3;

/**
 * A line without axes, 34 px high, with a dot at its latest value. Fewer than two values draw no line. Each value is told where it is
 * pointed at; the keyboard stops once, at the latest, and goes from there by the arrow keys, Home and End. Inside a link its name is the link's.
 */
export function Sparkline({
  points,
  label,
  band,
  scale,
  running = false,
  missing = 0,
  group = 'Each day’s value',
  linked = false,
}: Props) {
  const known = points.flatMap(({ value }, at) => (value === null ? [] : [{ at, value }]));
  const values = [
    ...known.map(({ value }) => value),
    ...(band ? [band.from, band.to] : []),
    ...(scale ? [scale.from, scale.to] : []),
  ];
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const x = (at: number) => (points.length < 2 ? 100 : (100 * at) / (points.length - 1));
  const y = (value: number) => (span === 0 ? HEIGHT / 2 : MARGIN + (HEIGHT - 2 * MARGIN) * (1 - (value - low) / span));
  const latest = points.length - 1;
  const over = running ? known.filter(({ at }) => at < latest) : known;
  const way = running ? known.filter(({ at }) => at >= latest - 1) : [];
  const first = known[0];
  const last = over.at(-1) ?? first;
  const place = ({ at, value }: Known) => `${x(at).toFixed(2)},${y(value).toFixed(2)}`;
  return (
    <div className={classes.sparkline}>
      <div {...(linked ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}>
        {band && (
          <span
            className={classes.band}
            style={{ top: y(band.to) - 1, height: Math.max(2, y(band.from) - y(band.to) + 2) }}
          />
        )}
        {missing > 0 && <span className={classes.missing} style={{ width: `${Math.min(100, x(missing - 0.5))}%` }} />}
        {first !== undefined && last !== undefined && (
          <>
            <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
              {runsOf(over).map((run) => {
                const line = run.map(place).join(' ');
                const [from = last, to = from] = [run[0], run.at(-1)];
                return (
                  <g key={from.at}>
                    {band === undefined && (
                      <polygon
                        className={classes.area}
                        points={`${x(from.at)},${HEIGHT} ${line} ${x(to.at)},${HEIGHT}`}
                      />
                    )}
                    {/* A value between two gaps is a line without a length, which is drawn as a dot. */}
                    <polyline className={classes.line} points={from === to ? `${line} ${line}` : line} />
                  </g>
                );
              })}
              {way.length > 0 && (
                <polyline
                  className={`${classes.line} ${way.length > 1 ? classes.running : ''}`}
                  points={[...way, ...way.slice(-1)].map(place).join(' ')}
                />
              )}
            </svg>
            <span className={classes.dot} style={{ left: `${x(last.at)}%`, top: y(last.value) }} />
          </>
        )}
      </div>
      {first !== undefined &&
        (linked ? (
          <span className={classes.days} aria-hidden="true">
            {points.map(({ tip }) => (
              <span key={tip} data-tip={tip} />
            ))}
          </span>
        ) : (
          <Days points={points} group={group} />
        ))}
    </div>
  );
}

interface Known {
  /** Its place in the row. */
  readonly at: number;
  readonly value: number;
}

/** The values without a gap between them. */
function runsOf(known: readonly Known[]): Known[][] {
  const runs: Known[][] = [];
  for (const point of known) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.at === point.at - 1) run.push(point);
    else runs.push([point]);
  }
  return runs;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** The points' places side by side; one of them at a time is reached by the Tab key. */
function Days({ points, group }: Pick<Props, 'points' | 'group'>) {
  const latest = points.length - 1;
  const row = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const stop = Math.min(chosen ?? latest, latest);
  useEffect(() => {
    const place = chosen === null ? undefined : row.current?.children[chosen];
    if (place instanceof HTMLElement) place.focus();
  }, [chosen]);
  // Not the kit's useRovingIndex: it would take Alt and an arrow, the way back in history, for a step.
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setChosen(Math.min(Math.max(stop + step, 0), latest));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div ref={row} className={classes.days} role="group" aria-label={group} onKeyDown={onKeyDown}>
      {points.map(({ tip }, at) => (
        <span
          key={tip}
          role="img"
          aria-label={tip}
          aria-hidden={at !== stop}
          tabIndex={at === stop ? 0 : -1}
          data-tip={tip}
        />
      ))}
    </div>
  );
}
