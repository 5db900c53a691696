import { z } from 'zod';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { repositoriesFilter, someOf, teamsFilter, windowFilter } from './values.ts';

/**
 * Over which time and of which pull requests figures of AI in review are asked: the last 30 days unless said; `from` that is not before
 * `to`, and more than 400 days: 400.
 */
export const aiWindow = {
  ...windowFilter,
  repository: repositoriesFilter,
  ...teamsFilter,
};

/** Pull requests by whose account opened them and how many lines they change, any of these. */
export const aiPullRequests = {
  author_kind: someOf(['human', 'bot', 'agent', 'ghost'])
    .optional()
    .describe('Pull requests that accounts of any of these kinds opened.'),
  size: someOf(sizeBuckets).optional().describe('Pull requests of any of these sizes, in changed lines.'),
};

/** How agents’ pull requests are told beside people’s. */
export const authorshipGroups = {
  by: z
    .enum(['group', 'tool'], 'must be group or tool')
    .default('group')
    .describe('Groups by authorship, or by tool: what has several tools counts with each.'),
  bots: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('`true` adds bots’, which are else in no group and no share; deleted accounts’ never are.'),
};
