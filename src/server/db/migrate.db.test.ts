import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aPerson,
  aPullRequest,
  approves,
  checked,
  closed,
  comments,
  draft,
  forcePushed,
  type Happening,
  hour,
  merged,
  pushed,
  ready,
  requestsChanges,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import { fillSignals } from '../sync/fill-signals.ts';
import { recount } from '../sync/recount.ts';
import { type MigrationStep, migrate, partsOfNewerVersions } from './migrate.ts';
import { up as reviewerReads } from './migrations/0050-reviewer-reads.ts';
import { up as reviewedInTheSecondOfAPush } from './migrations/0055-reviewed-in-the-second-of-a-push.ts';
import { up as firstDraftEventsAtOnce } from './migrations/0058-first-draft-events-at-once.ts';
import { up as whoWroteAgain } from './migrations/0059-who-wrote-again.ts';
import { up as runsOfOtherPullRequests } from './migrations/0060-runs-of-other-pull-requests.ts';
import { up as overlapsAndReverts } from './migrations/0063-overlaps-and-reverts.ts';
import { up as hiddenCommits } from './migrations/0065-hidden-commits.ts';
import { type OpenDatabase, openDatabase } from './open.ts';
import { SET_UP_LOCK } from './set-up-lock.ts';

/** The embedded database has one process. */
const onPostgresql = process.env.TEST_DATABASE === 'postgresql';

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('what was pushed after its approval and reviewed in the second of a push is computed again, and nothing else', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/same-second');
  const histories = [
    [pushed(3), comments(3, 'cy')],
    [forcePushed(3), comments(3, 'cy')],
    [pushed(3), comments(4, 'cy'), pushed(5)],
    [comments(3, 'cy')],
  ];
  await store(
    db,
    id,
    hour(200),
    histories.map((happenings, at) => aPullRequest({ number: at + 1 }, approves(2, 'bo'), ...happenings, merged(100))),
  );
  await sql`update pull_request_facts set commits_after_approval = 1 where repository_id = ${id} and number = 1`.execute(
    db,
  );
  await sql`update pull_request_facts set forced_after_approval = true where repository_id = ${id} and number = 2`.execute(
    db,
  );

  await reviewedInTheSecondOfAPush(db as never);

  const rows = await db
    .selectFrom('pull_request_facts')
    .select(['number', 'signals'])
    .where('repository_id', '=', id)
    .orderBy('number')
    .execute();
  expect(rows.map(({ signals }) => signals > 0)).toEqual([false, false, true, true]);
});

test('what became ready and a draft in the first second of its draft events is computed again, and nothing else', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/drafts');
  const histories = [[draft(3), ready(3)], [ready(3), draft(4), ready(4)], [ready(3), ready(3)], []];
  await store(
    db,
    id,
    hour(200),
    histories.map((happenings, at) => aPullRequest({ number: at + 1 }, ...happenings, merged(100))),
  );

  await firstDraftEventsAtOnce(db as never);

  const rows = await db
    .selectFrom('pull_request_facts')
    .select(['number', 'version'])
    .where('repository_id', '=', id)
    .orderBy('number')
    .execute();
  expect(rows.map(({ version }) => version > 0)).toEqual([false, true, true, true]);
});

test('what texts said of who wrote and started is read again where the rules of before missed it, and nothing else', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/agents');
  const author = aPerson('copilot-swe-agent[bot]', { kind: 'agent' });
  const [spaced, plain] = ['docs/How to.md', 'docs/how.md'].map((path) => [{ path, additions: 1, deletions: 0 }]);
  await store(db, id, hour(200), [
    aPullRequest({ number: 1, author }, merged(9)),
    { ...aPullRequest({ number: 2, author }, merged(9)), body: 'Requested by: @bo', known: [aPerson('bo')] },
    aPullRequest({ number: 3, files: spaced! }, pushed(1), merged(9)),
    aPullRequest({ number: 4, files: spaced! }, pushed(1), merged(9)),
    aPullRequest({ number: 5, files: plain! }, pushed(1), merged(9)),
    aPullRequest({ number: 6, files: spaced! }, pushed(1), merged(9)),
    aPullRequest({ number: 7, author }, merged(9)),
  ]);
  await sql`update pull_request_facts set credit_by = 'line' where repository_id = ${id} and number = 2`.execute(db);
  await sql`update pull_requests set collection = 0 where repository_id = ${id} and number = 7`.execute(db);
  const updated = async (number: number, headline: string, rule: number) =>
    await sql`
      update commits set headline = ${headline}, trailers = ${JSON.stringify({ marks: [{ rule, tool: 'copilot', text: '' }] })}::jsonb
      where repository_id = ${id} and number = ${number}`.execute(db);
  await updated(3, 'Update docs/How to.md', 3);
  await updated(4, 'Update docs/How to.md', 4);
  await updated(5, 'Update docs/how.md', 3);
  await updated(6, 'Update How to.md', 3);

  await whoWroteAgain(db as never);

  const rows = await db
    .selectFrom('pull_requests')
    .select(['number', 'collection', 'collection_tried_at'])
    .where('repository_id', '=', id)
    .orderBy('number')
    .execute();
  expect(rows.filter(({ collection }) => collection < 1)).toEqual([
    // It is due at once, and pages don't say that nothing is known of it.
    { number: 1, collection: -1, collection_tried_at: new Date(0) },
    { number: 3, collection: -1, collection_tried_at: new Date(0) },
    { number: 7, collection: 0, collection_tried_at: null },
  ]);
});

test('commits that a token might not read are read again, whoever an agent or a bot was said to have started is computed again, and nothing else', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/hidden-commits');
  const bot = aPerson('renovate[bot]', { kind: 'bot' });
  await store(db, id, hour(200), [
    aPullRequest({ number: 1 }, pushed(1), merged(9)),
    aPullRequest({ number: 2 }, pushed(1), merged(9)),
    aPullRequest({ number: 3 }, pushed(1), merged(9)),
    aPullRequest({ number: 4 }, merged(9)),
    aPullRequest({ number: 5, author: bot }, pushed(1), merged(9)),
    aPullRequest({ number: 6 }, pushed(1), merged(9)),
  ]);
  await sql`delete from commits where repository_id = ${id} and number in (1, 2, 4, 6)`.execute(db);
  await sql`update pull_requests set commits = 1 where repository_id = ${id} and number in (1, 2, 6)`.execute(db);
  await sql`update pull_requests set commits = 0 where repository_id = ${id} and number = 4`.execute(db);
  await sql`update pull_requests set collection = 0 where repository_id = ${id} and number = 2`.execute(db);
  await sql`update pull_requests set collection = -1 where repository_id = ${id} and number in (3, 6)`.execute(db);
  await sql`update pull_request_facts set credit_by = 'author' where repository_id = ${id} and number = 5`.execute(db);

  await hiddenCommits(db as never);

  const pulls = await db
    .selectFrom('pull_requests')
    .select(['number', 'collection', 'collection_tried_at'])
    .where('repository_id', '=', id)
    .where('collection', '<', 1)
    .orderBy('number')
    .execute();
  expect(pulls).toEqual([
    { number: 1, collection: -2, collection_tried_at: new Date(0) },
    { number: 2, collection: 0, collection_tried_at: null },
    { number: 3, collection: -1, collection_tried_at: null },
    { number: 6, collection: -2, collection_tried_at: new Date(0) },
  ]);
  const facts = await db
    .selectFrom('pull_request_facts')
    .select('number')
    .where('repository_id', '=', id)
    .where('version', '=', 0)
    .execute();
  expect(facts).toEqual([{ number: 5 }]);
});

test('what was taken for an agent’s by a label called as every object has it, and reviews of a tool that had two names, are computed again, and nothing else', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/labels');
  await store(db, id, hour(200), [
    ...[1, 2, 3].map((number) => aPullRequest({ number }, merged(9))),
    ...[4, 5].map((number) => aPullRequest({ number }, comments(3, 'bo', { threads: 1 }), merged(9))),
    aPullRequest({ number: 6, author: aPerson('qodo-merge[bot]', { kind: 'agent' }) }, merged(9)),
    aPullRequest({ number: 7 }, merged(9)),
  ]);
  const set = async (number: number, agents: string) =>
    await sql`update pull_request_facts set agents = ${agents}::text[] where repository_id = ${id} and number = ${number}`.execute(
      db,
    );
  await set(1, '{copilot,NULL}');
  await set(2, '{"{}"}');
  await set(3, '{copilot}');
  await set(6, '{qodo-merge}');
  // Somebody has said of it that no agent took part.
  await sql`update pull_request_facts set evidence = '[{"rule": 5, "text": "Label constructor"}]' where repository_id = ${id} and number = 7`.execute(
    db,
  );
  await sql`update pull_request_facts set evidence = '[{"rule": 5, "tool": "copilot"}]' where repository_id = ${id} and number = 3`.execute(
    db,
  );
  await sql`update reviewer_acts set reviewer = 'qodo-merge' where repository_id = ${id} and number = 4`.execute(db);

  await whoWroteAgain(db as never);

  const rows = await db
    .selectFrom('pull_request_facts')
    .select('number')
    .where('repository_id', '=', id)
    .where('version', '=', 0)
    .orderBy('number')
    .execute();
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 4, 6, 7]);
});

test('runs that were tied to a pull request of after them are those of the one that was open', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/releases');
  const at = (hours: number) => new Date(hour(hours));
  await store(db, id, hour(200), [
    ...[1, 2, 3].map((number) => aPullRequest({ number }, merged(9))),
    aPullRequest({ number: 4 }),
  ]);
  await sql`
    update pull_requests set head_ref = 'develop', head_sha = lpad(number::text, 40, 'a'),
      created_at = ${at(0)}::timestamptz + (number - 1) * interval '10 hours',
      merged_at = case when number < 4 then ${at(0)}::timestamptz + (number * 10 - 1) * interval '1 hour' end
    where repository_id = ${id}`.execute(db);
  const run = async (run_id: string, createdAt: Date, head: number, ...tied: number[]) => {
    await sql`
      insert into workflow_runs (repository_id, run_id, workflow, head_branch, head_sha, created_at, attempts, outcome)
      values (${id}, ${run_id}, 'test', 'develop', ${String(head).padStart(40, 'a')}, ${createdAt}, 1, 'succeeded')`.execute(
      db,
    );
    await sql`
      insert into workflow_run_pull_requests select ${id}, number, ${run_id}, false from unnest(${tied}::int[]) number`.execute(
      db,
    );
  };
  await run('1', at(5), 1, 4);
  await run('2', at(15), 2, 2, 4);
  await run('3', at(5), 9, 4);
  await run('4', at(35), 4, 4);
  await run('5', at(29.5), 3, 3);

  await runsOfOtherPullRequests(db as never);

  const { rows } = await sql`
    select run_id, number, by_head from workflow_run_pull_requests where repository_id = ${id} order by run_id, number`.execute(
    db,
  );
  expect(rows).toEqual([
    { run_id: '1', number: 1, by_head: true },
    { run_id: '2', number: 2, by_head: false },
    { run_id: '4', number: 4, by_head: false },
  ]);
});

test('for how long checks ran that say no beginning, and what titles within titles and former names revert, is computed again, and nothing else', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/computed-before');
  const [renamed, at] = [await aRepository(db, 'acme/site'), merged(100)];
  const titled = (number: number, title: string, ...happenings: Happening[]) => ({
    ...aPullRequest({ number }, ...happenings),
    title,
  });
  const described = (number: number, body: string) => ({ ...aPullRequest({ number }, at), body });
  const first = [
    aPullRequest({ number: 1 }, checked(4), checked(5), at),
    aPullRequest({ number: 2 }, checked(4), checked(4, 'success', 4), at),
    aPullRequest({ number: 3 }, at),
  ];
  await store(db, id, hour(200), [
    ...first,
    titled(4, '[x] revert "Revert "Fix (#1)""', at),
    titled(5, 'Revert "Fix"', at),
    titled(6, 'Revert "Revert "Fix (#1)""'),
    described(7, 'Reverts acme/else#1'),
  ]);
  await store(db, renamed, hour(200), [...first, described(4, 'Reverts acme/web#1'), described(5, 'Reverts #1')]);
  await sql`
    update repositories set former_owner = 'acme', former_name = 'web', renamed_at = ${new Date(hour(150))} where id = ${renamed}`.execute(
    db,
  );
  await sql`update pull_request_facts set ci_overlap_hours = 0 where repository_id in (${id}, ${renamed}) and number = 1`.execute(
    db,
  );
  await sql`insert into reverts values (${id}, 4, 1)`.execute(db);
  const facts = async (columns: string) =>
    (
      await sql`
        select repository_id = ${renamed} as renamed, number, ${sql.raw(columns)} from pull_request_facts
        where repository_id in (${id}, ${renamed}) and (number = 1 or signals = 0) order by 1, 2`.execute(db)
    ).rows;

  await overlapsAndReverts(db as never);

  expect(await facts('signals')).toEqual([
    { renamed: false, number: 1, signals: 0 },
    { renamed: false, number: 4, signals: 0 },
    { renamed: true, number: 1, signals: 0 },
    { renamed: true, number: 4, signals: 0 },
  ]);
  await fillSignals(
    { db, now: () => new Date(hour(300)), stepFailed: expect.unreachable },
    new AbortController().signal,
  );
  expect(await facts('ci_overlap_hours')).toEqual([
    { renamed: false, number: 1, ci_overlap_hours: null },
    { renamed: true, number: 1, ci_overlap_hours: null },
  ]);
  const { rows } =
    await sql`select number, target from reverts where repository_id in (${id}, ${renamed}) order by number`.execute(
      db,
    );
  expect(rows).toEqual([
    { number: 4, target: 1 },
    { number: 5, target: 1 },
  ]);
});

test('a database that is up to date is left as it is, also by several processes at once', async () => {
  await Promise.all([migrate(database.db), migrate(database.db)]);

  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.db);
  const migrations = readdirSync(join(import.meta.dirname, 'migrations')).map((file) => file.replace('.ts', ''));
  expect(rows.map(({ name }) => name)).toEqual([...migrations.sort(), ...ended]);
});

const signalFacts = [
  'standing_approvals',
  'standing_requests',
  'commented_by_others',
  'inline_by_others',
  'human_findings',
  'self_merged',
  'review_words',
  'approval_lag_minutes',
  'commits_after_approval',
  'forced_after_approval',
  'turns_in_a_day',
];
const outcomesByAccounts = ['commits_by_agent', 'independent_reviews', 'merged_on_own_word'];
const outcomes = [...outcomesByAccounts, 'failing_at_last_push'];
const beforeWorkflowRuns = [
  'drop table front_end_files',
  'drop index connections_checked',
  'alter table lens_facts drop ci_overlap_hours cascade',
  'alter table unstorable_pull_requests drop again_at',
  'drop table changed_people, pull_request_changes',
  'alter table repositories drop rename_told_at',
  'drop trigger end_snoozes on pull_requests',
  'drop function end_snoozes',
  'drop table snoozes',
  'drop index pull_request_facts_ended, pull_request_facts_first_review, pull_request_facts_of_others',
  `create index pull_request_facts_ended on pull_request_facts (repository_id, ended_at)
    include (number, author_id, created_at, lines_changed, time_to_merge, review_cycles, latest_opinion, approved_first_time)`,
  `create index pull_request_facts_first_review on pull_request_facts (repository_id, first_review_at)
    include (time_to_first_review) where first_review_at is not null`,
  'drop index pull_request_facts_attribution, pull_request_facts_credited_to_nobody, pull_request_facts_open',
  'drop table number_states, person_numbers cascade',
  'drop table assistant_calls, api_token_networks, api_tokens',
  'alter table users drop work_of, drop written_lsn, drop unused_token_deleted_at',
  'alter table pull_requests drop answered_at',
  'drop table notification_facts, notification_keys, notification_items, notifications, unsubscribe_tokens, confirmation_mails, mail_confirmations',
  'drop table notification_subscriptions, notification_channel_repositories, notification_channels, notification_settings',
  'drop table team_parts, team_members, team_people, team_readers, team_readings, team_imports, imported_organisations, teams',
  'drop table repository_lists, import_repositories, imports, followed_owners, removed_connections, organization_webhooks',
  'drop function complete_removed_connection',
  'alter table repositories drop owner_id',
  'drop table workflow_jobs, workflow_run_pull_requests, workflow_runs, workflow_reads',
  'alter table hint_quotas drop constraint hint_quotas_purpose_check',
  "alter table hint_quotas add constraint hint_quotas_purpose_check check (purpose in ('hints', 'collection'))",
];
/** Takes away what the migrations behind 0016 have made. */
const beforeCollection = [
  ...beforeWorkflowRuns,
  'drop schema if exists lens cascade',
  'drop table reviewer_acts, lens_reviewer_acts',
  'alter table pull_request_facts drop acts',
  'drop table notes, kept_views, first_acts',
  'drop table revert_claims, reverts, follow_ups, signal_dismissals, health_settings',
  'alter table repositories drop former_default_branches',
  `alter table pull_request_facts drop signals, drop base_ref, drop changed_files, drop lines_counted, drop files_known,
    drop opened_as_draft, drop draft_changes, drop ci_wait_hours, drop ci_overlap_hours,
    ${[...signalFacts, ...outcomes].map((column) => `drop ${column}`).join(', ')}`,
  `alter table lens_facts ${[...signalFacts, ...outcomesByAccounts].map((column) => `drop ${column}`).join(', ')}`,
  'drop table review_threads, clues, unknown_accounts, corrections, agent_labels',
  `alter table pull_requests drop collection, drop collection_tried_at, drop labels, drop assignees, drop merge_commit_sha,
    drop description_marks`,
  'alter table commits drop trailers, drop reverts_sha',
  'alter table reviews drop body_words',
  'alter table comments drop body_words, drop outdated, drop minimized, drop thumbs_up, drop thumbs_down',
  'alter table checks drop started_at',
  'alter table pull_request_facts drop authorship, drop agents, drop evidence, drop credited_id, drop credit_by',
  'alter table lens_facts drop authorship, drop agents, drop evidence, drop credited_id, drop credit_by',
  'alter table hint_quotas drop purpose',
  'alter table hint_quotas add primary key (user_id)',
];
/** Takes away what the migrations behind 0005 have made. */
const beforeCounting = [
  'drop table recounts, recounts_done, unstorable_pull_requests',
  'drop sequence sync_turns',
  'alter table sync_sessions drop sequence, drop turn, drop waited_seconds',
  'create index sync_sessions_newest on sync_sessions (repository_id, created_at desc)',
  'create index sync_sessions_user on sync_sessions (user_id, claimed_at desc)',
];
const beforeOwnMarks = [
  'drop schema if exists lens cascade',
  'drop table lens_months, lens_totals, lens_participations, lens_reviews, lens_facts, lens_pending, lens_marks, lenses',
  'drop table account_recounts, own_mark_changes, own_account_kinds',
];
const beforeHintLimits = [
  'alter table users drop column time_zone_known',
  'drop function tell_of_changes cascade',
  ...beforeCollection,
  ...beforeCounting,
  ...beforeOwnMarks,
  'alter table connections drop checked_with, drop check_due_at, drop lost_at, drop lost_reason, drop lost_link, drop settled, drop seen_owner, drop seen_name, drop former_grant_id',
  'alter table repositories drop node_id, drop former_owner, drop former_name, drop renamed_at',
  'drop table revocations',
  'drop table allowed_logins',
  'drop table former_credentials',
  'alter table users drop seen_at, drop organizations, drop organizations_at',
  'alter table sessions drop grant_id',
  'alter table credentials drop grant_id, drop client_id, drop expires_at, drop refresh_token_encrypted, drop refresh_leased_until',
  'drop sequence grants',
  'drop table administrators',
  'drop table webhook_old_secrets',
  'drop table hint_limits',
  'drop table absent_numbers',
  'drop table hint_quotas',
  'alter table repositories drop webhook_refused_since',
  'drop table security_events',
  'alter table sessions drop id, drop last_used_at, drop browser',
];
const beforeYears = [
  ...beforeHintLimits,
  'delete from contributor_months where span <> 0',
  'update contributor_months set span = 1',
  `insert into contributor_months (repository_id, person_id, span, month, participations, opened, merged, counting_reviews, reviewed,
      lines_opened, ended, merge_ms, with_cycles, cycles, responses, response_ms, contributions)
    select repository_id, person_id, 3, date_trunc('quarter', month::timestamp)::date, sum(participations), sum(opened), sum(merged),
      sum(counting_reviews), sum(reviewed), sum(lines_opened), sum(ended), sum(merge_ms), sum(with_cycles), sum(cycles), sum(responses),
      sum(response_ms), sum(contributions)
    from contributor_months group by 1, 2, 4`,
  'alter table contributor_months rename column span to months',
];
const beforeQuarters = [
  ...beforeYears,
  'delete from contributor_months where months = 3',
  'drop index contributor_months_month',
  'alter table contributor_months drop months',
  'alter table contributor_months add primary key (repository_id, person_id, month)',
  'create index contributor_months_month on contributor_months (repository_id, month)',
  'drop index pull_requests_search',
];

/** What only reading again brings. */
const readAgain = ['authorship', 'agents', 'evidence', 'credited_id', 'credit_by'];
/** What is computed behind the running server. */
const filledLater = [
  ...signalFacts,
  ...outcomes,
  ...['signals', 'base_ref', 'changed_files', 'lines_counted', 'files_known', 'opened_as_draft', 'draft_changes'],
  ...['ci_wait_hours', 'ci_overlap_hours', 'acts'],
];

/** It changes rows alone, in a transaction behind that of the tables. */
const ofRowsAlone = '0055-reviewed-in-the-second-of-a-push';

test.each([
  { before: '0017-collected-once', dies: '0017-collected-once', statements: beforeCollection },
  { before: '0005-years', dies: ofRowsAlone, statements: beforeYears },
  { before: '0004-quarters', dies: '0004-quarters', statements: beforeQuarters },
  {
    before: '0003-narrow-reads',
    dies: ofRowsAlone,
    counts: true,
    statements: [
      ...beforeQuarters,
      'drop index contributor_months_month',
      'alter table pull_request_facts drop author_id, drop draft, drop created_at, drop lines_changed',
      'create index pull_request_facts_ended on pull_request_facts (repository_id, ended_at)',
      'drop index pull_request_facts_first_review',
      'create index pull_request_facts_first_review on pull_request_facts (repository_id, first_review_at)',
      'alter table participations drop by_agent, drop open_by_agent, drop merged_by_agent',
      'alter table contributor_totals drop by_agent, drop open_by_agent, drop merged_by_agent',
      'update contributor_totals set opened = 0',
    ],
  },
])(
  'what was stored before $before is brought up to what a save of today stores, also where a process died on the way',
  async ({ before, dies, counts = false, statements }) => {
    const { db } = database;
    await sql`truncate repositories cascade`.execute(db);
    const id = await aRepository(db, 'acme/web');
    await store(db, id, hour(3000), [
      aPullRequest({ number: 1, author: aPerson('agent-x'), additions: 30, deletions: 4 }, merged(9)),
      aPullRequest({ number: 2, draft: true }),
      aPullRequest({ number: 3, author: null }, closed(7)),
      aPullRequest({ number: 4, author: aPerson('agent-x') }, merged(2900)),
      aPullRequest({ number: 5 }, requestsChanges(2, 'ben'), approves(7, 'ben'), approves(8, 'cara'), merged(30)),
    ]);
    const tables = [
      'pull_request_facts',
      'participations',
      'contributor_totals',
      'contributor_months',
      'number_states',
      'person_numbers',
    ] as const;
    const everything = async () =>
      await Promise.all(
        tables.map(async (table) => {
          const { rows } = await sql<{ row: object }>`
            select to_jsonb(t) - ${[...readAgain, ...filledLater]}::text[] as row from ${sql.table(table)} t`.execute(
            db,
          );
          return rows.map(({ row }) => JSON.stringify(row)).sort();
        }),
      );
    const today = await everything();
    await asBefore(before, statements);

    const dying = migrate(db, (step) => {
      if (step.kind === 'schema' && step.migrations.includes(dies)) throw new Error('killed on the way');
    });
    await expect(dying).rejects.toThrow('killed on the way');
    const steps: MigrationStep[] = [];
    await migrate(db, (step) => steps.push(step));

    expect(today[0]).toHaveLength(5);
    expect(steps[0]).toMatchObject({ migrations: dies === before ? expect.arrayContaining([before]) : [ofRowsAlone] });
    expect(steps).toContainEqual({ kind: 'schema', migrations: [ofRowsAlone] });
    expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['schema']));
    expect(await db.selectFrom('recounts').select(['repository_id', 'unusable']).execute()).toEqual(
      counts ? [{ repository_id: id, unusable: true }] : [],
    );
    await recount(db, () => new Date(), new AbortController().signal);
    expect(await everything()).toEqual(today);
    expect(await db.selectFrom('recounts').selectAll().execute()).toEqual([]);
  },
);

test('an upgrade changes rows behind the tables, and processes that it ends serve until all of it is done, also where a process died on the way', async () => {
  const { db } = database;
  const user_id = await aUser(db);
  const id = await aRepository(db, 'acme/seen-otherwise');
  await store(db, id, hour(200), [aPullRequest({ number: 1 }, approves(2, 'bo'), merged(9))]);
  await sql`update pull_request_facts set ci_overlap_hours = 1 where repository_id = ${id}`.execute(db);
  await sql`insert into lenses values (${id}, ${user_id}, now())`.execute(db);
  await sql`insert into lens_marks values (${id}, ${user_id}, 1, 'bot'), (${id}, ${user_id}, 2, 'bot')`.execute(db);
  await sql`
    insert into lens_facts select own.* from pull_request_facts f,
      jsonb_populate_record(null::lens_facts, to_jsonb(f) || jsonb_build_object('user_id', ${user_id}::int, 'by_agent', false)) own
    where f.repository_id = ${id}`.execute(db);
  await sql`alter table lens_facts drop ci_overlap_hours cascade`.execute(db);
  await sql`drop table front_end_files, team_readings`.execute(db);
  await sql`drop index connections_checked`.execute(db);
  await sql`alter table followed_owners drop looked_at`.execute(db);
  await sql`drop index notification_keys_pull_request`.execute(db);
  await sql`create index notification_keys_repository on notification_keys (repository_id)`.execute(db);
  await sql`delete from kysely_migration where name between '0056' and '0069' or name like 'facts-version-%'`.execute(
    db,
  );
  await sql`update kysely_migration set name = 'goes-on-since-0047-seen-on-replicas' where name like 'goes-on-%'`.execute(
    db,
  );
  const begun: (readonly string[])[] = [];
  const begin = (step: MigrationStep) => {
    if (step.kind === 'schema') begun.push(step.migrations);
  };

  const dying = migrate(db, (step) => {
    begin(step);
    if (begun.length === 7) throw new Error('killed on the way');
  });
  await expect(dying).rejects.toThrow('killed on the way');
  const before = await endsOlder();
  const pending = await db.selectFrom('lens_pending').selectAll().where('repository_id', '=', id).execute();
  await migrate(db, begin);

  expect(begun).toEqual([
    ['0056-overlap-of-own-marks'],
    ['0057-overlaps-to-compute'],
    ['0058-first-draft-events-at-once'],
    ['0059-who-wrote-again'],
    ['0060-runs-of-other-pull-requests'],
    ['0061-front-end-files', '0062-told-by-pull-request'],
    ['0063-overlaps-and-reverts'],
    ['0063-overlaps-and-reverts'],
    ['0064-team-readings'],
    ['0065-hidden-commits'],
    ['0066-checks-in-the-future', '0067-tell-of-what-changed', '0068-followers-looked-at'],
  ]);
  expect(before).toEqual(['goes-on-since-0047-seen-on-replicas']);
  expect(pending).toEqual([{ repository_id: id, user_id, number: 1, person_id: 1 }]);
  expect(await endsOlder()).toEqual(ended);

  // The process that had all but ended them died.
  await sql`delete from kysely_migration where name like 'facts-version-%'`.execute(db);
  await sql`update kysely_migration set name = ${before[0]} where name like 'goes-on-%'`.execute(db);
  await migrate(db, begin);
  expect(await endsOlder()).toEqual(ended);
  expect(begun).toHaveLength(11);
});

test('what was removed by hand is known by the host’s id, and to processes of the version before by its row', async () => {
  const { db } = database;
  const user_id = await aUser(db);
  const [kept, givenUp, removed, another] = [
    await aRepository(db, 'acme/kept'),
    await aRepository(db, 'acme/given-up'),
    await aRepository(db, 'acme/removed'),
    await aRepository(db, 'acme/another'),
  ];
  const rows = await db.selectFrom('repositories').select(['id', 'host_id']).execute();
  const hostIds = new Map(rows.map(({ id, host_id }) => [id, host_id]));
  for (const statement of [
    'drop table removed_connections',
    'drop function complete_removed_connection',
    `create table removed_connections (user_id integer not null references users on delete cascade,
      repository_id integer not null references repositories on delete cascade, primary key (user_id, repository_id))`,
    'create index removed_connections_repository on removed_connections (repository_id)',
    `insert into removed_connections values (${user_id}, ${kept}), (${user_id}, ${givenUp})`,
    `update repositories set host_id = 'removed ' || id where id = ${givenUp}`,
    "delete from kysely_migration where name = '0052-removals-by-host-id'",
  ])
    await sql.raw(statement).execute(db);
  const removedBefore = () =>
    sql`insert into removed_connections (user_id, repository_id) values (${user_id}, ${removed}) on conflict do nothing`.execute(
      db,
    );

  await migrate(db);
  for (let time = 0; time < 2; time += 1) await removedBefore();
  const now = { user_id, host: HOST, host_id: hostIds.get(another)! };
  await db.insertInto('removed_connections').values(now).execute();
  await db.deleteFrom('repositories').where('id', '=', kept).execute();

  const stored = await db.selectFrom('removed_connections').selectAll().orderBy('repository_id').execute();
  expect(stored).toEqual(
    [kept, removed, another].map((id) => ({ user_id, repository_id: id, host: HOST, host_id: hostIds.get(id) })),
  );
});

test('a mark of before becomes its setter’s own; of whom nobody knows who set it holds for everyone', async () => {
  const { db } = database;
  const [setter, gone] = [await aUser(db), await aUser(db)];
  for (const statement of [...beforeCollection, ...beforeOwnMarks]) await sql.raw(statement).execute(db);
  await sql`delete from kysely_migration where name in ('0009-own-marks', '0017-collected-once', '0018-counted-to-collect', '0020-review-signals', '0022-notes-and-views', '0024-workflow-runs', '0038-reviewer-acts', '0041-kept-numbers')`.execute(
    db,
  );
  await db.deleteFrom('account_kinds').execute();
  const at = new Date(hour(1));
  const marked = { host: HOST, kind: 'bot', set_at: at } as const;
  await db
    .insertInto('account_kinds')
    .values([
      { ...marked, host_id: '1', set_by: setter },
      { ...marked, host_id: '2', set_by: gone },
      { ...marked, host_id: '3', set_by: null },
    ])
    .execute();
  await db.deleteFrom('users').where('id', '=', gone).execute();

  await migrate(db);

  const own = await db.selectFrom('own_account_kinds').selectAll().execute();
  expect(own).toEqual([{ ...marked, user_id: setter, host_id: '1' }]);
  const everyone = await db.selectFrom('account_kinds').select('host_id').orderBy('host_id').execute();
  expect(everyone).toEqual([{ host_id: '2' }, { host_id: '3' }]);
  // What it was to everyone until now is counted again.
  expect(await db.selectFrom('account_recounts').select('host_id').execute()).toEqual([{ host_id: '1' }]);
});

/** By which processes of older versions end. */
async function endsOlder(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name like 'goes-on-%' or name like 'facts-%' order by name`.execute(
    database.db,
  );
  return rows.map(({ name }) => name);
}
const ended = ['facts-version-1', 'goes-on-since-0065-hidden-commits'];

/** Takes the database back to before a migration. */
async function asBefore(migration: string, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database.db);
  await sql`delete from kysely_migration where name >= ${migration}`.execute(database.db);
}

test.runIf(onPostgresql)(
  'where no extension may be made there is no index of titles, which is said, until there may be one',
  async () => {
    const { db } = database;
    const index = async () =>
      (await sql<{ name: string | null }>`select to_regclass('pull_requests_title_trigrams')::text as name`.execute(db))
        .rows[0]?.name;
    await sql`drop extension pg_trgm cascade`.execute(db);
    await sql`create function refuse() returns event_trigger language plpgsql as $$ begin raise exception 'not here'; end $$`.execute(
      db,
    );
    await sql`create event trigger refuse on ddl_command_start when tag in ('CREATE EXTENSION') execute function refuse()`.execute(
      db,
    );
    const steps: MigrationStep[] = [];

    await migrate(db, (step) => steps.push(step));

    expect(steps).toEqual([{ kind: 'without_title_index', reason: 'not here' }]);
    expect(await index()).toBeNull();
    await sql`drop event trigger refuse`.execute(db);
    await sql`drop function refuse`.execute(db);
    await migrate(db, (step) => steps.push(step));
    expect(steps).toHaveLength(1);
    expect(await index()).toBe('pull_requests_title_trigrams');
  },
);

test.runIf(onPostgresql)(
  'an index of titles whose making failed is made again, and one that somebody makes now is left to them',
  async () => {
    const { db } = database;
    const isValid = async () =>
      (
        await sql<{ valid: boolean }>`
          select indisvalid as valid from pg_index where indexrelid = to_regclass('pull_requests_title_trigrams')`.execute(
          db,
        )
      ).rows[0]?.valid;
    const [writer, maker] = [await database.pool.connect(), await database.pool.connect()];
    await sql`drop index pull_requests_title_trigrams`.execute(db);
    await writer.query('begin; lock table pull_requests in row exclusive mode');
    const { rows } = await maker.query<{ pid: number }>('select pg_backend_pid() as pid');
    const making = maker
      .query(
        'create index concurrently pull_requests_title_trigrams on pull_requests using gin (title_lower gin_trgm_ops)',
      )
      .catch((error: Error) => error.message);
    await expect.poll(isValid).toBe(false);

    await migrate(db);
    expect(await isValid()).toBe(false);
    await database.pool.query('select pg_cancel_backend($1)', [rows[0]!.pid]);
    expect(await making).toBe('canceling statement due to user request');
    await writer.query('rollback');
    for (const client of [writer, maker]) client.release();
    await migrate(db);

    expect(await isValid()).toBe(true);
  },
);

test('an empty database gets every table', async () => {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);

  await Promise.all([migrate(database.db), migrate(database.db)]);

  expect(await database.db.selectFrom('pull_request_facts').selectAll().execute()).toEqual([]);
  expect(await database.db.selectFrom('sync_sessions').selectAll().execute()).toEqual([]);
});

test.runIf(onPostgresql)('whoever reads waits for no index that takes the place of another', async () => {
  const reader = await database.pool.connect();
  await reader.query("set lock_timeout = '50ms'");
  const mayRead = () =>
    reader.query('select from pull_request_facts, reviewer_acts limit 1').then(
      () => true,
      () => false,
    );
  const indexes = async () => {
    const { rows } = await database.pool.query(
      "select indexdef from pg_indexes where schemaname = 'public' order by 1",
    );
    return rows;
  };
  const before = await indexes();
  const built: boolean[] = [];
  let statement = '';
  await database.db.transaction().execute(async (transaction) => {
    const watched = transaction.withPlugin({
      transformQuery({ node }) {
        statement = 'sqlFragments' in node ? node.sqlFragments.join('') : '';
        return node;
      },
      async transformResult({ result }) {
        if (/create index/.test(statement)) built.push(await mayRead());
        return result;
      },
    });
    await reviewerReads(watched as never);
  });
  await reader.query('set lock_timeout = 10000');
  reader.release();

  expect(built).toEqual([true, true, true, true]);
  expect(await indexes()).toEqual(before);
});

describe.runIf(onPostgresql)('where an upgrade has to wait for others', () => {
  async function asBeforeUnusedTokens(): Promise<void> {
    await sql`alter table users drop unused_token_deleted_at`.execute(database.db);
    await sql`delete from kysely_migration where name in ('0054-unused-tokens', ${ofRowsAlone})`.execute(database.db);
  }

  test('for a table, whoever reads it waits behind that for a moment only, and goes on until it tries again, for longer', async () => {
    await asBeforeUnusedTokens();
    const heard = await hearLockTimeouts();
    const steps: MigrationStep[] = [];
    const pauses: number[] = [];
    const again = Promise.withResolvers<void>();
    let migrated = Promise.resolve();
    await whileHeld('lock table users in access share mode', async () => {
      migrated = migrate(
        database.db,
        (step) => steps.push(step),
        async (milliseconds) => {
          pauses.push(milliseconds);
          await again.promise;
        },
      );
      await untilOneWaits();
      await readWithin('4s', 'select from users limit 1');
      await expect.poll(() => pauses).toEqual([5000]);
    });
    again.resolve();
    await migrated;

    expect(steps).toEqual([
      { kind: 'schema', migrations: ['0054-unused-tokens'] },
      { kind: 'waiting', reason: 'another connection keeps a table locked' },
      { kind: 'schema', migrations: ['0054-unused-tokens'] },
      { kind: 'schema', migrations: [ofRowsAlone] },
    ]);
    // PostgreSQL cancels an autovacuum for what has waited for `deadlock_timeout`.
    expect((await database.pool.query('show deadlock_timeout')).rows).toEqual([{ deadlock_timeout: '1s' }]);
    expect(await heard.lock_timeouts()).toEqual(['1500ms', '3s']);
  });

  test('for rows, the tables that it has changed are free', async () => {
    const { db, pool } = database;
    const id = await aRepository(db, 'acme/busy');
    await store(db, id, hour(200), [
      aPullRequest({ number: 1 }, approves(2, 'bo'), pushed(3), comments(3, 'cy'), merged(100)),
    ]);
    await sql`update pull_request_facts set commits_after_approval = 1 where repository_id = ${id}`.execute(db);
    await asBeforeUnusedTokens();
    let migrated = Promise.resolve();
    await whileHeld(`select from pull_request_facts where repository_id = ${id} for update`, async () => {
      migrated = migrate(db);
      await untilOneWaits();
      await readWithin('1s', 'select unused_token_deleted_at from users limit 1');
    });
    await migrated;

    const { rows } = await pool.query('select signals from pull_request_facts where repository_id = $1', [id]);
    expect(rows).toEqual([{ signals: 0 }]);
  });

  test('for the index of titles, processes that it ends serve until that is there', async () => {
    const { db } = database;
    await sql`drop index pull_requests_title_trigrams`.execute(db);
    await sql`delete from kysely_migration where name = '0065-hidden-commits' or name like 'facts-version-%'`.execute(
      db,
    );
    await sql`update kysely_migration set name = 'goes-on-since-0047-seen-on-replicas' where name like 'goes-on-%'`.execute(
      db,
    );
    let migrated = Promise.resolve();
    await whileHeld('lock table pull_requests in row exclusive mode', async () => {
      migrated = migrate(db);
      await untilOneWaits();
      expect(await endsOlder()).toEqual(['goes-on-since-0047-seen-on-replicas']);
    });
    await migrated;

    expect(await endsOlder()).toEqual(ended);
  });

  /** Which limits are in force where something is dropped, as schemas of views are. */
  async function hearLockTimeouts() {
    const { pool } = database;
    const heard: string[] = [];
    const listen = (client: pg.PoolClient) => {
      client.removeAllListeners('notice');
      client.on('notice', ({ message }) => message && heard.push(message));
    };
    await pool.query(`create function tell_lock_timeout() returns event_trigger language plpgsql as
      $$ begin raise notice '%', current_setting('lock_timeout'); end $$`);
    await pool.query(`create event trigger tell_lock_timeout on ddl_command_start when tag in ('DROP SCHEMA')
      execute function tell_lock_timeout()`);
    pool.on('acquire', listen);
    return {
      async lock_timeouts() {
        pool.off('acquire', listen);
        await pool.query('drop event trigger tell_lock_timeout; drop function tell_lock_timeout');
        return heard.filter((message) => /^\d+m?s$/.test(message));
      },
    };
  }

  async function whileHeld(statement: string, work: () => Promise<void>): Promise<void> {
    const holder = await database.pool.connect();
    await holder.query(`begin; ${statement}`);
    try {
      await work();
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  }

  async function readWithin(patience: string, statement: string): Promise<void> {
    await database.pool.query(`set lock_timeout = '${patience}'; ${statement}; set lock_timeout = 10000`);
  }

  async function untilOneWaits(): Promise<void> {
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect
      .poll(async () => (await database.pool.query(waiting)).rows.length, { timeout: 10_000, interval: 10 })
      .toBe(1);
  }
});

test.runIf(onPostgresql)(
  'a process that waits until another one has set up an empty database does nothing',
  async () => {
    const { db } = database;
    const { rows: applied } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);

    let waiting = Promise.resolve();
    await db.transaction().execute(async (other) => {
      await sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`.execute(other);
      const steps: MigrationStep[] = [];
      waiting = migrate(db, (step) => steps.push(step));
      await expect
        .poll(() => steps)
        .toEqual([
          {
            kind: 'waiting',
            reason: expect.stringMatching(/^another process sets up the database \(PostgreSQL backend \d+, /),
          },
        ]);
      await sql`create table kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null)`.execute(
        other,
      );
      for (const { name } of applied) await sql`insert into kysely_migration values (${name}, 'now')`.execute(other);
    });
    await waiting;

    const { rows } = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(db);
    expect(rows).toEqual([{ tablename: 'kysely_migration' }]);
  },
);

test.runIf(onPostgresql)('a role without the rights to set the database up is told which it needs', async () => {
  const [name, role] = [`bare_${Date.now()}`, `guest_${Date.now()}`];
  await database.pool.query(`create database ${name}`);
  await database.pool.query(`create role ${role} login`);
  const address = new URL(String(database.pool.options.connectionString));
  Object.assign(address, { pathname: `/${name}`, username: role });
  const guests = await openDatabase({ kind: 'postgresql', url: address.href, connections: 1 }, () => undefined);
  try {
    await expect(migrate(guests.db)).rejects.toThrow(
      /^DATABASE_URL: its role may not set the database up \(permission denied for schema public\)\. It has to own the database, or have create/,
    );
  } finally {
    await guests.close();
    await database.pool.query(`drop database ${name} with (force)`);
    await database.pool.query(`drop role ${role}`);
  }
});

test('a process goes on with what a newer version has added as long as that says that it can', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9998-also-for-older-ones', 'now')`.execute(
    database.db,
  );

  expect(await partsOfNewerVersions(database.db)).toEqual([]);
  await migrate(database.db);
  const { rows } = await sql<{
    name: string;
  }>`delete from kysely_migration where name like '9998%' returning name`.execute(database.db);
  expect(rows).toEqual([{ name: '9998-also-for-older-ones' }]);
});

test('a database of a newer version is refused in one line', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01T00:00:00Z')`.execute(
    database.db,
  );
  await sql`update kysely_migration set name = 'goes-on-since-9999-from-the-future' where name like 'goes-on%'`.execute(
    database.db,
  );

  expect(await partsOfNewerVersions(database.db)).toEqual(['9999-from-the-future']);
  await expect(migrate(database.db)).rejects.toThrow(
    'The database was written by a newer Mergelight (it has 9999-from-the-future)',
  );
});
