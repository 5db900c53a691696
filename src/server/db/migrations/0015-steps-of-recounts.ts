import { type Kysely, sql } from 'kysely';

/**
 * Sums are recounted in steps of some people each: `summed_to` is the last person whose sums are there, null before the first. What is
 * counted of repositories that are done is kept until all are, so that progress is over everything that was to be counted.
 */
const schema = `
alter table recounts add column summed_to integer;
create table recounts_done (
  only_row boolean primary key default true check (only_row),
  counted integer not null,
  total integer not null,
  seconds float8 not null
);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
