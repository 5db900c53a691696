import { ArrowDownIcon, ArrowUpIcon } from '@primer/octicons-react';
import type { Trend } from '#contract/trends.ts';
import { NOT_AVAILABLE } from '#domain/duration.ts';
import { Amount } from '../../kit/figure.tsx';
import classes from './value.module.css';
import { changeOf } from './words.ts';

interface Props {
  /** "12.4 h": a figure and its unit. */
  readonly text: string;
  readonly few?: boolean;
  readonly large?: boolean;
}

/** A value with its lighter unit; grey where it is over few. */
export function Value({ text, few = false, large = false }: Props) {
  const [figure, unit] = text.split(' ');
  return (
    <span className={few ? classes.few : undefined}>
      <Amount figure={text === NOT_AVAILABLE ? null : figure!} {...(unit !== undefined && { unit })} large={large} />
    </span>
  );
}

/** A change with its arrow: neither better nor worse. */
export function Change({ trend, change }: { readonly trend: Pick<Trend, 'unit'>; readonly change: number | null }) {
  const told = changeOf(trend, change);
  if (told === null) return <span>{NOT_AVAILABLE}</span>;
  const Icon = told.direction > 0 ? ArrowUpIcon : ArrowDownIcon;
  return (
    <span className={classes.change}>
      {told.direction !== 0 && <Icon size={12} aria-label={told.direction > 0 ? 'up' : 'down'} />}
      {told.direction === 0 ? 'unchanged' : told.words}
    </span>
  );
}
