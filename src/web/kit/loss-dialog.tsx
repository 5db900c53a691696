import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Banner } from './banner.tsx';
import { Dialog } from './dialog.tsx';
import { causeOf } from './error-state.tsx';
import classes from './loss-dialog.module.css';

interface Props {
  readonly title: string;
  /** The words on the button that does it. */
  readonly action: string;
  /** What is said before the cause when it fails. */
  readonly failure: string;
  /** The call that takes it away, `useMutation`'s. */
  readonly loss: { readonly error: unknown; readonly isPending: boolean; readonly mutate: () => void };
  readonly onClose: () => void;
  /** The id of what gets the focus once it is gone. */
  readonly otherwise: string;
  /** What goes with it. */
  readonly children: ReactNode;
}

/** Asks before something is lost, with the safe answer first. */
export function LossDialog({ title, action, failure, loss, onClose, otherwise, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose} otherwise={otherwise}>
      {children}
      {loss.error !== null && <Banner meaning="bad">{`${failure} ${causeOf(loss.error)}`}</Banner>}
      <div className={classes.answers}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          variant="default"
          className={classes.action ?? ''}
          loading={loss.isPending}
          onClick={() => loss.mutate()}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
