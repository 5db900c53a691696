import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { User } from '#contract/session.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { ApiError, api, onSessionExpired } from '../api/client.ts';
import { inStorage } from './in-storage.ts';

/** What the browser keeps of a session (docs/product.md#screens-and-addresses); the server's own session decides. */
export interface Session {
  readonly id: string;
  readonly user_id: number;
  /** ISO 8601, 7 days from when it was made. */
  readonly expires_at: string;
}

/** Whether the server knows no session any more. */
const hasEnded = (error: unknown) => error instanceof ApiError && error.status === 401;

/** How long what was asked is taken for true when the page is looked at again (milliseconds). */
const CHECKED_FOR = 5_000;

const SEVEN_DAYS = 7 * 24 * 3_600_000;

/** Makes the browser's session object: a placeholder id, and an end 7 days from `now` (epoch milliseconds). */
function clientSession(user: User, now: number): Session {
  return { id: 'current', user_id: user.id, expires_at: new Date(now + SEVEN_DAYS).toISOString() };
}

export type SessionState =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-in'; readonly user: User; readonly session: Session }
  | {
      readonly status: 'signed-out';
      readonly expired: boolean;
      /** Why the server could not say who is signed in; null where it did. */
      readonly unchecked: Error | null;
    };

/** Under this key the browser, and each tab, keeps whose its storage is. */
const KEPT_FOR = 'user';

function emptyStorage(): void {
  inStorage(() => localStorage.clear());
  inStorage(() => sessionStorage.clear());
}

/** Empties the browser's storage where it is another person's: of one whose session ended without a sign-out, or with one in another tab. */
function keepFor(user: string): void {
  if ((inStorage(() => localStorage.getItem(KEPT_FOR)) ?? user) !== user) emptyStorage();
  // A tab's own storage is emptied by no other tab.
  if ((inStorage(() => sessionStorage.getItem(KEPT_FOR)) ?? user) !== user) inStorage(() => sessionStorage.clear());
  inStorage(() => localStorage.setItem(KEPT_FOR, user));
  inStorage(() => sessionStorage.setItem(KEPT_FOR, user));
}

/** Where a sign-out leads. */
export interface Leave {
  readonly to: '/' | '/login';
  readonly failed: boolean;
}

/** A sign-out that waits for what becomes of the token. */
export interface SigningOut {
  readonly to: '/' | '/login';
  /** False where it could not be found out whether there are other sessions. */
  readonly isLast: boolean;
}

interface SessionActions {
  /** Asks the server once more who is signed in, where it could not say, or where that may have changed. */
  readonly check: () => void;
  /** Takes up the user whom a sign-in or a change of settings answered with. */
  readonly signedIn: (user: User) => void;
  /** Signs out; before the last session ends, the person is asked what becomes of their token (`signingOut`). */
  readonly signOut: (to: '/' | '/login') => Promise<void>;
  /** The sign-out about which the person is being asked; null when they are not. */
  readonly signingOut: SigningOut | null;
  /** The person stays. */
  readonly stay: () => void;
  /** Ends the session on the server and here; the guard then leads to `to`, or to `/login` where the server could not be told. */
  readonly endSession: (to: '/' | '/login', background: boolean) => Promise<void>;
  /** Ends it here alone, where the server has ended it. */
  readonly leave: (to: '/' | '/login') => void;
  /** Where a sign-out leads, told once; null when nobody signed out. */
  readonly takeLeave: () => Leave | null;
}

/** Who is signed in, for `useSession`; given by `SessionProvider`. */
export const SessionContext = createContext<(SessionState & SessionActions) | null>(null);

/** Checks the session when the app starts, where that failed, and when it may have changed elsewhere; keeps it for every screen below. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ status: 'loading' });
  const queries = useQueryClient();
  const [signingOut, setSigningOut] = useState<SigningOut | null>(null);
  const whereTo = useRef<Leave | null>(null);
  /** True while a sign-out is under way: other requests may then get a 401, which does not mean that the session expired. */
  const isEnding = useRef(false);
  /** Who is signed in here; null when nobody is. */
  const whose = useRef<User | null>(null);
  /** Whom a sign-out left that failed: another tab, in which they still are, does not sign them in here again. */
  const left = useRef<User | null>(null);

  const signedIn = useCallback((user: User) => {
    if (whose.current !== null && whose.current.id !== user.id) {
      // Another tab signed somebody else in: nothing of what is here is theirs.
      inStorage(() => sessionStorage.clear());
      window.location.reload();
      return;
    }
    whose.current = user;
    left.current = null;
    keepFor(String(user.id));
    setState({ status: 'signed-in', user, session: clientSession(user, Date.now()) });
  }, []);

  const expire = useCallback(() => {
    if (isEnding.current) return;
    whose.current = null;
    queries.clear();
    setSigningOut(null);
    setState((before) =>
      before.status === 'signed-in' ? { status: 'signed-out', expired: true, unchecked: null } : before,
    );
  }, [queries]);
  useEffect(() => onSessionExpired(expire), [expire]);

  const checkedAt = useRef(0);
  const check = useCallback(() => {
    checkedAt.current = Date.now();
    const before = whose.current;
    api.getSession().then(
      (user) => {
        // Meanwhile they signed out, or chose something else.
        if (whose.current !== before) return;
        signedIn(user);
        // What is on screen was counted by other days.
        if (before !== null && before.time_zone !== user.time_zone) void queries.invalidateQueries();
      },
      (error: Error) => {
        if (hasEnded(error)) expire();
        setState((before) =>
          before.status === 'loading' || (before.status === 'signed-out' && before.unchecked !== null)
            ? { status: 'signed-out', expired: false, unchecked: hasEnded(error) ? null : error }
            : before,
        );
      },
    );
  }, [signedIn, expire, queries]);
  useEffect(check, [check]);

  useEffect(() => {
    // Another tab, or another device, may have chosen another time zone, or ended the session.
    const onVisibility = () => {
      if (!document.hidden && whose.current !== null && Date.now() - checkedAt.current > CHECKED_FOR) check();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }, [check]);

  const { status } = state;
  useEffect(() => {
    // Nothing is known here yet: the first answer says who is signed in.
    if (status === 'loading') return;
    // Another tab signed out, which empties what is kept, or signed somebody in: here too, then.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === KEPT_FOR && newValue === String(left.current?.id)) return;
      if (key === KEPT_FOR || (key === null && status === 'signed-in')) check();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [check, status]);

  const leaveFor = useCallback(
    (where: Leave) => {
      left.current = where.failed ? whose.current : null;
      whose.current = null;
      emptyStorage();
      queries.clear();
      whereTo.current = where;
      setSigningOut(null);
      setState({ status: 'signed-out', expired: false, unchecked: null });
    },
    [queries],
  );
  const leave = useCallback((to: '/' | '/login') => leaveFor({ to, failed: false }), [leaveFor]);

  const endSession = useCallback(
    async (to: '/' | '/login', background: boolean) => {
      isEnding.current = true;
      const failed = await api.signOut({ body: { background } }).then(
        () => false,
        () => true,
      );
      isEnding.current = false;
      leaveFor({ to: failed ? '/login' : to, failed });
    },
    [leaveFor],
  );

  const isDemo = state.status === 'signed-in' && state.user.host === DEMO_HOST;
  const signOut = useCallback(
    async (to: '/' | '/login') => {
      isEnding.current = true;
      // The demo's token is nobody's; and where the server has ended the session there is nothing to ask.
      const sessions = isDemo ? [] : await api.listSessions().catch((error: unknown) => (hasEnded(error) ? [] : null));
      isEnding.current = false;
      if (sessions !== null && sessions.length !== 1) await endSession(to, false);
      else setSigningOut({ to, isLast: sessions !== null });
    },
    [isDemo, endSession],
  );
  const stay = useCallback(() => setSigningOut(null), []);

  const takeLeave = useCallback(() => {
    const taken = whereTo.current;
    whereTo.current = null;
    return taken;
  }, []);

  const value = useMemo(
    () => ({ ...state, check, signedIn, signOut, signingOut, stay, endSession, leave, takeLeave }),
    [state, check, signedIn, signOut, signingOut, stay, endSession, leave, takeLeave],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** The session and what can be done with it. */
export function useSession(): SessionState & SessionActions {
  const value = useContext(SessionContext);
  if (value === null) throw new Error('useSession needs a SessionProvider above it.');
  return value;
}

/** The signed-in user; only below the guard. */
export function useUser(): User {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('useUser is for screens behind the guard.');
  return session.user;
}

/** Whether whoever is signed in looks at the demo, where nothing of pull requests can be changed. */
export function useIsVisitor(): boolean {
  return useUser().host === DEMO_HOST;
}

/** The name to show for {host} to a signed-in person; the demo host is shown as GitHub, which it imitates. */
export function useHostName(): string {
  const session = useSession();
  return session.status === 'signed-in' && session.user.host !== DEMO_HOST ? session.user.host : 'GitHub';
}
