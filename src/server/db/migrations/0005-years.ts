import { type Kysely, sql } from 'kysely';

/**
 * What is summed of each person's months is summed of the years that begin with each quarter, and no more of quarters, so that a year is
 * read from a quarter of the rows. `span` says what a row is the sum of: 0 a month, else the twelve months that begin with that month
 * of the calendar (1, 4, 7, 10); `month` is its first one.
 */
const schema = `
alter table contributor_months drop constraint contributor_months_pkey;
drop index contributor_months_month;
alter table contributor_months rename column months to span;
delete from contributor_months where span = 3;
update contributor_months set span = 0;
insert into contributor_months (repository_id, person_id, span, month, participations, opened, merged, counting_reviews, reviewed,
  lines_opened, ended, merge_ms, with_cycles, cycles, responses, response_ms, contributions)
  select repository_id, person_id, extract(month from first)::smallint as year, first::date, sum(participations), sum(opened), sum(merged),
    sum(counting_reviews), sum(reviewed), sum(lines_opened), sum(ended), sum(merge_ms), sum(with_cycles), sum(cycles), sum(responses),
    sum(response_ms), sum(contributions)
  from contributor_months cross join lateral generate_series(
    date_trunc('quarter', month::timestamp) - interval '9 months', date_trunc('quarter', month::timestamp), interval '3 months') first
  group by repository_id, person_id, year, first order by first;
alter table contributor_months add primary key (repository_id, person_id, span, month);
create index contributor_months_month on contributor_months (repository_id, span, month);
analyze contributor_months;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
