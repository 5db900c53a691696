import { reviewerTrends } from './ai-reviewers.ts';

/** By what a figure may be told apart over time (docs/metrics.md#trends). */
export const trendSplits = [
  'none',
  'repository',
  'team',
  'authorship',
  'tool',
  'size',
  'base',
  'draft',
  /** Of figures of AI reviewers: each of them and, where people are told by the same rules, `people`. */
  'reviewer',
] as const;
export type TrendSplit = (typeof trendSplits)[number];

/** By which the team that is asked about is told from everybody else: they have no lines by team. */
const ofOneTeam = ['from_outside', 'to_outside'];

/** By what a figure of the trends can be told apart, in the order of `trendSplits`. */
export function splitsOf(figure: string): TrendSplit[] {
  return trendSplits.filter((split) => {
    if (split === 'reviewer') return reviewerTrends.some((trend) => trend === figure);
    return split !== 'team' || !ofOneTeam.includes(figure);
  });
}
