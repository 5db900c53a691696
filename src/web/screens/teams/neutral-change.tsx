import { ArrowDownIcon, ArrowUpIcon, DashIcon } from '@primer/octicons-react';
import type { Incomparable } from '#domain/change.ts';
import { formatCount } from '../../time/moment.ts';
import classes from './comparison.module.css';

interface Props {
  readonly percent: number | null;
  /** Why it is not shown. */
  readonly reason: Incomparable | null;
}

/** A change in percent with its arrow, neither better nor worse; of few before, how many they were. */
export function NeutralChange({ percent, reason }: Props) {
  if (reason?.why === 'few' && reason.side === 'before')
    return <span className={classes.change}>{formatCount(reason.count)} before</span>;
  if (percent === null || reason !== null) return <span className={classes.change} />;
  const rounded = Math.round(percent);
  const Icon = rounded === 0 ? DashIcon : rounded > 0 ? ArrowUpIcon : ArrowDownIcon;
  return (
    <span className={classes.change}>
      <Icon size={12} aria-label={rounded === 0 ? 'unchanged' : rounded > 0 ? 'up' : 'down'} />
      {rounded !== 0 && `${formatCount(Math.abs(rounded))}%`}
    </span>
  );
}
