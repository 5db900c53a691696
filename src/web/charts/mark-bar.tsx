import classes from './mark-bar.module.css';

interface Props {
  /** Null draws an empty track. */
  readonly value: number | null;
  /** What it is compared with, as an upright mark; null or undefined draws none. */
  readonly mark?: number | null;
  /** What the second, grey bar says; null or undefined draws none. */
  readonly other?: number | null;
  /** The value at the track's end; nothing is drawn beyond it. */
  readonly whole: number;
}

/** A thin bar with an upright mark at what it is compared with. Decorative: both values stand printed beside it. */
export function MarkBar({ value, mark, other, whole }: Props) {
  const percent = (of: number) => `${whole <= 0 ? 0 : Math.min(100, (100 * of) / whole)}%`;
  const has = (of: number | null | undefined): of is number => of !== null && of !== undefined;
  return (
    <div className={classes.bars} aria-hidden="true">
      <div className={classes.track}>
        {has(value) && <span className={classes.bar} style={{ width: percent(value) }} />}
        {has(mark) && <span className={classes.mark} style={{ left: percent(mark) }} />}
      </div>
      {other !== undefined && (
        <div className={classes.track}>
          {has(other) && <span className={classes.other} style={{ width: percent(other) }} />}
        </div>
      )}
    </div>
  );
}
