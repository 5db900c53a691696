/** How long calls of one kind took and how they were answered. */
interface CallTimes {
  /** In milliseconds, of successful calls. */
  readonly times: number[];
  failures: number;
}

/** Timings of calls by kind, e.g. `team-stats`, and how many were answered with each status; 0 is a broken connection. */
export class Timings {
  readonly kinds = new Map<string, CallTimes>();
  readonly statuses = new Map<number, number>();

  add(kind: string, status: number, milliseconds: number): void {
    const known = this.kinds.get(kind) ?? { times: [], failures: 0 };
    this.kinds.set(kind, known);
    if (status >= 200 && status < 300) known.times.push(milliseconds);
    else known.failures += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  get total(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  get failures(): number {
    return [...this.kinds.values()].reduce((sum, { failures }) => sum + failures, 0);
  }
}
