import { CheckCircleIcon, InboxIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface Props {
  /** What there is nothing of, in a line: 'No stuck PRs found'. */
  readonly title: string;
  /** One line why. */
  readonly why?: ReactNode;
  /** One link or button that leads on. */
  readonly next?: ReactNode;
  /** Nothing to find is what one hopes for. */
  readonly goodNews?: boolean;
}

/** What a panel shows when there is nothing to show. */
export function EmptyState({ title, why, next, goodNews = false }: Props) {
  const Icon = goodNews ? CheckCircleIcon : InboxIcon;
  return (
    <div className={classes.state}>
      <Icon size={24} className={classes.stateIcon ?? ''} />
      <p className={classes.title}>{title}</p>
      {why !== undefined && <p className={classes.why}>{why}</p>}
      {next !== undefined && <div className={classes.next}>{next}</div>}
    </div>
  );
}
