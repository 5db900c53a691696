import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ContributorPullRequest } from '#contract/contributors.ts';
import { formatDuration, UNKNOWN } from '#domain/duration.ts';
import { sizeLetter } from '#domain/size.ts';
import { calendarChart, sizeChart, velocityChart } from './pdf-charts.ts';
import { knowLetters } from './pdf-letters.ts';
import { bold, contentBottom, contentWidth, footer, ink, line, openPdf, type Pdf, page, rule } from './pdf-page.ts';
import { drawFigures, drawStanding, drawTiles, drawTitle } from './pdf-summary.ts';
import { type ContributorReport, dayIn, reportScope } from './report.ts';

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
  readonly color?: (pullRequest: ContributorPullRequest) => string;
}

/**
 * The report as a PDF on A4: title and period, the figures, charts, what needs attention, and a table of the pull requests
 * with its head on every page. Pages are handed on as they are done, and a long table lets other requests through.
 * The stream fails where drawing fails, and nothing more is drawn for a reader who has gone.
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
  await knowLetters(pdf, JSON.stringify([report.metrics, report.repository]));
  // The download begins before the first page is drawn, for which the fonts are read.
  await nextTurn();
  if (pdf.destroyed) return;
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
    await knowLetters(pdf, `${pullRequest.title}${pullRequest.repo_name}`);
    drawRow(pdf, columns, pullRequest, tableTop + row * rowHeight);
    if (index % rowsPerTurn === rowsPerTurn - 1) await readerKeepsUp(pdf);
    if (pdf.destroyed) return;
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
  const right = page.left + half + 24;
  const subtitle = `@${metrics.username} · ${reportScope(report)} · as of ${dayIn(report.generatedAt, report.timeZone)} (${report.timeZone})`;
  let y = drawTiles(pdf, report, drawTitle(pdf, metrics, name, subtitle)) + 16;
  velocityChart(pdf, metrics, { x: page.left, y, width: half, height: 186 });
  sizeChart(pdf, metrics.pr_size_distribution, { x: right, y, width: half, height: 168 });
  y += 196;
  calendarChart(pdf, metrics, { x: page.left, y, width: half, height: 160 });
  drawFigures(pdf, metrics, { x: right, y, width: half, height: 172 });
  drawStanding(pdf, report, y + 184, half);
}

function tableColumns({ generatedAt, timeZone }: ContributorReport): Column[] {
  return [
    { title: 'Pull request', width: 190, text: (pr) => pr.title },
    { title: 'Repository', width: 100, text: (pr) => `${pr.repo_name} #${pr.pr_number}` },
    { title: 'State', width: 48, text: stateOf, color: (pr) => ink.states[stateOf(pr)] },
    {
      title: 'Lines',
      width: 54,
      align: 'right',
      text: (pr) => `${pr.lines_changed.toLocaleString('en')} ${sizeLetter(pr.lines_changed)}`,
    },
    { title: 'Opened', width: 58, align: 'right', text: (pr) => dayIn(new Date(pr.created_at), timeZone) },
    {
      title: 'Open for',
      width: contentWidth - 444,
      align: 'right',
      text: (pr) => openFor(pr, generatedAt),
    },
  ];
}

function stateOf({ draft, state }: ContributorPullRequest): keyof typeof ink.states {
  return draft && state === 'open' ? 'draft' : state;
}

function openFor({ state, created_at, ended_at }: ContributorPullRequest, now: Date): string {
  const end = state === 'open' ? now.getTime() : ended_at === null ? Number.NaN : Date.parse(ended_at);
  const hours = (end - Date.parse(created_at)) / 3_600_000;
  return Number.isNaN(hours) ? UNKNOWN : formatDuration(Math.max(0, hours));
}

function drawTableHead(pdf: Pdf, columns: readonly Column[], total: number): void {
  let x: number = page.left;
  for (const [index, { title, width, align = 'left' }] of columns.entries()) {
    const text = index === 0 ? `${title} (${total.toLocaleString('en')})` : title;
    line(pdf, text, { x, y: page.top, width: width - 6, size: 8, font: bold, color: ink.text2, align });
    x += width;
  }
  rule(pdf, page.top + 16);
}

function drawRow(pdf: Pdf, columns: readonly Column[], pullRequest: ContributorPullRequest, y: number): void {
  let x: number = page.left;
  for (const { width, align, text, color } of columns) {
    const place = { x, y: y + 2, width: width - 6, size: 8, align: align ?? 'left' } as const;
    line(pdf, text(pullRequest), { ...place, color: color?.(pullRequest) ?? ink.text });
    x += width;
  }
  rule(pdf, y + rowHeight - 2);
}
