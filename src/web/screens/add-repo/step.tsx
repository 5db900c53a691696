import { CheckIcon, SyncIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import classes from './add-repo.module.css';

interface Props {
  /** `done`, `running`, or the number of a step that is neither. */
  readonly mark: 'done' | 'running' | '1' | '2' | '3';
  readonly current?: boolean;
  readonly title: string;
  readonly why: string;
  readonly children?: ReactNode;
}

/** One of the three steps from a name to the first figures. */
export function Step({ mark, current = false, title, why, children }: Props) {
  const look =
    mark === 'done'
      ? classes.doneStep
      : mark === 'running'
        ? classes.running
        : current || mark === '1'
          ? classes.current
          : '';
  return (
    <li className={classes.step}>
      <span className={`${classes.number} ${look}`}>
        {mark === 'done' ? <CheckIcon size={16} /> : mark === 'running' ? <SyncIcon size={16} /> : mark}
      </span>
      <div className={classes.what}>
        <div>
          <h2>{title}</h2>
          <p className={classes.why}>{why}</p>
        </div>
        {children}
      </div>
    </li>
  );
}
