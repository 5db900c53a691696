import { type Kysely, sql } from 'kysely';

/**
 * What is summed of each person's months is summed of calendar quarters, too, so that a year is read from half as many rows; `months` says
 * which of both a row is, `month` its first one. A text is searched for in an index that holds little else, and the one by title
 * holds no more than what a page of the list is chosen by.
 */
const schema = `
alter table contributor_months add column months smallint not null default 1;
alter table contributor_months alter column months drop default;
alter table contributor_months drop constraint contributor_months_pkey;
drop index contributor_months_month;
insert into contributor_months (repository_id, person_id, months, month, participations, opened, merged, counting_reviews, reviewed,
  lines_opened, ended, merge_ms, with_cycles, cycles, responses, response_ms, contributions)
  select repository_id, person_id, 3, date_trunc('quarter', month::timestamp)::date as quarter, sum(participations), sum(opened),
    sum(merged), sum(counting_reviews), sum(reviewed), sum(lines_opened), sum(ended), sum(merge_ms), sum(with_cycles), sum(cycles),
    sum(responses), sum(response_ms), sum(contributions)
  from contributor_months group by repository_id, person_id, quarter order by quarter;
alter table contributor_months add primary key (repository_id, person_id, months, month);
create index contributor_months_month on contributor_months (repository_id, months, month);

drop index pull_requests_title;
create index pull_requests_title on pull_requests (repository_id, title_lower) include (number, author_id, state, draft);
create index pull_requests_search on pull_requests (repository_id) include (title_lower, number, author_id, state, draft);
analyze contributor_months;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
