import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RepositoryHistory, World } from '../history.ts';
import { type CargoRow, cargoRepository } from './recorded-cargo.ts';
import { type GuiRow, guiRepository } from './recorded-gui.ts';
import { People } from './recording.ts';

const GUI = 'bitcoin-core-gui.ndjson.gz';
const CARGO = 'rust-lang-cargo.ndjson.gz';

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
