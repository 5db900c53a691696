import { type Kysely, sql } from 'kysely';

/** Tokens that are no longer used here and are still to be ended at the host: what was deleted here has to end there too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table revocations (
      id integer generated always as identity primary key,
      host text not null,
      what text not null check (what in ('token', 'grant')),
      token_encrypted text not null,
      refresh_token_encrypted text,
      expires_at timestamptz,
      requested_at timestamptz not null,
      due_at timestamptz not null,
      attempts integer not null default 0
    )`.execute(db);
  await sql`create index revocations_due on revocations (due_at)`.execute(db);
}
