import { sql } from 'kysely';
import { authorshipOf } from '../../db/attribution-columns.ts';
import { allOf } from '../conditions.ts';
import {
  type Asked,
  byFacts,
  type HealthView,
  it,
  narrowed,
  type Source,
  type Sql,
  type Viewpoint,
  wanted,
  within,
} from './source.ts';

/**
 * By what signals are told.
 * @throws Error where a question about one was asked without
 */
export function healthIn({ health }: Viewpoint): HealthView {
  if (health === null) throw new Error('A signal is asked for without thresholds.');
  return health;
}

/**
 * Facts `f` of pull requests that signals are about: by those who are asked for, and on the default branch by each name that it had. Beside
 * them in `facts` stands whether signals are `known` of them.
 */
function aboutSignals(asked: Asked): { readonly facts: Sql; readonly from: Sql; readonly where: Sql } {
  const { authorship, allBases } = healthIn(asked);
  const authors = sql`${authorship}::text[]`;
  const kind = authorshipOf('f', sql`(select kind from people where id = f.author_id)`);
  const isKnown = allOf([sql`f.signals > 0`, ...(allBases ? [] : [sql`home.default_branch is not null`])]);
  return {
    facts: sql`f.*, (${isKnown}) as known`,
    from: sql`pull_request_facts f
      join (select id, default_branch, array[default_branch] || former_default_branches as bases from repositories) home
        on home.id = f.repository_id`,
    where: allOf([
      asked.scope.filter('f'),
      // The same as \`kind\` alone, of which the database cannot tell how many there are.
      sql`(f.authorship = any(${authors}) or (f.authorship is null and ${kind} = any(${authors})))`,
      // Of what is not computed yet the base is not known, and not every token may read which branch is the default one: left out as unknown.
      ...(allBases ? [] : [sql`(f.signals = 0 or f.base_ref = any(home.bases) or home.default_branch is null)`]),
      ...wanted(sql`f.author_id`, asked),
    ]),
  };
}

/** Facts of merged pull requests that signals are about. */
export const mergedForSignals = narrowed({
  moment: it('ended_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  isFacts: true,
  rows: (asked) => {
    const { facts, from, where } = aboutSignals(asked);
    return {
      from: sql`(select ${facts} from ${from}
        where ${where} and f.time_to_merge is not null and ${within(sql`f.ended_at`, asked.window)}) it`,
      where: sql`true`,
    };
  },
});

/** Facts of pull requests that signals are about and that were open at a moment `it.at`, the end of the window; what is dated later than now counts as now. */
export const openAt = narrowed({
  moment: it('at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  isFacts: true,
  among: openAmong,
  rows: (asked) => {
    const { now, window } = asked;
    const at = sql`${window.until === null ? now : new Date(window.until.getTime() + 1)}::timestamptz`;
    const { facts, from, where } = aboutSignals(asked);
    return {
      from: sql`(
          select ${facts}, ${at} as at from ${from}
          where ${where} and (f.ended_at is null or f.ended_at > ${at}) and least(f.created_at, ${now}::timestamptz) <= ${at}
        ) it`,
      where: sql`true`,
    };
  },
});

/**
 * The same of those that were open at one of some moments, ascending, each once: it was from the `first` of them, 1 and up, to before the
 * `last`, which is one more than there are where it was open at all of them from then on.
 */
function openAmong(moments: readonly Date[]): Source {
  const ofMoments = sql`${moments}::timestamptz[]`;
  return narrowed({
    ...openAt,
    rows: (asked) => {
      const { facts, from, where } = aboutSignals(asked);
      const since = (alias: string) => sql`least(${sql.ref(`${alias}.created_at`)}, ${asked.now}::timestamptz)`;
      // Of those that have ended an index alone says which of them lasted until one of the moments: few.
      return {
        from: sql`(
            select ${facts}, ${nextOf(ofMoments, since('f'))} as first, ${moments.length + 1}::int as last from ${from}
            where ${where} and f.ended_at is null and ${since('f')} <= ${moments.at(-1)}
            union all
            select ${facts}, held.first, held.last from (
              select repository_id, number, first, last from (
                select e.repository_id, e.number, ${nextOf(ofMoments, since('e'))} as first,
                  ${nextOf(ofMoments, sql`e.ended_at`)} as last
                from pull_request_facts e where ${asked.scope.filter('e')} and e.ended_at > ${moments[0]}
              ) ended where first < last
            ) held join ${from} on f.repository_id = held.repository_id and f.number = held.number
            where ${where}
          ) it`,
        where: sql`true`,
      };
    },
  });
}

/** Which of some moments is the first that is not before another; null of null. */
export const nextOf = (moments: Sql, moment: Sql): Sql =>
  sql`(1 + width_bucket(${moment} - interval '1 microsecond', ${moments}))`;
