import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SyncResponse } from '../../src/contract/sync.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestDatabase } from '../support/database.ts';
import { isRecorded, recordedRows, recordingsFolder } from '../support/recordings.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing } from '../support/syncing.ts';

if (!isRecorded)
  console.error(
    `\n${'!'.repeat(80)}\nNo recordings in ${recordingsFolder}: the recorded sync is LEFT OUT.\n${'!'.repeat(80)}\n`,
  );

interface Line {
  number: number;
  github_id: number;
  title: string;
  author_login: string | null;
  state: string;
  draft: boolean;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  merged_at: string | null;
  merged_by: string | null;
  base_ref: string;
  additions: number;
  deletions: number;
  changed_files: number;
  commits_count: number;
  labels: string[];
  requested_reviewers: string[];
  commits: { sha: string; authored_at: string; committed_at: string; author_name: string; message_headline: string }[];
  reviews: { id: number; reviewer: string | null; state: string; submitted_at: string; body_length: number }[];
  comments: {
    id: number;
    kind: 'issue' | 'review';
    author: string | null;
    created_at: string;
    review_id?: number;
    in_reply_to_id?: number | null;
    path?: string;
  }[];
  events: {
    event: string;
    actor?: string | null;
    created_at: string;
    requested_reviewer?: string;
    sha?: string | null;
  }[];
}

/** The recorded name of an event, and ours. */
const eventTypes: Readonly<Record<string, string>> = {
  review_requested: 'review_requested',
  review_request_removed: 'review_request_removed',
  review_dismissed: 'review_dismissed',
  ready_for_review: 'ready_for_review',
  convert_to_draft: 'convert_to_draft',
  head_ref_force_pushed: 'force_push',
  merged: 'merged',
  closed: 'closed',
  reopened: 'reopened',
};

describe.runIf(isRecorded)('a full sync of bitcoin-core/gui', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let end: SyncResponse;
  let lines: Line[];
  let shift: number;

  beforeAll(async () => {
    lines = recordedRows<Line>('bitcoin-core/gui');
    simulator = await startSimulator({ world: 'recorded', data: recordingsFolder });
    database = await openTestDatabase();
    const syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('hebasto');
    const repository = await syncing.connect(user, 'bitcoin-core/gui');
    end = await syncing.run(user, repository, 'full');
    await syncing.stop();
    const first = await database.db
      .selectFrom('pull_requests')
      .select('created_at')
      .where('number', '=', lines[0]!.number)
      .executeTakeFirstOrThrow();
    shift = first.created_at.getTime() - Date.parse(lines[0]!.created_at);
  });
  afterAll(async () => {
    await database.close();
    await simulator.stop();
  });

  /** As recorded, moved by the weeks by which the host's world is moved. */
  const at = (text: string | null) => (text === null ? null : new Date(Date.parse(text) + shift).toISOString());
  const rows = async <Row>(query: ReturnType<typeof sql<Row>>) =>
    (await query.execute(database.db)).rows.map((row) => JSON.parse(JSON.stringify(row)) as Row);
  /** Deleted accounts are recorded as nobody or as `ghost`, the one Bot without its suffix. */
  const person = (login: string | null | undefined) =>
    login == null || login === 'ghost' ? null : login === 'Copilot' ? 'Copilot[bot]' : login;
  /** What is only on one side: a whole repository at a glance. */
  function differences(stored: readonly object[], expected: readonly object[]) {
    const [here, there] = [stored, expected].map((items) => items.map((item) => JSON.stringify(item)));
    const [mine, theirs] = [new Set(here), new Set(there)];
    return {
      count: stored.length - expected.length,
      missing: there!.filter((item) => !mine.has(item)),
      surplus: here!.filter((item) => !theirs.has(item)),
    };
  }
  const none = { count: 0, missing: [], surplus: [] };

  it('is complete', () => {
    expect(end).toMatchObject({ status: 'completed', imported_prs: 537, imported_reviews: 2893, skipped: [] });
    expect(shift % (7 * 24 * 3_600_000)).toBe(0);
  });

  it('has every pull request, field by field', async () => {
    const stored = await rows(sql<object>`
      select p.number, p.host_id, p.title, a.login as author, p.state, p.draft, p.created_at, p.updated_at,
        p.base_ref, p.additions, p.deletions, p.changed_files, p.commits
      from pull_requests p left join people a on a.id = p.author_id`);

    const expected = lines.map((line) => ({
      number: line.number,
      host_id: String(line.github_id),
      title: line.title,
      author: person(line.author_login),
      state: line.state,
      draft: line.draft,
      created_at: at(line.created_at),
      updated_at: at(line.updated_at),
      base_ref: line.base_ref,
      additions: line.additions,
      deletions: line.deletions,
      changed_files: line.changed_files,
      commits: line.commits_count,
    }));
    expect(differences(stored, expected)).toEqual(none);
  });

  it('knows when each one ended and who merged it', async () => {
    const stored = await rows(sql<{
      number: number;
      closed_at: string | null;
      merged_at: string | null;
      merged_by: string;
    }>`
      select p.number, p.closed_at, p.merged_at, m.login as merged_by
      from pull_requests p left join people m on m.id = p.merged_by_id`);

    // The recording gives the end a second before or after its event.
    const near = (one: string | null, other: string | null) =>
      one === null || other === null ? one === other : Math.abs(Date.parse(one) - Date.parse(other)) <= 2000;
    const byNumber = new Map(stored.map((row) => [row.number, row]));
    const wrong = lines.filter((line) => {
      const row = byNumber.get(line.number)!;
      const merger = person(line.merged_by);
      return (
        !near(row.closed_at, at(line.closed_at)) ||
        !near(row.merged_at, at(line.merged_at)) ||
        (merger !== null && row.merged_by !== merger)
      );
    });
    expect(wrong.map((line) => line.number)).toEqual([]);
  });

  it('has every review, those around lone inline comments too', async () => {
    const stored = await rows(sql<object>`
      select r.number, r.host_id, a.login as author, r.state, r.submitted_at, r.has_body
      from reviews r left join people a on a.id = r.author_id`);

    const expected = lines.flatMap((line) => {
      const known = new Set(line.reviews.map((review) => review.id));
      const lone = new Map(
        line.comments
          .filter((comment) => comment.review_id !== undefined && !known.has(comment.review_id))
          .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
          .map((comment) => [comment.review_id!, comment]),
      );
      return [
        ...line.reviews.map((review) => ({
          number: line.number,
          host_id: String(review.id),
          author: person(review.reviewer),
          state: review.state,
          submitted_at: at(review.submitted_at),
          has_body: review.body_length > 0,
        })),
        ...[...lone].map(([id, comment]) => ({
          number: line.number,
          host_id: String(id),
          author: person(comment.author),
          state: 'commented',
          submitted_at: at(comment.created_at),
          has_body: false,
        })),
      ];
    });
    expect(expected.length).toBe(2893);
    expect(differences(stored, expected)).toEqual(none);
  });

  it('has every comment', async () => {
    const stored = await rows(sql<object>`
      select c.number, c.host_id, c.kind, a.login as author, c.created_at, c.review_id, c.in_reply_to, c.path
      from comments c left join people a on a.id = c.author_id`);

    const expected = lines.flatMap((line) =>
      line.comments.map((comment) => ({
        number: line.number,
        host_id: String(comment.id),
        kind: comment.kind === 'issue' ? 'general' : 'inline',
        author: person(comment.author),
        created_at: at(comment.created_at),
        review_id: comment.review_id === undefined ? null : String(comment.review_id),
        in_reply_to: comment.in_reply_to_id == null ? null : String(comment.in_reply_to_id),
        path: comment.path ?? null,
      })),
    );
    expect(differences(stored, expected)).toEqual(none);
  });

  it('has every event', async () => {
    const stored = await rows(sql<object>`
      select e.number, e.type, e.at, a.login as actor, r.login as reviewer
      from events e left join people a on a.id = e.actor_id left join people r on r.id = e.reviewer_id`);

    const expected = lines.flatMap((line) =>
      line.events
        .filter(({ event }) => Object.hasOwn(eventTypes, event))
        .map((event) => ({
          number: line.number,
          type: eventTypes[event.event],
          at: at(event.created_at),
          actor: person(event.actor),
          reviewer: person(event.requested_reviewer),
        })),
    );
    expect(differences(stored, expected)).toEqual(none);
  });

  it('has every commit in the host’s order, also beyond the first page of them', async () => {
    const stored = await rows(sql<{ number: number; sha: string }>`
      select number, sha, author_name, authored_at, committed_at, headline from commits order by number, position`);

    for (const line of lines) {
      const theirs = stored.filter((commit) => commit.number === line.number);
      const expected = line.commits.map((commit) => ({
        number: line.number,
        sha: commit.sha,
        author_name: commit.author_name,
        authored_at: at(commit.authored_at),
        committed_at: at(commit.committed_at),
        headline: commit.message_headline,
      }));
      expect(theirs.length).toBe(line.commits_count);
      const listed = new Set(expected.map((commit) => commit.sha));
      expect(theirs.filter((commit) => listed.has(commit.sha))).toEqual(expected);
    }
  });

  it('has the labels and the merge commit of every pull request', async () => {
    // Some labels are spelt otherwise since: an event keeps the name it was written with.
    const names = (labels: readonly string[]) => labels.map((label) => label.toLowerCase()).toSorted();
    const found = await rows(sql<{ number: number; labels: string[]; merge_commit_sha: string | null }>`
      select number, labels, merge_commit_sha from pull_requests`);
    const stored = found.map((row) => ({ ...row, labels: names(row.labels) }));

    const expected = lines.map((line) => ({
      number: line.number,
      labels: names(line.labels),
      merge_commit_sha: line.events.findLast(({ event }) => event === 'merged')?.sha ?? null,
    }));
    expect(differences(stored, expected)).toEqual(none);
  });

  it('has the reviews that are requested now', async () => {
    const stored = await rows(sql<object>`
      select q.number, p.login from review_requests q join people p on p.id = q.person_id`);

    const expected = lines.flatMap((line) => line.requested_reviewers.map((login) => ({ number: line.number, login })));
    expect(differences(stored, expected)).toEqual(none);
  });
});
