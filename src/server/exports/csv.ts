import type { Readable } from 'node:stream';
import type { OwnFigures } from '#contract/contributors.ts';
import { csvText } from '../http/csv.ts';
import { type ContributorReport, creditOf, dayIn, reportFigures } from './report.ts';

const columns = [
  'contributor',
  'repository',
  'team',
  'credit',
  'period',
  'as_of',
  'figure',
  'part',
  'value',
  'unit',
  'change_percent',
] as const;

type Column = (typeof columns)[number];
type Row = Record<Exclude<Column, 'credit'>, string | number | null> & { readonly credit?: string };

/** A reader of a spreadsheet takes no more from more decimals; the json has them all. */
const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals;

function* rowsOf(report: ContributorReport<OwnFigures>): Generator<Row> {
  const { metrics } = report;
  const context = {
    contributor: metrics.username,
    repository: report.repository ?? 'all',
    team: report.team ?? 'all',
    ...creditOf(report),
    period: report.period,
    as_of: dayIn(report.generatedAt, report.timeZone),
  };
  for (const { name, value, unit, change = null } of reportFigures(metrics)) {
    yield {
      ...context,
      figure: name,
      part: null,
      // A share of 1 is a hundred percent.
      value: rounded(value, unit === 'share' ? 4 : 2),
      unit,
      change_percent: rounded(change, 2),
    };
  }
  const partOf = (figure: string, part: string, value: number): Row => ({
    ...context,
    figure,
    part,
    value,
    unit: 'count',
    change_percent: null,
  });
  for (const [bucket, value] of Object.entries(metrics.pr_size_distribution)) {
    yield partOf('PRs opened, by lines changed', bucket, value);
  }
  for (const { week, prs_opened, prs_merged } of metrics.velocity_trend) {
    yield partOf('PRs opened, by week', week, prs_opened);
    yield partOf('PRs merged, by week', week, prs_merged);
  }
}

/**
 * The contributor's figures as RFC 4180 text in UTF-8 with a byte-order mark, so that spreadsheets read it as such: one table with a row
 * per figure, or per size and week where a figure has such parts. Whose, of what and as of when stands in every row, so that the files of
 * several people can be put below one another. Absent is an empty cell. A text that a spreadsheet would run as a formula gets an
 * apostrophe in front; numbers stay numbers. Every cell is quoted: no text of others ends its cell, whatever separates them.
 */
export function csvOf(report: ContributorReport<OwnFigures>): Readable {
  const named = columns.filter((column) => column !== 'credit' || report.credit !== null);
  return csvText([[...rowsOf(report)]], named, { bom: true });
}
