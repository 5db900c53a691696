export interface DetailSize {
  readonly label: 'Extra Small' | 'Small' | 'Medium' | 'Large' | 'Extra Large';
  readonly recommendation: string;
}

/** The label and recommendation of the deep dive, whose bounds differ from those of lists: under 50, 200, 400, 1000 lines. */
export function detailSize(totalLines: number): DetailSize {
  if (totalLines < 50) return { label: 'Extra Small', recommendation: 'Perfect size for quick reviews' };
  if (totalLines < 200) return { label: 'Small', recommendation: 'Good size, easy to review thoroughly' };
  if (totalLines < 400) return { label: 'Medium', recommendation: 'Consider splitting if possible' };
  if (totalLines < 1000) return { label: 'Large', recommendation: 'Should be split into smaller PRs' };
  return { label: 'Extra Large', recommendation: 'Too large - split into multiple PRs' };
}

/** What a size percentile (0–100) means; null without one. */
export function sizePercentileLabel(
  percentile: number | null,
): 'Optimal' | 'Good' | 'Above Average' | 'Too Large' | null {
  if (percentile === null) return null;
  if (percentile <= 25) return 'Optimal';
  if (percentile <= 50) return 'Good';
  if (percentile <= 75) return 'Above Average';
  return 'Too Large';
}

/** The churn rate: the smaller of additions and deletions over the larger, as a percent; null when both are 0 (`pull_request.churn_rate`). */
export function churnRate(additions: number, deletions: number): number | null {
  const larger = Math.max(additions, deletions);
  return larger === 0 ? null : (100 * Math.min(additions, deletions)) / larger;
}

/** The hint beside the number of changed files (docs/product.md#code-metrics). */
export function filesHint(changedFiles: number): string {
  return changedFiles > 20 ? 'Consider splitting by feature area' : 'Manageable scope';
}

/** The hint beside the number of commits. */
export function commitsHint(commits: number): string {
  return commits > 10 ? 'Consider squashing related commits' : 'Good commit hygiene';
}
