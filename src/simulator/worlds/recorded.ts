import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Account, RepositoryHistory, World } from '../history.ts';
import { person } from './builder.ts';
import { type CargoRow, cargoRepository } from './recorded-cargo.ts';
import { type GuiRow, guiRepository } from './recorded-gui.ts';

const GUI = 'bitcoin-core-gui.ndjson.gz';
const CARGO = 'rust-lang-cargo.ndjson.gz';
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

function rows<Row>(folder: string, file: string): readonly Row[] {
  const path = join(folder, file);
  if (!existsSync(path)) throw new Error(`The recorded world needs ${file} in ${folder}.`);
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

/**
 * Two real repositories: bitcoin-core/gui as the host recorded it, and rust-lang/cargo from its git history, whose reviews are made up
 * (see `recorded-cargo.ts`). Each repository's times are moved by whole weeks, so that its newest lies within the last week.
 * `hebasto` and `epage` sign in; both administer both. Throws where a data set is missing.
 */
export function recordedWorld(folder: string, now: number): World {
  const people = new People();
  const repositories: RepositoryHistory[] = [
    guiRepository(rows<GuiRow>(folder, GUI), people, now),
    cargoRepository(rows<CargoRow>(folder, CARGO), people, now),
  ];
  people.meet('bitcoin-core', { type: 'Organization' });
  people.meet('rust-lang', { type: 'Organization' });
  return {
    name: 'recorded',
    accounts: people.all(),
    teams: [],
    repositories,
    signIn: ['hebasto', 'epage', 'weihanglo'],
  };
}
