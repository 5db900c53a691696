import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Button, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { ContributorSearch } from './contributor-search.tsx';
import classes from './header.module.css';

interface Props {
  readonly onClose: () => void;
  readonly onRefresh: () => void;
  /** The links of the navigation. */
  readonly children: ReactNode;
}

/** What of the navigation has no room on a narrow screen. */
export default function NavigationDrawer({ onClose, onRefresh, children }: Props) {
  return (
    <Drawer opened onClose={onClose} title="Mergelight" size="20rem" closeButtonProps={{ 'aria-label': 'Close' }}>
      <ContributorSearch variant="page" />
      <nav aria-label="Menu" className={classes.drawerLinks}>
        {children}
      </nav>
      <Button variant="default" fullWidth onClick={onRefresh}>
        Refresh Data
      </Button>
    </Drawer>
  );
}
