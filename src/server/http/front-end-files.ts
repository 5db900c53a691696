import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';

const DAY = 86_400_000;
/** How long the files of a version are kept after its last process said that it runs, in milliseconds: pages stay open for weeks. */
const KEPT_FOR = 90 * DAY;
/** How often it is asked at most which files there are, in milliseconds, however many are asked for. */
const LOOK_AT_MOST_EVERY = 1000;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** A file that pages load, compressed by brotli. */
export interface FrontEndFile {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Keeps what the pages of this version load, for processes of other versions: where versions run side by side, a browser that has the page of
 * one asks any of them for its files (docs/operating.md#a-rolling-upgrade). Now, and once a day as long as this process runs; what none ran with
 * for 90 days goes. Returns what ends that.
 */
export async function keepFrontEndFiles(
  db: Kysely<Database>,
  folder: string,
  now: () => Date,
  failed: (error: unknown) => void,
): Promise<() => void> {
  const keep = () => keepAsOf(db, folder, now()).catch(failed);
  await keep();
  const timer = setInterval(keep, DAY);
  return () => clearInterval(timer);
}

async function keepAsOf(db: Kysely<Database>, folder: string, now: Date): Promise<void> {
  const assets = join(folder, 'assets');
  const names = await readdir(assets).catch(() => []);
  const loaded = names.filter((name) => extname(name) in types).sort();
  if (loaded.length > 0) {
    const rows = await Promise.all(
      loaded.map(async (name) => ({ name, body: await compressed(assets, name), kept_at: now })),
    );
    // In one order: several processes start at once.
    await db
      .insertInto('front_end_files')
      .values(rows)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ kept_at: now }))
      .execute();
  }
  await db
    .deleteFrom('front_end_files')
    .where('kept_at', '<', new Date(now.getTime() - KEPT_FOR))
    .execute();
}

async function compressed(folder: string, name: string): Promise<Buffer> {
  // The build leaves most of them compressed beside it.
  const beside = await readFile(join(folder, `${name}.br`)).catch(() => null);
  return beside ?? (await promisify(brotliCompress)(await readFile(join(folder, name))));
}

/**
 * Finds files of other versions by their names; null for what no version has. Each is read once, and which there are at most once a second,
 * whatever is asked for.
 */
export function frontEndFiles(db: Kysely<Database>, now: () => Date): (name: string) => Promise<FrontEndFile | null> {
  let looked: { readonly at: number; readonly names: Promise<ReadonlySet<string>> } | null = null;
  const read = new Map<string, Promise<FrontEndFile | null>>();
  const namesNow = async () => {
    const { rows } = await sql<{ name: string }>`select name from front_end_files`.execute(db);
    return new Set(rows.map(({ name }) => name));
  };
  const isThere = async (name: string): Promise<boolean> => {
    const before = await looked?.names.catch(() => null);
    if (before?.has(name)) return true;
    const at = now().getTime();
    if (looked === null || Math.abs(at - looked.at) >= LOOK_AT_MOST_EVERY) looked = { at, names: namesNow() };
    return (await looked.names).has(name);
  };
  const readOne = async (name: string): Promise<FrontEndFile | null> => {
    const row = await db.selectFrom('front_end_files').select('body').where('name', '=', name).executeTakeFirst();
    return row === undefined ? null : { type: types[extname(name)]!, body: row.body };
  };
  return async (name) => {
    if (!(await isThere(name))) return null;
    const file = read.get(name) ?? readOne(name);
    read.set(name, file);
    try {
      return await file;
    } catch (error) {
      // Asked for again next time.
      read.delete(name);
      throw error;
    }
  };
}

/** What the file says. */
export const decompressed = ({ body }: FrontEndFile): Promise<Buffer> => promisify(brotliDecompress)(body);
