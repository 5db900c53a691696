import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { getTrends, Trend, TrendFigure } from '#contract/trends.ts';
import { groupName } from '#domain/ai-authorship.ts';
import { isCompared, LIFT, reviewerCountOf } from '#domain/ai-reviewers.ts';
import { ENOUGH_PEOPLE } from '#domain/concentration.ts';
import { decidedAfterDays, type HealthSettings } from '#domain/signals.ts';
import { type Bucket, judge, judgedBuckets } from '#domain/trends.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { invalidValue } from '../http/errors.ts';
import { asking, fromTo } from '../metrics/asked.ts';
import { isCount, type LineMetric } from '../metrics/catalogue.ts';
import { PEOPLE_LINE } from '../metrics/dimensions.ts';
import {
  BRANCH,
  compileActive,
  compileActiveOn,
  compileLeftOut,
  compileLines,
  type LineKey,
  type Lines,
} from '../metrics/lines.ts';
import type { Scope } from '../metrics/scope.ts';
import { seenReviewers, viewOf } from '../metrics/seen-reviewers.ts';
import { healthViewOf } from '../metrics/signals.ts';
import type { PullInLine } from '../metrics/sources/activity.ts';
import type { Asked, ReviewerView, Sql } from '../metrics/sources/source.ts';
import { teamsApart } from '../metrics/team-people.ts';
import { eventsOf, type Viewer } from './events.ts';
import { figureOf, isOfReviewers, isOfShares, statisticOf } from './figures.ts';
import type { TrendWindow } from './window.ts';

type TrendQuery = QueryOf<typeof getTrends>;
/** What says which lines there are and what counts in them. */
export type LinesQuery = Omit<TrendQuery, 'figure'>;

/** So many lines are told apart, the rest among them where there is one. */
const MOST_LINES = 8;

const DAY = 24 * 3_600_000;

const dimensionOf: Readonly<Record<Exclude<TrendQuery['split'], 'team'>, LineKey | null>> = {
  none: null,
  repository: 'repository',
  authorship: 'authorship',
  tool: 'tool',
  size: 'size',
  base: 'base_branch',
  draft: 'draft',
  reviewer: 'ai_reviewer',
};

/**
 * Each figure over the buckets of the window, line by line, those with most things first and `others` last (docs/metrics.md#trends).
 * @throws HttpError 400 where a figure has no such aggregate or split
 */
export async function trends(
  db: Kysely<Database>,
  scope: Scope,
  query: TrendQuery,
  window: TrendWindow,
  user: Viewer & Pick<SignedIn, 'time_zone'>,
  now: Date,
): Promise<Trend[]> {
  const timeZone = user.time_zone;
  const figures = [...new Set(query.figure)];
  for (const figure of figures) demandChoices(figure, query);
  const split = await splitOf(db, scope, query);
  const told = async () => {
    const { settings } = await healthSettingsOf(db, user.host);
    const askedOf = await askedOver(db, scope, query, settings, user, now);
    return await Promise.all(
      figures.map(async (figure) => {
        const asked = askedOf(figure);
        const lines = await linesOf(db, linesAsked(figure, query, split), figure, query, window, asked, now, timeZone);
        return { figure, lines };
      }),
    );
  };
  const [names, events, all] = await Promise.all([
    query.split === 'repository' ? repositoryNames(db, scope) : namesOf(split),
    eventsOf(db, scope, user, window),
    told(),
  ]);
  return all.map(({ figure, lines }) => ({
    figure,
    unit: figureOf(figure).unit,
    clock: 'hours' as const,
    aggregate: query.aggregate,
    buckets: window.buckets.map(({ date }) => date),
    complete: window.buckets.map(({ complete }) => complete),
    lines: lines.map((line) => ({ ...line, name: nameOf(line.key, query.split, names) })),
    events,
  }));
}

/** @throws HttpError 400 where a figure has no such aggregate or split */
export function demandChoices(
  figure: TrendFigure,
  { aggregate, split }: Pick<TrendQuery, 'aggregate' | 'split'>,
): void {
  const { name, aggregates, splits } = figureOf(figure);
  if (!aggregates.includes(aggregate)) throw invalidValue('aggregate', `“${name}” has no ${aggregate}`);
  if (!splits.includes(split)) throw invalidValue('split', `“${name}” is not told apart by ${split}`);
}

/** The question over a time that begins and ends at these instants. */
export type AskedFor = (from: number, to: number) => Asked;

/** How each figure is asked for. */
export async function askedOver(
  db: Kysely<Database>,
  scope: Scope,
  query: LinesQuery,
  settings: HealthSettings,
  { host, time_zone }: Pick<SignedIn, 'host' | 'time_zone'>,
  now: Date,
): Promise<(figure: TrendFigure) => AskedFor> {
  const health = healthViewOf(settings, query);
  const each = query.split === 'reviewer' ? (await seenReviewers(db, scope, host)).map(viewOf) : null;
  return (figure) => {
    // The lift has people beside each reviewer, in no line of their own.
    const people = isOfReviewers(figure) && figure !== LIFT && isCompared(reviewerCountOf(figure));
    // Of all AI reviewers together unless they are told apart; what narrows pull requests is a filter of every figure.
    const of: ReviewerView['of'] = each === null ? 'agents' : { each, people };
    const reviewer = { of, authorKinds: null, sizes: null };
    return (from, to) =>
      asking(scope, now, time_zone, { window: fromTo(from, to >= now.getTime() ? null : to), health, reviewer });
  };
}

/** What tells the lines apart: of teams those that are asked for, or all that the user sees. */
export async function splitOf(
  db: Kysely<Database>,
  { user_id, team }: Scope,
  { split }: LinesQuery,
): Promise<Lines['split']> {
  if (split !== 'team') return dimensionOf[split];
  return { teams: await teamsApart(db, user_id, team?.ids ?? null, team?.as) };
}

/** The lines of a figure, or of one side of a difference. */
export type FigureLines = Lines<LineMetric>;

/** The lines of a figure, each value of the split one. */
export function linesAsked(
  figure: TrendFigure,
  { aggregate, authorship, size, labels }: LinesQuery,
  split: Lines['split'],
): FigureLines {
  return {
    metric: figure,
    statistic: statisticOf(figure, aggregate),
    split,
    shown: null,
    only: { ...(authorship && { authorship }), ...(size && { size }), ...(labels && { labels }) },
  };
}

/** Which of them are shown where there may be more than have a place, and how many are not; null where all are. */
export async function shownLines(
  db: Kysely<Database>,
  lines: FigureLines,
  split: TrendQuery['split'],
  window: TrendWindow,
  asked: AskedFor,
): Promise<{ readonly keys: string[]; readonly rest: number } | null> {
  const isFew = lines.split === null || hasFew(split, lines, asked(window.from, window.to));
  return isFew ? null : await mostOf(db, lines, window, asked);
}

/** Whether it may still come of what was merged before the end of a bucket. */
export function isUndecided(figure: TrendFigure, { to }: Pick<Bucket, 'to'>, now: Date): boolean {
  const days = decidedAfterDays[figure];
  return days !== undefined && to > now.getTime() - days * DAY;
}

async function linesOf(
  db: Kysely<Database>,
  lines: FigureLines,
  figure: TrendFigure,
  query: TrendQuery,
  window: TrendWindow,
  asked: AskedFor,
  now: Date,
  timeZone: string,
): Promise<Omit<Trend['lines'][number], 'name'>[]> {
  const shown = await shownLines(db, lines, query.split, window, asked);
  const told: FigureLines = { ...lines, shown: shown === null || shown.rest === 0 ? null : shown.keys };
  const judged = judgedBuckets(window.to, window.size, timeZone, now.getTime());
  // Those of the window that are whole are asked for once; what is left of the judged ones lies before them.
  const isWhole = new Set(window.buckets.flatMap(({ date, complete }) => (complete ? [date] : [])));
  const earlier = judged.filter(({ date }) => !isWhole.has(date));
  const [points, before, leftOut] = await Promise.all([
    pointsOf(db, told, window.buckets, asked),
    earlier.length === 0 ? new Map<string, Points>() : pointsOf(db, told, earlier, asked),
    leftOutOf(db, told, asked(window.from, window.to)),
  ]);
  const keys = lines.split === null ? ['all'] : shown === null ? byMost(points) : shown.keys;
  if (shown !== null && shown.rest > 0) keys.push('others');
  const nothing = { value: isCount(figure) ? 0 : null, n: 0 };
  const filled = (of: ReadonlyMap<string, Points>, key: string, buckets: readonly Bucket[]) =>
    buckets.map((bucket, at) => (isUndecided(figure, bucket, now) ? nothing : (of.get(key)?.get(at + 1) ?? nothing)));
  const undecidedOf = (key: string) =>
    window.buckets.reduce(
      (sum, bucket, at) => sum + (isUndecided(figure, bucket, now) ? (points.get(key)?.get(at + 1)?.n ?? 0) : 0),
      0,
    );
  return keys.map((key) => {
    const shownPoints = filled(points, key, window.buckets);
    const earlierPoints = filled(before, key, earlier);
    const byDate = new Map([
      ...earlier.map(({ date }, at) => [date, earlierPoints[at]!.value] as const),
      ...window.buckets.flatMap(({ date }, at) => (isWhole.has(date) ? [[date, shownPoints[at]!.value] as const] : [])),
    ]);
    return {
      key,
      points: shownPoints,
      left_out: { ...nothingLeftOut, ...leftOut.get(key), undecided: undecidedOf(key) },
      ...judge(
        judged.map(({ date }) => byDate.get(date) ?? null),
        isOfShares(figure),
      ),
    };
  });
}

/** Whether a split has no more values than there are lines. */
function hasFew(split: TrendQuery['split'], lines: FigureLines, { scope, reviewer }: Asked): boolean {
  return (
    (typeof reviewer?.of === 'object' && 'each' in reviewer.of && reviewer.of.each.length < MOST_LINES) ||
    (split === 'team' && namesOf(lines.split).size < MOST_LINES) ||
    split === 'size' ||
    split === 'authorship' ||
    split === 'draft' ||
    (split === 'repository' && scope.repository_ids.length <= MOST_LINES)
  );
}

/** The lines with most things first, then by their key. */
function byMost(points: ReadonlyMap<string, Points>): string[] {
  const sums = [...points].map(([key, of]) => ({ key, n: [...of.values()].reduce((sum, { n }) => sum + n, 0) }));
  return sums.sort((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1)).map(({ key }) => key);
}

/** Points by their bucket, 1 and up. */
export type Points = Map<number, { value: number | null; n: number }>;

/** The points of each line in which something counts. */
export async function pointsOf(
  db: Kysely<Database>,
  lines: FigureLines,
  buckets: readonly Bucket[],
  asked: AskedFor,
): Promise<Map<string, Points>> {
  const starts = buckets.map(({ from }) => new Date(from));
  const window = asked(buckets[0]!.from, buckets.at(-1)!.to);
  const { rows } = await sql<Point>`select * from ${compileLines(window, lines, starts)} points`.execute(db);
  const isFew = await tooFewActive(db, window, lines, starts, rows);
  const points = new Map<string, Points>();
  for (const { line, key, value, n } of rows) {
    const of: Points = points.get(line) ?? new Map();
    points.set(line, of.set(key, { value: isFew(line, key) ? null : value, n }));
  }
  return points;
}

interface Point {
  readonly line: string;
  readonly key: number;
  readonly value: number | null;
  readonly n: number;
  readonly people?: number;
  readonly repositories?: number[] | null;
  readonly numbers?: number[] | null;
}

/**
 * In which buckets of which lines too few people were active for it to be said who carries the reviews. Where half of the reviews takes
 * two people, or enough gave some, they were. Elsewhere is looked at what people did on the pull requests that were reviewed; only where
 * that is not enough at all that they did.
 */
async function tooFewActive(
  db: Kysely<Database>,
  asked: Asked,
  lines: FigureLines,
  starts: readonly Date[],
  points: readonly Point[],
): Promise<(line: string, key: number) => boolean> {
  let few = points.filter(({ value, people = ENOUGH_PEOPLE }) => value === 1 && people < ENOUGH_PEOPLE);
  const without = async (active: Sql) => {
    const { rows } = await sql<{ line: string; key: number }>`
      select line, key from ${active} active where people >= ${ENOUGH_PEOPLE}`.execute(db);
    const enough = new Set(rows.map(({ line, key }) => `${key} ${line}`));
    return few.filter(({ line, key }) => !enough.has(`${key} ${line}`));
  };
  if (few.length > 0) few = await without(compileActiveOn(asked, starts, few.flatMap(pullsOf)));
  if (few.length > 0) {
    const wanted = { lines: [...new Set(few.map(({ line }) => line))], keys: [...new Set(few.map(({ key }) => key))] };
    few = await without(compileActive(asked, lines, starts, wanted));
  }
  const left = new Set(few.map(({ line, key }) => `${key} ${line}`));
  return (line, key) => left.has(`${key} ${line}`);
}

function pullsOf({ line, key, repositories, numbers }: Point): PullInLine[] {
  return (numbers ?? []).map((number, at) => ({ line, key, repository_id: repositories![at]!, number }));
}

const nothingLeftOut: Trend['lines'][number]['left_out'] = { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 };

/** What is left out of each line, by why. */
async function leftOutOf(
  db: Kysely<Database>,
  lines: FigureLines,
  asked: Asked,
): Promise<Map<string, Partial<typeof nothingLeftOut>>> {
  const counted = compileLeftOut(asked, lines);
  if (counted === null) return new Map();
  const { rows } = await sql<{ line: string } & Partial<typeof nothingLeftOut>>`
    select * from ${counted} counted`.execute(db);
  return new Map(rows.map(({ line, ...counts }) => [line, counts]));
}

/** The lines with most things in the window, then by their key; and how many more there are. */
async function mostOf(
  db: Kysely<Database>,
  lines: FigureLines,
  { buckets }: TrendWindow,
  asked: AskedFor,
): Promise<{ keys: string[]; rest: number }> {
  const counted: FigureLines = { ...lines, statistic: 'n' };
  const starts = buckets.map(({ from }) => new Date(from));
  const { rows } = await sql<{ line: string; lines: number }>`
    select line, (count(*) over ())::int as lines from ${compileLines(asked(buckets[0]!.from, buckets.at(-1)!.to), counted, starts)} found
    group by line order by sum(n) desc, lower(line) collate "C", line collate "C" limit ${MOST_LINES}`.execute(db);
  const all = rows[0]?.lines ?? 0;
  const keys = rows.map(({ line }) => line);
  return all <= MOST_LINES ? { keys, rest: 0 } : { keys: keys.slice(0, -1), rest: all - MOST_LINES + 1 };
}

function nameOf(key: string, split: TrendQuery['split'], names: ReadonlyMap<string, string>): string {
  if (key === 'all' && split === 'none') return 'All';
  if (key === 'others') return 'Others';
  if (key === 'none' && split === 'tool') return groupName(key);
  if (key === PEOPLE_LINE && split === 'reviewer') return 'People';
  if (key === 'none' && split === 'team') return 'No team';
  if (split === 'draft') return key === 'true' ? 'Opened as a draft' : 'Opened ready for review';
  if (split === 'base' && key.startsWith(BRANCH)) return key.slice(BRANCH.length);
  return names.get(key) ?? key;
}

/** Of teams, by their ids as text. */
function namesOf(split: Lines['split']): Map<string, string> {
  const names = split === null || typeof split === 'string' ? [] : split.teams.names;
  return new Map([...names].map(([id, name]) => [String(id), name]));
}

async function repositoryNames(db: Kysely<Database>, scope: Scope): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, owner || '/' || name as name from repositories where ${scope.filter(null, 'id')}`.execute(db);
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}
