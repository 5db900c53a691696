import type { ContributorMetrics } from '#contract/contributors.ts';
import { activityInsight, streaksOf, streakWords } from '#domain/activity-calendar.ts';
import { LARGE_ABOVE_LINES } from '#domain/metrics/thresholds.ts';
import { percentWords } from '#domain/percent.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { sizeSentence } from '#domain/size-distribution.ts';
import { VELOCITY_WEEKS, velocityWords } from '#domain/velocity.ts';
import type { Pdf } from './pdf-letters.ts';
import { bold, drawLines, heading, ink, line, wrap } from './pdf-page.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const small = { size: 7, color: ink.text3 } as const;

/** Round values for an axis from 0 to at least `highest`: whole numbers, two to five steps. */
function axisTicks(highest: number): number[] {
  const step =
    [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000].find((of) => highest / of <= 5) ?? 10_000;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, at) => at * step);
}

/** Weekly pull requests opened and merged as pairs of bars over an axis, the team's weekly average dashed. */
export function velocityChart(pdf: Pdf, metrics: ContributorMetrics, box: Box): void {
  const { velocity_trend: weeks, team_averages: team } = metrics;
  heading(pdf, 'Velocity: opened and merged per week', box.x, box.y, box.width);
  const left = box.x + 18;
  const width = box.width - 18;
  const base = box.y + box.height - 30;
  const room = box.height - 70;
  const perWeek = [team.total_prs_opened, team.total_prs_merged].map((sum) =>
    sum === null ? null : sum / VELOCITY_WEEKS,
  );
  legend(pdf, box.x, box.y + 16, perWeek);
  const values = weeks.flatMap((week) => [week.prs_opened, week.prs_merged]);
  const ticks = axisTicks(Math.max(1, ...values, ...perWeek.map((value) => value ?? 0)));
  const heightOf = (value: number) => (value / ticks.at(-1)!) * room;
  for (const tick of ticks) {
    const y = base - heightOf(tick);
    pdf
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.5)
      .stroke(ink.grid);
    line(pdf, String(tick), { ...small, x: box.x - 4, y: y - 4, width: 18, align: 'right' });
  }
  const slot = width / Math.max(1, weeks.length);
  const bar = Math.min(12, slot / 3);
  for (const [index, week] of weeks.entries()) {
    const middle = left + slot * (index + 0.5);
    const bars = [
      { value: week.prs_opened, x: middle - bar - 1, color: ink.blue },
      { value: week.prs_merged, x: middle + 1, color: ink.teal },
    ];
    for (const { value, x, color } of bars) {
      if (value > 0) pdf.rect(x, base - heightOf(value), bar, heightOf(value)).fill(color);
      line(pdf, String(value), { ...small, x: x - 6, y: base - heightOf(value) - 9, width: bar + 12, align: 'center' });
    }
    line(pdf, dayWords(week.week), { ...small, x: middle - slot / 2, y: base + 4, width: slot, align: 'center' });
  }
  for (const [index, value] of perWeek.entries()) {
    if (value === null) continue;
    const y = base - heightOf(value);
    pdf
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.9)
      .dash(3, { space: 3 })
      .stroke(index === 0 ? ink.blue : ink.teal)
      .undash();
  }
  line(pdf, velocitySentences(metrics), {
    ...small,
    x: box.x,
    y: base + 18,
    width: box.width,
    size: 7.5,
    color: ink.text2,
  });
}

function velocitySentences({ velocity_trend: weeks, compared_with }: ContributorMetrics): string {
  const { message, warning, mergeRate } = velocityWords(weeks, compared_with);
  return [
    ...(message === null ? [] : [`${message}.`]),
    ...(warning !== null ? [`${warning}.`] : mergeRate === null ? [] : [`Merge rate ${percentWords(mergeRate)}%.`]),
  ].join(' ');
}

/** The series of the velocity chart, and what its dashes are: the team's weekly averages, opened and merged. */
function legend(pdf: Pdf, x: number, y: number, team: readonly (number | null)[]): void {
  let left = x;
  for (const [name, color] of [
    ['Opened', ink.blue],
    ['Merged', ink.teal],
  ] as const) {
    pdf.rect(left, y + 1, 7, 7).fill(color);
    line(pdf, name, { x: left + 11, y, width: 60, size: 7.5, color: ink.text2 });
    left += 54;
  }
  const averages = team.flatMap((value) => (value === null ? [] : [value.toFixed(1)]));
  if (averages.length === 0) return;
  pdf
    .moveTo(left, y + 5)
    .lineTo(left + 14, y + 5)
    .lineWidth(0.9)
    .dash(3, { space: 3 })
    .stroke(ink.text3)
    .undash();
  line(pdf, `Team average ${averages.join(', ')}`, { x: left + 18, y, width: 110, size: 7.5, color: ink.text2 });
}

/** How many pull requests fall into each size bucket, as bars with their number, against the target. */
export function sizeChart(pdf: Pdf, distribution: ContributorMetrics['pr_size_distribution'], box: Box): void {
  heading(pdf, 'PR size distribution, lines changed', box.x, box.y, box.width);
  const highest = Math.max(1, ...sizeBuckets.map((bucket) => distribution[bucket]));
  const row = (box.height - 52) / sizeBuckets.length;
  for (const [index, bucket] of sizeBuckets.entries()) {
    const value = distribution[bucket];
    const y = box.y + 22 + row * index;
    line(pdf, bucket, { x: box.x, y: y + 2, width: 48, size: 7.5, color: ink.text2, align: 'right' });
    const width = (value / highest) * (box.width - 92);
    const isLarge = Number.parseInt(bucket, 10) >= LARGE_ABOVE_LINES;
    if (width > 0) pdf.roundedRect(box.x + 55, y, width, row - 6, 2).fill(isLarge ? ink.amber : ink.blue);
    line(pdf, String(value), { x: box.x + 60 + width, y: y + 2, width: 32, size: 7.5, font: bold });
  }
  const words = `${sizeSentence(distribution)} Amber: over ${LARGE_ABOVE_LINES}.`;
  const place = { x: box.x, y: box.y + box.height - 12, width: box.width, size: 7.5, color: ink.text2 };
  drawLines(pdf, wrap(pdf, words, place, 2), place, 10);
}

const CELL = 11;
const GAP = 2.5;
const DAY = 24 * 3_600_000;

/** The last twelve weeks, a column a week, darker for more, with weekdays, months, a key and the streaks. */
export function calendarChart(pdf: Pdf, metrics: ContributorMetrics, box: Box): void {
  const days = metrics.activity_calendar;
  heading(pdf, 'Activity of the last 12 weeks', box.x, box.y, box.width);
  const left = box.x + 24;
  const top = box.y + 32;
  const first = days[0] === undefined ? 0 : Date.parse(`${days[0].date}T00:00:00Z`);
  const offset = (new Date(first).getUTCDay() + 6) % 7;
  for (const [row, day] of ['Mon', '', 'Wed', '', 'Fri', '', ''].entries()) {
    line(pdf, day, { ...small, x: box.x, y: top + row * (CELL + GAP) + 1, width: 22 });
  }
  let labelledUpTo = 0;
  for (const [index, { date, level }] of days.entries()) {
    const column = Math.floor((index + offset) / 7);
    const row = (index + offset) % 7;
    const x = left + column * (CELL + GAP);
    pdf.roundedRect(x, top + row * (CELL + GAP), CELL, CELL, 2).fill(ink.heat[level] ?? ink.heat[0]);
    const begins =
      date.endsWith('-01') ||
      (index === 0 && new Date(first + 14 * DAY).getUTCMonth() === new Date(first).getUTCMonth());
    if (begins && x >= labelledUpTo) {
      line(pdf, monthWords(date), { ...small, x, y: top - 11, width: 24 });
      labelledUpTo = x + 24;
    }
  }
  const active = days.filter(({ count }) => count > 0).length;
  const streaks = streaksOf(days);
  const { current, max } = streaks;
  const y = top + 7 * (CELL + GAP) + 6;
  const words = `Active on ${active} of ${days.length} days. ${streakWords(current)}, longest ${max}.`;
  line(pdf, words, { x: box.x, y, width: box.width, size: 7.5, color: ink.text2 });
  const [insight = ''] = activityInsight(metrics.active_days, streaks).sentences;
  line(pdf, insight, { x: box.x, y: y + 12, width: box.width, size: 7.5, color: ink.text2 });
  heatKey(pdf, box.x, y + 25);
}

function heatKey(pdf: Pdf, x: number, y: number): void {
  const less = line(pdf, 'Less', { ...small, x, y, width: 24 });
  let left = x + less + 4;
  for (const color of ink.heat) {
    pdf.roundedRect(left, y, 8, 8, 1.5).fill(color);
    left += 10;
  }
  line(pdf, 'More', { ...small, x: left + 2, y, width: 30 });
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });

/** "14 Nov" of a calendar date. */
function dayWords(date: string): string {
  return dayFormat.format(Date.parse(`${date}T12:00:00Z`));
}

function monthWords(date: string): string {
  return monthFormat.format(Date.parse(`${date}T12:00:00Z`)).slice(0, 3);
}
