import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList, PullRequestListItem } from '#contract/pull-requests.ts';
import { attributionColumns } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { isoOf } from '../db/iso-of.ts';
import { reviewerNames } from '../db/reviewer-names.ts';
import { LongList } from '../http/csv-answer.ts';
import { withNumbers } from '../metrics/person-numbers.ts';
import { type Scope, stillInSight } from '../metrics/scope.ts';
import { filtersOf, type PullRequestListRequest } from './filters.ts';
import { type PullRequestKey, unnested } from './keys.ts';
import { countsInScope, sumsOf } from './match-counts.ts';
import { planPage } from './page-plan.ts';
import { keysInOrder, orderOf, type PageRequest } from './page-strategies.ts';

/**
 * Pull requests by state, text and property, one page of them (docs/server.md#lists-and-searches). Ties stand by owner, name and
 * number.
 */
export async function listPullRequests(
  db: Kysely<Database>,
  asked: Scope,
  request: PullRequestListRequest,
  now: Date,
): Promise<PullRequestList> {
  const { counts, attributed_since, filters, plan } = await planned(db, asked, request, now);
  if (plan === null) return { prs: [], total: 0, hasMore: false, counts, found: null, attributed_since: null };
  const { keys, total, found } = plan;
  const prs = await rowsAt(db, keys, request);
  const hasMore = request.offset + prs.length < total;
  return {
    prs,
    total,
    hasMore,
    counts,
    found: filters.q === null ? null : found,
    attributed_since,
  };
}

/** All of them from `offset` on, `request.limit` at most, in the order that held when they were asked for, `page` read at once. */
export async function wholePullRequestList(
  db: Kysely<Database>,
  asked: Scope,
  request: PullRequestListRequest,
  page: number,
  now: Date,
): Promise<LongList<PullRequestListItem>> {
  const { plan } = await planned(db, asked, request, now);
  const { keys, total } = plan ?? { keys: [], total: 0 };
  const ordered = await keysInOrder(db, keys, { ...request, offset: 0 });
  async function* pages() {
    for (let at = 0; at < ordered.length; at += page) {
      if (at > 0) await stillInSight(db, asked);
      yield await rowsAt(db, ordered.slice(at, at + page), request);
    }
  }
  return new LongList(Math.max(0, total - request.offset), pages());
}

async function planned(db: Kysely<Database>, asked: Scope, request: PullRequestListRequest, now: Date) {
  const scope = await withNumbers(db, asked);
  const [counted, attributed_since, filters] = await Promise.all([
    countsInScope(db, scope),
    attributedSince(db, scope),
    filtersOf(db, scope, request, now),
  ]);
  const counts = sumsOf(counted.inScope);
  const plan = counts.all === 0 ? null : await planPage(db, scope, counted, filters, request);
  return { counts, attributed_since, filters, plan };
}

/** Since when who wrote pull requests is known as far as it can be: the newest one that is still to be read again; null where none is. */
async function attributedSince(db: Kysely<Database>, scope: Scope): Promise<string | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select max(newest.created_at) as since from unnest(${scope.repository_ids}::int[]) r (id)
    cross join lateral (select p.created_at from pull_requests p
      where p.repository_id = r.id and p.collection < 1 and p.collection_tried_at is null order by p.created_at desc limit 1) newest`.execute(
    db,
  );
  return rows[0]?.since?.toISOString() ?? null;
}

async function rowsAt(
  db: Kysely<Database>,
  keys: readonly PullRequestKey[],
  request: PageRequest,
): Promise<PullRequestList['prs']> {
  const { rows } = await sql<PullRequestListItem>`
    select ${listColumns}
    from ${unnested(keys)} page (repository_id, number)
    ${listSources(sql`page`)}
    order by ${orderOf(request)}`.execute(db);
  return rows.map(listItemOf);
}

/** What a row of the list has, of what `listSources` joins; moments as the database writes them, see `listItemOf`. */
export const listColumns = sql`p.host_id as github_id, p.number as pr_number, p.title, p.state, p.draft,
      coalesce(a.login, 'ghost') as author, a.name as author_display_name, a.avatar_url as author_avatar_url,
      coalesce(a.kind, 'ghost') as author_kind, f.by_agent, ${attributionColumns},
      ${reviewerNames} as reviewers,
      r.owner || '/' || r.name as repo_full_name, r.owner as repo_owner, r.name as repo_name,
      p.lines_changed, p.created_at::text, p.updated_at::text, p.url as github_url,
      f.waiting_on, f.waiting_since::text, f.waiting_reason`;

/** Joins the repository, facts and author of pull requests to rows with their `repository_id` and `number`. */
export const listSources = (keys: RawBuilder<unknown>) => sql`
    join repositories r on r.id = ${keys}.repository_id
    join pull_requests p on p.repository_id = ${keys}.repository_id and p.number = ${keys}.number
    join pull_request_facts f on f.repository_id = ${keys}.repository_id and f.number = ${keys}.number
    left join people a on a.id = p.author_id`;

/** The row of `listColumns` as it is on the wire. */
export function listItemOf<Row extends PullRequestListItem>(row: Row): Row {
  return {
    ...row,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    waiting_since: row.waiting_since && isoOf(row.waiting_since),
  };
}
