import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { DISTRIBUTION_COLUMN, type Placement, placements, type Table } from './distribution.ts';

/** Every distributed table lives where its repository's rows of this one do. */
const COLOCATED_WITH = 'pull_requests';

/**
 * The SQL that distributes a migrated schema over the nodes of Citus, for psql on the coordinator (docs/scaling.md#citus): first what it
 * refuses is taken away, then reference tables and distributed ones, each after those that its foreign keys refer to.
 */
export async function distributeScript(db: Kysely<Database>): Promise<string> {
  const keys = (await foreignKeysOf(db)).filter(({ holder }) => kindOf(holder) === 'distributed');
  const views = await viewsOf(db);
  return `${[
    '-- Distributes the schema of Mergelight over the nodes of Citus: made by npm run distribute.',
    '-- For psql on the coordinator, into a database that this version has migrated, while no process of it runs.',
    '\\set ON_ERROR_STOP on',
    'set client_min_messages = warning;',
    'begin;',
    "set local citus.multi_shard_modify_mode = 'sequential';",
    '-- What a trigger deletes lies beside the row that fires it.',
    'set local citus.enable_unsafe_triggers = on;',
    '',
    '-- Made again below, over distributed tables.',
    'drop schema lens cascade;',
    ...views.filter(({ schema }) => schema === 'public').map(({ name }) => `drop view ${name};`),
    ...keys.map(({ holder, name }) => `alter table ${holder} drop constraint ${name};`),
    '',
    '-- Citus has no triggers on reference tables, and those of shards tell their own node alone: open pages look every 5 seconds instead.',
    ...(await triggersOf(db))
      .filter(({ table, name }) => kindOf(table) !== 'local' && name.startsWith('tell_of_'))
      .map(({ table, name }) => `drop trigger ${name} on ${table};`),
    '',
    ...tablesOf('reference').map((table) => `select create_reference_table('${table}');`),
    '',
    ...tablesOf('distributed').map((table) => {
      const beside = table === COLOCATED_WITH ? 'none' : COLOCATED_WITH;
      return `select create_distributed_table('${table}', '${DISTRIBUTION_COLUMN}', colocate_with => '${beside}');`;
    }),
    '',
    ...keys.map(({ holder, name, text }) => `alter table ${holder} add constraint ${name} ${text};`),
    '',
    'create schema lens;',
    ...views.map(({ schema, name, text }) => `create view ${schema}.${name} as ${text}`),
    'commit;',
  ].join('\n')}\n`;
}

function kindOf(table: string): Placement['kind'] {
  return placements[table as Table].kind;
}

function tablesOf(kind: 'reference' | 'distributed'): string[] {
  return Object.keys(placements).filter((table) => kindOf(table) === kind);
}

async function foreignKeysOf(db: Kysely<Database>): Promise<{ holder: string; name: string; text: string }[]> {
  const { rows } = await sql<{ holder: string; name: string; text: string }>`
    select r.relname as holder, c.conname as name, pg_get_constraintdef(c.oid) as text
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace order by 1, 2`.execute(db);
  return rows;
}

/** Each behind those that it reads. */
async function viewsOf(db: Kysely<Database>): Promise<{ schema: string; name: string; text: string }[]> {
  const { rows } = await sql<{ schema: string; name: string; text: string }>`
    select n.nspname as schema, c.relname as name, pg_get_viewdef(c.oid) as text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'v' and n.nspname in ('public', 'lens') order by c.oid`.execute(db);
  return rows;
}

/** Of tables, not of the parts that one may be split into: these go where their table goes. */
async function triggersOf(db: Kysely<Database>): Promise<{ table: string; name: string }[]> {
  const { rows } = await sql<{ table: string; name: string }>`
    select c.relname as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'public'::regnamespace order by 1, 2`.execute(
    db,
  );
  return rows;
}
