import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';

/** The columns of the tables below a pull request, without `repository_id`, as the wire of a many-row insert types them. */
const nestedTables = {
  commits: `number int, sha text, position int, author_id int, author_name text, author_is_bot boolean,
    authored_at timestamptz, committed_at timestamptz, listed_at timestamptz, headline text, by_agent boolean`,
  reviews: `number int, host_id text, position int, author_id int, state text, submitted_at timestamptz, has_body boolean,
    commit_sha text, is_reply boolean, counts boolean, automated boolean,
    latest boolean, comments_count int, response_hours float8`,
  comments: `number int, kind text, host_id text, author_id int, created_at timestamptz, review_id text, in_reply_to text,
    path text`,
  events: `number int, host_id text, position int, type text, at timestamptz, actor_id int, reviewer_id int, team text,
    review_id text, previous_state text, sha text`,
  checks: 'number int, host_id text, name text, outcome text, finished_at timestamptz',
  review_requests: 'number int, position int, person_id int, team text',
  changed_files: 'number int, path text, additions int, deletions int',
  pull_request_facts: `number int, version int, ended_at timestamptz, author_id int, draft boolean,
    created_at timestamptz, lines_changed int, ready_at timestamptz, first_review_at timestamptz,
    last_review_at timestamptz, first_agent_review_at timestamptz, approved_at timestamptz, last_activity_at timestamptz,
    time_to_first_review float8, time_to_merge float8, active_development_time float8, waiting_for_review_time float8,
    post_approval_time float8, review_cycles int, waiting_on text, waiting_since timestamptz, waiting_reason text,
    phases jsonb, reviewer_ids int[], latest_opinion text, approved_first_time boolean, by_agent boolean,
    provisional_until timestamptz`,
} as const;

export interface Rows {
  readonly table: keyof typeof nestedTables;
  readonly rows: readonly object[];
}

/** Inserts the rows of several tables in one statement: on the embedded database each statement costs about a millisecond. */
export async function insertAll(
  transaction: Transaction<Database>,
  repository_id: number,
  tables: readonly Rows[],
): Promise<void> {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return;
  const inserts = filled.map(({ table, rows }) => {
    const names = columnsOf(table).join(', ');
    return sql`insert into ${sql.table(table)} (repository_id, ${sql.raw(names)}) select ${repository_id}::int, ${sql.raw(names)}
      from ${recordset(table, rows)}`;
  });
  const parts = inserts.map((insert, index) => sql`${sql.ref(`part_${index}`)} as (${insert})`);
  await sql`with ${sql.join(parts)} select`.execute(transaction);
}

/** JSON rows of one of these tables as a from-item called `r`. */
export function recordset(table: Rows['table'], rows: readonly object[]): RawBuilder<unknown> {
  return sql`json_to_recordset(${json(rows)}::json) as r(${sql.raw(nestedTables[table])})`;
}

function columnsOf(table: keyof typeof nestedTables): string[] {
  return nestedTables[table].split(',').map((definition) => definition.trim().split(' ', 1)[0]!);
}

/** JSON that the database can store as text: without the null character and half surrogate pairs, which it refuses. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  );
}
