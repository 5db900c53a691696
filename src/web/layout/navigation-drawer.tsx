import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Button, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusBack } from '../kit/focus-back.ts';
import { usePageLock } from '../kit/page-lock.ts';
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
  useFocusBack();
  usePageLock();
  return (
    <Drawer opened onClose={onClose} size="20rem" withCloseButton={false}>
      <div className={classes.drawerHead}>
        <Drawer.Title>Mergelight</Drawer.Title>
        <Drawer.CloseButton aria-label="Close" />
      </div>
      <ContributorSearch variant="page" />
      {/* A link to the page that is open already changes no address, which would close it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links in it are pressed, by Enter, too */}
      <nav aria-label="Menu" className={classes.drawerLinks} onClick={onClose}>
        {children}
      </nav>
      <Button variant="default" fullWidth onClick={onRefresh}>
        Refresh Data
      </Button>
    </Drawer>
  );
}
