/** What `act` answers, which reads or changes the browser's storage; null where the browser refuses that, as with storage switched off or full. */
export function inStorage<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
