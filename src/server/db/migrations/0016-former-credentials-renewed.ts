import { type Kysely, sql } from 'kysely';

/** A stronger credential that a weaker one replaced may expire, too: what renews it is kept with it. */
const schema = `
alter table former_credentials add column client_id text;
alter table former_credentials add column refresh_token_encrypted text;
alter table former_credentials add column expires_at timestamptz;
alter table former_credentials add column refresh_leased_until timestamptz;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
