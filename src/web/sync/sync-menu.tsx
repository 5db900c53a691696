import { Button, Menu } from '@mantine/core';
import { AlertFillIcon, SyncIcon, TriangleDownIcon } from '@primer/octicons-react';
import type { SyncMode } from '#contract/sync.ts';
import { useHostName } from '../session/session.tsx';
import classes from './sync.module.css';
import { overallOf } from './sync-overview.ts';
import { useSync } from './sync-state.tsx';

const modes: readonly { mode: SyncMode; word: string; why: string }[] = [
  { mode: 'smart', word: 'Smart sync', why: 'Recommended: recent changes where that is enough' },
  { mode: 'incremental', word: 'Incremental sync', why: 'Recent changes' },
  { mode: 'full', word: 'Full sync', why: 'All history' },
];

/** The Sync dropdown of the navigation: start in one of three modes, retry, look at the progress, clear. */
export function SyncMenu() {
  const { active, state, error, start, retry, clear, setDialogOpened } = useSync();
  const host = useHostName();
  const attempts = Math.max(0, ...(state?.repositories.map((one) => one.attempts) ?? []));
  const { percentage } = overallOf(state);
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          className={classes.trigger ?? ''}
          leftSection={
            error === null ? (
              <SyncIcon size={14} className={active ? (classes.turning ?? '') : ''} />
            ) : (
              <AlertFillIcon size={14} className={classes.bad ?? ''} />
            )
          }
          rightSection={<TriangleDownIcon size={14} />}
          aria-label={active ? `Syncing ${percentage}%` : 'Sync'}
        >
          <span className={classes.word}>{active ? `Syncing ${percentage}%` : 'Sync'}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Sync from {host}</Menu.Label>
        {modes.map(({ mode, word, why }) => (
          <Menu.Item
            key={mode}
            disabled={active}
            onClick={() => {
              start(mode);
              setDialogOpened(true);
            }}
          >
            {word}
            <div className={classes.why}>{why}</div>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {error !== null && (
          <Menu.Item disabled={active} onClick={() => retry()}>
            Retry{attempts > 0 && ` (${attempts} of 3 used)`}
          </Menu.Item>
        )}
        <Menu.Item disabled={!active && error === null} onClick={() => setDialogOpened(true)}>
          Show Progress
        </Menu.Item>
        {(active || error !== null) && <Menu.Item onClick={clear}>Clear Sync State</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
