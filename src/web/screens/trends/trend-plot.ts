import type { Trend } from '#contract/trends.ts';
import { counted } from '#domain/counted.ts';
import { ENOUGH_FOR_A_POINT } from '#domain/trends.ts';
import { type LineTone, tonesOf } from '../../charts/line-tones.ts';
import type { Band, Pointed, TimeLine, TimePlotProps } from '../../charts/time-plot.tsx';
import { timeScale } from '../../charts/time-scale.ts';
import type { Happening } from './happenings.ts';
import type { TrendsSearch } from './search.ts';
import {
  aggregateWords,
  incompleteWords,
  isRunning,
  rangeWords,
  readingWords,
  runningWords,
  scaleWords,
  splitWords,
  startWords,
  valueText,
} from './words.ts';

/** With fewer points no usual range is drawn. */
const FEW_POINTS = 8;
/** So many full points before the last one make its usual range. */
const USUAL = 26;

export interface PlotInput {
  readonly trend: Trend;
  readonly name: string;
  readonly search: TrendsSearch;
  /** yyyy-MM-dd, on the viewer's clocks. */
  readonly today: string;
  readonly height: number;
  /** Of the plot in pixels, about. */
  readonly width: number;
  readonly pointed: Pointed;
  readonly happenings: readonly Happening[];
}

type Plot = Pick<
  TimePlotProps,
  | 'summary'
  | 'labels'
  | 'axis'
  | 'lines'
  | 'order'
  | 'complete'
  | 'isRunning'
  | 'band'
  | 'enough'
  | 'scale'
  | 'tick'
  | 'unit'
  | 'format'
  | 'height'
  | 'marks'
> & {
  /** In pixels from the top, where each line ends. */
  readonly ends: readonly number[];
  /** The line whose usual range is drawn, or would be. */
  readonly banded: number;
};

/** What is drawn of a trend. */
export function plotOf({ trend, name, search, today, height, width, pointed, happenings }: PlotInput): Plot {
  const { buckets, complete } = trend;
  const { bucket, pinned } = search;
  const tones = tonesOf(
    trend.lines.map(({ key }) => key),
    pinned,
  );
  const lines: TimeLine[] = trend.lines.map(({ key, name: line, points }, at) => ({
    key,
    name: line,
    tone: tones[at]!,
    pinned: pinned.includes(key),
    values: points.map(({ value }) => value),
    counts: points.map(({ n }) => n),
  }));
  const { per, unit, tick } = scaleWords(trend);
  const scale = timeScale(
    lines.flatMap(({ values }) => values),
    buckets.length,
    per,
    height,
  );
  const banded = bandedLine(trend, pointed, pinned);
  const ends = lines.map(({ values }) => scale.y(values.findLast((value) => value !== null) ?? 0));
  return {
    summary: summaryOf(trend, name, search, today),
    labels: buckets.map((date, place) => {
      const range = rangeWords(date, bucket, today);
      return complete[place] ? range : `${range}, ${incompleteWords(trend, place, search, today)}`;
    }),
    axis: axisOf(trend, search, today, width),
    lines,
    order: lines.map((_, at) => at).sort((a, b) => ends[a]! - ends[b]! || a - b),
    complete,
    isRunning: isRunning(trend, search, today),
    band: bandOf(trend, banded, tones),
    enough: ENOUGH_FOR_A_POINT,
    scale,
    tick,
    unit,
    format: (value) => valueText(trend, value),
    height,
    // Several may stand at one place, as all of a day do.
    marks: [...new Set(happenings.map(({ place }) => place))],
    ends,
    banded,
  };
}

/** The line that is pointed at, else the one that was pinned last, else the first. */
function bandedLine({ lines }: Trend, { line }: Pointed, pinned: readonly string[]): number {
  const wanted = line ?? pinned.at(-1);
  return Math.max(
    0,
    lines.findIndex(({ key }) => key === wanted),
  );
}

function bandOf({ lines, complete }: Trend, at: number, tones: readonly LineTone[]): Band | null {
  const usual = lines[at]?.usual ?? null;
  const last = complete.lastIndexOf(true);
  if (usual === null || last < 1 || complete.length < FEW_POINTS) return null;
  return { tone: tones[at]!, ...usual, first: Math.max(0, last - USUAL), last };
}

/** Pixels that words of the axis take at least, of small plots and others. */
const WORDS = { small: 72, large: 104 } as const;

/** The words below the plot: evenly from the first on, and at the end that the last point runs still. */
function axisOf(trend: Trend, search: TrendsSearch, today: string, width: number): TimePlotProps['axis'] {
  const { buckets } = trend;
  const { bucket } = search;
  const last = buckets.length - 1;
  const running = isRunning(trend, search, today);
  const isSmall = width < 480;
  const most = Math.max(2, Math.floor(width / (isSmall ? WORDS.small : WORDS.large)));
  const step = Math.max(1, Math.ceil(buckets.length / most));
  const runningLabel = isSmall
    ? bucket === 'day'
      ? 'today'
      : `this ${bucket}`
    : runningWords(buckets[last] ?? today, bucket, today);
  const words = buckets.flatMap((date, place) =>
    place % step === 0 && (!running || place <= last - step * 0.75 || place === last) && !(running && place === last)
      ? [{ place, words: startWords(date, bucket, today) }]
      : [],
  );
  return running ? [...words, { place: last, words: runningLabel, strong: true }] : words;
}

/** "Time to first review, median, by repository, 26 weeks: storefront 12.4 h, within its usual range; …". */
function summaryOf(trend: Trend, name: string, { split, bucket }: TrendsSearch, today: string): string {
  const last = trend.complete.lastIndexOf(true);
  const lines = trend.lines.map((line) => {
    const value = valueText(trend, line.points[last]?.value ?? null);
    const { words } = readingWords(trend, line, bucket, today);
    return `${trend.lines.length === 1 && split === 'none' ? '' : `${line.name} `}${value}, ${words}`;
  });
  const of = [name, aggregateWords[trend.aggregate], split === 'none' ? '' : `by ${splitWords[split]}`];
  const time = counted(trend.buckets.length, bucket);
  return `${[...of.filter((words) => words !== ''), time].join(', ')}; the last full ${bucket}: ${lines.join('; ')}`;
}
