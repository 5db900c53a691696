import { sql } from 'kysely';
import { fates, PEOPLE } from '#domain/reviewer-acts.ts';
import { allOf, kindOf, sizeOf } from '../conditions.ts';
import {
  type Asked,
  belongs,
  byFacts,
  isWanted,
  it,
  narrowed,
  type ReviewerView,
  type ReviewingTool,
  type Source,
  type Sql,
  type Viewpoint,
  within,
} from './source.ts';

/**
 * Whose reviews are asked for.
 * @throws Error where a question about them was asked without
 */
export function reviewerIn({ reviewer }: Viewpoint): ReviewerView {
  if (reviewer === null) throw new Error('Reviews are asked for without a reviewer.');
  return reviewer;
}

/** What a reviewer did in pull requests that counted by that moment in the window, once for each of them; of several once for each of both. */
function actsBy(moment: 'ready_at' | 'ended_at', asked: Asked): Sql {
  const { of } = reviewerIn(asked);
  const inWindow = sql`${asked.scope.filter('a')} and ${within(sql.ref(`a.${moment}`), asked.window)}`;
  if (of !== 'agents')
    return sql`(select a.* from reviewer_acts a where ${inWindow} and a.reviewer = any(${reviewersOf(of)}::text[]))`;
  const sums = ['findings', ...fates, 'noisy', 'thumbs_up', 'thumbs_down'].map(
    (name) => sql`sum(a.${sql.ref(name)})::int as ${sql.ref(name)}`,
  );
  return sql`(
    select a.repository_id, a.number, min(a.first_act_at) as first_act_at,
      (array_agg(a.wait_hours order by a.first_act_at, a.wait_hours))[1] as wait_hours, ${sql.join(sums)}
    from reviewer_acts a where ${inWindow} and a.reviewer <> ${PEOPLE} group by 1, 2)`;
}

/** Of whom acts are told, by their names in `reviewer_acts`. */
function reviewersOf(of: Exclude<ReviewerView['of'], 'agents'>): string[] {
  if (of === 'people') return [PEOPLE];
  if ('tool' in of) return [of.tool];
  return [...of.each.map(({ tool }) => tool), ...(of.people ? [PEOPLE] : [])];
}

/** Of facts `f` those that are asked for, by who opened them and how many lines they change. */
export function isAmong(facts: string, { authorKinds, sizes }: ReviewerView): Sql {
  return allOf([
    ...(authorKinds === null ? [] : [sql`${kindOf(sql.ref(`${facts}.author_id`))} = any(${authorKinds}::text[])`]),
    ...(sizes === null ? [] : [sql`${sizeOf(sql.ref(`${facts}.lines_changed`))} = any(${sizes}::text[])`]),
  ]);
}

/** Whether facts `it` belong to the team that is asked about; nothing where none is. */
export function ofFactsBelong(asked: Asked): Sql {
  return belongs({ belongs: byFacts('it') }, asked);
}

/** A source of facts `f` of pull requests that became ready, of those that are asked for, joined with what else `joined` reads. */
function readyFacts(
  joined: (asked: Asked) => { readonly columns?: Sql; readonly join?: Sql; readonly where?: Sql },
): Source {
  return narrowed({
    moment: it('ready_at'),
    person: it('author_id'),
    belongs: byFacts('it'),
    isFacts: true,
    rows: (asked) => {
      const { columns = sql``, join = sql``, where = sql`true` } = joined(asked);
      return {
        from: sql`(
            select f.*${columns} from pull_request_facts f ${join}
            where ${asked.scope.filter('f')} and ${within(sql`f.ready_at`, asked.window)} and ${isAmong('f', reviewerIn(asked))}
              and f.acts > 0 and ${isWanted(sql`f.author_id`, asked)} and ${where}
          ) it`,
        where: sql`true`,
      };
    },
  });
}

/** Several tools that are told apart; null where that is not so. */
export function toolsApart(asked: Viewpoint): readonly ReviewingTool[] | null {
  const { of } = reviewerIn(asked);
  return typeof of === 'object' && 'each' in of ? of.each : null;
}

/** The accounts of tools: rows of `own` with `reviewer` and `account`. */
export const accountsOf = (tools: readonly ReviewingTool[]): Sql => sql`unnest(
  ${tools.flatMap(({ tool, accounts }) => accounts.map(() => tool))}::text[],
  ${tools.flatMap(({ accounts }) => accounts)}::int[]) own (reviewer, account)`;

/** Whether the facts `f` are of no pull request of the reviewer itself; where several are told apart, of `reviewer`. */
function isOfOthers(asked: Asked, reviewer: Sql): Sql {
  const { of } = reviewerIn(asked);
  const each = toolsApart(asked);
  if (each !== null)
    return sql`not exists (select from ${accountsOf(each)} where own.reviewer = ${reviewer} and own.account = f.author_id)`;
  const own = typeof of === 'object' && 'tool' in of ? of.accounts : [];
  return own.length === 0 ? sql`true` : sql`(f.author_id = any(${own}::int[])) is not true`;
}

const isOfFacts = sql`acts.repository_id = f.repository_id and acts.number = f.number`;
const firstAct = sql`, acts.first_act_at, acts.wait_hours`;

/** Each once, whoever opened and reviewed it. */
export const readyForAll = readyFacts(() => ({}));

/** Those that a reviewer acted on, with its first act; of several once for each of them. Its own are none. */
export const readyAndReviewed = readyFacts((asked) => ({
  columns: sql`${firstAct}${toolsApart(asked) === null ? sql`` : sql`, acts.reviewer`}`,
  join: sql`join ${actsBy('ready_at', asked)} acts on ${isOfFacts}`,
  where: isOfOthers(asked, sql`acts.reviewer`),
}));

/** Those with the first act of a reviewer where it acted; its own are none. Each of several has every one but its own. */
export const readyForReviewers = readyFacts((asked) => {
  const each = toolsApart(asked);
  const acts = sql`left join ${actsBy('ready_at', asked)} acts on ${isOfFacts}`;
  const where = isOfOthers(asked, sql`each_one.reviewer`);
  if (each === null) return { columns: firstAct, join: acts, where };
  return {
    columns: sql`${firstAct}, each_one.reviewer`,
    join: sql`cross join unnest(${each.map(({ tool }) => tool)}::text[]) each_one (reviewer)
      ${acts} and acts.reviewer = each_one.reviewer`,
    where,
  };
});

/** Facts of pull requests that ended and that a reviewer reviewed, with its findings and what became of them. */
export const reviewedByReviewers = narrowed({
  moment: it('ended_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  isFacts: true,
  rows: (asked) => {
    const told = ['first_act_at', 'findings', ...fates, 'noisy', 'thumbs_up', 'thumbs_down'].map((name) =>
      sql.ref(`acts.${name}`),
    );
    const isApart = reviewerIn(asked).of !== 'agents';
    return {
      from: sql`(
          select f.*, ${sql.join(told)}${isApart ? sql`, acts.reviewer` : sql``} from ${actsBy('ended_at', asked)} acts
          join pull_request_facts f on f.repository_id = acts.repository_id and f.number = acts.number
          where ${asked.scope.filter('f')} and ${within(sql`f.ended_at`, asked.window)} and ${isAmong('f', reviewerIn(asked))}
            and ${isWanted(sql`f.author_id`, asked)}
        ) it`,
      where: sql`true`,
    };
  },
});
