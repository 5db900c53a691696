/** The hourly quota of one account for one kind of request, as the host's headers state it. */
export interface Quota {
  readonly resource: 'core' | 'graphql';
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Epoch milliseconds. */
  readonly resetAt: number;
}

export interface LimitSettings {
  /** Points or requests an hour; null switches the limit off, as an Enterprise Server does by default. */
  graphql: number | null;
  core: number | null;
  anonymous: number | null;
  /** Requests that may run side by side before the secondary limit answers; null for any number. */
  concurrent: number | null;
  /** GraphQL requests a minute before the secondary limit answers; null for any number. */
  perMinute: number | null;
}

const HOUR = 3_600_000;

/**
 * The primary limits (GitHub documentation, rate limits for the REST API): separate for GraphQL and REST, shared by all tokens of an
 * account.
 */
export class Limits {
  readonly settings: LimitSettings = { graphql: 5000, core: 5000, anonymous: 60, concurrent: 100, perMinute: null };
  readonly #windows = new Map<string, { used: number; resetAt: number }>();
  readonly #running = new Map<string, number>();
  readonly #minutes = new Map<string, { minute: number; count: number }>();

  /** The quota as it stands, or null where the limit is off. Someone without a token has `anonymous` as owner. */
  quota(owner: string, resource: Quota['resource'], now: number): Quota | null {
    const limit = owner === 'anonymous' ? this.settings.anonymous : this.settings[resource];
    if (limit === null || this.settings[resource] === null) return null;
    const window = this.#window(owner, resource, now);
    const used = Math.min(window.used, limit);
    return { resource, limit, used, remaining: limit - used, resetAt: window.resetAt };
  }

  /** Takes points off the quota; false when they aren't there any more, and then nothing is taken. */
  charge(owner: string, resource: Quota['resource'], points: number, now: number): boolean {
    const quota = this.quota(owner, resource, now);
    if (quota === null) return true;
    if (quota.remaining < points) return false;
    this.#window(owner, resource, now).used += points;
    return true;
  }

  /** Leaves an account with so much, until the given time (an hour from now when null). */
  leave(owner: string, resource: Quota['resource'], remaining: number, resetAt: number | null, now: number): void {
    const limit = this.settings[resource] ?? 0;
    this.#windows.set(`${owner}/${resource}`, { used: limit - remaining, resetAt: resetAt ?? now + HOUR });
  }

  reset(): void {
    this.#windows.clear();
    this.#minutes.clear();
  }

  /** Notes a request that begins; false when too many of the account run already. */
  enter(owner: string): boolean {
    const running = (this.#running.get(owner) ?? 0) + 1;
    this.#running.set(owner, running);
    return this.settings.concurrent === null || running <= this.settings.concurrent;
  }

  leaveRequest(owner: string): void {
    this.#running.set(owner, (this.#running.get(owner) ?? 1) - 1);
  }

  /** Counts a GraphQL request against the minute; false when the secondary limit is reached. */
  countMinute(owner: string, now: number): boolean {
    const minute = Math.floor(now / 60_000);
    const seen = this.#minutes.get(owner);
    const count = seen?.minute === minute ? seen.count + 1 : 1;
    this.#minutes.set(owner, { minute, count });
    return this.settings.perMinute === null || count <= this.settings.perMinute;
  }

  #window(owner: string, resource: string, now: number): { used: number; resetAt: number } {
    const key = `${owner}/${resource}`;
    let window = this.#windows.get(key);
    if (window === undefined || window.resetAt <= now) {
      window = { used: 0, resetAt: now + HOUR };
      this.#windows.set(key, window);
    }
    return window;
  }
}

/** `x-ratelimit-*` as on every answer; none where the limit is off. */
export function limitHeaders(quota: Quota | null): Record<string, string> {
  if (quota === null) return {};
  return {
    'x-ratelimit-limit': String(quota.limit),
    'x-ratelimit-remaining': String(quota.remaining),
    'x-ratelimit-used': String(quota.used),
    'x-ratelimit-reset': String(Math.floor(quota.resetAt / 1000)),
    'x-ratelimit-resource': quota.resource,
  };
}
