import { type Kysely, sql } from 'kysely';

/** Whoever listens is told that open pages may show something else now: once a transaction, without saying what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_of_changes() returns trigger language plpgsql as $$
    begin
      perform pg_notify('mergelight_changes', '');
      return null;
    end $$`.execute(db);
  for (const [table, events] of [
    ['repositories', 'update of changed_at'],
    ['lenses', 'insert or update or delete'],
    ['sync_sessions', 'insert or update or delete'],
    ['connections', 'insert or update or delete'],
    ['credentials', 'insert or update or delete'],
    ['sessions', 'delete'],
  ] as const)
    await sql`
      create trigger tell_of_changes after ${sql.raw(events)} on ${sql.table(table)}
      for each statement execute function tell_of_changes()`.execute(db);
}
