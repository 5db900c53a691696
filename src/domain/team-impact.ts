export type TeamImpact = 'High Impact' | 'Good Impact' | 'Moderate Impact' | 'Building Impact';

/**
 * What a person's reviews mean to the team, from the pull requests they reviewed and the developers they helped
 * (`contributor.team_impact` in docs/metrics.md#one-person; docs/product.md#thresholds-and-ratings).
 */
export function teamImpact(reviewed: number, developersHelped: number): TeamImpact {
  if (reviewed >= 20 && developersHelped >= 5) return 'High Impact';
  if (reviewed >= 10 && developersHelped >= 3) return 'Good Impact';
  return reviewed >= 5 ? 'Moderate Impact' : 'Building Impact';
}

/** How many reviewers and code areas are shown. */
export const TOP_SHOWN = 3;

/** What stands in place of the code areas where there are none: renamed, moved and binary files count no lines. */
export function noAreasWords(merged: number): string {
  return merged === 0 ? 'Nothing merged in this period' : 'No lines changed in what was merged';
}
