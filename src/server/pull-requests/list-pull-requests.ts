import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { reviewerNames } from '../db/reviewer-names.ts';
import type { Scope } from '../db/scope.ts';

export interface PullRequestListRequest {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: 'updated_at' | 'created_at' | 'lines_changed' | 'title';
  readonly sortOrder: 'ASC' | 'DESC';
  readonly state?: 'open' | 'merged' | 'closed' | undefined;
  /** Trimmed and literal; blank matches everything. */
  readonly q?: string | undefined;
  readonly drafts?: PropertyFilter | undefined;
  readonly bots?: PropertyFilter | undefined;
  readonly agents?: PropertyFilter | undefined;
  readonly turn?: 'author' | 'reviewers' | 'merge' | undefined;
}

type PropertyFilter = 'hide' | 'only';

type Row = Omit<PullRequestList['prs'][number], 'created_at' | 'updated_at' | 'waiting_since'> & {
  created_at: Date;
  updated_at: Date;
  waiting_since: Date | null;
};

const keys = {
  updated_at: sql`p.updated_at`,
  created_at: sql`p.created_at`,
  lines_changed: sql`p.lines_changed`,
  title: sql`p.title_lower`,
};

const directions = { ASC: sql`asc`, DESC: sql`desc` };

/** Where one row of the list stands. */
interface Place {
  readonly repository_id: number;
  readonly number: number;
}

/** Pull requests by state, text and property, one page of them (metric definitions, section 5). Ties stand by owner, name and number. */
export async function listPullRequests(
  db: Kysely<Database>,
  scope: Scope,
  request: PullRequestListRequest,
): Promise<PullRequestList> {
  const text = request.q?.trim().toLowerCase() ?? '';
  const counts = await countsByState(db, scope);
  const { total, places } =
    text === '' && isUnfiltered(request)
      ? {
          total: counts[request.state ?? 'all'],
          places: await pageInOrder(db, scope.repository_ids, request, sql`${inState(request.state)} and ${withProperties(request)}`),
        }
      : await pageOfMatches(db, scope, request, text, counts.all);
  const prs = await rowsAt(db, places);
  return { prs, total, hasMore: request.offset + prs.length < total, counts };
}

async function countsByState(db: Kysely<Database>, scope: Scope): Promise<PullRequestList['counts']> {
  const { rows } = await sql<PullRequestList['counts']>`
    select coalesce(sum(opened), 0)::int as "all", coalesce(sum(open), 0)::int as open,
      coalesce(sum(merged), 0)::int as merged, coalesce(sum(opened - open - merged), 0)::int as closed
    from contributor_totals where repository_id = any(${scope.repository_ids}::int[])`.execute(db);
  return rows[0]!;
}

/**
 * Each repository gives its own first rows that meet the condition on `p`, in order, so that no more is read than the page and what
 * lies before it.
 */
async function pageInOrder(
  db: Kysely<Database>,
  repository_ids: readonly number[],
  { limit, offset, sortBy, sortOrder }: PullRequestListRequest,
  condition: RawBuilder<unknown>,
): Promise<Place[]> {
  const key = keys[sortBy];
  const direction = directions[sortOrder];
  const { rows } = await sql<Place>`
    select r.id as repository_id, chosen.number
    from repositories r
    cross join lateral (
      select p.number, ${key} as key from pull_requests p
      where p.repository_id = r.id and ${condition}
      order by ${key} ${direction}, p.number
      limit ${offset + limit}
    ) chosen
    where r.id = any(${repository_ids}::int[])
    order by chosen.key ${direction}, lower(r.owner) collate "C", lower(r.name) collate "C", chosen.number
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
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

/** No more matches than this are put in order by themselves. */
const MANY = 20_000;

/**
 * Up to how many matches it is less work to look at these alone than to read on in the order of the list until the page is full,
 * which looks at some (offset + limit) · all / matches, each ten times as fast as one that is looked up.
 */
function fewAmong(all: number, { offset, limit }: PullRequestListRequest): number {
  return Math.min(MANY, Math.floor(Math.sqrt(((offset + limit) * all) / 10)));
}

/**
 * Those with the wanted properties whose title, author's login or full name holds the text, in lower case; a deleted account is
 * called ghost. A repository of which every pull request has the text is not looked through where the kept totals tell how many
 * have the properties; the others are, once, in an index that holds what this needs. Those that seem to be many are only counted, and
 * the page is read in the order of the list; a few are put in order by themselves.
 */
async function pageOfMatches(
  db: Kysely<Database>,
  scope: Scope,
  request: PullRequestListRequest,
  text: string,
  all: number,
): Promise<{ total: number; places: Place[] }> {
  if (all === 0) return { total: 0, places: [] };
  const { whole, condition: hasText } = await withText(db, scope, text);
  const condition = sql`${inState(request.state)} and ${hasText} and ${withProperties(request)}`;
  const few = fewAmong(all, request);
  const kept = whole.length === 0 ? 0 : await keptTotal(db, whole, request);
  const counted = kept !== null && kept > few ? { in: whole, total: kept } : { in: [], total: 0 };
  const left = scope.repository_ids.filter((id) => !counted.in.includes(id));
  if (counted.total === 0 && (await shareOf(db, left, condition)) * all <= few) {
    const matches = await matchesIn(db, left, condition, 2 * few);
    if (matches.length <= 2 * few) return { total: matches.length, places: await pageAmong(db, matches, request) };
  }
  const found = await countsIn(db, left, condition);
  const total = found.reduce((sum, { total }) => sum + total, counted.total);
  if (2 * total <= few) return { total, places: await pageAmong(db, await matchesIn(db, left, condition, few), request) };
  const where = [...counted.in, ...found.map(({ repository_id }) => repository_id)];
  return { total, places: await pageInOrder(db, where, request, condition) };
}

/** So many are looked at to guess how many match. */
const SAMPLE = 2000;

/** Which share of those in the repositories meets the condition on `p`, guessed from some of each. */
async function shareOf(
  db: Kysely<Database>,
  repository_ids: readonly number[],
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ seen: number; matching: number }>`
    select count(*)::int as seen, count(*) filter (where ${condition})::int as matching
    from unnest(${repository_ids}::int[]) r (id)
    cross join lateral (select * from pull_requests where repository_id = r.id limit ${Math.ceil(SAMPLE / repository_ids.length)}) p
    `.execute(db);
  const { seen, matching } = rows[0]!;
  return seen === 0 ? 0 : matching / seen;
}

/** How many of each repository meet the condition on `p`; those without any are left out. */
async function countsIn(db: Kysely<Database>, repository_ids: readonly number[], condition: RawBuilder<unknown>) {
  const found = await inHalves(repository_ids, (half) =>
    sql<{ repository_id: number; total: number }>`
      select p.repository_id, count(*)::int as total from pull_requests p
      where p.repository_id = any(${half}::int[]) and ${condition}
      group by p.repository_id`.execute(db),
  );
  return found.flatMap(({ rows }) => rows);
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

async function pageAmong(
  db: Kysely<Database>,
  matches: readonly Place[],
  { limit, offset, sortBy, sortOrder }: PullRequestListRequest,
): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select p.repository_id, p.number
    from ${unnested(matches)} match (repository_id, number)
    join repositories r on r.id = match.repository_id
    join pull_requests p on p.repository_id = match.repository_id and p.number = match.number
    order by ${keys[sortBy]} ${directions[sortOrder]}, lower(r.owner) collate "C", lower(r.name) collate "C", p.number
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

function unnested(places: readonly Place[]) {
  return sql`unnest(
      ${places.map(({ repository_id }) => repository_id)}::int[], ${places.map(({ number }) => number)}::int[]
    )`;
}

/**
 * The condition on `p` that a text makes: those parts alone that something in scope can meet, for each costs a look at every row; and
 * the repositories of which every pull request meets it.
 */
async function withText(
  db: Kysely<Database>,
  scope: Scope,
  text: string,
): Promise<{ whole: readonly number[]; condition: RawBuilder<boolean> }> {
  if (text === '') return { whole: scope.repository_ids, condition: sql`true` };
  const { rows } = await sql<{ repositories: number[]; authors: number[] }>`
    select array(
      select r.id from repositories r
      where r.id = any(${scope.repository_ids}::int[]) and strpos(lower(r.owner || '/' || r.name), ${text}) > 0
    ) as repositories, array(
      select distinct t.person_id from contributor_totals t join people author on author.id = t.person_id
      where t.repository_id = any(${scope.repository_ids}::int[]) and t.opened > 0 and strpos(lower(author.login), ${text}) > 0
    ) as authors`.execute(db);
  const { repositories: whole, authors } = rows[0]!;
  if (whole.length === scope.repository_ids.length) return { whole, condition: sql`true` };
  const parts = [
    ...(whole.length > 0 ? [sql`p.repository_id = any(${whole}::int[])`] : []),
    ...(authors.length > 0 ? [sql`p.author_id = any(${authors}::int[])`] : []),
    ...('ghost'.includes(text) ? [sql`p.author_id is null`] : []),
    sql`strpos(p.title_lower, ${text}) > 0`,
  ];
  return { whole, condition: sql`(${sql.join(parts, sql` or `)})` };
}

async function rowsAt(db: Kysely<Database>, places: readonly Place[]): Promise<PullRequestList['prs']> {
  const { rows } = await sql<Row>`
    select p.host_id as github_id, p.number as pr_number, p.title, p.state, p.draft,
      coalesce(a.login, 'ghost') as author, a.name as author_display_name, a.avatar_url as author_avatar_url,
      coalesce(a.kind, 'ghost') as author_kind, f.by_agent,
      ${reviewerNames} as reviewers,
      r.owner || '/' || r.name as repo_full_name, r.owner as repo_owner, r.name as repo_name,
      p.lines_changed, p.created_at, p.updated_at, p.url as github_url,
      f.waiting_on, f.waiting_since, f.waiting_reason
    from ${unnested(places)} with ordinality page (repository_id, number, place)
    join repositories r on r.id = page.repository_id
    join pull_requests p on p.repository_id = page.repository_id and p.number = page.number
    join pull_request_facts f on f.repository_id = page.repository_id and f.number = page.number
    left join people a on a.id = p.author_id
    order by page.place`.execute(db);
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    waiting_since: row.waiting_since?.toISOString() ?? null,
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
