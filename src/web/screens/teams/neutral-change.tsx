import { ArrowDownIcon, ArrowUpIcon, DashIcon } from '@primer/octicons-react';
import { formatCount } from '../../time/moment.ts';
import classes from './comparison.module.css';

/** A change in percent with its arrow, neither better nor worse; nothing where it is not known. */
export function NeutralChange({ percent }: { readonly percent: number | null }) {
  if (percent === null) return <span className={classes.change} />;
  const rounded = Math.round(percent);
  const Icon = rounded === 0 ? DashIcon : rounded > 0 ? ArrowUpIcon : ArrowDownIcon;
  return (
    <span className={classes.change}>
      <Icon size={12} aria-label={rounded === 0 ? 'unchanged' : rounded > 0 ? 'up' : 'down'} />
      {rounded !== 0 && `${formatCount(Math.abs(rounded))}%`}
    </span>
  );
}
