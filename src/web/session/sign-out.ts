import { useCallback } from 'react';
import { useSession } from './session.tsx';

/**
 * Signs out and leaves: the avatar menu's Log out ends at `/`, the settings' Sign Out at `/login`, and a sign-out that failed
 * at `/login` in both cases (docs/product.md#screens-and-addresses). The guard does the leaving.
 */
export function useSignOut(to: '/' | '/login'): () => Promise<void> {
  const { signOut } = useSession();
  return useCallback(() => signOut(to), [signOut, to]);
}
