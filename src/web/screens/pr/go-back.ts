import { useRouter } from '@tanstack/react-router';

/** Returns to the previous page; to the list of pull requests where there is none, as in a tab of its own. */
export function useGoBack(): () => void {
  const router = useRouter();
  return () => (hasPreviousPage() ? router.history.back() : void router.navigate({ to: '/prs' }));
}

/** Where the address was typed into a new tab, the entry before is the browser's own start page: that is no page to return to. */
function hasPreviousPage(): boolean {
  const isOurs = 'navigation' in window ? window.navigation.canGoBack : true;
  return window.history.length > 1 && (isOurs || document.referrer !== '');
}
