import { type Kysely, type Selectable, sql } from 'kysely';
import type { AgentMark } from '#domain/agent-traces.ts';
import { givesKnownIds } from '#domain/code-host.ts';
import type {
  AttributionRecord,
  CommentMarks,
  CommentRecord,
  EventRecord,
  PersonRef,
  PullRequestRecord,
  SubmittedState,
} from '#domain/pull-request.ts';
import type { Database } from './database.ts';
import { healthSettingsOf, type StoredHealthSettings } from './health-settings.ts';

/** An account that a text names: by the host's id where it gives one, else by login. */
export interface NamedAccount {
  readonly id: string | null;
  readonly login: string;
}

export interface StoredRecords {
  /** By number; those that are not stored are missing. */
  readonly records: ReadonlyMap<number, PullRequestRecord>;
  /** The row of a person that a record names, by the host's id. */
  readonly rowIdOf: (host_id: string) => number;
  /** Accounts that texts name and that are not stored, by the number of the pull request. */
  readonly unknown: ReadonlyMap<number, readonly NamedAccount[]>;
  /** What was asked, or is to be (`due_at`), beside the pull request itself, by number. */
  readonly clues: ReadonlyMap<number, readonly Stored<'clues'>[]>;
  readonly health: StoredHealthSettings;
}

/**
 * What is stored of some pull requests, as the figures read it. The accounts are as they are called and counted now, not as they were
 * when the pull request was saved.
 */
export async function storedRecords(
  db: Kysely<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<StoredRecords> {
  const stored = await rowsOf(db, repositoryId, numbers);
  const pulls = stored.pull_requests;
  const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position;
  const commits = byNumber(stored.commits, byPosition);
  const reviews = byNumber(stored.reviews, byPosition);
  const comments = byNumber(stored.comments);
  const events = byNumber(stored.events, byPosition);
  const checks = byNumber(stored.checks);
  const requests = byNumber(stored.review_requests, byPosition);
  const files = byNumber(stored.changed_files);
  const corrections = byNumber(stored.corrections);
  const threads = byNumber(stored.review_threads);
  const clues = byNumber(await cluesOf(db, repositoryId, numbers));
  const { host } = stored;
  const namedLabels = await namedLabelsOf(db, host);
  const health = await healthSettingsOf(db, host);
  const named = await namedAccounts(db, host, pulls, commits);
  const { personOf, rowIdOf } = await peopleOf(db, [
    ...pulls.flatMap((pull) => [pull.author_id, pull.merged_by_id]),
    ...pulls.flatMap((pull) => (pull.assignees ?? []).map(({ person_id }) => person_id)),
    ...[...clues.values()].flat().flatMap((clue) => clue.person_ids),
    ...[...corrections.values()].flat().map((correction) => correction.person_id),
    ...named.ids,
    ...[commits, reviews, comments].flatMap((rows) => [...rows.values()].flat().map((row) => row.author_id)),
    ...[...events.values()].flat().flatMap((event) => [event.actor_id, event.reviewer_id]),
    ...[...requests.values()].flat().map((request) => request.person_id),
    ...[...threads.values()].flat().map((thread) => thread.resolved_by_id),
  ]);
  const resolvers = new Map(
    [...threads].map(([number, rows]) => [
      number,
      new Map(rows.flatMap((row) => (row.resolved ? [[row.comment_id, personOf(row.resolved_by_id)] as const] : []))),
    ]),
  );

  const records = new Map(
    pulls.map((pull): [number, PullRequestRecord] => [
      pull.number,
      {
        number: pull.number,
        state: pull.state,
        draft: pull.draft,
        author: personOf(pull.author_id),
        createdAt: Date.parse(pull.created_at),
        mergedAt: instantOf(pull.merged_at),
        closedAt: instantOf(pull.closed_at),
        additions: pull.additions,
        deletions: pull.deletions,
        changedFiles: pull.changed_files,
        headRef: pull.head_ref,
        baseRef: pull.base_ref,
        mergedBy: personOf(pull.merged_by_id),
        files: files.get(pull.number) ?? [],
        commits: (commits.get(pull.number) ?? []).map((commit) => ({
          sha: commit.sha,
          author: personOf(commit.author_id),
          authorIsBot: commit.author_is_bot,
          authoredAt: Date.parse(commit.authored_at),
          committedAt: Date.parse(commit.committed_at),
          headline: commit.headline,
          byAgent: commit.by_agent,
          marks: (commit.trailers?.marks ?? []) as AgentMark[],
          coAuthors: people((commit.trailers?.co_authors ?? []).map(named.idOf)),
        })),
        reviews: (reviews.get(pull.number) ?? []).map((review) => ({
          id: review.host_id,
          author: personOf(review.author_id),
          state: review.state,
          stateAtSubmission: null,
          submittedAt: Date.parse(review.submitted_at),
          hasBody: review.has_body,
          bodyWords: review.body_words,
        })),
        comments: (comments.get(pull.number) ?? []).map(
          (comment): CommentRecord => ({
            id: comment.host_id,
            kind: comment.kind,
            author: personOf(comment.author_id),
            createdAt: Date.parse(comment.created_at),
            reviewId: comment.review_id,
            inReplyTo: comment.in_reply_to,
            path: comment.path,
            bodyWords: comment.body_words,
            marks: marksOf(comment),
            resolvedBy: resolvers.get(pull.number)?.get(comment.host_id) ?? null,
          }),
        ),
        events: (events.get(pull.number) ?? []).map(
          (event): EventRecord => ({
            id: event.host_id,
            type: event.type as EventRecord['type'],
            at: Date.parse(event.at),
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
          completedAt: instantOf(check.finished_at),
          startedAt: instantOf(check.started_at),
        })),
        requested: (requests.get(pull.number) ?? []).map(({ person_id, team }) =>
          team === null ? { person: personOf(person_id)! } : { team },
        ),
        attribution: {
          isRead: pull.collection !== 0,
          areCommitsRead: pull.collection !== 0 && pull.collection >= TO_READ_AGAIN,
          labels: pull.labels,
          assignments: (pull.assignees ?? []).flatMap(({ person_id, at, until }) => {
            const person = personOf(person_id);
            return person === null
              ? []
              : [{ person, at: Date.parse(at), until: until === null ? null : Date.parse(until) }];
          }),
          descriptionMarks: (pull.description_marks?.marks ?? []) as AgentMark[],
          requestedBy: people(
            (pull.description_marks?.requested_by ?? []).map((login) => named.idOf({ id: null, login })),
          ),
          sessionActor: toldBy(pull.number, 'session')[0] ?? null,
          issueActors: toldBy(pull.number, 'issue'),
          namedLabels,
          knownIds: givesKnownIds(host),
          ...correctedBy(corrections.get(pull.number) ?? []),
        },
      },
    ]),
  );
  return { records, rowIdOf, unknown: named.unknown, clues, health };

  /** Whom a clue tells of. */
  function toldBy(number: number, kind: Stored<'clues'>['kind']): PersonRef[] {
    return people((clues.get(number) ?? []).find((clue) => clue.kind === kind)?.person_ids ?? []);
  }

  function people(ids: readonly (number | null)[]): PersonRef[] {
    return ids.map(personOf).filter((person) => person !== null);
  }

  function correctedBy(
    rows: readonly InJson<Stored<'corrections'>>[],
  ): Pick<AttributionRecord, 'correctedAuthorship' | 'correctedCredit'> {
    const [authorship, credit] = (['authorship', 'credit'] as const).map((of) =>
      rows.find(({ subject }) => subject === of),
    );
    return {
      correctedAuthorship:
        authorship?.authorship == null ? null : { authorship: authorship.authorship, tool: authorship.tool },
      correctedCredit: credit === undefined ? null : { person: personOf(credit.person_id) },
    };
  }
}

function marksOf({ outdated, minimized, thumbs_up, thumbs_down }: InJson<Stored<'comments'>>): CommentMarks | null {
  if (outdated === null) return null;
  return { outdated, minimized, thumbsUp: thumbs_up ?? 0, thumbsDown: thumbs_down ?? 0 };
}

/**
 * What is collected of a pull request when it is read, as a number that grows with it: one that was read before is read again behind the
 * running server. 0 stands for one of which labels, assignees and traces were not collected.
 */
export const COLLECTION = 1;
/** Of one to be read again by newer rules. */
export const TO_READ_AGAIN = -1;
/** Of one that was read with a token that may not read its commits, and whose commits are to be read with another. */
export const WITHOUT_COMMITS = -2;
/** Of such a one that the host did not give when it was asked for again: that says nothing of the commits of others. */
export const NOT_GIVEN = -3;

/** What a pull request consists of: the tables in which rows have its number. */
const parts = [
  'pull_requests',
  'commits',
  'reviews',
  'comments',
  'events',
  'checks',
  'review_requests',
  'changed_files',
  'corrections',
  'review_threads',
] as const;

/** A row as JSON has it: moments are texts. */
type InJson<Row> = {
  readonly [Column in keyof Row]: Row[Column] extends Date | null ? Exclude<Row[Column], Date> | string : Row[Column];
};
type PartRows = { readonly [Name in (typeof parts)[number]]: readonly InJson<Stored<Name>>[] };

/** All rows of these parts and the host of the repository, in one statement: each more is a way to the database and back. */
async function rowsOf(
  db: Kysely<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<PartRows & { readonly host: string }> {
  const columns = parts.map(
    (name) => sql`(select coalesce(json_agg(it), '[]') from ${sql.table(name)} it
      where it.repository_id = ${repositoryId} and it.number = any(${numbers}::int[])) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<PartRows & { host: string }>`
    select r.host, ${sql.join(columns)} from repositories r where r.id = ${repositoryId}`.execute(db);
  return rows[0]!;
}

async function cluesOf(
  db: Kysely<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<Stored<'clues'>[]> {
  const { rows } = await sql<Stored<'clues'>>`
    select * from clues where repository_id = ${repositoryId} and number = any(${numbers}::int[])`.execute(db);
  return rows;
}

function instantOf(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment);
}

/** The labels that the settings name. */
export async function namedLabelsOf(db: Kysely<Database>, host: string): Promise<AttributionRecord['namedLabels']> {
  return await db
    .selectFrom('agent_labels')
    .select(['label', 'tool'])
    .where('host', '=', host)
    .orderBy('label')
    .execute();
}

/** Accounts that texts name, and those of them that are not stored. */
async function namedAccounts(
  db: Kysely<Database>,
  host: string,
  pulls: readonly Pick<Stored<'pull_requests'>, 'number' | 'description_marks'>[],
  commits: ReadonlyMap<number, readonly Pick<Stored<'commits'>, 'trailers'>[]>,
): Promise<{ ids: readonly number[]; idOf: (named: NamedAccount) => number | null } & Pick<StoredRecords, 'unknown'>> {
  const byPull = pulls.map(({ number, description_marks }): [number, NamedAccount[]] => [
    number,
    [
      ...(commits.get(number) ?? []).flatMap((commit) => commit.trailers?.co_authors ?? []),
      ...(description_marks?.requested_by ?? []).map((login) => ({ id: null, login })),
    ],
  ]);
  const all = byPull.flatMap(([, named]) => named);
  if (all.length === 0) return { ids: [], idOf: () => null, unknown: new Map() };
  const rows = await peopleNamed(db, host, all);
  const byId = new Map(rows.map((row) => [row.host_id, row.id]));
  const byLogin = new Map(rows.map((row) => [row.login.toLowerCase(), row.id]));
  const idOf = ({ id, login }: NamedAccount) => (id === null ? byLogin.get(login.toLowerCase()) : byId.get(id)) ?? null;
  return {
    ids: rows.map(({ id }) => id),
    idOf,
    unknown: new Map(byPull.map(([number, named]) => [number, named.filter((one) => idOf(one) === null)])),
  };
}

/** Those of these accounts that are stored with their names. A login that several had is that of the one who has it last. */
export async function peopleNamed(
  db: Kysely<Database>,
  host: string,
  named: readonly NamedAccount[],
): Promise<{ id: number; host_id: string; login: string }[]> {
  const ids = named.flatMap(({ id }) => id ?? []);
  const logins = named.flatMap(({ id, login }) => (id === null ? login.toLowerCase() : []));
  const { rows } = await sql<{ id: number; host_id: string; login: string }>`
    select id, host_id, login from people where host = ${host} and host_id = any(${ids}::text[]) and login <> ''
    union
    select id, host_id, login from people where host = ${host} and lower(login) = any(${logins}::text[])
    order by id`.execute(db);
  return rows;
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
): Promise<{ personOf: (id: number | null) => PersonRef | null } & Pick<StoredRecords, 'rowIdOf'>> {
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
  const rowIds = new Map(rows.map((row) => [row.host_id, row.id]));
  return {
    personOf: (id) => (id === null ? null : (people.get(id) ?? null)),
    rowIdOf: (host_id) => rowIds.get(host_id)!,
  };
}
