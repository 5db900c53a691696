import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { CommitMarks, DescriptionMarks } from '#domain/agent-traces.ts';
import { givesKnownIds, hostnameOf } from '#domain/code-host.ts';
import type { PersonRef, PullRequestRecord } from '#domain/pull-request.ts';
import { columnsExcept, list } from '../db/columns.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { noteChanges } from '../db/pull-request-changes.ts';
import { COLLECTION, namedLabelsOf, WITHOUT_COMMITS } from '../db/stored-records.ts';
import type { HostAccount, HostCommentMarks, HostPullRequest } from '../host/pull-request.ts';
import { recountParticipations } from '../metrics/participations.ts';
import { noteThreads } from './clues.ts';
import { type FactRows, factRowsOf } from './fact-rows.ts';
import { type StoredPerson, savePeople } from './people.ts';
import { computeFacts } from './rebuild-facts.ts';
import {
  accountOfReviewer,
  accountsOf,
  claimedBots,
  livingAccount,
  type ReadThrough,
  readThrough,
  recordOf,
  teamOfReviewer,
  withoutRepeats,
} from './record.ts';
import { noteRelations } from './relations.ts';
import { assignments, insertAll, type JsonRow, type Rows, recordset } from './rows.ts';
import { withStoredNames } from './stored-names.ts';

/** The repository that a page belongs to. */
export interface SaveInto {
  readonly id: number;
  readonly host: string;
}

/** When the host was asked, and when its answer was there, which a slow host or a pause in between puts far apart. */
export interface Fetched {
  readonly asked_at: Date;
  readonly answered_at: Date;
}

export interface Saved {
  readonly number: number;
  readonly fresh: boolean;
}

/**
 * Stores pull requests with everything nested in them and the facts about them, as of when the host was asked.
 * What is stored of one is replaced as a whole, so that what the host no longer lists vanishes, except what the token may not read: checks and
 * commits of the same head commit stay, and so do the merge commit and what `withStoredNames` names. An older version never overwrites a newer
 * one: by the update date, then by when it was fetched, unless the clock was set back since. One is settled when it was asked for again two
 * seconds after it had been answered at the same update date: all that happened in that second is in then
 * (docs/server.md#sync-order-cursors-and-pauses).
 * Answers those that were written, `fresh` for those that were not stored before. Runs in the caller's transaction, which also stores the cursor behind it.
 */
export async function savePullRequests(
  transaction: Transaction<Database>,
  into: SaveInto,
  pulls: readonly HostPullRequest[],
  { asked_at, answered_at }: Fetched,
): Promise<Saved[]> {
  if (pulls.length === 0) return [];
  // In one order everywhere: a sync and a refresh that store the same ones then wait for each other, not in a circle.
  const read = [...new Map(pulls.map((pull) => [pull.number, withoutRepeats(pull)])).values()].sort(
    (a, b) => a.number - b.number,
  );
  const people = await savePeople(transaction, into.host, read.flatMap(accountsOf), read.flatMap(claimedBots));
  const page = read.map((pull) => withKnownBots(pull, people));
  const hostname = hostnameOf(into.host);
  const throughs = new Map(page.map((pull) => [pull.number, readThrough(pull, hostname)]));
  const idOf = (account: HostAccount | null) => {
    const living = livingAccount(account);
    return living === null ? null : people.get(living.id)!.id;
  };

  const { written, pushed } = await writePullRequests(
    transaction,
    into.id,
    page.map((pull) => pullRequestRow(throughs.get(pull.number)!, idOf)),
    { asked_at, answered_at },
  );
  if (written.length === 0) return [];

  const settings = {
    knownIds: givesKnownIds(into.host),
    namedLabels: page.some(({ labels }) => labels.length > 0) ? await namedLabelsOf(transaction, into.host) : [],
  };
  const health = await healthSettingsOf(transaction, into.host);
  const numbers = new Set(written.map((row) => row.number));
  const known = new Set(written.filter((row) => !row.fresh).map((row) => row.number));
  const named = await withStoredNames(
    transaction,
    into.id,
    page.filter(({ number }) => known.has(number)),
  );
  const refs: ReadonlyMap<string, PersonRef> = new Map([...people].map(([id, person]) => [id, person.ref]));
  const replaced = page
    .filter((pull) => numbers.has(pull.number))
    .map((pull): Replaced => {
      const through = { ...throughs.get(pull.number)!, pull: named.get(pull.number) ?? pull };
      const record = recordOf(through, refs, settings);
      return { ...through, record, rows: factRowsOf(record, (host_id) => people.get(host_id)!.id, asked_at, health) };
    });
  const replacing = replaced.map(({ pull }) => pull).filter((pull) => known.has(pull.number));
  const kept = await marksToKeep(transaction, into.id, replacing);
  await deleteNested(transaction, into.id, replacing, pushed);
  await insertAll(transaction, into.id, nestedRows(replaced, idOf, kept));
  const withMoreToTell = await toldBeside(
    transaction,
    into.id,
    replaced.map(({ record }) => record),
    known,
    (part) => numbersOf(replacing.filter((pull) => pull[part] === null)),
    kept,
  );
  await noteThreads(
    transaction,
    into.id,
    replaced.map(({ record }) => record),
    asked_at,
  );
  await noteRelations(transaction, into.id, [...numbers]);
  if (withMoreToTell.length > 0) await computeFacts(transaction, into.id, withMoreToTell, asked_at);
  await recountParticipations(transaction, into.id, [...numbers]);
  await noteChanges(transaction, into.id, [...numbers]);
  return written;
}

/**
 * Writes the rows themselves. Those that are there are locked before their head commits are read, and those that are not are inserted first, so
 * that another transaction which stores the same one at the moment is waited for and tells which of the two was first. Those
 * of which the token may not read the commits are read again where those of this head commit were not read, or where they were to be: at once
 * where that is new, whenever they were read again before.
 * `pushed` are those that had another head commit before.
 */
async function writePullRequests(
  transaction: Transaction<Database>,
  repository_id: number,
  page: readonly ReturnType<typeof pullRequestRow>[],
  { asked_at, answered_at }: Fetched,
): Promise<{ written: Saved[]; pushed: ReadonlySet<number> }> {
  const write = async (rows: typeof page, onConflict: RawBuilder<unknown>) => {
    if (rows.length === 0) return [];
    const written = await sql<{ number: number }>`
      insert into pull_requests as stored (repository_id, number, ${list(columns)}, fetched_at, answered_at, settled)
      select ${repository_id}, number, ${list(columns)}, ${asked_at}, ${answered_at}, false
      from ${recordset('pull_requests', ['number', ...columns], rows)}
      on conflict (repository_id, number) do ${onConflict}
      returning number`.execute(transaction);
    return written.rows.map(({ number }) => number);
  };
  const stored = await sql<{ number: number; head_sha: string | null }>`
    select number, head_sha from pull_requests
    where repository_id = ${repository_id} and number = any(${page.map(({ number }) => number)}::int[])
    order by number for no key update`.execute(transaction);
  const heads = new Map(stored.rows.map(({ number, head_sha }) => [number, head_sha]));
  const inserted = await write(
    page.filter(({ number }) => !heads.has(number)),
    sql`nothing`,
  );
  const fresh = new Set(inserted);
  const updated = await write(
    page.filter(({ number }) => !fresh.has(number)),
    sql`update set ${assignments(changing, 'excluded')},
      merge_commit_sha = coalesce(excluded.merge_commit_sha, stored.merge_commit_sha),
      collection = case when ${collectsAnew} then excluded.collection else stored.collection end,
      collection_tried_at = case when ${collectsAnew} and excluded.collection <> stored.collection
        then excluded.collection_tried_at else stored.collection_tried_at end,
      fetched_at = excluded.fetched_at, answered_at = excluded.answered_at,
      settled = excluded.updated_at = stored.updated_at
        and (stored.settled
          or excluded.fetched_at >= greatest(stored.fetched_at, stored.answered_at) + interval '2 seconds')
    where (excluded.updated_at, excluded.fetched_at) >= (stored.updated_at, stored.fetched_at)
      or (excluded.updated_at = stored.updated_at and stored.fetched_at > excluded.fetched_at + interval '1 hour')`,
  );
  return {
    written: [
      ...inserted.map((number) => ({ number, fresh: true })),
      ...updated.map((number) => ({ number, fresh: false })),
    ].sort((a, b) => a.number - b.number),
    pushed: new Set(
      page.flatMap(({ number, head_sha }) => (heads.has(number) && heads.get(number) !== head_sha ? [number] : [])),
    ),
  };
}

/** Whether what was collected of a pull request is what this answer says; else it stays what it was when its commits were read. */
const collectsAnew = sql`(excluded.collection = ${COLLECTION} or stored.collection = 0
  or stored.head_sha is distinct from excluded.head_sha)`;

/** A commit whose address claims to be a bot's, and that is an account of another kind, is nobody's. */
function withKnownBots(pull: HostPullRequest, people: ReadonlyMap<string, StoredPerson>): HostPullRequest {
  const commits = pull.commits?.map((commit) => {
    if (commit.author?.type !== 'bot') return commit;
    const isBot = people.get(commit.author.id)?.ref.login.endsWith('[bot]') ?? false;
    return isBot ? commit : { ...commit, author: null };
  });
  return { ...pull, commits: commits ?? null };
}

/** Removes pull requests that the host no longer has, with everything nested in them; answers how many were stored. */
export async function deletePullRequests(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<number> {
  const { numAffectedRows: deleted } = await sql`
    delete from pull_requests where repository_id = ${repository_id} and number = any(${numbers}::int[])`.execute(
    transaction,
  );
  await recountParticipations(transaction, repository_id, numbers);
  return Number(deleted);
}

/** What the host says of a pull request itself, except its key: an update that names a key column takes a stronger lock. */
const columns = columnsExcept(
  'pull_requests',
  'repository_id',
  'number',
  'ended_at',
  'lines_changed',
  'sweep_fingerprint',
  'fetched_at',
  'answered_at',
  'settled',
);

/** Those that the newest answer says, whatever was stored: a merge commit that is known stays, for not every token may read commits. */
const changing = columns.filter(
  (column) => column !== 'merge_commit_sha' && column !== 'collection' && column !== 'collection_tried_at',
);

type IdOf = (account: HostAccount | null) => number | null;

function pullRequestRow(
  { pull, descriptionMarks }: ReadThrough,
  idOf: IdOf,
): Pick<JsonRow<'pull_requests'>, 'number' | (typeof columns)[number]> {
  return {
    number: pull.number,
    host_id: pull.id,
    node_id: pull.node_id,
    title: pull.title,
    title_lower: pull.title.toLowerCase(),
    url: pull.url,
    state: pull.state,
    draft: pull.draft,
    author_id: idOf(pull.author),
    merged_by_id: idOf(pull.merged_by),
    created_at: pull.created_at,
    updated_at: pull.updated_at,
    closed_at: pull.closed_at,
    merged_at: pull.merged_at,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changed_files,
    commits: pull.commit_count,
    comments: pull.comment_count,
    review_comments: pull.review_comment_count,
    base_ref: pull.base_ref,
    head_ref: pull.head_ref,
    head_sha: pull.head_sha,
    collection: pull.commits === null ? WITHOUT_COMMITS : COLLECTION,
    // As one that was tried long ago it is due at once, and no page says that who wrote it is not known.
    collection_tried_at: pull.commits === null ? new Date(0) : null,
    labels: [...pull.labels],
    assignees: unlessEmpty(
      pull.assignments.flatMap(({ account, at, until }) => {
        const person_id = idOf(account);
        return person_id === null ? [] : [{ person_id, at: at.toISOString(), until: until?.toISOString() ?? null }];
      }),
    ),
    merge_commit_sha: pull.merge_commit_sha,
    description_marks: descriptionRow(descriptionMarks),
  };
}

function descriptionRow({
  marks,
  requestedBy,
  reverts,
}: DescriptionMarks): JsonRow<'pull_requests'>['description_marks'] {
  if (marks.length + requestedBy.length + reverts.length === 0) return null;
  return { marks: [...marks], requested_by: [...requestedBy], reverts: [...reverts] };
}

function trailersRow({ marks, coAuthors }: CommitMarks): JsonRow<'commits'>['trailers'] {
  return marks.length + coAuthors.length === 0 ? null : { marks: [...marks], co_authors: [...coAuthors] };
}

function unlessEmpty<T>(items: T[]): T[] | null {
  return items.length === 0 ? null : items;
}

type KeptMarks = ReadonlyMap<string, HostCommentMarks>;

/**
 * What became of inline comments of pull requests that had ended already when they were read last, by the comment's id, where the host
 * says otherwise now: it stays as it was then, since the host tells no moments (docs/server.md#what-is-read-again).
 */
async function marksToKeep(
  transaction: Transaction<Database>,
  repository_id: number,
  pulls: readonly HostPullRequest[],
): Promise<KeptMarks> {
  const ended = pulls.filter(({ closed_at, merged_at, comments }) => {
    return (merged_at ?? closed_at) !== null && comments.some(({ marks }) => marks !== null);
  });
  if (ended.length === 0) return new Map();
  const { rows } = await sql<HostCommentMarks & { host_id: string }>`
    select c.host_id, c.outdated, c.minimized, c.thumbs_up, c.thumbs_down
    from unnest(${ended.map(({ number }) => number)}::int[], ${ended.map((pull) => pull.merged_at ?? pull.closed_at)}::timestamptz[])
      as now (number, ended_at)
    join pull_request_facts f on f.repository_id = ${repository_id} and f.number = now.number and f.ended_at = now.ended_at
    join comments c on c.repository_id = ${repository_id} and c.number = now.number and c.kind = 'inline'
    where c.outdated is not null`.execute(transaction);
  const fresh = new Map(ended.flatMap(({ comments }) => comments.map(({ id, marks }) => [id, marks])));
  return new Map(
    rows.flatMap(({ host_id, ...marks }) => (isDeepStrictEqual(marks, fresh.get(host_id)) ? [] : [[host_id, marks]])),
  );
}

/**
 * Those about which more is stored than the host has just said: by agents, or corrected by somebody; threads that were read when they had
 * ended, and what became of comments by then; checks and commits that this token may not read.
 */
async function toldBeside(
  transaction: Transaction<Database>,
  repository_id: number,
  records: readonly PullRequestRecord[],
  known: ReadonlySet<number>,
  without: (part: 'checks' | 'commits') => readonly number[],
  kept: KeptMarks,
): Promise<number[]> {
  const told = records.flatMap(({ author, number, comments }) =>
    author?.kind === 'agent' || comments.some(({ id }) => kept.has(id)) ? [number] : [],
  );
  if (known.size === 0) return told;
  const { rows } = await sql<{ number: number }>`
    select number from corrections where repository_id = ${repository_id} and number = any(${[...known]}::int[])
    union select number from review_threads where repository_id = ${repository_id} and number = any(${[...known]}::int[])
    union select number from checks where repository_id = ${repository_id} and number = any(${without('checks')}::int[])
    union select number from commits where repository_id = ${repository_id} and number = any(${without('commits')}::int[])`.execute(
    transaction,
  );
  return [...new Set([...told, ...rows.map(({ number }) => number)])];
}

async function deleteNested(
  transaction: Transaction<Database>,
  repository_id: number,
  pulls: readonly HostPullRequest[],
  pushed: ReadonlySet<number>,
): Promise<void> {
  if (pulls.length === 0) return;
  const of = (some: readonly HostPullRequest[]) =>
    sql`repository_id = ${repository_id} and number = any(${numbersOf(some)}::int[])`;
  const withOther = (part: 'checks' | 'commits') =>
    of(pulls.filter((pull) => pull[part] !== null || pushed.has(pull.number)));
  const theirs = of(pulls);
  await sql`
    with deleted_commits as (delete from commits where ${withOther('commits')}),
      deleted_reviews as (delete from reviews where ${theirs}),
      deleted_comments as (delete from comments where ${theirs}),
      deleted_events as (delete from events where ${theirs}),
      deleted_requests as (delete from review_requests where ${theirs}),
      deleted_files as (delete from changed_files where ${theirs}),
      deleted_facts as (delete from pull_request_facts where ${theirs}),
      deleted_acts as (delete from reviewer_acts where ${theirs})
    delete from checks where ${withOther('checks')}`.execute(transaction);
}

function numbersOf(pulls: readonly HostPullRequest[]): number[] {
  return pulls.map(({ number }) => number);
}

interface Replaced extends ReadThrough {
  readonly record: PullRequestRecord;
  readonly rows: FactRows;
}

function nestedRows(page: readonly Replaced[], idOf: IdOf, kept: KeptMarks): Rows[] {
  const each = <Row extends object>(of: (replaced: Replaced) => readonly Row[]): ({ number: number } & Row)[] =>
    page.flatMap((one) => of(one).map((row) => ({ number: one.pull.number, ...row })));
  return [
    {
      table: 'commits',
      rows: each(({ pull, record, commitMarks }) =>
        (pull.commits ?? []).map((commit, position) => {
          const { authorIsBot, headline, byAgent } = record.commits[position]!;
          const marks = commitMarks[position]!;
          return {
            sha: commit.sha,
            position,
            author_id: idOf(commit.author),
            author_name: commit.author_name,
            author_is_bot: authorIsBot,
            authored_at: commit.authored_at,
            committed_at: commit.committed_at,
            listed_at: new Date(Math.max(commit.committed_at.getTime(), pull.created_at.getTime())),
            headline,
            by_agent: byAgent,
            trailers: trailersRow(marks),
            reverts_sha: marks.revertsSha,
          };
        }),
      ),
    },
    {
      table: 'reviews',
      rows: each(({ pull, rows }) => {
        const figures = new Map(rows.reviews.map((row) => [row.host_id, row]));
        return pull.reviews.map((review) => ({
          ...figures.get(review.id)!,
          author_id: idOf(review.author),
          state: review.state,
          submitted_at: review.submitted_at,
          has_body: review.has_body,
          body_words: review.body_words,
          commit_sha: review.commit_sha,
        }));
      }),
    },
    {
      table: 'comments',
      rows: each(({ pull }) =>
        pull.comments.map((comment) => {
          const marks = comment.marks && (kept.get(comment.id) ?? comment.marks);
          return {
            kind: comment.kind,
            host_id: comment.id,
            author_id: idOf(comment.author),
            created_at: comment.created_at,
            review_id: comment.review_id,
            in_reply_to: comment.in_reply_to,
            path: comment.path,
            body_words: comment.body_words,
            outdated: marks?.outdated ?? null,
            minimized: marks?.minimized ?? null,
            thumbs_up: marks?.thumbs_up ?? null,
            thumbs_down: marks?.thumbs_down ?? null,
          };
        }),
      ),
    },
    {
      table: 'events',
      rows: each(({ pull }) =>
        pull.events.map((event, position) => ({
          host_id: event.id,
          position,
          type: event.type,
          at: event.at,
          actor_id: idOf(event.actor),
          reviewer_id: idOf(accountOfReviewer(event.reviewer)),
          team: teamOfReviewer(event.reviewer),
          review_id: event.review_id,
          previous_state: event.previous_state,
          sha: event.sha,
        })),
      ),
    },
    {
      table: 'checks',
      rows: each(({ pull }) =>
        (pull.checks ?? []).map((check) => ({
          host_id: check.id,
          name: check.name,
          outcome: check.outcome,
          started_at: check.started_at,
          finished_at: check.finished_at,
        })),
      ),
    },
    {
      table: 'review_requests',
      rows: each(({ pull }) =>
        pull.review_requests
          .map((reviewer) => ({
            person_id: idOf(accountOfReviewer(reviewer)),
            team: teamOfReviewer(reviewer),
          }))
          .filter((request) => request.person_id !== null || request.team !== null)
          .map((request, position) => ({ position, ...request })),
      ),
    },
    { table: 'changed_files', rows: each(({ pull }) => pull.files) },
    { table: 'pull_request_facts', rows: each(({ rows }) => [rows.facts]) },
    { table: 'reviewer_acts', rows: page.flatMap(({ rows }) => rows.acts) },
  ];
}
