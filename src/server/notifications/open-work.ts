import { type Kysely, sql } from 'kysely';
import { isCalledBack } from '#domain/my-work.ts';
import type { Instant } from '#domain/pull-request.ts';
import { creditedId } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';

/** An open pull request and the people in it, as far as it says whom it may concern since when. */
export interface OpenPullRequest {
  readonly repository_id: number;
  readonly number: number;
  /** It was stored then, in milliseconds. */
  readonly fetched_at: Instant;
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
  readonly version: string;
  readonly pulls: readonly OpenPullRequest[];
  /** By the row id of a person, what may concern them but for what is asked of teams. */
  readonly byPerson: ReadonlyMap<number, readonly Involvement[]>;
}

/**
 * All open pull requests, kept in this process and read again by the repository in which something changed: what is due is found in them by
 * the clock alone, without a question to the database. They say whom something may concern; what really does is asked before it is told.
 */
export class OpenWork {
  readonly #repositories = new Map<number, OpenRepository>();

  /** Reads the repositories that changed since the last time; returns them. */
  async refresh(db: Kysely<Database>, now: Instant): Promise<ReadonlySet<number>> {
    // A row's version changes with each write, whatever the clock says.
    const { rows } = await sql<{ id: number; version: string }>`
      select id, xmin::text as version from repositories`.execute(db);
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#repositories.keys()) if (!ids.has(id)) this.#repositories.delete(id);
    const changed = rows.filter(({ id, version }) => this.#repositories.get(id)?.version !== version);
    for (const { id, version } of changed) {
      const pulls = await openPullRequests(db, id);
      this.#repositories.set(id, { version, pulls, byPerson: involvements(pulls, now) });
    }
    return new Set(changed.map(({ id }) => id));
  }

  /** All repositories, or these. */
  repositories(only: ReadonlySet<number> | null): OpenRepository[] {
    const all = [...this.#repositories];
    return all.filter(([id]) => only === null || only.has(id)).map(([, repository]) => repository);
  }
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

type Row = Omit<OpenPullRequest, 'fetched_at' | 'waiting_since'> & { fetched_at: Date; waiting_since: Date };

async function openPullRequests(db: Kysely<Database>, repository_id: number): Promise<OpenPullRequest[]> {
  const isOf = (table: string) =>
    sql`${sql.ref(`${table}.repository_id`)} = f.repository_id and ${sql.ref(`${table}.number`)} = f.number`;
  const milliseconds = (at: string) => sql`(extract(epoch from ${sql.ref(at)}) * 1000)::float8`;
  const askedAt = (same: ReturnType<typeof sql>) => sql`coalesce((
    select max(${milliseconds('e.at')}) from events e
    where ${isOf('e')} and e.type = 'review_requested' and ${same}), ${milliseconds('f.waiting_since')})`;
  const { rows } = await sql<Row>`
    select f.repository_id, f.number, p.fetched_at, f.draft, f.waiting_on, f.waiting_since, ${creditedId} as credited_id,
      coalesce((select json_agg(json_build_object('person_id', q.person_id, 'at', ${askedAt(sql`e.reviewer_id = q.person_id`)}))
        from review_requests q where ${isOf('q')} and q.person_id is not null), '[]') as asked,
      coalesce((select json_agg(json_build_object('handle', lower(q.team), 'at', ${askedAt(sql`e.team = q.team`)}))
        from review_requests q where ${isOf('q')} and q.team is not null), '[]') as asked_teams,
      coalesce((select json_agg(json_build_object('person_id', v.author_id, 'at', v.at, 'opinion', v.opinion)) from (
        select v.author_id, max(${milliseconds('v.submitted_at')}) as at,
          (array_agg(v.state order by v.submitted_at desc, v.position desc)
            filter (where v.state in ('approved', 'changes_requested')))[1] as opinion
        from reviews v where ${isOf('v')} and v.counts and v.author_id is not null group by v.author_id) v), '[]') as reviewers
    from pull_request_facts f
    join pull_requests p on p.repository_id = f.repository_id and p.number = f.number
    left join people a on a.id = f.author_id
    where f.repository_id = ${repository_id} and f.ended_at is null and p.state = 'open' and f.waiting_since is not null`.execute(
    db,
  );
  return rows.map((row) => ({
    ...row,
    fetched_at: row.fetched_at.getTime(),
    waiting_since: row.waiting_since.getTime(),
  }));
}
