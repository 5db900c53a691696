import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { DISTRIBUTION_COLUMN, partitionedTables, type Table } from './distribution.ts';
import { dropLensViews, makeLensViews } from './lens-views.ts';
import { holderOfSetUpLock, SET_UP_LOCK } from './set-up-lock.ts';
import { withoutStatementLimit } from './statement-limits.ts';

/** Another process migrates or converts the database now; the message is for whoever started the command. */
export class DatabaseBusy extends Error {}

/** A table that was converted. */
export interface ConvertedTable {
  readonly table: Table;
  readonly rows: number;
  readonly milliseconds: number;
}

/**
 * Splits every table that grows with pull requests (`partitionedTables`) into `parts` by the hash of `repository_id`, or, with `parts`
 * null, makes each of them one table again. Each table is converted in a transaction of its own, so that a process which dies on the
 * way leaves a database that works, and the next call goes on with the rest. Nothing else may use the database meanwhile: the product
 * is stopped. Needs as much free room as the largest table with its indexes takes.
 * @throws DatabaseBusy when another process migrates or converts the database
 */
export async function convertPartitions(
  db: Kysely<Database>,
  parts: number | null,
  onTable: (converted: ConvertedTable) => void = () => {},
): Promise<void> {
  await withoutStatementLimit(async () => {
    for (const table of partitionedTables) {
      const began = performance.now();
      const rows = await db.transaction().execute((transaction) => convertTable(transaction, table, parts));
      if (rows !== null) onTable({ table, rows, milliseconds: performance.now() - began });
    }
  });
}

/** Into how many parts each table is split now; those that are not split are left out. */
export async function partitionCounts(db: Kysely<Database>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ table: string; parts: number }>`
    select c.relname as table, count(i.inhrelid)::int as parts
    from pg_class c left join pg_inherits i on i.inhparent = c.oid
    where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace group by c.relname`.execute(db);
  return new Map(rows.map(({ table, parts }) => [table, parts]));
}

/** Returns how many rows were copied; null when the table already is what is wanted. */
async function convertTable(
  transaction: Transaction<Database>,
  table: Table,
  parts: number | null,
): Promise<number | null> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  const lock = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${SET_UP_LOCK}) as taken`.execute(
    transaction,
  );
  if (lock.rows[0]?.taken !== true) throw new DatabaseBusy(await holderOfSetUpLock(transaction));
  const present = (await partitionCounts(transaction)).get(table) ?? null;
  if (present === parts) return null;
  // Into another number of parts by way of one: parts have the same names whatever their number.
  if (present !== null && parts !== null) await convertTable(transaction, table, null);
  await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(transaction);
  const made = await definitionsOf(transaction, table);
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(transaction);
  };
  await dropLensViews(transaction);
  await run(made.views.map(({ name }) => `drop view ${name}`));
  await run(made.incoming.map(({ holder, name }) => `alter table ${holder} drop constraint ${name}`));
  await run([
    `alter table ${table} rename to ${table}_before`,
    `create table ${table} (like ${table}_before including defaults including generated including constraints
       including storage including comments including identity)${parts === null ? '' : ` partition by hash (${DISTRIBUTION_COLUMN})`}`,
    ...Array.from(
      { length: parts ?? 0 },
      (_, part) =>
        `create table ${table}_p${part} partition of ${table} for values with (modulus ${parts}, remainder ${part})`,
    ),
  ]);
  const columns = made.stored.join(', ');
  const { numAffectedRows } = await sql
    .raw(`insert into ${table} (${columns}) select ${columns} from ${table}_before`)
    .execute(transaction);
  await run([
    `drop table ${table}_before`,
    ...made.constraints.map(({ name, text }) => `alter table ${table} add constraint ${name} ${text}`),
    ...made.indexes,
    // What the planner needs to check foreign keys by indexes.
    `analyze ${table}`,
    ...made.outgoing.map(({ name, text }) => `alter table ${table} add constraint ${name} ${text}`),
    ...made.incoming.map(({ holder, name, text }) => `alter table ${holder} add constraint ${name} ${text}`),
    ...made.triggers,
    ...made.views.map(({ name, text }) => `create view ${name} as ${text}`),
  ]);
  await makeLensViews(transaction);
  return Number(numAffectedRows ?? 0n);
}

interface Named {
  readonly name: string;
  readonly text: string;
}

interface Definitions {
  /** The columns that are not generated. */
  readonly stored: readonly string[];
  /** Primary key and unique constraints. */
  readonly constraints: readonly Named[];
  /** Foreign keys from the table. */
  readonly outgoing: readonly Named[];
  /** Foreign keys from other tables to it, and from it to itself. */
  readonly incoming: readonly (Named & { readonly holder: string })[];
  readonly indexes: readonly string[];
  readonly triggers: readonly string[];
  readonly views: readonly Named[];
}

/** What belongs to a table beside its columns and checks, as the statements that make it. */
async function definitionsOf(db: Transaction<Database>, table: Table): Promise<Definitions> {
  const { rows } = await sql<Definitions>`
    with own as (select ${table}::regclass as oid)
    select
      (select json_agg(attname order by attnum) from pg_attribute
        where attrelid = own.oid and attnum > 0 and not attisdropped and attgenerated = '') as stored,
      coalesce((select json_agg(json_build_object('name', conname, 'text', pg_get_constraintdef(oid)) order by contype, conname)
        from pg_constraint where conrelid = own.oid and contype in ('p', 'u')), '[]') as constraints,
      coalesce((select json_agg(json_build_object('name', conname, 'text', pg_get_constraintdef(oid)) order by conname)
        from pg_constraint where conrelid = own.oid and contype = 'f' and conparentid = 0 and confrelid <> own.oid), '[]') as outgoing,
      coalesce((select json_agg(json_build_object('holder', conrelid::regclass::text, 'name', conname,
          'text', pg_get_constraintdef(oid)) order by conrelid::regclass::text, conname)
        from pg_constraint where confrelid = own.oid and contype = 'f' and conparentid = 0), '[]') as incoming,
      coalesce((select json_agg(replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') order by indexrelid) from pg_index i
        where indrelid = own.oid and not exists (select from pg_constraint c where c.conindid = i.indexrelid
          and c.conrelid = own.oid)), '[]') as indexes,
      coalesce((select json_agg(pg_get_triggerdef(oid) order by tgname) from pg_trigger
        where tgrelid = own.oid and not tgisinternal), '[]') as triggers,
      coalesce((select json_agg(json_build_object('name', v.relname, 'text', pg_get_viewdef(v.oid)) order by v.oid)
        from pg_class v where v.relkind = 'v' and v.relnamespace = 'public'::regnamespace and exists (
          select from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
          where r.ev_class = v.oid and d.refobjid = own.oid)), '[]') as views
    from own`.execute(db);
  return rows[0]!;
}
