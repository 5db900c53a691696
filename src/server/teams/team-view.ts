import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import { type getTeamView, type TeamPullRequest, type TeamView, teamWaits } from '#contract/teams.ts';
import { windows } from '#domain/metrics/metric.ts';
import { type Hours, hoursBetween } from '#domain/pull-request.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { byRepository } from '../db/repository-order.ts';
import { asking } from '../metrics/asked.ts';
import { windowAsked } from '../metrics/asked-window.ts';
import { numbersOf } from '../metrics/compile.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { openFacts } from '../metrics/sources/pull-requests.ts';
import type { Asked } from '../metrics/sources/source.ts';
import { partsSeen } from '../metrics/team-people.ts';
import { isUnasked, reviewsOfUnasked, type Unasked, waitsForNobody } from '../metrics/waiting-for-nobody.ts';
import { requestsTo } from './team-requests.ts';

/** So many pull requests are listed of each kind. */
const MOST_LISTED = 100;

/**
 * What a team's open pull requests wait for, what is asked of it, and its reviews across teams in a window, the last 30 days unless another
 * is asked for (docs/metrics.md#teams).
 * @throws HttpError 404 for a team or repository that is unknown or not to be seen, 400 for no window
 */
export async function teamViewOf(
  db: Kysely<Database>,
  user: SignedIn,
  id: number,
  query: QueryOf<typeof getTeamView>,
  now: Date,
): Promise<TeamView> {
  const window = windowAsked(query, windows.month.days, now, user.time_zone);
  const scope = await scopeOf(db, user.id, query.repository, { team: id, team_as: query.team_as });
  const parts = (await partsSeen(db, user.id, [id])).filter(({ seen }) => seen).map((part) => part.id);
  const open = await openOnes(db, scope, now);
  const kinds = Map.groupBy(open, (one) => (isNobodys(one, now) ? 'nobody' : one.waiting_on));
  const listed = async (kind: (typeof teamWaits)[number]) => {
    const ones = kinds.get(kind) ?? [];
    return { total: ones.length, items: await describe(db, ones.slice(0, MOST_LISTED), now) };
  };
  return {
    window: { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() },
    open: open.length,
    waits: teamWaits.map((on) => {
      const ones = kinds.get(on) ?? [];
      const [longest] = ones;
      return { on, count: ones.length, longest_hours: longest === undefined ? null : waitOf(longest, now) };
    }),
    ready_to_merge: await listed('merge'),
    nobody_asked: await listed('nobody'),
    requests: await requestsTo(db, scope, parts, now, MOST_LISTED),
    ...(await reviewsAcross(db, asking(scope, now, user.time_zone, { window: window.span }))),
  };
}

interface OpenOne {
  readonly repository_id: number;
  readonly number: number;
  readonly waiting_on: 'author' | 'reviewers' | 'merge';
  readonly waiting_since: Date;
  /** Null unless it waits for reviewers, of whom nobody is asked. */
  readonly reviews: Unasked['reviews'] | null;
}

const waitOf = ({ waiting_since }: Pick<OpenOne, 'waiting_since'>, now: Date): Hours =>
  Math.max(0, hoursBetween(waiting_since.getTime(), now.getTime()));

/** The team's open pull requests, the longest wait first. */
async function openOnes(db: Kysely<Database>, scope: Scope, now: Date): Promise<OpenOne[]> {
  const { from, where } = openFacts.rows(asking(scope, now, 'UTC'), 'each');
  const { rows } = await sql<OpenOne>`
    select it.repository_id, it.number, it.waiting_on, it.waiting_since,
      case when ${isUnasked('it', 'it')} then ${reviewsOfUnasked('it')} end as reviews
    from ${from} join repositories r on r.id = it.repository_id
    where ${where} and it.waiting_on is not null
    order by it.waiting_since, ${byRepository}, it.number`.execute(db);
  return rows;
}

/** Whether it waits for reviewers of whom there are none: nobody is asked, and nobody's review calls them back. */
const isNobodys = ({ waiting_since, reviews }: OpenOne, now: Date): boolean =>
  reviews !== null && waitsForNobody({ waiting_since: waiting_since.getTime(), reviews }, now);

/** What lists show of pull requests, in their order. */
async function describe(db: Kysely<Database>, ones: readonly OpenOne[], now: Date): Promise<TeamPullRequest[]> {
  if (ones.length === 0) return [];
  const { rows } = await sql<Omit<TeamPullRequest, 'since' | 'waited_hours'> & { place: number }>`
    select r.owner as repo_owner, r.name as repo_name, p.number as pr_number, p.title, p.lines_changed,
      coalesce(author.login, 'ghost') as author, author.name as author_display_name, author.avatar_url as author_avatar_url,
      coalesce(author.kind, 'ghost') as author_kind,
      one.place::int
    from unnest(${ones.map((one) => one.repository_id)}::int[], ${ones.map((one) => one.number)}::int[])
      with ordinality one (repository_id, number, place)
    join pull_requests p on p.repository_id = one.repository_id and p.number = one.number
    join repositories r on r.id = p.repository_id
    left join people author on author.id = p.author_id
    order by one.place`.execute(db);
  return rows.map(({ place, ...row }) => {
    const one = ones[place - 1]!;
    return { ...row, since: one.waiting_since.toISOString(), waited_hours: waitOf(one, now) };
  });
}

/** The reviews across teams of a window, each a share with how many of how many it is. */
async function reviewsAcross(
  db: Kysely<Database>,
  asked: Asked,
): Promise<Pick<TeamView, 'from_outside' | 'to_outside'>> {
  const told = await numbersOf<{ from: number | null; of: number; to: number | null; given: number }>(db, asked, {
    from: 'from_outside',
    of: { metric: 'from_outside', statistic: 'n' },
    to: 'to_outside',
    given: { metric: 'to_outside', statistic: 'n' },
  });
  const share = (value: number | null, n: number) => ({ value, reviews: Math.round((value ?? 0) * n), n });
  return { from_outside: share(told.from, told.of), to_outside: share(told.to, told.given) };
}
