import { z } from 'zod';
import { sizeBuckets } from '#domain/size-distribution.ts';
import { several, someOf, teamsFilter, windowFilter } from './values.ts';

/** The longest window over which figures of AI in review are asked, in days; a longer one is a 400. */
export const LONGEST_AI_WINDOW = 400;

/**
 * Over which time and of which pull requests figures of AI in review are asked: the last 30 days unless said; `from` that is not before
 * `to`, and more than 400 days: 400.
 */
export const aiWindow = {
  ...windowFilter,
  /** Ids of connected repositories. */
  repository: several.optional(),
  ...teamsFilter,
};

/** Pull requests by whose account opened them and how many lines they change, any of these. */
export const aiPullRequests = {
  author_kind: someOf(['human', 'bot', 'agent', 'ghost']).optional(),
  size: someOf(sizeBuckets).optional(),
};

/** How agents’ pull requests are told beside people’s. */
export const authorshipGroups = {
  /** Groups by authorship, or by tool: what has several tools counts with each. */
  by: z.enum(['group', 'tool'], 'must be group or tool').default('group'),
  /** `true` adds bots’, which are else in no group and no share; deleted accounts’ never are. */
  bots: z.enum(['true', 'false'], 'must be true or false').optional(),
};
