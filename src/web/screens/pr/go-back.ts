import { useRouter } from '@tanstack/react-router';

/** Returns to the previous page; to the list of pull requests where this one was opened in a tab of its own. */
export function useGoBack(): () => void {
  const router = useRouter();
  return () => (window.history.length > 1 ? router.history.back() : void router.navigate({ to: '/prs' }));
}
