import { useNetwork } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { isHeldBack, onHeldBack } from '../api/client.ts';
import { isDiskFull, onDiskSpace } from '../api/disk-space.ts';
import { useLiveUpdates } from '../api/live-updates.ts';
import { part, showFailedPart, useFailedPart } from '../api/part.ts';
import { askConnectedRepositories } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import { FailureBoundary, ReloadButton } from '../kit/failure-screen.tsx';
import { LazyPart } from '../kit/lazy-part.tsx';
import { Guard } from '../session/guard.tsx';
import { useSession, useUser } from '../session/session.tsx';
import { SyncProvider, useSync } from '../sync/sync-state.tsx';
import { Header, HeaderLoading } from './header.tsx';
import classes from './page.module.css';
import { PageLoading } from './page-loading.tsx';
import { Shortcuts } from './shortcuts.tsx';

const News = lazy(part(() => import('./news.tsx')));
const SignOutQuestion = lazy(part(() => import('./sign-out-question.tsx')));
const SyncDialog = lazy(part(() => import('../sync/sync-dialog.tsx')));

/** Everything around a signed-in screen; `children` stand in for the route's. */
export function SignedInShell({ children = <Outlet /> }: { readonly children?: ReactNode }) {
  return (
    <Guard loading={<ShellLoading />}>
      <SyncProvider>
        <Frame>{children}</Frame>
      </SyncProvider>
    </Guard>
  );
}

/** What is not as usual, loaded when there is something to say. */
function NewsIfAny() {
  const isFull = useSyncExternalStore(onDiskSpace, isDiskFull);
  const isHeld = useSyncExternalStore(onHeldBack, isHeldBack);
  const repositories = useQuery(askConnectedRepositories()).data ?? [];
  const isCounting = repositories.some(({ counting }) => counting !== null);
  const isChecking = repositories.some(({ access }) => access.state === 'checking');
  const { partsMissing, rememberedTeam } =
    useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state }) ?? {};
  const news = { isFull, isHeld, isCounting, isChecking, partsMissing, rememberedTeam };
  return (
    Object.values(news).some(Boolean) && (
      <LazyPart isQuiet>
        <News {...news} />
      </LazyPart>
    )
  );
}

/** The same places before it is known who is looking: nothing in them is anybody's. */
function ShellLoading() {
  return (
    <>
      <HeaderLoading />
      <PageLoading />
    </>
  );
}

/**
 * Which repositories are connected, asked for beside the session, decides what a page begins with: the first steps, news of an import, the
 * date of the data. Waiting for it keeps what stands below from moving. A failure to fetch it holds nothing up, also
 * while what asks again below is waiting for its answer.
 */
function useConnectionsAreKnown(): boolean {
  const { isFetched, fetchStatus } = useQuery(askConnectedRepositories());
  return isFetched || fetchStatus !== 'fetching';
}

/** After a navigation, moves the focus to the new page where the element that had it is gone with the page before. */
function useFocusOnArrival(path: string): void {
  const before = useRef('');
  useEffect(() => {
    if (before.current !== '' && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
}

function Frame({ children }: { readonly children: ReactNode }) {
  const { dialogOpened, setDialogOpened } = useSync();
  const { signingOut, stay, check } = useSession();
  useLiveUpdates(useUser().github_username, check);
  const isKnown = useConnectionsAreKnown();
  // The page that is shown: the address is a step ahead while the next one loads.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' });
  useFocusOnArrival(path);
  return (
    <>
      {isKnown && (
        <a href="#content" className={classes.skip}>
          Skip to content
        </a>
      )}
      <Header />
      <OfflineNote />
      <NewsIfAny />
      {isKnown ? (
        <main id="content" tabIndex={-1} className={classes.main}>
          <FailureBoundary path={path}>{children}</FailureBoundary>
        </main>
      ) : (
        <PageLoading />
      )}
      <Shortcuts />
      {dialogOpened && (
        <LazyPart onFail={() => setDialogOpened(false)}>
          <SyncDialog />
        </LazyPart>
      )}
      {signingOut !== null && (
        <LazyPart onFail={stay}>
          <SignOutQuestion {...signingOut} />
        </LazyPart>
      )}
      <FailedPartNote />
    </>
  );
}

/** Why a part of the page could not be loaded. */
function FailedPartNote() {
  const why = useFailedPart();
  return (
    why !== null && (
      <div className={classes.over}>
        <Banner meaning="watch" aside={<ReloadButton variant="default" />} onClose={() => showFailedPart(null)}>
          {why}
        </Banner>
      </div>
    )
  );
}

function OfflineNote() {
  if (useNetwork().online) return null;
  return (
    <div className={classes.offline}>
      <Banner meaning="watch">
        You are offline. The figures stay as they were; they are fetched again when the network is back.
      </Banner>
    </div>
  );
}
