/*
 * What finding what is due costs the database each minute, with 2,000 people who are told of turns, of what is stuck and each day, and 20,000
 * open pull requests in 100 repositories, of which each person has connected 20. `npm run bench notifications`. Leaves
 * `bench/notifications.md`. Database time is the sum of its statements, those included by which the lists of the people concerned are read.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { FACTS_VERSION } from '../src/domain/facts.ts';
import type { Database } from '../src/server/db/database.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { type DatabasePlace, openDatabase } from '../src/server/db/open.ts';
import { DueFinder } from '../src/server/notifications/due.ts';
import { deskIn } from '../test/support/notified.ts';
import { startPostgresql } from '../test/support/postgresql.ts';

const PEOPLE = 2000;
const REPOSITORIES = 100;
const OPEN = 20_000;
const CONNECTED = 20;
/** Pull requests on which somebody is asked again in a minute: one in a thousand of the open ones. */
const CHANGES = 20;
const MINUTES = 20;
const LIMIT = 200;
const HOST = 'https://bench.test';
const START = new Date('2026-11-20T12:00:00Z');

interface Result {
  readonly kind: string;
  readonly first: number;
  readonly minutes: number[];
  readonly prompted: number[];
  readonly enqueued: number;
}

async function measure(kind: string, place: DatabasePlace): Promise<Result> {
  const database = await openDatabase(place, console.error);
  await migrate(database.db);
  await fill(database.db);
  let spent = 0;
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ queryDurationMillis }) => {
      spent += queryDurationMillis;
    },
  });
  let now = START;
  const failures: unknown[] = [];
  const finder = new DueFinder({
    ...{ db, deskOf: deskIn(db), now: () => now },
    failed: (error) => void failures.push(error),
  });
  const timed = async (act: () => Promise<unknown>) => {
    spent = 0;
    await act();
    return spent;
  };
  const first = await timed(() => finder.look());
  const minutes: number[] = [];
  const prompted: number[] = [];
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    now = new Date(START.getTime() + minute * 60_000 - 30_000);
    await change(database.db, minute, now);
    prompted.push(await timed(() => finder.lookAtChanges()));
    now = new Date(START.getTime() + minute * 60_000);
    minutes.push(await timed(() => finder.look()));
  }
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from notification_keys`.execute(
    database.db,
  );
  await database.close();
  if (failures.length > 0) throw failures[0];
  return { kind, first, minutes, prompted, enqueued: rows[0]!.count };
}

async function fill(db: Kysely<Database>): Promise<void> {
  const at = sql`${START}::timestamptz`;
  await sql`insert into users (host, host_id, login, created_at, signed_in_at, email)
    select ${HOST}, 'p' || n, 'p' || n, ${at}, ${at}, 'p' || n || '@bench.test' from generate_series(1, ${PEOPLE}::int) n`.execute(
    db,
  );
  await sql`insert into people (host, host_id, login, type, kind) select host, host_id, login, 'user', 'human' from users order by id`.execute(
    db,
  );
  await sql`insert into credentials (user_id, token_encrypted, updated_at) select id, '', ${at} from users`.execute(db);
  await sql`
    insert into repositories (host, host_id, owner, name, url, private, archived, webhook_key, webhook_secret_encrypted, changed_at, created_at,
      history_completed_at, last_synced_at)
    select ${HOST}, r::text, 'acme', 'repository-' || r, '', false, false, 'key-' || r, '', ${at}, ${at}, ${at} - interval '90 days', ${at}
    from generate_series(1, ${REPOSITORIES}::int) r`.execute(db);
  await sql`
    insert into connections (user_id, repository_id, readable, checked_at, checked_with, check_due_at, connected_at, seen_owner, seen_name)
    select k.user_id, r.id, true, ${at}, k.grant_id, ${at} + interval '1 day', ${at} - interval '90 days', r.owner, r.name
    from credentials k join repositories r on (r.id + k.user_id) % ${REPOSITORIES / CONNECTED}::int = 0`.execute(db);
  const options = {
    turn: { delay: 10, team_review: false },
    stuck: { after: 24, repeat: 24, mine: false },
    daily: { time: '09:00', weekdays: [1, 2, 3, 4, 5] },
  };
  for (const [kind, each] of Object.entries(options))
    await sql`insert into notification_subscriptions (user_id, channel, kind, options, since)
      select id, 'mail', ${kind}, ${JSON.stringify(each)}::jsonb, ${at} from users`.execute(db);
  await sql`insert into notification_facts (id, version, since) values (1, ${FACTS_VERSION}, ${at} - interval '60 days')`.execute(
    db,
  );
  await sql`
    insert into pull_requests (repository_id, number, host_id, node_id, title, title_lower, url, state, draft, author_id, created_at, updated_at,
      additions, deletions, changed_files, commits, comments, review_comments, base_ref, head_ref, fetched_at, settled)
    select 1 + n % ${REPOSITORIES}::int, 1 + n / ${REPOSITORIES}::int, n::text, n::text, 'A change', 'a change', '', 'open', false,
      1 + (n * 7) % ${PEOPLE}::int, waits.since, waits.since, 10, 2, 1, 1, 0, 0, 'main', 'topic', ${at}, true
    from generate_series(0, ${OPEN - 1}::int) n, lateral (select date_trunc('second', ${at} - make_interval(mins => (n * 37) % 28800)) as since) waits`.execute(
    db,
  );
  await sql`
    insert into pull_request_facts (repository_id, number, version, last_activity_at, active_development_time, waiting_for_review_time,
      review_cycles, waiting_on, waiting_since, waiting_reason, phases, reviewer_ids, by_agent, author_id, draft, created_at, lines_changed,
      authorship, credited_id)
    select repository_id, number, ${FACTS_VERSION}, updated_at, 0, 0, 0, case when number % 4 = 0 then 'author' else 'reviewers' end, created_at,
      'never_reviewed', '[]', '{}', false, author_id, false, created_at, 12, 'human', author_id
    from pull_requests`.execute(db);
  await sql`
    insert into events (repository_id, host_id, number, position, type, at, actor_id, reviewer_id)
    select repository_id, 'e' || host_id, number, 0, 'review_requested', created_at, author_id, 1 + (author_id * 13 + number) % ${PEOPLE}::int
    from pull_requests`.execute(db);
  await sql`
    insert into review_requests (repository_id, number, position, person_id)
    select repository_id, number, 0, reviewer_id from events`.execute(db);
  await sql`analyze`.execute(db);
}

/** Some ask somebody else now. */
async function change(db: Kysely<Database>, minute: number, at: Date): Promise<void> {
  const these = sql`number = ${minute} and repository_id <= ${CHANGES}::int`;
  await sql`update review_requests set person_id = 1 + (person_id + 500) % ${PEOPLE}::int where ${these}`.execute(db);
  await sql`update events set at = ${at}, reviewer_id = 1 + (reviewer_id + 500) % ${PEOPLE}::int where ${these}`.execute(
    db,
  );
  await sql`update pull_request_facts set waiting_on = 'reviewers', waiting_since = ${at} where ${these}`.execute(db);
  await sql`update pull_requests set fetched_at = ${at} where ${these}`.execute(db);
  await sql`update repositories set changed_at = ${at} where id <= ${CHANGES}::int`.execute(db);
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const most = (values: readonly number[]) => Math.max(...values);
const ms = (value: number) => `${Math.round(value)} ms`;

const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
chmodSync(folder, 0o777);
const postgresql = await startPostgresql();
try {
  const results: Result[] = [];
  if (postgresql === null) console.error('PostgreSQL is not installed: it is LEFT OUT.');
  else results.push(await measure('PostgreSQL', { kind: 'postgresql', url: postgresql.url }));
  results.push(await measure('embedded', { kind: 'embedded', folder: join(folder, 'database') }));
  const lines = results.map(
    ({ kind, first, minutes, prompted, enqueued }) =>
      `| ${kind} | ${ms(median(minutes))} | ${ms(most(minutes))} | ${ms(median(prompted))} | ${ms(first)} | ${enqueued} |`,
  );
  const report = `# Finding what is due

\`npm run bench notifications\` on ${cpus().length} cores: ${PEOPLE.toLocaleString('en')} people, ${OPEN.toLocaleString('en')} open pull requests, ${CHANGES} of them changed each
minute. Database time of one look: at most ${LIMIT} ms in the median minute.

| database | each minute, median | most | when ${CHANGES} changed, median | after a start | things enqueued |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
  mkdirSync('bench', { recursive: true });
  writeFileSync('bench/notifications.md', report);
  console.log(report);
  if (results.some(({ minutes }) => median(minutes) > LIMIT)) process.exitCode = 1;
} finally {
  await postgresql?.stop();
  rmSync(folder, { recursive: true, force: true });
}
