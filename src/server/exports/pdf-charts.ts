import type { ContributorMetrics } from '#contract/contributors.ts';
import { bold, contentWidth, ink, line, type Pdf, page } from './pdf-page.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function heading(pdf: Pdf, text: string, x: number, y: number, width: number): void {
  line(pdf, text, { x, y, width, size: 10, font: bold });
}

/** Weekly pull requests opened and merged as pairs of bars, each with its number on top. */
export function velocityChart(pdf: Pdf, weeks: ContributorMetrics['velocity_trend'], box: Box): void {
  heading(pdf, 'Velocity: opened and merged per week', box.x, box.y, box.width);
  const base = box.y + box.height - 14;
  const room = box.height - 54;
  const highest = Math.max(1, ...weeks.flatMap((week) => [week.prs_opened, week.prs_merged]));
  const slot = box.width / Math.max(1, weeks.length);
  const bar = Math.min(16, slot / 3);
  for (const [index, week] of weeks.entries()) {
    const middle = box.x + slot * (index + 0.5);
    const bars = [
      { value: week.prs_opened, x: middle - bar - 1, color: ink.blue },
      { value: week.prs_merged, x: middle + 1, color: ink.teal },
    ];
    for (const { value, x, color } of bars) {
      const height = (value / highest) * room;
      if (height > 0) pdf.rect(x, base - height, bar, height).fill(color);
      line(pdf, String(value), {
        x: x - 6,
        y: base - height - 11,
        width: bar + 12,
        size: 7,
        color: ink.text2,
        align: 'center',
      });
    }
    const label = {
      x: middle - slot / 2,
      y: base + 4,
      width: slot,
      size: 7,
      color: ink.text3,
      align: 'center' as const,
    };
    line(pdf, week.week.slice(5), label);
  }
  pdf
    .moveTo(box.x, base)
    .lineTo(box.x + box.width, base)
    .lineWidth(0.5)
    .stroke(ink.line);
  legend(pdf, box.x, box.y + 16, [
    ['Opened', ink.blue],
    ['Merged', ink.teal],
  ]);
}

function legend(pdf: Pdf, x: number, y: number, entries: readonly (readonly [string, string])[]): void {
  let left = x;
  for (const [name, color] of entries) {
    pdf.rect(left, y + 1, 7, 7).fill(color);
    line(pdf, name, { x: left + 11, y, width: 60, size: 7.5, color: ink.text2 });
    left += 70;
  }
}

/** How many pull requests fall into each size bucket, as bars with their number. */
export function sizeChart(pdf: Pdf, distribution: ContributorMetrics['pr_size_distribution'], box: Box): void {
  heading(pdf, 'PR size distribution (lines changed)', box.x, box.y, box.width);
  const buckets = Object.entries(distribution);
  const highest = Math.max(1, ...buckets.map(([, value]) => value));
  const row = (box.height - 22) / buckets.length;
  for (const [index, [bucket, value]] of buckets.entries()) {
    const y = box.y + 22 + row * index;
    line(pdf, bucket, { x: box.x, y: y + 2, width: 54, size: 8, color: ink.text2 });
    const width = (value / highest) * (box.width - 96);
    const isLarge = bucket === '501-1000' || bucket === '1000+';
    if (width > 0) pdf.roundedRect(box.x + 58, y, width, row - 6, 2).fill(isLarge ? ink.amber : ink.blue);
    line(pdf, String(value), { x: box.x + 62 + width, y: y + 2, width: 34, size: 8 });
  }
}

/** The last twelve weeks, a column a week, darker for more. */
export function calendarChart(pdf: Pdf, days: ContributorMetrics['activity_calendar'], x: number, y: number): number {
  heading(pdf, 'Activity of the last 12 weeks', x, y, contentWidth);
  const cell = 11;
  const gap = 2.5;
  const first = days[0];
  const offset = first === undefined ? 0 : (new Date(`${first.date}T00:00:00Z`).getUTCDay() + 6) % 7;
  for (const [index, { level }] of days.entries()) {
    const column = Math.floor((index + offset) / 7);
    const row = (index + offset) % 7;
    const left = x + column * (cell + gap);
    pdf.roundedRect(left, y + 20 + row * (cell + gap), cell, cell, 2).fill(ink.heat[level] ?? ink.heat[0]);
  }
  return y + 20 + 7 * (cell + gap);
}

/** A hairline across the page. */
export function rule(pdf: Pdf, y: number): void {
  pdf
    .moveTo(page.left, y)
    .lineTo(page.width - page.right, y)
    .lineWidth(0.5)
    .stroke(ink.line);
}
