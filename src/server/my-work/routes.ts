import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Explanation, explainMetric } from '#contract/explain.ts';
import { isTurn } from '#domain/my-work.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HttpError, invalidValue, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { type Scope, scopeOf, scopeWithoutFigures } from '../metrics/scope.ts';
import { bySection } from './desk.ts';
import { countsOf, isRecognised, itemsOf, openWork, placedWork, storeSnooze } from './person-work.ts';

/** The most items of a section that are returned. */
const MOST_ITEMS = 200;
/** At most so far ahead may an item stay away, in milliseconds. */
const LONGEST_SNOOZE = 90 * 24 * 3_600_000;

/** The calls about what waits for the caller (docs/metrics.md#my-work); `shared` is the database as everybody sees it, in which snoozes are written and deleted. */
export function workRoutes(
  { db, now }: Pick<Context, 'db' | 'now'>,
  shared: Kysely<Database>,
): Handlers<'getMyWork' | 'saveSnooze' | 'deleteSnooze'> {
  return {
    getMyWork: async ({ user, query }) => {
      const at = now();
      const scope = await scopeOf(db, user.id, query.repository, { team: query.team, team_as: query.team_as });
      const { placed, waiting_for_nobody } = await openWork(db, scope, at, shared);
      const items = await itemsOf(db, placed, at);
      return {
        as_of: at.toISOString(),
        recognised: placed.length > 0 || (await isRecognised(db, scope)),
        counts: countsOf(placed),
        waiting_for_nobody,
        sections: bySection(items).map((section) => ({
          ...section,
          items: section.items.slice(0, MOST_ITEMS).map(({ item }) => item),
        })),
      };
    },
    saveSnooze: async ({ user, params, body }) => {
      const at = now();
      const until = body.until === null ? null : new Date(body.until);
      if (until !== null && until <= at) throw invalidValue('until', 'must be in the future');
      if (until !== null && until.getTime() > at.getTime() + LONGEST_SNOOZE)
        throw invalidValue('until', 'must be at most 90 days ahead');
      const found = await addressed(db, await scopeWithoutFigures(db, user.id), params);
      if (found === null) throw notFound('PR not found');
      if (found.state !== 'open') throw new HttpError('closed', 'It is closed already');
      const scope = await scopeOf(db, user.id, found.repository_id);
      const [placed] = await placedWork(db, scope, at, found);
      if (placed === undefined) throw new HttpError('not_listed', 'It isn’t in your list');
      await storeSnooze(shared, user.id, placed, { until, until_change: body.until_change }, at);
      return { until: until?.toISOString() ?? null, until_change: body.until_change };
    },
    deleteSnooze: async ({ user, params }) => {
      const { owner, name, number } = params;
      await sql`
        delete from snoozes it using repositories r
        where it.user_id = ${user.id} and r.id = it.repository_id and it.number = ${number}
          and lower(r.owner) = lower(${owner}) and lower(r.name) = lower(${name})`.execute(shared);
    },
  };
}

async function addressed(
  db: Kysely<Database>,
  scope: Scope,
  { owner, name, number }: { readonly owner: string; readonly name: string; readonly number: number },
): Promise<{ readonly repository_id: number; readonly number: number; readonly state: string } | null> {
  const { rows } = await sql<{ repository_id: number; number: number; state: string }>`
    select p.repository_id, p.number, p.state from repositories r
    join pull_requests p on p.repository_id = r.id and p.number = ${number}
    where ${scope.filter('r', 'id')} and lower(r.owner) = lower(${owner}) and lower(r.name) = lower(${name})`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The number of this capability that opens. */
export const workExplanations = {
  'my_work.turn': async (
    db: Kysely<Database>,
    {
      user,
      query,
      now,
    }: { readonly user: SignedIn; readonly query: QueryOf<typeof explainMetric>; readonly now: Date },
  ) => await explainTurn(db, await scopeOf(db, user.id, query.repository, query), now, query),
};

/** What is behind the number of what waits for a user: its items in the order of the screen. */
export async function explainTurn(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Explanation> {
  const placed = await placedWork(db, scope, now);
  const turns = placed.filter(({ work, snooze }) => snooze === null && isTurn(work.kind));
  const items = await itemsOf(db, turns, now);
  const ordered = bySection(items).flatMap((section) => section.items);
  const awake = placed.filter(({ snooze }) => snooze === null);
  const left_out = [
    { reason: 'draft', count: awake.filter(({ work }) => work.kind === 'draft').length },
    { reason: 'snoozed', count: placed.length - awake.length },
    {
      reason: 'waits for others',
      count: awake.filter(({ work }) => work.kind === 'yours_waits' || work.kind === 'reviewed_waits').length,
    },
  ];
  return {
    metric: 'my_work.turn',
    name: 'Waiting for you',
    definition:
      'Open pull requests on which it is your turn: your review is asked of you or of a team of yours, or was answered, or one of yours is to be answered or may be merged.',
    unit: 'count',
    part: null,
    window: { from: null, to: now.toISOString() },
    ...{ value: turns.length, mean: null, median: null, n: turns.length, left_out },
    items: ordered.slice(offset, offset + limit).map(({ item }) => ({
      ...{ repo_owner: item.repo_owner, repo_name: item.repo_name, pr_number: item.pr_number, title: item.title },
      ...{ state: 'open' as const, author: item.author, at: item.since, value: item.waited_hours },
    })),
    total: turns.length,
    hasMore: offset + limit < turns.length,
  };
}
