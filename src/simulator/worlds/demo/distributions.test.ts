import { describe, expect, it } from 'vitest';
import { NOW, SINCE, world } from '../../../../test/support/demo.ts';
import {
  countBy,
  figuresOf,
  gini,
  isMachine,
  quantile,
  rankCorrelation,
  stateAt,
} from '../../../../test/support/demo-figures.ts';
import { DAY, localTime, WEEK } from './calendar.ts';
import { demoWorld } from './demo.ts';
import { PEOPLE } from './people.ts';

/** A figure, what real teams show, and how far the demo may be from it. */
type Row = readonly [figure: string, measured: number, real: number, lowest: number, highest: number];

const figures = figuresOf(world, NOW);
const people = figures.openedByPeople;
const ended = figures.opened.filter((each) => stateAt(each, NOW) !== 'open');
const reviewCounts = [...countBy(figures.reviews.map((review) => review.by)).values()];
const authorCounts = [...countBy(people.map((each) => each.author ?? 'ghost')).values()];

function share<T>(items: readonly T[], is: (item: T) => boolean): number {
  return items.filter(is).length / items.length;
}

function atHome(login: string | null, at: number) {
  const person = PEOPLE.find((each) => each.account.login === login) ?? PEOPLE.find((each) => each.deleted);
  return localTime(person?.zone ?? 'UTC', at);
}

function openAt(at: number): number {
  const known = world.repositories.flatMap((repository) => repository.pullRequests);
  return known.filter((each) => each.createdAt <= at && stateAt(each, at) === 'open').length;
}

const states = (state: string) => share(figures.reviews, (review) => review.state === state);
const firsts = figures.reviews.filter((review) => review.first);
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const moments = Array.from({ length: 24 }, (_, index) => openAt(NOW - index * 2 * WEEK));

/** Real: the company team of the distributions, else the values proposed for a generator. */
const ROWS: readonly Row[] = [
  ['pull requests in 78 weeks', figures.opened.length, 6_000, 5_400, 6_600],
  ['lines changed, p50', quantile(figures.lines, 0.5), 64, 50, 75],
  ['lines changed, p90', quantile(figures.lines, 0.9), 698, 500, 900],
  ['lines changed, p99', quantile(figures.lines, 0.99), 4_465, 3_000, 8_000],
  ['files, p50', quantile(figures.files, 0.5), 3, 2, 4],
  ['files, p90', quantile(figures.files, 0.9), 15, 10, 18],
  ['commits, p90', quantile(figures.commits, 0.9), 5, 4, 11],
  ['share with one commit', share(figures.commits, (each) => each === 1), 0.5, 0.4, 0.6],
  ['hours to first review, p25', quantile(figures.hoursToFirstReview, 0.25), 0.2, 0.05, 0.4],
  ['hours to first review, p50', quantile(figures.hoursToFirstReview, 0.5), 1.6, 0.6, 2.6],
  ['hours to first review, p75', quantile(figures.hoursToFirstReview, 0.75), 15, 8, 20],
  ['hours to first review, p90', quantile(figures.hoursToFirstReview, 0.9), 42, 24, 60],
  ['hours to merge, p25', quantile(figures.hoursToMerge, 0.25), 1.1, 0.6, 2],
  ['hours to merge, p50', quantile(figures.hoursToMerge, 0.5), 8, 5, 14],
  ['hours to merge, p75', quantile(figures.hoursToMerge, 0.75), 29, 20, 44],
  ['hours to merge, p90', quantile(figures.hoursToMerge, 0.9), 82, 60, 130],
  ['merged within 24 h', share(figures.hoursToMerge, (each) => each <= 24), 0.71, 0.62, 0.8],
  ['merged after 7 days', share(figures.hoursToMerge, (each) => each > 168), 0.05, 0.03, 0.09],
  ['hours from last approval to merge, p50', quantile(figures.hoursFromApprovalToMerge, 0.5), 0.8, 0.3, 1.3],
  ['hours from last approval to merge, p90', quantile(figures.hoursFromApprovalToMerge, 0.9), 26, 15, 35],
  [
    'rank correlation of size and hours to merge',
    rankCorrelation(figures.linesOfMerged, figures.hoursToMerge),
    0.42,
    0.3,
    0.5,
  ],
  ['merged without review', share(figures.reviewsPerMerged, (each) => each === 0), 0.01, 0.002, 0.03],
  ['reviews of a merged one, mean', mean(figures.reviewsPerMerged), 1.5, 1.3, 1.7],
  ['reviews: approved', states('APPROVED'), 0.75, 0.71, 0.8],
  ['reviews: commented', states('COMMENTED'), 0.22, 0.16, 0.25],
  ['reviews: changes requested', states('CHANGES_REQUESTED'), 0.02, 0.01, 0.03],
  ['reviews: dismissed', states('DISMISSED'), 0.01, 0.005, 0.02],
  [
    'first review approves',
    share(firsts, (review) => review.state === 'APPROVED' || review.state === 'DISMISSED'),
    0.85,
    0.72,
    0.9,
  ],
  ['reviews without an inline comment', share(figures.reviews, (review) => review.comments === 0), 0.72, 0.6, 0.76],
  ['inline comments of a review, mean', mean(figures.reviews.map((review) => review.comments)), 0.5, 0.4, 0.65],
  ['reviews after the end', share(figures.reviews, (review) => review.late), 0.01, 0.004, 0.02],
  ['own replies of a pull request', figures.ownReplies / people.length, 0.6, 0.4, 0.75],
  ['closed without merging, of the ended', share(ended, (each) => stateAt(each, NOW) === 'closed'), 0.16, 0.13, 0.19],
  [
    'open, of those of the last 13 weeks',
    share(
      figures.opened.filter((each) => each.createdAt > NOW - 13 * WEEK),
      (each) => stateAt(each, NOW) === 'open',
    ),
    0.05,
    0.03,
    0.08,
  ],
  ['open now', openAt(NOW), 45, 35, 60],
  ['open at a moment of the last year, fewest', Math.min(...moments), 35, 25, 50],
  ['open at a moment of the last year, most', Math.max(...moments), 60, 40, 70],
  [
    'draft at some time',
    share(people, (each) => each.openedAsDraft || each.entries.some((entry) => entry.kind === 'convert_to_draft')),
    0.14,
    0.11,
    0.17,
  ],
  ['reopened', share(people, (each) => each.entries.some((entry) => entry.kind === 'reopened')), 0.04, 0.02, 0.06],
  ['opened by bots and agents', share(figures.opened, (each) => isMachine(each.author)), 0.13, 0.08, 0.2],
  ['Gini of reviews', gini(reviewCounts), 0.45, 0.38, 0.52],
  ['Gini of pull requests by author', gini(authorCounts), 0.48, 0.4, 0.56],
  [
    'opened on Saturday or Sunday, local time',
    share(people, (each) => atHome(each.author, each.createdAt).weekday > 4),
    0.054,
    0.035,
    0.07,
  ],
  [
    'reviewed on Saturday or Sunday, local time',
    share(figures.reviews, (review) => atHome(review.by, review.at).weekday > 4),
    0.033,
    0.01,
    0.05,
  ],
  [
    'opened from 9 to 18 h, local time',
    share(people, (each) => isOfficeHour(atHome(each.author, each.createdAt).hour)),
    0.7,
    0.65,
    0.88,
  ],
];

function isOfficeHour(hour: number): boolean {
  return hour >= 9 && hour < 18;
}

describe('the demo’s figures resemble those of a real company team', () => {
  it.each(ROWS)('%s', (figure, measured, real, lowest, highest) => {
    const note = `${figure}: ${measured.toFixed(3)}, real ${real}, allowed ${lowest} to ${highest}`;

    expect(measured, note).toBeGreaterThanOrEqual(lowest);
    expect(measured, note).toBeLessThanOrEqual(highest);
  });

  it('opens fewer pull requests at the turn of the year than in an ordinary week', () => {
    const openedFrom = (at: number) =>
      people.filter((each) => each.createdAt >= at && each.createdAt < at + WEEK).length;

    const holidays = openedFrom(Date.UTC(2025, 11, 24));
    const ordinary = openedFrom(Date.UTC(2026, 1, 4));

    expect(holidays, `${holidays} at the turn of the year, ${ordinary} in February`).toBeLessThan(ordinary * 0.7);
  });

  it('keeps its figures with another seed and another beginning', () => {
    const other = figuresOf(demoWorld({ since: SINCE - 11 * DAY, now: NOW, seed: 20 }), NOW);

    expect(quantile(other.lines, 0.5)).toBeGreaterThan(50);
    expect(quantile(other.lines, 0.5)).toBeLessThan(75);
    expect(quantile(other.hoursToMerge, 0.5)).toBeGreaterThan(4);
    expect(quantile(other.hoursToMerge, 0.5)).toBeLessThan(16);
  });
});
