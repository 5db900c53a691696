import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ContributorPullRequest } from '#contract/contributors.ts';
import { sizeLetter } from '#domain/size.ts';
import { calendarChart, heading, rule, sizeChart, velocityChart } from './pdf-charts.ts';
import { bold, contentBottom, contentWidth, footer, ink, line, openPdf, type Pdf, page } from './pdf-page.ts';
import { type ContributorReport, dayIn, reportFigures, reportScope } from './report.ts';

const rowHeight = 17;
const tableTop = page.top + 24;
const rowsPerPage = Math.floor((contentBottom - tableTop) / rowHeight);
/** So many rows are drawn before other requests get their turn. */
const rowsPerTurn = 25;
/** Bytes drawn and not read yet, at most. */
const mostUnread = 256 * 1024;

interface Column {
  readonly title: string;
  readonly width: number;
  readonly align?: 'right';
  readonly text: (pullRequest: ContributorPullRequest) => string;
}

/**
 * The report as a PDF on A4: title and period, the figures, charts, what needs attention, and a table of the pull requests
 * with its head on every page. Pages are handed on as they are done, and a long table lets other requests through.
 * The stream fails where drawing fails.
 */
export function pdfOf(report: ContributorReport): Readable {
  const name = report.metrics.display_name ?? report.metrics.username;
  const pdf = openPdf(`Contributor report: ${name}`, report.generatedAt);
  draw(pdf, report, name).catch((error: Error) => pdf.destroy(error));
  return pdf;
}

async function draw(pdf: Pdf, report: ContributorReport, name: string): Promise<void> {
  const foot = `Mergelight · @${report.metrics.username} · ${reportScope(report)} · ${dayIn(report.generatedAt, report.timeZone)}`;
  const total = 1 + Math.ceil(report.pullRequests.length / rowsPerPage);
  pdf.addPage();
  drawFirstPage(pdf, report, name);
  footer(pdf, foot, 1, total);

  const columns = tableColumns(report);
  for (const [index, pullRequest] of report.pullRequests.entries()) {
    const row = index % rowsPerPage;
    if (row === 0) {
      pdf.addPage();
      drawTableHead(pdf, columns, report.pullRequests.length);
      footer(pdf, foot, 2 + Math.floor(index / rowsPerPage), total);
    }
    drawRow(pdf, columns, pullRequest, tableTop + row * rowHeight);
    if (index % rowsPerTurn === rowsPerTurn - 1) await readerKeepsUp(pdf);
  }
  pdf.end();
}

/** Lets other requests through, and waits while what is drawn piles up unread: a slow reader costs no memory. */
async function readerKeepsUp(pdf: Pdf): Promise<void> {
  await nextTurn();
  while (pdf.readableLength > mostUnread && !pdf.destroyed) await pause(20);
}

function drawFirstPage(pdf: Pdf, report: ContributorReport, name: string): void {
  const { metrics } = report;
  const half = (contentWidth - 24) / 2;
  line(pdf, name, { x: page.left, y: page.top, width: contentWidth, size: 20, font: bold });
  const subtitle = `@${metrics.username} · ${reportScope(report)} · as of ${dayIn(report.generatedAt, report.timeZone)} (${report.timeZone})`;
  line(pdf, subtitle, { x: page.left, y: page.top + 28, width: contentWidth, size: 9.5, color: ink.text2 });
  let y = page.top + 46;
  if (metrics.badges.length > 0) {
    const badges = metrics.badges.map(({ label }) => label).join('  ·  ');
    line(pdf, badges, { x: page.left, y, width: contentWidth, size: 9, font: bold, color: ink.blue });
    y += 16;
  }
  rule(pdf, y + 4);
  y = drawFigures(pdf, report, y + 14);
  velocityChart(pdf, metrics.velocity_trend, { x: page.left, y, width: half, height: 150 });
  sizeChart(pdf, metrics.pr_size_distribution, { x: page.left + half + 24, y, width: half, height: 130 });
  y = calendarChart(pdf, metrics.activity_calendar, page.left, y + 168) + 16;
  drawLists(pdf, report, y, half);
}

function drawFigures(pdf: Pdf, report: ContributorReport, top: number): number {
  const figures = reportFigures(report.metrics);
  const perRow = 4;
  const width = contentWidth / perRow;
  for (const [index, { name, text, unit }] of figures.entries()) {
    const x = page.left + (index % perRow) * width;
    const y = top + Math.floor(index / perRow) * 36;
    const value = unit === 'lines' && text !== 'N/A' ? `${text} lines` : text;
    line(pdf, value, { x, y, width: width - 8, size: 12, font: bold });
    line(pdf, name, { x, y: y + 16, width: width - 8, size: 7.5, color: ink.text2 });
  }
  return top + Math.ceil(figures.length / perRow) * 36 + 12;
}

function drawLists(pdf: Pdf, { metrics }: ContributorReport, top: number, half: number): void {
  const lists = [
    {
      title: 'Reviewed most by',
      empty: 'No reviews in this period',
      rows: metrics.top_reviewed_by.map(({ username, count }) => `${username}: ${count}`),
    },
    {
      title: 'Code areas',
      empty: 'Nothing merged in this period',
      rows: metrics.code_ownership_areas.map(({ path, percentage }) => `${path}: ${Math.round(percentage)} %`),
    },
  ];
  for (const [index, { title, rows, empty }] of lists.entries()) {
    const x = page.left + index * (half + 24);
    heading(pdf, title, x, top, half);
    for (const [row, text] of (rows.length === 0 ? [empty] : rows).entries()) {
      line(pdf, text, { x, y: top + 18 + row * 14, width: half, size: 9, color: ink.text2 });
    }
  }
  const y = top + 74;
  heading(pdf, `Stale pull requests: ${metrics.stale_prs.length}`, page.left, y, contentWidth);
  const room = Math.max(0, Math.floor((contentBottom - y - 18) / 14));
  for (const [row, stale] of metrics.stale_prs.slice(0, room).entries()) {
    const text = `${stale.repo} #${stale.pr_number}, ${stale.days_stale} days: ${stale.title}`;
    line(pdf, text, { x: page.left, y: y + 18 + row * 14, width: contentWidth, size: 9, color: ink.text2 });
  }
}

function tableColumns(report: ContributorReport): Column[] {
  return [
    { title: 'Pull request', width: 210, text: (pr) => pr.title },
    { title: 'Repository', width: 112, text: (pr) => `${pr.repo_name} #${pr.pr_number}` },
    { title: 'State', width: 46, text: (pr) => (pr.draft ? 'draft' : pr.state) },
    {
      title: 'Lines',
      width: 60,
      align: 'right',
      text: (pr) => `${pr.lines_changed.toLocaleString('en')} ${sizeLetter(pr.lines_changed)}`,
    },
    { title: 'Opened', width: 71, align: 'right', text: (pr) => dayIn(new Date(pr.created_at), report.timeZone) },
  ];
}

function drawTableHead(pdf: Pdf, columns: readonly Column[], total: number): void {
  pdf.y = page.top;
  let x = page.left;
  for (const [index, { title, width, align }] of columns.entries()) {
    const text = index === 0 ? `${title} (${total.toLocaleString('en')})` : title;
    line(pdf, text, {
      x,
      y: page.top,
      width: width - 6,
      size: 8.5,
      font: bold,
      color: ink.text2,
      align: align ?? 'left',
    });
    x += width;
  }
  rule(pdf, page.top + 16);
}

function drawRow(pdf: Pdf, columns: readonly Column[], pullRequest: ContributorPullRequest, y: number): void {
  let x = page.left;
  for (const { width, align, text } of columns) {
    line(pdf, text(pullRequest), { x, y: y + 2, width: width - 6, size: 8, align: align ?? 'left' });
    x += width;
  }
}
