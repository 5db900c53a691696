import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { SyncMode } from '#contract/sync.ts';
import { part } from '../api/part.ts';
import { useHostName } from '../session/session.tsx';
import type { RepositorySync, Surroundings, SyncOutcome, SyncState } from './run-sync.ts';
import { syncCalls } from './sync-calls.ts';
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
  /** Without repositories every connected one. */
  readonly start: (mode: SyncMode, ...repositoryIds: readonly number[]) => void;
  /** Tries everything that failed again; with a repository only that one, as a resumed session where it can be. */
  readonly retry: (failed?: RepositorySync) => void;
  /** Forgets the state here; the server's work goes on. */
  readonly clear: () => void;
  readonly dismissMessage: () => void;
  readonly dialogOpened: boolean;
  readonly setDialogOpened: (opened: boolean) => void;
}

const SyncDeps = createContext<SyncControl | null>(null);

const loadFlow = part(() => import('./run-sync.ts'));
type Flow = Awaited<ReturnType<typeof loadFlow>>;
type Work = (
  flow: Flow,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
) => Promise<SyncOutcome | null>;

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

  const show = useCallback((next: SyncState | null) => {
    latest.current = next;
    setState(next);
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
      const onChange = (next: SyncState) => {
        if (!isCurrent()) return;
        show(next);
        rememberUnfinished({
          mode: next.mode,
          repositoryIds: next.repositories.map(({ repository }) => repository.id),
        });
      };
      setActive(true);
      setOutcome({ message: null, error: null });
      let flow: Flow;
      try {
        flow = await loadFlow();
      } catch (problem) {
        if (!isCurrent()) return;
        setActive(false);
        setOutcome({ message: null, error: (problem as Error).message });
        return;
      }
      try {
        const ended = await work(flow, { now: Date.now, sleep, random: Math.random }, onChange);
        if (!isCurrent()) return;
        setActive(false);
        rememberUnfinished(null);
        if (ended === null) return;
        setOutcome(ended);
        await queries.invalidateQueries();
      } catch (problem) {
        if (!(problem instanceof GivenUp)) throw problem;
      }
    },
    [queries, show],
  );

  const start = useCallback(
    (mode: SyncMode, ...repositoryIds: readonly number[]) =>
      void follow((flow, surroundings, onChange) => {
        const request = { mode, repositoryIds: repositoryIds.length === 0 ? null : repositoryIds, host };
        return flow.runSync(request, syncCalls, surroundings, onChange);
      }),
    [follow, host],
  );

  const retryOne = useCallback(
    ({ repository, answer }: RepositorySync, before: SyncState) =>
      void follow(async (flow, surroundings, onChange) => {
        const change = (next: Partial<RepositorySync>) =>
          onChange(withRepository(latest.current ?? before, repository.id, next));
        const session = answer?.can_resume ? answer.resume_session_id : null;
        if (session !== null) await flow.resumeSync(repository, session, syncCalls, surroundings, change);
        else {
          const request = { mode: before.mode, repositoryIds: [repository.id], host };
          let begun = false;
          const { error } = await flow.runSync(request, syncCalls, surroundings, ({ repositories: [one] }) => {
            begun = true;
            if (one) change(one);
          });
          if (!begun) change({ status: 'failed', error });
        }
        return flow.outcomeOf((latest.current ?? before).repositories);
      }),
    [follow, host],
  );

  const retry = useCallback(
    (chosen?: RepositorySync) => {
      const failed = state?.repositories.filter(({ status }) => status === 'failed') ?? [];
      const one = chosen ?? (failed.length === 1 ? failed[0] : undefined);
      if (state !== null && one !== undefined) retryOne(one, state);
      else start(state?.mode ?? 'smart');
    },
    [retryOne, start, state],
  );

  const clear = useCallback(() => {
    run.current += 1;
    rememberUnfinished(null);
    setActive(false);
    show(null);
    setOutcome({ message: null, error: null });
    setDialogOpened(false);
  }, [show]);

  useEffect(() => {
    const unfinished = readUnfinished();
    if (unfinished === null) return;
    void follow((...surrounded) => goOn(unfinished, ...surrounded));
    return () => {
      run.current += 1;
    };
  }, [follow]);

  const dismissMessage = useCallback(() => setOutcome((before) => ({ ...before, message: null })), []);

  const value = useMemo(
    () => ({ active, state, ...outcome, start, retry, clear, dismissMessage, dialogOpened, setDialogOpened }),
    [active, state, outcome, start, retry, clear, dismissMessage, dialogOpened],
  );
  return <SyncDeps value={value}>{children}</SyncDeps>;
}

/** Takes up what this tab was syncing before its page was loaded again, also what has ended meanwhile; null when there is none of it. */
async function goOn(
  { mode, repositoryIds }: { mode: SyncMode; repositoryIds: readonly number[] },
  flow: Flow,
  surroundings: Surroundings,
  onChange: (state: SyncState) => void,
): Promise<SyncOutcome | null> {
  try {
    const known = await syncCalls.listRepositories();
    const mine = known.filter(({ id }) => repositoryIds.includes(id));
    const answers = await Promise.all(
      mine.map(async (repository) => ({ repository, answer: await syncCalls.progress(repository) })),
    );
    const begun = answers.filter(({ answer }) => answer.status !== 'idle');
    return begun.length === 0 ? null : await flow.followSyncs(begun, mode, syncCalls, surroundings, onChange);
  } catch (error) {
    if (error instanceof GivenUp) throw error;
    // Nobody asked for this look back: without an answer the page is as after any other load.
    return null;
  }
}

function withRepository(state: SyncState, id: number, next: Partial<RepositorySync>): SyncState {
  const repositories = state.repositories.map((one) => (one.repository.id === id ? { ...one, ...next } : one));
  return { ...state, repositories };
}

/** The sync of this page: its state and its controls. */
export function useSync(): SyncControl {
  const value = useContext(SyncDeps);
  if (value === null) throw new Error('useSync needs a SyncProvider above it.');
  return value;
}
