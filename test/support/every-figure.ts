import { definitions, type FigureKey } from '#domain/metrics/definitions.ts';
import type { Definition, MetricKey } from '#domain/metrics/metric.ts';
import { people } from './random-history.ts';

/** The figures that are one number over many pull requests, and what is measured for each. */
export const measured = new Map(
  Object.entries<Definition>(definitions).flatMap(
    ([key, definition]): [FigureKey, Definition & { metric: MetricKey }][] =>
      definition.metric === undefined ? [] : [[key as FigureKey, { ...definition, metric: definition.metric }]],
  ),
);

/** What everybody sees who asks for figures of `acme/Web` and `acme/api`. */

/** Lists and figures of the team. */
export const lists = [
  '/api/stuck-prs',
  '/api/stuck-prs/counts',
  '/api/my-work',
  '/api/reviewer-stats',
  '/api/developer-stats',
  '/api/team-stats',
  '/api/review-load',
  '/api/contributors',
  '/api/contributors/search?q=e',
  '/api/prs?limit=500&sortBy=title',
  '/api/prs?q=fix',
  '/api/repos',
  '/api/repositories',
  '/api/pr/acme/web/1',
  '/api/pr/ACME/Web/2',
];
/** Those of them that hold rows of people. */
export const ofPeople = lists.filter(
  (path) => /stats$|load$|contributors$|search/.test(path) && !path.includes('team'),
);
const named = people.flatMap(({ login }) =>
  ['metrics?period=1y', 'prs', 'prs?period=30d', 'review-heatmap'].map((what) => `/api/contributors/${login}/${what}`),
);
const parts: Readonly<Record<string, string>> = {
  'contributor.pr_size_distribution': '51-200',
  'contributor.activity_calendar': '2026-03-28',
  'contributor.review_heatmap': '7-3',
  'contributor.top_reviewed_by': 'BO',
  'contributor.code_ownership_areas': 'src/web',
  'contributor.velocity_opened': '2026-03-22',
  'contributor.velocity_merged': '2026-03-22',
};
/** Every figure that explains itself. */
export const explained = [...measured.keys()].map((key) => {
  if (key.startsWith('team.')) return `/api/explain/${key}`;
  if (key.startsWith('pull_request.')) return `/api/explain/${key}?pull_request=ACME/Web/2`;
  const part = parts[key] === undefined ? '' : `&part=${encodeURIComponent(parts[key])}`;
  return `/api/explain/${key}?username=ada&period=90d${part}`;
});
/** Figures over time, what is behind a point of them, and signals. */
const overTime = [
  '/api/trends?figure=opened,time_to_merge,reviews,merged_unapproved,review_depth,concentration&split=authorship&bucket=month&from=2026-01-01&all_bases=true',
  '/api/trends/merged_unapproved/prs?bucket=whole&from=2026-01-01&point=2026-01-01&all_bases=true',
  '/api/trends/reviews/prs?bucket=whole&from=2026-01-01&point=2026-01-01&split=authorship&line=human',
  '/api/health?from=2026-01-01&all_bases=true',
  '/api/health/merged_unreviewed/prs?from=2026-01-01&all_bases=true',
  '/api/ai/authorship?from=2026-01-01&bots=true',
  '/api/ai/authorship?from=2026-01-01&by=tool',
  '/api/explain/ai.merged_on_own_word?from=2026-01-01&part=agent',
  '/api/explain/ai.within_sizes.time_to_merge?from=2026-01-01&group=agent',
  '/api/explain/ai.credited?from=2026-01-01&part=none',
  '/api/teams/compare?window=1y',
  '/api/ai/reviewers?from=2026-01-01',
  '/api/ai/reviewers/Copilot-like?from=2026-01-01',
  '/api/explain/ai.acted_on?from=2026-01-01',
  '/api/explain/ai.lift?from=2026-01-01&reviewer=Copilot-like',
  '/api/explain/ai.groups.reviews?from=2026-01-01&reviewer=Copilot-like',
  '/api/explain/ai.before_after.reviews?from=2026-01-01&reviewer=Copilot-like',
  '/api/trends?figure=ai_coverage,ai_acted_on&split=reviewer&bucket=month&from=2026-01-01',
];

/** What is told in lines, with the moment in which each changed. */
export const inLines = ['/api/export/pull-requests'];

/** Every call that returns figures, but in lines. */
export const everyFigure = [
  ...overTime,
  ...lists,
  ...ofPeople.map((path) => `${path}${path.includes('?') ? '&' : '?'}accounts=all`),
  ...named,
  ...explained,
];
