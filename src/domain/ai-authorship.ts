import { toolName } from './known-tools.ts';
import { FOLLOWED_WITHIN_DAYS, REVERTED_WITHIN_DAYS } from './metrics/thresholds.ts';
import { sharedTrendWords, type TrendWords } from './metrics/trends.ts';

/** What is measured of pull requests to tell agents' beside people's, and nowhere else (docs/metrics.md#agents-pull-requests-beside-peoples). */
export const authorshipMetrics = [
  'changed_files',
  'commits_by_agent',
  'merged_on_own_word',
  'independent_reviews',
  'waiting_for_review_time',
  'review_cycles',
  'human_findings',
  'failing_at_last_push',
  'tried',
] as const;
export type AuthorshipMetric = (typeof authorshipMetrics)[number];

/** What is told of each group of pull requests, by the moment by which a pull request counts. */
export const authorshipFigures = [
  'share_opened',
  'lines_changed',
  'changed_files',
  'commits_by_agent',
  'time_to_first_review',
  'share_merged',
  'time_to_merge',
  'merged_unreviewed',
  'merged_on_own_word',
  'independent_reviews',
  'reverted',
  'followed_up',
  'merge_rate',
  'waiting_for_review_time',
  'review_cycles',
  'human_findings',
  'failing_at_last_push',
  'tried',
] as const;
export type AuthorshipFigure = (typeof authorshipFigures)[number];

/** How groups are called. */
const groupWords: Readonly<Record<string, string>> = {
  human: 'No trace of one',
  assisted: 'With an agent',
  agent: 'By an agent',
  bot: 'By a bot',
  none: 'No tool known',
};

/** How a group is called: by its kind, or by its tool. */
export function groupName(key: string): string {
  return Object.hasOwn(groupWords, key) ? groupWords[key]! : toolName(key);
}

/** A figure in words. */
export interface AuthorshipWords extends TrendWords {
  readonly moment: 'opened' | 'first reviewed' | 'merged' | 'merged or closed';
}

/** Closed so soon, in hours, without being merged or reviewed: it was tried, and thrown away. */
export const TRIED_WITHIN_HOURS = 24;

/** The figures of agents' pull requests beside people's, in words (docs/metrics.md#agents-pull-requests-beside-peoples). */
export const authorshipWords: Readonly<Record<AuthorshipFigure, AuthorshipWords>> = {
  share_opened: {
    name: 'Share of the opened',
    definition: 'Of the pull requests opened in this time by all groups together, the part of this one.',
    unit: 'share',
    moment: 'opened',
  },
  lines_changed: { ...sharedTrendWords.size, name: 'Lines changed' },
  changed_files: {
    name: 'Files changed',
    definition: 'The changed files of the pull requests opened in this time.',
    unit: 'count',
    moment: 'opened',
  },
  commits_by_agent: {
    name: 'Commits by agents',
    definition:
      'Which part of the commits carries the trace of an agent, the median of the pull requests opened in this time.',
    unit: 'share',
    moment: 'opened',
  },
  time_to_first_review: sharedTrendWords.time_to_first_review,
  share_merged: {
    name: 'Share of the merged',
    definition: 'Of the pull requests merged in this time by all groups together, the part of this one.',
    unit: 'share',
    moment: 'merged',
  },
  time_to_merge: sharedTrendWords.time_to_merge,
  merged_unreviewed: {
    name: 'Merged without review',
    definition:
      'Merged without a review that counts, and without a comment by another person before the merge, into whatever branch; trivial ones are left out.',
    unit: 'share',
    moment: 'merged',
  },
  merged_on_own_word: {
    name: 'Merged on one’s own word',
    definition:
      'Agents’ pull requests merged without a review and without a comment by any person but the one who started the agent.',
    unit: 'share',
    moment: 'merged',
  },
  independent_reviews: {
    name: 'Independent reviews',
    definition:
      'The reviews of agents’ pull requests merged in this time that count and are by other people than whoever started the agent.',
    unit: 'count',
    moment: 'merged',
  },
  reverted: {
    name: `Reverted within ${REVERTED_WITHIN_DAYS} days`,
    definition: `Reverted within ${REVERTED_WITHIN_DAYS} days, of the pull requests merged ${REVERTED_WITHIN_DAYS} days before these days, into whatever branch.`,
    unit: 'share',
    moment: 'merged',
  },
  followed_up: {
    name: 'Likely followed up',
    definition: `Within ${FOLLOWED_WITHIN_DAYS} days the same person or a reviewer merged a small correction in the same files, of the pull requests merged ${FOLLOWED_WITHIN_DAYS} days before these days, into whatever branch.`,
    unit: 'share',
    moment: 'merged',
  },
  merge_rate: sharedTrendWords.merge_rate,
  waiting_for_review_time: {
    name: 'Waiting for review',
    definition: 'The time that the pull requests that ended in this time waited for reviewers.',
    unit: 'hours',
    moment: 'merged or closed',
  },
  review_cycles: {
    name: 'Review cycles until the end',
    definition:
      'How often the pull requests that ended in this time went through a review, of those that had one that counts.',
    unit: 'count',
    moment: 'merged or closed',
  },
  human_findings: {
    name: 'Findings by people',
    definition:
      'The threads at lines that people other than the author opened, of the pull requests that ended in this time.',
    unit: 'count',
    moment: 'merged or closed',
  },
  failing_at_last_push: {
    name: 'Failing at the last push',
    definition: 'Of the pull requests that ended in this time and had checks, the share with one that failed.',
    unit: 'share',
    moment: 'merged or closed',
  },
  tried: {
    name: 'Tried and thrown away',
    definition: `The pull requests that were closed in this time, within ${TRIED_WITHIN_HOURS} hours of the opening, without being merged or reviewed.`,
    unit: 'count',
    moment: 'merged or closed',
  },
};

/** Of agents' pull requests those of which it is known who started them, in words. */
export const creditedWords: AuthorshipWords = {
  name: 'Credited to a person',
  definition:
    'Of the pull requests that agents opened in this time, the share of which it is known who started them, by the first rule that names one person; of trailers, whoever most commits name.',
  unit: 'share',
  moment: 'opened',
};
