import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { isoOf } from '../db/iso-of.ts';
import { reviewerNames } from '../db/reviewer-names.ts';
import type { Scope } from '../metrics/scope.ts';
import { orderOf, type PageRequest, type Place, pageFromMatches, pageFromSortIndex, unnested } from './places.ts';

export interface PullRequestListRequest extends PageRequest {
  readonly state?: 'open' | 'merged' | 'closed' | undefined;
  /** Trimmed and literal; blank matches everything. */
  readonly q?: string | undefined;
  readonly drafts?: PropertyFilter | undefined;
  readonly bots?: PropertyFilter | undefined;
  readonly agents?: PropertyFilter | undefined;
  readonly turn?: 'author' | 'reviewers' | 'merge' | undefined;
}

type PropertyFilter = 'hide' | 'only';

/**
 * Pull requests by state, text and property, one page of them (docs/server.md#lists-and-searches). Ties stand by owner, name and
 * number.
 */
export async function listPullRequests(
  db: Kysely<Database>,
  scope: Scope,
  request: PullRequestListRequest,
): Promise<PullRequestList> {
  const text = request.q?.trim().toLowerCase() ?? '';
  const [{ counts, sizes }, { whole, hasText }] = await Promise.all([
    countsByState(db, scope),
    withText(db, scope, text),
  ]);
  if (counts.all === 0) return { prs: [], total: 0, hasMore: false, counts, found: null };
  const isWanted = sql`${hasText} and ${withProperties(request)}`;
  const condition = sql`${inState(request.state)} and ${isWanted}`;

  const rowsInOrder = async (among: ReadonlyMap<number, number>) =>
    await rowsAt(db, await pageFromSortIndex(db, among, request, condition), request);
  const most = counts[request.state ?? 'all'];
  const isEverything = text === '' && isUnfiltered(request);
  const [{ total, prs }, found] = await Promise.all([
    isEverything
      ? rowsInOrder(sizes).then((rows) => ({ total: most, prs: rows }))
      : pageOfMatches(db, request, { most, sizes, whole, condition, rowsInOrder }),
    text === '' ? null : foundByState(db, [...sizes.keys()], isWanted),
  ]);
  return { prs, total, hasMore: request.offset + prs.length < total, counts, found };
}

/** How many there are in scope, and how many of these each repository has; one without any has no size. */
async function countsByState(db: Kysely<Database>, scope: Scope) {
  const { rows } = await sql<{ id: number; opened: number; open: number; merged: number }>`
    select repository_id as id, sum(opened)::int as opened, sum(open)::int as open, sum(merged)::int as merged
    from contributor_totals where ${scope.filter()}
    group by repository_id having sum(opened) > 0`.execute(db);
  const sum = (key: 'opened' | 'open' | 'merged') => rows.reduce((total, row) => total + row[key], 0);
  const [all, open, merged] = [sum('opened'), sum('open'), sum('merged')];
  return {
    counts: { all, open, merged, closed: all - open - merged },
    sizes: new Map(rows.map(({ id, opened }) => [id, opened])),
  };
}

/** How many meet the condition on `p` in each state. */
async function foundByState(
  db: Kysely<Database>,
  repository_ids: readonly number[],
  condition: RawBuilder<unknown>,
): Promise<PullRequestList['counts']> {
  const { rows } = await sql<{ open: number; merged: number; closed: number }>`
    select count(*) filter (where p.state = 'open')::int as open, count(*) filter (where p.state = 'merged')::int as merged,
      count(*) filter (where p.state = 'closed')::int as closed
    from pull_requests p where p.repository_id = any(${repository_ids}::int[]) and ${condition}`.execute(db);
  const { open, merged, closed } = rows[0]!;
  return { all: open + merged + closed, open, merged, closed };
}

/** How many have the wanted properties, from the totals that are kept with every save; null where these do not say. */
async function keptTotal(
  db: Kysely<Database>,
  repository_ids: readonly number[],
  { state, drafts, turn, bots, agents }: PullRequestListRequest,
): Promise<number | null> {
  if (drafts !== undefined || turn !== undefined) return null;
  const every = { all: 'opened', open: 'open', merged: 'merged', closed: 'opened - open - merged' };
  const byAgent = {
    all: 'by_agent',
    open: 'open_by_agent',
    merged: 'merged_by_agent',
    closed: 'by_agent - open_by_agent - merged_by_agent',
  };
  const [all, theirs] = [sql.raw(every[state ?? 'all']), sql.raw(byAgent[state ?? 'all'])];
  const ofAgents = agents === 'only' ? theirs : agents === 'hide' ? sql`${all} - (${theirs})` : all;
  const ofBots = bots === 'hide' ? sql`0` : bots === 'only' && agents === 'only' ? all : ofAgents;
  const ofOthers = bots === 'only' && agents !== 'only' ? sql`0` : ofAgents;
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(case when author.kind = 'bot' then ${ofBots} else ${ofOthers} end), 0)::int as total
    from contributor_totals t left join people author on author.id = t.person_id
    where t.repository_id = any(${repository_ids}::int[])`.execute(db);
  return rows[0]!.total;
}

interface Search {
  /** How many there are in the wanted state. */
  readonly most: number;
  /** How many pull requests each repository has that has any. */
  readonly sizes: ReadonlyMap<number, number>;
  /** The repositories of which each pull request has the text. */
  readonly whole: readonly number[];
  /** On `p`, of state, text and properties. */
  readonly condition: RawBuilder<unknown>;
  /** The page as it is read in the order of the list from repositories of these sizes. */
  readonly rowsInOrder: (sizes: ReadonlyMap<number, number>) => Promise<PullRequestList['prs']>;
}

/** No more matches than this are put in order by themselves. */
const MAX_SORTED_MATCHES = 20_000;

/**
 * Up to how many matches it is less work to look at these alone than to read on in the order of the list until the page is full,
 * which looks at some (offset + limit) · all / matches, each ten times as fast as one that is looked up.
 */
function sortThreshold(all: number, { offset, limit }: PullRequestListRequest): number {
  return Math.min(MAX_SORTED_MATCHES, Math.floor(Math.sqrt(((offset + limit) * all) / 10)));
}

/**
 * Those with the wanted properties whose title, author's login or display name, or repository's full name holds the text, in lower case; a deleted account is
 * called ghost. A repository of which every pull request has the text is not looked through where the kept totals tell how many
 * have the properties; the others are, once, in an index that holds what this needs. Those that seem to be many are only counted, and
 * the page is read in the order of the list, at the same time where no repository seems to be without any, for such a one would be
 * read to its end; a few are put in order by themselves.
 */
async function pageOfMatches(
  db: Kysely<Database>,
  request: PullRequestListRequest,
  { most, sizes, whole, condition, rowsInOrder }: Search,
): Promise<{ total: number; prs: PullRequestList['prs'] }> {
  const few = sortThreshold(sumOf(sizes), request);
  const rowsAmong = async (matches: readonly Place[]) =>
    await rowsAt(db, await pageFromMatches(db, matches, request), request);
  const kept = whole.length === 0 ? 0 : await keptTotal(db, whole, request);
  const counted =
    kept !== null && kept > few ? new Map(whole.map((id) => [id, sizes.get(id) ?? 0])) : new Map<number, number>();
  const left = new Map([...sizes].filter(([id]) => !counted.has(id)));
  const ids = [...left.keys()];
  const needsNoGuess = left.size === 0 || (counted.size === 0 && most <= 2 * few);
  const guess = needsNoGuess ? new Map<number, number>() : await guessIn(db, left, condition);
  if (counted.size === 0 && sumOf(guess) <= few) {
    const matches = await matchesIn(db, ids, condition, 2 * few);
    if (matches.length <= 2 * few) return { total: matches.length, prs: await rowsAmong(matches) };
  }
  const [found, early] = await Promise.all([
    countsIn(db, ids, condition),
    guess.size === left.size ? rowsInOrder(new Map([...counted, ...guess])) : null,
  ]);
  const total = sumOf(found) + (counted.size === 0 ? 0 : kept!);
  if (early !== null) return { total, prs: early };
  if (2 * total <= few) return { total, prs: await rowsAmong(await matchesIn(db, ids, condition, few)) };
  return { total, prs: await rowsInOrder(new Map([...counted, ...found])) };
}

const sumOf = (sizes: ReadonlyMap<number, number>) => sizes.values().reduce((sum, size) => sum + size, 0);

/** So many are looked at to guess how many match. */
const SAMPLE = 2000;

/** About how many of each repository meet the condition on `p`, guessed from some of each; one that seems to be without any is left out. */
async function guessIn(
  db: Kysely<Database>,
  sizes: ReadonlyMap<number, number>,
  condition: RawBuilder<unknown>,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; seen: number; matching: number }>`
    select r.id, count(*)::int as seen, count(*) filter (where ${condition})::int as matching
    from unnest(${[...sizes.keys()]}::int[]) r (id)
    cross join lateral (select * from pull_requests where repository_id = r.id limit ${Math.ceil(SAMPLE / sizes.size)}) p
    group by r.id`.execute(db);
  const matching = rows.filter((row) => row.matching > 0);
  return new Map(matching.map((row) => [row.id, (sizes.get(row.id)! * row.matching) / row.seen]));
}

/** How many of each repository meet the condition on `p`; one without any is left out. */
async function countsIn(
  db: Kysely<Database>,
  repository_ids: readonly number[],
  condition: RawBuilder<unknown>,
): Promise<Map<number, number>> {
  const found = await inHalves(repository_ids, (half) =>
    sql<{ id: number; total: number }>`
      select r.id, (select count(*)::int from pull_requests p where p.repository_id = r.id and ${condition}) as total
      from unnest(${half}::int[]) r (id)`.execute(db),
  );
  return new Map(found.flatMap(({ rows }) => rows.flatMap(({ id, total }) => (total > 0 ? [[id, total]] : []))));
}

/** Which meet the condition on `p`: all of them, or more than `enough`. */
async function matchesIn(
  db: Kysely<Database>,
  repository_ids: readonly number[],
  condition: RawBuilder<unknown>,
  enough: number,
): Promise<Place[]> {
  const found = await inHalves(repository_ids, (half) =>
    sql<Place>`
      select p.repository_id, p.number from pull_requests p
      where p.repository_id = any(${half}::int[]) and ${condition}
      limit ${enough + 1}`.execute(db),
  );
  return found.flatMap(({ rows }) => rows);
}

/** Looks through the two halves of the repositories at the same time, where the database has the cores for it. */
function inHalves<Found>(
  repository_ids: readonly number[],
  look: (half: readonly number[]) => Promise<Found>,
): Promise<Found[]> {
  const halves = [0, 1].map((half) => repository_ids.filter((_id, index) => index % 2 === half));
  return Promise.all(halves.filter(({ length }) => length > 0).map(look));
}

/**
 * The condition on `p` that a text makes: those parts alone that something in scope can meet, for each costs a look at every row; and
 * the repositories of which every pull request meets it.
 */
async function withText(
  db: Kysely<Database>,
  scope: Scope,
  text: string,
): Promise<{ whole: readonly number[]; hasText: RawBuilder<boolean> }> {
  if (text === '') return { whole: scope.repository_ids, hasText: sql`true` };
  const { rows } = await sql<{ repositories: number[]; authors: number[] }>`
    select array(
      select r.id from repositories r
      where ${scope.filter('r', 'id')} and strpos(lower(r.owner || '/' || r.name), ${text}) > 0
    ) as repositories, array(
      select distinct t.person_id from contributor_totals t join people author on author.id = t.person_id
      where ${scope.filter('t')} and t.opened > 0 
        and (strpos(lower(author.login), ${text}) > 0 or strpos(author.name_lower, ${text}) > 0)
    ) as authors`.execute(db);
  const { repositories: whole, authors } = rows[0]!;
  if (whole.length === scope.repository_ids.length) return { whole, hasText: sql`true` };
  const parts = [
    ...(whole.length > 0 ? [sql`p.repository_id = any(${whole}::int[])`] : []),
    ...(authors.length > 0 ? [sql`p.author_id = any(${authors}::int[])`] : []),
    ...('ghost'.includes(text) ? [sql`p.author_id is null`] : []),
    sql`strpos(p.title_lower, ${text}) > 0`,
  ];
  return { whole, hasText: sql`(${sql.join(parts, sql` or `)})` };
}

async function rowsAt(
  db: Kysely<Database>,
  places: readonly Place[],
  request: PageRequest,
): Promise<PullRequestList['prs']> {
  const { rows } = await sql<PullRequestList['prs'][number]>`
    select p.host_id as github_id, p.number as pr_number, p.title, p.state, p.draft,
      coalesce(a.login, 'ghost') as author, a.name as author_display_name, a.avatar_url as author_avatar_url,
      coalesce(a.kind, 'ghost') as author_kind, f.by_agent,
      ${reviewerNames} as reviewers,
      r.owner || '/' || r.name as repo_full_name, r.owner as repo_owner, r.name as repo_name,
      p.lines_changed, p.created_at::text, p.updated_at::text, p.url as github_url,
      f.waiting_on, f.waiting_since::text, f.waiting_reason
    from ${unnested(places)} page (repository_id, number)
    join repositories r on r.id = page.repository_id
    join pull_requests p on p.repository_id = page.repository_id and p.number = page.number
    join pull_request_facts f on f.repository_id = page.repository_id and f.number = page.number
    left join people a on a.id = p.author_id
    order by ${orderOf(request)}`.execute(db);
  return rows.map((row) => ({
    ...row,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    waiting_since: row.waiting_since && isoOf(row.waiting_since),
  }));
}

function inState(state: PullRequestListRequest['state']) {
  return state === undefined ? sql`true` : sql`p.state = ${state}`;
}

function isUnfiltered({ drafts, bots, agents, turn }: PullRequestListRequest): boolean {
  return drafts === undefined && bots === undefined && agents === undefined && turn === undefined;
}

/** A deleted account is neither a bot nor an agent, but an agent may have left its traces in what it wrote. */
function withProperties({ drafts, bots, agents, turn }: PullRequestListRequest) {
  const byBot = sql`coalesce(p.author_id = any(array(select id from people where kind = 'bot')), false)`;
  const facts = sql`select from pull_request_facts f where f.repository_id = p.repository_id and f.number = p.number`;
  const byAgent = sql`exists (${facts} and f.by_agent)`;
  const wanted = [];
  if (drafts !== undefined) wanted.push(drafts === 'only' ? sql`p.draft` : sql`not p.draft`);
  if (turn !== undefined) wanted.push(sql`p.state = 'open' and exists (${facts} and f.waiting_on = ${turn})`);
  if (bots === 'hide') wanted.push(sql`not ${byBot}`);
  if (agents === 'hide') wanted.push(sql`not ${byAgent}`);
  if (bots === 'only' && agents === 'only') wanted.push(sql`(${byBot} or ${byAgent})`);
  else if (bots === 'only') wanted.push(byBot);
  else if (agents === 'only') wanted.push(byAgent);
  return wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `);
}
