import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { withoutStatementLimit } from './statement-limits.ts';

/**
 * A table is analyzed again when it has grown to more than this multiple of its size at its last `analyze`; one that never was, as soon
 * as it holds anything. Each `analyze` reads up to 30,000 blocks, whoever stores.
 */
const GROWN = 1.5;

/**
 * Lets the database count what its tables hold, by default those of them that an import fills and that have grown since they were
 * counted last, whoever filled them; named ones always. Without that a server only learns of an import minutes later and the embedded
 * one never: it then finds the pull request of each commit or comment by reading all of its repository's. One table after the other, so
 * that other questions get their turn in between, and each for as long as it takes: of one that is split, all parts are read. Not inside a
 * transaction; a table that somebody else counts or locks at the moment is left to them, or to the next time.
 */
export async function refreshStatistics(db: Kysely<Database>, of?: readonly ImportedTable[]): Promise<void> {
  for (const table of of ?? (await grownTables(db)))
    await withoutStatementLimit(() =>
      db.transaction().execute(async (transaction) => {
        await sql`set local statement_timeout = 0`.execute(transaction);
        await sql`analyze (skip_locked) ${sql.table(table)}`.execute(transaction);
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError && GIVEN_UP.includes(error.code ?? ''))) throw error;
    });
}

/** PostgreSQL's codes of a lock that was not to be had in time, and of a statement that was cancelled. */
const GIVEN_UP: readonly string[] = ['55P03', '57014'];

/**
 * A partitioned table has no place of its own: its parts are taken together. One that was counted when all had just been deleted keeps its
 * place for a while, is taken for empty and does not grow when it is filled again: it has as soon as the server knows of a change.
 */
async function grownTables(db: Kysely<Database>): Promise<ImportedTable[]> {
  const { rows } = await sql<{ relname: ImportedTable }>`
    select t.relname
    from pg_class t
      left join pg_inherits i on i.inhparent = t.oid
      join pg_class part on part.oid = coalesce(i.inhrelid, t.oid)
    where t.relnamespace = to_regnamespace(current_schema()::text) and t.relname = any(${importedTables})
    group by t.oid, t.relname
    having sum(pg_relation_size(part.oid)) / current_setting('block_size')::int
      > sum(part.relpages) * ${sql.lit(GROWN)}
      or (sum(greatest(part.reltuples, 0)) = 0 and sum(part.relpages) > 0 and sum(pg_stat_get_mod_since_analyze(part.oid)) > 0)
    order by t.relname`.execute(db);
  return rows.map(({ relname }) => relname);
}

type ImportedTable = (typeof importedTables)[number];

/** Everything that an import fills, of repositories or of teams. */
export const importedTables = [
  'people',
  'pull_requests',
  'commits',
  'reviews',
  'comments',
  'events',
  'checks',
  'review_requests',
  'changed_files',
  'review_threads',
  'clues',
  'corrections',
  'revert_claims',
  'reverts',
  'follow_ups',
  'signal_dismissals',
  'workflow_reads',
  'workflow_runs',
  'workflow_run_pull_requests',
  'workflow_jobs',
  'pull_request_facts',
  'pull_request_changes',
  'reviewer_acts',
  'participations',
  'contributor_totals',
  'contributor_months',
  'number_states',
  'person_numbers',
  'lenses',
  'lens_marks',
  'lens_pending',
  'lens_facts',
  'lens_reviews',
  'lens_reviewer_acts',
  'lens_participations',
  'lens_totals',
  'lens_months',
  'team_members',
  'team_people',
] as const;
