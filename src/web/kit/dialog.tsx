import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { useFocusBack } from './focus-back.ts';
import { usePageLock } from './page-lock.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  /** The id of what gets the focus where what had it before the dialog is gone. */
  readonly otherwise?: string;
  /** A click beside it doesn't close it: what is in it would be lost. */
  readonly staysOpen?: boolean;
  readonly children: ReactNode;
}

/** A dialog with a title, drawn while it is open. Its head is no landmark: the kit's own would be a second banner of the page. */
export function Dialog({ title, onClose, otherwise, staysOpen = false, children }: Props) {
  useFocusBack(otherwise);
  usePageLock();
  return (
    <Modal opened onClose={onClose} withCloseButton={false} closeOnClickOutside={!staysOpen}>
      <div className={classes.head}>
        <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
        <Modal.CloseButton aria-label="Close" />
      </div>
      {children}
    </Modal>
  );
}
