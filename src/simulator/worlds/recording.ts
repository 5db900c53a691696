import type { Account, Size } from '../history.ts';
import { person } from './builder.ts';

const WEEK = 7 * 86_400_000;

/** The accounts of a recording, made while its rows are read. Those whose id isn't recorded get one from their login. */
export class People {
  readonly #known = new Map<string, Account>();

  /** Notes an account; what is known already stays, except that a real id and a type replace made-up ones. */
  meet(login: string | null, more: Partial<Account> = {}): string | null {
    if (login === null || login === '') return null;
    const key = login.toLowerCase();
    const known = this.#known.get(key);
    const type = login.endsWith('[bot]') ? { type: 'Bot' as const } : {};
    if (known === undefined) this.#known.set(key, person(login, { name: null, ...type, ...more }));
    else if (Object.keys(more).length > 0) this.#known.set(key, { ...known, ...more, name: more.name ?? known.name });
    return this.#known.get(key)?.login ?? login;
  }

  all(): readonly Account[] {
    return [...this.#known.values()];
  }
}

/** The whole weeks that bring the newest of the times into the last week before `now`, in milliseconds. Weekday and hour stay as they were. */
export function weeksUpTo(newest: number, now: number): number {
  return Math.floor((now - newest) / WEEK) * WEEK;
}

/** Lines spread evenly over files, the rest on the first. */
export function spread(additions: number, deletions: number, paths: readonly string[]): Size {
  const share = (lines: number, index: number) =>
    Math.floor(lines / paths.length) + (index === 0 ? lines % paths.length : 0);
  const files = paths.map((path, index) => ({
    path,
    additions: share(additions, index),
    deletions: share(deletions, index),
  }));
  return { additions, deletions, files };
}
