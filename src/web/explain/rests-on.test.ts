import { describe, expect, it } from 'vitest';
import { definitions } from '#domain/metrics/definitions.ts';
import { restsOn } from './rests-on.ts';

describe('what a figure rests on', () => {
  it.each([
    ['team.avg_review_time_hours', '2 pull requests'],
    ['team.total_reviews', '2 reviews'],
    ['reviewer.avg_review_time_hours', '2 reviews'],
    ['load.outstanding_reviews', '2 pull requests'],
    ['team.outstanding_reviews', '2 requests'],
    ['team.total_contributors', '2 people'],
    ['team.active_reviewers', '2 people'],
    ['developer.active_days', '2 days'],
    ['contributor.activity_calendar', '2 contributions'],
    ['contributor.review_heatmap', '2 reviews'],
    ['contributor.top_reviewed_by', '2 reviews'],
    ['contributor.code_ownership_areas', '2 pull requests'],
    ['pull_request.team_p90_cycle_time', '2 pull requests'],
    ['developer.review_approval_rate', '2 pull requests'],
  ] as const)('%s: %s', (metric, words) => {
    expect(restsOn(definitions[metric], 2, '2')).toBe(words);
  });

  it('counts one as one', () => {
    expect(restsOn(definitions['team.merged_prs'], 1, '1')).toBe('1 pull request');
  });
});
