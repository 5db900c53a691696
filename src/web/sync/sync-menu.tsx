import { Menu } from '@mantine/core';
import type { SyncMode } from '#contract/sync.ts';
import { AnchoredMenu } from '../kit/anchored-menu.tsx';
import type { MenuState } from '../kit/menu-button.tsx';
import { useHostName } from '../session/session.tsx';
import { ATTEMPTS, hasTimedOut } from './run-sync.ts';
import classes from './sync.module.css';
import { useSync } from './sync-state.tsx';

const modes: readonly { mode: SyncMode; word: string; why: string }[] = [
  { mode: 'smart', word: 'Smart sync', why: 'Recommended: recent changes where that is enough' },
  { mode: 'incremental', word: 'Incremental sync', why: 'Recent changes' },
  { mode: 'full', word: 'Full sync', why: 'All history' },
];

/** What the Sync button opens: three ways to start, retry, look at the progress, clear (docs/product.md#add-repository-and-sync). */
export default function SyncMenu(menu: MenuState) {
  const { active, state, error, start, retry, clear, setDialogOpened } = useSync();
  const host = useHostName();
  const attempts = Math.max(0, ...(state?.repositories.map((one) => one.attempts) ?? []));
  const timedOut = state?.repositories.filter(hasTimedOut) ?? [];
  return (
    <AnchoredMenu {...menu} label="Sync" width={280}>
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
          Retry{attempts > 0 && ` (${attempts} of ${ATTEMPTS} used)`}
        </Menu.Item>
      )}
      <Menu.Item
        disabled={!active && error === null}
        onClick={() => {
          if (!active && timedOut.length > 0) retry(...timedOut);
          setDialogOpened(true);
        }}
      >
        Show Progress
      </Menu.Item>
      {(active || error !== null) && <Menu.Item onClick={clear}>Clear Sync State</Menu.Item>}
    </AnchoredMenu>
  );
}
