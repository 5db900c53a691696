import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { SyncMode } from '#contract/sync.ts';
import { ApiError, api } from '../api/client.ts';
import { useHostName } from '../session/session.tsx';
import {
  type RepositorySync,
  resumeSync,
  runSync,
  type Surroundings,
  type SyncCalls,
  type SyncState,
} from './run-sync.ts';

const calls: SyncCalls = {
  listRepositories: () => api.listConnectedRepositories(),
  start: ({ id, owner, name }, mode) =>
    api.startSync({
      body: {
        repoId: id,
        owner,
        name,
        mode,
        options: { includeCommits: true, includeUserMetadata: true },
        featureOverrides: {
          ROLLOUT_PERCENTAGE: 100,
          USE_GRAPHQL: true,
          ENABLE_RESUME: true,
          ENABLE_PROGRESS_TRACKING: true,
          MAX_CHUNK_SIZE: 30,
        },
      },
    }),
  progress: ({ id }) => api.getSync({ query: { repoId: id } }),
  startFallback: ({ id, owner, name }) =>
    api.startFallbackSync({ body: { repoId: id, owner, name, useGraphQL: true, enableProgress: true } }),
  progressFallback: (sessionId) => api.getSyncProgress({ params: { sessionId } }),
  resume: (sessionId) => api.resumeSync({ params: { sessionId } }),
  isRefusal: (error) =>
    error instanceof ApiError &&
    error.status !== null &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 429,
};

class GivenUp extends Error {}

export interface SyncControl {
  readonly active: boolean;
  /** Null when nothing was synced since the page was loaded or the state was cleared. */
  readonly state: SyncState | null;
  /** The green banner's text. */
  readonly message: string | null;
  /** The red block's text. */
  readonly error: string | null;
  readonly start: (mode: SyncMode, repositoryId?: number) => void;
  /** Tries everything that failed again; with a repository only that one. A session that can be resumed goes on. */
  readonly retry: (failed?: RepositorySync) => void;
  /** Forgets the state here; the server's work goes on. */
  readonly clear: () => void;
  readonly dismissMessage: () => void;
  readonly dialogOpened: boolean;
  readonly setDialogOpened: (opened: boolean) => void;
}

const SyncContext = createContext<SyncControl | null>(null);

/** Runs syncs for every screen below; leaving a screen or closing the dialog stops none. */
export function SyncProvider({ children }: { children: ReactNode }) {
  const host = useHostName();
  const queries = useQueryClient();
  const [state, setState] = useState<SyncState | null>(null);
  const [active, setActive] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [dialogOpened, setDialogOpened] = useState(false);
  /** The run that is listened to; an older one has been given up. */
  const run = useRef(0);

  const follow = useCallback(
    async (
      work: (
        surroundings: Surroundings,
        isCurrent: () => boolean,
      ) => Promise<{ message: string | null; error: string | null }>,
    ) => {
      run.current += 1;
      const mine = run.current;
      const isCurrent = () => run.current === mine;
      setActive(true);
      setMessage(null);
      setError(null);
      const sleep = async (milliseconds: number) => {
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        if (!isCurrent()) throw new GivenUp();
      };
      try {
        const outcome = await work({ now: Date.now, sleep, random: Math.random }, isCurrent);
        if (!isCurrent()) return;
        setActive(false);
        setMessage(outcome.message);
        setError(outcome.error);
        await queries.invalidateQueries();
      } catch (problem) {
        if (!(problem instanceof GivenUp)) throw problem;
      }
    },
    [queries],
  );

  const start = useCallback(
    (mode: SyncMode, repositoryId?: number) =>
      void follow((surroundings, isCurrent) =>
        runSync({ mode, repositoryId: repositoryId ?? null, host }, calls, surroundings, (next) => {
          if (isCurrent()) setState(next);
        }),
      ),
    [follow, host],
  );

  const retry = useCallback(
    (failed?: RepositorySync) => {
      const one = failed ?? state?.repositories.find(({ status }) => status === 'failed');
      if (state === null || one === undefined) return start(state?.mode ?? 'smart');
      const session = one.answer?.can_resume ? one.answer.resume_session_id : null;
      const others = state.repositories.filter(({ status }) => status === 'failed').length > 1;
      if (failed === undefined && others) return start(state.mode);
      if (session === null) return start(state.mode, one.repository.id);
      void follow((surroundings, isCurrent) =>
        resumeSync(one.repository, session, calls, surroundings, (next) => {
          if (!isCurrent()) return;
          setState(
            (before) => before && { ...before, repositories: replaced(before.repositories, one.repository.id, next) },
          );
        }),
      );
    },
    [follow, start, state],
  );

  const clear = useCallback(() => {
    run.current += 1;
    setActive(false);
    setState(null);
    setMessage(null);
    setError(null);
    setDialogOpened(false);
  }, []);

  const dismissMessage = useCallback(() => setMessage(null), []);

  const value = useMemo(
    () => ({ active, state, message, error, start, retry, clear, dismissMessage, dialogOpened, setDialogOpened }),
    [active, state, message, error, start, retry, clear, dismissMessage, dialogOpened],
  );
  return <SyncContext value={value}>{children}</SyncContext>;
}

function replaced(
  all: readonly RepositorySync[],
  id: number,
  next: Partial<RepositorySync>,
): readonly RepositorySync[] {
  return all.map((one) => (one.repository.id === id ? { ...one, ...next } : one));
}

/** The sync of this page: its state and its controls. */
export function useSync(): SyncControl {
  const value = useContext(SyncContext);
  if (value === null) throw new Error('useSync needs a SyncProvider above it.');
  return value;
}
