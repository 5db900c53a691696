import { type Kysely, sql } from 'kysely';
import type { Health } from '#contract/health.ts';
import { areaThresholds, concentrationOf, ENOUGH_PEOPLE } from '#domain/concentration.ts';
import { mostLines, sizeBuckets } from '#domain/size-distribution.ts';
import type { Database } from '../db/database.ts';
import { isToldOf, REVERTED_WITHIN_DAYS, signals } from '../metrics/signals.ts';
import { type Asked, areaOf, ended, reviews } from '../metrics/sources.ts';
import { activePeople } from './active-people.ts';
import type { AskedHealth } from './view.ts';

const DAY = 24 * 3_600_000;
/** Of fewer lines a finding says nothing about their number. */
const LINES_FOR_DEPTH = 20;

type Sizes = Health['sizes'];

/** What pull requests of each size cost here, and those over and under the limit of big ones (docs/metrics.md#signals). */
export async function sizesOf(db: Kysely<Database>, { asked, settings }: AskedHealth): Promise<Sizes> {
  const { from, where } = ended.rows(asked, 'each');
  const least = sizeBuckets.slice(0, -1).map((size) => mostLines[size] + 1);
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
      select (${sizeBuckets}::text[])[1 + width_bucket(it.lines_counted, ${least}::int[])] as size,
        case when it.lines_counted > ${settings.big}::int then ${over}::text else ${under}::text end as half,
        it.ended_at, it.time_to_merge, it.human_findings, it.lines_counted,
        it.last_review_at is not null and it.lines_counted >= ${LINES_FOR_DEPTH}::int as is_deep,
        ${has('stamped')} as stamped, ${has('reverted')} as reverted
      from ${from} where ${where} and ${isToldOf(asked)}
    ) told group by grouping sets ((size), (half))`.execute(db);
  const bySize = new Map(rows.map((row) => [row.size, row]));
  const none = { n: 0, time_to_merge: null, depth_per_100_lines: null, stamped: null, reverted: null };
  return [...sizeBuckets, under, over].map((size) => bySize.get(size) ?? { size, ...none });
}

type Areas = Health['areas'];

/** Who reviews which part of the code, the most reviewed first (docs/metrics.md#concentration). */
export async function areasOf(db: Kysely<Database>, { asked }: AskedHealth): Promise<Areas> {
  const given = givenIn(asked);
  const { rows } = await sql<{ area: string; person_id: number; things: number; alone: boolean }>`
    with given as materialized (${given}),
      large as (select area from given group by area having count(distinct (repository_id, number)) >= ${areaThresholds.reviewed}),
      last as (
        select area, repository_id, number from (
          select area, repository_id, number,
            row_number() over (partition by area order by max(submitted_at) desc, repository_id, number) as place
          from given join large using (area) group by area, repository_id, number
        ) placed where place <= ${areaThresholds.atRisk.last}::int
      ),
      alone as (
        select last.area, count(distinct it.author_id) = 1 as alone
        from last join reviews it on it.repository_id = last.repository_id and it.number = last.number and it.counts
        group by last.area
      )
    select given.area, given.author_id as person_id, count(*)::int as things, alone.alone
    from given join alone using (area) group by given.area, given.author_id, alone.alone`.execute(db);
  const [active = 0] = await activePeople(db, asked, null);
  const could = await couldReview(db, asked, [...new Set(rows.map(({ area }) => area))]);
  return [...Map.groupBy(rows, ({ area }) => area)]
    .map(([area, people]) => {
      const counts = people.map(({ things }) => things);
      const total = counts.reduce((sum, things) => sum + things, 0);
      const spread = concentrationOf(counts, active);
      const isHeld = (spread.top_share ?? 0) >= areaThresholds.atRisk.share && total >= areaThresholds.atRisk.reviews;
      const given = new Map(people.map(({ person_id, things }) => [person_id, things]));
      return {
        total,
        row: {
          area,
          ...spread,
          at_risk: active >= ENOUGH_PEOPLE && (isHeld || people[0]!.alone),
          could: (could.get(area) ?? [])
            .filter(({ person_id }) => (given.get(person_id) ?? 0) < areaThresholds.could.below * total)
            .map(({ login }) => login),
        },
      };
    })
    .sort((a, b) => b.total - a.total || (a.row.area < b.row.area ? -1 : 1))
    .map(({ row }) => row);
}

/** Counting reviews of the window, once for each area that their pull request changes. */
function givenIn(asked: Asked) {
  const { from, where } = reviews.rows(asked, 'each');
  return sql`
    select distinct it.repository_id, it.number, it.host_id, it.author_id, it.submitted_at, ${areaOf(sql`file.path`)} as area
    from ${from} join changed_files file on file.repository_id = it.repository_id and file.number = it.number
    where ${where} and it.counts`;
}

interface Author {
  readonly area: string;
  readonly person_id: number;
  readonly login: string;
}

/** People who merged a few pull requests of the window in these areas, by login. */
async function couldReview(
  db: Kysely<Database>,
  asked: Asked,
  areas: readonly string[],
): Promise<Map<string, Author[]>> {
  if (areas.length === 0) return new Map();
  const { from, where } = ended.rows(asked, 'each');
  const { rows } = await sql<Author>`
    select ${areaOf(sql`file.path`)} as area, person.id as person_id, person.login
    from ${from} join people person on person.id = it.author_id and person.kind = 'human'
    join changed_files file on file.repository_id = it.repository_id and file.number = it.number
    where ${where} and it.time_to_merge is not null and ${areaOf(sql`file.path`)} = any(${areas}::text[])
    group by 1, 2, 3 having count(distinct (it.repository_id, it.number)) >= ${areaThresholds.could.merged}
    order by lower(person.login)`.execute(db);
  return Map.groupBy(rows, ({ area }) => area);
}
