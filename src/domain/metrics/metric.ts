import { DEFAULT_PERIOD, periodDays } from '../period.ts';

/** What kind of number a figure is; `share` is 0–1, `percent` 0–100. */
export type Unit = 'hours' | 'days' | 'lines' | 'share' | 'percent' | 'count' | 'moment' | 'word';

/** What can be measured of many pull requests; a figure is one of these over a window, of a team or of a person. */
export type MetricKey =
  | 'opened'
  | 'opened_small'
  | 'size'
  | 'large_share'
  | 'merged'
  | 'closed'
  | 'merge_rate'
  | 'time_to_merge'
  | 'merged_size'
  | 'rounds'
  | 'first_time_approval_rate'
  | 'approval_rate'
  | 'faster'
  | 'smaller'
  | 'open'
  | 'stuck'
  | 'awaiting'
  | 'stale'
  | 'time_to_first_review'
  | 'reviews'
  | 'counting_reviews'
  | 'response_time'
  | 'complex_reviews'
  | 'pull_requests_reviewed'
  | 'developers_helped'
  | 'active_reviewers'
  | 'review_ratio'
  | 'reviews_received'
  | 'from_outside'
  | 'to_outside'
  | 'outstanding_reviews'
  | 'contributors'
  | 'active_pull_requests'
  | 'active_days'
  | 'contributions'
  | 'commits'
  | 'repositories'
  | 'code_area_share';

/** By what every metric can be told apart, in words. */
export const dimensionWords = {
  repository: 'repository',
  author_kind: "kind of the author's account",
  size: 'size',
  base_branch: 'base branch',
  draft: 'whether it was opened as a draft',
  weekday: 'weekday',
  hour: 'hour',
} as const;

/** What is said of the values that a metric has: its own (`value`), how many things it is over, or their mean or a percentile. */
export type Statistic = 'value' | 'n' | 'mean' | 'p50' | 'p75' | 'p90' | 'p95';

/** Which time a figure covers. */
export interface FigureWindow {
  readonly words: string;
  /** Back from now or, of a comparison, from the end; null what is so now, or has been of all time. */
  readonly days: number | null;
  /** It is the one unless another is chosen. */
  readonly isChoice?: true;
  /** Calendar days, today last, of which the things are that count; else the window is as long as it says, to the moment. */
  readonly calendarDays?: number;
}

/** The windows of figures (docs/metrics.md#what-holds-everywhere). */
export const windows = {
  now: { words: 'Now', days: null },
  today: { words: 'Today', days: null, calendarDays: 1 },
  week: { words: 'Last 7 days', days: 7, isChoice: true },
  month: { words: 'Last 30 days', days: 30, isChoice: true },
  quarter: { words: 'Last 90 days', days: 90 },
  calendarMonth: { words: 'Last 30 calendar days', days: 30, calendarDays: 30, isChoice: true },
  calendarMonthAlways: { words: 'Last 30 calendar days, whatever the period', days: 30, calendarDays: 30 },
  calendar: { words: 'Last 84 calendar days', days: null },
  oneOfSixWeeks: { words: 'One of six 7-day windows ending now', days: null },
  sixWeeks: { words: 'Six 7-day windows ending now', days: null },
  period: { words: 'The chosen period', days: periodDays(DEFAULT_PERIOD), isChoice: true },
  periodAndSixWeeks: {
    words: 'The chosen period; six weeks beside the velocity',
    days: periodDays(DEFAULT_PERIOD),
    isChoice: true,
  },
  allTime: { words: 'All time', days: null },
  onePullRequest: { words: 'One pull request', days: null },
  quarterBeforeEnd: { words: '90 days before its end', days: 90 },
  halfYearBeforeEnd: { words: '180 days before its end', days: 180 },
} as const satisfies Record<string, FigureWindow>;

/** What a figure means, in words for the person who reads it, and what is measured for it. */
export interface Definition {
  /** Absent of what is no one number over many pull requests: a fact of one, a word, a moment. */
  readonly metric?: MetricKey;
  /** The metric's own (`value`) unless said. */
  readonly statistic?: Statistic;
  /** It is one part of many, which has to be named. */
  readonly part?: 'size' | 'day' | 'week' | 'hour' | 'reviewer' | 'area';
  /** It is what a list of people adds up to: bots and agents are in it where the list holds them. */
  readonly listed?: true;
  /** One pull request is compared with those of the team, or with its author's others. */
  readonly among?: 'team' | 'author';
  /** One and many of what it is based on; pull requests unless said. */
  readonly noun?: readonly [string, string];
  readonly name: string;
  /** One sentence. */
  readonly definition: string;
  readonly unit: Unit;
  readonly window: FigureWindow;
  /** What doesn't count; null when nothing is left out. */
  readonly leftOut: string | null;
}
