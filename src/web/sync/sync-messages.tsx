import { Banner } from '../kit/banner.tsx';
import { useSync } from './sync-state.tsx';

/** The green message and the red block of a sync, above a page's content; nothing without news. */
export function SyncMessages() {
  const { message, error, state, dismissMessage, dialogOpened } = useSync();
  const synced = state?.repositories
    .filter(({ status }) => status === 'done' || status === 'partial')
    .map(({ repository }) => repository.name);
  return (
    <>
      {message !== null && !dialogOpened && (
        <Banner meaning="good" aside={namesOf(synced ?? [])} onClose={dismissMessage}>
          {message}
        </Banner>
      )}
      {error !== null && <Banner meaning="bad">{error}</Banner>}
    </>
  );
}

const MOST_NAMES = 4;

/** "storefront, ledger, courier and 5 more". */
function namesOf(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return names.join(', ');
  return `${names.slice(0, MOST_NAMES - 1).join(', ')} and ${names.length - MOST_NAMES + 1} more`;
}
