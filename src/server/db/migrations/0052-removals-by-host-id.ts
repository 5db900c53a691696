import { type Kysely, sql } from 'kysely';

/**
 * What somebody removed by hand is known by the host's id, which outlives a repository that is given up and imported again. Processes of the
 * version before go on by its row here: a trigger tells one by the other.
 */
const statements = [
  'alter table removed_connections add host text, add host_id text',
  `update removed_connections m set host = r.host, host_id = r.host_id
    from repositories r where r.id = m.repository_id and r.host_id not like 'removed %'`,
  'delete from removed_connections where host_id is null',
  `alter table removed_connections drop constraint removed_connections_repository_id_fkey,
    drop constraint removed_connections_pkey, add primary key (user_id, host, host_id), alter repository_id drop not null`,
  'drop index removed_connections_repository',
  `create function complete_removed_connection() returns trigger language plpgsql as $$
  begin
    if new.host_id is null then
      select host, host_id into new.host, new.host_id from repositories where id = new.repository_id;
    else
      select id into new.repository_id from repositories where host = new.host and host_id = new.host_id;
    end if;
    return new;
  end $$`,
  `create trigger complete_removed_connection before insert on removed_connections
    for each row execute function complete_removed_connection()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
