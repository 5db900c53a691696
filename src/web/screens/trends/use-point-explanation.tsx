import { lazy, type ReactNode, useEffect, useState } from 'react';
import type { Trend } from '#contract/trends.ts';
import { part } from '../../api/part.ts';
import type { TimeScale } from '../../charts/time-scale.ts';
import { LazyPart } from '../../kit/lazy-part.tsx';

const PointExplanation = lazy(part(() => import('./point-explanation.tsx')));

/** By names: a trend that is fetched again may have other lines, in another order, and other points. */
interface Opened {
  readonly line: string;
  readonly bucket: string;
  readonly plot: HTMLElement;
}

/** Explains the point of a trend that was pressed: what to draw over the plot, and how to open it. */
export function usePointExplanation(
  trend: Trend,
  name: string,
  { x, y }: TimeScale,
): {
  readonly explanation: ReactNode;
  readonly isOpen: boolean;
  readonly open: (line: number, place: number, plot: HTMLElement) => void;
} {
  const [opened, setOpened] = useState<Opened | null>(null);
  const line = trend.lines.find(({ key }) => key === opened?.line);
  const place = opened === null ? -1 : trend.buckets.indexOf(opened.bucket);
  const point = line?.points[place];
  const close = () => {
    opened?.plot.focus({ preventScroll: true });
    setOpened(null);
  };
  const isOpen = line !== undefined && point !== undefined;
  useEffect(() => {
    if (opened !== null && !isOpen) close();
  });
  return {
    isOpen,
    open: (at, place, plot) => setOpened({ line: trend.lines[at]!.key, bucket: trend.buckets[place]!, plot }),
    explanation: isOpen ? (
      <LazyPart onFail={close}>
        <PointExplanation
          key={`${line.key} ${trend.buckets[place]}`}
          trend={trend}
          name={name}
          line={line}
          place={place}
          anchor={{ inset: 'auto', left: `${x(place)}%`, top: y(point.value ?? 0), width: 0, height: 0 }}
          onClose={close}
        />
      </LazyPart>
    ) : null,
  };
}
