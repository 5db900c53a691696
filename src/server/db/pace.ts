/** A transaction of background work lasts about so long, in milliseconds: on the embedded database nothing else is asked meanwhile. */
const LASTS = 150;

/** How many rows the next transaction of some background work may change, by how long those before it took. */
export interface Pace {
  readonly batch: number;
  took(rows: number, milliseconds: number): void;
}

export function paceBetween(least: number, most: number): Pace {
  let batch = most;
  return {
    get batch() {
      return batch;
    },
    took(rows, milliseconds) {
      // Of the last few rows nothing can be told.
      if (rows < batch) return;
      const fitting = Math.floor((batch * LASTS) / Math.max(1, milliseconds));
      batch = Math.min(most, Math.max(least, Math.min(fitting, batch * 2)));
    },
  };
}
