/**
 * Works on one person or repository after the other. One that fails is handed to `failed`, and the others go on; a signal that is
 * aborted ends the loop before the next.
 */
export async function eachAlone<Item>(
  items: Iterable<Item>,
  signal: AbortSignal,
  work: (item: Item) => Promise<unknown>,
  failed: (error: unknown, item: Item) => void,
): Promise<void> {
  for (const item of items) {
    if (signal.aborted) return;
    try {
      await work(item);
    } catch (error) {
      failed(error, item);
    }
  }
}
