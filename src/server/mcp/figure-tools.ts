import { z } from 'zod';
import { explanation } from '#contract/explain.ts';
import { health } from '#contract/health.ts';
import { trend, trendFigures } from '#contract/trends.ts';
import { comparedWith, count } from '#contract/values.ts';
import { dateIn } from '#domain/calendar-days.ts';
import { type ComparedWith, incomparable, isWhole, reasonWords } from '#domain/change.ts';
import { definitionOf } from '#domain/metrics/definitions.ts';
import { periodDays, periods } from '#domain/period.ts';
import { trendSplits } from '#domain/trend-splits.ts';
import { bucketSizes } from '#domain/trends.ts';
import { notFound } from '../http/errors.ts';
import {
  counted,
  figure,
  figureOf,
  inUnit,
  listed,
  listOf,
  nameOf,
  percentOf,
  repositoryArgument,
  teamArgument,
} from './shapes.ts';
import { STRANGERS, tool } from './tool.ts';

const DAY = 86_400_000;

/** A figure of a window beside the same of the window before. */
const withBefore = figure.extend({ before: z.number().nullable() });

const { from: before_from, history_begins, import_complete } = comparedWith.shape;
/** What says whether figures may be compared with those of the window before. */
const comparability = { before_from, history_begins, import_complete };
const comparabilityOf = ({ from, ...rest }: ComparedWith) => ({ before_from: from, ...rest });

/**
 * How a text tells of the 30 days before: `beside` is a value of them in brackets. Where they are no window to compare with, it is nothing,
 * and `instead` says why, at the end of the text.
 */
function daysBefore(compared: ComparedWith, timeZone: string) {
  const reason = isWhole(compared) ? null : incomparable(compared, { before: 0 });
  return {
    beside: (value: number | string, words = '') => (reason === null ? ` (${value}${words})` : ''),
    instead: reason === null ? [] : [`Against the 30 days before: ${reasonWords(reason, '', timeZone)}.`],
  };
}

const teamFigures = tool({
  name: 'team_figures',
  title: 'The team’s figures',
  description:
    'The figures of the last 30 days with the 30 days before: merged, opened, merge rate, times, reviews, contributors. Bots, agents and deleted accounts are not among contributors and reviews. Not for other windows or over time (trend), nor for people.',
  scope: 'read:figures',
  takes: z.strictObject({ repository: repositoryArgument, team: teamArgument }),
  answers: z.strictObject({
    merged: withBefore,
    opened: withBefore,
    merge_rate_percent: withBefore,
    time_to_merge_hours: withBefore,
    time_to_first_review_hours: withBefore,
    size_lines: withBefore,
    reviews: withBefore,
    contributors: withBefore,
    open_now: figure,
    ...comparability,
  }),
  async ask(calls, { repository, team }) {
    const query = { repository: await calls.repositoryId(repository), team };
    const now = await calls.call('getTeamStats', { query });
    const { previous: before, compared_with } = now;
    const beside = (value: number | null, n: number, key: string, was: number | null) => ({
      ...figureOf(value, n, `team.${key}`),
      before: was,
    });
    const answer = {
      merged: beside(now.merged_prs, now.merged_prs, 'merged_prs', before.merged_prs),
      opened: beside(now.total_prs, now.total_prs, 'total_prs', before.total_prs),
      merge_rate_percent: beside(
        percentOf(now.pr_merge_rate),
        now.ended_prs,
        'pr_merge_rate',
        percentOf(before.pr_merge_rate),
      ),
      time_to_merge_hours: beside(
        now.avg_time_to_merge_hours,
        now.merged_prs,
        'avg_time_to_merge_hours',
        before.avg_time_to_merge_hours,
      ),
      time_to_first_review_hours: beside(
        now.avg_review_time_hours,
        now.first_reviewed_prs,
        'avg_review_time_hours',
        before.avg_review_time_hours,
      ),
      size_lines: beside(now.avg_pr_size, now.total_prs, 'avg_pr_size', before.avg_pr_size),
      reviews: beside(now.total_reviews, now.total_reviews, 'total_reviews', before.total_reviews),
      contributors: beside(
        now.total_contributors,
        now.total_contributors,
        'total_contributors',
        before.total_contributors,
      ),
      open_now: figureOf(now.open_prs, now.open_prs, 'team.open_prs'),
      ...comparabilityOf(compared_with),
    };
    const { beside: was, instead } = daysBefore(compared_with, calls.time_zone);
    const text = [
      `Last 30 days: ${now.merged_prs} merged${was(before.merged_prs, ' in the 30 days before')}, ${now.total_prs} opened${was(before.total_prs)}, ${now.total_reviews} reviews${was(before.total_reviews)}.`,
      `Mean time to merge ${hoursOrNone(now.avg_time_to_merge_hours)}${was(hoursOrNone(before.avg_time_to_merge_hours))}, to first review ${hoursOrNone(now.avg_review_time_hours)}${was(hoursOrNone(before.avg_review_time_hours))}.`,
      `${counted(now.open_prs, 'pull request')} open now.`,
      ...instead,
    ].join('\n');
    return { text, answer };
  },
});

const hoursOrNone = (hours: number | null) => (hours === null ? 'unknown' : `${hours.toFixed(1)} h`);

const loadRow = z.strictObject({ reviews: count, merged: count, complex_reviews: count, outstanding_reviews: count });

const reviewLoad = tool({
  name: 'review_load',
  title: 'Review load',
  description:
    'How evenly the reviews of the last 7 days and what is outstanding now are spread: counts of each person, the largest first, without names, and the row of the owner of the token. Bots and agents are left out. Not to rank or to name people: this does neither.',
  scope: 'read:figures',
  takes: z.strictObject({ repository: repositoryArgument, team: teamArgument }),
  answers: z.strictObject({
    reviews: figure,
    outstanding_reviews: figure,
    people: listOf(loadRow),
    you: loadRow.nullable(),
  }),
  async ask(calls, { repository, team }) {
    const query = { repository: await calls.repositoryId(repository), team };
    const rows = await calls.call('listReviewLoad', { query });
    const person = (await calls.person()).toLowerCase();
    const people = rows
      .map(({ reviews_last_week, merged_last_week, complex_reviews, outstanding_reviews }) => ({
        ...{ reviews: reviews_last_week, merged: merged_last_week, complex_reviews, outstanding_reviews },
      }))
      .sort((a, b) => b.reviews - a.reviews || b.outstanding_reviews - a.outstanding_reviews || b.merged - a.merged);
    const own = rows.find(({ reviewer }) => reviewer.toLowerCase() === person);
    const sum = (of: keyof z.output<typeof loadRow>) => people.reduce((all, row) => all + row[of], 0);
    const reviewing = people.filter(({ reviews }) => reviews > 0).length;
    return {
      text: `${counted(sum('reviews'), 'review')} in 7 days by ${counted(reviewing, 'person', 'people')}; ${sum('outstanding_reviews')} outstanding now.${own === undefined ? '' : ` You: ${counted(own.reviews_last_week, 'review')}, ${own.outstanding_reviews} outstanding.`}`,
      answer: {
        reviews: figureOf(sum('reviews'), sum('reviews'), null),
        outstanding_reviews: figureOf(
          sum('outstanding_reviews'),
          sum('outstanding_reviews'),
          'team.outstanding_reviews',
        ),
        people: listed(people, 100),
        you:
          own === undefined
            ? null
            : {
                reviews: own.reviews_last_week,
                merged: own.merged_last_week,
                complex_reviews: own.complex_reviews,
                outstanding_reviews: own.outstanding_reviews,
              },
      },
    };
  },
});

const myFigures = tool({
  name: 'my_figures',
  title: 'My figures',
  description:
    'The figures of the owner of the token over the last 30 days: what they opened, merged and reviewed, and how long it took. Of nobody else: no tool tells other people’s figures.',
  scope: 'read:mine',
  takes: z.strictObject({ repository: repositoryArgument }),
  answers: z.strictObject({
    opened: withBefore,
    merged: withBefore,
    reviewed: withBefore,
    time_to_merge_hours: withBefore,
    open_now: figure,
    active_days: figure,
    size_lines: figure,
    merge_rate_percent: figure,
    review_cycles: figure,
    review_response_hours: figure,
    people_reviewed: figure,
    ...comparability,
  }),
  async ask(calls, { repository }) {
    const mine = await calls.call('getContributorMetrics', {
      params: { username: await calls.person() },
      query: { repository: await calls.repositoryId(repository) },
    });
    const { previous: before, compared_with } = mine;
    const one = (value: number | null, key: string, n: number | null = null) =>
      figureOf(value, n, `contributor.${key}`);
    const answer = {
      opened: {
        ...one(mine.total_prs_opened, 'total_prs_opened', mine.total_prs_opened),
        before: before.total_prs_opened,
      },
      merged: {
        ...one(mine.total_prs_merged, 'total_prs_merged', mine.total_prs_merged),
        before: before.total_prs_merged,
      },
      reviewed: {
        ...one(mine.total_prs_reviewed, 'total_prs_reviewed', mine.total_prs_reviewed),
        before: before.total_prs_reviewed,
      },
      time_to_merge_hours: {
        ...one(mine.avg_time_to_merge_hours, 'avg_time_to_merge_hours', mine.total_prs_merged),
        before: before.avg_time_to_merge_hours,
      },
      open_now: one(mine.current_open_prs, 'current_open_prs', mine.current_open_prs),
      active_days: one(mine.active_days, 'active_days'),
      size_lines: one(mine.avg_pr_size, 'avg_pr_size', mine.total_prs_opened),
      merge_rate_percent: one(percentOf(mine.pr_merge_rate), 'pr_merge_rate'),
      review_cycles: one(mine.avg_review_cycles, 'avg_review_cycles'),
      review_response_hours: one(mine.avg_review_response_time, 'avg_review_response_time'),
      people_reviewed: one(mine.unique_developers_reviewed, 'unique_developers_reviewed'),
      ...comparabilityOf(compared_with),
    };
    const { beside: was, instead } = daysBefore(compared_with, calls.time_zone);
    const text = [
      `Last 30 days: you opened ${mine.total_prs_opened}${was(before.total_prs_opened, ' in the 30 days before')}, merged ${mine.total_prs_merged}${was(before.total_prs_merged)} and reviewed ${mine.total_prs_reviewed}${was(before.total_prs_reviewed)}.`,
      ...instead,
    ].join('\n');
    return { text, answer };
  },
});

const explained = explanation.shape.items.element
  .pick({ title: true, state: true, author: true, at: true, value: true })
  .extend({ pull_request: z.string() })
  .strict();

const define = tool({
  name: 'define',
  title: 'What a figure means',
  description: `What a figure means, over how many things it is, what is left out, and the latest pull requests that went into it. Takes the key of list_figures; figures of one person are those of the owner of the token. A figure that is no one number over many pull requests is refused. Not for a trend: trend. ${STRANGERS}`,
  scope: 'read:figures',
  takes: z.strictObject({
    figure: z.string().min(1).max(100).describe('A `definition_key`, such as team.merged_prs.'),
  }),
  answers: z.strictObject({
    figure: z.string(),
    name: z.string(),
    definition: z.string(),
    unit: z.string(),
    value: z.number().nullable(),
    mean: z.number().nullable(),
    median: z.number().nullable(),
    n: count,
    window: explanation.shape.window.strict(),
    left_out: z.array(z.strictObject({ reason: z.string(), count })),
    pull_requests: listOf(explained),
  }),
  async ask(calls, given) {
    const isOfPerson = !/^(team|pull_request|my_work)\./.test(given.figure);
    const known = definitionOf(given.figure);
    if (known === null && given.figure !== 'my_work.turn') throw notFound('Unknown figure; list_figures has the keys.');
    const it = await calls.call('explainMetric', {
      params: { metric: given.figure },
      query: { limit: 20, ...(isOfPerson && { username: await calls.person() }) },
    });
    const { name, definition, unit, value, mean, median, n, window, left_out, total } = it;
    const items = it.items.map(({ title, state, author, at, value: contributed, ...of }) => ({
      pull_request: nameOf(of),
      ...{ title, state, author, at, value: contributed },
    }));
    return {
      text: `${name}: ${definition}\n${inUnit(value, unit)}${median === null ? '' : ` (median ${inUnit(median, unit)})`} over ${n}${spanOf(window, calls.time_zone)}.`,
      answer: {
        ...{ figure: it.metric, name, definition, unit, value, mean, median, n, window },
        left_out,
        pull_requests: listed(items, 20, total),
      },
    };
  },
});

const spanOf = ({ from, to }: { from: string | null; to: string }, timeZone: string) =>
  from === null ? '' : `, from ${dateIn(timeZone, Date.parse(from))} to ${dateIn(timeZone, Date.parse(to))}`;

/** Shares change in points, what else there is in percent. */
function changeInWords(change: number | null, unit: string): string {
  if (change === null) return '';
  const isOfShares = unit === 'share' || unit === 'points';
  const by = Math.abs(isOfShares ? change * 100 : change).toFixed(1);
  return `, ${by} ${isOfShares ? 'points' : '%'} ${change < 0 ? 'less' : 'more'} than the four before on average`;
}

const line = trend.shape.lines.element
  .pick({ name: true, change: true, usual: true })
  .extend({ points: z.array(z.strictObject({ value: z.number().nullable(), n: count })) })
  .strict();

const trendTool = tool({
  name: 'trend',
  title: 'A figure over time',
  description:
    'One figure over time, bucket by bucket, told apart by one dimension: value and n of each point, the usual range, and the change of the last full bucket: in percent; of shares and points in their own unit (0.05 is 5 points). Buckets are named by their first day; those that the window cuts and the running one have `complete` false. Values are in `unit`, shares 0 to 1, differences of shares (points) −1 to 1. Not for people: there is no line for a person. Names of lines may be written by strangers.',
  scope: 'read:figures',
  takes: z.strictObject({
    figure: z.enum(trendFigures).describe('A figure of list_figures that can be followed over time.'),
    window: z.enum(periods).default('90d'),
    bucket: z.enum(bucketSizes).default('week'),
    split: z.enum(trendSplits).default('none'),
  }),
  answers: z.strictObject({
    figure: z.enum(trendFigures),
    unit: trend.shape.unit,
    buckets: z.array(z.string()),
    complete: z.array(z.boolean()),
    lines: listOf(line),
  }),
  async ask(calls, { figure: key, window, bucket, split }) {
    const from = new Date(calls.now.getTime() - periodDays(window) * DAY).toISOString();
    const { items } = await calls.call('getTrends', { query: { figure: key, from, bucket, split } });
    const [found] = items;
    if (found === undefined) throw notFound('Unknown figure.');
    const lines = found.lines.map(({ name, change, usual, points }) => ({ name, change, usual, points }));
    const [only] = found.lines.length === 1 ? found.lines : [];
    const at = found.complete.lastIndexOf(true);
    const last = only?.points[at];
    return {
      text: `${counted(found.buckets.length, bucket === 'whole' ? 'bucket' : bucket)} in ${counted(lines.length, 'line')}.${last === undefined ? '' : ` The last full one, from ${found.buckets[at]}: ${inUnit(last.value, found.unit)} over ${last.n}${changeInWords(only?.change ?? null, found.unit)}.`}`,
      answer: {
        ...{ figure: found.figure, unit: found.unit, buckets: found.buckets, complete: found.complete },
        lines: listed(lines, 20),
      },
    };
  },
});

const signalRow = health.shape.signals.element
  .pick({ key: true, left_out: true, window: true, message: true })
  .extend({ name: z.string(), unit: z.enum(['percent', 'hours', 'lines', 'points', 'count']), figure: withBefore })
  .strict();
const sizeRow = health.shape.sizes.element
  .pick({ size: true, n: true, depth_per_100_lines: true })
  .extend({
    time_to_merge_hours: z.number().nullable(),
    stamped_percent: z.number().nullable(),
    reverted_percent: z.number().nullable(),
  })
  .strict();
const areaRow = health.shape.areas.element
  .pick({ area: true, reviewers: true, half: true, at_risk: true })
  .extend({ top_percent: z.number().nullable() })
  .strict();

const reviewHealth = tool({
  name: 'review_health',
  title: 'Signals of the review practice',
  description:
    'Signals of the review practice over a window (90 days unless said) with the window before, what sizes cost, and areas that few people review, without names. Each signal says its unit. What is too little to be reviewed is left out where that matters. Not for who reviews what: nobody is named. Areas are folder names written by strangers.',
  scope: 'read:figures',
  takes: z.strictObject({
    repository: repositoryArgument,
    team: teamArgument,
    window: z.enum(periods).default('90d'),
  }),
  answers: z.strictObject({
    window: health.shape.window.strict(),
    signals: z.array(signalRow),
    sizes: z.array(sizeRow),
    areas: listOf(areaRow),
  }),
  async ask(calls, { repository, team, window }) {
    const id = await calls.repositoryId(repository);
    const found = await calls.call('getHealth', {
      query: {
        period: window,
        ...(id !== undefined && { repository: String(id) }),
        ...(team !== undefined && { team: String(team) }),
      },
    });
    const areas = found.areas.map(({ area, reviewers, half, at_risk, top_share }) => ({
      ...{ area, reviewers, half, at_risk, top_percent: percentOf(top_share) },
    }));
    const figures = new Map((await calls.call('listFigures')).map((each) => [each.key as string, each]));
    const signals = found.signals.map(({ key, value, n, previous, left_out, window: of, message }) => {
      const { name, unit } = figures.get(key) ?? { name: key, unit: 'share' as const };
      const told = (one: number | null) => (unit === 'share' ? percentOf(one) : one);
      return {
        ...{ key, name, unit: unit === 'share' ? ('percent' as const) : unit, left_out, window: of },
        ...(message !== undefined && { message }),
        figure: { ...figureOf(told(value), n, null), before: told(previous) },
      };
    });
    const inWords = signals.map(
      ({ name, unit, figure: { value, before, n } }) =>
        `${name}: ${inUnit(value, unit)}${value === null ? '' : ` over ${n}`}${before === null ? '' : ` (${inUnit(before, unit)} in the window before)`}.`,
    );
    // Where too few were active, it is not computed, and no area is at risk.
    const isKnown = areas.length === 0 || areas.some(({ half }) => half !== null);
    const at_risk = counted(areas.filter((area) => area.at_risk).length, 'area');
    const risk = isKnown
      ? `${at_risk} at risk: one person gives nearly all reviews there, or gave the last ten.`
      : 'Areas at risk: not known, too few people were active.';
    return {
      text: [...inWords, risk].join('\n'),
      answer: {
        window: found.window,
        signals,
        sizes: found.sizes.map(({ size, n, depth_per_100_lines, time_to_merge, stamped, reverted }) => ({
          ...{ size, n, depth_per_100_lines, time_to_merge_hours: time_to_merge },
          stamped_percent: percentOf(stamped),
          reverted_percent: percentOf(reverted),
        })),
        areas: listed(areas, 50),
      },
    };
  },
});

export const figureTools = [teamFigures, reviewLoad, myFigures, define, trendTool, reviewHealth];
