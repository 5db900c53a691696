import type { Trend, TrendFigureDescription } from '#contract/trends.ts';
import { ENOUGH_FINDINGS, isTrendOfFindings, LIFT, reviewerTrends } from '#domain/ai-reviewers.ts';
import { ENOUGH_PEOPLE } from '#domain/concentration.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { toolName } from '#domain/known-tools.ts';
import { shareWords } from '#domain/percent.ts';
import { decidedAfterDays } from '#domain/signals.ts';
import { ENOUGH_FOR_A_POINT, readingOf } from '#domain/trends.ts';
import { pointsWords } from '../../explain/format-value.ts';
import { formatCount, formatMean } from '../../time/moment.ts';
import { type Authorship, isSignal, leavesOutBranches, type TrendBucket, type TrendsSearch } from './search.ts';

const DAY = 24 * 3_600_000;

export const splitWords = {
  none: 'nothing',
  repository: 'repository',
  team: 'team',
  authorship: 'authorship',
  tool: 'AI tool',
  size: 'size',
  base: 'base branch',
  draft: 'draft at open',
  reviewer: 'AI reviewer',
} as const satisfies Record<TrendsSearch['split'], string>;
/** What the lines of a split are. */
export const lineWords = {
  none: 'Line',
  repository: 'Repository',
  team: 'Team',
  authorship: 'Written',
  tool: 'AI tool',
  size: 'Size',
  base: 'Base branch',
  draft: 'Opened',
  reviewer: 'Reviewer',
} as const satisfies Record<TrendsSearch['split'], string>;
export const aggregateWords = {
  value: '',
  mean: 'mean',
  p50: 'median',
  p75: '75th percentile',
  p90: '90th percentile',
} as const satisfies Record<Trend['aggregate'], string>;
export const spanWords = { 12: '12 weeks', 26: '26 weeks', 52: 'One year', 104: 'Two years' } as const;
export const bucketWords = { day: 'Day', week: 'Week', month: 'Month' } as const satisfies Record<TrendBucket, string>;
export const authorshipWords = {
  human: 'By people',
  assisted: 'With an AI tool',
  agent: 'By agents',
  bot: 'By bots',
  ghost: 'By deleted accounts',
} as const satisfies Record<Authorship, string>;

/** What lines by authorship are called. */
const authorWords = {
  human: 'People',
  assisted: 'People with an AI tool',
  agent: 'Agents',
  bot: 'Bots',
  ghost: 'Deleted accounts',
} as const satisfies Record<Authorship, string>;

/** "Time to first review, median per week, split by repository"; of several how many. */
export function subtitleOf(search: TrendsSearch, name: string, aggregate: Trend['aggregate']): string {
  const per = `per ${search.bucket}`;
  const split = search.split === 'none' ? '' : `, split by ${splitWords[search.split]}`;
  const { length } = search.figures;
  if (length > 1) return `${numerals[length]} figures on one time axis, ${per}${split}`;
  return `${[name, `${aggregateWords[aggregate]} ${per}`.trim()].join(', ')}${split}`;
}

const numerals = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];

/** Which pull requests count, in words. */
export function populationOf({ figures, authorship, allBases }: TrendsSearch): string {
  const by = authorship === undefined ? null : authorshipWords[authorship].toLowerCase().replace(' ai ', ' AI ');
  const ofSignals = `pull requests ${by ?? 'by people'}, ${allBases ? 'every base branch' : 'default branch'}`;
  const ofOthers = `pull requests ${by ?? 'by anyone'}, every base branch`;
  const signals = figures.filter(leavesOutBranches).length;
  const words = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  if (signals === 0 || ofSignals === ofOthers) return words(ofOthers);
  return signals === figures.length ? words(ofSignals) : `Review practice: ${ofSignals}; the rest: ${ofOthers}`;
}

/** What an n counts: over a column, one of them, and several. */
interface Noun {
  readonly head: string;
  readonly one: string;
  readonly many: string;
  /** What is listed of them, where that is something else. */
  readonly listed?: Noun;
}
const pullRequests: Noun = { head: 'PRs', one: 'pull request', many: 'pull requests' };
const reviews: Noun = { head: 'Reviews', one: 'review', many: 'reviews' };
const findings: Noun = { head: 'Findings', one: 'finding', many: 'findings', listed: pullRequests };
const nouns: Readonly<Record<string, Noun>> = {
  reviews,
  response_time: reviews,
  concentration: reviews,
  ...Object.fromEntries(reviewerTrends.filter(isTrendOfFindings).map((key) => [key, findings])),
};

export function nounOf({ figure }: Pick<Trend, 'figure'>): Noun {
  return nouns[figure] ?? pullRequests;
}

/** Counts of each pull request, of which the mean is told. */
const means: ReadonlySet<Trend['figure']> = new Set([
  'rounds',
  'review_depth',
  'review_cycles',
  'human_findings',
  'independent_reviews',
]);

export function valueText(trend: Pick<Trend, 'unit' | 'figure' | 'aggregate'>, value: number | null): string {
  const { figure, unit } = trend;
  if (value === null) return NOT_AVAILABLE;
  if (unit === 'hours') return formatDuration(value);
  if (unit === 'share') return shareWords(value);
  if (unit === 'points') return pointsWords(value);
  if (unit === 'lines') return formatCount(Math.round(value));
  return means.has(figure) || !Number.isInteger(value) ? formatMean(value) : formatCount(value);
}

export type Line = Trend['lines'][number];

/** Names of lines in the product's words. */
export function named(trend: Trend, split: TrendsSearch['split']): Trend {
  const word = ({ key, name }: Line) => {
    if (split === 'authorship') return authorWords[key as Authorship] ?? name;
    return (split === 'tool' || split === 'reviewer') && key === name ? toolName(key) : name;
  };
  // Repositories of one owner are told apart by their names.
  const owners = new Set(trend.lines.map(({ name }) => (name.includes('/') ? name.split('/')[0] : '')));
  owners.delete('');
  const isOneOwner = split === 'repository' && owners.size === 1;
  const short = (name: string) => (isOneOwner ? name.slice(name.indexOf('/') + 1) : name);
  return { ...trend, lines: trend.lines.map((line) => ({ ...line, name: short(word(line)) })) };
}

const isOfShares = (unit: Trend['unit']) => unit === 'share' || unit === 'points';

/** What the scale counts in, its unit, and a tick's words. */
export function scaleWords(trend: Trend): {
  readonly per: number;
  readonly unit: string;
  readonly tick: (value: number) => string;
} {
  const { unit, lines } = trend;
  const highest = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0)));
  if (isOfShares(unit))
    return {
      ...{ per: 0.1, unit: unit === 'share' ? '%' : 'points' },
      tick: (value) => formatCount(Math.round(100 * value)).replace('-', '−'),
    };
  if (unit === 'hours') {
    const [per, words] = highest < 1 ? [1 / 60, 'min'] : highest < 48 ? [1, 'h'] : [24, 'd'];
    return { per, unit: words, tick: (value) => formatCount(Math.round(value / per)) };
  }
  return { per: 1, unit: unit === 'lines' ? 'lines' : '', tick: formatCount };
}

/** A change as its size and direction; null where there is none to tell. */
export function changeOf(
  { unit }: Pick<Trend, 'unit'>,
  change: number | null,
): { words: string; direction: -1 | 0 | 1 } | null {
  if (change === null) return null;
  const rounded = Math.round(isOfShares(unit) ? 100 * change : change);
  const words = `${formatCount(Math.abs(rounded))}${isOfShares(unit) ? ' points' : '%'}`;
  return { words, direction: Math.sign(rounded) as -1 | 0 | 1 };
}

/**
 * The mean of up to four full points before the last full one: by those on screen, else worked back from the change; null where nothing tells.
 */
export function meanBefore(
  { unit, complete }: Pick<Trend, 'unit' | 'complete'>,
  { points, change }: Line,
): number | null {
  if (change === null) return null;
  const last = complete.lastIndexOf(true);
  const before = [1, 2, 3, 4].map((back) => last - back);
  if (before.every((at) => complete[at])) {
    const values = before.flatMap((at) => points[at]!.value ?? []);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }
  const value = points[last]?.value ?? null;
  if (value === null) return null;
  if (isOfShares(unit)) return value - change;
  return change === -100 ? null : value / (1 + change / 100);
}

/** What the last full value is beside its usual range: "Within its usual range", and whether it is outside. */
export function readingWords(
  { buckets, complete, figure }: Pick<Trend, 'buckets' | 'complete' | 'figure'>,
  { points, usual }: Line,
  bucket: TrendBucket,
  today: string,
) {
  const last = complete.lastIndexOf(true);
  const point = points[last];
  const value = point?.value ?? null;
  const few = (point?.n ?? 0) < ENOUGH_FOR_A_POINT;
  const text = (words: string, direction: -1 | 0 | 1 = 0) => ({ words, direction, few });
  const later = decidedAfterDays[figure];
  if (point && value === null && later !== undefined && daysSince(lastDayOf(buckets[last]!, bucket), today) <= later)
    return text(`Told ${later} days after the merge`);
  const reading = readingOf(point ?? null, usual);
  if (value === null || few || usual === null) return text(reading);
  return text(
    `${reading.charAt(0).toLowerCase()}${reading.slice(1)}`,
    value > usual.to ? 1 : value < usual.from ? -1 : 0,
  );
}

const at = (date: string) => new Date(`${date}T12:00:00Z`);
const daysSince = (date: string, today: string) => Math.round((at(today).getTime() - at(date).getTime()) / DAY);
const format = (date: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(date);

/** A day as words: "9 Nov", with its year where that is not this one. */
export function dayWords(date: string, today: string): string {
  const words = format(at(date), { day: 'numeric', month: 'short' });
  return date.slice(0, 4) === today.slice(0, 4) ? words : `${words} ${date.slice(0, 4)}`;
}

function lastDayOf(date: string, bucket: TrendBucket): string {
  const end = at(date);
  if (bucket === 'week') end.setTime(end.getTime() + 6 * DAY);
  if (bucket === 'month') end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return end.toISOString().slice(0, 10);
}

/** When a point begins, as it is called on the axis and in tables: "9 Nov", "Nov". */
export function startWords(date: string, bucket: TrendBucket, today: string): string {
  if (bucket !== 'month') return dayWords(date, today);
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return format(at(date), { month: 'short', ...(!isThisYear && { year: 'numeric' }) });
}

/** The days of a point: "9 to 15 Nov", "28 Sep to 4 Oct", "9 Nov", "November". */
export function rangeWords(date: string, bucket: TrendBucket, today: string): string {
  if (bucket === 'month') {
    const isThisYear = date.slice(0, 4) === today.slice(0, 4);
    return format(at(date), { month: 'long', ...(!isThisYear && { year: 'numeric' }) });
  }
  const last = lastDayOf(date, bucket);
  if (last === date) return dayWords(date, today);
  const isSameMonth = last.slice(0, 7) === date.slice(0, 7);
  return `${isSameMonth ? format(at(date), { day: 'numeric' }) : dayWords(date, today)} to ${dayWords(last, today)}`;
}

/** Whether the last point runs still; another that is not complete is cut by the window, also by chosen days that end before today does. */
export function isRunning(
  { buckets, complete }: Pick<Trend, 'buckets' | 'complete'>,
  { bucket, dates }: Pick<TrendsSearch, 'bucket' | 'dates'>,
  today: string,
): boolean {
  if (dates !== null && dates.to <= today) return false;
  const date = buckets.at(-1);
  return date !== undefined && complete.at(-1) === false && date <= today && today <= lastDayOf(date, bucket);
}

/** "this week, day 4". */
export function runningWords(date: string, bucket: TrendBucket, today: string): string {
  return bucket === 'day' ? 'today' : `this ${bucket}, day ${daysSince(date, today) + 1}`;
}

/** What a point that is not complete is: "running, day 4" or "in part". */
export function incompleteWords(
  trend: Pick<Trend, 'buckets' | 'complete'>,
  place: number,
  search: Pick<TrendsSearch, 'bucket' | 'dates'>,
  today: string,
): string {
  if (place < trend.buckets.length - 1 || !isRunning(trend, search, today)) return 'in part';
  const day = daysSince(trend.buckets[place]!, today) + 1;
  return search.bucket === 'day' ? 'running' : `running, day ${day}`;
}

type Described = Pick<TrendFigureDescription, 'key' | 'moment' | 'additive'> | undefined;

const AT_THE_END = 'end of each bucket';

/** To which things a figure is limited, where its moment does not name them: "nothing that was reviewed was merged". */
const limits: Readonly<Record<string, string>> = {
  rounds: ' that was reviewed',
  review_cycles: ' that was reviewed',
  response_time: ' with a response time',
  failing_at_last_push: ' with checks',
  review_depth: ' that was reviewed',
  ping_pong: ' that was reviewed',
  approved_then_pushed: ' with a standing approval',
  stale_approval: ' approved',
  long_open: ' but drafts',
  ci_wait: ' whose checks are known',
  merged_on_own_word: ' by an agent',
  independent_reviews: ' by an agent',
  ...Object.fromEntries(
    reviewerTrends
      .filter((key) => key !== 'ai_coverage')
      .map((key) => [key, isTrendOfFindings(key) ? ' with findings' : ' that was reviewed']),
  ),
};

/** What counts of a figure is, where that is less than what its moment says. */
const states: Readonly<Record<string, string>> = { stuck: 'stuck', tried: 'tried and thrown away' };

/** "nothing was merged", of what the figure is limited to. */
function noneWords(figure: Described, limit = (figure && limits[figure.key]) ?? ''): string {
  const moment = figure?.moment ?? 'counted';
  const state = figure && states[figure.key];
  return `nothing${limit} was ${state ?? (moment === AT_THE_END ? 'open' : moment)}`;
}

/** What lines leave out and why, except what may still come: "5 too small to be reviewed". */
function leftOutOf(lines: readonly Pick<Line, 'left_out'>[]): readonly string[] {
  const words = { trivial: 'too small to be reviewed', dismissed: 'marked “Not so”', unknown: 'not known' } as const;
  return (Object.keys(words) as (keyof typeof words)[]).flatMap((why) => {
    const count = lines.reduce((sum, { left_out }) => sum + left_out[why], 0);
    return count === 0 ? [] : `${formatCount(count)} ${words[why]}`;
  });
}

/** What is said where a window holds nothing, or nothing that is decided yet. */
export function nothingWords(
  figure: Described,
  lines: readonly Pick<Line, 'left_out'>[],
  { bucket, split }: Pick<TrendsSearch, 'bucket' | 'split'>,
): string {
  const later = figure && decidedAfterDays[figure.key];
  if (later !== undefined && lines.some(({ left_out }) => left_out.undecided > 0))
    return `It is told ${later} days after the merge.`;
  const leftOut = leftOutOf(lines);
  // Without a line nothing says what a signal leaves out.
  const isLeftOut = leftOut.length > 0 || (lines.length === 0 && figure !== undefined && isSignal(figure.key));
  const none = noneWords(figure, isLeftOut ? ' that counts' : undefined);
  const when = `${figure?.moment === AT_THE_END ? `at the end of a ${bucket} ` : ''}in this window`;
  // Without a line nothing says which of both.
  if (split === 'reviewer' && lines.length === 0) return `No AI reviewer was seen, or ${none} ${when}.`;
  return `N${none.slice(1)} ${when}.${leftOut.length === 0 ? '' : ` Left out: ${leftOut.join(', ')}.`}`;
}

/** What a gap in one of the lines means; null of counts, which are 0 over nothing. */
export function gapWords(figure: Described, lines: readonly Pick<Line, 'left_out'>[]): string | null {
  if (figure?.additive === true) return null;
  if (figure?.key === LIFT) return `A gap: fewer than ${ENOUGH_FINDINGS} findings by AI or by people.`;
  const reasons = [noneWords(figure)];
  const later = figure && decidedAfterDays[figure.key];
  if (later !== undefined) reasons.push(`less than ${later} days ago`);
  if (figure?.key === 'concentration') reasons.push(`fewer than ${ENOUGH_PEOPLE} people were active`);
  if (leftOutOf(lines).length > 0) reasons.push('all of it is left out');
  return `A gap: ${reasons.join(', or ')}.`;
}
