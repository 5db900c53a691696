import { NOBODY } from '#domain/credit.ts';
import { ask } from '../../api/query.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { type AiSearch, readAiSearch } from './search.ts';

/** The most pull requests of an explanation that one answer has. */
export const PAGE = 100;

function chosen({ period, from, to, repository, team, team_as }: AiSearch) {
  return {
    ...(period !== undefined && { period }),
    ...(from !== undefined && { from, to }),
    ...(repository !== undefined && { repository: [repository] }),
    ...(team !== undefined && { team: [team], team_as }),
  };
}

function reviewed(search: AiSearch) {
  const { authorKind, size } = search;
  return {
    ...chosen(search),
    ...(authorKind !== undefined && { author_kind: [authorKind] }),
    ...(size !== undefined && { size: [size] }),
  };
}

export const askReviewers = (search: AiSearch) => ask('listAiReviewers', { query: reviewed(search) });

export const askReviewer = (search: AiSearch, login: string) =>
  ask('getAiReviewer', { params: { login }, query: reviewed(search) });

export const askAuthorship = (search: AiSearch, by: 'group' | 'tool' = 'group') =>
  ask('getAiAuthorship', { query: { ...chosen(search), by, ...(search.bots && { bots: 'true' as const }) } });

/** What agents opened in the window and nobody is credited with, the latest first; a page of it, the first is 0. */
export const askCreditedToNobody = ({ period, from, to, repository, team, team_as }: AiSearch, page = 0) =>
  ask('explainMetric', {
    params: { metric: 'ai.credited' },
    query: { ...{ period, from, to, repository, team, team_as }, part: NOBODY, limit: PAGE, offset: page * PAGE },
  });

/** The figure whose explanation lists on what a reviewer said much, and on what nothing. */
export const saidBy = { talkative: 'ai.findings_per_pr', silent: 'ai.silent' } as const;

/** The pull requests that a reviewer reviewed, those with the most findings first, or those without one. */
export function askSaid(search: AiSearch, reviewer: string, said: keyof typeof saidBy, limit: number) {
  const { period, from, to, repository, team, team_as, authorKind, size } = search;
  return ask('explainMetric', {
    params: { metric: saidBy[said] },
    query: {
      ...{ period, from, to, repository, team, team_as, reviewer },
      ...(authorKind !== undefined && { author_kind: [authorKind] }),
      ...(size !== undefined && { size: [size] }),
      ...{ order: 'value' as const, limit },
    },
  });
}

export function aiQuestions(search: RawSearch) {
  const read = readAiSearch(search);
  return read.tab === 'reviewers'
    ? [askReviewers(read)]
    : [askAuthorship(read), askAuthorship(read, 'tool'), askCreditedToNobody(read)];
}
