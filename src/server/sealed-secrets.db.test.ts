import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { aChannel, aRepository, aUser } from '../../test/support/stored.ts';
import { keysAt, keysOfFolder, storeKeys } from './db/key-file.ts';
import type { OpenDatabase } from './db/open.ts';
import {
  droppingOldKeys,
  type KeyStore,
  keyChanges,
  resealSecrets,
  rotateKey,
  sealedColumns,
} from './sealed-secrets.ts';
import { type SecretBox, sealedAs, secretBox } from './secret-box.ts';

/** Keys change while everything goes on: what is stored can always be opened with what is on the disk. */
const [OLD, NEW, LOST] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
let database: OpenDatabase;
let people: number[];
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await db.deleteFrom('repositories').execute();
  await db.deleteFrom('users').execute();
  await sql`delete from revocations`.execute(db);
  folder = await mkdtemp(join(tmpdir(), 'mergelight-keys-'));
  people = [];
  for (let at = 0; at < 4; at += 1) people.push(await aUser(db));
});

/** Tokens of everybody, the secret of a webhook and a channel, sealed by this box. */
async function sealEverything(box: SecretBox): Promise<void> {
  const { db } = database;
  await db.deleteFrom('credentials').execute();
  for (const user_id of people) {
    await sql`
      insert into credentials (user_id, token_encrypted, refresh_token_encrypted, updated_at)
      values (${user_id}, ${box.seal(`token ${user_id}`, sealedAs.token(user_id))},
        ${box.seal(`refresh ${user_id}`, sealedAs.refreshToken(user_id))}, now())`.execute(db);
    await sql`
      insert into former_credentials (grant_id, user_id, token_encrypted, replaced_at)
      values (nextval('grants'), ${user_id}, ${box.seal(`former ${user_id}`, sealedAs.token(user_id))}, now())`.execute(
      db,
    );
  }
  const id = await aRepository(db, 'acme/web');
  const { webhook_key } = await db
    .selectFrom('repositories')
    .select('webhook_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const sealed = box.seal('webhook', sealedAs.webhookSecret(webhook_key));
  await db.updateTable('repositories').set({ webhook_secret_encrypted: sealed }).where('id', '=', id).execute();
  await sql`
    insert into webhook_old_secrets (repository_id, secret_encrypted, taken_until)
    values (${id}, ${box.seal('former webhook', sealedAs.webhookSecret(webhook_key))}, now())`.execute(db);
  await sql`
    insert into revocations (host, what, token_encrypted, refresh_token_encrypted, requested_at, due_at)
    values ('h', 'token', ${box.seal('to end', sealedAs.revocation)}, ${box.seal('to end', sealedAs.revocation)}, now(), now())`.execute(
    db,
  );
  const channel = await aChannel(db, box, people[0]!, 'https://example.org/hook', {
    secret: 'channel secret',
  });
  await sql`
    insert into unsubscribe_tokens (token_hash, user_id, kind, token_encrypted, created_at, good_until)
    values (${`hash ${channel}`}, ${people[0]!}, 'daily', ${box.seal('stop', sealedAs.unsubscribeToken(`hash ${channel}`))}, now(), now())`.execute(
    db,
  );
}

/** How many stored secrets these keys open, and how many they don't. */
async function readable(keys: readonly Buffer[]): Promise<{ opened: number; not: number }> {
  const box = secretBox(keys);
  let [opened, not] = [0, 0];
  for (const { table, column, owner, as } of sealedColumns) {
    const { rows } = await sql<{ owner: string; sealed: string }>`
      select ${sql.raw(owner)}::text as owner, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(database.db);
    for (const row of rows) {
      try {
        box.open(row.sealed, as(row.owner));
        opened += 1;
      } catch {
        not += 1;
      }
    }
  }
  return { opened, not };
}

const inFolder: KeyStore = { store: (keys) => storeKeys(folder, keys) };

test('every column that holds something sealed is sealed again', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%encrypted%' order by 1`.execute(database.db);

  expect(rows.map(({ name }) => name)).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort());
});

test('what an earlier key sealed opens with it, and is sealed again with the first one', async () => {
  await sealEverything(secretBox(OLD));
  const box = secretBox([NEW, OLD]);

  expect(await readable([NEW, OLD])).toEqual({ opened: 19, not: 0 });
  expect(await resealSecrets(database.db, box)).toEqual({ resealed: 19, unreadable: 0 });
  expect(await readable([NEW])).toEqual({ opened: 19, not: 0 });
  expect(await resealSecrets(database.db, box)).toEqual({ resealed: 0, unreadable: 0 });
});

test('secrets are found in whatever schema the tables are', async () => {
  await sealEverything(secretBox(OLD));
  const { db } = database;
  await db.connection().execute(async (one) => {
    await sql`alter schema public rename to elsewhere`.execute(one);
    await sql`set search_path = elsewhere`.execute(one);
    try {
      expect(await resealSecrets(one, secretBox([NEW, OLD]))).toEqual({ resealed: 19, unreadable: 0 });
    } finally {
      await sql`alter schema elsewhere rename to public`.execute(one);
      await sql`reset search_path`.execute(one);
    }
  });
});

test('a secret that no key opens is counted and stops none of the others', async () => {
  await sealEverything(secretBox(OLD));
  const sealed = secretBox(LOST).seal('lost', sealedAs.token(people[0]!));
  await database.db
    .updateTable('credentials')
    .set({ token_encrypted: sealed })
    .where('user_id', '=', people[0]!)
    .execute();

  expect(await resealSecrets(database.db, secretBox([NEW, OLD]))).toEqual({ resealed: 18, unreadable: 1 });
  expect(await readable([NEW])).toEqual({ opened: 18, not: 1 });
});

test('a token that is stored while secrets are sealed again stays', async () => {
  await sealEverything(secretBox(OLD));
  const box = secretBox([NEW, OLD]);
  const stored = box.seal('newer', sealedAs.token(people[1]!));
  const racing: SecretBox = {
    ...box,
    isSealedWithFirst: (...row) => box.isSealedWithFirst(...row),
    seal: (secret, as) => (secret === `token ${people[1]}` ? 'what was read is gone' : box.seal(secret, as)),
  };
  const before = await database.db
    .updateTable('credentials')
    .set({ token_encrypted: stored })
    .where('user_id', '=', people[1]!)
    .returning('token_encrypted')
    .executeTakeFirstOrThrow();

  await resealSecrets(database.db, racing);

  const after = await database.db
    .selectFrom('credentials')
    .select('token_encrypted')
    .where('user_id', '=', people[1]!)
    .executeTakeFirstOrThrow();
  expect(after).toEqual(before);
});

test('wherever a rotation dies, the keys on the disk open everything', async () => {
  const first = await keysOfFolder(folder);
  await sealEverything(secretBox(first));

  for (let dies_at = 0; ; dies_at += 1) {
    // A process that starts again knows what is on the disk, and nothing else.
    const box = secretBox(await keysOfFolder(folder));
    let steps = 0;
    const step = () => {
      steps += 1;
      if (steps > dies_at) throw new Error('killed');
    };
    const dying: SecretBox = {
      ...box,
      get keys() {
        return box.keys;
      },
      isSealedWithFirst: (...row) => box.isSealedWithFirst(...row),
      seal(...secret) {
        step();
        return box.seal(...secret);
      },
      replaceKeys(keys) {
        step();
        box.replaceKeys(keys);
      },
    };
    const store: KeyStore = {
      async store(keys) {
        step();
        await inFolder.store(keys);
        step();
      },
    };
    const died = await rotateKey(database.db, dying, keyChanges(dying, store)).then(
      () => false,
      () => true,
    );
    expect(await readable(await keysOfFolder(folder)), `died after ${dies_at} steps`).toEqual({ opened: 19, not: 0 });
    if (!died) break;
  }
});

test('a key is taken out of the folder when nothing was sealed with it for a minute, and only then', async () => {
  let time = Date.parse('2026-03-29T12:00:00Z');
  const first = await keysOfFolder(folder);
  const box = secretBox(first);
  await sealEverything(box);
  const change = keyChanges(box, inFolder);
  const dropOldKeys = droppingOldKeys(database.db, box, change, () => new Date(time));
  const late = box.seal('late', sealedAs.token(people[2]!));

  await dropOldKeys();
  expect(await keysOfFolder(folder)).toEqual(first);
  await rotateKey(database.db, box, change);
  expect(await keysOfFolder(folder)).toHaveLength(2);

  await dropOldKeys();
  // Sealed before the rotation, stored after it.
  await database.db
    .updateTable('credentials')
    .set({ token_encrypted: late })
    .where('user_id', '=', people[2]!)
    .execute();
  time += 60_000;
  await dropOldKeys();
  expect(await keysOfFolder(folder)).toHaveLength(2);
  for (let minute = 0; minute < 2; minute += 1) {
    time += 60_000;
    await dropOldKeys();
  }

  const [only, ...none] = await keysOfFolder(folder);
  expect(none).toEqual([]);
  expect(only).not.toEqual(first[0]);
  expect(await readable([only!])).toEqual({ opened: 19, not: 0 });
  expect(box.keys).toEqual([only]);
});

test('rotations beside each other, and beside old keys that are dropped, lose no key', async () => {
  let time = Date.parse('2026-03-29T12:00:00Z');
  const box = secretBox(await keysOfFolder(folder));
  await sealEverything(box);
  // How long each change takes to be kept: one that began later could be done sooner.
  const waits = [20, 150, 300, 20];
  const change = keyChanges(box, {
    async store(keys) {
      await pause(waits.shift());
      await inFolder.store(keys);
    },
  });
  const dropOldKeys = droppingOldKeys(database.db, box, change, () => new Date(time));
  const rotate = () => rotateKey(database.db, box, change);
  const expectReadable = async () => {
    expect(await keysOfFolder(folder)).toEqual(box.keys);
    expect(await readable(box.keys)).toEqual({ opened: 19, not: 0 });
  };

  await Promise.all([rotate(), rotate()]);
  expect(box.keys).toHaveLength(3);
  await expectReadable();

  for (let look = 0; look < 2; look += 1) await dropOldKeys();
  time += 60_000;
  const dropping = dropOldKeys();
  await expect.poll(() => waits, { interval: 5 }).toHaveLength(1);
  await Promise.all([dropping, rotate()]);
  expect(box.keys).toHaveLength(2);
  await expectReadable();
});

test('a key that is set beside the folder’s seals, and what the folder’s has sealed opens', async () => {
  await sealEverything(secretBox(await keysOfFolder(folder)));

  const keys = await keysAt(folder, { secret_keys: [NEW], previous_keys: [] });

  expect(keys[0]).toEqual(NEW);
  expect(await readable(keys)).toEqual({ opened: 19, not: 0 });
});

test('the key’s file is its owner’s alone, and nothing else is left beside it', async () => {
  await keysOfFolder(folder);
  await storeKeys(folder, [NEW, OLD]);

  expect(await keysOfFolder(folder)).toEqual([NEW, OLD]);
  expect(await readdir(folder)).toEqual(['secret-key']);
  if (process.platform !== 'win32') expect((await stat(join(folder, 'secret-key'))).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});
