import '@mantine/core/styles/Popover.layer.css';
import { Button, Popover } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './controls.module.css';

interface Props {
  /** Of the dialog. */
  readonly label: string;
  readonly words: ReactNode;
  readonly icon: ReactNode;
  /** Behind the words. */
  readonly mark?: ReactNode;
  /** It is set to something. */
  readonly isChosen?: boolean;
  readonly isQuiet?: boolean;
  readonly width: number;
  readonly position?: 'bottom-start' | 'bottom-end';
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a small dialog below it. */
export function ButtonPopover({
  label,
  words,
  icon,
  mark,
  isChosen = false,
  isQuiet = false,
  width,
  position = 'bottom-start',
  children,
}: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={width}
      position={position}
      offset={6}
      trapFocus
      returnFocus
      withRoles={false}
      withinPortal={false}
    >
      <Popover.Target>
        <Button
          variant={isQuiet ? 'subtle' : 'default'}
          className={`${isQuiet ? classes.quiet : classes.button} ${isChosen ? classes.chosen : ''}`}
          leftSection={icon}
          rightSection={mark}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={classes.dropdown ?? ''}>
        {children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
