import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupStream, keyFingerprint, writeBackup } from '../../src/server/backup/backup-file.ts';
import { makeBackup } from '../../src/server/backup/make-backup.ts';
import { postgresqlDump, postgresqlVersion } from '../../src/server/backup/postgresql-backup.ts';
import type { TarEntry } from '../../src/server/backup/tar.ts';
import { keysAt, storeKeys } from '../../src/server/db/key-file.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { type DatabasePlace, type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { sealedAs, secretBox } from '../../src/server/secret-box.ts';
import { openTestDatabase, putMigrated } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { everythingStored, openSyncing } from '../support/syncing.ts';

const onPostgresql = process.env.TEST_DATABASE === 'postgresql';
const key = Buffer.alloc(32, 5);
const now = () => new Date();

describe('a backup', { timeout: 240_000 }, () => {
  let simulator: RunningSimulator;
  let folder: string;
  let database: OpenDatabase;
  let url: string | null = null;
  let noticed: string[];
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    over = false;
    noticed = [];
    simulator = await startSimulator({ world: 'generated', more: ['--count', '300'] });
    folder = mkdtempSync(join(tmpdir(), 'mergelight-backup-'));
    if (onPostgresql) {
      database = await openTestDatabase();
      url = String(database.pool.options.connectionString);
    } else {
      await putMigrated(join(folder, 'from/database'));
      database = await openDatabase({ kind: 'embedded', folder: join(folder, 'from/database') }, unexpected);
    }
    closing.push(() => database.close());
  });
  afterEach(async () => {
    over = true;
    for (const close of closing.splice(0).reverse()) await close();
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const source = (...keys: Buffer[]) => ({
    ...{ database, database_url: url, box: secretBox([key, ...keys]), now },
    notice: (sentence: string) => void noticed.push(sentence),
  });

  /** People whose tokens these keys have sealed, one each. */
  async function peopleSealedBy(...sealing: Buffer[]): Promise<number[]> {
    const people = sealing.map((_, index) => ({
      ...{ host: 'h', host_id: String(index), login: `person-${index}` },
      ...{ created_at: now(), signed_in_at: now() },
    }));
    const users = await database.db.insertInto('users').values(people).returning('id').execute();
    for (const [index, { id }] of users.entries())
      await database.db
        .insertInto('credentials')
        .values({
          user_id: id,
          token_encrypted: secretBox(sealing[index]!).seal('ghp_x', sealedAs.token(id)),
          updated_at: now(),
        })
        .execute();
    return users.map(({ id }) => id);
  }

  /** Runs `npm run restore` in a process, into an empty place, and says what it printed. */
  async function restore(file: string, change: Record<string, string> = {}, ...options: string[]) {
    let place: DatabasePlace = { kind: 'embedded', folder: join(folder, 'to/database') };
    const env: Record<string, string> = { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'to') };
    if (onPostgresql) {
      const empty = new URL(url as string);
      empty.pathname = `/restored_${randomUUID().replaceAll('-', '')}`;
      await database.pool.query(`create database ${empty.pathname.slice(1)}`);
      closing.push(() => database.pool.query(`drop database ${empty.pathname.slice(1)} with (force)`));
      place = { kind: 'postgresql', url: empty.href };
      env.DATABASE_URL = empty.href;
    }
    const child = spawn(process.execPath, ['src/server/restore-command.ts', file, ...options], {
      env: { ...env, SECRET_KEY: key.toString('base64'), ...change },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, output, place };
  }

  it('that is made under an import, restored and synced, equals the host', async () => {
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 30 } });
    const syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const token_encrypted = secretBox(key).seal('ghp_dev-1', sealedAs.token(user));
    await database.db.updateTable('credentials').set({ token_encrypted }).execute();
    await syncing.start(user, repository, 'full', 5);
    const stored = async () => (await database.db.selectFrom('pull_requests').select('number').execute()).length;
    while ((await stored()) < 60) await new Promise((resolve) => setTimeout(resolve, 20));

    const file = join(folder, 'backup.tar.gz');
    await writeBackup(file, await makeBackup(source()));
    const importedSince = await stored();
    await syncing.stop();
    await simulator.control('faults', undefined, 'DELETE');
    const { code, output, place } = await restore(file);

    expect(importedSince).toBeLessThan(300);
    expect(output).toMatch(/^Restored the backup of .+: it opens, .+ 1 repositories, 1 people who signed in\.\n/);
    expect(code).toBe(0);
    // It is in the environment alone: a start that is not given it is refused.
    expect(output.includes('Go on setting SECRET_KEY')).toBe(!onPostgresql);
    const restored = await openDatabase(place, unexpected);
    closing.push(() => restored.close());
    await migrate(restored.db);
    const { rows } = await restored.pool.query("select to_regclass('pull_requests_title_trigrams')::text as name");
    expect(rows).toEqual([{ name: 'pull_requests_title_trigrams' }]);
    const held = (await restored.db.selectFrom('pull_requests').select('number').execute()).length;
    expect(held).toBeGreaterThanOrEqual(60);
    expect(held).toBeLessThan(300);
    // Whoever ran the session is known to be gone after 15 s without a sign of life: here at once.
    await restored.pool.query("update sync_sessions set heartbeat_at = now() - interval '1 minute'");
    const again = openSyncing(restored.db, simulator);
    await again.user('dev-1');
    await again.run(user, repository, 'full');
    await again.stop();
    const disturbed = await everythingStored(restored.db, repository);
    await restored.db.deleteFrom('repositories').execute();
    const calm = openSyncing(restored.db, simulator);
    const fresh = await calm.connect(await calm.user('dev-1'), 'load/big');
    await calm.run(user, fresh, 'full');
    await calm.stop();
    expect(disturbed).toEqual(await everythingStored(restored.db, fresh));
  });

  it('belongs to its owner alone, holds the key’s fingerprint and not the key, and asks for it', async () => {
    const user = await database.db
      .insertInto('users')
      .values({ host: 'h', host_id: '1', login: 'ann', created_at: now(), signed_in_at: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const session = {
      id_hash: 'x',
      user_id: user.id,
      created_at: now(),
      last_used_at: now(),
      grant_id: 1,
      expires_at: new Date(Date.now() + 1e9),
    };
    await database.db.insertInto('sessions').values(session).execute();
    await sql`update users set written_lsn = '16/B374D848'`.execute(database.db);
    // The contents of a dump are longer than what is read at once, as where tables are split into many parts.
    await sql`comment on table people is ${sql.lit('x'.repeat(5_000_000))}`.execute(database.db);
    const file = join(folder, 'sub/backup.tar.gz');

    await writeBackup(file, await makeBackup(source()));

    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'sub'))).toEqual(['backup.tar.gz']);
    const other = Buffer.alloc(32, 6).toString('base64');
    const refused = await restore(file, { SECRET_KEY: other });
    expect(refused.output).toBe(
      `SECRET_KEY: is not the key of this backup, whose fingerprint is ${keyFingerprint(key)}. Set that one, or restore with --without-key: then everybody has to sign in again.\n`,
    );
    const without = await restore(file, { SECRET_KEY: other }, '--without-key');
    expect(without.output).toContain('Without its key: everybody has to sign in again');
    const restored = await openDatabase(without.place, unexpected);
    closing.push(() => restored.close());
    expect(await restored.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    const { rows: users } = await restored.pool.query('select login, written_lsn from users');
    // A position in the log of another server would have this one's read replica wait for it.
    expect(users).toEqual([{ login: 'ann', written_lsn: onPostgresql ? null : '16/B374D848' }]);
  });

  it('that is made while keys are changed names every key that something in it needs, and no other, and asks for all of them', async () => {
    const [earlier, unused] = [Buffer.alloc(32, 6), Buffer.alloc(32, 7)];
    await peopleSealedBy(key, earlier);
    const file = join(folder, 'backup.tar.gz');
    const names = [key, earlier].map(keyFingerprint);

    await writeBackup(file, await makeBackup(source(unused, earlier)));

    const refused = await restore(file);
    expect(refused.output).toBe(
      `SECRET_KEY: this backup was made while keys were changed and needs 2 of them, with the fingerprints ${names.join(', ')}; ${names[1]} is missing. Set SECRET_KEY to the first and SECRET_KEY_PREVIOUS to the others, or restore with --without-key: then whoever a missing one concerns has to sign in again.\n`,
    );
    const both = await restore(file, { SECRET_KEY_PREVIOUS: earlier.toString('base64') });
    expect(both).toMatchObject({ code: 0 });
    expect(both.output).not.toContain('has to sign in again');
    expect(both.output).not.toContain('open with none of the keys');
    // They are kept nowhere else.
    expect(both.output).toContain('Go on setting SECRET_KEY_PREVIOUS beside SECRET_KEY');
    expect(both.output).toContain(`the earlier key ${names[1]} (fingerprint)`);
    expect(noticed).toEqual([]);
  });

  it('brings back what was ended since, which the restore says and --end-access ends', async () => {
    const [user_id] = await peopleSealedBy(key);
    const token = { user_id: user_id!, name: 'x', scopes: ['read:mine'], created_at: now() };
    await database.db
      .insertInto('api_tokens')
      .values([
        { ...token, token_hash: 'in force', expires_at: new Date(Date.now() + 1e9) },
        { ...token, token_hash: 'has ended', expires_at: new Date(Date.now() - 1e9) },
      ])
      .execute();
    const file = join(folder, 'backup.tar.gz');
    await writeBackup(file, await makeBackup(source()));
    await database.db.deleteFrom('users').execute();
    const tokensIn = async (place: DatabasePlace) => {
      const restored = await openDatabase(place, unexpected);
      const rows = await restored.db.selectFrom('api_tokens').select('token_hash').orderBy('id').execute();
      await restored.close();
      return rows.map(({ token_hash }) => token_hash);
    };

    const back = await restore(file);
    expect(back.output).toContain('Accounts deleted since the backup are back. Personal tokens in force: 1,');
    expect(await tokensIn(back.place)).toEqual(['in force', 'has ended']);

    rmSync(join(folder, 'to'), { recursive: true, force: true });
    const ended = await restore(file, {}, '--end-access');
    expect(ended.output).toContain('\nAll sessions and personal tokens have ended: ');
    expect(await tokensIn(ended.place)).toEqual([]);
  });

  it('is not made with a key that opens nothing of what is stored; what a lost key has sealed is told of and stops none', async () => {
    const [stale, lost] = [Buffer.alloc(32, 6), Buffer.alloc(32, 7)];
    await peopleSealedBy(key, key, lost);
    const file = join(folder, 'backup.tar.gz');

    await expect(makeBackup({ ...source(), box: secretBox(stale) })).rejects.toThrow(
      'SECRET_KEY: none of the 3 stored secrets opens with the key that is set.',
    );
    await writeBackup(file, await makeBackup(source()));

    expect(noticed).toEqual([expect.stringMatching(/^1 of 3 stored secrets open with none of the keys/)]);
    const { code, output } = await restore(file);
    expect(code).toBe(0);
    expect(output).toContain('\n1 stored secrets open with none of the keys: the people concerned sign in again');
  });

  it('under which a new key is made is given up: its header does not name that', async () => {
    const making = source();
    const file = join(folder, 'backup.tar.gz');

    const backup = await makeBackup(making);
    making.box.replaceKeys([Buffer.alloc(32, 6), key]);

    await expect(writeBackup(file, backup)).rejects.toThrow('The keys were changed while the backup was made');
    expect(existsSync(file)).toBe(false);
  });

  it.runIf(!onPostgresql)('opens after a restore with the keys of its folder alone, which keeps others', async () => {
    const [id] = await peopleSealedBy(key);
    const file = join(folder, 'backup.tar.gz');
    await writeBackup(file, await makeBackup(source()));
    const newer = Buffer.alloc(32, 6);
    const to = join(folder, 'to');
    const settings = [
      { SECRET_KEY: key.toString('base64') },
      { SECRET_KEY: '', SECRET_KEY_PREVIOUS: key.toString('base64') },
    ];
    for (const set of settings) {
      rmSync(to, { recursive: true, force: true });
      mkdirSync(to);
      await storeKeys(to, [newer]);

      const { code, output, place } = await restore(file, set);

      expect(code, output).toBe(0);
      expect(output).not.toContain('Go on setting');
      const keys = await keysAt(to, { secret_keys: null, previous_keys: [] });
      expect(keys).toEqual([newer, key]);
      const restored = await openDatabase(place, unexpected);
      const { token_encrypted } = await restored.db
        .selectFrom('credentials')
        .select('token_encrypted')
        .executeTakeFirstOrThrow();
      await restored.close();
      expect(secretBox(keys).open(token_encrypted, sealedAs.token(id!))).toBe('ghp_x');
    }
  });

  it('that is cut off, changed or none is refused, and leaves nothing that a start takes for a database', async () => {
    const file = join(folder, 'backup.tar.gz');
    await writeBackup(file, await makeBackup(source()));
    const whole = readFileSync(file);
    const broken: [string, Buffer][] = [
      ['cut', whole.subarray(0, whole.length >> 1)],
      ['changed', Buffer.from(whole).fill(0x55, whole.length - 2000, whole.length - 1500)],
      ['none', Buffer.from('not a backup')],
    ];
    for (const [name, bytes] of broken) {
      writeFileSync(file, bytes);
      const { code, output } = await restore(file);
      expect(`${name}: ${output}`).toMatch(/^\w+: The backup .+ cannot be (read|restored) \([^\n]+\)\.\n$/);
      expect(code).toBe(1);
    }
    // An archive that ends early, with more behind its end than is read ahead.
    const archive = gunzipSync(whole).subarray(0, -2 * 512);
    writeFileSync(
      file,
      gzipSync(Buffer.concat([archive.subarray(0, -512), Buffer.alloc(1_000_000), randomBytes(1_000_000)])),
    );
    const { code, output } = await restore(file);
    expect(output).toMatch(/^The backup .+ is not whole: its end is missing\.\n$/);
    expect(code).toBe(1);
    writeFileSync(file, whole);
    if (onPostgresql) {
      expect(await restore(file)).toMatchObject({ code: 0 });
      return;
    }
    expect(existsSync(join(folder, 'to/secret-key'))).toBe(false);
    expect(await restore(file, { SECRET_KEY: '' }, '--without-key')).toMatchObject({ code: 0 });
    // Without one no start would take what was restored.
    expect(existsSync(join(folder, 'to/secret-key'))).toBe(true);
    expect((await restore(file)).output).toMatch(/there is a database in .+ already\. Restore into an empty folder\./);
  });

  it.runIf(onPostgresql)(
    'of a database in which an administrator made extensions is restored without them by a role that may make none',
    async () => {
      // With a table of its own, whose rows are dumped, as PostGIS has one.
      await database.pool.query(`
        create extension pg_stat_statements;
        create table own_rows (id int generated always as identity);
        insert into own_rows default values;
        alter extension pg_stat_statements add table own_rows;
        update pg_extension set extconfig = array['own_rows'::regclass::oid, 'own_rows_id_seq'::regclass::oid], extcondition = array['', '']
        where extname = 'pg_stat_statements'`);
      const file = join(folder, 'backup.tar.gz');
      await writeBackup(file, await makeBackup(source()));
      const name = `owner_${randomUUID().replaceAll('-', '')}`;
      await database.pool.query(`create role ${name} login`);
      closing.push(() => database.pool.query(`drop role ${name}`));
      await database.pool.query(`create database ${name} owner ${name}`);
      closing.push(() => database.pool.query(`drop database ${name} with (force)`));
      const place = new URL(url as string);
      place.username = name;
      place.pathname = `/${name}`;

      const { code, output } = await restore(file, { DATABASE_URL: place.href });

      expect(output).toMatch(/^Restored the backup of /);
      expect(code).toBe(0);
      const restored = await openDatabase({ kind: 'postgresql', url: place.href }, unexpected);
      closing.push(() => restored.close());
      const { rows } = await restored.pool.query('select extname from pg_extension order by 1');
      expect(rows).toEqual([{ extname: 'plpgsql' }]);
      await migrate(restored.db);
      const { rows: index } = await restored.pool.query(
        "select to_regclass('pull_requests_title_trigrams')::text as name",
      );
      expect(index).toEqual([{ name: 'pull_requests_title_trigrams' }]);
    },
  );

  it.runIf(onPostgresql)(
    'that newer programs made of an older server is restored there by them, from an address that `pg` takes and libpq does not',
    async () => {
      const address = new URL(url as string);
      const nameless = (path: string) =>
        `postgresql://${address.username}:50%off@${path}?host=${address.hostname}&port=${address.port}&uselibpqcompat=true`;
      // A row that looks like what is left out of the script's head.
      const line = 'SET tomorrows_timeout = 0;';
      await sql`create table lines as select ${line} as line`.execute(database.db);
      const file = join(folder, 'backup.tar.gz');
      const header = {
        format: 1,
        database: 'postgresql',
        postgresql: await postgresqlVersion(database),
        created_at: now().toISOString(),
        key_fingerprint: keyFingerprint(key),
      } as const;
      await writeBackup(file, backupStream(header, ofTomorrow(postgresqlDump(database, nameless(address.pathname)))));
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'bin/pg_restore'), tomorrowsRestore);
      chmodSync(join(folder, 'bin/pg_restore'), 0o755);

      const { code, output, place } = await restore(file, {
        PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      });

      expect(output).toMatch(/^Restored the backup of /);
      expect(code).toBe(0);
      const restored = await openDatabase(place, unexpected);
      closing.push(() => restored.close());
      expect((await restored.pool.query('select line from lines')).rows).toEqual([{ line }]);
    },
  );
});

/** A dump as a `pg_dump` of a later version writes it: in a format that today's `pg_restore` refuses. */
async function* ofTomorrow(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
  let isFirst = true;
  for await (const { content, ...entry } of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    const bytes = Buffer.concat(chunks);
    // Behind `PGDMP` and the major version.
    if (isFirst) bytes[6]! += 40;
    isFirst = false;
    yield { ...entry, content: [bytes] };
  }
}

/** A `pg_restore` of a later version: it reads that format, and sets what today's server does not know. */
const tomorrowsRestore = `#!/bin/sh
PATH='${process.env.PATH}'
case "$*" in
  --version) echo 'pg_restore (PostgreSQL) 99.1'; exit ;;
  *--dbname=*) for argument; do case $argument in --dbname=*) psql "$argument" -c 'SET tomorrows_timeout = 0' || exit 1 ;; esac; done ;;
esac
{ dd bs=1 count=6; printf "\\\\$(printf %o $(($(dd bs=1 count=1 | od -An -tu1) - 40)))"; cat; } 2>/dev/null |
  pg_restore "$@" | sed '/^SET lock_timeout = 0;$/a SET tomorrows_timeout = 0;'
`;

/** Dropping a database can cut a connection that is just saying goodbye. */
let over = false;

function unexpected(error: Error): void {
  if (!over) throw error;
}
