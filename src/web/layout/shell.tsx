import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { useLiveUpdates } from '../api/live-updates.ts';
import { part } from '../api/part.ts';
import { ask } from '../api/query.ts';
import { Banner } from '../panels/banner.tsx';
import { FailureBoundary } from '../panels/failure-screen.tsx';
import { Guard, SessionLoading } from '../session/guard.tsx';
import { SyncProvider, useSync } from '../sync/sync-state.tsx';
import { Header } from './header.tsx';
import classes from './page.module.css';
import { Shortcuts } from './shortcuts.tsx';

const SyncDialog = lazy(part(() => import('../sync/sync-dialog.tsx')));

/** Everything around a signed-in screen. */
export function SignedInShell() {
  return (
    <Guard>
      <SyncProvider>
        <WhenConnectionsAreKnown>
          <Frame />
        </WhenConnectionsAreKnown>
      </SyncProvider>
    </Guard>
  );
}

/**
 * Which repositories are connected, asked for beside the session, decides what a page begins with: the first steps, news of an import, the
 * date of the data. Waiting for it keeps what stands below from moving. A failure to fetch it holds nothing up, also
 * while what asks again below is waiting for its answer.
 */
function WhenConnectionsAreKnown({ children }: { children: ReactNode }) {
  const { isFetched, fetchStatus } = useQuery(ask('listConnectedRepositories', undefined));
  return !isFetched && fetchStatus === 'fetching' ? <SessionLoading /> : children;
}

function Frame() {
  useLiveUpdates();
  const { dialogOpened } = useSync();
  // The page that is shown: the address is a step ahead while the next one loads.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' });
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <Header />
      <OfflineNote />
      <main id="content" tabIndex={-1} className={classes.main}>
        <FailureBoundary path={path}>
          <Outlet />
        </FailureBoundary>
      </main>
      <Shortcuts />
      {dialogOpened && (
        <Suspense>
          <SyncDialog />
        </Suspense>
      )}
    </>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

function OfflineNote() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <div className={classes.offline}>
      <Banner meaning="watch">
        You are offline. The figures stay as they were; they are fetched again when the network is back.
      </Banner>
    </div>
  );
}
