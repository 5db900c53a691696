/** The most keys that are remembered; beyond that the windows that began longest ago are forgotten. */
const MOST_KEYS = 50_000;

/** How it stands with a key after one more. */
export interface WindowState {
  /** Whether this one was too many. */
  readonly refused: boolean;
  readonly left: number;
  /** Seconds until the window ends, in which all are there again. */
  readonly reset: number;
}

/** Counts up to `most` of each key in a window of `seconds` that begins with the first of them. */
export class FixedWindows {
  readonly most: number;
  readonly #length: number;
  readonly #now: () => Date;
  /** Those that began last stand last; `began` in epoch milliseconds. */
  readonly #windows = new Map<string | number, { began: number; count: number }>();

  constructor(most: number, seconds: number, now: () => Date) {
    this.most = most;
    this.#length = seconds * 1000;
    this.#now = now;
  }

  take(key: string | number): WindowState {
    const at = this.#now().getTime();
    let window = this.#windows.get(key);
    // One in the future is of before the clock was set back.
    if (window === undefined || at < window.began || at >= window.began + this.#length) {
      window = { began: at, count: 0 };
      this.#windows.delete(key);
      this.#windows.set(key, window);
      if (this.#windows.size > MOST_KEYS) this.#windows.delete(this.#windows.keys().next().value!);
    }
    const refused = window.count >= this.most;
    if (!refused) window.count += 1;
    return { refused, left: this.most - window.count, reset: Math.ceil((window.began + this.#length - at) / 1000) };
  }
}
