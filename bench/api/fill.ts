import { type Kysely, sql } from 'kysely';
import { defaultHealthSettings } from '#domain/signals.ts';
import type { Database } from '../../src/server/db/database.ts';
import { STATEMENT_LIMIT, withoutStatementLimit } from '../../src/server/db/statement-limits.ts';
import { COLLECTION, storedRecords } from '../../src/server/db/stored-records.ts';
import { recountAllParticipations } from '../../src/server/metrics/participations.ts';
import { factRowsOf } from '../../src/server/sync/fact-rows.ts';
import { saveFacts } from '../../src/server/sync/rebuild-facts.ts';
import { noteRelations } from '../../src/server/sync/relations.ts';

const YEARS = 4;
export const HUMANS = 600;
const REPOSITORIES = 4;
const FACTS_AT_ONCE = 1000;

/** The end of the history. */
export const NOW = new Date('2026-11-21T12:00:00Z');
export const HOST = 'https://bench.test';

type Db = Kysely<Database>;
type Sql = ReturnType<typeof sql>;

/** Hosts tell whole seconds. */
const second = (moment: Sql) => sql`date_trunc('second', ${moment})`;

/** The user, by their id, who sees four repositories; and 600 people with 20 machines among them. */
export async function fillPeople(db: Db): Promise<number> {
  const moment = sql`${NOW}::timestamptz`;
  await sql`
    insert into users (host, host_id, login, created_at, signed_in_at) values (${HOST}, '1', 'bench', ${moment}, ${moment})`.execute(
    db,
  );
  await sql`
    insert into repositories (host, host_id, owner, name, url, private, archived, default_branch, webhook_key, webhook_secret_encrypted, changed_at, created_at)
    select ${HOST}, r::text, 'acme', 'repository-' || r, '', false, false, 'main', 'key-' || r, '', ${moment}, ${moment}
    from generate_series(1, ${REPOSITORIES}::int) r`.execute(db);
  await sql`insert into credentials (user_id, token_encrypted, updated_at) select id, '', ${moment} from users`.execute(
    db,
  );
  await sql`
    insert into connections (user_id, repository_id, readable, checked_at, checked_with, check_due_at, connected_at, seen_owner, seen_name)
    select k.user_id, r.id, true, ${moment}, k.grant_id, ${moment} + interval '1 day', ${moment}, r.owner, r.name
    from repositories r, credentials k`.execute(db);
  await sql`
    insert into people (host, host_id, login, type, name, name_lower, kind)
    select ${HOST}, p::text, 'person-' || p, 'user', 'Person ' || p, 'person ' || p,
      case when p <= ${HUMANS} then 'human' when p % 2 = 0 then 'bot' else 'agent' end
    from generate_series(1, ${HUMANS + 20}::int) p`.execute(db);
  return 1;
}

/** Branches beside the default one, into which one in ten is merged. */
const RELEASES = 12;
/** What one in fifty is written with. */
const TOOLS = ['aider', 'amp', 'claude', 'cline', 'codex', 'copilot', 'cursor', 'devin', 'gemini', 'jules'];
/** The folders of the code. */
const FOLDERS = [
  ...['src/server/', 'src/web/', 'docs/', ''],
  ...Array.from({ length: 20 }, (_, index) => `packages/part-${index + 1}/`),
];

/** Reviewed by nobody; by one person who needs no time for it; with commits and pushes after the approvals; opened as a draft. */
const isUnreviewed = sql`number % 10 = 0`;
const isStamped = sql`number % 10 = 1`;
const isChangedLate = sql`number % 10 = 2`;
const isForcedLate = sql`number % 10 = 3`;
const wasDraft = sql`(number % 6 = 0 and not draft)`;

/**
 * Adds the pull requests with these numbers, of each repository, of a history of `total` over so many years that ends at NOW, evenly
 * spread, with about three reviews and twelve events of each and what else lies below them, and derives from it what the sync derives, by the
 * sync's own code. The newest one of the first repository is the largest: 100 times what others have.
 */
export async function fillHistory(db: Db, total: number, first: number, last: number, years = YEARS): Promise<void> {
  await withoutStatementLimit(() =>
    db.connection().execute(async (connection) => {
      // Of a million each statement takes longer.
      await sql`set statement_timeout = 0`.execute(connection);
      await fill(connection, total, first, last, years);
      await sql.raw(`set statement_timeout = ${STATEMENT_LIMIT}`).execute(connection);
    }),
  );
}

async function fill(db: Db, total: number, first: number, last: number, years: number): Promise<void> {
  const moment = sql`${NOW}::timestamptz`;
  const these = sql`number between ${first}::int and ${last}::int`;
  const perRepository = total / REPOSITORIES;
  await sql`select setseed(0.42)`.execute(db);
  await sql`
    insert into pull_requests (repository_id, number, host_id, node_id, title, title_lower, url, state, draft, author_id, merged_by_id,
      created_at, updated_at, closed_at, merged_at, additions, deletions, changed_files, commits, comments, review_comments,
      base_ref, head_ref, head_sha, fetched_at, settled, collection)
    select repository, number, repository || '-' || number, repository || '-' || number, title, title, '',
      case when ended_at is null then 'open' when merged then 'merged' else 'closed' end,
      ended_at is null and random() < 0.1, author,
      case when not merged or ended_at is null then null when number % 4 = 0 then author else 1 + (author + number) % ${HUMANS} end,
      created_at, coalesce(ended_at, created_at + (${moment} - created_at) * random()),
      ended_at, case when merged then ended_at end, additions, additions / 3, 3, 3, 3, 2,
      case when number % 10 = 9 then 'release-' || number / 10 % ${RELEASES} else 'main' end,
      case when number % 70 = 5 and number > ${first}::int + 300 then 'revert-' || number - 100 - number / 70 % 20 * 10 || '-topic'
        when number % 20 = 7 then 'fix-topic' else 'topic' end,
      null, ${moment}, true, ${COLLECTION}::smallint
    from (
      select repository, number,
        'change number ' || number || ' of ' || (array['the reader', 'a writer', 'some parser', 'every test', 'the cache'])[1 + (number + repository) % 5] as title,
        1 + floor(power(random(), 2) * ${HUMANS + 20})::int as author,
        created_at, random() < 0.8 as merged, floor(exp(4 + 1.9 * (random() + random() + random() - 1.5)))::int as additions,
        case when random() < 0.005 or created_at + hours * interval '1 hour' > ${moment} then null
          else ${second(sql`created_at + hours * interval '1 hour'`)} end as ended_at
      from (
        select repository, number, exp(2.5 + 3 * (random() + random() - 1)) as hours,
          ${second(sql`${moment} - (${perRepository}::int - number + repository * 0.2) * interval '1 second'
            * (${years * 365 * 86_400}::float8 / ${perRepository}::int)`)} as created_at
        from generate_series(${first}::int, ${last}::int) number, generate_series(1, ${REPOSITORIES}::int) repository
      ) times
    ) plans`.execute(db);
  await fillBelow(
    db,
    sql`(
    select *, case when repository_id = 1 and number = ${perRepository}::int then 100 else 1 end as times,
      coalesce(ended_at, ${moment}) - created_at as duration
    from pull_requests where ${these}) pull`,
  );
  await sql`analyze`.execute(db);
  for (let repository = 1; repository <= REPOSITORIES; repository += 1) {
    for (let number = first; number <= last; number += FACTS_AT_ONCE) {
      const end = Math.min(number + FACTS_AT_ONCE - 1, last);
      await derive(
        db,
        repository,
        Array.from({ length: end - number + 1 }, (_, index) => number + index),
      );
    }
    await recountAllParticipations(db, repository);
  }
  await sql`
    insert into signal_dismissals (repository_id, number, key, reason, set_by, set_at)
    select repository_id, number, key, 'In a call', 1, ${moment}
    from pull_requests, unnest(array['merged_unreviewed', 'merged_unapproved', 'self_merged']) key
    where ${these} and ${isUnreviewed} and number % 200 = 0 and merged_at is not null`.execute(db);
  await sql`
    insert into pull_request_changes (repository_id, number, changed_at)
    select repository_id, number, updated_at from pull_requests where ${these}`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function fillBelow(db: Db, pulls: Sql): Promise<void> {
  const run = (statement: Sql) => statement.execute(db);
  await run(sql`
    insert into commits (repository_id, number, sha, position, author_id, author_name, author_is_bot, authored_at, committed_at, listed_at, headline, by_agent, trailers)
    select repository_id, number, repository_id || '-' || number || '-' || i, i, author_id, 'Somebody', false, at, at, at, 'Change something',
      number % 50 = 0, case when number % 50 = 0 then json_build_object('co_authors', json_build_array(), 'marks', json_build_array(
        json_build_object('rule', 4, 'text', 'Assisted-by: a tool', 'tool', (${TOOLS}::text[])[1 + number / 50 % ${TOOLS.length}]))) end
    from ${pulls}, generate_series(1, 3 * times) i, lateral (select ${second(
      sql`created_at + duration * (case when ${isChangedLate} then 0.9 * i / (3 * times) else (i - 1.0) / (4 * times) end)`,
    )} as at) moments`);
  await run(sql`
    insert into reviews (repository_id, host_id, number, position, author_id, state, submitted_at, has_body, body_words, is_reply, counts, automated, comments_count, response_hours)
    select repository_id, repository_id || '-' || number || '-' || i, number, i, reviewer,
      case when ${isStamped} then 'approved' else (array['approved', 'commented', 'commented', 'changes_requested'])[1 + i % 4] end,
      ${second(
        sql`created_at + case when ${isStamped} then least(duration, interval '3 minutes') else duration * (0.2 * i / times) end`,
      )},
      not ${isStamped}, case when ${isStamped} then 0 else 1 + number % 40 end, false, false, false, 0, null
    from ${pulls}, generate_series(1, 4 * times) i, lateral (
      select 1 + (number * 7 + i * 13 + floor(power(random(), 3) * 100)::int) % ${HUMANS + 20} as reviewer) given
    where random() < 0.91 and not ${isUnreviewed} and (i = 1 or not ${isStamped})`);
  await run(sql`
    insert into comments (repository_id, kind, host_id, number, author_id, created_at, review_id, body_words, outdated)
    select repository_id, case when i % 5 < 2 then 'inline' else 'general' end, repository_id || '-' || number || '-' || i, number,
      1 + (number * 11 + i * 17) % ${HUMANS + 20}, ${second(sql`created_at + duration * (0.19 * i / times)`)}, null, 1 + (number + i) % 50,
      case when i % 5 < 2 then (number + i) % 3 = 0 end
    from ${pulls}, generate_series(1, 5 * times) i where not ${isStamped} and (not ${isUnreviewed} or number % 20 = 0)`);
  await run(sql`
    insert into events (repository_id, host_id, number, position, type, at, actor_id)
    select repository_id, repository_id || '-' || number || '-' || i, number, i,
      case when i = 0 then 'ready_for_review' when i <= 8 * times then 'review_requested' when i <= 10 * times then 'force_push'
        when i = 10 * times + 1 then 'closed' else 'merged' end,
      case when i > 10 * times then ended_at
        else ${second(sql`created_at + duration * (case when ${isForcedLate} then 0.4 else 0.1 end * i / (5 * times))`)} end, author_id
    from ${pulls}, generate_series(0, 10 * times + 2) i
    where (i = 0 and ${wasDraft}) or i between 1 and 10 * times or (i = 10 * times + 1 and ended_at is not null)
      or (i = 10 * times + 2 and merged_at is not null)`);
  await run(sql`
    insert into checks (repository_id, number, host_id, name, outcome, started_at, finished_at)
    select repository_id, number, i::text, 'build', 'success', created_at + 0.8 * duration, created_at + duration
    from ${pulls}, generate_series(1, 2) i`);
  await run(sql`
    insert into changed_files (repository_id, number, path, additions, deletions)
    select repository_id, number, (${FOLDERS}::text[])[1 + (number + i) % ${FOLDERS.length}] || 'file-' || (number + i) % 120,
      additions / 3, deletions / 3
    from ${pulls}, generate_series(1, 3 * times) i on conflict do nothing`);
  await run(sql`
    insert into review_requests (repository_id, number, position, person_id)
    select repository_id, number, i, 1 + (number * 3 + i) % ${HUMANS} from ${pulls}, generate_series(1, 2) i where state = 'open'`);
}

/** The facts about pull requests of a repository and what stands of them with their reviews, as a sync at NOW stores them. */
async function derive(db: Db, repository: number, numbers: readonly number[]): Promise<void> {
  const { records } = await storedRecords(db, repository, numbers);
  const rows = [...records.values()].map((record) =>
    factRowsOf(record, Number, NOW, { settings: defaultHealthSettings, revision: 1 }),
  );
  await db.transaction().execute(async (transaction) => {
    await saveFacts(transaction, repository, rows);
    await noteRelations(transaction, repository, numbers);
  });
}
