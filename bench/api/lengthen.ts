import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';
import { withoutStatementLimit } from '../../src/server/db/statement-limits.ts';

/** What trends and signals read. */
const tables = [
  'pull_requests',
  'commits',
  'reviews',
  'comments',
  'checks',
  'changed_files',
  'pull_request_facts',
  'reviewer_acts',
  'reverts',
  'follow_ups',
  'signal_dismissals',
];
const numbers = ['number', 'target', 'by_number'];
/** Unique in a repository, whatever the number. */
const identities = ['host_id', 'node_id', 'sha'];

/**
 * Puts the stored history so many times before itself, each time so many days earlier: numbers and moments move, all else is the same.
 * What neither a trend nor a signal reads is not copied.
 */
export async function lengthenHistory(
  db: Kysely<Database>,
  { times, days, numbers: count }: { readonly times: number; readonly days: number; readonly numbers: number },
): Promise<void> {
  await withoutStatementLimit(() => lengthen(db, times, days, count));
}

async function lengthen(db: Kysely<Database>, times: number, days: number, count: number): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Every row comes from one whose references were looked after.
    await sql`set session_replication_role = replica`.execute(connection);
    await sql`set statement_timeout = 0`.execute(connection);
    for (const table of tables) {
      const { rows: columns } = await sql<{ name: string; type: string }>`
        select column_name as name, udt_name as type from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(connection);
      const moved = columns.map(({ name, type }) => {
        const column = sql.ref(name);
        const back = sql`time * make_interval(days => ${days}::int)`;
        if (numbers.includes(name)) return sql`${column} - time * ${count}::int`;
        if (identities.includes(name)) return sql`${column} || '-' || time`;
        if (type === 'timestamptz') return sql`${column} - ${back}`;
        if (type === '_timestamptz') return sql`array(select at - ${back} from unnest(${column}) at)`;
        if (name !== 'phases') return column;
        return sql`coalesce((select jsonb_agg(span || jsonb_build_object('from', (span->>'from')::timestamptz - ${back},
          'to', (span->>'to')::timestamptz - ${back})) from jsonb_array_elements(phases) span), '[]')`;
      });
      await sql`
        insert into ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
        select ${sql.join(moved)} from ${sql.table(table)}, generate_series(1, ${times}::int) time`.execute(connection);
    }
    await sql`vacuum analyze`.execute(connection);
    await sql`reset session_replication_role`.execute(connection);
    await sql`reset statement_timeout`.execute(connection);
  });
}
