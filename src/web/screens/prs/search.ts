import { type RawSearch, readOneOf, readPositive, readText } from '../../layout/url-state.ts';
import { propertyChoices } from '../../panels/choice.tsx';

/** Whom an open pull request can wait for, in the order of the choices. */
export const turns = ['reviewers', 'author', 'merge'] as const;
type Property = (typeof propertyChoices)[number];

export interface PullRequestsSearch {
  /** Absent is all. */
  readonly state?: 'open' | 'merged' | 'closed' | undefined;
  /** Whom it waits for; absent is anyone, ended ones too. */
  readonly turn?: (typeof turns)[number] | undefined;
  /** Absent is with them. */
  readonly drafts?: Property | undefined;
  readonly bots?: Property | undefined;
  readonly agents?: Property | undefined;
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
