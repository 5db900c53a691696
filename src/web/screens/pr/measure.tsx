import type { ReactNode } from 'react';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import { ShareBar, type ShareTone } from '../../charts/share-bar.tsx';
import { Defined } from '../../explain/definition.tsx';
import classes from './tab.module.css';

interface Props {
  readonly figure: FigureKey;
  readonly label: string;
  /** A few words beside the label. */
  readonly aside?: string;
  /** At the right end. */
  readonly value: ReactNode;
  /** 0–100; without it there is no bar. */
  readonly percent?: number;
  readonly tone?: ShareTone;
}

/** A figure with its label, and beneath it how much of a whole it is. */
export function Measure({ figure, label, aside, value, percent, tone = 'chart-4' }: Props) {
  return (
    <div className={classes.measure}>
      <div className={classes.words}>
        <Defined figure={figure}>{label}</Defined>
        {aside !== undefined && <span className={classes.quiet}>{aside}</span>}
        <span className={classes.value}>{value}</span>
      </div>
      {percent !== undefined && <ShareBar percent={percent} tone={tone} />}
    </div>
  );
}
