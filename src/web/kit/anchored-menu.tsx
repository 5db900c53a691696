import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Menu } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './menu-button.module.css';
import type { MenuState } from './menu-button.tsx';

interface Props extends MenuState {
  readonly label: string;
  /** Pixels. */
  readonly width: number;
  /** `Menu.Item`s and the like. */
  readonly children: ReactNode;
}

/** The kit's menu, hung on the `MenuButton` around it. */
export function AnchoredMenu({ opened, onClose, label, width, children }: Props) {
  // The kit remembers where the focus was when a menu opens that is already there; this one first appears when it is opened.
  const [present, setPresent] = useState(false);
  useEffect(() => setPresent(true), []);
  return (
    <Menu
      opened={opened && present}
      onChange={(open) => !open && onClose()}
      position="bottom-end"
      width={width}
      // Focusing it must not scroll the page, which would take the button, and with it the menu, out of sight.
      floatingStrategy="fixed"
      hideDetached={false}
      // Beside its button and not at the end of the page, where it would stand outside of every landmark.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <span aria-hidden="true" className={classes.anchor} data-opened={opened || undefined} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
