import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Explanation, explainMetric } from '#contract/explain.ts';
import { isCompared, metricOf, type ReviewerFigure, reviewerFigures, reviewerWords } from '#domain/ai-reviewers.ts';
import { fates, PEOPLE } from '#domain/reviewer-acts.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { invalidValue, notFound } from '../http/errors.ts';
import { countedOf } from '../metrics/catalogue.ts';
import { numbersOf } from '../metrics/compile.ts';
import { pageOf } from '../metrics/explain.ts';
import { compileLeftOutThings, compileThings, type Lines } from '../metrics/lines.ts';
import { allColumns, type Numbers, told } from './reviewers.ts';
import { type AskedReviewers, reviewersAsked, type SeenReviewer, seenReviewers, viewOf } from './reviewers-view.ts';

type ExplainQuery = QueryOf<typeof explainMetric>;

interface AskedToExplain {
  readonly user: SignedIn;
  readonly query: ExplainQuery;
  readonly now: Date;
}

/** The figures of AI reviewers by the keys of their explanations; those that are told of people, too, are theirs without a reviewer. */
export const reviewerExplanations = Object.fromEntries(
  reviewerFigures.map((figure) => [
    `ai.${figure}`,
    async (db: Kysely<Database>, asked: AskedToExplain) => await explain(db, figure, asked),
  ]),
);

/** @throws HttpError 400 for a window that makes no sense, or where a reviewer is missing, 404 for one that has not acted */
async function explain(
  db: Kysely<Database>,
  figure: ReviewerFigure,
  { user, query, now }: AskedToExplain,
): Promise<Explanation> {
  const reviewers = await reviewersAsked(db, user, asLists(query), now);
  const seen = await seenIn(db, figure, reviewers, user, query.reviewer);
  const asked = reviewers.of(seen === null ? 'people' : viewOf(seen));
  const metric = metricOf(figure);
  const lines: Lines = { metric, statistic: 'value', split: null, shown: null, only: {} };
  const [numbers, { summary, items }] = await Promise.all([
    numbersOf<Numbers>(db, asked, { value: allColumns[figure]!, 'value n': allColumns[`${figure} n`]! }),
    pageOf(db, compileThings(asked, lines, 'all'), 0.5, asked, query),
  ]);
  const { made, leftOut = [] } = countedOf(metric);
  const { name, definition, unit } = reviewerWords[figure];
  return {
    ...{ metric: `ai.${figure}`, name, definition, unit },
    part: seen?.account.login ?? null,
    window: {
      from: new Date(reviewers.window.from).toISOString(),
      to: new Date(reviewers.window.to).toISOString(),
    },
    ...told(numbers, 'value'),
    mean: made === 'mean' ? summary.mean : null,
    median: made === 'mean' ? summary.median : null,
    left_out: await Promise.all(
      leftOut.map(async (things) => {
        const { rows } = await sql<{ count: number }>`
          select count from ${compileLeftOutThings(asked, lines, 'all', things)} left_out`.execute(db);
        return { reason: things.reason, count: rows[0]!.count };
      }),
    ),
    items: isCompared(figure) ? await withFates(db, reviewers, seen?.tool ?? PEOPLE, items) : items,
    total: summary.n,
    hasMore: query.offset + items.length < summary.n,
  };
}

/** As the calls about reviewers take them. */
function asLists({ repository, team, period, ...query }: ExplainQuery): Parameters<typeof reviewersAsked>[2] {
  const known = ['7d', '30d', '90d', '6mo', '1y'] as const;
  return {
    ...query,
    period: known.find((one) => one === period),
    repository: repository === undefined ? undefined : [String(repository)],
    team: team === undefined ? undefined : [team],
  };
}

/** The reviewer that is asked about; null for people. */
async function seenIn(
  db: Kysely<Database>,
  figure: ReviewerFigure,
  { scope }: AskedReviewers,
  { host }: SignedIn,
  login: string | undefined,
): Promise<SeenReviewer | null> {
  if (login === undefined) {
    if (!isCompared(figure)) throw invalidValue('reviewer', `is needed: ai.${figure} is a figure of one AI reviewer`);
    return null;
  }
  const [seen] = await seenReviewers(db, scope, host, login);
  if (seen === undefined) throw notFound(`No AI reviewer called ${login} has acted in your repositories.`);
  return seen;
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
