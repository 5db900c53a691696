import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';
import { recountAllParticipations } from '../../src/server/db/participations.ts';

const PER_YEAR = 50_000;
const HUMANS = 600;
const REPOSITORIES = 4;

/** The end of the history. */
export const NOW = new Date('2026-11-21T12:00:00Z');
export const HOST = 'https://bench.test';

/**
 * Fills an empty database with so many pull requests by 600 people and 20 machines in four repositories, ending at NOW. A longer
 * history begins earlier: each month holds the same, so that a question about a window should not care. Answers the user who sees all.
 */
export async function fill(db: Kysely<Database>, pullRequests: number): Promise<number> {
  const years = pullRequests / PER_YEAR;
  const moment = sql`${NOW}::timestamptz`;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  await run(sql`select setseed(0.42)`);
  await run(sql`
    insert into users (host, host_id, login, created_at, signed_in_at) values (${HOST}, '1', 'bench', ${moment}, ${moment})`);
  await run(sql`
    insert into repositories (host, host_id, owner, name, url, private, archived, webhook_key, webhook_secret_encrypted, changed_at, created_at)
    select ${HOST}, r::text, 'acme', 'repository-' || r, '', false, false, 'key-' || r, '', ${moment}, ${moment}
    from generate_series(1, ${REPOSITORIES}::int) r`);
  await run(sql`
    insert into connections select u.id, r.id, true, ${moment}, ${moment} from users u, repositories r`);
  await run(sql`
    insert into people (host, host_id, login, type, name, name_lower, kind)
    select ${HOST}, p::text, 'person-' || p, 'user', 'Person ' || p, 'person ' || p,
      case when p <= ${HUMANS} then 'human' when p % 2 = 0 then 'bot' else 'agent' end
    from generate_series(1, ${HUMANS + 20}::int) p`);
  await run(sql`
    insert into pull_requests (repository_id, number, host_id, node_id, title, title_lower, url, state, draft, author_id,
      created_at, updated_at, closed_at, merged_at, additions, deletions, changed_files, commits, comments, review_comments,
      base_ref, head_ref, head_sha, fetched_at, settled)
    select repository, number, n::text, n::text, title, title, '', case when ended_at is null then 'open' when merged then 'merged' else 'closed' end,
      ended_at is null and random() < 0.1, author, created_at, coalesce(ended_at, created_at + (${moment} - created_at) * random()),
      ended_at, case when merged then ended_at end, additions, additions / 3, 3, 3, 3, 2, 'main', 'topic', null, ${moment}, true
    from (
      select n, 1 + (n % ${REPOSITORIES}) as repository, (n / ${REPOSITORIES})::int + 1 as number,
        'Change number ' || n || ' of ' || (array['the reader', 'a writer', 'some parser', 'every test', 'the cache'])[1 + n % 5] as title,
        1 + floor(power(random(), 2) * ${HUMANS + 20})::int as author,
        created_at, random() < 0.8 as merged, floor(exp(4 + 1.9 * (random() + random() + random() - 1.5)))::int as additions,
        case when random() < 0.005 or created_at + hours * interval '1 hour' > ${moment} then null
          else created_at + hours * interval '1 hour' end as ended_at
      from (
        select n, ${moment} - (${pullRequests}::int - n) * interval '1 second' * (${years * 365 * 86_400}::float8 / ${pullRequests}::int)
          as created_at, exp(2.5 + 3 * (random() + random() - 1)) as hours
        from generate_series(1, ${pullRequests}::int) n
      ) times
    ) plans`);
  await run(sql`
    insert into commits (repository_id, number, sha, position, author_id, author_name, author_is_bot, authored_at, committed_at, listed_at, headline, by_agent)
    select repository_id, number, repository_id || '-' || number || '-' || i, i, author_id, 'Somebody', false, at, at, at, 'Change something', false
    from pull_requests, generate_series(1, 3) i, lateral (
      select created_at + (coalesce(ended_at, ${moment}) - created_at) * (i - 1) / 4 as at) moments`);
  await run(sql`
    insert into reviews (repository_id, host_id, number, position, author_id, state, submitted_at, has_body, is_reply, counts, automated, comments_count, response_hours)
    select repository_id, repository_id || '-' || number || '-' || i, number, i, reviewer, (array['approved', 'commented', 'commented', 'changes_requested'])[i],
      submitted_at, true, i = 3, i <> 3 and reviewer <= ${HUMANS}, i <> 3 and reviewer > ${HUMANS}, i, random() * 40
    from pull_requests, generate_series(1, 4) i, lateral (
      select created_at + (coalesce(ended_at, ${moment}) - created_at) * (0.2 * i) as submitted_at,
        1 + (number * 7 + i * 13 + floor(power(random(), 3) * 100)::int) % ${HUMANS + 20} as reviewer) given
    where random() < 0.65`);
  await run(sql`
    insert into comments (repository_id, kind, host_id, number, author_id, created_at, review_id)
    select repository_id, case when i <= 2 then 'inline' else 'general' end, repository_id || '-' || number || '-' || i, number,
      1 + (number * 11 + i * 17) % ${HUMANS + 20}, created_at + (coalesce(ended_at, ${moment}) - created_at) * (0.19 * i), null
    from pull_requests, generate_series(1, 5) i`);
  await run(sql`
    insert into events (repository_id, host_id, number, position, type, at, actor_id)
    select repository_id, repository_id || '-' || number || '-' || i, number, i,
      case when i = 1 then 'review_requested' when i = 2 then 'force_push' when i = 3 then 'closed' else 'merged' end,
      case when i <= 2 then created_at + (coalesce(ended_at, ${moment}) - created_at) * (0.1 * i) else ended_at end, author_id
    from pull_requests, generate_series(1, 4) i
    where i <= 2 or (i = 3 and ended_at is not null) or merged_at is not null`);
  await run(sql`
    insert into checks (repository_id, number, host_id, name, outcome, finished_at)
    select repository_id, number, i::text, 'build', 'success', coalesce(ended_at, ${moment} - interval '1 hour')
    from pull_requests, generate_series(1, 2) i`);
  await run(sql`
    insert into changed_files (repository_id, number, path, additions, deletions)
    select repository_id, number, (array['src/server/', 'src/web/', 'docs/', ''])[1 + (number + i) % 4] || 'file-' || i, additions / 3, deletions / 3
    from pull_requests, generate_series(1, 3) i`);
  await run(sql`
    insert into review_requests (repository_id, number, position, person_id)
    select repository_id, number, i, 1 + (number * 3 + i) % ${HUMANS} from pull_requests, generate_series(1, 2) i where state = 'open'`);
  await run(sql`
    insert into pull_request_facts (repository_id, number, version, ended_at, ready_at, first_review_at, last_review_at, last_activity_at,
      time_to_first_review, time_to_merge, active_development_time, waiting_for_review_time, post_approval_time, review_cycles,
      waiting_on, waiting_since, waiting_reason, phases, reviewer_ids, latest_opinion, approved_first_time, by_agent)
    select p.repository_id, p.number, 1, p.ended_at, p.created_at, r.first, r.last, coalesce(r.last, p.created_at),
      extract(epoch from r.first - p.created_at) / 3600, extract(epoch from p.merged_at - p.created_at)::float8 / 3600, 1, 1, null,
      coalesce(r.rounds, 0), case when p.state = 'open' then 'reviewers' end, case when p.state = 'open' then p.created_at end,
      case when p.state = 'open' then 'never_reviewed' end, '[]', coalesce(r.reviewers, '{}'), case when r.first is not null then 'approved' end,
      r.first is not null, false
    from pull_requests p
    left join (
      select repository_id, number, min(submitted_at) as first, max(submitted_at) as last, count(*)::int as rounds,
        array_agg(distinct author_id) as reviewers
      from reviews where counts group by repository_id, number
    ) r using (repository_id, number)`);
  const { rows } = await sql<{ id: number }>`select id from repositories order by id`.execute(db);
  for (const { id } of rows) await recountAllParticipations(db, id);
  await run(sql`vacuum analyze`);
  return 1;
}
