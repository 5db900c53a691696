import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { Database } from './database.ts';
import { type OpenDatabase, openDatabase } from './open.ts';
import { convertPartitions } from './partitions.ts';
import { importedTables, refreshStatistics } from './statistics.ts';

describe('what the database knows of its tables', () => {
  let database: OpenDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    // What a server counts by itself meanwhile would do it, too.
    const { rows } = await sql<{ off: string }>`
      select string_agg(format('alter table %s set (autovacuum_enabled = false)', oid::regclass), ';') as off
      from pg_class where relkind = 'r' and relnamespace = to_regnamespace(current_schema()::text)`.execute(
      database.db,
    );
    await sql.raw(rows[0]!.off).execute(database.db);
  });
  afterAll(async () => {
    await database.close();
  });

  it('lets each thing find its pull request by its key, instead of by reading all of the repository', async () => {
    const { db } = database;
    const id = await addRepository(db);
    await addPullRequests(db, id, 1, 400);

    // Several imports may come to it at once.
    await Promise.all([refreshStatistics(db), refreshStatistics(db)]);

    // As the database itself asks when a commit or a comment is stored: planned once, whatever the values.
    const plan = await db.connection().execute(async (one) => {
      const only = sql.raw((await isSplit(one)) ? '' : 'only');
      await sql`set plan_cache_mode = force_generic_plan`.execute(one);
      await sql`prepare of_pull_request as
        select 1 from ${only} pull_requests where repository_id = $1 and number = $2 for key share`.execute(one);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain execute of_pull_request(1, 3)`.execute(one);
      await sql`deallocate of_pull_request`.execute(one);
      await sql`reset plan_cache_mode`.execute(one);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/pull_requests_(p\d+_)?pkey/);
    await db.deleteFrom('repositories').where('id', '=', id).execute();
  });

  it('is counted again when a table has grown, and not before', async () => {
    const { db } = database;
    const known = async () => {
      await refreshStatistics(db);
      const { rows } = await sql<{ rows: number }>`
        select reltuples::int as rows from pg_class where relname = 'pull_requests'`.execute(db);
      return rows[0]!.rows;
    };
    const id = await addRepository(db);
    await addPullRequests(db, id, 1, 2000);
    const first = await known();
    await addPullRequests(db, id, 2001, 2200);
    const little = await known();
    await addPullRequests(db, id, 2201, 4000);

    expect({ first, little, much: await known() }).toEqual({ first: 2000, little: 2000, much: 4000 });
    await db.deleteFrom('repositories').where('id', '=', id).execute();
  });

  it('is counted again of a table that was empty when it was counted, although it fills the place that it had', async () => {
    const { db } = database;
    const counted = async () => {
      const { rows } = await sql<{ rows: number }>`
        select sum(greatest(part.reltuples, 0))::int as rows from pg_class t
        left join pg_inherits i on i.inhparent = t.oid join pg_class part on part.oid = coalesce(i.inhrelid, t.oid)
        where t.oid = 'pull_requests'::regclass`.execute(db);
      return rows[0]!.rows;
    };
    const before = await addRepository(db);
    await addPullRequests(db, before, 1, 2000);
    await db.deleteFrom('repositories').where('id', '=', before).execute();
    await refreshStatistics(db, ['pull_requests']);
    expect(await counted()).toBe(0);
    const id = await addRepository(db);
    await addPullRequests(db, id, 1, 300);

    // The server hears of changes a second later.
    await expect.poll(async () => await refreshStatistics(db).then(counted), { interval: 200 }).toBe(300);
    await db.deleteFrom('repositories').where('id', '=', id).execute();
  });

  it('is counted of a table of a few rows as soon as it has any', async () => {
    const { db } = database;
    await sql`insert into people (host, host_id, login, type, kind) select 'host', i::text, 'person-' || i, 'user', 'human' from generate_series(1, 5) i`.execute(
      db,
    );

    await refreshStatistics(db);

    const { rows } = await sql`select reltuples::int as rows from pg_class where oid = 'people'::regclass`.execute(db);
    expect(rows).toEqual([{ rows: 5 }]);
    await db.deleteFrom('people').execute();
  });

  it('is counted of every table that an import fills', async () => {
    await refreshStatistics(database.db, importedTables);

    const { rows } = await sql<{ table: string }>`
      select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'repository_id'
      where c.relkind = 'r' and c.reltuples < 0 and c.relname not in ('connections', 'sync_sessions', 'hints', 'security_events', 'recounts', 'unstorable_pull_requests', 'hint_limits', 'absent_numbers', 'webhook_old_secrets',
          'import_repositories', 'removed_connections', 'snoozes', 'notification_channel_repositories', 'notification_items',
          'notification_keys', 'first_acts')`.execute(database.db);
    expect(rows).toEqual([]);
  });
});

/** A limit of time is a PostgreSQL server's alone. */
describe.skipIf(process.env.TEST_DATABASE === 'embedded')('where counting takes long', () => {
  let database: OpenDatabase;
  let hurried: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    const url = String(database.pool.options.connectionString);
    hurried = await openDatabase({ kind: 'postgresql', url, connections: 1, answer_limit: 400 }, () => undefined);
    await hurried.pool.query('set statement_timeout = 300; set lock_timeout = 200');
  });
  afterAll(async () => {
    await hurried.close();
    await database.close();
  });

  it('is counted for longer than any other statement may take', async () => {
    const { db } = database;
    await sql`
      insert into people (host, host_id, login, type, kind)
      select 'host', i::text, 'person-' || i, 'user', 'human' from generate_series(1, 10) i`.execute(db);
    await sql`
      create function slowly(text) returns text immutable language plpgsql as
        $$ begin perform pg_sleep(0.1); return $1; end $$`.execute(db);
    await sql`create index on people (slowly(login))`.execute(db);

    await refreshStatistics(hurried.db, ['people']);

    const { rows } = await sql`select reltuples::int as rows from pg_class where oid = 'people'::regclass`.execute(db);
    expect(rows).toEqual([{ rows: 10 }]);
    expect((await hurried.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '300ms' }]);
  });

  it('leaves a table of which a part is locked to the next time, and counts the others', async () => {
    const { db } = database;
    if (!(await isSplit(db))) await convertPartitions(db, 2);
    const { rows: parts } = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'pull_requests'::regclass order by 1 limit 1`.execute(db);
    const id = await addRepository(db);
    await sql`insert into lenses (repository_id, user_id, changed_at) select ${id}, i, now() from generate_series(1, 3) i`.execute(
      db,
    );
    await db.transaction().execute(async (holding) => {
      await sql`lock table ${sql.table(parts[0]!.name)} in access exclusive mode`.execute(holding);
      await refreshStatistics(hurried.db, ['pull_requests', 'lenses']);
    });

    const { rows } = await sql`select reltuples::int as rows from pg_class where oid = 'lenses'::regclass`.execute(db);
    expect(rows).toEqual([{ rows: 3 }]);
  });
});

/** A table that is split is asked with its parts. */
async function isSplit(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from pg_class where oid = 'pull_requests'::regclass and relkind = 'p'`.execute(db);
  return rows.length > 0;
}

async function addRepository(db: Kysely<Database>): Promise<number> {
  const now = new Date();
  const { id } = await db
    .insertInto('repositories')
    .values({
      host: 'host',
      host_id: 'statistics',
      owner: 'o',
      name: 'statistics',
      url: 'https://host.test/o/statistics',
      private: false,
      archived: false,
      webhook_key: 'statistics',
      webhook_secret_encrypted: 'sealed',
      changed_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function addPullRequests(db: Kysely<Database>, id: number, first: number, last: number): Promise<void> {
  await sql`
    insert into pull_requests (repository_id, number, host_id, node_id, title, title_lower, url, state, draft, created_at,
      updated_at, additions, deletions, changed_files, commits, comments, review_comments, base_ref, head_ref, fetched_at, settled)
    select ${id}, i, i::text, i::text, 'A title of some length', 'a title of some length', 'https://host.test/' || i, 'merged',
      false, now(), now(), 1, 1, 1, 1, 1, 1, 'main', 'topic', now(), true from generate_series(${first}::int, ${last}::int) i`.execute(
    db,
  );
}
