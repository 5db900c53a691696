import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { OwnFigures } from '#contract/contributors.ts';
import { type ContributorReport, dayIn, reportFigures } from './report.ts';

const columns = [
  'record',
  'name',
  'value',
  'unit',
  'repository',
  'number',
  'state',
  'draft',
  'lines_changed',
  'created_at',
  'last_review_at',
  'reviewers',
  'url',
] as const;

type Row = Partial<Record<(typeof columns)[number], string | number | null>>;

function* rowsOf(report: ContributorReport<OwnFigures>): Generator<Row> {
  const of = (name: string, value: string): Row => ({ record: 'report', name, value });
  yield of('contributor', report.metrics.username);
  yield of('period', report.period);
  yield of('repository', report.repository ?? 'all');
  yield of('time_zone', report.timeZone);
  yield of('created', dayIn(report.generatedAt, report.timeZone));
  for (const { name, value, unit } of reportFigures(report.metrics)) yield { record: 'metric', name, value, unit };
  for (const [bucket, value] of Object.entries(report.metrics.pr_size_distribution)) {
    yield { record: 'pr_size', name: bucket, value, unit: 'count' };
  }
  for (const { week, prs_opened, prs_merged } of report.metrics.velocity_trend) {
    yield { record: 'week_opened', name: week, value: prs_opened, unit: 'count' };
    yield { record: 'week_merged', name: week, value: prs_merged, unit: 'count' };
  }
  for (const pr of report.pullRequests) {
    yield {
      record: 'pull_request',
      name: pr.title,
      repository: `${pr.repo_owner}/${pr.repo_name}`,
      number: pr.pr_number,
      state: pr.state,
      draft: pr.draft ? 'yes' : 'no',
      lines_changed: pr.lines_changed,
      created_at: pr.created_at,
      last_review_at: pr.last_review_at,
      reviewers: pr.reviewers.join(' '),
      url: pr.github_url,
    };
  }
}

/**
 * The report as RFC 4180 text in UTF-8: one table whose first column says what a row is (`report`, `metric`, `pr_size`,
 * `week_opened`, `week_merged`, `pull_request`). Absent is an empty cell. A text that a spreadsheet would run as a formula
 * gets an apostrophe in front; numbers stay numbers.
 */
export function csvOf(report: ContributorReport<OwnFigures>): Readable {
  return Readable.from(rowsOf(report)).pipe(
    stringify({ header: true, columns: [...columns], record_delimiter: 'windows', escape_formulas: true }),
  );
}
