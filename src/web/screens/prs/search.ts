import { type PropertyChoice, propertyChoices } from '#domain/pull-request-properties.ts';
import { type RawSearch, readOneOf, readPositive, readText } from '../../url/url-state.ts';

/** Whom an open pull request can wait for, in the order of the choices. */
export const turns = ['reviewers', 'author', 'merge'] as const;

export interface PullRequestsSearch {
  /** Absent is all. */
  readonly state?: 'open' | 'merged' | 'closed' | undefined;
  /** Whom it waits for; absent is anyone, ended ones too. */
  readonly turn?: (typeof turns)[number] | undefined;
  /** Absent is with them. */
  readonly drafts?: PropertyChoice;
  readonly bots?: PropertyChoice;
  readonly agents?: PropertyChoice;
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
    state: readOneOf(raw.state, ['open', 'merged', 'closed']),
    turn: readOneOf(raw.turn, turns),
    drafts: readOneOf(raw.drafts, propertyChoices),
    bots: readOneOf(raw.bots, propertyChoices),
    agents: readOneOf(raw.agents, propertyChoices),
    q: readText(raw.q),
    page: page === 1 ? undefined : page,
    sort: readText(raw.sort),
  };
}
