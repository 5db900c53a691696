import { type Kysely, sql } from 'kysely';
import type { AiAuthorship, getAiAuthorship } from '#contract/ai-authorship.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import type { explainMetric } from '#contract/explain.ts';
import type { AuthorshipFigure } from '#domain/ai-authorship.ts';
import { type GroupFigure, hasPercentiles } from '#domain/ai-within-sizes.ts';
import { creditRules } from '#domain/credit.ts';
import { percentiles } from '#domain/percentiles.ts';
import { decidedAfterDays } from '#domain/signals.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { bucketsOf } from '#domain/trends.ts';
import type { SignedIn } from '../context.ts';
import { authorshipOf } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { asking } from '../metrics/asked.ts';
import { type AskedWindow, movedBack } from '../metrics/asked-window.ts';
import { type AnyMetric, ownStatistic } from '../metrics/catalogue.ts';
import { compileLines, compileTable, type Lines, type TableColumns } from '../metrics/lines.ts';
import { withReviewed } from '../metrics/person-numbers.ts';
import { scopeOf, scopeOfSeveral } from '../metrics/scope.ts';
import { openedFacts } from '../metrics/sources/pull-requests.ts';
import type { Asked, Span, Sql } from '../metrics/sources/source.ts';
import { aiWindowAsked } from './window.ts';

type AuthorshipQuery = QueryOf<typeof getAiAuthorship>;
type Group = AiAuthorship['groups'][number];

/** The metric of each figure; the shares are counts over those of all groups. */
export const measuredBy: Readonly<Record<AuthorshipFigure, AnyMetric>> = {
  share_opened: 'opened',
  lines_changed: 'size',
  changed_files: 'changed_files',
  commits_by_agent: 'commits_by_agent',
  time_to_first_review: 'time_to_first_review',
  share_merged: 'merged',
  time_to_merge: 'time_to_merge',
  merged_unreviewed: 'merged_unreviewed',
  merged_on_own_word: 'merged_on_own_word',
  independent_reviews: 'independent_reviews',
  reverted: 'reverted',
  followed_up: 'followed_up',
  merge_rate: 'merge_rate',
  waiting_for_review_time: 'waiting_for_review_time',
  review_cycles: 'review_cycles',
  human_findings: 'human_findings',
  failing_at_last_push: 'failing_at_last_push',
  tried: 'tried',
};

/** Figures that are read at once: of one moment and window. */
const readTogether: readonly (readonly AuthorshipFigure[])[] = [
  ['share_opened', 'lines_changed', 'changed_files', 'commits_by_agent'],
  ['time_to_first_review'],
  [
    ...(['share_merged', 'time_to_merge', 'merged_on_own_word', 'independent_reviews', 'merge_rate'] as const),
    ...(['waiting_for_review_time', 'review_cycles', 'human_findings', 'failing_at_last_push', 'tried'] as const),
  ],
  ['merged_unreviewed'],
  ['reverted'],
  ['followed_up'],
];

/** What is asked of agents' pull requests and people's. */
export interface AskedAuthorship {
  readonly asked: Asked;
  readonly window: AskedWindow;
  /** Whose pull requests are told apart. */
  readonly authorship: readonly ('human' | 'assisted' | 'agent' | 'bot')[];
  readonly by: AuthorshipQuery['by'];
}

/**
 * Of whom and when.
 * @throws HttpError 400 for a window that makes no sense, 404 for a repository or team that is not theirs
 */
export async function authorshipAsked(
  db: Kysely<Database>,
  user: Pick<SignedIn, 'id' | 'host' | 'time_zone'>,
  query: Omit<AuthorshipQuery, 'period'> & { readonly period?: string | undefined },
  now: Date,
): Promise<AskedAuthorship> {
  const window = aiWindowAsked(query, now, user.time_zone);
  const scope = await withReviewed(
    db,
    query.repository === undefined
      ? await scopeOf(db, user.id, undefined, query)
      : await scopeOfSeveral(db, user.id, query.repository, query),
  );
  const { settings } = await healthSettingsOf(db, user.host);
  const authorship = ['human', 'assisted', 'agent', ...(query.bots === 'true' ? (['bot'] as const) : [])] as const;
  const health = { settings, authorship, allBases: true };
  return {
    asked: asking(scope, now, user.time_zone, { window: window.span, health }),
    window,
    authorship,
    by: query.by,
  };
}

/** A question for an explanation of one of these figures. */
export interface AskedToExplain {
  readonly user: SignedIn;
  readonly query: QueryOf<typeof explainMetric>;
  readonly now: Date;
}

/** The same of an explanation, which names one repository and one team. @throws HttpError as `authorshipAsked` */
export async function authorshipAskedToExplain(
  db: Kysely<Database>,
  { user, query: { repository, team, ...query }, now }: AskedToExplain,
): Promise<AskedAuthorship> {
  return await authorshipAsked(
    db,
    user,
    {
      ...query,
      repository: repository === undefined ? undefined : [repository],
      team: team === undefined ? undefined : [team],
    },
    now,
  );
}

/** How agents' pull requests fare beside people's (docs/metrics.md#agents-pull-requests-beside-peoples). */
export async function aiAuthorship(db: Kysely<Database>, question: AskedAuthorship): Promise<AiAuthorship> {
  const [numbers, totals, weeks, credits] = await Promise.all([
    numbersOf(db, question),
    totalsOf(db, question),
    weeksOf(db, question),
    creditsOf(db, question),
  ]);
  const keys = keysOf(question, numbers);
  const groupsOf = (size: string | null) =>
    keys.map((key) => groupOf(key, numbers.get(placed(key, size)) ?? {}, totals.get(size) ?? {}));
  return {
    groups: groupsOf(null),
    series: weeks.flatMap(({ week, ...counts }) =>
      keys.map((group) => ({
        ...{ week, group },
        opened: counts.opened.get(group) ?? 0,
        merged: counts.merged.get(group) ?? 0,
      })),
    ),
    within_sizes: sizeBuckets.map((size) => ({ size, groups: groupsOf(size) })),
    ...credits,
  };
}

/** When pull requests count for a figure: of signals that may come later so much earlier that they are known. */
export function spanOf(figure: AuthorshipFigure, question: AskedAuthorship): Span {
  return windowOf(figure, question).span;
}

const windowOf = (figure: AuthorshipFigure, { asked, window }: AskedAuthorship): AskedWindow =>
  movedBack(window, decidedAfterDays[measuredBy[figure]] ?? 0, asked.time_zone);

/** The window of a figure as an explanation tells it: that in which its pull requests were merged where that is another. */
export function windowTold(figure: AuthorshipFigure, question: AskedAuthorship): { from: string; to: string } {
  const { from, to } = windowOf(figure, question);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** What tells the groups apart, and which pull requests are in any. */
export function linesIn({ by, authorship }: Pick<AskedAuthorship, 'by' | 'authorship'>): Pick<Lines, 'split' | 'only'> {
  return { split: by === 'tool' ? 'tool' : 'authorship', only: { authorship } };
}

/** The group, by tool, of what has none. */
const NO_TOOL = 'none';

type Numbers = Readonly<Record<string, number | null>>;
type Row = { readonly line: string; readonly size: string | null } & Numbers;

const placed = (key: string, size: string | null) => `${size ?? 'all'} ${key}`;

/** All numbers by group and size, or those of some figures. */
async function numbersOf(
  db: Kysely<Database>,
  question: AskedAuthorship,
  wanted: readonly (readonly AuthorshipFigure[])[] = readTogether,
): Promise<Map<string, Numbers>> {
  const { asked } = question;
  const parts = await Promise.all(
    wanted.map(async (figures) => {
      const columns = Object.fromEntries(figures.flatMap(columnsOf));
      const window = spanOf(figures[0]!, question);
      const { rows } = await sql<Row>`
        select * from ${compileTable({ ...asked, window }, columns, linesIn(question))} told`.execute(db);
      return rows;
    }),
  );
  const all = new Map<string, Numbers>();
  for (const { line, size, ...numbers } of parts.flat())
    all.set(placed(line, size), { ...all.get(placed(line, size)), ...numbers } as Numbers);
  return all;
}

/** One figure by group and size; undefined of a group that has none of the size. */
export async function figureBySize(
  db: Kysely<Database>,
  question: AskedAuthorship,
  figure: AuthorshipFigure,
): Promise<(group: string, size: string) => GroupFigure | undefined> {
  const numbers = await numbersOf(db, question, [[figure]]);
  return (group, size) => {
    const its = numbers.get(placed(group, size));
    return its === undefined ? undefined : hasPercentiles(figure) ? spreadIn(its, figure) : valuedIn(its, figure);
  };
}

function columnsOf(figure: AuthorshipFigure): [string, TableColumns[string]][] {
  const metric = measuredBy[figure];
  const statistics = ['value', 'n', ...(hasPercentiles(figure) ? percentiles : [])] as const;
  return statistics.map((one) => [
    `${figure} ${one}`,
    { metric, statistic: one === 'value' ? ownStatistic(metric) : one },
  ]);
}

/** How many of all groups together were opened and merged, by size; by tool too each pull request once. */
async function totalsOf(db: Kysely<Database>, question: AskedAuthorship): Promise<Map<string | null, Numbers>> {
  const apart = linesIn({ ...question, by: 'group' });
  const totals = new Map<string | null, Record<string, number>>();
  for (const metric of ['opened', 'merged'] as const) {
    const columns = { [metric]: { metric, statistic: 'n' } } as const;
    const { rows } = await sql<Row>`select * from ${compileTable(question.asked, columns, apart)} told`.execute(db);
    for (const row of rows) {
      const of = totals.get(row.size) ?? {};
      totals.set(row.size, { ...of, [metric]: (of[metric] ?? 0) + row[metric]! });
    }
  }
  return totals;
}

/** The groups in their order: of tools those of what was opened, first reviewed or ended in the window. */
function keysOf({ by, authorship }: AskedAuthorship, numbers: ReadonlyMap<string, Numbers>): string[] {
  if (by === 'group') return [...authorship];
  const tools = [...numbers].flatMap(([place, row]) => {
    const [key, opened] = [place.slice('all '.length), row['share_opened n'] ?? 0];
    const counts = opened > 0 || (row['time_to_first_review n'] ?? 0) > 0 || (row['merge_rate n'] ?? 0) > 0;
    return place.startsWith('all ') && key !== NO_TOOL && counts ? [{ key, opened }] : [];
  });
  return [...tools.sort((a, b) => b.opened - a.opened || (a.key < b.key ? -1 : 1)).map(({ key }) => key), NO_TOOL];
}

function valuedIn(numbers: Numbers, figure: AuthorshipFigure) {
  return { value: numbers[`${figure} value`] ?? null, n: numbers[`${figure} n`] ?? 0 };
}

function spreadIn(numbers: Numbers, figure: AuthorshipFigure) {
  const number = (percentile: string) => numbers[`${figure} ${percentile}`] ?? null;
  return { ...valuedIn(numbers, figure), p50: number('p50'), p75: number('p75'), p90: number('p90') };
}

function groupOf(key: string, numbers: Numbers, totals: Numbers): Group {
  const count = (name: string) => numbers[name] ?? 0;
  const valued = (figure: AuthorshipFigure) => valuedIn(numbers, figure);
  const spread = (figure: AuthorshipFigure) => spreadIn(numbers, figure);
  const partOf = (part: number, n: number) => ({ value: n === 0 ? null : part / n, n });
  const [n_opened, n_merged] = [count('share_opened n'), count('share_merged n')];
  return {
    ...{ key, n_opened, n_merged, tried: count('tried n') },
    figures: {
      share_opened: partOf(n_opened, totals.opened ?? 0),
      lines_changed: spread('lines_changed'),
      changed_files: spread('changed_files'),
      commits_by_agent: valued('commits_by_agent'),
      time_to_first_review: spread('time_to_first_review'),
      share_merged: partOf(n_merged, totals.merged ?? 0),
      time_to_merge: spread('time_to_merge'),
      merged_unreviewed: valued('merged_unreviewed'),
      merged_on_own_word: valued('merged_on_own_word'),
      independent_reviews: valued('independent_reviews'),
      reverted: valued('reverted'),
      followed_up: valued('followed_up'),
      merge_rate: valued('merge_rate'),
      waiting_for_review_time: spread('waiting_for_review_time'),
      review_cycles: valued('review_cycles'),
      human_findings: valued('human_findings'),
      failing_at_last_push: valued('failing_at_last_push'),
    },
  };
}

interface Week {
  readonly week: string;
  readonly opened: ReadonlyMap<string, number>;
  readonly merged: ReadonlyMap<string, number>;
}

async function weeksOf(db: Kysely<Database>, question: AskedAuthorship): Promise<Week[]> {
  const { asked, window } = question;
  const weeks = bucketsOf(window, 'week', asked.time_zone, asked.now.getTime());
  const starts = weeks.map(({ from }) => new Date(from));
  const countsOf = async (metric: 'opened' | 'merged') => {
    const lines: Lines = { metric, statistic: 'n', shown: null, ...linesIn(question) };
    const { rows } = await sql<{ line: string; key: number; n: number }>`
      select line, key, n from ${compileLines(asked, lines, starts)} points`.execute(db);
    const byWeek = Map.groupBy(rows, ({ key }) => key);
    return weeks.map((_, at) => new Map((byWeek.get(at + 1) ?? []).map(({ line, n }) => [line, n])));
  };
  const [opened, merged] = await Promise.all([countsOf('opened'), countsOf('merged')]);
  return weeks.map(({ date }, at) => ({ week: date, opened: opened[at]!, merged: merged[at]! }));
}

/** Pull requests opened in the window, as `it`, with whether an agent opened them and whether it is known who started that one. */
export function openedWithCredit(asked: Asked): {
  readonly from: Sql;
  readonly where: Sql;
  readonly isOfAgent: Sql;
  readonly isCredited: Sql;
} {
  const kind = authorshipOf('it', sql`(select kind from people where id = it.author_id)`);
  return {
    ...openedFacts.rows(asked, 'each'),
    isOfAgent: sql`(${kind} = 'agent')`,
    isCredited: sql`(it.authorship = 'agent' and it.credited_id is not null) is true`,
  };
}

/** Of what agents and bots opened in the window: of whom it is known who started it, and which of the bots' have a trace. */
async function creditsOf(
  db: Kysely<Database>,
  { asked }: AskedAuthorship,
): Promise<Pick<AiAuthorship, 'bots_with_trace' | 'credited'>> {
  const { from, where, isOfAgent, isCredited } = openedWithCredit(asked);
  const byRule = (rule: string): Sql =>
    sql`(count(*) filter (where ${isCredited} and it.credit_by = ${rule}))::int as ${sql.ref(rule)}`;
  type Row = Record<(typeof creditRules)[number], number> & { n: number; of: number; traced: number };
  const { rows } = await sql<Row>`
    select (count(*) filter (where ${isCredited}))::int as n, (count(*) filter (where ${isOfAgent}))::int as of,
      (count(*) filter (where it.authorship = 'bot' and cardinality(it.agents) > 0))::int as traced,
      ${sql.join(creditRules.map(byRule))}
    from ${from} where ${where}`.execute(db);
  const { n, of, traced, ...by } = rows[0]!;
  return { bots_with_trace: traced, credited: { n, of, by } };
}
