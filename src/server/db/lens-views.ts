import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** Must not be there while a migration changes the tables below; `makeLensViews` makes it again. */
export async function dropLensViews(db: Kysely<Database>): Promise<void> {
  await sql`drop schema if exists lens cascade`.execute(db);
}

/**
 * Makes the schema `lens`: views of the same names and columns as the tables and views that depend on what an account is, which show
 * them as the user of the setting `mergelight.lens` sees them (docs/decisions/0009). Their columns are those of the tables as they are
 * now, so this runs after every migration.
 */
export async function makeLensViews(db: Kysely<Database>): Promise<void> {
  await sql`create schema lens`.execute(db);
  const columnsOf = async (table: string) => {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db);
    return rows.map(({ name }) => name);
  };
  const view = async (name: string, text: string) => await sql.raw(`create view lens.${name} as ${text}`).execute(db);

  const people = await columnsOf('people');
  await view(
    'people',
    `select ${people.map((column) => (column === 'kind' ? 'coalesce(m.kind, t.kind) as kind' : `t.${column}`)).join(', ')}
     from people t
     left join own_account_kinds m on m.user_id = ${viewer} and m.host = t.host and m.host_id = t.host_id`,
  );

  for (const [table, overrides, key] of [
    ['reviews', 'lens_reviews', 'host_id'],
    ['pull_request_facts', 'lens_facts', 'number'],
  ] as const) {
    const own = (await columnsOf(overrides)).filter((column) => !keys.has(column));
    const columns = (await columnsOf(table)).map((column) =>
      own.includes(column)
        ? `case when o.user_id is null then t.${column} else o.${column} end as ${column}`
        : `t.${column}`,
    );
    await view(
      table,
      `select ${columns.join(', ')} from ${table} t
       left join ${overrides} o on o.repository_id = t.repository_id and o.user_id = ${viewer} and o.${key} = t.${key}`,
    );
  }

  // Whole pull requests differ: of one that does, all rows are the user's own.
  for (const table of ['participations', 'reviewer_acts']) {
    const columns = (await columnsOf(table)).join(', ');
    await view(
      table,
      `select ${columns} from ${table} t where not exists (select from lens_facts o
         where o.repository_id = t.repository_id and o.user_id = ${viewer} and o.number = t.number)
       union all
       select ${columns} from lens_${table} where user_id = ${viewer}`,
    );
  }

  // Only a marked account with commits of a bot's git author can have been active at other times than everybody sees, or take part
  // where nobody else sees it: who that is decides whose activity these commits are.
  const totals = await columnsOf('contributor_totals');
  const writesAsBot = `exists (select from commits c
    where c.repository_id = t.repository_id and c.author_id = t.person_id and c.author_is_bot)`;
  // Named by the mark, so that it is looked for after the join with the few who are marked.
  const latest = `greatest(
    (select p.last_activity_at from participations p
      where p.repository_id = m.repository_id and p.person_id = m.person_id and p.last_activity_at is not null
        and not exists (select from lens_facts o
          where o.repository_id = p.repository_id and o.user_id = ${viewer} and o.number = p.number)
      order by p.last_activity_at desc limit 1),
    (select max(p.last_activity_at) from lens_participations p
      where p.repository_id = m.repository_id and p.user_id = ${viewer} and p.person_id = m.person_id))`;
  const totalsOf = (sum: (column: string) => string, last: string) =>
    totals
      .map((column) =>
        column === 'last_activity_at' ? `${last} as ${column}` : keys.has(column) ? `t.${column}` : sum(column),
      )
      .join(', ');
  await view(
    'contributor_totals',
    `select ${totals.join(', ')} from (
       select ${totalsOf(
         (column) => `t.${column} + coalesce(d.${column}, 0) as ${column}`,
         `case when m.kind is null or not ${writesAsBot} then t.last_activity_at else ${latest} end`,
       )}
       from contributor_totals t
       left join lens_totals d on d.repository_id = t.repository_id and d.user_id = ${viewer}
         and d.person_id = coalesce(t.person_id, 0)
       left join lens_marks m on m.repository_id = t.repository_id and m.user_id = ${viewer} and m.person_id = t.person_id
       union all
       select ${totalsOf((column) => `t.${column}`, latest)}
       from lens_totals t
       join lens_marks m on m.repository_id = t.repository_id and m.user_id = t.user_id and m.person_id = t.person_id
       where t.user_id = ${viewer} and not exists (select from contributor_totals all_users
         where all_users.repository_id = t.repository_id and all_users.person_id = t.person_id)
     ) total
     where last_activity_at is not null`,
  );

  // To be summed: what a person's month differs by is a row of its own.
  const months = (await columnsOf('contributor_months')).join(', ');
  await view(
    'contributor_months',
    `select ${months} from contributor_months union all select ${months} from lens_months where user_id = ${viewer}`,
  );

  // Of the blocks in which a pull request differs for them, what they see is made of their rows.
  const differs = `exists (select from lens_facts o where o.repository_id = act.repository_id
    and o.user_id = ${viewer} and o.number / 8192 = act.number / 8192)`;
  const numbersOf = (from: string, person: string, at: string, reviewed: boolean) => `
    select repository_id, ${reviewed}, ${person}, number / 8192, min(${at}), max(${at}), string_agg(distinct int4send(number), ''::bytea)
    from lens.${from} act where ${reviewed ? 'counts and ' : ''}${person} is not null and ${differs}
    group by repository_id, ${person}, number / 8192`;
  await view(
    'person_numbers',
    `select repository_id, reviewed, person_id, block, first_at, last_at, numbers from person_numbers t
     where not exists (select from lens_facts o where o.repository_id = t.repository_id and o.user_id = ${viewer}
       and o.number / 8192 = t.block)
     union all ${numbersOf('reviews', 'author_id', 'submitted_at', true)}
     union all ${numbersOf('pull_request_facts', 'coalesce(credited_id, author_id)', 'created_at', false)}`,
  );

  const { rows } = await sql<{ text: string; before: string }>`
    select pg_get_viewdef('timeline_moments'::regclass) as text, current_setting('search_path') as before`.execute(db);
  const { text, before } = rows[0]!;
  await sql`select set_config('search_path', ${`lens, ${before}`}, true)`.execute(db);
  await view('timeline_moments', text);
  await sql`select set_config('search_path', ${before}, true)`.execute(db);
}

const viewer = "current_setting('mergelight.lens')::int";
const keys: ReadonlySet<string> = new Set(['repository_id', 'user_id', 'number', 'host_id', 'person_id']);
