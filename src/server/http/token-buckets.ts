/** So many keys are remembered at most; beyond that those used longest ago are forgotten, which favours their owners. */
const MOST_KEYS = 50_000;

interface Bucket {
  tokens: number;
  /** When `tokens` was right, in epoch milliseconds. */
  at: number;
}

/** Token buckets by key: each holds up to `capacity`, and `perSecond` flow in until it is full. A key never seen is full. */
export class TokenBuckets {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #now: () => Date;
  /** Those used last stand last. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(capacity: number, perSecond: number, now: () => Date) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Takes one token; returns 0, or the seconds until there is one, in which case nothing was taken. */
  take(key: string): number {
    const bucket = this.#filled(key);
    if (bucket.tokens < 1) return this.#secondsUntil(bucket);
    bucket.tokens -= 1;
    return 0;
  }

  /** Takes one token that may not be there yet, and returns in how many seconds it is; never further in advance than `most` seconds. */
  takeInAdvance(key: string, most: number): number {
    const bucket = this.#filled(key);
    bucket.tokens = Math.max(bucket.tokens - 1, -most * this.#perSecond);
    return Math.max(0, -bucket.tokens / this.#perSecond);
  }

  /** Takes what was used, also what is not there: that has to flow in before there is any again. */
  spend(key: string, tokens: number): void {
    this.#filled(key).tokens -= tokens;
  }

  /** Puts back one token that was taken. */
  giveBack(key: string): void {
    this.#filled(key).tokens += 1;
  }

  has(key: string): boolean {
    return this.#buckets.has(key);
  }

  forget(key: string): void {
    this.#buckets.delete(key);
  }

  left(key: string): number {
    return this.#filled(key).tokens;
  }

  secondsUntilNext(key: string): number {
    return this.#secondsUntil(this.#filled(key));
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  #secondsUntil({ tokens }: Bucket): number {
    return Math.max(0, (1 - tokens) / this.#perSecond);
  }

  #filled(key: string): Bucket {
    const at = this.#now().getTime();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#capacity, at };
    // A clock that was set back takes nothing away, and fills from then on.
    const seconds = Math.max(0, at - bucket.at) / 1000;
    bucket.tokens = Math.min(this.#capacity, bucket.tokens + seconds * this.#perSecond);
    bucket.at = at;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MOST_KEYS) this.#forget(at);
    return bucket;
  }

  /** Those that are full again are as good as unknown; where that makes no room, the oldest go. */
  #forget(at: number): void {
    for (const [key, { tokens, at: then }] of this.#buckets)
      if (tokens + ((at - then) / 1000) * this.#perSecond >= this.#capacity) this.#buckets.delete(key);
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= MOST_KEYS * 0.9) return;
      this.#buckets.delete(key);
    }
  }
}
