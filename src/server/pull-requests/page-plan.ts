import type { Kysely } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { isOfScopeTeam } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import { outside, type Scope } from '../metrics/scope.ts';
import type { Filter, Filters, PullRequestListRequest } from './filters.ts';
import type { PullRequestKey } from './keys.ts';
import { collectedOfTeam, keptCounts, type ScopeCounts, scannedCounts, sumsOf, withoutCounts } from './match-counts.ts';
import { type PageRequest, pageFromAuthors, pageFromMatches, pageFromSortIndex } from './page-strategies.ts';

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
 * matches. Of a team, whose numbers the scope knows, a bit of each is tested. `counted` is without filters.
 */
export async function planPage(
  db: Kysely<Database>,
  scope: Scope,
  counted: ScopeCounts,
  filters: Filters,
  request: PullRequestListRequest,
): Promise<PlannedPage> {
  const { inScope } = counted;
  const { team } = scope;
  const { state: stateFilter, ...others } = filters;
  const inAnyState = Object.values(others).filter((filter) => filter !== null);
  const listed = stateFilter === null ? inAnyState : [stateFilter, ...inAnyState];
  const listedState = request.state ?? 'all';
  const isLookedUp = listed.some(({ onFacts }) => onFacts !== undefined);
  const storedIn = (isIn: (repository_id: number) => boolean) =>
    [...counted.stored].reduce((sum, [id, stored]) => (isIn(id) ? sum + stored : sum), 0);
  const stored = storedIn(() => true);
  const thresholdOf = (all: number) => sortThreshold(all, request, isLookedUp ? 1 : 10);
  const threshold = thresholdOf(stored);

  const keptOf = async (part: Scope, by: readonly Filter[]) =>
    (team === null ? part : part.ofEverybody).coversRepositories && by.every(({ onTotals }) => onTotals !== null)
      ? await keptCounts(db, part, by, counted)
      : [];
  const scanned = async (part: Scope) =>
    await scannedCounts(db, part, filters.q === null ? listed : inAnyState, stateFilter, threshold);
  const unless = inAnyState.length === 1 ? inAnyState[0]?.unless : undefined;
  const kept =
    inAnyState.length === 0
      ? inScope
      : unless !== undefined
        ? withoutCounts(inScope, await scannedCounts(db, scope, [unless], null, 0))
        : await keptOf(scope, inAnyState);
  const isCollected = stateFilter === null && kept.length > 0 && kept.every(({ numbers }) => numbers !== null);
  const isEnough = isCollected || sumsOf(kept)[listedState] > threshold;
  // Of repositories whose names hold the text every pull request does.
  const named = filters.q?.text?.repositories ?? [];
  const isNamed = (repository_id: number) => named.includes(repository_id);
  const byElse = inAnyState.filter(({ text }) => text === undefined);
  const keptOfNamed =
    named.length === 0
      ? []
      : team === null
        ? await keptOf(scope.within(named), byElse)
        : inScope.filter(({ repository_id }) => byElse.length === 0 && isNamed(repository_id));
  const isMany = sumsOf(keptOfNamed)[listedState] > thresholdOf(storedIn(isNamed));
  const ofNamed =
    isMany || team === null ? keptOfNamed : collectedOfTeam(team, { ...counted, inScope: keptOfNamed }, request.state);
  const matches = isEnough
    ? kept
    : team !== null && inAnyState.length === 0
      ? collectedOfTeam(team, counted, request.state)
      : isMany || (team !== null && ofNamed.length > 0)
        ? [...ofNamed, ...(await scanned(outside(scope, named)))]
        : await scanned(scope);
  const found = sumsOf(matches);
  const total = found[listedState];
  // Behind the end there is nothing, and no way to it that looks at few.
  if (request.offset >= total) return { keys: [], total, found };
  const conditionsIn = ({ repository_ids }: Scope) =>
    listed.filter(({ text }) => text === undefined || !repository_ids.every(isNamed)).map(({ condition }) => condition);
  const walked = ((request.offset + request.limit) * stored) / total;
  const isInAuthorIndex = request.sortBy !== 'title' && !listed.some(({ text }) => text !== undefined);
  const isFewOfIndex = walked > WALKED * sumsOf(inScope).all;
  const keys =
    isCollected || (total <= threshold && !isMany)
      ? await pageFromMatches(db, matches, request)
      : team?.as === 'author' && isInAuthorIndex && isFewOfIndex
        ? await pageFromAuthors(db, team, scope, request, conditionsIn(scope))
        : await pageFromSortIndex(db, scope, matches, request, (of) =>
            allOf([isOfScopeTeam(of, 'p', null), ...conditionsIn(of)]),
          );
  return { keys, total, found };
}

/** As many rows of the sort index are walked by while one of a team's is read in the index by author. */
const WALKED = 2;

/** Above this many matches, walk the sort index instead of sorting the matches. */
const MAX_SORTED_MATCHES = 20_000;

/**
 * Up to how many matches sorting them is less work than walking the sort index until the page is full, which looks at some
 * (offset + limit) · all / matches rows, each `faster` times as fast as one that is looked up by its key: ten times, but no faster where
 * the facts of each have to be looked up.
 */
function sortThreshold(all: number, { offset, limit }: PageRequest, faster: number): number {
  return Math.min(MAX_SORTED_MATCHES, Math.floor(Math.sqrt(((offset + limit) * all) / faster)));
}
