import { propertyChoices } from '#domain/pull-request-properties.ts';
import { readTurn } from '../../pull-requests/turns.ts';
import { type RawSearch, readOneOf, readPositive, readText } from '../../url/url-state.ts';

/** By whom a pull request can be written, in the order of the choices. */
export const authorships = ['human', 'assisted', 'agent', 'bot'] as const;

/** What narrows the list beside the search, each as the address has it and as the call takes it; undefined is all. */
const filterReaders = {
  state: (raw: RawSearch) => readOneOf(raw.state, ['open', 'merged', 'closed']),
  /** Whom it waits for: ended ones wait for nobody. */
  turn: (raw: RawSearch) => readTurn(raw.turn),
  drafts: (raw: RawSearch) => readOneOf(raw.drafts, propertyChoices),
  bots: (raw: RawSearch) => readOneOf(raw.bots, propertyChoices),
  agents: (raw: RawSearch) => readOneOf(raw.agents, propertyChoices),
  authorship: (raw: RawSearch) => readOneOf(raw.authorship, authorships),
  /** As `agents` of a pull request names it. */
  tool: (raw: RawSearch) => readText(raw.tool),
  /** A login. */
  credited_to: (raw: RawSearch) => readText(raw.credited_to),
  repository: (raw: RawSearch) => readPositive(raw.repository),
  team: (raw: RawSearch) => readPositive(raw.team),
  /** Of a team what members reviewed. */
  team_as: (raw: RawSearch) =>
    readPositive(raw.team) === undefined ? undefined : readOneOf(raw.team_as, ['reviewer']),
  /** The team of which a review is asked. */
  asked: (raw: RawSearch) => readPositive(raw.asked),
};
type FilterName = keyof typeof filterReaders;
type ListFilters = { readonly [Name in FilterName]?: ReturnType<(typeof filterReaders)[Name]> };
const filterNames = Object.keys(filterReaders) as FilterName[];

export interface PullRequestsSearch extends ListFilters {
  /** What was typed into the search box. */
  readonly q?: string | undefined;
  /** From 1; absent is 1. */
  readonly page?: number | undefined;
  /** As `-updated_at`; absent is that. */
  readonly sort?: string | undefined;
}

/** Reads what the list keeps in its address; anything that makes no sense is left out. */
export function readPullRequestsSearch(raw: RawSearch): PullRequestsSearch {
  const page = readPositive(raw.page);
  return {
    ...(Object.fromEntries(filterNames.map((name) => [name, filterReaders[name](raw)])) as ListFilters),
    q: readText(raw.q),
    page: page === 1 ? undefined : page,
    sort: readText(raw.sort),
  };
}

/** Those of an address that are filters, as the call takes them. */
export function filtersIn(search: PullRequestsSearch): ListFilters {
  return Object.fromEntries(filterNames.map((name) => [name, search[name]])) as ListFilters;
}

/** How many filters narrow the list; those left out are not counted. */
export function countFilters(search: PullRequestsSearch, without?: FilterName): number {
  return filterNames.filter((name) => name !== without && search[name] !== undefined).length;
}

/** No filter at all, save those left out. */
export function noFilters(without?: FilterName): ListFilters {
  return Object.fromEntries(filterNames.filter((name) => name !== without).map((name) => [name, undefined]));
}
