import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  accountKind,
  accountsFilter,
  comparedWith,
  count,
  creditFilter,
  day,
  hours,
  instant,
  numbered,
  periodFilter,
  pullRequestState,
  repositoryFilter,
  share,
  teamFilter,
  trend,
} from './values.ts';

const who = z.object({ username: z.string().min(1).describe('The login of a contributor, in upper or lower case.') });

export const contributor = z.object({
  username: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  kind: accountKind,
  total_prs_opened: count,
  total_prs_merged: count,
  current_open_prs: count,
  last_activity: instant.nullable(),
  repositories_count: count,
  repository_count: count.describe('The same number under the name that search results carry.'),
});
export type Contributor = z.infer<typeof contributor>;

export const foundContributor = z.object({
  username: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  repository_count: count,
});
export type FoundContributor = z.infer<typeof foundContributor>;

export const contributorMetrics = z.object({
  username: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  kind: accountKind,
  last_active: instant.nullable(),
  badges: z.array(z.object({ label: z.string(), reason: z.string() })),
  total_prs_opened: count,
  total_prs_merged: count,
  total_commits: count,
  current_open_prs: count,
  active_days: count,
  prs_opened_trend: trend,
  prs_merged_trend: trend,
  avg_time_to_merge_hours: hours,
  time_to_merge_trend: trend
    .nullable()
    .describe('Its change in percent to the window before; null where either window has no merge.'),
  previous: z
    .object({
      total_prs_opened: count,
      total_prs_merged: count,
      total_prs_reviewed: count,
      avg_time_to_merge_hours: hours,
    })
    .describe('What the trends compare with: the same figures of the equally long window before.'),
  compared_with: comparedWith,
  avg_pr_size: z.number().nullable(),
  pr_merge_rate: share,
  avg_review_cycles: z.number().nullable(),
  review_response_time_p50: hours,
  review_response_time_p75: hours,
  review_response_time_p95: hours,
  total_prs_reviewed: count,
  prs_reviewed_trend: trend,
  unique_developers_reviewed: count,
  avg_review_response_time: hours,
  top_reviewed_by: z.array(z.object({ username: z.string(), avatar_url: z.string().nullable(), count })),
  code_ownership_areas: z.array(z.object({ path: z.string(), percentage: z.number().min(0).max(100) })),
  stale_prs: z.array(
    z.object({ pr_number: z.number().int(), title: z.string(), repo: z.string(), days_stale: count, url: z.string() }),
  ),
  large_pr_frequency: share,
  pr_size_distribution: z.object({
    '0-50': count,
    '51-200': count,
    '201-500': count,
    '501-1000': count,
    '1000+': count,
  }),
  velocity_trend: z.array(z.object({ week: day, prs_opened: count, prs_merged: count })),
  team_averages: z.object({
    total_prs_opened: z.number().nullable(),
    total_prs_merged: z.number().nullable(),
    active_people: count.describe('Of how many people the means of the period are: the humans active in it.'),
    period: z.object({
      total_prs_opened: z.number().nullable(),
      total_prs_merged: z.number().nullable(),
      total_prs_reviewed: z.number().nullable(),
      avg_time_to_merge_hours: hours,
      avg_pr_size: z.number().nullable(),
      pr_merge_rate: share,
      avg_review_cycles: z.number().nullable(),
      avg_review_response_time: hours,
    }),
  }),
  activity_calendar: z.array(z.object({ date: day, count, level: z.number().int().min(0).max(4) })),
  with_agents: z
    .object({ opened: count, with_agents: count })
    .nullable()
    .describe(
      'Of what they opened, or started an agent to open, in how many an agent took part; null unless they ask about themselves.',
    ),
});
export type ContributorMetrics = z.infer<typeof contributorMetrics>;

/** Those of a contributor's figures that tell what they did themself, without a look at what others did. */
export type OwnFigures = Omit<
  ContributorMetrics,
  'badges' | 'top_reviewed_by' | 'code_ownership_areas' | 'stale_prs' | 'team_averages' | 'with_agents'
>;

export const contributorPullRequest = z.object({
  github_id: z.string(),
  pr_number: z.number().int(),
  title: z.string(),
  state: pullRequestState,
  draft: z.boolean(),
  repo_name: z.string(),
  repo_owner: z.string(),
  reviewers: z.array(z.string()),
  lines_changed: count,
  created_at: instant,
  ended_at: instant.nullable().describe('When it was merged or closed; null while it is open.'),
  last_review_at: instant.nullable(),
  github_url: z.string(),
});
export type ContributorPullRequest = z.infer<typeof contributorPullRequest>;

export const heatmapCell = z.object({
  weekday: z.number().int().min(1).max(7).describe('1 is Monday, 7 Sunday.'),
  hour: z.number().int().min(0).max(23),
  count,
});
export type HeatmapCell = z.infer<typeof heatmapCell>;

export const listContributors = endpoint({
  method: 'GET',
  path: '/api/contributors',
  summary: 'Everyone who authored a pull request or gave a counting review, latest activity first.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: z.object({ repository: repositoryFilter, ...teamFilter, accounts: accountsFilter, credit: creditFilter }),
  answer: z.array(contributor),
});

export const searchContributors = endpoint({
  method: 'GET',
  path: '/api/contributors/search',
  summary: 'At most 20 contributors whose login or display name holds the text.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: z.object({
    q: z.string().default('').describe('A part of a login or display name.'),
    accounts: accountsFilter,
    credit: creditFilter,
  }),
  answer: z.array(foundContributor),
});

export const getContributorMetrics = endpoint({
  method: 'GET',
  path: '/api/contributors/{username}/metrics',
  summary: 'A contributor’s figures over a period (docs/metrics.md, one person).',
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  params: who,
  query: z.object({ period: periodFilter, repository: repositoryFilter, ...teamFilter, credit: creditFilter }),
  answer: contributorMetrics,
});

export const listContributorPullRequests = endpoint({
  method: 'GET',
  path: '/api/contributors/{username}/prs',
  summary: 'Their pull requests, newest first; with a period those opened in it.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  params: who,
  query: z.object({ period: periodFilter, repository: repositoryFilter, ...teamFilter, credit: creditFilter }),
  answer: z.array(contributorPullRequest),
});

export const getReviewHeatmap = endpoint({
  method: 'GET',
  path: '/api/contributors/{username}/review-heatmap',
  summary: 'Counting reviews of the last 90 days by weekday and hour.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  params: who,
  query: z.object({ repository: repositoryFilter, ...teamFilter, credit: creditFilter }),
  answer: z.array(heatmapCell),
});

export const exportContributor = endpoint({
  method: 'POST',
  path: '/api/contributors/export',
  summary: 'Downloads a contributor’s figures: csv is a table of them, json and pdf have the pull requests, too.',
  access: 'session',
  scope: null,
  changesNothing: true,
  status: 200,
  media: 'file',
  body: z.object({
    username: z.string().min(1),
    period: periodFilter,
    format: z.enum(['csv', 'json', 'pdf']),
    repository: numbered.nullish(),
    team: numbered.nullish(),
    team_as: teamFilter.team_as.unwrap().nullish(),
    credit: creditFilter.unwrap().nullish(),
  }),
});
