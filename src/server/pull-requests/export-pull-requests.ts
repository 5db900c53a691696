import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type {
  ExportedPullRequest,
  exportPullRequests as exportCall,
  PullRequestListItem,
} from '#contract/pull-requests.ts';
import { businessHours } from '#domain/business-hours.ts';
import { phaseTimes } from '#domain/facts.ts';
import type { Phase } from '#domain/phases.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isoOf } from '../db/iso-of.ts';
import { changesAreSettledBefore } from '../db/pull-request-changes.ts';
import { HttpError, invalidValue } from '../http/errors.ts';
import { pullRequestBelongs } from '../metrics/belongs.ts';
import { type Scope, scopeOf, scopeWithoutFigures, stillInSight } from '../metrics/scope.ts';
import { listColumns, listItemOf, listSources } from './list-pull-requests.ts';

export interface ExportSettings {
  /** How old a change has to be, in milliseconds, so that a clock which is set back doesn't hide one. */
  readonly settled_after: number;
  /** Lines of an answer, and of them those that are made at once. */
  readonly most: number;
  readonly at_once: number;
}
export const exportSettings: ExportSettings = { settled_after: 10_000, most: 5000, at_once: 200 };

interface ExportDeps extends ExportSettings {
  readonly db: Kysely<Database>;
  readonly now: () => Date;
}

/** Where a line stands. */
interface Position {
  /** Of the epoch, as text: more than a number of JavaScript is sure of. */
  readonly microseconds: string;
  readonly repository_id: number;
  readonly number: number;
}

/**
 * Pull requests in the order in which what is told of them changed, some at once (docs/server.md#loading-bit-by-bit).
 * @throws HttpError 400 for a cursor that is none, 404 for a repository or team that is unknown or not to be seen, 503 while a repository that is
 *   asked for is being recounted: what changed of it meanwhile would be missed
 */
export async function exportPullRequests(
  deps: ExportDeps,
  user: SignedIn,
  { since, repository, team, team_as, cursor }: QueryOf<typeof exportCall>,
): Promise<AsyncIterable<ExportedPullRequest[]>> {
  const { db, at_once } = deps;
  const after = cursor === undefined ? null : positionOf(cursor);
  const scope = await scopeOf(db, user.id, repository, { team, team_as });
  const readable = await scopeWithoutFigures(db, user.id, repository);
  if (scope.repository_ids.length < readable.repository_ids.length)
    throw new HttpError('updating', 'Figures of a repository are being recounted.', { retry_after: 60 });
  const until = await changesAreSettledBefore(db, deps.settled_after);
  const from = since === undefined ? null : new Date(since);
  const positions = await positionsOf(deps, scope, from, after, until);
  const now = deps.now();
  async function* parts() {
    for (let at = 0; at < positions.length; at += at_once) {
      if (at > 0) await stillInSight(db, scope);
      yield await linesAt(db, scope, positions.slice(at, at + at_once), now, user.time_zone);
    }
  }
  return parts();
}

/** The first of each repository are walked in the index of its changes, and the first of all taken of these. */
async function positionsOf(
  { db, most }: ExportDeps,
  { filter, team }: Scope,
  since: Date | null,
  after: Position | null,
  until: string,
): Promise<Position[]> {
  const conditions: RawBuilder<unknown>[] = [sql`c.changed_at < ${until}::timestamptz`];
  if (team !== null) conditions.push(pullRequestBelongs(team, 'c', null));
  if (since !== null) conditions.push(sql`c.changed_at >= ${since}`);
  if (after !== null) {
    const moment = sql`('epoch'::timestamptz + ${after.microseconds}::bigint * interval '1 microsecond')`;
    conditions.push(sql`c.changed_at >= ${moment}`);
    conditions.push(
      sql`(c.changed_at > ${moment} or (c.repository_id, c.number) > (${after.repository_id}, ${after.number}))`,
    );
  }
  const { rows } = await sql<Position>`
    select c.repository_id, c.number, (extract(epoch from c.changed_at) * 1000000)::bigint::text as microseconds
    from repositories r cross join lateral (
      select c.* from pull_request_changes c
      where c.repository_id = r.id and ${sql.join(conditions, sql` and `)}
      order by c.changed_at, c.number limit ${most}
    ) c
    where ${filter('r', 'id')}
    order by c.changed_at, c.repository_id, c.number limit ${most}`.execute(db);
  return rows;
}

interface StoredTimes {
  readonly repository_id: number;
  readonly number: number;
  readonly ended_at: string | null;
  readonly phases: readonly { readonly phase: string; readonly from: string }[];
  readonly time_to_first_review: number | null;
  readonly time_to_merge: number | null;
  readonly active_development_time: number;
  readonly waiting_for_review_time: number;
  readonly post_approval_time: number | null;
  readonly review_cycles: number;
  readonly ready_at: string | null;
  readonly first_review_at: string | null;
  readonly first_agent_review_at: string | null;
  readonly approved_at: string | null;
}

async function linesAt(
  db: Kysely<Database>,
  { filter }: Scope,
  positions: readonly Position[],
  now: Date,
  time_zone: string,
): Promise<ExportedPullRequest[]> {
  const { rows } = await sql<PullRequestListItem & StoredTimes>`
    select ${listColumns}, p.repository_id, p.number, f.ended_at::text, f.phases, f.time_to_first_review, f.time_to_merge,
      f.active_development_time, f.waiting_for_review_time, f.post_approval_time, f.review_cycles, f.ready_at::text,
      f.first_review_at::text, f.first_agent_review_at::text, f.approved_at::text
    from unnest(${positions.map((at) => at.repository_id)}::int[], ${positions.map(({ number }) => number)}::int[]) changed (repository_id, number)
    ${listSources(sql`changed`)}
    where ${filter('r', 'id')}`.execute(db);
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  return positions.flatMap((position) => {
    const row = found.get(keyOf(position));
    return row === undefined ? [] : [lineOf(row, position, now.getTime(), time_zone)];
  });
}

const keyOf = ({ repository_id, number }: Pick<Position, 'repository_id' | 'number'>) => `${repository_id} ${number}`;

function lineOf(
  { repository_id: _id, number: _number, ended_at, phases, ...row }: PullRequestListItem & StoredTimes,
  position: Position,
  now: number,
  time_zone: string,
): ExportedPullRequest {
  const item = listItemOf(row);
  const last = phases.at(-1)!;
  const end = ended_at === null ? now : Date.parse(isoOf(ended_at));
  // Those of open ones are stored up to where the last phase began.
  const times =
    ended_at !== null
      ? row
      : phaseTimes(
          {
            ...{ ended_at: null, phase: last.phase as Phase, phase_since: Date.parse(last.from) },
            earlier_development_time: row.active_development_time,
            earlier_waiting_time: row.waiting_for_review_time,
          },
          now,
        );
  return {
    ...item,
    active_development_time: times.active_development_time,
    waiting_for_review_time: times.waiting_for_review_time,
    post_approval_time: times.post_approval_time,
    // Created later than now, by another clock, is created now.
    ...businessHours(Math.min(Date.parse(item.created_at), end), end, time_zone),
    ready_at: isoOrNull(row.ready_at),
    first_review_at: isoOrNull(row.first_review_at),
    first_agent_review_at: isoOrNull(row.first_agent_review_at),
    approved_at: isoOrNull(row.approved_at),
    changed_at: new Date(Math.floor(Number(position.microseconds) / 1000)).toISOString(),
    cursor: cursorOf(position),
  };
}

const isoOrNull = (moment: string | null) => moment && isoOf(moment);

function cursorOf({ microseconds, repository_id, number }: Position): string {
  return Buffer.from(`${microseconds}.${repository_id}.${number}`).toString('base64url');
}

/** @throws HttpError 400 */
function positionOf(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, microseconds, repository_id, number] = /^(\d{1,16})\.(\d{1,10})\.(\d{1,10})$/.exec(text) ?? [];
  const position = { microseconds: microseconds!, repository_id: Number(repository_id), number: Number(number) };
  const isOne = position.repository_id <= LARGEST && position.number <= LARGEST && cursorOf(position) === cursor;
  if (microseconds === undefined || !isOne) throw invalidValue('cursor', 'must be the cursor of a line');
  return position;
}

/** Of ids and numbers. */
const LARGEST = 2_147_483_647;
