import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from './db/database.ts';
import { KEY_BYTES, type SecretBox, sealedAs, secretBox } from './secret-box.ts';

/** Every column in which secrets are sealed: by what its rows are named in `as`. */
export const sealedColumns: readonly {
  readonly table: string;
  readonly column: string;
  /** SQL for what names the row. */
  readonly owner: string;
  readonly as: (owner: string) => string;
}[] = [
  { table: 'credentials', column: 'token_encrypted', owner: 'user_id', as: (id) => sealedAs.token(Number(id)) },
  {
    table: 'credentials',
    column: 'refresh_token_encrypted',
    owner: 'user_id',
    as: (id) => sealedAs.refreshToken(Number(id)),
  },
  { table: 'former_credentials', column: 'token_encrypted', owner: 'user_id', as: (id) => sealedAs.token(Number(id)) },
  {
    table: 'former_credentials',
    column: 'refresh_token_encrypted',
    owner: 'user_id',
    as: (id) => sealedAs.refreshToken(Number(id)),
  },
  { table: 'repositories', column: 'webhook_secret_encrypted', owner: 'webhook_key', as: sealedAs.webhookSecret },
  {
    table: 'webhook_old_secrets',
    column: 'secret_encrypted',
    owner: '(select r.webhook_key from repositories r where r.id = webhook_old_secrets.repository_id)',
    as: sealedAs.webhookSecret,
  },
  {
    table: 'organization_webhooks',
    column: 'webhook_secret_encrypted',
    owner: 'webhook_key',
    as: sealedAs.webhookSecret,
  },
  {
    table: 'notification_channels',
    column: 'target_encrypted',
    owner: 'id',
    as: (id) => sealedAs.channelTarget(Number(id)),
  },
  {
    table: 'notification_channels',
    column: 'secret_encrypted',
    owner: 'id',
    as: (id) => sealedAs.channelSecret(Number(id)),
  },
  { table: 'unsubscribe_tokens', column: 'token_encrypted', owner: 'token_hash', as: sealedAs.unsubscribeToken },
  { table: 'revocations', column: 'token_encrypted', owner: 'id', as: () => sealedAs.revocation },
  { table: 'revocations', column: 'refresh_token_encrypted', owner: 'id', as: () => sealedAs.revocation },
];

/** Rows that are read at once. */
const BATCH = 500;

export interface Resealed {
  /** Secrets that an earlier key had sealed, and the first one has now. */
  readonly resealed: number;
  /** Secrets that none of the keys opens; they are left as they are. */
  readonly unreadable: number;
}

/**
 * Seals every stored secret again that another key than the first one sealed. Each row by itself and only where it is still what was
 * read: what other processes store meanwhile stays.
 */
export async function resealSecrets(db: Kysely<Database>, box: SecretBox): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  for await (const { from, column, of, owner, sealed, as } of sealedSecrets(db)) {
    if (box.isSealedWithFirst(sealed, as)) continue;
    const secret = box.openOrNull(sealed, as);
    if (secret === null) {
      unreadable += 1;
      continue;
    }
    const { numAffectedRows } = await sql`
      update ${from} set ${column} = ${box.seal(secret, as)}
      where ${of}::text = ${owner} and ${column} = ${sealed}`.execute(db);
    resealed += Number(numAffectedRows ?? 0n);
  }
  return { resealed, unreadable };
}

interface KeysInUse {
  /** Those that open what is stored now, and the first one, with which it will be sealed: that one first. */
  readonly keys: readonly Buffer[];
  /** Secrets that one of the keys opens. */
  readonly readable: number;
  /** Secrets that none of them opens. */
  readonly unreadable: number;
}

export async function keysInUse(db: Kysely<Database>, { keys }: Pick<SecretBox, 'keys'>): Promise<KeysInUse> {
  const boxes = keys.map((key) => ({ key, box: secretBox(key) }));
  const used = new Set(keys.slice(0, 1));
  let [readable, unreadable] = [0, 0];
  for await (const { sealed, as } of sealedSecrets(db)) {
    const opening = boxes.find(({ box }) => box.isSealedWithFirst(sealed, as));
    if (opening === undefined) unreadable += 1;
    else {
      readable += 1;
      used.add(opening.key);
    }
  }
  return { keys: keys.filter((key) => used.has(key)), readable, unreadable };
}

/** Every sealed secret, by itself; a database that was just restored may be of a version that had fewer columns. */
async function* sealedSecrets(db: Kysely<Database>) {
  const { rows: stored } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = any(current_schemas(false)) and column_name like '%encrypted'`.execute(db);
  const names = new Set(stored.map(({ name }) => name));
  for (const { table, column, owner, as } of sealedColumns) {
    if (!names.has(`${table}.${column}`)) continue;
    const [from, sealed, of] = [sql.table(table), sql.ref(column), sql.raw(owner)];
    for (let after = ''; ; ) {
      const { rows } = await sql<{ owner: string; sealed: string }>`
        select ${of}::text as owner, ${sealed} as sealed from ${from}
        where ${sealed} is not null and (${of}::text, ${sealed}) > (split_part(${after}, ' ', 1), split_part(${after}, ' ', 2))
        order by ${of}::text, ${sealed} limit ${BATCH}`.execute(db);
      for (const row of rows)
        yield { from, column: sealed, of, owner: row.owner, sealed: row.sealed, as: as(row.owner) };
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) break;
      after = `${last.owner} ${last.sealed}`;
    }
  }
}

/** Where the keys in use are kept, when that is the data folder. */
export interface KeyStore {
  store(keys: readonly Buffer[]): Promise<void>;
}

/** Goes on with the keys that `next` makes of those before, once they are kept. */
export type ChangeKeys = (next: (keys: readonly Buffer[]) => readonly Buffer[]) => Promise<void>;

/** Changes of the keys of this process, one after the other: none begins before the one before it is kept. */
export function keyChanges(box: SecretBox, store: KeyStore): ChangeKeys {
  let last: Promise<unknown> = Promise.resolve();
  return (next) => {
    const change = last.then(async () => {
      const keys = next(box.keys);
      await store.store(keys);
      box.replaceKeys(keys);
    });
    last = change.catch(() => undefined);
    return change;
  };
}

/**
 * `npm run rotate-key` in the process that owns the database: with `change`, a new key is made and kept before anything is sealed with
 * it, beside those before. A process that dies on the way leaves keys that open everything; `dropOldKeys` finishes the work.
 */
export async function rotateKey(db: Kysely<Database>, box: SecretBox, change: ChangeKeys | null): Promise<Resealed> {
  await change?.((keys) => [randomBytes(KEY_BYTES), ...keys]);
  return await resealSecrets(db, box);
}

/**
 * Takes the keys out of the store that nothing is sealed with any more; to be called now and then. Something that was sealed just
 * before a rotation may be stored after it: a key goes when two looks in a row, a minute apart, have found nothing of it.
 */
export function droppingOldKeys(db: Kysely<Database>, box: SecretBox, change: ChangeKeys, now: () => Date) {
  let clean: { readonly first: Buffer; readonly since: number } | null = null;
  return async function dropOldKeys(): Promise<void> {
    const [first] = box.keys;
    if (first === undefined || box.keys.length === 1) return;
    const { resealed } = await resealSecrets(db, box);
    if (resealed > 0 || clean?.first !== first) {
      clean = resealed > 0 ? null : { first, since: now().getTime() };
      return;
    }
    if (now().getTime() - clean.since < 60_000) return;
    await change((keys) => (keys[0] === first ? [first] : keys));
  };
}
