import { CloseButton } from '@mantine/core';
import { AlertIcon, CheckCircleFillIcon, InfoIcon, XCircleIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

const icons = { good: CheckCircleFillIcon, watch: AlertIcon, bad: XCircleIcon, note: InfoIcon };

interface Props {
  readonly meaning: keyof typeof icons;
  /** News; line breaks are kept. */
  readonly children: ReactNode;
  /** A short addition or an action at the right. */
  readonly aside?: ReactNode;
  readonly onClose?: () => void;
}

/** A line of news above the content: green after a sync, red when a page failed, amber for what is worth a look. */
export function Banner({ meaning, children, aside, onClose }: Props) {
  const Icon = icons[meaning];
  return (
    <div className={`${classes.banner} ${classes[meaning]}`} role={meaning === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} className={classes.icon ?? ''} />
      <div className={classes.text}>{children}</div>
      {(aside !== undefined || onClose !== undefined) && (
        <div className={classes.aside}>
          {aside}
          {onClose && <CloseButton className={classes.close ?? ''} size="sm" aria-label="Dismiss" onClick={onClose} />}
        </div>
      )}
    </div>
  );
}
