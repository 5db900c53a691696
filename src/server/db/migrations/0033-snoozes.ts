import { type Kysely, sql } from 'kysely';

/**
 * What people have put aside of their work, with what it was to them then. It goes with the pull request's end, and open pages hear of it.
 */
const statements = [
  `create table snoozes (
    user_id integer not null references users on delete cascade,
    repository_id integer not null references repositories on delete cascade,
    number integer not null,
    until timestamptz,
    until_change boolean not null,
    kind text not null,
    since timestamptz not null,
    changed_at timestamptz not null,
    primary key (user_id, repository_id, number),
    check (until is not null or until_change)
  )`,
  'create index snoozes_pull_request on snoozes (repository_id, number)',
  `create function end_snoozes() returns trigger language plpgsql as $$
  begin
    delete from snoozes where repository_id = new.repository_id and number = new.number;
    return null;
  end $$`,
  `create trigger end_snoozes after update of state on pull_requests
    for each row when (new.state <> 'open' and old.state = 'open') execute function end_snoozes()`,
  `create trigger tell_of_changes after insert or update or delete on snoozes
    for each statement execute function tell_of_changes()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
