import { type Kysely, sql } from 'kysely';

/** As of when each person is shown the teams of an organisation, also who is shown none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table team_readings (
      user_id integer not null references users (id) on delete cascade,
      organization_id text not null,
      asked_at timestamptz not null,
      primary key (user_id, organization_id)
    )`.execute(db);
  await sql`
    insert into team_readings (user_id, organization_id, asked_at)
    select r.user_id, t.organization_id, max(r.checked_at) from team_readers r join teams t on t.id = r.team_id
    where t.source = 'host' group by r.user_id, t.organization_id`.execute(db);
}
