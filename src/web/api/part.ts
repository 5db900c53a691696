/**
 * The loading of a part of the application that is fetched when it is first needed, e.g. `lazy(part(() => import('./menu.tsx')))`. Where that
 * fails the error says why, in words for a person: without a network, or because a newer version has replaced the files.
 */
export function part<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      return await load();
    } catch (cause) {
      const words = navigator.onLine
        ? 'This part could not be loaded. Mergelight may have been updated since this page was opened: reload it to go on.'
        : 'You are offline, and this part has not been loaded yet. Reload the page when the network is back.';
      throw new Error(words, { cause });
    }
  };
}
