import classes from './share-bar.module.css';

/** The colours that a share can have. */
export type ShareTone = 'chart-1' | 'chart-2' | 'chart-3' | 'chart-4';

/** How much of a track is filled; 0–100. Decorative: the value stands printed beside it. */
export function ShareBar({ percent, tone }: { percent: number; tone: ShareTone }) {
  return (
    <span className={classes.track} aria-hidden="true">
      <span className={classes.share} style={{ width: `${percent}%`, background: `var(--${tone})` }} />
    </span>
  );
}
