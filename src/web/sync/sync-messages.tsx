import { Banner } from '../panels/banner.tsx';
import { useSync } from './sync-state.tsx';

/** The green message and the red block of a sync, above a page's content; nothing without news. */
export function SyncMessages() {
  const { message, error, dismissMessage } = useSync();
  return (
    <>
      {message !== null && (
        <Banner meaning="good" onClose={dismissMessage}>
          {message}
        </Banner>
      )}
      {error !== null && <Banner meaning="bad">{error}</Banner>}
    </>
  );
}
