/** After its first failure an item is left alone for so long, after each further one for twice as long, in milliseconds. */
const FIRST_PAUSE = 60_000;
const LONGEST_PAUSE = 3_600_000;

/** When items that failed may be tried again, as one process remembers it. Items are repositories, by their ids. */
export interface Retries {
  /** Those whose pause is not over. */
  paused(): number[];
  /** True when it had not failed before, since it last succeeded: then it is worth a line in the log. */
  failed(id: number): boolean;
  succeeded(id: number): void;
}

export function retriesBy(now: () => Date): Retries {
  const failures = new Map<number, { readonly times: number; readonly again: number }>();
  return {
    paused() {
      const at = now().getTime();
      // A pause that ends later than any can is one of before the clock was set back.
      return [...failures].filter(([, { again }]) => again > at && again <= at + LONGEST_PAUSE).map(([id]) => id);
    },
    failed(id) {
      const times = (failures.get(id)?.times ?? 0) + 1;
      failures.set(id, { times, again: now().getTime() + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (times - 1)) });
      return times === 1;
    },
    succeeded(id) {
      failures.delete(id);
    },
  };
}
