import { ask } from '../../api/query.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { type AiSearch, readAiSearch } from './search.ts';

/** The most rows that a list of pull requests has in one answer. */
const MOST = 500;

function chosen({ period, from, to, repository, team, team_as }: AiSearch) {
  return {
    ...(period !== undefined && { period }),
    ...(from !== undefined && { from, to }),
    ...(repository !== undefined && { repository: [String(repository)] }),
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

/** What agents opened and nobody is credited with, the latest first. */
export const askCreditedToNobody = ({ repository, team, team_as }: AiSearch) =>
  ask('listPullRequests', {
    query: {
      ...(repository !== undefined && { repository }),
      ...(team !== undefined && { team, team_as }),
      authorship: 'agent',
      credited_to: 'none',
      sortBy: 'created_at',
      limit: MOST,
    },
  });

/** The pull requests that a reviewer reviewed, those with the most findings first. */
export function askSaid(search: AiSearch, reviewer: string, limit: number, offset: number) {
  const { period, from, to, repository, team, team_as, authorKind, size } = search;
  return ask('explainMetric', {
    params: { metric: 'ai.findings_per_pr' },
    query: {
      ...{ period, from, to, repository, team, team_as, reviewer },
      ...(authorKind !== undefined && { author_kind: [authorKind] }),
      ...(size !== undefined && { size: [size] }),
      ...{ order: 'value' as const, limit, offset },
    },
  });
}

export function aiQuestions(search: RawSearch) {
  const read = readAiSearch(search);
  return read.tab === 'reviewers'
    ? [askReviewers(read)]
    : [askAuthorship(read), askAuthorship(read, 'tool'), askCreditedToNobody(read)];
}
