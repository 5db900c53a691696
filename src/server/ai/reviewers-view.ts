import { type Kysely, sql } from 'kysely';
import type { getAiReviewer } from '#contract/ai-reviewers.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { agentOf } from '#domain/account-kind.ts';
import { givesKnownIds } from '#domain/code-host.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { asking } from '../metrics/asked.ts';
import type { AskedWindow } from '../metrics/asked-window.ts';
import { type Scope, scopeOf, scopeOfSeveral } from '../metrics/scope.ts';
import {
  type Asked,
  isAmong,
  ofFactsBelong,
  type ReviewerView,
  type Span,
  type Sql,
  within,
} from '../metrics/sources.ts';
import { aiWindowAsked } from './window.ts';

type ReviewersQuery = QueryOf<typeof getAiReviewer>;

/** What is asked about AI reviewers; each figure says of which. */
export interface AskedReviewers {
  readonly scope: Scope;
  readonly window: AskedWindow;
  readonly timeZone: string;
  readonly now: Date;
  /** The question about one of them, or people, over the window or another time. */
  readonly of: (reviewer: ReviewerView['of'], span?: Span) => Asked;
}

/**
 * Over which time and pull requests it is asked.
 * @throws HttpError 400 for a window that makes no sense, 404 for a repository or team that is not theirs
 */
export async function reviewersAsked(
  db: Kysely<Database>,
  user: SignedIn,
  query: ReviewersQuery,
  now: Date,
): Promise<AskedReviewers> {
  const window = aiWindowAsked(query, now, user.time_zone);
  const scope =
    query.repository === undefined
      ? await scopeOf(db, user.id, undefined, query)
      : await scopeOfSeveral(db, user.id, query.repository, query);
  const among = { authorKinds: query.author_kind ?? null, sizes: query.size ?? null };
  return {
    scope,
    window,
    timeZone: user.time_zone,
    now,
    of: (reviewer, span = window.span) =>
      asking(scope, now, user.time_zone, { window: span, reviewer: { of: reviewer, ...among } }),
  };
}

/** An account of an AI reviewer. */
interface Account {
  readonly id: number;
  readonly login: string;
  readonly avatar_url: string | null;
}

/** An AI reviewer that has acted in the scope: a tool with its accounts. */
export interface SeenReviewer {
  readonly tool: string;
  readonly accounts: readonly Account[];
  /** The account that acted last. */
  readonly account: Account;
  readonly first_seen: Date;
  readonly last_seen: Date;
}

/** Every AI reviewer that ever acted in the repositories of a scope, or the one to which an account of that login belongs. */
export async function seenReviewers(
  db: Kysely<Database>,
  { repository_ids }: Scope,
  host: string,
  login: string | null = null,
): Promise<SeenReviewer[]> {
  const { rows: accounts } = await sql<Account & { host_id: string }>`
    select id, host_id, login, avatar_url from people where host = ${host} and kind = 'agent' and login <> '' order by id`.execute(
    db,
  );
  const knownIds = givesKnownIds(host);
  const byTool = Map.groupBy(
    accounts,
    ({ host_id, login }) =>
      agentOf({ id: host_id, login, kind: 'agent', displayName: null, avatarUrl: null }, knownIds).tool,
  );
  const isCalled = ({ login: own }: Account) => withoutSuffix(own) === withoutSuffix(login!);
  const tools = [...byTool].flatMap(([tool, of]) => (login === null || of.some(isCalled) ? [tool] : []));
  const { rows } = await sql<{ tool: string; person_id: number; first_seen: Date; last_seen: Date }>`
    select distinct on (tool) tool, last.person_id, min(first_seen) over (partition by tool) as first_seen, last_seen
    from unnest(${tools}::text[]) tool cross join unnest(${repository_ids}::int[]) repository
    cross join lateral (select a.first_act_at as first_seen from reviewer_acts a
      where a.repository_id = repository and a.reviewer = tool order by a.first_act_at limit 1) first
    cross join lateral (select a.last_act_at as last_seen, a.person_id, lower(person.login) as login
      from reviewer_acts a join people person on person.id = a.person_id
      where a.repository_id = repository and a.reviewer = tool
      order by a.last_act_at desc, lower(person.login) collate "C" limit 1) last
    order by tool, last_seen desc, last.login collate "C"`.execute(db);
  return rows.map(({ tool, person_id, ...seen }) => {
    const own = byTool.get(tool)!;
    return { tool, accounts: own, account: own.find(({ id }) => id === person_id) ?? own[0]!, ...seen };
  });
}

const withoutSuffix = (login: string) => login.toLowerCase().replace(/\[bot\]$/, '');

/** Those of them that acted in the window on a pull request that is asked for. */
export async function activeReviewers(
  db: Kysely<Database>,
  { of, window: { span } }: AskedReviewers,
  reviewers: readonly SeenReviewer[],
): Promise<SeenReviewer[]> {
  const asked = of('agents');
  const acted = (condition: Sql) => sql`exists (
    select from reviewer_acts a join pull_request_facts it on it.repository_id = a.repository_id and it.number = a.number
    where ${asked.scope.filter('a')} and a.reviewer = tool and ${condition}
      and ${isAmong('it', asked.reviewer!)} and ${ofFactsBelong(asked)})`;
  const isWithin = (moment: string) => within(sql.ref(moment), span);
  // Nearly always one of these tells; only else are those looked through that were reviewed before the window and after it.
  const around =
    span.until === null
      ? sql`false`
      : acted(sql`a.last_act_at > ${span.until} and a.first_act_at <= ${span.after}
          and exists (select from unnest(a.acted_at) at where ${within(sql`at`, span)})`);
  const { rows } = await sql<{ tool: string }>`
    select tool from unnest(${reviewers.map(({ tool }) => tool)}::text[]) tool
    where ${acted(isWithin('a.last_act_at'))} or ${acted(isWithin('a.first_act_at'))} or ${around}`.execute(db);
  const active = new Set(rows.map(({ tool }) => tool));
  return reviewers.filter(({ tool }) => active.has(tool));
}

/** Whose figures are asked for. */
export function viewOf({ tool, accounts }: SeenReviewer): ReviewerView['of'] {
  return { tool, accounts: accounts.map(({ id }) => id) };
}
