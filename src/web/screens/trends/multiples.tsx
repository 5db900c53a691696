import { type ReactNode, useState } from 'react';
import type { Trend } from '#contract/trends.ts';
import { ENOUGH_FOR_A_POINT, USUAL } from '#domain/trends.ts';
import { Swatch } from '../../charts/line-ends.tsx';
import { type Pointed, TimePlot } from '../../charts/time-plot.tsx';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { useWidth } from '../../kit/use-width.ts';
import { useUser } from '../../session/session.tsx';
import { dayOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { happeningsOf } from './happenings.ts';
import classes from './multiples.module.css';
import { EveryNumber, LastFull } from './numbers.tsx';
import { useShown } from './shown.ts';
import { plotOf } from './trend-plot.ts';
import { usePointExplanation } from './use-point-explanation.tsx';
import { Change, Value } from './value.tsx';
import { aggregateWords, rangeWords, readingWords, valueText } from './words.ts';

const HEIGHT = 132;
/** Pixels beside a plot, in its card. */
const BESIDE = 76;
const PAPER = 300;

export interface NamedTrend {
  readonly trend: Trend;
  readonly name: string;
}

interface Props {
  readonly trends: readonly NamedTrend[];
  /** Stands above the plots where there is one. */
  readonly proposal: ReactNode;
}

/** Two to six figures on one time axis, each on a scale of its own; the pointer is in all of them at once. */
export function Multiples({ trends, proposal }: Props) {
  const { search, isOutdated } = useShown();
  const { bucket } = search;
  const faded = { 'data-outdated': isOutdated || undefined };
  const now = useNow();
  const { time_zone } = useUser();
  const isPrinting = useIsPrinting();
  const [at, setAt] = useState<number | null>(null);
  const [asTables, setAsTables] = useState(false);
  const { trend: first } = trends[0]!;
  const last = first.complete.lastIndexOf(true);
  const happenings = happeningsOf(first, time_zone);
  return (
    <>
      <div className={classes.proposed} {...faded}>
        {proposal}
      </div>
      <div className={`${classes.grid} ${trends.length === 2 ? classes.two : ''}`} {...faded}>
        {trends.map((named) => (
          <Multiple key={named.trend.figure} {...named} at={at} onAt={setAt} />
        ))}
      </div>
      <div className={classes.foot} {...faded}>
        <span>
          {last >= 0 &&
            `The figure is the last full ${bucket}, ${rangeWords(first.buckets[last]!, bucket, dayOf(now, time_zone))}; the change is against the mean of the 4 before. `}
          Band: the lowest to the highest of the {USUAL.buckets} {bucket}s before. Hollow: fewer than{' '}
          {ENOUGH_FOR_A_POINT}.
          {happenings.length > 0 && ` Upright marks: ${happenings.map(({ words }) => words).join(', ')}.`}
        </span>
        <button type="button" aria-pressed={asTables} onClick={() => setAsTables(!asTables)}>
          {asTables ? 'Hide tables' : 'Show as tables'}
        </button>
      </div>
      {(asTables || isPrinting) && (
        <>
          <LastFull trends={trends} />
          {trends.map(({ trend, name }) => (
            <EveryNumber key={trend.figure} trend={trend} name={name} />
          ))}
        </>
      )}
    </>
  );
}

interface MultipleProps extends NamedTrend {
  readonly at: number | null;
  readonly onAt: (at: number | null) => void;
}

function Multiple({ trend, name, at, onAt }: MultipleProps) {
  const { search } = useShown();
  const now = useNow();
  const { time_zone } = useUser();
  const isPrinting = useIsPrinting();
  const { ref, width } = useWidth();
  const [line, setLine] = useState<string | null>(null);
  const pointed: Pointed = { at, line };
  const today = dayOf(now, time_zone);
  const {
    ends: _,
    banded: __,
    ...plot
  } = plotOf({
    trend,
    name,
    search,
    today,
    height: HEIGHT,
    width: Math.max(160, isPrinting ? PAPER : width - BESIDE),
    pointed,
    happenings: happeningsOf(trend, time_zone),
  });
  const { explanation, isOpen, open } = usePointExplanation(trend, name, plot.scale);
  const last = trend.complete.lastIndexOf(true);
  const isEmpty = trend.lines.every(({ points }) => points.every(({ n }) => n === 0));
  return (
    <section ref={ref} className={classes.card} aria-label={name}>
      <h2 className={classes.name}>
        {name}
        {aggregateWords[trend.aggregate] !== '' && (
          <span className={classes.aggregate}> {aggregateWords[trend.aggregate]}</span>
        )}
      </h2>
      {trend.lines.length === 1 ? (
        <Head trend={trend} today={today} />
      ) : (
        <ul className={classes.lines}>
          {trend.lines.map(({ key, name: words, points }, index) => (
            <li key={key}>
              <Swatch tone={plot.lines[index]!.tone} />
              <span className={classes.word}>{words}</span>
              <Value
                text={valueText(trend, points[last]?.value ?? null)}
                few={(points[last]?.n ?? 0) < ENOUGH_FOR_A_POINT}
              />
            </li>
          ))}
        </ul>
      )}
      {isEmpty ? (
        <p className={classes.empty}>Nothing in this window.</p>
      ) : (
        <TimePlot
          {...plot}
          pointed={pointed}
          onPoint={(next) => {
            if (isOpen) return;
            onAt(next.at);
            setLine(next.line);
          }}
          onOpen={open}
        >
          {explanation}
        </TimePlot>
      )}
    </section>
  );
}

function Head({ trend, today }: { readonly trend: Trend; readonly today: string }) {
  const { bucket } = useShown().search;
  const line = trend.lines[0]!;
  const last = trend.complete.lastIndexOf(true);
  const point = line.points[last] ?? { value: null, n: 0 };
  const reading = readingWords(trend, line, bucket, today);
  return (
    <p className={classes.head}>
      <Value text={valueText(trend, point.value)} few={point.n < ENOUGH_FOR_A_POINT} large />
      {!reading.few && line.change !== null && <Change trend={trend} change={line.change} />}
      <span className={reading.direction === 0 ? classes.reading : classes.strong}>{reading.words}</span>
    </p>
  );
}
