import { type Kysely, sql } from 'kysely';
import type { AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import { BEFORE_AFTER, type OfSize, withinSizes } from '#domain/ai-reviewers.ts';
import { PEOPLE } from '#domain/reviewer-acts.ts';
import { sizeBuckets } from '#domain/size-distribution.ts';
import type { Database } from '../db/database.ts';
import { allOf, sizeOf } from '../metrics/conditions.ts';
import { type Asked, isAmong, ofFactsBelong, type Sql, within } from '../metrics/sources.ts';
import type { AskedReviewers, SeenReviewer } from './reviewers-view.ts';
import { viewOf } from './reviewers-view.ts';

type HumanTime = AiReviewerInDepth['groups']['within_sizes']['reviewed_first'];
type Groups = AiReviewerInDepth['groups'];
type BeforeAfter = AiReviewerInDepth['before_after'];

const DAY = 24 * 3_600_000;

/** What is told of the time of people, of facts `it` and what people did in it, `people`. */
const values = {
  time_to_first_review: sql`it.time_to_first_review`,
  reviews: sql`coalesce(people.reviews, 0)::float8`,
  human_findings: sql`coalesce(people.findings, 0)::float8`,
  rounds: sql`it.review_cycles::float8`,
  time_to_merge: sql`it.time_to_merge`,
} satisfies Record<keyof HumanTime, Sql>;
const figures = Object.keys(values) as (keyof HumanTime)[];

const medians = sql.join(
  figures.flatMap((figure) => [
    sql`percentile_cont(0.5) within group (order by ${values[figure]}) as ${sql.ref(figure)}`,
    sql`count(${values[figure]})::int as ${sql.ref(`${figure} n`)}`,
  ]),
);

type Row = Readonly<Record<string, number | null>> & { readonly n: number };

function medianIn(row: Row | undefined, figure: keyof HumanTime): OfSize {
  return { value: row?.[figure] ?? null, n: row?.[`${figure} n`] ?? 0 };
}

const humanTimeIn = (row: Row | undefined): HumanTime =>
  Object.fromEntries(figures.map((figure) => [figure, medianIn(row, figure)])) as Record<keyof HumanTime, OfSize>;

/** Facts `it` of ended pull requests that are not the reviewer's own, with what people did in them and, as `acts`, what it did. */
function endedFor(
  asked: Asked,
  { tool, accounts }: SeenReviewer,
  ended: Sql,
): { readonly from: Sql; readonly where: Sql } {
  const acts = (alias: string, reviewer: string) => sql`
    left join reviewer_acts ${sql.ref(alias)} on ${sql.ref(`${alias}.repository_id`)} = it.repository_id
      and ${sql.ref(`${alias}.number`)} = it.number and ${sql.ref(`${alias}.reviewer`)} = ${reviewer}`;
  return {
    from: sql`pull_request_facts it ${acts('acts', tool)} ${acts('people', PEOPLE)}`,
    where: allOf([
      asked.scope.filter('it'),
      ended,
      isAmong('it', asked.reviewer!),
      sql`(it.author_id = any(${accounts.map(({ id }) => id)}::int[])) is not true and it.acts > 0`,
      ofFactsBelong(asked),
    ]),
  };
}

/** The time of people where it came before them, and where it did not review, over pull requests of the same sizes. */
export async function groupsOf(db: Kysely<Database>, reviewers: AskedReviewers, seen: SeenReviewer): Promise<Groups> {
  const asked = reviewers.of(viewOf(seen));
  const { from, where } = endedFor(asked, seen, within(sql`it.ended_at`, asked.window));
  const { rows } = await sql<Row & { size: string; came_first: boolean }>`
    select ${sizeOf(sql`it.lines_changed`)} as size, acts.number is not null as came_first, count(*)::int as n, ${medians}
    from ${from}
    where ${where} and (acts.number is null or people.number is null or acts.first_act_at < people.first_act_at)
    group by 1, 2`.execute(db);
  const of = (size: string, came_first: boolean) =>
    rows.find((row) => row.size === size && row.came_first === came_first);
  const both = figures.map((figure) => {
    const bySize = sizeBuckets.map(
      (size) => [medianIn(of(size, true), figure), medianIn(of(size, false), figure)] as const,
    );
    return [figure, withinSizes(bySize)] as const;
  });
  const side = (at: 0 | 1) =>
    Object.fromEntries(both.map(([figure, sides]) => [figure, sides[at]])) as Record<keyof HumanTime, OfSize>;
  const countOf = (came_first: boolean) =>
    rows.reduce((sum, row) => sum + (row.came_first === came_first ? row.n : 0), 0);
  return {
    reviewed_first: countOf(true),
    not_reviewed: countOf(false),
    within_sizes: { reviewed_first: side(0), not_reviewed: side(1) },
  };
}

/** The time of people in the days before its first act in each repository, and in those from it on. */
export async function beforeAfterOf(
  db: Kysely<Database>,
  reviewers: AskedReviewers,
  seen: SeenReviewer,
): Promise<BeforeAfter> {
  const asked = reviewers.of(viewOf(seen));
  const { now, scope } = asked;
  // Long enough ago for the days after it to be over, where what is stored reaches back over the days before it.
  const { rows: begun } = await sql<{ id: number; repository: string; first_act: Date }>`
    select r.id, r.owner || '/' || r.name as repository, first.first_act_at as first_act
    from repositories r cross join lateral (
      select a.first_act_at from reviewer_acts a
      where a.repository_id = r.id and a.reviewer = ${seen.tool} order by a.first_act_at limit 1) first
    where ${scope.filter('r', 'id')}
      and first.first_act_at <= ${new Date(now.getTime() - BEFORE_AFTER.days * DAY)}
      and exists (select from pull_requests p
        where p.repository_id = r.id and p.created_at <= first.first_act_at - ${days})
    order by lower(r.owner), lower(r.name)`.execute(db);
  if (begun.length === 0) return { together: null, repositories: [] };
  const read = async (repositories: typeof begun, key: Sql) => {
    const around = sql`it.ended_at >= first.act - ${days} and it.ended_at < first.act + ${days}`;
    const { from, where } = endedFor(asked, seen, around);
    const { rows } = await sql<Row & { id: number; is_after: boolean }>`
      select ${key} as id, it.ended_at >= first.act as is_after, count(*)::int as n, ${medians}
      from unnest(${repositories.map(({ id }) => id)}::int[], ${repositories.map(({ first_act }) => first_act)}::timestamptz[])
        first (id, act)
      join ${from} on true
      where it.repository_id = first.id and ${where} group by 1, 2`.execute(db);
    return (id: number, is_after: boolean) => rows.find((row) => row.id === id && row.is_after === is_after);
  };
  const of = await read(begun, sql`first.id`);
  const enough = begun.filter(({ id }) =>
    [false, true].every((is_after) => (of(id, is_after)?.n ?? 0) >= BEFORE_AFTER.pullRequests),
  );
  if (enough.length === 0) return { together: null, repositories: [] };
  const all = await read(enough, sql`0`);
  const sideOf = (row: Row | undefined) => ({ n: row?.n ?? 0, ...humanTimeIn(row) });
  return {
    together: { before: humanTimeIn(all(0, false)), after: humanTimeIn(all(0, true)) },
    repositories: enough.map(({ id, repository, first_act }) => ({
      repository,
      first_act: first_act.toISOString(),
      before: sideOf(of(id, false)),
      after: sideOf(of(id, true)),
    })),
  };
}

const days = sql`make_interval(hours => ${24 * BEFORE_AFTER.days}::int)`;
