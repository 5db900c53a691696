import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useSession } from './session.tsx';

/**
 * Signs out and leaves: the avatar menu's Log out ends at `/`, the settings' Sign Out at `/login`, and a sign-out that failed
 * at `/login` in both cases (server specification, section 8).
 */
export function useSignOut(to: '/' | '/login'): () => Promise<void> {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return useCallback(async () => {
    const told = await signOut();
    if (told) await navigate({ to });
    else await navigate({ to: '/login', search: { error: 'logout_failed' } });
  }, [navigate, signOut, to]);
}
