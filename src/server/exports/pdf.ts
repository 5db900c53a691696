import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ContributorPullRequest } from '#contract/contributors.ts';
import { formatDuration, UNKNOWN } from '#domain/duration.ts';
import { sizeLetter } from '#domain/size-letter.ts';
import { calendarChart, sizeChart, velocityChart } from './pdf-charts.ts';
import type { Pdf } from './pdf-letters.ts';
import { loadLetters } from './pdf-letters.ts';
import {
  bold,
  contentBottom,
  contentWidth,
  drawLines,
  footer,
  ink,
  line,
  openPdf,
  page,
  regular,
  rule,
  wrap,
} from './pdf-page.ts';
import { drawFigures, drawStanding, drawTiles, drawTitle } from './pdf-summary.ts';
import { type ContributorReport, dayIn, reportCredit, reportScope, reportTeam } from './report.ts';

const rowHeight = 17;
/** What the second line of a title adds to its row. */
const leading = 10;
const tableTop = page.top + 24;
/** Free space between two columns. */
const gap = 8;
/** So many titles are broken into lines before other requests get their turn. */
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
  const foot = `Mergelight · @${report.metrics.username}${reportTeam(report)}${reportCredit(report)} · ${dayIn(report.generatedAt, report.timeZone)} · ${reportScope(report)}`;
  await loadLetters(pdf, JSON.stringify([report.metrics, report.repository, report.team]));
  // The download begins before the first page is drawn, for which the fonts are read.
  await nextTurn();
  if (pdf.destroyed) return;
  const columns = tableColumns(pdf, report);
  const pages = await layOut(pdf, report.pullRequests, columns.title);
  if (pages === null) return;
  const total = 1 + pages.length;
  pdf.addPage();
  drawFirstPage(pdf, report, name);
  footer(pdf, foot, 1, total);

  for (const [index, rows] of pages.entries()) {
    pdf.addPage();
    drawTableHead(pdf, columns, report.pullRequests.length);
    footer(pdf, foot, 2 + index, total);
    let y = tableTop;
    for (const row of rows) {
      drawRow(pdf, columns, row, y);
      y += heightOf(row);
    }
    await readerKeepsUp(pdf);
    if (pdf.destroyed) return;
  }
  pdf.end();
}

/** A pull request of the table, and its title as it is broken into lines. */
interface Row {
  readonly pullRequest: ContributorPullRequest;
  readonly title: readonly string[];
}

function heightOf({ title }: Row): number {
  return rowHeight + (title.length - 1) * leading;
}

/** The rows of each page of the table: how many pages there will be is written on the first. Null for a reader who has gone. */
async function layOut(
  pdf: Pdf,
  pullRequests: readonly ContributorPullRequest[],
  width: number,
): Promise<Row[][] | null> {
  const pages: Row[][] = [];
  let y = Number.POSITIVE_INFINITY;
  for (const [index, pullRequest] of pullRequests.entries()) {
    await loadLetters(pdf, `${pullRequest.title}${pullRequest.repo_name}`);
    const row = { pullRequest, title: wrap(pdf, pullRequest.title, { ...cell, width, direction: 'auto' }, 2) };
    if (y + heightOf(row) > contentBottom) {
      pages.push([]);
      y = tableTop;
    }
    pages.at(-1)!.push(row);
    y += heightOf(row);
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    if (pdf.destroyed) return null;
  }
  return pages;
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
  const subtitle = `@${metrics.username}${reportTeam(report)}${reportCredit(report)} · ${reportScope(report)} · as of ${dayIn(report.generatedAt, report.timeZone)} (${report.timeZone})`;
  let y = drawTiles(pdf, report, drawTitle(pdf, metrics, name, subtitle)) + 16;
  velocityChart(pdf, metrics, { x: page.left, y, width: half, height: 186 });
  sizeChart(pdf, metrics.pr_size_distribution, { x: right, y, width: half, height: 168 });
  y += 196;
  calendarChart(pdf, metrics, { x: page.left, y, width: half, height: 160 });
  drawFigures(pdf, metrics, { x: right, y, width: half, height: 172 });
  drawStanding(pdf, report, y + 184, half);
}

interface Columns {
  /** How wide the titles may be. */
  readonly title: number;
  readonly others: readonly Column[];
}

const cell = { size: 8 } as const;

/** The titles get all that the other columns leave. */
function tableColumns(pdf: Pdf, { generatedAt, timeZone, pullRequests }: ContributorReport): Columns {
  const repository = (pr: ContributorPullRequest) => `${pr.repo_name} #${pr.pr_number}`;
  const longest = pullRequests.reduce((most, pr) => {
    const words = repository(pr);
    return words.length > most.length ? words : most;
  }, '');
  const needs = (text: string, font: string) => pdf.font(font).fontSize(cell.size).widthOfString(text);
  const others: readonly Column[] = [
    {
      title: 'Repository',
      width: gap + Math.min(100, Math.max(needs('Repository', bold), needs(longest, regular))),
      text: repository,
    },
    { title: 'State', width: 42, text: stateOf, color: (pr) => ink.states[stateOf(pr)] },
    {
      title: 'Lines',
      width: 54,
      align: 'right',
      text: (pr) => `${pr.lines_changed.toLocaleString('en')} ${sizeLetter(pr.lines_changed)}`,
    },
    { title: 'Opened', width: 60, align: 'right', text: (pr) => dayIn(new Date(pr.created_at), timeZone) },
    { title: 'Open for', width: 50, align: 'right', text: (pr) => openFor(pr, generatedAt) },
  ];
  return { title: contentWidth - others.reduce((sum, { width }) => sum + width, 0), others };
}

function stateOf({ draft, state }: ContributorPullRequest): keyof typeof ink.states {
  return draft && state === 'open' ? 'draft' : state;
}

function openFor({ state, created_at, ended_at }: ContributorPullRequest, now: Date): string {
  const end = state === 'open' ? now.getTime() : ended_at === null ? Number.NaN : Date.parse(ended_at);
  const hours = (end - Date.parse(created_at)) / 3_600_000;
  return Number.isNaN(hours) ? UNKNOWN : formatDuration(Math.max(0, hours));
}

function drawTableHead(pdf: Pdf, { title, others }: Columns, total: number): void {
  const head = { y: page.top, size: 8, font: bold, color: ink.text2 } as const;
  line(pdf, `Pull request (${total.toLocaleString('en')})`, { ...head, x: page.left, width: title });
  let x = page.left + title;
  for (const { title, width, align = 'left' } of others) {
    line(pdf, title, { ...head, x: x + gap, width: width - gap, align });
    x += width;
  }
  rule(pdf, page.top + 16);
}

function drawRow(pdf: Pdf, { title, others }: Columns, row: Row, y: number): void {
  drawLines(pdf, row.title, { ...cell, x: page.left, y: y + 2, width: title, direction: 'auto' }, leading);
  let x = page.left + title;
  for (const { width, align = 'left', text, color } of others) {
    const place = { ...cell, x: x + gap, y: y + 2, width: width - gap, align } as const;
    line(pdf, text(row.pullRequest), { ...place, color: color?.(row.pullRequest) ?? ink.text });
    x += width;
  }
  rule(pdf, y + heightOf(row) - 2);
}
