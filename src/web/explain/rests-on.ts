const nouns: readonly (readonly [RegExp, string, string])[] = [
  [/^team\.(total_contributors|active_reviewers)$|unique_developers/, 'person', 'people'],
  [/^team\.outstanding_reviews$/, 'request', 'requests'],
  [/active_days/, 'day', 'days'],
  [/activity_calendar/, 'contribution', 'contributions'],
  [/total_commits/, 'commit', 'commits'],
  [/repositories_count/, 'repository', 'repositories'],
  [/outstanding_reviews|total_prs_reviewed|avg_review_cycles|team\.avg_review_time/, 'pull request', 'pull requests'],
  [
    /review_heatmap|top_reviewed_by|review_count|reviews_given|reviews_last_week|complex_reviews|total_reviews|review_to_pr/,
    'review',
    'reviews',
  ],
  [/response|avg_review_time/, 'review', 'reviews'],
];

/** What a figure is based on, counted: "118 pull requests", "1 review". `count` comes formatted. */
export function restsOn(metric: string, n: number, count: string): string {
  const [, one, many] = nouns.find(([pattern]) => pattern.test(metric)) ?? [null, 'pull request', 'pull requests'];
  return `${count} ${n === 1 ? one : many}`;
}
