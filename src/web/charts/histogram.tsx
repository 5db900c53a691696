import classes from './histogram.module.css';

export interface Bin {
  readonly label: string;
  readonly count: number;
  /** What lies in this bin, in small words: "mean", "median". */
  readonly mark?: string | undefined;
  /** Painted in the accent instead of grey. */
  readonly strong?: boolean;
}

/** A few upright bars with their count above and their name below; `label` is the sentence that stands for the picture. */
export function Histogram({ bins, label }: { bins: readonly Bin[]; label: string }) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <div className={classes.histogram} role="img" aria-label={label}>
      {bins.map((bin) => (
        <div key={bin.label} className={classes.bin}>
          <span className={classes.count}>{bin.count}</span>
          <span
            className={`${classes.bar} ${bin.strong ? classes.strong : ''}`}
            style={{ height: `${(2 * bin.count) / most}rem` }}
          />
          <span className={bin.strong ? classes.name : classes.quiet}>{bin.label}</span>
          <span className={bin.strong ? classes.word : classes.quiet}>{bin.mark ?? '\u00a0'}</span>
        </div>
      ))}
    </div>
  );
}
