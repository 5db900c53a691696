import { type Kysely, sql } from 'kysely';

/**
 * Workers write leases and checks several times a second, mostly of no row: of these open pages are not told. What may change who sees
 * which repository says so (`sight`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function tell_of_changes() returns trigger language plpgsql as $$
    begin
      perform pg_notify('mergelight_changes', coalesce(tg_argv[0], ''));
      return null;
    end $$`.execute(db);
  for (const [table, kind, columns] of [
    ['sync_sessions', '', ['status', 'updated_at']],
    ['connections', 'sight', ['user_id', 'repository_id', 'readable', 'checked_with']],
    ['credentials', 'sight', ['user_id', 'grant_id', 'rejected_at']],
  ] as const) {
    const row = (which: string) => sql.raw(`(${columns.map((column) => `${which}.${column}`).join(', ')})`);
    await sql`
      create or replace trigger tell_of_changes after insert or delete on ${sql.table(table)}
      for each statement execute function tell_of_changes(${sql.lit(kind)})`.execute(db);
    await sql`
      create or replace trigger tell_of_updates after update on ${sql.table(table)}
      for each row when (${row('old')} is distinct from ${row('new')}) execute function tell_of_changes(${sql.lit(kind)})`.execute(
      db,
    );
  }
}
