import type { Kysely } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { isOfScopeTeam } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import { outside, type Scope } from '../metrics/scope.ts';
import type { Filter, Filters, PullRequestListRequest } from './filters.ts';
import type { PullRequestKey } from './keys.ts';
import {
  collectedOfTeam,
  keptCounts,
  type MatchCounts,
  type ScopeCounts,
  scannedCounts,
  sumsOf,
  withoutCounts,
} from './match-counts.ts';
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
  const asked = askedOf(scope, counted, filters, request);
  const matches = await matchesOf(db, asked);
  const found = sumsOf(matches.counts);
  const total = found[asked.listedState];
  // Behind the end there is nothing, and no way to it that looks at few.
  const keys = request.offset >= total ? [] : await keysOnPage(db, asked, matches, total);
  return { keys, total, found };
}

/** What counting the matches and finding the page go by. */
interface Asked {
  readonly scope: Scope;
  readonly counted: ScopeCounts;
  readonly request: PullRequestListRequest;
  readonly listedState: keyof PullRequestList['counts'];
  readonly stateFilter: Filter | null;
  /** All filters but that of the state. */
  readonly inAnyState: readonly Filter[];
  readonly listed: readonly Filter[];
  readonly hasText: boolean;
  /** Repositories whose names hold the text: of these every pull request does. */
  readonly named: readonly number[];
}

function askedOf(scope: Scope, counted: ScopeCounts, filters: Filters, request: PullRequestListRequest): Asked {
  const { state: stateFilter, ...others } = filters;
  const inAnyState = Object.values(others).filter((filter) => filter !== null);
  return {
    scope,
    counted,
    request,
    listedState: request.state ?? 'all',
    stateFilter,
    inAnyState,
    listed: stateFilter === null ? inAnyState : [stateFilter, ...inAnyState],
    hasText: filters.q !== null,
    named: filters.q?.text?.repositories ?? [],
  };
}

interface Matches {
  readonly counts: readonly MatchCounts[];
  /** The page is found by sorting them: the numbers of all that are listed were collected. */
  readonly areSorted: boolean;
}

/** From what is kept, where that says that many match or which; else by a scan of all of which that is not known. */
async function matchesOf(db: Kysely<Database>, asked: Asked): Promise<Matches> {
  const { scope, counted, request, listedState, stateFilter, inAnyState, named } = asked;
  const threshold = thresholdOf(asked);
  const kept = await keptMatches(db, asked);
  const isCollected = stateFilter === null && kept.length > 0 && kept.every(({ numbers }) => numbers !== null);
  if (isCollected || sumsOf(kept)[listedState] > threshold) return { counts: kept, areSorted: isCollected };
  if (scope.team !== null && inAnyState.length === 0)
    return { counts: collectedOfTeam(scope.team, counted, request.state), areSorted: true };

  const ofNamed = await matchesOfNamed(db, asked);
  const rest = ofNamed.counts.length === 0 ? scope : outside(scope, named);
  const scanned = await scannedCounts(db, rest, asked.hasText ? inAnyState : asked.listed, stateFilter, threshold);
  const counts = [...ofNamed.counts, ...scanned];
  return { counts, areSorted: !ofNamed.areMany && sumsOf(counts)[listedState] <= threshold };
}

/** By what is kept, without a scan of all that is in scope; nothing where that cannot tell. */
async function keptMatches(db: Kysely<Database>, asked: Asked): Promise<readonly MatchCounts[]> {
  const { scope, counted, inAnyState } = asked;
  if (inAnyState.length === 0) return counted.inScope;
  const unless = inAnyState.length === 1 ? inAnyState[0]?.unless : undefined;
  if (unless !== undefined) return withoutCounts(counted.inScope, await scannedCounts(db, scope, [unless], null, 0));
  return await keptIn(db, scope, inAnyState, counted);
}

/**
 * Of the repositories whose names hold the text, which need no scan; of everybody's only where they are many, since a scan collects the
 * numbers of few.
 */
async function matchesOfNamed(
  db: Kysely<Database>,
  asked: Asked,
): Promise<{ readonly counts: readonly MatchCounts[]; readonly areMany: boolean }> {
  const { scope, counted, request, listedState, inAnyState, named } = asked;
  if (named.length === 0) return { counts: [], areMany: false };
  const { team } = scope;
  const byElse = inAnyState.filter(({ text }) => text === undefined);
  const isNamed = (repository_id: number) => named.includes(repository_id);
  const counts =
    team === null
      ? await keptIn(db, scope.within(named), byElse, counted)
      : counted.inScope.filter(({ repository_id }) => byElse.length === 0 && isNamed(repository_id));
  if (sumsOf(counts)[listedState] > thresholdOf(asked, isNamed)) return { counts, areMany: true };
  if (team === null) return { counts: [], areMany: false };
  return { counts: collectedOfTeam(team, { ...counted, inScope: counts }, request.state), areMany: false };
}

/** From kept totals, where these hold what the filters take and cover the repositories; else nothing. */
async function keptIn(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
  counted: ScopeCounts,
): Promise<MatchCounts[]> {
  const whole = scope.team === null ? scope : scope.ofEverybody;
  if (!whole.coversRepositories || filters.some(({ onTotals }) => onTotals === null)) return [];
  return await keptCounts(db, scope, filters, counted);
}

/** Of the page's rows, in any order; the page begins before the end. */
async function keysOnPage(
  db: Kysely<Database>,
  asked: Asked,
  { counts, areSorted }: Matches,
  total: number,
): Promise<readonly PullRequestKey[]> {
  const { scope, counted, request, listed, named } = asked;
  const { team } = scope;
  if (areSorted) return await pageFromMatches(db, counts, request);

  const conditionsIn = ({ repository_ids }: Scope) =>
    listed
      .filter(({ text }) => text === undefined || !repository_ids.every((id) => named.includes(id)))
      .map(({ condition }) => condition);
  const walked = ((request.offset + request.limit) * storedIn(counted)) / total;
  const isInAuthorIndex = request.sortBy !== 'title' && !listed.some(({ text }) => text !== undefined);
  const isFewOfIndex = walked > WALKED * sumsOf(counted.inScope).all;
  if (team?.as === 'author' && isInAuthorIndex && isFewOfIndex)
    return await pageFromAuthors(db, team, scope, request, conditionsIn(scope));
  return await pageFromSortIndex(db, scope, counts, request, (of) =>
    allOf([isOfScopeTeam(of, 'p', null), ...conditionsIn(of)]),
  );
}

/** As many rows of the sort index are walked by while one of a team's is read in the index by author. */
const WALKED = 2;

/** Above this many matches, walk the sort index instead of sorting the matches. */
const MAX_SORTED_MATCHES = 20_000;

/** About how many pull requests the repositories have, of whatever team. */
function storedIn({ stored }: ScopeCounts, isIn: (repository_id: number) => boolean = () => true): number {
  return [...stored].reduce((sum, [id, count]) => (isIn(id) ? sum + count : sum), 0);
}

/** Up to how many matches in all repositories, or in these, are sorted. */
function thresholdOf({ counted, request, listed }: Asked, isIn?: (repository_id: number) => boolean): number {
  const isLookedUp = listed.some(({ onFacts }) => onFacts !== undefined);
  return sortThreshold(storedIn(counted, isIn), request, isLookedUp ? 1 : 10);
}

/**
 * Up to how many matches sorting them is less work than walking the sort index until the page is full, which looks at some
 * (offset + limit) · all / matches rows, each `faster` times as fast as one that is looked up by its key: ten times, but no faster where
 * the facts of each have to be looked up.
 */
function sortThreshold(all: number, { offset, limit }: PageRequest, faster: number): number {
  return Math.min(MAX_SORTED_MATCHES, Math.floor(Math.sqrt(((offset + limit) * all) / faster)));
}
