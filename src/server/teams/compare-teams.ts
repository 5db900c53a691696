import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { compareTeams, Team, TeamComparison, TeamRow } from '#contract/teams.ts';
import { lastDays, periodDays, type Window, windowBefore } from '#domain/period.ts';
import { countTrend, meanTrend } from '#domain/trend.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { asking, over, since } from '../metrics/asked.ts';
import { comparedWith } from '../metrics/compared-with.ts';
import { type Columns, compile } from '../metrics/compile.ts';
import { compileLines } from '../metrics/lines.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { ended } from '../metrics/sources/pull-requests.ts';
import { type Asked, type Span, teamsOf } from '../metrics/sources/source.ts';
import { partsOf, type TeamsApart, teamsApart } from '../metrics/team-people.ts';
import { teamsSeenBy } from './list-teams.ts';

/** The key of everything in scope, among those of teams and `none`. */
const SCOPE = 'scope';

/** What is counted in a window of its own. */
interface Counts {
  readonly opened: number;
  readonly merged: number;
  readonly first_reviews: number;
  readonly time_to_first_review: number | null;
  readonly time_to_merge: number | null;
  readonly size: number | null;
  readonly with_rounds: number;
  readonly rounds: number | null;
}

const columns = {
  opened: 'opened',
  merged: 'merged',
  first_reviews: { metric: 'time_to_first_review', statistic: 'n' },
  time_to_first_review: { metric: 'time_to_first_review', statistic: 'p50' },
  time_to_merge: { metric: 'time_to_merge', statistic: 'p50' },
  size: { metric: 'size', statistic: 'p50' },
  with_rounds: { metric: 'rounds', statistic: 'n' },
  rounds: { metric: 'rounds', statistic: 'p50' },
} satisfies Record<keyof Counts, Columns[string]>;

const none: Counts = {
  ...{ opened: 0, merged: 0, first_reviews: 0, with_rounds: 0 },
  ...{ time_to_first_review: null, time_to_merge: null, size: null, rounds: null },
};

/** A number now and in the window before, by the key of a row; what has none is not there. */
type NowAndBefore = ReadonlyMap<string, { readonly now: number | null; readonly before: number | null }>;

/**
 * Teams of one level side by side, then what belongs to no team that the user sees, and everything in scope last
 * (docs/metrics.md#teams). However many teams there are, the questions are the same few.
 * @throws HttpError 404 for an unknown parent or repository
 */
export async function compareTeamsOf(
  db: Kysely<Database>,
  user: SignedIn,
  query: QueryOf<typeof compareTeams>,
  now: Date,
): Promise<TeamComparison> {
  const scope = await scopeOf(db, user.id, query.repository);
  const seen = await teamsSeenBy(db, user.id, now);
  const shown = await levelOf(db, seen, query.parent);
  const teams = await teamsApart(db, user.id, null);
  const window = lastDays(now.getTime(), periodDays(query.window));
  const before = windowBefore(window);
  const [counts, countsBefore, stuck, reviews, compared_with] = await Promise.all([
    countsIn(db, asking(scope, now, user.time_zone, { window: since(window.after) }), teams),
    countsIn(db, asking(scope, now, user.time_zone, { window: over(before) }), teams),
    stuckNowAndBefore(db, scope, now, window, teams),
    reviewsOfMerged(db, scope, now, window, before, teams),
    comparedWith(db, scope, before),
  ]);
  const rowOf = (key: string, about: Pick<TeamRow, 'team' | 'key' | 'people_now'>): TeamRow => {
    const [at, was] = [counts.get(key) ?? none, countsBefore.get(key) ?? none];
    const stuckOnes = { now: 0, before: 0, ...stuck.get(key) };
    const given = reviews.get(key) ?? { now: null, before: null };
    const counted = (value: number, earlier: number) => ({
      value,
      trend: countTrend(value, earlier),
      before: earlier,
    });
    const measured = (
      name: 'time_to_first_review' | 'time_to_merge' | 'size' | 'rounds',
      of: 'first_reviews' | 'merged' | 'opened' | 'with_rounds',
    ) => ({ value: at[name], n: at[of], trend: meanTrend(at[name], was[name]), before: was[of] });
    return {
      ...about,
      opened: counted(at.opened, was.opened),
      merged: counted(at.merged, was.merged),
      time_to_first_review: measured('time_to_first_review', 'first_reviews'),
      time_to_merge: measured('time_to_merge', 'merged'),
      size: measured('size', 'opened'),
      rounds: measured('rounds', 'with_rounds'),
      stuck: counted(stuckOnes.now ?? 0, stuckOnes.before ?? 0),
      reviews_per_merged: {
        ...{ value: given.now, n: at.merged },
        ...{ trend: meanTrend(given.now, given.before), before: was.merged },
      },
    };
  };
  const rows = shown.map((team) =>
    rowOf(String(team.id), {
      ...{ team: { id: team.id, name: team.name, handle: team.handle }, key: 'team' },
      people_now: team.members_now,
    }),
  );
  return {
    window: { from: new Date(window.after).toISOString(), to: new Date(window.until).toISOString() },
    compared_with,
    rows: [
      ...sorted(rows, query),
      rowOf('none', { team: null, key: 'none', people_now: null }),
      rowOf(SCOPE, { team: null, key: 'scope', people_now: null }),
    ],
  };
}

/** What a team holds, or groups and those that are part of none of these; archived ones aside. By name. */
async function levelOf(db: Kysely<Database>, seen: readonly Team[], parent: number | undefined): Promise<Team[]> {
  const living = seen.filter(({ archived_at }) => archived_at === null);
  const alive = new Set(living.map(({ id }) => id));
  if (parent === undefined) return living.filter(({ parent_id }) => parent_id === null || !alive.has(parent_id));
  if (!seen.some(({ id }) => id === parent)) throw notFound('Team not found');
  const { rows } = await sql<{ id: number }>`select id from (${partsOf(sql`${parent}::int`)}) held`.execute(db);
  const held = new Set(rows.map(({ id }) => id));
  return living.filter(({ id }) => held.has(id));
}

async function countsIn(db: Kysely<Database>, asked: Asked, teams: TeamsApart): Promise<ReadonlyMap<string, Counts>> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const { rows } = await sql<Counts & { key: string }>`
    select key, ${names} from ${compile(asked, columns, { teams })} by_team
    union all select ${SCOPE}, ${names} from ${compile(asked, columns, 'whole')} whole`.execute(db);
  return new Map(rows.map(({ key, ...counts }) => [key, counts]));
}

/** What is stuck now and what was when the window began. */
async function stuckNowAndBefore(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  { after }: Window,
  teams: TeamsApart,
): Promise<NowAndBefore> {
  const starts = [new Date(after - 1), new Date(after + 1)];
  const asked = asking(scope, now, 'UTC', { window: { after: new Date(after - 2), until: null } });
  const lines = { metric: 'stuck', statistic: 'value', shown: null, only: {} } as const;
  const { rows } = await sql<{ key: string; now: number; before: number }>`
    select key, coalesce(max(value) filter (where place = 2), 0)::int as now,
      coalesce(max(value) filter (where place = 1), 0)::int as before
    from (
      select line as key, key as place, value from ${compileLines(asked, { ...lines, split: { teams } }, starts)} by_team
      union all
      select ${SCOPE}, key, value from ${compileLines(asked, { ...lines, split: null }, starts)} whole
    ) states group by key`.execute(db);
  return new Map(rows.map(({ key, ...states }) => [key, states]));
}

/** Counting reviews on merged pull requests for each of these, by when they were merged. */
async function reviewsOfMerged(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  window: Window,
  before: Window,
  teams: TeamsApart,
): Promise<NowAndBefore> {
  const both: Span = since(before.after);
  const { from, where } = ended.rows(asking(scope, now, 'UTC', { window: both }), 'each');
  const { join } = teamsOf(ended, asking(scope, now, 'UTC'), teams, 'it');
  const perMerged = sql`sum(it.reviews)::float8 / count(*)`;
  const { rows } = await sql<{ key: string; now: number | null; before: number | null }>`
    with merged as materialized (
      select it.repository_id, it.number, it.created_at, it.author_id, it.credited_id,
        it.ended_at > ${new Date(window.after)} as is_now, given.count as reviews
      from ${from} cross join lateral (
        select count(*)::int as count from reviews r
        where r.repository_id = it.repository_id and r.number = it.number and r.counts
      ) given
      where ${where} and it.time_to_merge is not null
    ),
    told as (
      select coalesce(each_team.team_id::text, 'none') as key, it.is_now, ${perMerged} as value
      from merged it ${join(null)} group by 1, 2
      union all select ${SCOPE}, it.is_now, ${perMerged} from merged it group by 2
    )
    select key, max(value) filter (where is_now) as now, max(value) filter (where not is_now) as before
    from told group by key`.execute(db);
  return new Map(rows.map(({ key, ...values }) => [key, values]));
}

/** By a figure, those without one last; the same ones by name. Rows come by name. */
function sorted(rows: TeamRow[], { sort, order }: Pick<QueryOf<typeof compareTeams>, 'sort' | 'order'>): TeamRow[] {
  const sign = order === 'desc' ? -1 : 1;
  if (sort === 'name') return sign === 1 ? rows : rows.reverse();
  const figureOf = (row: TeamRow) => (sort === 'people_now' ? row.people_now : row[sort].value);
  return rows.sort((a, b) => {
    const [left, right] = [figureOf(a), figureOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}
