import { type Kysely, type Selectable, sql } from 'kysely';
import type { CommentRecord, EventRecord, PersonRef, PullRequestRecord, SubmittedState } from '#domain/pull-request.ts';
import type { Database } from './database.ts';

/**
 * What is stored of some pull requests, as the figures read it, by number; those that are not stored are missing. The accounts
 * are as they are called and counted now, not as they were when the pull request was saved. Of the traces that agents leave only
 * whether there is one is stored: `agentTrace` is then `agent`.
 */
export async function storedRecords(
  db: Kysely<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<Map<number, PullRequestRecord>> {
  const table = <Name extends keyof Database & string>(name: Name) =>
    sql<Stored<Name>>`select * from ${sql.table(name)}
      where repository_id = ${repositoryId} and number = any(${numbers}::int[])`
      .execute(db)
      .then(({ rows }) => rows);
  const pulls = await table('pull_requests');
  const commits = byNumber(await table('commits'), (a, b) => a.position - b.position);
  const reviews = byNumber(await table('reviews'), (a, b) => a.position - b.position);
  const comments = byNumber(await table('comments'));
  const events = byNumber(await table('events'), (a, b) => a.position - b.position);
  const checks = byNumber(await table('checks'));
  const requests = byNumber(await table('review_requests'), (a, b) => a.position - b.position);
  const personOf = await peopleOf(db, [
    ...pulls.map((pull) => pull.author_id),
    ...[commits, reviews, comments].flatMap((rows) => [...rows.values()].flat().map((row) => row.author_id)),
    ...[...events.values()].flat().flatMap((event) => [event.actor_id, event.reviewer_id]),
    ...[...requests.values()].flat().map((request) => request.person_id),
  ]);

  return new Map(
    pulls.map((pull) => [
      pull.number,
      {
        number: pull.number,
        state: pull.state,
        draft: pull.draft,
        author: personOf(pull.author_id),
        createdAt: pull.created_at.getTime(),
        mergedAt: pull.merged_at?.getTime() ?? null,
        closedAt: pull.closed_at?.getTime() ?? null,
        additions: pull.additions,
        deletions: pull.deletions,
        changedFiles: pull.changed_files,
        headRef: pull.head_ref,
        commits: (commits.get(pull.number) ?? []).map((commit) => ({
          sha: commit.sha,
          author: personOf(commit.author_id),
          authorIsBot: commit.author_is_bot,
          authoredAt: commit.authored_at.getTime(),
          committedAt: commit.committed_at.getTime(),
          headline: commit.headline,
          agentTrace: commit.by_agent ? 'agent' : null,
        })),
        reviews: (reviews.get(pull.number) ?? []).map((review) => ({
          id: review.host_id,
          author: personOf(review.author_id),
          state: review.state,
          stateAtSubmission: null,
          submittedAt: review.submitted_at.getTime(),
          hasBody: review.has_body,
        })),
        comments: (comments.get(pull.number) ?? []).map(
          (comment): CommentRecord => ({
            id: comment.host_id,
            kind: comment.kind,
            author: personOf(comment.author_id),
            createdAt: comment.created_at.getTime(),
            reviewId: comment.review_id,
            inReplyTo: comment.in_reply_to,
            path: comment.path,
          }),
        ),
        events: (events.get(pull.number) ?? []).map(
          (event): EventRecord => ({
            id: event.host_id,
            type: event.type as EventRecord['type'],
            at: event.at.getTime(),
            actor: personOf(event.actor_id),
            reviewer: personOf(event.reviewer_id),
            team: event.team,
            reviewId: event.review_id,
            previousState:
              event.previous_state === 'dismissed' ? null : (event.previous_state as SubmittedState | null),
          }),
        ),
        checks: (checks.get(pull.number) ?? []).map((check) => ({
          id: check.host_id,
          name: check.name,
          outcome: check.outcome,
          completedAt: check.finished_at?.getTime() ?? null,
        })),
        requested: (requests.get(pull.number) ?? []).map(({ person_id, team }) =>
          team === null ? { person: personOf(person_id)! } : { team },
        ),
      },
    ]),
  );
}

type Stored<Name extends keyof Database> = Selectable<Database[Name]>;

function byNumber<Row extends { number: number }>(
  rows: readonly Row[],
  order: (a: Row, b: Row) => number = () => 0,
): Map<number, Row[]> {
  return Map.groupBy(rows.toSorted(order), (row) => row.number);
}

async function peopleOf(
  db: Kysely<Database>,
  ids: readonly (number | null)[],
): Promise<(id: number | null) => PersonRef | null> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const rows = await db
    .selectFrom('people')
    .select(['id', 'host_id', 'login', 'kind', 'name', 'avatar_url'])
    .where(sql<boolean>`id = any(${wanted}::int[])`)
    .execute();
  const people = new Map(
    rows.map((row) => [
      row.id,
      { id: row.host_id, login: row.login, kind: row.kind, displayName: row.name, avatarUrl: row.avatar_url },
    ]),
  );
  return (id) => (id === null ? null : (people.get(id) ?? null));
}
