import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import type { LineTone } from './line-tones.ts';
import classes from './time-plot.module.css';
import { dotsOf, pathsOf, placeAt, type TimeScale } from './time-scale.ts';

export interface TimeLine {
  readonly key: string;
  readonly name: string;
  readonly tone: LineTone;
  /** It stays lifted. */
  readonly pinned: boolean;
  /** One per place; null is a gap. */
  readonly values: readonly (number | null)[];
  /** How many things each value is over. */
  readonly counts: readonly number[];
}

/** The usual range of one line, from a place to another. */
export interface Band {
  readonly tone: LineTone;
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
}

/** What is pointed at: a place of the axis and a line. */
export interface Pointed {
  readonly at: number | null;
  /** The key of a line. */
  readonly line: string | null;
}

export interface TimePlotProps {
  /** One sentence for whoever does not see the drawing. */
  readonly summary: string;
  /** What each place in time is called, oldest first. */
  readonly labels: readonly string[];
  /** The words below the plot. */
  readonly axis: readonly { readonly place: number; readonly words: string; readonly strong?: boolean }[];
  readonly lines: readonly TimeLine[];
  /** The places of lines from the top down, as their names stand. */
  readonly order: readonly number[];
  /** False where a place is not over, or not whole: the way there is dashed. */
  readonly complete: readonly boolean[];
  /** The last place runs still: it stands over a sunken column. */
  readonly isRunning: boolean;
  readonly band: Band | null;
  /** Values over fewer things are drawn hollow. */
  readonly enough: number;
  readonly scale: TimeScale;
  readonly tick: (value: number) => string;
  /** Above the ticks. */
  readonly unit: string;
  readonly format: (value: number) => string;
  /** Of the plot, in pixels. */
  readonly height: number;
  /** Where upright lines stand, each place once; between two places, too. */
  readonly marks: readonly number[];
  readonly pointed: Pointed;
  readonly onPoint: (pointed: Pointed) => void;
  /** A line is pressed where it has no point, or its name is. */
  readonly onPin?: ((key: string) => void) | undefined;
  /** A point is pressed, or Enter at it; the plot has the focus before and after. */
  readonly onOpen?: ((line: number, place: number, plot: HTMLElement) => void) | undefined;
  /** Stands over the plot, e.g. what a press opened. */
  readonly children?: ReactNode;
  /** Above and beside the plot. */
  readonly above?: ReactNode;
  readonly beside?: ReactNode;
}

/** Pixels within which the pointer is at a line, or at a point. */
const NEAR = 14;
/** Above so many places dots are smaller. */
const MANY = 60;
const NOTHING_POINTED: Pointed = { at: null, line: null };

/**
 * Lines over time from 0: one image with a sentence. The pointer finds the nearest place and line; by keyboard left and right go through the
 * places, up and down through the lines, Enter opens the point.
 */
export function TimePlot(props: TimePlotProps) {
  const { summary, labels, axis, lines, order, complete, isRunning, band, enough, scale, height, marks } = props;
  const { tick, unit, pointed, onPoint, onPin, onOpen, children, above, beside } = props;
  const [byKeys, setByKeys] = useState(false);
  const { x, y } = scale;
  const lastFull = complete.lastIndexOf(true);
  const isDense = labels.length > MANY;
  const isFaded = (key: string) => pointed.line !== null && pointed.line !== key;

  const lineNear = (event: MouseEvent, place: number): { line: number; isAtPoint: boolean } | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    const exact = (left / box.width) * 100;
    const from = x(place) > exact && place > 0 ? place - 1 : place;
    const next = Math.min(labels.length - 1, from + 1);
    const share = next === from ? 0 : (exact - x(from)) / (x(next) - x(from));
    const found = lines.flatMap(({ values }, line) => {
      const [one, other] = [values[from] ?? null, values[next] ?? null];
      const here = values[place] ?? null;
      const isAtPoint = here !== null && Math.hypot(left - (x(place) / 100) * box.width, top - y(here)) <= NEAR;
      const between = one === null || other === null ? here : one + (other - one) * share;
      if (between === null) return [];
      return [{ line, isAtPoint, away: Math.abs(top - y(between)) }];
    });
    const nearest = found.toSorted((a, b) => a.away - b.away)[0];
    return nearest !== undefined && (nearest.away <= NEAR || nearest.isAtPoint) ? nearest : null;
  };
  const placeUnder = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return placeAt((event.clientX - box.left) / box.width, labels.length);
  };
  const point = (event: MouseEvent) => {
    const at = placeUnder(event);
    const near = lineNear(event, at);
    setByKeys(false);
    onPoint({ at, line: near === null ? null : lines[near.line]!.key });
  };
  const press = (event: MouseEvent) => {
    const at = placeUnder(event);
    const near = lineNear(event, at);
    // On touch there is no hover: the first tap shows the values, the next one opens the point.
    const isTouch = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch';
    const wasHere = pointed.at === at;
    if (isTouch) point(event);
    if (near === null || (isTouch && !wasHere)) return;
    if (near.isAtPoint) onOpen?.(near.line, at, event.currentTarget as HTMLElement);
    else onPin?.(lines[near.line]!.key);
  };
  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { at } = pointed;
    const last = labels.length - 1;
    const byPlace = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    const byLine = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const chosen = order.findIndex((line) => lines[line]!.key === pointed.line);
    if (byPlace !== undefined) {
      const to = at === null ? last : Math.min(last, Math.max(0, at + byPlace));
      onPoint({ at: to, line: pointed.line });
    } else if (byLine !== undefined) {
      const first = byLine > 0 ? 0 : order.length - 1;
      const to = chosen < 0 ? first : Math.min(order.length - 1, Math.max(0, chosen + byLine));
      onPoint({ at: at ?? last, line: lines[order[to] ?? 0]?.key ?? null });
    } else if (event.key === 'Enter' && at !== null) {
      onOpen?.(order[Math.max(0, chosen)] ?? 0, at, event.currentTarget as HTMLElement);
    } else if (event.key === 'Escape' && at !== null) {
      onPoint(NOTHING_POINTED);
    } else return;
    setByKeys(true);
    event.preventDefault();
  };

  return (
    <div className={classes.box}>
      {above !== undefined && <div className={classes.above}>{above}</div>}
      <div className={classes.ticks} style={{ height }} aria-hidden="true">
        {unit !== '' && <span className={classes.unit}>{unit}</span>}
        {scale.ticks.map((value) => (
          <span key={value} style={{ top: y(value) }}>
            {tick(value)}
          </span>
        ))}
      </div>
      <div className={classes.plot} style={{ height }}>
        <div role="img" aria-label={summary} className={classes.drawing}>
          {isRunning && <span className={classes.running} style={{ width: `min(${2 * scale.half}%, 1.5rem)` }} />}
          {scale.ticks.map((value) => (
            <span key={value} className={classes.grid} style={{ top: y(value) }} />
          ))}
          {band !== null && (
            <span
              className={`${classes.band} ${classes[band.tone]}`}
              style={{
                left: `${x(band.first)}%`,
                width: `${x(band.last) - x(band.first)}%`,
                ...extentOf(band, scale),
              }}
            />
          )}
          {marks.map((place) => (
            <span key={place} className={classes.mark} style={{ left: `${x(place)}%` }} />
          ))}
          {pointed.at !== null && <span className={classes.pointer} style={{ left: `${x(pointed.at)}%` }} />}
          <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {lines.toReversed().map(({ key, tone, pinned, values }) => {
              const { solid, dashed } = pathsOf(values, complete, scale);
              const lifted = pinned || pointed.line === key ? classes.lifted : '';
              return (
                <g
                  key={key}
                  className={`${classes.line} ${classes[tone]} ${lifted} ${isFaded(key) ? classes.faded : ''}`}
                >
                  <path d={solid} />
                  <path d={dashed} className={classes.dashed} />
                </g>
              );
            })}
          </svg>
          {lines
            .toReversed()
            .map(({ key, tone, values, counts }) =>
              dotsOf(values, counts, enough, lastFull).map(({ place, value, hollow }) => (
                <span
                  key={`${key} ${place}`}
                  className={`${classes.dot} ${classes[tone]} ${isDense ? classes.small : ''} ${hollow ? classes.hollow : ''} ${isFaded(key) ? classes.faded : ''}`}
                  style={{ left: `${x(place)}%`, top: y(value) }}
                />
              )),
            )}
          {pointed.at !== null &&
            lines.map(({ key, tone, values }) => {
              const value = values[pointed.at!];
              return value == null || isFaded(key) ? null : (
                <span
                  key={key}
                  className={`${classes.dot} ${classes[tone]} ${classes.at}`}
                  style={{ left: `${x(pointed.at!)}%`, top: y(value) }}
                />
              );
            })}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a plot that keys move through is no form */}
        <div
          className={classes.points}
          role="group"
          aria-label="Each value: left and right by time, up and down by line, Enter for what is behind it"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are reached by keyboard
          tabIndex={0}
          onKeyDown={move}
          onPointerMove={(event) => {
            // What moves under a resting pointer does not take the place that keys have chosen.
            const isResting = byKeys && event.movementX === 0 && event.movementY === 0;
            if (event.pointerType === 'mouse' && !isResting) point(event);
          }}
          onPointerLeave={(event) => event.pointerType === 'mouse' && !byKeys && onPoint(NOTHING_POINTED)}
          onClick={press}
          onBlur={() => onPoint(NOTHING_POINTED)}
        >
          <VisuallyHidden role="status">{byKeys ? spoken(props) : ''}</VisuallyHidden>
        </div>
        {pointed.at !== null && <Told {...props} at={pointed.at} />}
        {children}
      </div>
      {beside !== undefined && <div className={classes.beside}>{beside}</div>}
      <div className={classes.axis} aria-hidden="true">
        {axis.map(({ place, words, strong }) => (
          <span key={place} {...(strong ? { className: classes.strong } : { style: { left: `${x(place)}%` } })}>
            {words}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The values of a place, in the order of the names at the end. */
function Told({ labels, lines, order, scale, format, pointed, at }: TimePlotProps & { readonly at: number }) {
  const isLeft = scale.x(at) > 55;
  return (
    <div
      className={`${classes.told} ${isLeft ? classes.left : ''}`}
      style={isLeft ? { right: `calc(${100 - scale.x(at)}% + 0.75rem)` } : { left: `calc(${scale.x(at)}% + 0.75rem)` }}
      aria-hidden="true"
    >
      <strong>{labels[at]}</strong>
      {order.map((place) => {
        const { key, name, tone, values, counts } = lines[place]!;
        return (
          <div key={key} className={pointed.line === key ? classes.chosen : undefined}>
            <span className={`${classes.swatch} ${classes[tone]}`} />
            <span className={classes.name}>{name}</span>
            <span>{textOf(values[at], format)}</span>
            <span className={classes.count}>n {counts[at]?.toLocaleString('en')}</span>
          </div>
        );
      })}
    </div>
  );
}

function spoken({ labels, lines, order, format, pointed: { at, line } }: TimePlotProps): string {
  if (at === null) return '';
  const told = order.flatMap((place) => {
    const { key, name, values, counts } = lines[place]!;
    return line === null || key === line
      ? [`${name}: ${textOf(values[at], format)}, n ${counts[at]?.toLocaleString('en')}`]
      : [];
  });
  return [labels[at], ...told].join('\n');
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? 'N/A' : format(value);
}

/** Where a band stands in the plot, in pixels from its top: a range of other times may reach beyond what is drawn here. */
function extentOf({ from, to }: Band, { y, ticks }: TimeScale): { readonly top: number; readonly height: number } {
  const highest = y(ticks.at(-1)!);
  const top = Math.max(highest, y(to));
  return { top, height: Math.max(2, y(from) - top) };
}
