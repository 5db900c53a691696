import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { mayBelong, pullRequestBelongs } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import type { Filters, PullRequestListRequest } from './filters.ts';
import { type CountsByState, keptCounts, type MatchCounts, scannedCounts, sumsOf } from './match-counts.ts';
import {
  type PageRequest,
  type PullRequestKey,
  pageFromMatches,
  pageFromSortIndex,
  pageFromTeam,
} from './page-strategies.ts';

export interface PlannedPage {
  /** Of the page's rows, in any order. */
  readonly keys: readonly PullRequestKey[];
  /** On all pages. */
  readonly total: number;
  /** If the request has a text, in every state; else at least in the one that is listed. */
  readonly found: PullRequestList['counts'];
}

/**
 * The planner of the list (docs/decisions/0010-a-planner-for-the-list.md). It counts from kept totals where these hold what the filters
 * take and say that many match, else by a scan; and finds the page by walking the sort index where many match, else by sorting the
 * matches. What a team's members wrote or reviewed is found in an index with what lists are sorted by, so that of it nothing is looked up before the page is
 * known. `inScope` counts without filters, `stored` all that the sort index holds.
 */
export async function planPage(
  db: Kysely<Database>,
  scope: Scope,
  inScope: readonly MatchCounts[],
  stored: CountsByState,
  filters: Filters,
  request: PullRequestListRequest,
): Promise<PlannedPage> {
  const { state: stateFilter, ...others } = filters;
  const inAnyState = Object.values(others).filter((filter) => filter !== null);
  const listed = stateFilter === null ? inAnyState : [stateFilter, ...inAnyState];
  const listedState = request.state ?? 'all';
  const { team } = scope;
  if (team !== null && request.sortBy !== 'title' && !listed.some(({ readsText }) => readsText)) {
    const isCounted =
      team.as === 'author' &&
      scope.ofEverybody.coversRepositories &&
      inAnyState.every(({ onTotals }) => onTotals !== null);
    const counted = inAnyState.length === 0 ? inScope : isCounted ? await keptCounts(db, scope, inAnyState) : [];
    const matches =
      inAnyState.length === 0 || sumsOf(counted)[listedState] > FEW
        ? counted
        : await scannedCounts(db, scope, filters.q === null ? listed : inAnyState, stateFilter, FEW);
    const found = sumsOf(matches);
    const total = found[listedState];
    const conditions = listed.map(({ condition }) => condition);
    const isCollected = inAnyState.length > 0 && total <= FEW;
    // Of each repository twice its share is walked.
    const walked =
      (2 * (request.offset + request.limit) * stored[request.sortBy === 'updated_at' ? listedState : 'all']) / total;
    const read = sumsOf(inScope)[listedState === 'open' && team.as === 'author' ? 'open' : 'all'];
    const keys = isCollected
      ? await pageFromMatches(db, matches, request)
      : walked < read / WALKED
        ? await pageFromSortIndex(db, scope, matches, request, (of) => allOf([isOfTeam(of), ...conditions]))
        : await pageFromTeam(db, team, scope, request, conditions);
    return { keys, total, found };
  }
  const isLookedUp = scope.team !== null || listed.some(({ onFacts }) => onFacts !== undefined);
  const threshold = sortThreshold(stored.all, request, isLookedUp ? 1 : 10);

  const isKept = scope.coversRepositories && inAnyState.every(({ onTotals }) => onTotals !== null);
  const kept = inAnyState.length === 0 ? inScope : isKept ? await keptCounts(db, scope, inAnyState) : [];
  const matches =
    sumsOf(kept)[listedState] > threshold
      ? kept
      : await scannedCounts(db, scope, filters.q === null ? listed : inAnyState, stateFilter, threshold);
  const found = sumsOf(matches);
  const total = found[listedState];
  const conditions = listed.map(({ condition }) => condition);
  const keys =
    total > threshold
      ? await pageFromSortIndex(db, scope, matches, request, (of) => allOf([isOfTeam(of), ...conditions]))
      : await pageFromMatches(db, matches, request);
  return { keys, total, found };
}

/** Up to this many matches are looked up where they were collected while they were counted. */
const FEW = 1000;

/** As many rows of a team's own index are read while one is walked by, which is looked up by its key. */
const WALKED = 2;

/** Above this many matches, walk the sort index instead of sorting the matches. */
const MAX_SORTED_MATCHES = 20_000;

/**
 * Up to how many matches sorting them is less work than walking the sort index until the page is full, which looks at some
 * (offset + limit) · all / matches rows, each `faster` times as fast as one that is looked up by its key: ten times, but no faster where
 * each has to be looked up in a team or its facts.
 */
function sortThreshold(all: number, { offset, limit }: PageRequest, faster: number): number {
  return Math.min(MAX_SORTED_MATCHES, Math.floor(Math.sqrt(((offset + limit) * all) / faster)));
}

/**
 * True of a pull request `p` that belongs to the team of the scope, where it has one, as a condition on each row of the walk: `is true` and
 * `offset` keep the database from joining, for which it would read and sort all of the index.
 */
function isOfTeam({ team, filter }: Scope): RawBuilder<boolean> {
  if (team === null) return sql<boolean>`true`;
  const belongs = sql<boolean>`exists (select from pull_request_facts f
    where f.repository_id = p.repository_id and f.number = p.number and ${pullRequestBelongs(team, 'f', 'f')} offset 0)`;
  return team.as === 'author' ? sql<boolean>`${mayBelong(team, 'p', filter)} is true and ${belongs}` : belongs;
}
