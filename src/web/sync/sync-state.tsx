import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { SyncMode } from '#contract/sync.ts';
import { onSessionExpired } from '../api/client.ts';
import { part } from '../api/part.ts';
import { useHostName } from '../session/session.tsx';
import type { RepositorySync, Surroundings, SyncOutcome, SyncRequest, SyncState } from './run-sync.ts';
import { readUnfinished, rememberUnfinished } from './unfinished.ts';

/** The id of the button that opens the Sync menu: the focus comes back to it. */
export const SYNC_BUTTON = 'sync';

class GivenUp extends Error {}

export interface SyncControl {
  readonly active: boolean;
  /** Null when nothing was synced since the page was loaded or the state was cleared. */
  readonly state: SyncState | null;
  /** The green banner's text. */
  readonly message: string | null;
  /** The red block's text. */
  readonly error: string | null;
  /** Without repositories every connected one; what is started while a sync is under way joins it. */
  readonly start: (mode: SyncMode, ...repositoryIds: readonly number[]) => void;
  /** Tries these again, or all that failed, as resumed sessions where they can be; what timed out is followed. */
  readonly retry: (...failed: readonly RepositorySync[]) => void;
  /** Forgets the state here; the server's work goes on. */
  readonly clear: () => void;
  /** Forgets a repository that was removed: the end of its sync is not told as a failure. */
  readonly forget: (repositoryId: number) => void;
  readonly dismissMessage: () => void;
  readonly dialogOpened: boolean;
  readonly setDialogOpened: (opened: boolean) => void;
}

const SyncDeps = createContext<SyncControl | null>(null);

const loadFlow = part(() => import('./sync-flow.ts'));
type Flow = Awaited<ReturnType<typeof loadFlow>>;
type Work = (
  flow: Flow,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
) => Promise<SyncOutcome | null>;

/** What joins a run is synced in its mode, together with what the run was asked for itself unless the state has that. */
function joinedRequest({ repositoryIds, host }: SyncRequest, running: SyncRequest, isShown: boolean): SyncRequest {
  const both = running.repositoryIds && repositoryIds && [...running.repositoryIds, ...repositoryIds];
  return { mode: running.mode, repositoryIds: isShown ? repositoryIds : both, host };
}

/** Runs syncs for every screen below; leaving a screen or closing the dialog stops none. */
export function SyncProvider({ children }: { children: ReactNode }) {
  const host = useHostName();
  const queries = useQueryClient();
  const [state, setState] = useState<SyncState | null>(null);
  const [active, setActive] = useState(false);
  const [outcome, setOutcome] = useState<SyncOutcome>({ message: null, error: null });
  const [dialogOpened, setDialogOpened] = useState(false);
  /** The run that is listened to; an older one has been given up. */
  const run = useRef(0);
  const latest = useRef<SyncState | null>(null);
  /** What the newest run was asked for. */
  const asked = useRef<SyncRequest>({ mode: 'smart', repositoryIds: null, host });
  /** Whether the state has what the newest run was asked for; not while its repositories are being listed. */
  const isShown = useRef(false);
  const isRunning = useRef(false);
  /** What was removed since the newest run began. */
  const removed = useRef(new Set<number>());

  const show = useCallback((next: SyncState | null) => {
    latest.current = next;
    setState(next);
  }, []);

  const setRunning = useCallback((running: boolean) => {
    isRunning.current = running;
    setActive(running);
  }, []);

  const follow = useCallback(
    async (work: Work) => {
      run.current += 1;
      const mine = run.current;
      const isCurrent = () => run.current === mine;
      const sleep = async (milliseconds: number) => {
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        if (!isCurrent()) throw new GivenUp();
      };
      setRunning(true);
      isShown.current = false;
      setOutcome({ message: null, error: null });
      const gone = new Set<number>();
      removed.current = gone;
      const isRemoved = (id: number) => gone.has(id);
      let flow: Flow;
      try {
        flow = await loadFlow();
      } catch (problem) {
        if (!isCurrent()) return;
        setRunning(false);
        setOutcome({ message: null, error: (problem as Error).message });
        return;
      }
      const onChange = (next: SyncState) => {
        if (!isCurrent()) return;
        isShown.current = true;
        show(next);
        rememberUnfinished(flow.underWay(next));
      };
      try {
        const ended = await work(flow, { now: Date.now, sleep, random: Math.random, isRemoved }, onChange);
        if (!isCurrent()) return;
        setRunning(false);
        rememberUnfinished(flow.unfinishedOf(latest.current));
        if (ended === null) return;
        setOutcome(ended);
        await queries.invalidateQueries();
      } catch (problem) {
        if (!(problem instanceof GivenUp)) throw problem;
      }
    },
    [queries, show, setRunning],
  );

  const start = useCallback(
    (mode: SyncMode, ...ids: readonly number[]) => {
      const wanted = { mode, repositoryIds: ids.length === 0 ? null : ids, host };
      const request = isRunning.current ? joinedRequest(wanted, asked.current, isShown.current) : wanted;
      if (!isRunning.current) show(null);
      const before = latest.current?.repositories;
      asked.current = request;
      void follow((flow, ...surrounded) => flow.runSync(request, flow.syncCalls, ...surrounded, before));
    },
    [follow, show, host],
  );

  const retry = useCallback(
    (...failed: readonly RepositorySync[]) =>
      void follow((flow, ...surrounded) =>
        flow.retrySync(asked.current, latest.current, failed, flow.syncCalls, ...surrounded),
      ),
    [follow],
  );

  const clear = useCallback(() => {
    run.current += 1;
    rememberUnfinished(null);
    setRunning(false);
    show(null);
    setOutcome({ message: null, error: null });
    setDialogOpened(false);
  }, [show, setRunning]);

  const forget = useCallback(
    (id: number) => {
      removed.current.add(id);
      const before = latest.current;
      if (before === null) return;
      const repositories = before.repositories.filter(({ repository }) => repository.id !== id);
      if (repositories.length === 0) return clear();
      show({ ...before, repositories });
      // Its failure may have come first.
      if (!isRunning.current)
        void loadFlow().then(({ outcomeOf }) =>
          setOutcome(({ message }) => ({ message, error: outcomeOf(repositories).error })),
        );
    },
    [clear, show],
  );

  useEffect(() => {
    const unfinished = readUnfinished();
    if (unfinished !== null) {
      const { mode, repositoryIds } = unfinished;
      asked.current = { ...asked.current, mode, repositoryIds };
      void follow((flow, ...surrounded) => flow.takeUp(unfinished, asked.current.host, flow.syncCalls, ...surrounded));
    }
    const giveUp = () => {
      run.current += 1;
    };
    // Without a session nothing is heard of the run: it is taken up after the next sign-in.
    const leave = onSessionExpired(giveUp);
    return () => {
      leave();
      giveUp();
    };
  }, [follow]);

  const dismissMessage = useCallback(() => setOutcome((before) => ({ ...before, message: null })), []);

  const value = useMemo(
    () => ({ active, state, ...outcome, start, retry, clear, forget, dismissMessage, dialogOpened, setDialogOpened }),
    [active, state, outcome, start, retry, clear, forget, dismissMessage, dialogOpened],
  );
  return <SyncDeps value={value}>{children}</SyncDeps>;
}

/** The sync of this page: its state and its controls. */
export function useSync(): SyncControl {
  const value = useContext(SyncDeps);
  if (value === null) throw new Error('useSync needs a SyncProvider above it.');
  return value;
}
