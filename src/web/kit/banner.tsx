import { CloseButton, VisuallyHidden } from '@mantine/core';
import { AlertIcon, CheckCircleFillIcon, InfoIcon, XCircleIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { passFocusOut } from './focus-soon.ts';
import classes from './notice.module.css';

const icons = { good: CheckCircleFillIcon, watch: AlertIcon, bad: XCircleIcon, note: InfoIcon };

interface Props {
  readonly meaning: keyof typeof icons;
  /** News; line breaks are kept. */
  readonly children: ReactNode;
  /** A short addition or an action at the right. */
  readonly aside?: ReactNode;
  readonly onClose?: () => void;
  /** What is spoken in place of words that change more often than anybody wants to hear. */
  readonly spoken?: string | undefined;
}

/** A line of news above the content: green after a sync, red when a page failed, amber for what is worth a look. */
export function Banner({ meaning, children, aside, onClose, spoken }: Props) {
  const Icon = icons[meaning];
  const role = meaning === 'bad' ? 'alert' : 'status';
  return (
    <div className={`${classes.banner} ${classes[meaning]}`} role={spoken === undefined ? role : undefined}>
      <Icon size={16} className={classes.icon ?? ''} />
      <div className={classes.text}>{children}</div>
      {spoken !== undefined && <VisuallyHidden role={role}>{spoken}</VisuallyHidden>}
      {(aside !== undefined || onClose !== undefined) && (
        <div className={classes.aside}>
          {aside}
          {onClose && (
            <CloseButton
              ref={passFocusOut}
              className={classes.close ?? ''}
              size="sm"
              aria-label="Dismiss"
              onClick={onClose}
            />
          )}
        </div>
      )}
    </div>
  );
}
