import { type Kysely, sql } from 'kysely';
import type { AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import {
  BEFORE_AFTER,
  ENOUGH_OF_A_SIZE,
  type HumanTimeFigure,
  humanTimeFigures,
  type OfSize,
  withinSizes,
} from '#domain/ai-reviewers.ts';
import { PEOPLE } from '#domain/reviewer-acts.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import type { Database } from '../db/database.ts';
import { byRepository } from '../db/repository-order.ts';
import { allOf, sizeOf } from '../metrics/conditions.ts';
import { type SeenReviewer, viewOf } from '../metrics/seen-reviewers.ts';
import { isAmong, ofFactsBelong } from '../metrics/sources/reviewer-acts.ts';
import { type Asked, type Sql, within } from '../metrics/sources/source.ts';
import type { AskedReviewers } from './reviewers-view.ts';

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
} satisfies Record<HumanTimeFigure, Sql>;

const medians = sql.join(
  humanTimeFigures.flatMap((figure) => [
    sql`percentile_cont(0.5) within group (order by ${values[figure]}) as ${sql.ref(figure)}`,
    sql`count(${values[figure]})::int as ${sql.ref(`${figure} n`)}`,
  ]),
);

type Row = Readonly<Record<string, number | null>> & { readonly n: number };

function medianIn(row: Row | undefined, figure: HumanTimeFigure): OfSize {
  return { value: row?.[figure] ?? null, n: row?.[`${figure} n`] ?? 0 };
}

const humanTimeIn = (row: Row | undefined): HumanTime =>
  Object.fromEntries(humanTimeFigures.map((figure) => [figure, medianIn(row, figure)])) as Record<
    HumanTimeFigure,
    OfSize
  >;

/**
 * Facts `it` of pull requests that ended in time and are not the reviewer's own, with what people did in them and, as `acts`, what it did.
 * Acts hold the same `ended_at`: theirs is asked for, too, so that not all of history is joined with.
 */
function endedFor(
  asked: Asked,
  { tool, accounts }: SeenReviewer,
  isInTime: (ended_at: Sql) => Sql,
): { readonly from: Sql; readonly where: Sql } {
  const acts = (alias: string, reviewer: string) => sql`
    left join reviewer_acts ${sql.ref(alias)} on ${sql.ref(`${alias}.repository_id`)} = it.repository_id
      and ${sql.ref(`${alias}.number`)} = it.number and ${sql.ref(`${alias}.reviewer`)} = ${reviewer}
      and ${asked.scope.filter(alias)} and ${isInTime(sql.ref(`${alias}.ended_at`))}`;
  return {
    from: sql`pull_request_facts it ${acts('acts', tool)} ${acts('people', PEOPLE)}`,
    where: allOf([
      asked.scope.filter('it'),
      isInTime(sql`it.ended_at`),
      isAmong('it', asked.reviewer!),
      sql`(it.author_id = any(${accounts.map(({ id }) => id)}::int[])) is not true and it.acts > 0`,
      ofFactsBelong(asked),
    ]),
  };
}

const size = sizeOf(sql`it.lines_changed`);
const cameFirst = sql`(acts.number is not null)`;
/** It did not review, or it acted before the first person did. */
const isOfGroups = sql`(acts.number is null or people.number is null or acts.first_act_at < people.first_act_at)`;

/** The time of people where it came before them, and where it did not review, over pull requests of the same sizes. */
export async function groupsOf(db: Kysely<Database>, reviewers: AskedReviewers, seen: SeenReviewer): Promise<Groups> {
  const asked = reviewers.of(viewOf(seen));
  const { from, where } = endedFor(asked, seen, (ended_at) => within(ended_at, asked.window));
  const { rows } = await sql<Row & { size: string; came_first: boolean }>`
    select ${size} as size, ${cameFirst} as came_first, count(*)::int as n, ${medians}
    from ${from} where ${where} and ${isOfGroups} group by 1, 2`.execute(db);
  const of = (size: string, came_first: boolean) =>
    rows.find((row) => row.size === size && row.came_first === came_first);
  const both = humanTimeFigures.map((figure) => {
    const bySize = sizeBuckets.map(
      (size) => [medianIn(of(size, true), figure), medianIn(of(size, false), figure)] as const,
    );
    return [figure, withinSizes(bySize)] as const;
  });
  const side = (at: 0 | 1) =>
    Object.fromEntries(both.map(([figure, sides]) => [figure, sides[at]])) as Record<HumanTimeFigure, OfSize>;
  const countOf = (came_first: boolean) =>
    rows.reduce((sum, row) => sum + (row.came_first === came_first ? row.n : 0), 0);
  return {
    reviewed_first: countOf(true),
    not_reviewed: countOf(false),
    within_sizes: { reviewed_first: side(0), not_reviewed: side(1) },
  };
}

/** Pull requests behind a comparison: rows of `repository_id number at value part`, and how many do not count, by why. */
export interface Things {
  readonly things: Sql;
  readonly leftOut: { readonly reason: string; readonly count: number }[];
}

/** What is behind one figure of the groups: `part` is `reviewed_first` or `not_reviewed`. */
export async function thingsOfGroups(
  db: Kysely<Database>,
  reviewers: AskedReviewers,
  seen: SeenReviewer,
  figure: HumanTimeFigure,
): Promise<Things> {
  const asked = reviewers.of(viewOf(seen));
  const { from, where } = endedFor(asked, seen, (ended_at) => within(ended_at, asked.window));
  const all = sql`
    select it.repository_id, it.number, it.ended_at as at, ${values[figure]} as value, ${size} as size, ${isOfGroups} as counts,
      case when ${cameFirst} then 'reviewed_first' else 'not_reviewed' end as part
    from ${from} where ${where}`;
  const isEnough = (part: string) =>
    sql`count(value) filter (where counts and part = ${part}) over (partition by size) >= ${ENOUGH_OF_A_SIZE}`;
  const told = sql`(
    select told.*, ${isEnough('reviewed_first')} and ${isEnough('not_reviewed')} as is_enough from (${all}) told) told`;
  const { rows } = await sql<{ late: number; valueless: number; few: number }>`
    select (count(*) filter (where not counts))::int as late, (count(*) filter (where counts and value is null))::int as valueless,
      (count(*) filter (where counts and value is not null and not is_enough))::int as few from ${told}`.execute(db);
  const { late, valueless, few } = rows[0]!;
  return {
    things: sql`select repository_id, number, at, value, part from ${told} where counts and value is not null and is_enough`,
    leftOut: [
      { reason: 'It reviewed after a person', count: late },
      { reason: withoutValue[figure], count: valueless },
      { reason: `Of sizes with fewer than ${ENOUGH_OF_A_SIZE} on one side`, count: few },
    ],
  };
}

const withoutValue: Readonly<Record<HumanTimeFigure, string>> = {
  time_to_first_review: 'Without a review by a person',
  reviews: 'Not known',
  human_findings: 'Not known',
  rounds: 'Not known',
  time_to_merge: 'Closed without merging',
};

interface Begun {
  readonly id: number;
  readonly repository: string;
  readonly first_act: Date;
}

/** Ended pull requests of others around its first act in some repositories, as `first.id`. */
function endedAround(asked: Asked, seen: SeenReviewer, repositories: readonly Begun[]) {
  const { from, where } = endedFor(
    asked,
    seen,
    (ended_at) => sql`${ended_at} >= first.act - ${days} and ${ended_at} < first.act + ${days}`,
  );
  return {
    from: sql`unnest(${repositories.map(({ id }) => id)}::int[], ${repositories.map(({ first_act }) => first_act)}::timestamptz[])
      first (id, act) cross join ${from}`,
    where: sql`it.repository_id = first.id and ${where}`,
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
  // Long enough ago for the days after it to be over, where all history was imported and reaches back over the days before it: until an
  // import is done, earlier acts and pull requests may be missing.
  const { rows: begun } = await sql<Begun>`
    select r.id, r.owner || '/' || r.name as repository, first.first_act_at as first_act
    from repositories r cross join lateral (
      select a.first_act_at from reviewer_acts a
      where a.repository_id = r.id and a.reviewer = ${seen.tool} order by a.first_act_at limit 1) first
    where ${scope.filter('r', 'id')}
      and r.history_completed_at is not null
      and first.first_act_at <= ${new Date(now.getTime() - BEFORE_AFTER.days * DAY)}
      and exists (select from pull_requests p
        where p.repository_id = r.id and p.created_at <= first.first_act_at - ${days})
    order by ${byRepository}`.execute(db);
  if (begun.length === 0) return { together: null, repositories: [] };
  const read = async (repositories: typeof begun, key: Sql) => {
    const { from, where } = endedAround(asked, seen, repositories);
    const { rows } = await sql<Row & { id: number; is_after: boolean }>`
      select ${key} as id, it.ended_at >= first.act as is_after, count(*)::int as n, ${medians}
      from ${from} where ${where} group by 1, 2`.execute(db);
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

/** What is behind one figure before and after it came, in those `repositories`: `part` is `after` or `before`. */
export async function thingsOfBeforeAfter(
  db: Kysely<Database>,
  reviewers: AskedReviewers,
  seen: SeenReviewer,
  figure: HumanTimeFigure,
  { repositories }: BeforeAfter,
): Promise<Things> {
  const asked = reviewers.of(viewOf(seen));
  const { scope } = asked;
  const { rows: all } = await sql<Begun>`
    select r.id, r.owner || '/' || r.name as repository, min(a.first_act_at) as first_act
    from repositories r join reviewer_acts a on a.repository_id = r.id and a.reviewer = ${seen.tool}
    where ${scope.filter('r', 'id')} group by r.id`.execute(db);
  const isEnough = ({ repository }: Begun) => repositories.some((one) => one.repository === repository);
  const countIn = async (of: readonly Begun[], condition: Sql) => {
    const { from, where } = endedAround(asked, seen, of);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${from} where ${where} and ${condition}`.execute(db);
    return rows[0]!.count;
  };
  const enough = all.filter(isEnough);
  const { from, where } = endedAround(asked, seen, enough);
  return {
    things: sql`
      select it.repository_id, it.number, it.ended_at as at, ${values[figure]} as value,
        case when it.ended_at >= first.act then 'after' else 'before' end as part
      from ${from} where ${where} and ${values[figure]} is not null`,
    leftOut: [
      { reason: withoutValue[figure], count: await countIn(enough, sql`${values[figure]} is null`) },
      {
        reason: 'In repositories where it is too early to say',
        count: await countIn(
          all.filter((one) => !isEnough(one)),
          sql`true`,
        ),
      },
    ],
  };
}

const days = sql`make_interval(hours => ${24 * BEFORE_AFTER.days}::int)`;
