import { useState } from 'react';
import type { Trend, TrendFigureDescription } from '#contract/trends.ts';
import { ENOUGH_FOR_A_POINT } from '#domain/trends.ts';
import { LineEnds } from '../../charts/line-ends.tsx';
import { type Pointed, TimePlot } from '../../charts/time-plot.tsx';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { usePhone } from '../../kit/use-phone.ts';
import { useWidth } from '../../kit/use-width.ts';
import { useUser } from '../../session/session.tsx';
import { dayOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { HappeningMarks } from './happening-marks.tsx';
import { happeningsOf } from './happenings.ts';
import { Key } from './key.tsx';
import { LineRows } from './line-rows.tsx';
import { NumbersTable } from './numbers.tsx';
import { pinnedText } from './search.ts';
import { useShown } from './shown.ts';
import classes from './trend-chart.module.css';
import { plotOf } from './trend-plot.ts';
import { usePointExplanation } from './use-point-explanation.tsx';
import { valueText } from './words.ts';

/** Pixels: the plot, beside it the ticks and the names at the lines' ends, and what paper leaves of it. */
const HEIGHT = { wide: 334, phone: 250 } as const;
const BESIDE = { ticks: 36, ends: 176 } as const;
const PAPER = 640;
/** So many lines are pinned at once. */
const MOST_PINNED = 3;

interface Props {
  readonly trend: Trend;
  readonly figure: TrendFigureDescription | undefined;
  readonly onAddNote: () => void;
}

/** One figure over time: the drawing, its key, and on a phone the lines below it. */
export function TrendChart({ trend, figure, onAddNote }: Props) {
  const { search } = useShown();
  const change = useChangeSearch();
  const now = useNow();
  const { time_zone } = useUser();
  const phone = usePhone();
  const isPrinting = useIsPrinting();
  const { ref, width: measured } = useWidth();
  const [pointed, setPointed] = useState<Pointed>({ at: null, line: null });
  const [asTable, setAsTable] = useState(false);
  const box = isPrinting ? PAPER : measured;
  const width = Math.max(160, box - BESIDE.ticks - (phone ? 0 : BESIDE.ends));
  const today = dayOf(now, time_zone);
  const happenings = happeningsOf(trend, time_zone);
  const { ends, banded, ...plot } = plotOf({
    trend,
    name: figure?.name ?? '',
    search,
    today,
    height: phone ? HEIGHT.phone : HEIGHT.wide,
    width,
    pointed,
    happenings,
  });
  const { explanation, isOpen, open } = usePointExplanation(trend, figure?.name ?? '', plot.scale);
  const pin = (key: string) => {
    const { pinned } = search;
    const next = pinned.includes(key) ? pinned.filter((one) => one !== key) : [...pinned, key].slice(-MOST_PINNED);
    change({ pinned: pinnedText(next) });
  };
  const last = trend.complete.lastIndexOf(true);
  const isDrawn = !asTable || isPrinting;
  return (
    <>
      {isDrawn ? (
        <div className={classes.chart}>
          <div ref={ref}>
            <TimePlot
              {...plot}
              pointed={pointed}
              onPoint={(next) => isOpen || setPointed(next)}
              onPin={pin}
              onOpen={open}
              above={
                phone ? undefined : (
                  <div className={classes.above}>
                    <HappeningMarks happenings={happenings} x={plot.scale.x} width={width} room={width} />
                    <span className={classes.head}>last full {search.bucket}</span>
                  </div>
                )
              }
              beside={
                phone ? undefined : (
                  <LineEnds
                    lines={plot.lines}
                    ends={ends}
                    values={trend.lines.map(({ points }) => ({
                      words: valueText(trend, points[last]?.value ?? null),
                      isFew: (points[last]?.n ?? 0) < ENOUGH_FOR_A_POINT,
                    }))}
                    height={plot.height}
                    pointed={pointed}
                    onPoint={setPointed}
                    onPin={pin}
                  />
                )
              }
            >
              {explanation}
            </TimePlot>
          </div>
        </div>
      ) : (
        <NumbersTable trend={trend} newestFirst={trend.buckets.length} />
      )}
      {phone && <LineRows trend={trend} lines={plot.lines} onPin={pin} />}
      <Key
        trend={trend}
        figure={figure}
        banded={plot.band === null ? null : trend.lines[banded]!}
        tone={plot.band?.tone ?? 'first'}
        isRunning={plot.isRunning}
        asTable={asTable}
        onTurn={() => setAsTable(!asTable)}
        onAddNote={onAddNote}
      />
    </>
  );
}
