import { Center, Loader, VisuallyHidden } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useSession } from './session.tsx';

/** Lets signed-in people through; `loading` while the session loads, then `/login` for everyone else. */
export function Guard({ loading, children }: { loading: ReactNode; children: ReactNode }) {
  const session = useSession();
  const navigate = useNavigate();
  const signedOut = session.status === 'signed-out';
  const expired = signedOut && session.expired;
  const { takeLeave } = session;
  useEffect(() => {
    if (!signedOut) return;
    const leave = takeLeave();
    if (leave !== null) {
      void navigate(leave.failed ? { to: '/login', search: { error: 'logout_failed' } } : { to: leave.to });
      return;
    }
    const { pathname, search, hash } = window.location;
    const told = expired ? { error: 'session_expired' as const } : {};
    void navigate({ to: '/login', replace: true, search: { return_to: `${pathname}${search}${hash}`, ...told } });
  }, [signedOut, expired, navigate, takeLeave]);
  if (session.status === 'loading') return loading;
  return session.status === 'signed-in' ? children : <SessionLoading />;
}

/** What stands in for a page while it is not known who is looking. */
export function SessionLoading() {
  return (
    <main>
      <VisuallyHidden component="h1">Mergelight</VisuallyHidden>
      <Center mih="100vh" role="status">
        <Loader size="sm" />
        <VisuallyHidden>Loading</VisuallyHidden>
      </Center>
    </main>
  );
}
