/** What was asked of the host so far, for tests and benchmarks. */
interface Tally {
  requests: number;
  points: number;
  /** Of the answers' bodies. */
  bytes: number;
  notModified: number;
  errors: number;
}

const empty = (): Tally => ({ requests: 0, points: 0, bytes: 0, notModified: 0, errors: 0 });

export class Counters {
  #kinds = new Map<string, Tally>();
  #accounts = new Map<string, Tally>();
  #operations = new Map<string, number>();
  #statuses = new Map<number, number>();

  /** Notes one answered request. `operation` is the GraphQL operation's name or the REST route. */
  count(request: {
    kind: string;
    account: string;
    operation: string;
    status: number;
    points: number;
    bytes: number;
  }): void {
    for (const [tallies, key] of [
      [this.#kinds, request.kind],
      [this.#accounts, `${request.account}/${request.kind}`],
    ] as const) {
      const tally = tallies.get(key) ?? empty();
      tally.requests += 1;
      tally.points += request.points;
      tally.bytes += request.bytes;
      if (request.status === 304) tally.notModified += 1;
      if (request.status >= 400) tally.errors += 1;
      tallies.set(key, tally);
    }
    this.#operations.set(request.operation, (this.#operations.get(request.operation) ?? 0) + 1);
    this.#statuses.set(request.status, (this.#statuses.get(request.status) ?? 0) + 1);
  }

  reset(): void {
    this.#kinds = new Map();
    this.#accounts = new Map();
    this.#operations = new Map();
    this.#statuses = new Map();
  }

  /** `kinds` and `accounts` (`login/kind`) hold tallies, `operations` and `statuses` numbers of requests. */
  report(): Record<'kinds' | 'accounts' | 'operations' | 'statuses', Record<string, unknown>> {
    return {
      kinds: Object.fromEntries(this.#kinds),
      accounts: Object.fromEntries(this.#accounts),
      operations: Object.fromEntries(this.#operations),
      statuses: Object.fromEntries(this.#statuses),
    };
  }
}
