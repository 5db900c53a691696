import { type Kysely, sql } from 'kysely';
import { isCalledBack } from '#domain/my-work.ts';
import type { Instant } from '#domain/pull-request.ts';
import { askedAt, askedMoments, standingOpinion } from '../db/asked-reviewers.ts';
import { creditedId } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { throughLens } from '../db/lens.ts';

/** An open pull request and the people in it, as far as it says whom it may concern since when. */
export interface OpenPullRequest {
  readonly repository_id: number;
  readonly number: number;
  /** The user with marks of their own whom it is another to than to everybody; null: as everybody sees it. */
  readonly seen_by: number | null;
  /** Of the row of its facts, which are replaced whenever anything of it is stored. */
  readonly version: string;
  readonly draft: boolean;
  readonly waiting_on: 'author' | 'reviewers' | 'merge';
  readonly waiting_since: Instant;
  /** The person credited with it; null for nobody. */
  readonly credited_id: number | null;
  /** Whose review is requested now, and when it was, by people's row ids and by teams' handles in lower case. */
  readonly asked: readonly { readonly person_id: number; readonly at: Instant }[];
  readonly asked_teams: readonly { readonly handle: string; readonly at: Instant }[];
  readonly reviewers: readonly {
    readonly person_id: number;
    readonly at: Instant;
    readonly opinion: 'approved' | 'changes_requested' | null;
  }[];
}

/** That a pull request may be somebody's turn, or theirs and waiting for others. */
export interface Involvement {
  readonly pull: OpenPullRequest;
  readonly as: 'turn' | 'team' | 'mine';
  readonly since: Instant;
}

interface OpenRepository {
  readonly pulls: readonly OpenPullRequest[];
  /** By the row id of a person, what may concern them but for what is asked of teams. */
  readonly byPerson: ReadonlyMap<number, readonly Involvement[]>;
}

/**
 * All open pull requests, kept in this process; those that changed are read again. What is due is found in them by the clock alone, without a
 * question to the database. They say whom something may concern; what really does is asked before it is told.
 */
export class OpenWork {
  /** Of the repositories' rows, by their ids: they change with each write, whatever the clock says. */
  #versions: ReadonlyMap<number, string> = new Map();
  readonly #repositories = new Map<number, OpenRepository>();

  /**
   * Reads what changed since the last time; returns the repositories in which something did. What is another to these users with marks of their
   * own is read beside what everybody sees.
   */
  async refresh(db: Kysely<Database>, now: Instant, own_marks: readonly number[]): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ id: number; version: string }>`
      select r.id, concat_ws(' ', r.xmin::text, own.versions) as version from repositories r
      left join (select repository_id, string_agg(user_id || ' ' || xmin::text, ' ' order by user_id) as versions from lenses
        where user_id = any(${[...own_marks]}::int[]) group by repository_id) own on own.repository_id = r.id`.execute(
      db,
    );
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    for (const id of this.#repositories.keys()) if (!versions.has(id)) this.#repositories.delete(id);
    const touched = [...versions.keys()].filter((id) => this.#versions.get(id) !== versions.get(id));
    const changed = new Set<number>();
    for (let from = 0; from < touched.length; from += REPOSITORIES_AT_ONCE)
      for (const id of await this.#read(db, touched.slice(from, from + REPOSITORIES_AT_ONCE), now, own_marks))
        changed.add(id);
    this.#versions = versions;
    return changed;
  }

  async #read(
    db: Kysely<Database>,
    ids: readonly number[],
    now: Instant,
    own_marks: readonly number[],
  ): Promise<number[]> {
    const known = new Map(
      ids.map((id) => [id, new Map(this.#repositories.get(id)?.pulls.map((pull) => [nameOf(pull), pull]))]),
    );
    const open = Map.groupBy(await openVersions(db, ids, own_marks), ({ repository_id }) => repository_id);
    const isKnown = (one: Version) => known.get(one.repository_id)?.get(nameOf(one))?.version === one.version;
    const stale = [...open.values()].flatMap((versions) => versions.filter((one) => !isKnown(one)));
    const fresh = Map.groupBy(await openPullRequests(db, stale), (pull) => pull.repository_id);
    return ids.filter((id) => {
      const before = known.get(id)!;
      const versions = open.get(id) ?? [];
      const read = fresh.get(id) ?? [];
      if (read.length === 0 && versions.length === before.size && this.#repositories.has(id)) return false;
      const kept = versions.filter(isKnown).map((one) => before.get(nameOf(one))!);
      const pulls = [...kept, ...read];
      this.#repositories.set(id, { pulls, byPerson: involvements(pulls, now) });
      return true;
    });
  }

  /** All repositories, or these. */
  repositories(only: ReadonlySet<number> | null): OpenRepository[] {
    const all = [...this.#repositories];
    return all.filter(([id]) => only === null || only.has(id)).map(([, repository]) => repository);
  }
}

/** Repositories that are read in one question after a start. */
const REPOSITORIES_AT_ONCE = 50;

type Version = Pick<OpenPullRequest, 'repository_id' | 'number' | 'seen_by' | 'version'>;

/** In its repository. */
const nameOf = ({ number, seen_by }: Version) => `${number} ${seen_by}`;

async function openVersions(
  db: Kysely<Database>,
  ids: readonly number[],
  own_marks: readonly number[],
): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select repository_id, number, null::int as seen_by, xmin::text as version from pull_request_facts
    where repository_id = any(${[...ids]}::int[]) and ended_at is null and waiting_since is not null
    union all
    select own.repository_id, own.number, own.user_id, own.xmin::text
    from lens_facts own join pull_request_facts f on f.repository_id = own.repository_id and f.number = own.number
    where own.repository_id = any(${[...ids]}::int[]) and own.user_id = any(${[...own_marks]}::int[])
      and f.ended_at is null and own.waiting_since is not null`.execute(db);
  return rows;
}

function involvements(pulls: readonly OpenPullRequest[], now: Instant): Map<number, Involvement[]> {
  const found = new Map<number, Involvement[]>();
  for (const pull of pulls)
    for (const [person_id, involvement] of involvementsIn(pull, now)) {
      const all = found.get(person_id) ?? [];
      all.push(involvement);
      found.set(person_id, all);
    }
  return found;
}

/** By person, how a pull request may concern them; rather too many than too few. */
function* involvementsIn(pull: OpenPullRequest, now: Instant): Iterable<[number, Involvement]> {
  const { waiting_on, waiting_since, credited_id, draft } = pull;
  if (draft) return;
  if (credited_id !== null) {
    // What the author's agent has becomes the author's in time.
    yield [credited_id, { pull, as: waiting_on === 'reviewers' ? 'mine' : 'turn', since: waiting_since }];
  }
  if (waiting_on !== 'reviewers') return;
  const asked = new Set<number>();
  for (const { person_id, at } of pull.asked) {
    asked.add(person_id);
    yield [person_id, { pull, as: 'turn', since: Math.max(at, waiting_since) }];
  }
  for (const { person_id, at, opinion } of pull.reviewers)
    if (!asked.has(person_id) && isCalledBack(pull, { reviewedAt: at, opinion }, now))
      yield [person_id, { pull, as: 'turn', since: waiting_since }];
}

/** Each as everybody, or its user with marks of their own, sees it. */
async function openPullRequests(db: Kysely<Database>, which: readonly Version[]): Promise<OpenPullRequest[]> {
  const found: OpenPullRequest[] = [];
  for (const [seen_by, own] of Map.groupBy(which, (one) => one.seen_by))
    found.push(
      ...(seen_by === null
        ? await readPullRequests(db, own)
        : await db
            .transaction()
            .execute((within) => throughLens(within, seen_by, () => readPullRequests(within, own)))),
    );
  return found;
}

type Row = Omit<OpenPullRequest, 'waiting_since'> & { waiting_since: Date };

async function readPullRequests(db: Kysely<Database>, which: readonly Version[]): Promise<OpenPullRequest[]> {
  const isOf = (table: string) =>
    sql`${sql.ref(`${table}.repository_id`)} = f.repository_id and ${sql.ref(`${table}.number`)} = f.number`;
  const milliseconds = (at: ReturnType<typeof sql>) => sql`(extract(epoch from ${at}) * 1000)::float8`;
  const { rows } = await sql<Row>`
    select f.repository_id, f.number, wanted.seen_by, wanted.version, f.draft, f.waiting_on, f.waiting_since, ${creditedId} as credited_id,
      coalesce((select json_agg(json_build_object('person_id', q.person_id, 'at', ${milliseconds(askedAt('told'))}))
        from review_requests q cross join lateral ${askedMoments(sql`e.reviewer_id = q.person_id`)} told
        where ${isOf('q')} and q.person_id is not null), '[]') as asked,
      coalesce((select json_agg(json_build_object('handle', lower(q.team), 'at', ${milliseconds(askedAt('told'))}))
        from review_requests q cross join lateral ${askedMoments(sql`lower(e.team) = lower(q.team)`)} told
        where ${isOf('q')} and q.team is not null), '[]') as asked_teams,
      coalesce((select json_agg(json_build_object('person_id', v.author_id, 'at', v.at, 'opinion', v.opinion)) from (
        select v.author_id, max(${milliseconds(sql`v.submitted_at`)}) as at, ${standingOpinion('v')} as opinion
        from reviews v where ${isOf('v')} and v.counts and v.author_id is not null group by v.author_id) v), '[]') as reviewers
    from unnest(${which.map(({ repository_id }) => repository_id)}::int[], ${which.map(({ number }) => number)}::int[],
      ${which.map(({ seen_by }) => seen_by)}::int[], ${which.map(({ version }) => version)}::text[])
      as wanted (repository_id, number, seen_by, version)
    join pull_request_facts f on f.repository_id = wanted.repository_id and f.number = wanted.number
    left join people a on a.id = f.author_id
    where f.ended_at is null and f.waiting_since is not null`.execute(db);
  return rows.map((row) => ({ ...row, waiting_since: row.waiting_since.getTime() }));
}
