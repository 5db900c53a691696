import '@mantine/core/styles/Popover.layer.css';
import { Popover } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useFocusBack } from '../kit/focus-back.ts';
import WindowDates, { type WindowDatesProps } from './window-dates.tsx';
import classes from './window-picker.module.css';

interface Props extends WindowDatesProps {
  readonly onClose: () => void;
}

/** The first and last day, in a small dialog at the button that opened it. */
export default function WindowDatesPopover({ onClose, ...dates }: Props) {
  useFocusBack();
  // The kit remembers where the focus was when a popover opens that is already there; this one first appears when it is opened.
  const [present, setPresent] = useState(false);
  useEffect(() => setPresent(true), []);
  return (
    <Popover
      opened={present}
      onChange={(open) => !open && onClose()}
      width={328}
      position="bottom-end"
      offset={6}
      trapFocus
      returnFocus
      withRoles={false}
      withinPortal={false}
    >
      <Popover.Target>
        <span aria-hidden="true" className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Choose days" className={classes.dropdown ?? ''}>
        <WindowDates {...dates} />
      </Popover.Dropdown>
    </Popover>
  );
}
