import { type Kysely, sql } from 'kysely';
import type { getAiReviewer } from '#contract/ai-reviewers.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { asking } from '../metrics/asked.ts';
import type { AskedWindow } from '../metrics/asked-window.ts';
import { withReviewed } from '../metrics/person-numbers.ts';
import { type Scope, scopeOf, scopeOfSeveral } from '../metrics/scope.ts';
import type { SeenReviewer } from '../metrics/seen-reviewers.ts';
import { isAmong, ofFactsBelong } from '../metrics/sources/reviewer-acts.ts';
import { type Asked, type ReviewerView, type Span, type Sql, within } from '../metrics/sources/source.ts';
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
  const scope = await withReviewed(
    db,
    query.repository === undefined
      ? await scopeOf(db, user.id, undefined, query)
      : await scopeOfSeveral(db, user.id, query.repository, query),
  );
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
