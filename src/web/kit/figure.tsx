import { VisuallyHidden } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, DashIcon } from '@primer/octicons-react';
import { durationParts, NOT_AVAILABLE } from '#domain/duration.ts';
import { formatCount } from '../time/moment.ts';
import classes from './figure.module.css';

interface AmountProps {
  /** Null is 'N/A'. */
  readonly figure: string | null;
  readonly unit?: string;
  /** 26 px in strips and cards instead of the size of its line. */
  readonly large?: boolean;
}

/** A figure with its lighter unit after a thin gap. */
export function Amount({ figure, unit, large = false }: AmountProps) {
  const size = large ? classes.large : classes.amount;
  if (figure === null) return <span className={`${size} ${classes.missing}`}>{NOT_AVAILABLE}</span>;
  return (
    <span className={size}>
      {figure}
      {unit !== undefined && <span className={classes.unit}>{` ${unit}`}</span>}
    </span>
  );
}

/** A duration given in hours: minutes, hours or days with their unit; null is 'N/A'. */
export function Duration({ hours, large = false }: { hours: number | null; large?: boolean }) {
  const parts = durationParts(hours);
  return parts === null ? <Amount figure={null} large={large} /> : <Amount {...parts} large={large} />;
}

interface TrendProps {
  /** The change in percent; null shows nothing. */
  readonly percent: number | null;
  /** Which direction is an improvement; null for counts without a better direction. */
  readonly better: 'up' | 'down' | null;
  /** The earlier value in words: "from 9.5 h". */
  readonly before?: string;
  /** No room for the earlier value: it becomes the tooltip. */
  readonly brief?: boolean;
}

/** A change against the window before: arrow, percent, and the earlier value. Its colour says better or worse, not up or down. */
export function Trend({ percent, better, before, brief = false }: TrendProps) {
  if (percent === null) return null;
  const rounded = Math.round(percent);
  const direction = rounded > 0 ? 'up' : 'down';
  const meaning = rounded === 0 || better === null ? '' : direction === better ? classes.better : classes.worse;
  const Icon = rounded === 0 ? DashIcon : rounded > 0 ? ArrowUpIcon : ArrowDownIcon;
  return (
    <span className={classes.trend} data-tip={brief ? before : undefined}>
      <span className={`${classes.change} ${meaning}`}>
        <Icon size={12} {...(rounded !== 0 && { 'aria-label': direction })} />
        {rounded === 0 ? 'Unchanged' : `${formatCount(Math.abs(rounded))}%`}
      </span>
      {before !== undefined &&
        (brief ? <VisuallyHidden> {before}</VisuallyHidden> : <span className={classes.before}>{before}</span>)}
    </span>
  );
}
