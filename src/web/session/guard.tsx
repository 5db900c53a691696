import { Center, Loader, VisuallyHidden } from '@mantine/core';
import { Navigate, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from './session.tsx';

/** Lets signed-in people through; a spinner while the session loads, then `/login` for everyone else. */
export function Guard({ children }: { children: ReactNode }) {
  const session = useSession();
  const { href } = useLocation();
  if (session.status === 'loading') return <SessionLoading />;
  if (session.status === 'signed-out') {
    const expired = session.expired ? { error: 'session_expired' as const } : {};
    return <Navigate to="/login" replace search={{ return_to: href, ...expired }} />;
  }
  return children;
}

/** What stands in for a page while it is not known who is looking. */
export function SessionLoading() {
  return (
    <Center mih="100vh" role="status">
      <Loader size="sm" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}
