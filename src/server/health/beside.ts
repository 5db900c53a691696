import { type Kysely, sql } from 'kysely';
import type { Health } from '#contract/health.ts';
import { areaThresholds, concentrationOf, ENOUGH_PEOPLE } from '#domain/concentration.ts';
import { REVERTED_WITHIN_DAYS } from '#domain/metrics/thresholds.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import type { Database } from '../db/database.ts';
import { sizeOf } from '../metrics/conditions.ts';
import { isKnown, signals } from '../metrics/signals.ts';
import { mergedForSignals } from '../metrics/sources/for-signals.ts';
import { areaOf, ended } from '../metrics/sources/pull-requests.ts';
import { reviews } from '../metrics/sources/reviews.ts';
import { belongs } from '../metrics/sources/source.ts';
import type { AskedHealth } from './view.ts';

const DAY = 24 * 3_600_000;
/** Of fewer lines a finding says nothing about their number. */
const LINES_FOR_DEPTH = 20;

type Sizes = Health['sizes'];

/** What pull requests of each size cost here, and those over and under the limit of big ones (docs/metrics.md#signals). */
export async function sizesOf(db: Kysely<Database>, { asked, settings }: AskedHealth): Promise<Sizes> {
  const { from, where } = mergedForSignals.rows(asked, 'each');
  const [under, over] = [`<=${settings.big}`, `>${settings.big}`];
  const decidedBefore = new Date(asked.now.getTime() - REVERTED_WITHIN_DAYS * DAY);
  const has = (key: 'stamped' | 'reverted') =>
    sql`case when ${signals[key].where!(asked)} then (${signals[key].value!(asked)})::int::float8 end`;
  const { rows } = await sql<Sizes[number]>`
    select coalesce(size, half) as size, count(*)::int as n,
      percentile_cont(0.5) within group (order by time_to_merge) as time_to_merge,
      100 * sum(human_findings) filter (where is_deep)::float8 / nullif(sum(lines_counted) filter (where is_deep), 0) as depth_per_100_lines,
      avg(stamped) as stamped, avg(reverted) filter (where ended_at <= ${decidedBefore}) as reverted
    from (
      select ${sizeOf(sql`it.lines_counted`)} as size,
        case when it.lines_counted > ${settings.big}::int then ${over}::text else ${under}::text end as half,
        it.ended_at, it.time_to_merge, it.human_findings, it.lines_counted,
        it.last_review_at is not null and it.lines_counted >= ${LINES_FOR_DEPTH}::int as is_deep,
        ${has('stamped')} as stamped, ${has('reverted')} as reverted
      from ${from} where ${where} and ${isKnown}
    ) told group by grouping sets ((size), (half))`.execute(db);
  const bySize = new Map(rows.map((row) => [row.size, row]));
  const none = { n: 0, time_to_merge: null, depth_per_100_lines: null, stamped: null, reverted: null };
  return [...sizeBuckets, under, over].map((size) => bySize.get(size) ?? { size, ...none });
}

type Areas = Health['areas'];

/** Who reviews which part of the code, the most reviewed first; `active` people there were (docs/metrics.md#concentration). */
export async function areasOf(db: Kysely<Database>, { asked }: AskedHealth, active: number): Promise<Areas> {
  const [given, merged] = [reviews.rows(asked, 'each'), ended.rows(asked, 'each')];
  const { atRisk, could, reviewed } = areaThresholds;
  // Where files lie is told once a pull request, and people are counted by what lies together before they are told apart. Who gave as many
  // reviews stands in one row: there are few of these.
  const { rows } = await sql<{
    area: string;
    reviews: number;
    people: number;
    mergers: number[] | null;
    alone: boolean;
  }>`
    with changed as materialized (
        select pull.*, array(
          select distinct ${areaOf(sql`file.path`)} from changed_files file
          where file.repository_id = pull.repository_id and file.number = pull.number) as areas
        from (
          select repository_id, number, max(reviewed_at) as latest, array_agg(author_id) filter (where reviewed_at is not null) as reviewers,
            max(author_id) filter (where reviewed_at is null) as merged_for
          from (
            select it.repository_id, it.number, it.author_id, it.submitted_at as reviewed_at
            from ${given.from} where ${given.where} and it.counts
            union all
            select it.repository_id, it.number, it.author_id, null from ${merged.from}
            where ${merged.where} and it.time_to_merge is not null and it.author_id is not null
          ) done group by 1, 2
        ) pull
      ),
      of_reviewed as materialized (
        select unnest(areas) as area, repository_id, number, latest from changed where latest is not null
      ),
      large as (select area from of_reviewed group by area having count(*) >= ${reviewed}),
      last as (
        select area, repository_id, number from (
          select area, repository_id, number, row_number() over (partition by area order by latest desc, repository_id, number) as place
          from of_reviewed join large using (area)
        ) placed where place <= ${atRisk.last}::int
      ),
      alone as materialized (
        select last.area, count(distinct it.author_id) = 1 as alone
        from last cross join lateral (
          select distinct it.author_id from reviews it
          where it.repository_id = last.repository_id and it.number = last.number and it.counts and ${belongs(reviews, asked)}) it
        group by last.area
      ),
      together as (
        select areas, author_id, sum(reviews) as reviews, sum(merges) as merges
        from (
          select areas, unnest(reviewers) as author_id, 1 as reviews, 0 as merges from changed
          union all
          select areas, merged_for, 0, 1 from changed where merged_for is not null
        ) each_one group by 1, 2
      ),
      people as (
        select area, author_id, sum(reviews)::int as reviews, sum(merges) as merges
        from (select unnest(areas) as area, author_id, reviews, merges from together) each_one group by 1, 2
      )
    select area, reviews, count(*)::int as people, array_agg(author_id) filter (where merges >= ${could.merged}) as mergers, alone.alone
    from people join alone using (area) group by area, reviews, alone.alone`.execute(db);
  const loginOf = await loginsOf(
    db,
    rows.flatMap(({ mergers }) => mergers ?? []),
  );
  return [...Map.groupBy(rows, ({ area }) => area)]
    .map(([area, alike]) => {
      const counts = alike.flatMap(({ reviews, people }) => (reviews > 0 ? Array<number>(people).fill(reviews) : []));
      const total = counts.reduce((sum, count) => sum + count, 0);
      const spread = concentrationOf(counts, active);
      const isHeld = (spread.top_share ?? 0) >= atRisk.share && total >= atRisk.reviews;
      const couldReview = alike.flatMap(({ reviews, mergers }) =>
        reviews < could.below * total ? (mergers ?? []) : [],
      );
      return {
        total,
        row: {
          area,
          ...spread,
          at_risk: active >= ENOUGH_PEOPLE && (isHeld || alike[0]!.alone),
          could: couldReview.flatMap((id) => loginOf.get(id) ?? []).sort(byText),
        },
      };
    })
    .sort((a, b) => b.total - a.total || byText(a.row.area, b.row.area))
    .map(({ row }) => row);
}

/** By lower-cased letters, equal ones as they are. */
function byText(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  return one === other ? (a < b ? -1 : 1) : one < other ? -1 : 1;
}

/** Those of them who are people, by login. */
async function loginsOf(db: Kysely<Database>, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; login: string }>`
    select id, login from people where id = any(${[...new Set(ids)]}::int[]) and kind = 'human'`.execute(db);
  return new Map(rows.map(({ id, login }) => [id, login]));
}
