import type { ContributorMetrics, ContributorPullRequest } from '#contract/contributors.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { type Period, periodLabel } from '#domain/period.ts';

/** Everything that an export of a contributor is made from (server specification, section 7). */
export interface ContributorReport {
  readonly metrics: ContributorMetrics;
  /** Newest first. */
  readonly pullRequests: readonly ContributorPullRequest[];
  readonly period: Period;
  /** The full name of the one repository that it is narrowed to; null for all. */
  readonly repository: string | null;
  readonly generatedAt: Date;
  readonly timeZone: string;
}

/** One figure in words: `value` is the raw number (null where there is nothing to measure), `text` what a person reads. */
export interface ReportFigure {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly text: string;
}

const whole = (value: number | null): string =>
  value === null ? NOT_AVAILABLE : Math.round(value).toLocaleString('en');
const oneDecimal = (value: number | null): string => (value === null ? NOT_AVAILABLE : value.toFixed(1));
const asPercent = (value: number | null): string => (value === null ? NOT_AVAILABLE : `${Math.round(value * 100)} %`);

const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${Math.round(percent)} %`;

/** The contributor's figures in the order in which a report lists them. */
export function reportFigures(metrics: ContributorMetrics): ReportFigure[] {
  const count = (name: string, value: number): ReportFigure => ({ name, value, unit: 'count', text: whole(value) });
  const hours = (name: string, value: number | null): ReportFigure => ({
    name,
    value,
    unit: 'hours',
    text: formatDuration(value),
  });
  const share = (name: string, value: number | null): ReportFigure => ({
    name,
    value,
    unit: 'share',
    text: asPercent(value),
  });
  const percent = (name: string, value: number): ReportFigure => ({
    name,
    value,
    unit: 'percent',
    text: signed(value),
  });
  return [
    count('PRs opened', metrics.total_prs_opened),
    percent('PRs opened, change', metrics.prs_opened_trend),
    count('PRs merged', metrics.total_prs_merged),
    percent('PRs merged, change', metrics.prs_merged_trend),
    count('Open PRs now', metrics.current_open_prs),
    count('Commits', metrics.total_commits),
    hours('Time to merge, mean', metrics.avg_time_to_merge_hours),
    {
      name: 'Time to merge, change',
      value: metrics.time_to_merge_trend,
      unit: 'percent',
      text: metrics.time_to_merge_trend === null ? NOT_AVAILABLE : signed(metrics.time_to_merge_trend),
    },
    { name: 'PR size, mean', value: metrics.avg_pr_size, unit: 'lines', text: whole(metrics.avg_pr_size) },
    share('Merge rate', metrics.pr_merge_rate),
    {
      name: 'Review cycles, mean',
      value: metrics.avg_review_cycles,
      unit: 'rounds',
      text: oneDecimal(metrics.avg_review_cycles),
    },
    count('PRs reviewed', metrics.total_prs_reviewed),
    percent('PRs reviewed, change', metrics.prs_reviewed_trend),
    count('Developers reviewed', metrics.unique_developers_reviewed),
    hours('Review response, mean', metrics.avg_review_response_time),
    hours('Review response, median', metrics.review_response_time_p50),
    hours('Review response, p75', metrics.review_response_time_p75),
    hours('Review response, p95', metrics.review_response_time_p95),
    share('PRs over 500 lines', metrics.large_pr_frequency),
    count('Active days of the last 30', metrics.active_days),
  ];
}

/** The calendar day of an instant in a zone, yyyy-MM-dd. */
export function dayIn(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
}

/** The name of the downloaded file: `{username}_metrics_{yyyy-MM-dd}.{format}` (product specification, section 7). */
export function exportFileName(report: ContributorReport, format: string): string {
  const username = report.metrics.username.replace(/[^A-Za-z0-9._[\]-]/g, '-');
  return `${username}_metrics_${dayIn(report.generatedAt, report.timeZone)}.${format}`;
}

/** `Last 30 days, all repositories`. */
export function reportScope(report: ContributorReport): string {
  return `${periodLabel(report.period)}, ${report.repository ?? 'all repositories'}`;
}
