import classes from './span-bar.module.css';

/** The colours that a length can have: what it is compared with, or one of the chart colours. */
export type Tone = 'reference' | 'chart-1' | 'chart-2' | 'chart-3';

interface Props {
  /** Lengths in any one unit, drawn from the start with a gap of 1 px. */
  readonly spans: readonly { readonly length: number; readonly tone: Tone }[];
  /** The length that fills the bar's whole width. A longer sum is drawn full, with two slanted cuts near its end. */
  readonly whole: number;
}

/** A thin bar of one or more lengths. Decorative: the value stands printed beside it. */
export function SpanBar({ spans, whole }: Props) {
  const sum = spans.reduce((lengths, { length }) => lengths + length, 0);
  const scale = Math.max(sum, whole);
  return (
    <span className={`${classes.bar} ${whole > 0 && sum > whole ? classes.cut : ''}`} aria-hidden="true">
      {spans.map(({ length, tone }, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the bar is what a length is
          key={at}
          className={classes.span}
          style={{ width: `${scale <= 0 ? 0 : (100 * length) / scale}%`, background: `var(--${tone})` }}
        />
      ))}
    </span>
  );
}
