import { Button } from '@mantine/core';
import { AlertFillIcon, SyncIcon, TriangleDownIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import { part } from '../api/part.ts';
import { MenuButton } from '../kit/menu-button.tsx';
import { useHostName } from '../session/session.tsx';
import classes from './sync.module.css';
import { percentageOver } from './sync-percentage.ts';
import { SYNC_BUTTON, useSync } from './sync-state.tsx';

const SyncMenu = lazy(part(() => import('./sync-menu.tsx')));

/** The Sync dropdown of the navigation; while a sync runs it tells how far it is. */
export function SyncButton() {
  const { active, state, error } = useSync();
  const host = useHostName();
  const word = active ? `Syncing ${percentageOver(state?.repositories ?? [])}%` : 'Sync';
  const icon =
    error === null ? (
      <SyncIcon size={14} className={active ? (classes.turning ?? '') : ''} />
    ) : (
      <AlertFillIcon size={14} className={classes.bad ?? ''} />
    );
  return (
    <MenuButton menu={SyncMenu}>
      {(button) => (
        <Button
          {...button}
          id={SYNC_BUTTON}
          variant="default"
          className={classes.trigger ?? ''}
          leftSection={icon}
          rightSection={<TriangleDownIcon size={14} />}
          aria-label={word}
          data-tip={`Fetch what is new from ${host}`}
        >
          <span className={classes.word}>{word}</span>
        </Button>
      )}
    </MenuButton>
  );
}
