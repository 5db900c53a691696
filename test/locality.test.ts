import { expect, test } from 'vitest';
import { problemsOf } from './support/locality.ts';

test.each([
  ['select * from pull_requests where repository_id = $1 and number = $2'],
  ['select * from pull_requests p join reviews r using (repository_id, number) where p.repository_id = any($1::int[])'],
  [
    'select * from reviews where (repository_id, number) in (select repository_id, number from commits where repository_id in ($1, $2))',
  ],
  [
    'select * from pull_requests p where repository_id = $1 and exists (select from reviews r where r.repository_id = p.repository_id)',
  ],
  [
    'with few as (select repository_id, number from reviews where repository_id = $1) select * from few join commits c using (repository_id, number)',
  ],
  [
    'select * from unnest($1::int[], $2::int[]) page (repository_id, number) join reviews r using (repository_id, number)',
  ],
  [
    'insert into reviews (repository_id, number) select $1, number from json_to_recordset($2) as r (number int) on conflict do nothing',
  ],
  ['insert into reviews (repository_id, number) values ($1, $2), ($3, $4)'],
  [
    'update reviews r set latest = false from commits c where c.repository_id = r.repository_id and r.repository_id = $1',
  ],
  ['delete from reviews r using unnest($1::int[]) gone (repository_id) where r.repository_id = gone.repository_id'],
  ['select * from people where id = $1'],
  [
    'select * from (select repository_id, number from reviews union all select repository_id, number from commits) it where it.repository_id = $1',
  ],
  [
    'with both_of as (select repository_id from reviews where repository_id = $1 union select repository_id from commits where repository_id = $1) select from checks c join both_of using (repository_id)',
  ],
  ['select * from pull_requests p left join reviews r using (repository_id, number) where p.repository_id = $1'],
  [
    'select * from reviews r right join pull_requests p on p.repository_id = r.repository_id and p.repository_id = $1 where p.repository_id = $1',
  ],
])('%s stays within the repositories that it is given', (text) => {
  expect(problemsOf(text)).toEqual([]);
});

test.each([
  ['select * from pull_requests where number = $1', 'pull_requests is read in every repository'],
  ['select * from pull_requests where repository_id = $1 or number = $2', 'pull_requests is read in every repository'],
  [
    'select * from people p join reviews r on r.author_id = p.id where p.id = $1',
    'reviews is read in every repository',
  ],
  [
    'select * from pull_requests p join reviews r on r.number = p.number where p.repository_id = any($1) and r.repository_id = any($1)',
    'pull_requests and reviews are not joined by repository_id',
  ],
  [
    'select (select count(*) from reviews r where r.number = p.number and r.repository_id = any($1)) from pull_requests p where p.repository_id = any($1)',
    'reviews and pull_requests are not joined by repository_id',
  ],
  ['delete from reviews where number = $1', 'reviews is read in every repository'],
  [
    'insert into reviews (repository_id, number) select repository_id, number from commits',
    'commits is read in every repository',
  ],
  [
    'select repository_id from pull_requests where repository_id = $1 union all select repository_id from commits',
    'commits is read in every repository',
  ],
  [
    'with both_of as (select repository_id from reviews where repository_id = $1 union select repository_id from commits) select from checks c join both_of using (repository_id)',
    'checks is read in every repository',
  ],
  [
    'select from pull_requests p left join commits c on p.repository_id = $1 and c.repository_id = p.repository_id',
    'pull_requests is read in every repository',
  ],
  [
    'select from commits c right join pull_requests p on p.repository_id = c.repository_id and c.repository_id = $1',
    'pull_requests is read in every repository',
  ],
  [
    'select from pull_requests p full join commits c on c.repository_id = p.repository_id and c.repository_id = $1',
    'commits is read in every repository',
  ],
])('%s does not', (text, problem) => {
  expect(problemsOf(text)).toContain(problem);
});

test.each(['merge into commits using reviews on true when matched then delete', 'truncate commits'])(
  'of %s nobody knows, which is an error',
  (text) => {
    expect(() => problemsOf(text)).toThrow(/^Which rows does a \w+ read\?$/);
  },
);
