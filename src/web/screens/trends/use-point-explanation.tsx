import { lazy, type ReactNode, useState } from 'react';
import type { Trend } from '#contract/trends.ts';
import { part } from '../../api/part.ts';
import type { TimeScale } from '../../charts/time-scale.ts';
import { LazyPart } from '../../kit/lazy-part.tsx';

const PointExplanation = lazy(part(() => import('./point-explanation.tsx')));

interface Opened {
  readonly line: number;
  readonly place: number;
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
  const line = opened === null ? undefined : trend.lines[opened.line];
  const point = opened === null ? undefined : line?.points[opened.place];
  const close = () => {
    opened?.plot.focus({ preventScroll: true });
    setOpened(null);
  };
  const isOpen = opened !== null && line !== undefined && point !== undefined;
  return {
    isOpen,
    open: (at, place, plot) => setOpened({ line: at, place, plot }),
    explanation: isOpen ? (
      <LazyPart onFail={close}>
        <PointExplanation
          key={`${line.key} ${opened.place}`}
          trend={trend}
          name={name}
          line={line}
          place={opened.place}
          anchor={{ inset: 'auto', left: `${x(opened.place)}%`, top: y(point.value ?? 0), width: 0, height: 0 }}
          onClose={close}
        />
      </LazyPart>
    ) : null,
  };
}
