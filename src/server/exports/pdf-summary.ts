import type { ContributorMetrics } from '#contract/contributors.ts';
import { fewMergedWords, incomparable, reasonWords } from '#domain/change.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { healthStatus, recommendedActions } from '#domain/health.ts';
import { LARGE_ABOVE_LINES, STALE_AFTER_DAYS } from '#domain/metrics/thresholds.ts';
import { percentWords } from '#domain/percent.ts';
import { periodDays } from '#domain/period.ts';
import { mergeTimeRating, reviewResponseRating } from '#domain/ratings.ts';
import { noAreasWords, teamImpact } from '#domain/team-impact.ts';
import type { Box } from './pdf-charts.ts';
import type { Pdf } from './pdf-letters.ts';
import {
  bold,
  contentBottom,
  contentWidth,
  drawLines,
  heading,
  ink,
  isolated,
  line,
  page,
  rule,
  widthOf,
  wrap,
} from './pdf-page.ts';
import type { ContributorReport } from './report.ts';

const count = (value: number | null): string =>
  value === null ? NOT_AVAILABLE : (Math.round(value * 10) / 10).toLocaleString('en');
const whole = (value: number | null): string =>
  value === null ? NOT_AVAILABLE : Math.round(value).toLocaleString('en');
const share = (value: number | null): string => (value === null ? NOT_AVAILABLE : `${percentWords(value)}%`);
const lines = (value: number | null): string => (value === null ? NOT_AVAILABLE : `${whole(value)} lines`);
const rounds = (value: number | null): string => (value === null ? NOT_AVAILABLE : value.toFixed(1));

/** Name, scope and badges; answers where it ends. */
export function drawTitle(pdf: Pdf, metrics: ContributorMetrics, name: string, subtitle: string): number {
  line(pdf, name, { x: page.left, y: page.top, width: contentWidth, size: 20, font: bold, direction: 'auto' });
  const place = { x: page.left, y: page.top + 28, width: contentWidth, size: 9.5, color: ink.text2 };
  const shown = wrap(pdf, subtitle, place, 4);
  drawLines(pdf, shown, place, 12);
  const top = page.top + 12 * (shown.length - 1);
  if (metrics.badges.length === 0) return top + 50;
  let x: number = page.left;
  for (const { label } of metrics.badges) {
    const wide = line(pdf, label, { x: x + 6, y: top + 48, width: 120, size: 7.5, color: ink.text2 });
    pdf
      .roundedRect(x, top + 45, wide + 12, 15, 4)
      .lineWidth(0.6)
      .stroke('#CDD2DA');
    x += wide + 18;
  }
  return top + 68;
}

/** The four leading figures, each with its change and the team's average as an upright mark; answers where they end. */
export function drawTiles(pdf: Pdf, { metrics, period, timeZone }: ContributorReport, top: number): number {
  const team = metrics.team_averages.period;
  const { previous } = metrics;
  const tiles = [
    {
      name: 'PRs opened',
      of: 'total_prs_opened',
      trend: metrics.prs_opened_trend,
      basis: { before: previous.total_prs_opened },
      better: 'up',
      show: count,
    },
    {
      name: 'PRs merged',
      of: 'total_prs_merged',
      trend: metrics.prs_merged_trend,
      basis: { before: previous.total_prs_merged },
      better: 'up',
      show: count,
    },
    {
      name: 'PRs reviewed',
      of: 'total_prs_reviewed',
      trend: metrics.prs_reviewed_trend,
      basis: { before: previous.total_prs_reviewed },
      better: 'up',
      show: count,
    },
    {
      name: 'Time to merge',
      of: 'avg_time_to_merge_hours',
      trend: metrics.time_to_merge_trend,
      basis: { before: previous.total_prs_merged, now: metrics.total_prs_merged },
      better: 'down',
      show: formatDuration,
    },
  ] as const;
  rule(pdf, top);
  const width = contentWidth / tiles.length;
  for (const [index, { name, of, trend, basis, better, show }] of tiles.entries()) {
    const x = page.left + index * width + (index === 0 ? 0 : 10);
    const wide = width - (index === 0 ? 10 : 20);
    if (index > 0) {
      const edge = page.left + index * width;
      pdf
        .moveTo(edge, top + 10)
        .lineTo(edge, top + 84)
        .lineWidth(0.5)
        .stroke(ink.line);
    }
    line(pdf, name, { x, y: top + 11, width: wide, size: 8, color: ink.text2 });
    line(pdf, show(metrics[of]), { x, y: top + 23, width: wide, size: 17, font: bold });
    const days = periodDays(period);
    const reason = incomparable(metrics.compared_with, basis);
    const isOfFew = reason?.why === 'few' && reason.side === 'now';
    if ('now' in basis && (basis.now === 0 || isOfFew))
      line(pdf, fewMergedWords(basis.now), { x, y: top + 47, width: wide, size: 7, color: ink.text3 });
    else if (reason === null) drawChange(pdf, { trend, better, days, x, y: top + 47, width: wide });
    else {
      const words = reasonWords(reason, `in the ${days} days before`, timeZone);
      line(pdf, words, { x, y: top + 47, width: wide, size: 7, color: ink.text3 });
    }
    const mark = team[of];
    const full = 1.25 * Math.max(metrics[of] ?? 0, mark ?? 0);
    const at = (value: number) => (full === 0 ? 0 : (value / full) * wide);
    pdf.roundedRect(x, top + 62, wide, 4, 2).fill(ink.track);
    const value = metrics[of] ?? 0;
    if (value > 0) pdf.roundedRect(x, top + 62, at(value), 4, 2).fill(ink.blue);
    if (mark !== null) pdf.rect(x + at(mark) - 0.75, top + 59, 1.5, 10).fill(ink.text);
    line(pdf, `Team average ${of === 'avg_time_to_merge_hours' ? formatDuration(mark) : rounds(mark)}`, {
      x,
      y: top + 74,
      width: wide,
      size: 7.5,
      color: ink.text2,
    });
  }
  rule(pdf, top + 94);
  return top + 94;
}

interface Change {
  readonly trend: number | null;
  readonly better: 'up' | 'down';
  readonly days: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function drawChange(pdf: Pdf, { trend, better, days, x, y, width }: Change): void {
  const rounded = trend === null ? null : Math.round(trend);
  if (rounded === null) {
    line(pdf, 'No earlier value', { x, y, width, size: 7.5, color: ink.text3 });
    return;
  }
  const direction = rounded > 0 ? 'up' : 'down';
  const words = rounded === 0 ? 'Unchanged' : `${rounded > 0 ? '↑' : '↓'} ${Math.abs(rounded)}%`;
  const color = rounded === 0 ? ink.text2 : direction === better ? ink.good : ink.bad;
  const wide = line(pdf, words, { x, y, width, size: 7.5, font: bold, color });
  if (rounded === 0) return;
  line(pdf, `vs ${days} days before`, { x: x + wide + 4, y, width: width - wide - 4, size: 7, color: ink.text3 });
}

/** The figures behind the four, with the team's mean beside those that have one. */
export function drawFigures(pdf: Pdf, metrics: ContributorMetrics, box: Box): void {
  const team = metrics.team_averages.period;
  const rating = (word: string | null) => (word === null ? '' : word);
  const rows: readonly (readonly [string, string, string, string])[] = [
    ['Merge rate', share(metrics.pr_merge_rate), share(team.pr_merge_rate), ''],
    ['Review cycles per PR', rounds(metrics.avg_review_cycles), rounds(team.avg_review_cycles), ''],
    ['Average size', lines(metrics.avg_pr_size), lines(team.avg_pr_size), ''],
    [
      'Time to merge',
      formatDuration(metrics.avg_time_to_merge_hours),
      formatDuration(team.avg_time_to_merge_hours),
      rating(mergeTimeRating(metrics.avg_time_to_merge_hours)),
    ],
    [
      'Review response, mean',
      formatDuration(metrics.avg_review_response_time),
      formatDuration(team.avg_review_response_time),
      '',
    ],
    [
      'Review response, p50',
      formatDuration(metrics.review_response_time_p50),
      '',
      rating(reviewResponseRating(metrics.review_response_time_p50)),
    ],
    ['Review response, p75', formatDuration(metrics.review_response_time_p75), '', ''],
    ['Review response, p95', formatDuration(metrics.review_response_time_p95), '', ''],
    ['Commits', count(metrics.total_commits), '', ''],
    ['Open PRs now', count(metrics.current_open_prs), '', ''],
  ];
  heading(pdf, 'Figures', box.x, box.y, 80);
  line(pdf, 'Team', {
    x: box.x + box.width - 60,
    y: box.y + 2,
    width: 60,
    size: 7.5,
    color: ink.text3,
    align: 'right',
  });
  const row = (box.height - 18) / rows.length;
  for (const [index, [name, value, mean, word]] of rows.entries()) {
    const y = box.y + 18 + index * row;
    rule(pdf, y - 2, box.x, box.width);
    const wide = line(pdf, name, { x: box.x, y: y + 1, width: 110, size: 8, color: ink.text2 });
    if (word !== '') line(pdf, word, { x: box.x + wide + 6, y: y + 1.5, width: 100, size: 7, color: ink.text3 });
    line(pdf, value, { x: box.x + box.width - 132, y: y + 1, width: 70, size: 8, font: bold, align: 'right' });
    line(pdf, mean, { x: box.x + box.width - 60, y: y + 1, width: 60, size: 8, color: ink.text2, align: 'right' });
  }
}

const colours: Readonly<Record<ReturnType<typeof healthStatus>, string>> = {
  Excellent: ink.good,
  Good: ink.good,
  'Needs Attention': ink.watch,
  Critical: ink.bad,
};

/** Team impact at the left, health and what to do at the right, and the stale pull requests as far as the page goes. */
export function drawStanding(pdf: Pdf, { metrics }: ContributorReport, top: number, half: number): void {
  const right = page.left + half + 24;
  drawList(pdf, { x: page.left, y: top, width: half, height: 0 }, [
    ['Team impact', teamImpact(metrics.total_prs_reviewed, metrics.unique_developers_reviewed), ink.text2],
    `Reviewed ${count(metrics.total_prs_reviewed)} PRs for ${count(metrics.unique_developers_reviewed)} developers`,
    listed(
      'Most reviewed by',
      metrics.top_reviewed_by.map((by) => `${by.username} ${by.count}`),
      'nobody in this period',
    ),
    ...(metrics.code_ownership_areas.length === 0
      ? [noAreasWords(metrics.total_prs_merged)]
      : metrics.code_ownership_areas.map(
          (area) => `${isolated(area.path)}: ${percentWords(area.percentage / 100)}% of the merged lines`,
        )),
  ]);
  const health = {
    stalePrs: metrics.stale_prs.length,
    largePrFrequency: metrics.large_pr_frequency,
    openPrs: metrics.current_open_prs,
  };
  const status = healthStatus(health);
  const actions = recommendedActions(health);
  drawList(pdf, { x: right, y: top, width: half, height: 0 }, [
    ['Health', status, colours[status]],
    `${count(metrics.current_open_prs)} open, ${count(metrics.stale_prs.length)} stale for ${STALE_AFTER_DAYS} days or more`,
    `Large PRs, over ${LARGE_ABOVE_LINES} lines: ${share(metrics.large_pr_frequency)}`,
    ...(actions.length === 0 ? ['Nothing waits too long.'] : actions.map((action) => `→ ${action}`)),
  ]);
  drawStale(pdf, metrics.stale_prs, top + 100);
}

function listed(name: string, words: readonly string[], none: string): string {
  return `${name}: ${words.length === 0 ? none : words.join(', ')}`;
}

type Head = readonly [title: string, word: string, color: string];

function drawList(pdf: Pdf, { x, y, width }: Box, [[title, word, color], ...rows]: readonly [Head, ...string[]]): void {
  heading(pdf, title, x, y, width - 100);
  line(pdf, word, { x: x + width - 100, y: y + 1, width: 100, size: 8.5, font: bold, color, align: 'right' });
  rule(pdf, y + 16, x, width);
  for (const [index, text] of rows.entries()) {
    line(pdf, text, { x, y: y + 22 + index * 14, width, size: 8, color: ink.text2 });
  }
}

function drawStale(pdf: Pdf, stale: ContributorMetrics['stale_prs'], top: number): void {
  const room = Math.floor((contentBottom - top - 20) / 13);
  // How many more there are is told behind one at least.
  if (stale.length === 0 || room < Math.min(stale.length, 2)) return;
  heading(pdf, `Stale pull requests: ${stale.length}`, page.left, top, contentWidth);
  rule(pdf, top + 15);
  const shown = stale.length > room ? stale.slice(0, room - 1) : stale;
  for (const [row, { repo, pr_number, title, days_stale }] of shown.entries()) {
    const y = top + 20 + row * 13;
    const where = `${repo} #${pr_number}`;
    const place = { y, size: 8, color: ink.text3 } as const;
    const room = contentWidth - 66 - widthOf(pdf, where, { ...place, width: 0 });
    const wide = line(pdf, title, { ...place, x: page.left, width: room, color: ink.text2, direction: 'auto' });
    line(pdf, where, { ...place, x: page.left + wide + 6, width: contentWidth - 60 - wide });
    line(pdf, `${days_stale} d`, { x: page.width - page.right - 50, y, width: 50, size: 8, align: 'right' });
  }
  if (shown.length === stale.length) return;
  const y = top + 20 + shown.length * 13;
  line(pdf, `and ${stale.length - shown.length} more`, { x: page.left, y, width: 120, size: 8, color: ink.text3 });
}
