import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { HostPullRequest, HostReviewer } from '../host/pull-request.ts';
import { teamOfReviewer, UNNAMED_TEAM } from './record.ts';

/** What is stored of a pull request that not every token may read, by the host's ids. */
interface StoredNames {
  readonly number: number;
  readonly review_commits: Readonly<Record<string, string | null>>;
  readonly events: Readonly<Record<string, { readonly team: string | null; readonly sha: string | null }>>;
  /** The teams whose review was requested, in order. */
  readonly teams: readonly string[];
}

/**
 * Those of these pull requests in which the token may not read something that is stored and cannot have changed, by number, with that: the
 * commits of reviews and events, and the teams that events name. The teams that are asked now keep their names where as many are as were
 * asked before, and since then.
 */
export async function withStoredNames(
  transaction: Transaction<Database>,
  repository_id: number,
  pulls: readonly HostPullRequest[],
): Promise<ReadonlyMap<number, HostPullRequest>> {
  const lacking = new Map(pulls.filter(lacksNames).map((pull) => [pull.number, pull]));
  if (lacking.size === 0) return new Map();
  const ofIt = sql`it.repository_id = ${repository_id} and it.number = p.number`;
  const { rows } = await sql<StoredNames>`
    select p.number,
      (select coalesce(json_object_agg(it.host_id, it.commit_sha), '{}') from reviews it where ${ofIt}) as review_commits,
      (select coalesce(json_object_agg(it.host_id, json_build_object('team', it.team, 'sha', it.sha)), '{}')
        from events it where ${ofIt}) as events,
      (select coalesce(json_agg(it.team order by it.position), '[]')
        from review_requests it where ${ofIt} and it.team is not null) as teams
    from unnest(${[...lacking.keys()]}::int[]) as p(number)`.execute(transaction);
  return new Map(rows.map((stored) => [stored.number, named(lacking.get(stored.number)!, stored)]));
}

function lacksNames({ reviews, events, review_requests }: HostPullRequest): boolean {
  return (
    reviews.some(({ commit_sha }) => commit_sha === null) ||
    events.some(({ type, reviewer, sha }) => isUnnamed(reviewer) || (sha === null && hasCommit.has(type))) ||
    review_requests.some(isUnnamed)
  );
}

const hasCommit: ReadonlySet<string> = new Set(['merged', 'force_push']);

function named(pull: HostPullRequest, { review_commits, events, teams }: StoredNames): HostPullRequest {
  const asked = pull.events.filter(
    ({ id, type, reviewer }) => type === 'review_requested' && isUnnamed(reviewer) && events[id] === undefined,
  );
  return {
    ...pull,
    reviews: pull.reviews.map((review) => ({
      ...review,
      commit_sha: review.commit_sha ?? review_commits[review.id] ?? null,
    })),
    events: pull.events.map((event) => ({
      ...event,
      reviewer: isUnnamed(event.reviewer) ? teamCalled(events[event.id]?.team) : event.reviewer,
      sha: event.sha ?? events[event.id]?.sha ?? null,
    })),
    review_requests: requestsNamed(pull.review_requests, teams, asked.length),
  };
}

/** `askedSince` counts the requests of teams without a name that are not stored yet. */
function requestsNamed(
  requests: readonly HostReviewer[],
  stored: readonly string[],
  askedSince: number,
): readonly HostReviewer[] {
  const told = new Set(requests.filter((one) => !isUnnamed(one)).map(teamOfReviewer));
  const others = stored.filter((team) => !told.has(team));
  if (requests.filter(isUnnamed).length !== others.length + askedSince) return requests;
  const names = others.filter((team) => team !== UNNAMED_TEAM);
  return requests.map((request) => (isUnnamed(request) ? teamCalled(names.shift()) : request));
}

function isUnnamed(reviewer: HostReviewer | null): boolean {
  return teamOfReviewer(reviewer) === UNNAMED_TEAM;
}

function teamCalled(team: string | null | undefined): HostReviewer {
  return { team: { handle: team === UNNAMED_TEAM ? null : (team ?? null) } };
}
