import type { Instant } from './pull-request.ts';

export const periods = ['7d', '30d', '90d', '6mo', '1y'] as const;

export type Period = (typeof periods)[number];

/** What an unknown period means (docs/product.md#a-contributor). */
export const DEFAULT_PERIOD: Period = '30d';

const days: Readonly<Record<Period, number>> = { '7d': 7, '30d': 30, '90d': 90, '6mo': 182, '1y': 365 };

const labels: Readonly<Record<Period, string>> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '6mo': 'Last 6 months',
  '1y': 'Last year',
};

/** The period that a text names; anything else, also null, is 30 days (docs/product.md#a-contributor). */
export function periodOf(text: string | null | undefined): Period {
  return periods.find((period) => period === text) ?? DEFAULT_PERIOD;
}

/** How many days a period has; `6mo` is 182, `1y` is 365. */
export function periodDays(period: Period): number {
  return days[period];
}

/** The period in words: "Last 30 days". */
export function periodLabel(period: Period): string {
  return labels[period];
}

/** A half-open interval: after `after`, up to and including `until`. */
export interface Window {
  readonly after: Instant;
  readonly until: Instant;
}

const DAY = 24 * 3_600_000;

/** "Last N days": (now − N·24 h, now] (docs/metrics.md#what-holds-everywhere). */
export function lastDays(now: Instant, count: number): Window {
  return { after: now - count * DAY, until: now };
}

/** The equally long window just before, for trends. */
export function windowBefore({ after, until }: Window): Window {
  return { after: after - (until - after), until: after };
}

/** Six 7-day windows ending now, oldest first (docs/metrics.md#one-person). */
export function lastSixWeeks(now: Instant): Window[] {
  return [5, 4, 3, 2, 1, 0].map((weeksAgo) => lastDays(now - weeksAgo * 7 * DAY, 7));
}

/**
 * What the contributor page's banner says is shown; `repository` (owner/name) is null for all of them
 * (docs/product.md#a-contributor).
 */
export function windowSentence(period: Period, repository: string | null): string {
  return `Metrics are a ${periodDays(period)}-day rolling window ${repository === null ? 'across all repositories' : `in ${repository}`}.`;
}
