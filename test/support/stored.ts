import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type ChannelType, defaultQuietHours } from '#domain/notifications/subscriptions.ts';
import type { CommentRecord, PersonRef, PullRequestRecord } from '#domain/pull-request.ts';
import type { OwnSignalKey } from '#domain/signals.ts';
import type { Database } from '../../src/server/db/database.ts';
import { importedTables, refreshStatistics } from '../../src/server/db/statistics.ts';
import type { HostAccount, HostCommentMarks, HostPullRequest } from '../../src/server/host/pull-request.ts';
import { type Scope, scopeOf } from '../../src/server/metrics/scope.ts';
import { type SecretBox, sealedAs } from '../../src/server/secret-box.ts';
import { rebuild } from '../../src/server/sync/rebuild-facts.ts';
import { savePullRequests } from '../../src/server/sync/save.ts';
import { unmarked } from './builders.ts';

/** The host that all stored test data comes from. */
export const HOST = 'https://host.test';

/** What a record does not say of a pull request and a list shows. */
export interface StoredExtras {
  readonly title?: string;
  readonly updatedAt?: number;
  readonly body?: string;
  readonly mergeSha?: string;
  /** Whole messages of commits, by their sha, where they say more than the headline. */
  readonly messages?: Readonly<Record<string, string>>;
  /** Signals of which somebody says that they are not so. */
  readonly notSo?: readonly OwnSignalKey[];
  /** What became of inline comments, by their id; of those that are left out nothing did. */
  readonly marks?: Readonly<Record<string, StoredMarks>>;
  /** People whom its texts may name. */
  readonly known?: readonly PersonRef[];
  /** Threads as they were read after the end, by the comment that opened them. */
  readonly threads?: Readonly<Record<string, { readonly resolved: boolean; readonly by: PersonRef | null }>>;
}

export interface StoredMarks {
  readonly outdated: boolean;
  /** Why it was minimised; null where it was not. */
  readonly minimized: string | null;
  /** 👍 and 👎. */
  readonly up: number;
  readonly down: number;
}

/** A new user of the product, by their row id. */
export async function aUser(db: Kysely<Database>, timeZone = 'UTC'): Promise<number> {
  const login = randomUUID();
  const moment = new Date(0);
  const row = await db
    .insertInto('users')
    .values({
      host: HOST,
      host_id: login,
      login,
      time_zone: timeZone,
      created_at: moment,
      signed_in_at: moment,
      seen_at: moment,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await aCredential(db, row.id);
  return row.id;
}

/** A token of the user that the host accepts; whatever they have connected is seen when it was checked with it. */
export async function aCredential(db: Kysely<Database>, user_id: number): Promise<number> {
  const { grant_id } = await db
    .insertInto('credentials')
    .values({ user_id, token_encrypted: 'sealed', updated_at: new Date(0) })
    .returning('grant_id')
    .executeTakeFirstOrThrow();
  return grant_id;
}

/** The user has connected the repository, and sees it. */
export async function aConnection(
  db: Kysely<Database>,
  user_id: number,
  repository_id: number,
  moment = new Date(0),
): Promise<void> {
  await sql`
    insert into connections (user_id, repository_id, readable, checked_at, checked_with, check_due_at, connected_at, seen_owner, seen_name)
    select ${user_id}::int, r.id, true, ${moment}, k.grant_id, ${moment}::timestamptz + interval '1 day', ${moment}, r.owner, r.name
    from repositories r, credentials k where r.id = ${repository_id} and k.user_id = ${user_id}`.execute(db);
}

export interface ChannelExtras {
  readonly type?: ChannelType;
  readonly secret?: string;
  readonly personal?: boolean;
}

/** A channel that the user has made to this address, by its row id; `box` seals address and secret. */
export async function aChannel(
  db: Kysely<Database>,
  box: SecretBox,
  user_id: number,
  target: string,
  { type = 'webhook', secret, personal = false }: ChannelExtras = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval('notification_channels_id_seq')::int as id`.execute(db);
  const { id } = rows[0]!;
  await db
    .insertInto('notification_channels')
    .values({
      ...{ id, user_id, type, personal, name: `Channel ${id}`, shown: new URL(target).origin },
      target_encrypted: box.seal(target, sealedAs.channelTarget(id)),
      secret_encrypted: secret === undefined ? null : box.seal(secret, sealedAs.channelSecret(id)),
      ...{ all_repositories: true, titles: true, quiet_hours: JSON.stringify(defaultQuietHours) },
      created_at: new Date(0),
    })
    .execute();
  return id;
}

/** A repository that these users have connected and may read, by its row id. */
export async function aRepository(
  db: Kysely<Database>,
  fullName: string,
  users: readonly number[] = [],
): Promise<number> {
  const [owner = '', name = ''] = fullName.split('/');
  const moment = new Date(0);
  const { id } = await db
    .insertInto('repositories')
    .values({
      host: HOST,
      host_id: randomUUID(),
      owner,
      name,
      url: `${HOST}/${fullName}`,
      private: true,
      archived: false,
      webhook_key: randomUUID(),
      webhook_secret_encrypted: '',
      changed_at: moment,
      created_at: moment,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const user_id of users) {
    await aConnection(db, user_id, id);
  }
  return id;
}

/** What a new user sees who has connected these repositories. */
export async function aScope(db: Kysely<Database>, repositoryIds: readonly number[]): Promise<Scope> {
  const user_id = await aUser(db);
  for (const repository_id of repositoryIds) await aConnection(db, user_id, repository_id);
  return await scopeOf(db, user_id);
}

/**
 * With at least this many pull requests `store` has the database count its tables: a server that happened to count them right after they
 * were emptied takes them for empty, and a question about a real repository lasts minutes.
 */
const COUNTED_FROM = 100;

/** Stores pull requests as a sync at `now` does; accounts keep the kind that the records give them. */
export async function store(
  db: Kysely<Database>,
  repositoryId: number,
  now: number,
  pulls: readonly (PullRequestRecord & StoredExtras)[],
): Promise<void> {
  await markKinds(db, pulls);
  await db.transaction().execute(async (transaction) => {
    const fetched = { asked_at: new Date(now), answered_at: new Date(now) };
    await savePullRequests(transaction, { id: repositoryId, host: HOST }, pulls.map(hostPullRequest), fetched);
  });
  await storeThreads(db, repositoryId, now, pulls);
  if (pulls.length >= COUNTED_FROM) await refreshStatistics(db, importedTables);
  const notSo = pulls.flatMap(({ number, notSo = [] }) => notSo.map((key) => ({ number, key })));
  if (notSo.length === 0) return;
  const said = { repository_id: repositoryId, reason: 'Paired', set_by: null, set_at: new Date(0) };
  await db
    .insertInto('signal_dismissals')
    .values(notSo.map((one) => ({ ...said, ...one })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** As they are read beside: the figures of these pull requests are then computed once more. */
async function storeThreads(
  db: Kysely<Database>,
  repository_id: number,
  now: number,
  pulls: readonly (PullRequestRecord & StoredExtras)[],
): Promise<void> {
  const threads = pulls.flatMap((pull) =>
    Object.entries(pull.threads ?? {}).map(([id, { resolved, by }]) => ({
      ...{ number: pull.number, comment_id: idIn(pull, id), resolved, by: by?.id ?? null },
    })),
  );
  if (threads.length === 0) return;
  await sql`
    insert into review_threads (repository_id, number, comment_id, resolved, resolved_by_id)
    select ${repository_id}::int, t.number, t.comment_id, t.resolved, p.id
    from json_to_recordset(${JSON.stringify(threads)}) as t (number int, comment_id text, resolved boolean, by text)
    left join people p on p.host = ${HOST} and p.host_id = t.by`.execute(db);
  await rebuild(
    db,
    repository_id,
    pulls.map(({ number }) => number),
    new Date(now),
  );
}

async function markKinds(db: Kysely<Database>, pulls: readonly PullRequestRecord[]): Promise<void> {
  const people = pulls.flatMap((pull) => [
    pull.author,
    ...[...pull.commits, ...pull.reviews, ...pull.comments].map(({ author }) => author),
    ...pull.events.flatMap(({ actor, reviewer }) => [actor, reviewer]),
    ...pull.requested.map((request) => ('person' in request ? request.person : null)),
  ]);
  const marks = people.flatMap((person) =>
    person === null || person.kind === 'human' || person.kind === 'ghost'
      ? []
      : [{ host: HOST, host_id: person.id, kind: person.kind, set_by: null, set_at: new Date(0) }],
  );
  if (marks.length === 0) return;
  await db
    .insertInto('account_kinds')
    .values(marks)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function hostPullRequest(pull: PullRequestRecord & StoredExtras): HostPullRequest {
  const moment = (at: number) => new Date(at);
  const momentOrNull = (at: number | null) => (at === null ? null : new Date(at));
  return {
    id: `pull-${pull.number}`,
    node_id: `node-${pull.number}`,
    number: pull.number,
    title: pull.title ?? `Pull request ${pull.number}`,
    url: `${HOST}/pull/${pull.number}`,
    state: pull.state,
    draft: pull.draft,
    author: account(pull.author),
    merged_by: account(pull.mergedBy),
    created_at: moment(pull.createdAt),
    updated_at: moment(pull.updatedAt ?? pull.mergedAt ?? pull.closedAt ?? pull.createdAt),
    closed_at: momentOrNull(pull.closedAt),
    merged_at: momentOrNull(pull.mergedAt),
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changedFiles,
    base_ref: pull.baseRef,
    head_ref: pull.headRef,
    head_sha: pull.commits.at(-1)?.sha ?? null,
    merge_commit_sha: pull.mergeSha ?? null,
    body: pull.body ?? '',
    labels: pull.attribution.labels,
    assignments: pull.attribution.assignments.map(({ person, at, until }) => ({
      account: account(person)!,
      at: moment(at),
      until: momentOrNull(until),
    })),
    commits: pull.commits.map((commit) => ({
      sha: commit.sha,
      author: account(commit.author),
      author_name: commit.authorIsBot ? 'some[bot]' : 'Somebody',
      author_email: null,
      authored_at: moment(commit.authoredAt),
      committed_at: moment(commit.committedAt),
      message: pull.messages?.[commit.sha] ?? commit.headline,
    })),
    reviews: pull.reviews.map((review) => ({
      id: idIn(pull, review.id),
      author: account(review.author),
      state: review.state,
      submitted_at: moment(review.submittedAt),
      has_body: review.hasBody,
      body_words: review.bodyWords ?? (review.hasBody ? 3 : 0),
      commit_sha: null,
    })),
    comments: pull.comments.map((comment) => ({
      id: idIn(pull, comment.id),
      kind: comment.kind,
      author: account(comment.author),
      created_at: moment(comment.createdAt),
      review_id: idOrNull(pull, comment.reviewId),
      in_reply_to: idOrNull(pull, comment.inReplyTo),
      path: comment.path,
      body_words: comment.kind === 'general' ? comment.bodyWords : null,
      marks: comment.kind === 'inline' ? marksOf(pull, comment) : null,
    })),
    events: pull.events.map((event) => ({
      id: idIn(pull, event.id),
      type: event.type,
      at: moment(event.at),
      actor: account(event.actor),
      reviewer:
        event.reviewer !== null
          ? { account: account(event.reviewer)! }
          : event.team !== null
            ? { team: { handle: event.team } }
            : null,
      review_id: idOrNull(pull, event.reviewId),
      previous_state: event.previousState,
      sha: null,
    })),
    review_requests: pull.requested.map((request) =>
      'person' in request ? { account: account(request.person)! } : { team: { handle: request.team } },
    ),
    files: pull.files,
    checks: pull.checks.map((check) => ({
      id: idIn(pull, check.id),
      name: check.name,
      outcome: check.outcome,
      started_at: momentOrNull(check.startedAt),
      finished_at: momentOrNull(check.completedAt),
    })),
    commit_count: pull.commits.length,
    comment_count: pull.comments.filter(({ kind }) => kind === 'general').length,
    review_comment_count: pull.comments.filter(({ kind }) => kind === 'inline').length,
  };
}

/** What is said of a comment beside its record stands before what that says; nothing was done to one of which neither says anything. */
function marksOf({ marks }: StoredExtras, comment: CommentRecord): HostCommentMarks {
  const said = marks?.[comment.id] ?? comment.marks ?? unmarked;
  const { outdated, minimized } = said;
  const [up, down] = 'up' in said ? [said.up, said.down] : [said.thumbsUp, said.thumbsDown];
  return { outdated, minimized, thumbs_up: up, thumbs_down: down };
}

/** Records number their parts each from the same start; a host gives no id twice. The order of numbers stays. */
function idIn(pull: PullRequestRecord, id: string): string {
  return /^\d+$/.test(id) ? String(pull.number * 1e10 + Number(id)) : `${pull.number}-${id}`;
}

function idOrNull(pull: PullRequestRecord, id: string | null): string | null {
  return id === null ? null : idIn(pull, id);
}

function account(person: PersonRef | null): HostAccount | null {
  if (person === null) return null;
  return { id: person.id, login: person.login, type: 'user', name: person.displayName, avatar_url: person.avatarUrl };
}
