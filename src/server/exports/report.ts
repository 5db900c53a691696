import type { ContributorMetrics, ContributorPullRequest, OwnFigures } from '#contract/contributors.ts';
import { type Basis, incomparable } from '#domain/change.ts';
import { LARGE_ABOVE_LINES } from '#domain/metrics/thresholds.ts';
import { type Period, periodLabel } from '#domain/period.ts';

/** Everything that an export of a contributor is made from (docs/server.md#exports). */
export interface ContributorReport<Figures = ContributorMetrics> {
  readonly metrics: Figures;
  /** Newest first. */
  readonly pullRequests: readonly ContributorPullRequest[];
  readonly period: Period;
  /** The full name of the one repository that it is narrowed to; null for all. */
  readonly repository: string | null;
  /** The name of the team as whose member alone the contributor is looked at; null for whatever they did. */
  readonly team: string | null;
  /** Agents' pull requests are counted to who started them, too. */
  readonly credit: 'started' | null;
  readonly generatedAt: Date;
  readonly timeZone: string;
}

/** One figure of the csv; null where there is nothing to measure. */
export interface ReportFigure {
  readonly name: string;
  readonly value: number | null;
  readonly unit: 'count' | 'hours' | 'lines' | 'rounds' | 'share';
  /** In percent to the period before; absent or null where nothing is compared. */
  readonly change?: number | null;
}

/** The contributor's figures, unrounded, in the order in which a report lists them; a change is null where it compares with what is not there. */
export function reportFigures(metrics: OwnFigures): ReportFigure[] {
  const { previous } = metrics;
  const change = (percent: number | null, basis: Basis) =>
    incomparable(metrics.compared_with, basis) === null ? percent : null;
  return [
    {
      name: 'PRs opened',
      value: metrics.total_prs_opened,
      unit: 'count',
      change: change(metrics.prs_opened_trend, { before: previous.total_prs_opened }),
    },
    {
      name: 'PRs merged',
      value: metrics.total_prs_merged,
      unit: 'count',
      change: change(metrics.prs_merged_trend, { before: previous.total_prs_merged }),
    },
    { name: 'Open PRs now', value: metrics.current_open_prs, unit: 'count' },
    { name: 'Commits', value: metrics.total_commits, unit: 'count' },
    {
      name: 'Time to merge, mean',
      value: metrics.avg_time_to_merge_hours,
      unit: 'hours',
      change: change(metrics.time_to_merge_trend, { before: previous.total_prs_merged, now: metrics.total_prs_merged }),
    },
    { name: 'PR size, mean', value: metrics.avg_pr_size, unit: 'lines' },
    { name: 'Merge rate', value: metrics.pr_merge_rate, unit: 'share' },
    { name: 'Review cycles, mean', value: metrics.avg_review_cycles, unit: 'rounds' },
    {
      name: 'PRs reviewed',
      value: metrics.total_prs_reviewed,
      unit: 'count',
      change: change(metrics.prs_reviewed_trend, { before: previous.total_prs_reviewed }),
    },
    { name: 'Developers reviewed', value: metrics.unique_developers_reviewed, unit: 'count' },
    { name: 'Review response, mean', value: metrics.avg_review_response_time, unit: 'hours' },
    { name: 'Review response, median', value: metrics.review_response_time_p50, unit: 'hours' },
    { name: 'Review response, p75', value: metrics.review_response_time_p75, unit: 'hours' },
    { name: 'Review response, p95', value: metrics.review_response_time_p95, unit: 'hours' },
    { name: `PRs over ${LARGE_ABOVE_LINES} lines`, value: metrics.large_pr_frequency, unit: 'share' },
    { name: 'Active days of the last 30', value: metrics.active_days, unit: 'count' },
  ];
}

/** The calendar day of an instant in a zone, yyyy-MM-dd. */
export function dayIn(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
}

/** The name of the downloaded file: `{username}_metrics_{yyyy-MM-dd}.{format}` (docs/server.md#exports). */
export function exportFileName(report: ContributorReport<{ username: string }>, format: string): string {
  const username = report.metrics.username.replace(/[^A-Za-z0-9._[\]-]/g, '-');
  return `${username}_metrics_${dayIn(report.generatedAt, report.timeZone)}.${format}`;
}

/** `Last 30 days, all repositories`. */
export function reportScope(report: ContributorReport): string {
  return `${periodLabel(report.period)}, ${report.repository ?? 'all repositories'}`;
}

/** The column and the name in the json that say that agents' pull requests are counted to who started them. */
export const creditOf = ({ credit }: Pick<ContributorReport, 'credit'>) => (credit === null ? {} : { credit });

/** ` · with pull requests of agents that they started`; nothing where they are not counted. */
export function reportCredit({ credit }: Pick<ContributorReport, 'credit'>): string {
  return credit === null ? '' : ' · with pull requests of agents that they started';
}

/** ` · as a member of Payments`; nothing where whatever they did counts. */
export function reportTeam({ team }: Pick<ContributorReport, 'team'>): string {
  return team === null ? '' : ` · as a member of ${team}`;
}
