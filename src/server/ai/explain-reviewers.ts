import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Explanation, explainMetric } from '#contract/explain.ts';
import {
  BEFORE_AFTER,
  comparedWords,
  type HumanTimeComparison,
  type HumanTimeFigure,
  humanTimeFigures,
  humanTimeSides,
  isCompared,
  isOfFindings,
  liftOf,
  liftWords,
  metricOf,
  type OfSize,
  type ReviewerCount,
  reviewerCounts,
  reviewerWords,
  THREADS_OF_PEOPLE,
} from '#domain/ai-reviewers.ts';
import { nameOfReviewer } from '#domain/known-tools.ts';
import { fates, PEOPLE } from '#domain/reviewer-acts.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { invalidValue, notFound } from '../http/errors.ts';
import { countedOf } from '../metrics/catalogue.ts';
import { numbersOf } from '../metrics/compile.ts';
import { pageOf } from '../metrics/explain.ts';
import { type ExplainedSides, explainSides } from '../metrics/explain-sides.ts';
import { compileLeftOutThings, compileThings, type Lines } from '../metrics/lines.ts';
import { type SeenReviewer, seenReviewers, viewOf } from '../metrics/seen-reviewers.ts';
import type { Asked } from '../metrics/sources/source.ts';
import { beforeAfterOf, groupsOf, type Things, thingsOfBeforeAfter, thingsOfGroups } from './human-time.ts';
import { allColumns, type Numbers, told } from './reviewers.ts';
import { type AskedReviewers, reviewersAsked } from './reviewers-view.ts';

type ExplainQuery = QueryOf<typeof explainMetric>;

interface AskedToExplain {
  readonly user: SignedIn;
  readonly query: ExplainQuery;
  readonly now: Date;
}

type Explainer = (db: Kysely<Database>, asked: AskedToExplain) => Promise<Explanation>;

/**
 * The figures of AI reviewers by the keys of their explanations; those that are told of people, too, are theirs without a reviewer. The time
 * of people is `ai.groups.…` and `ai.before_after.…`.
 */
export const reviewerExplanations: Readonly<Record<string, Explainer>> = Object.fromEntries([
  ...reviewerCounts.map((count): [string, Explainer] => [
    `ai.${count}`,
    async (db, asked) => await explain(db, count, asked),
  ]),
  ['ai.lift', explainLift],
  ...(Object.keys(humanTimeSides) as HumanTimeComparison[]).flatMap((comparison) =>
    humanTimeFigures.map((figure): [string, Explainer] => [
      `ai.${comparison}.${figure}`,
      async (db, asked) => await explainHumanTime(db, comparison, figure, asked),
    ]),
  ),
]);

/** @throws HttpError 400 for a window that makes no sense, or where a reviewer is missing, 404 for one that has not acted */
async function explain(
  db: Kysely<Database>,
  figure: ReviewerCount,
  { user, query, now }: AskedToExplain,
): Promise<Explanation> {
  const reviewers = await reviewersAsked(db, user, asLists(query), now);
  const seen = await seenIn(db, figure, reviewers, user, query.reviewer);
  const asked = reviewers.of(seen === null ? 'people' : viewOf(seen));
  const metric = metricOf(figure);
  const lines = linesOf(figure);
  const [numbers, { summary, items }] = await Promise.all([
    numbersOf<Numbers>(db, asked, { value: allColumns[figure]!, 'value n': { metric, statistic: 'n' } }),
    pageOf(db, compileThings(asked, lines, 'all'), 0.5, asked, query),
  ]);
  const { made } = countedOf(metric);
  const { name, definition, unit } = reviewerWords[figure];
  return {
    ...{ metric: `ai.${figure}`, name, unit },
    definition: seen === null && isOfThreads(figure) ? `${definition} ${THREADS_OF_PEOPLE}` : definition,
    part: seen?.account.login ?? null,
    window: {
      from: new Date(reviewers.window.from).toISOString(),
      to: new Date(reviewers.window.to).toISOString(),
    },
    ...told(numbers, 'value'),
    // Of findings nobody has what is counted.
    ...(made === 'sum' && { value: numbers.value ?? 0 }),
    mean: made === 'mean' ? summary.mean : null,
    median: made === 'mean' ? summary.median : null,
    left_out: await leftOutOf(db, figure, asked),
    items:
      isCompared(figure) || isOfFindings(`ai.${figure}`)
        ? await withFates(db, reviewers, seen?.tool ?? PEOPLE, items)
        : items,
    total: summary.n,
    hasMore: query.offset + items.length < summary.n,
  };
}

/** Whether it depends on what threads say, which of people are not read everywhere. */
function isOfThreads(figure: ReviewerCount): boolean {
  return figure === 'noise' || (fates.some((fate) => fate === figure) && figure !== 'changed');
}

function linesOf(figure: ReviewerCount): Lines {
  return { metric: metricOf(figure), statistic: 'value', split: null, shown: null, only: {} };
}

/** How many pull requests do not count, by why. */
async function leftOutOf(db: Kysely<Database>, figure: ReviewerCount, asked: Asked): Promise<Explanation['left_out']> {
  const { leftOut = [] } = countedOf(metricOf(figure));
  return await Promise.all(
    leftOut.map(async (things) => {
      const { rows } = await sql<{ count: number }>`
        select count from ${compileLeftOutThings(asked, linesOf(figure), 'all', things)} left_out`.execute(db);
      return { reason: things.reason, count: rows[0]!.count };
    }),
  );
}

/** How much more is acted on of its findings than of people's, with the pull requests of both. */
async function explainLift(db: Kysely<Database>, { user, query, now }: AskedToExplain): Promise<Explanation> {
  const reviewers = await reviewersAsked(db, user, asLists(query), now);
  const seen = await reviewerNamed(db, 'lift', reviewers, user, query.reviewer);
  const name = nameOfReviewer(seen.tool, seen.account.login);
  const both = [
    { part: 'reviewer', name, view: viewOf(seen) },
    { part: 'people', name: 'People', view: 'people' as const },
  ];
  const told = await Promise.all(
    both.map(async ({ view, part, ...side }) => {
      const asked = reviewers.of(view);
      const columns = { value: allColumns.acted_on!, 'value n': allColumns['acted_on n']! };
      const things = compileThings(asked, linesOf('acted_on'), 'all');
      return {
        side: { part, ...side, ...toldOf(await numbersOf<Numbers>(db, asked, columns)) },
        things: sql`select things.*, ${part}::text as part from (${things}) things`,
        leftOut: (await leftOutOf(db, 'acted_on', asked)).map(({ reason, count }) => ({
          reason: `${reason}: ${side.name}`,
          count,
        })),
      };
    }),
  );
  const [own, people] = told.map(({ side }) => side);
  const explanation = await explainDifference(db, reviewers, query, {
    words: liftWords,
    window: reviewers.window,
    sides: told.map(({ side }) => side),
    value: liftOf(own!, people!),
    things: sql.join(
      told.map(({ things }) => things),
      sql` union all `,
    ),
    leftOut: told.flatMap(({ leftOut }) => leftOut),
  });
  const withPart = async (part: string, reviewer: string) =>
    await withFates(
      db,
      reviewers,
      reviewer,
      explanation.items.filter((item) => item.part === part),
    );
  const byPart = { reviewer: await withPart('reviewer', seen.tool), people: await withPart('people', PEOPLE) };
  return {
    ...explanation,
    metric: 'ai.lift',
    part: query.part ?? seen.account.login,
    items: explanation.items.map(({ part }) => byPart[part as keyof typeof byPart].shift()!),
  };
}

const toldOf = (numbers: Numbers) => told(numbers, 'value');

/** One figure of the time of people beside a reviewer, compared. */
async function explainHumanTime(
  db: Kysely<Database>,
  comparison: HumanTimeComparison,
  figure: HumanTimeFigure,
  { user, query, now }: AskedToExplain,
): Promise<Explanation> {
  const reviewers = await reviewersAsked(db, user, asLists(query), now);
  const seen = await reviewerNamed(db, `${comparison}.${figure}`, reviewers, user, query.reviewer);
  const about = { words: comparedWords(comparison, figure), part: seen.account.login };
  const sidesOf = (values: Readonly<Record<string, { readonly [one in HumanTimeFigure]: OfSize }>> | null) =>
    Object.entries(humanTimeSides[comparison]).map(([part, name]) => ({
      ...{ part, name },
      ...(values?.[part]?.[figure] ?? { value: null, n: 0 }),
    }));
  const explanation = async (sides: ReturnType<typeof sidesOf>, window: Difference['window'], things: Things) => ({
    ...(await explainDifference(db, reviewers, query, {
      ...{ words: about.words, window, sides, ...things },
      value: differenceOf(sides[0]!.value, sides[1]!.value),
    })),
    metric: `ai.${comparison}.${figure}`,
    part: query.part ?? about.part,
  });
  if (comparison === 'groups') {
    const { within_sizes } = await groupsOf(db, reviewers, seen);
    const things = await thingsOfGroups(db, reviewers, seen, figure);
    return await explanation(sidesOf(within_sizes), reviewers.window, things);
  }
  const told = await beforeAfterOf(db, reviewers, seen);
  const firsts = told.repositories.map(({ first_act }) => Date.parse(first_act));
  const span = BEFORE_AFTER.days * 24 * 3_600_000;
  const window =
    firsts.length === 0
      ? { from: null, to: now.getTime() }
      : { from: Math.min(...firsts) - span, to: Math.max(...firsts) + span };
  return await explanation(
    sidesOf(told.together),
    window,
    await thingsOfBeforeAfter(db, reviewers, seen, figure, told),
  );
}

const differenceOf = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one - other;

interface Difference extends ExplainedSides {
  readonly words: { readonly name: string; readonly definition: string; readonly unit: string };
  readonly window: { readonly from: number | null; readonly to: number };
}

/** A difference over a window by its two sides. */
async function explainDifference(
  db: Kysely<Database>,
  { of }: AskedReviewers,
  query: ExplainQuery,
  { words, window, ...sides }: Difference,
): Promise<Omit<Explanation, 'metric' | 'part'>> {
  return {
    ...words,
    window: {
      from: window.from === null ? null : new Date(window.from).toISOString(),
      to: new Date(window.to).toISOString(),
    },
    ...(await explainSides(db, of('people'), query, sides)),
  };
}

/** The one that has to be named. */
async function reviewerNamed(
  db: Kysely<Database>,
  figure: string,
  { scope }: AskedReviewers,
  { host }: SignedIn,
  login: string | undefined,
): Promise<SeenReviewer> {
  if (login === undefined) throw invalidValue('reviewer', `is needed: ai.${figure} is a figure of one AI reviewer`);
  const [seen] = await seenReviewers(db, scope, host, login);
  if (seen === undefined) throw notFound(`No AI reviewer called ${login} has acted in your repositories.`);
  return seen;
}

/** As the calls about reviewers take them. */
function asLists({ repository, team, period, ...query }: ExplainQuery): Parameters<typeof reviewersAsked>[2] {
  const known = ['7d', '30d', '90d', '6mo', '1y'] as const;
  return {
    ...query,
    period: known.find((one) => one === period),
    repository: repository === undefined ? undefined : [repository],
    team: team === undefined ? undefined : [team],
  };
}

/** The reviewer that is asked about; null for people. */
async function seenIn(
  db: Kysely<Database>,
  figure: ReviewerCount,
  reviewers: AskedReviewers,
  user: SignedIn,
  login: string | undefined,
): Promise<SeenReviewer | null> {
  return login === undefined && isCompared(figure) ? null : await reviewerNamed(db, figure, reviewers, user, login);
}

/** What became of the findings of a reviewer on these pull requests. */
async function withFates(
  db: Kysely<Database>,
  { scope }: AskedReviewers,
  reviewer: string,
  items: Explanation['items'],
): Promise<Explanation['items']> {
  type Fates = NonNullable<Explanation['items'][number]['fates']>;
  const { rows } = await sql<Fates & { place: number }>`
    select (item.place - 1)::int as place, ${sql.join(fates.map((fate) => sql.ref(`a.${fate}`)))}
    from unnest(${items.map(({ repo_owner }) => repo_owner)}::text[], ${items.map(({ repo_name }) => repo_name)}::text[],
      ${items.map(({ pr_number }) => pr_number)}::int[]) with ordinality item (owner, name, number, place)
    join repositories r on ${scope.filter('r', 'id')} and r.owner = item.owner and r.name = item.name
    join reviewer_acts a on a.repository_id = r.id and a.number = item.number and a.reviewer = ${reviewer}`.execute(db);
  const byPlace = new Map(rows.map(({ place, ...of }) => [place, of]));
  return items.map((item, place) => ({ ...item, ...(byPlace.has(place) && { fates: byPlace.get(place)! }) }));
}
