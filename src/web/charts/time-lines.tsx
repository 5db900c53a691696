import { type KeyboardEvent, useState } from 'react';
import { spread, ticksFor } from './ticks.ts';
import classes from './time-lines.module.css';

export interface TimeLine {
  readonly key: string;
  readonly name: string;
  /** One per label; null is a gap. */
  readonly values: readonly (number | null)[];
  /** How many things each value is over. */
  readonly counts: readonly number[];
}

interface Props {
  /** What each place in time is called, oldest first. */
  readonly labels: readonly string[];
  /** Those with most things first: the first three have a colour. */
  readonly lines: readonly TimeLine[];
  /** False where a place is not over, or not whole: the way there is dashed. */
  readonly complete: readonly boolean[];
  /** The usual range of a single line. */
  readonly band: { readonly from: number; readonly to: number } | null;
  /** Values over fewer things are drawn hollow. */
  readonly enough: number;
  readonly format: (value: number) => string;
  /** What the scale counts in: 24 of hours that are read as days. */
  readonly per: number;
}

/** Pixels: the plot, the room above and below it, and a name at a line's end. */
const HEIGHT = 304;
const MARGIN = 8;
const NAME = 20;
/** So many places have their words below the plot. */
const WORDS = 8;
const tones = ['first', 'second', 'third'] as const;

/** The colour of a line by its place among them. */
export function toneOf(at: number): (typeof tones)[number] | 'rest' {
  return tones[at] ?? 'rest';
}

/**
 * Lines over time from 0, with gaps where there is no value; every place tells its values when it is pointed at, or by the arrow keys.
 */
export function TimeLines({ labels, lines, complete, band, enough, format, per }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const ticks = ticksFor(Math.max(0, ...values, band?.to ?? 0) / per).map((tick) => tick * per);
  const top = ticks.at(-1) ?? 1;
  const y = (value: number) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value / top);
  const x = (place: number) => (labels.length < 2 ? 50 : 1 + (98 * place) / (labels.length - 1));
  const told = (place: number) =>
    [
      `${labels[place]}${complete[place] ? '' : ', not complete'}`,
      ...lines.map(({ name, values: of, counts }) => `${name}: ${textOf(of[place], format)}, n ${counts[place]}`),
    ].join('\n');
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setAt((before) => Math.min(labels.length - 1, Math.max(0, (before ?? labels.length) + by)));
  };
  const lastFull = complete.lastIndexOf(true);
  const ends = lines.map(({ key, name, values: of }, line) => ({
    key,
    tone: toneOf(line),
    words: lastFull < 0 ? name : `${name} ${textOf(of[lastFull], format)}`,
    at: y(of.findLast((value) => value !== null) ?? 0),
  }));
  const places = spread(
    ends.map((end) => end.at - NAME / 2),
    NAME,
    HEIGHT - NAME,
  );
  const step = Math.ceil(labels.length / WORDS);
  return (
    <div className={classes.box}>
      <div className={classes.ticks}>
        {ticks.map((tick) => (
          <span key={tick} style={{ top: y(tick) }}>
            {format(tick)}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a plot that keys move through is no form */}
      <div
        className={classes.plot}
        style={{ height: HEIGHT }}
        role="group"
        aria-label="Values by time: the arrow keys move through them"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are reached by keyboard
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => setAt(null)}
      >
        {ticks.map((tick) => (
          <span key={tick} className={classes.grid} style={{ top: y(tick) }} />
        ))}
        {band !== null && (
          <span className={classes.band} style={{ top: y(band.to), height: Math.max(1, y(band.from) - y(band.to)) }} />
        )}
        <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.toReversed().map(({ key, values: of }, back) => (
            <g key={key} className={`${classes.line} ${classes[toneOf(lines.length - 1 - back)]}`}>
              {of.map((value, place) => {
                const next = of[place + 1];
                if (value === null || next === undefined || next === null) return null;
                const dashed = !complete[place] || !complete[place + 1];
                return (
                  <line
                    key={labels[place]}
                    className={dashed ? classes.dashed : undefined}
                    x1={x(place)}
                    y1={y(value)}
                    x2={x(place + 1)}
                    y2={y(next)}
                  />
                );
              })}
            </g>
          ))}
        </svg>
        {lines.map(({ key, values: of, counts }, line) =>
          of.map((value, place) => {
            const alone = of[place - 1] == null && of[place + 1] == null;
            const few = (counts[place] ?? 0) < enough;
            if (value === null || !(alone || few || place === lastFull)) return null;
            return (
              <span
                key={`${key} ${labels[place]}`}
                className={`${classes.dot} ${classes[toneOf(line)]} ${few ? classes.hollow : ''}`}
                style={{ left: `${x(place)}%`, top: y(value) }}
              />
            );
          }),
        )}
        {labels.map((label, place) => (
          <span
            key={label}
            className={`${classes.column} ${place === at ? classes.current : ''}`}
            style={{ left: `${x(place)}%`, width: `${98 / Math.max(1, labels.length - 1)}%` }}
            data-tip={told(place)}
          />
        ))}
        <output className={classes.told}>{at === null ? '' : told(at)}</output>
      </div>
      <div className={classes.ends}>
        {ends.map(({ key, words, tone }, line) => (
          <span key={key} className={classes[tone]} style={{ top: places[line] }} title={words}>
            {words}
          </span>
        ))}
      </div>
      <div className={classes.labels}>
        {labels.map((label, place) =>
          (labels.length - 1 - place) % step === 0 ? (
            <span key={label} style={{ left: `${x(place)}%` }}>
              {label}
            </span>
          ) : null,
        )}
      </div>
    </div>
  );
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? 'N/A' : format(value);
}
