import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AiReviewer } from '#contract/ai-reviewers.ts';
import { comparedFigures, liftOf, metricOf, type reviewerFigures } from '#domain/ai-reviewers.ts';
import { fates } from '#domain/reviewer-acts.ts';
import type { Database } from '../db/database.ts';
import { ownStatistic } from '../metrics/catalogue.ts';
import { type Column, compile, numbersOf } from '../metrics/compile.ts';
import { PEOPLE_LINE } from '../metrics/dimensions.ts';
import { compileLines, type Lines } from '../metrics/lines.ts';
import { type SeenReviewer, viewOf } from '../metrics/seen-reviewers.ts';
import { compileSeveralWays, type Way } from '../metrics/several-ways.ts';
import { type AskedReviewers, activeReviewers } from './reviewers-view.ts';

/** Numbers by the names of columns. */
export type Numbers = Readonly<Record<string, number | null>>;

type Compared = AiReviewer['control'];
type Figures = Omit<AiReviewer, 'reviewer' | 'avatar_url' | 'tools' | 'first_seen' | 'last_seen' | 'control' | 'lift'>;

/** The columns of these figures: each its own number, over how many, and what is told beside. */
function columnsOf(figures: readonly (typeof reviewerFigures)[number][]): Record<string, Column> {
  return Object.fromEntries(
    figures.flatMap((figure): [string, Column][] => {
      const metric = metricOf(figure);
      return [
        [figure, { metric, statistic: ownStatistic(metric) }],
        [`${figure} n`, { metric, statistic: 'n' }],
        ...(figure === 'findings_per_pr' ? [[`${figure} p50`, { metric, statistic: 'p50' }] as [string, Column]] : []),
        ...(figure === 'findings_per_pr' || figure === 'time_to_agent_review'
          ? [[`${figure} p90`, { metric, statistic: 'p90' }] as [string, Column]]
          : []),
      ];
    }),
  );
}

const ofFates = Object.fromEntries(fates.map((fate): [string, Column] => [fate, { metric: metricOf(fate) }]));

/** What is told of people and of AI reviewers alike. */
const comparedColumns: Readonly<Record<string, Column>> = { ...columnsOf(comparedFigures), ...ofFates };
/** What is told of pull requests that a reviewer reviewed and that ended; people have no `on_automation` and no thumbs. */
const foundColumns: Readonly<Record<string, Column>> = {
  ...comparedColumns,
  ...columnsOf(['on_automation']),
  thumbs_up: { metric: metricOf('thumbs_up') },
  thumbs_down: { metric: metricOf('thumbs_down') },
};
const coverageColumns = columnsOf(['coverage']);
/** What is told of those that became ready and that it reviewed. */
const firstActColumns = columnsOf(['time_to_agent_review', 'before_human']);
export const allColumns: Readonly<Record<string, Column>> = { ...coverageColumns, ...firstActColumns, ...foundColumns };

/** A figure with the number of things that it is over. */
export function told(numbers: Numbers | undefined, figure: string): { value: number | null; n: number } {
  return { value: numbers?.[figure] ?? null, n: numbers?.[`${figure} n`] ?? 0 };
}

function fatesIn(numbers: Numbers | undefined): Compared['fates'] {
  return Object.fromEntries(fates.map((fate) => [fate, numbers?.[fate] ?? 0])) as Compared['fates'];
}

function spreadIn(numbers: Numbers | undefined): Compared['findings_per_pr'] {
  const [p50, p90] = [numbers?.['findings_per_pr p50'] ?? null, numbers?.['findings_per_pr p90'] ?? null];
  return { ...told(numbers, 'findings_per_pr'), p50, p90 };
}

/** What is told alike, of numbers that may be missing where there are no things. */
export function comparedIn(numbers: Numbers | undefined): Compared {
  return {
    acted_on: told(numbers, 'acted_on'),
    noise: told(numbers, 'noise'),
    silent: told(numbers, 'silent'),
    talkative: told(numbers, 'talkative'),
    findings_per_pr: spreadIn(numbers),
    findings_per_100_lines: told(numbers, 'findings_per_100_lines'),
    fates: fatesIn(numbers),
  };
}

export function figuresIn(numbers: Numbers | undefined): Figures {
  return {
    coverage: told(numbers, 'coverage'),
    time_to_agent_review: {
      ...told(numbers, 'time_to_agent_review'),
      p90: numbers?.['time_to_agent_review p90'] ?? null,
    },
    before_human: told(numbers, 'before_human'),
    on_automation: told(numbers, 'on_automation'),
    ...comparedIn(numbers),
    thumbs: { up: numbers?.thumbs_up ?? 0, down: numbers?.thumbs_down ?? 0 },
    resolution: null,
  };
}

/**
 * What reviewers found in pull requests that ended in the window, by tool and `PEOPLE_LINE`, in several ways at once: numbers by the way, 0 for
 * all of them, and key (`compileSeveralWays`).
 */
export async function foundBy(
  db: Kysely<Database>,
  { of }: AskedReviewers,
  seen: readonly SeenReviewer[],
  ways: readonly Way[],
): Promise<Told> {
  const asked = of({ each: seen.map(viewOf), people: true });
  return await toldIn(db, compileSeveralWays(asked, foundColumns, 'ai_reviewer', ways));
}

/** The share that one reviewer acted on, in several ways at once, on the line `all`. */
export async function coverageOf(
  db: Kysely<Database>,
  { of }: AskedReviewers,
  seen: SeenReviewer,
  ways: readonly Way[],
): Promise<Told> {
  return await toldIn(db, compileSeveralWays(of(viewOf(seen)), coverageColumns, null, ways));
}

/** The numbers of a line, a way and its key; undefined where there is nothing. */
type Told = (line: string, way?: number, key?: string) => Numbers | undefined;

async function toldIn(db: Kysely<Database>, ways: RawBuilder<unknown>): Promise<Told> {
  const { rows } = await sql<Numbers & { line: string; way: number; key: string | null }>`
    select * from ${ways} ways`.execute(db);
  const name = (line: string, way: number, key: string | null) => `${line} ${way} ${key}`;
  const byName = new Map(rows.map(({ line, way, key, ...numbers }) => [name(line, way, key), numbers as Numbers]));
  return (line, way = 0, key) => byName.get(name(line, way, key ?? null));
}

/** When it acted first, over the window. */
export async function firstActsOf(db: Kysely<Database>, { of }: AskedReviewers, seen: SeenReviewer): Promise<Numbers> {
  return await numbersOf<Numbers>(db, of(viewOf(seen)), firstActColumns);
}

/** An AI reviewer with its figures, beside people (docs/metrics.md#ai-reviewers). */
export function besidePeople(seen: SeenReviewer, figures: Figures, control: Compared): AiReviewer {
  return {
    reviewer: seen.account.login,
    avatar_url: seen.account.avatar_url,
    tools: [seen.tool],
    first_seen: seen.first_seen.toISOString(),
    last_seen: seen.last_seen.toISOString(),
    ...figures,
    control,
    lift: liftOf(figures.acted_on, control.acted_on),
  };
}

/** Those that acted in the window, the one that reviews most first. */
export async function reviewersOver(
  db: Kysely<Database>,
  reviewers: AskedReviewers,
  seen: readonly SeenReviewer[],
): Promise<AiReviewer[]> {
  const active = await activeReviewers(db, reviewers, seen);
  if (active.length === 0) return [];
  const [found, others] = await Promise.all([
    foundBy(db, reviewers, active, []),
    firstActsAndCoverage(db, reviewers, active),
  ]);
  const control = comparedIn(found(PEOPLE_LINE));
  return active
    .map((one) => besidePeople(one, figuresIn({ ...others.get(one.tool), ...found(one.tool) }), control))
    .sort(
      (a, b) =>
        (b.coverage.value ?? -1) - (a.coverage.value ?? -1) ||
        (a.reviewer.toLowerCase() < b.reviewer.toLowerCase() ? -1 : 1),
    );
}

/** What is told of pull requests that became ready, by tool: all are read at once, so that what they are a share of is counted once. */
async function firstActsAndCoverage(
  db: Kysely<Database>,
  { of, window }: AskedReviewers,
  seen: readonly SeenReviewer[],
): Promise<ReadonlyMap<string, Numbers>> {
  const asked = of({ each: seen.map(viewOf), people: false });
  const coverage: Lines<'ai_coverage'> = {
    ...{ metric: metricOf('coverage'), statistic: 'value', split: 'ai_reviewer', shown: null, only: {} },
  };
  const [first, covered] = await Promise.all([
    sql<Numbers & { key: string }>`select * from ${compile(asked, firstActColumns, 'ai_reviewer')} numbers`.execute(db),
    sql<{ line: string; value: number; n: number }>`
      select line, value, n from ${compileLines(asked, coverage, [window.span.after])} lines`.execute(db),
  ]);
  const byTool = new Map<string, Numbers>(first.rows.map(({ key, ...numbers }) => [key, numbers]));
  for (const { line, value, n } of covered.rows)
    byTool.set(line, { ...byTool.get(line), coverage: value, 'coverage n': n });
  return byTool;
}
