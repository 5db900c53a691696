import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { listPullRequests } from '#contract/pull-requests.ts';
import type { Authorship } from '#domain/authorship.ts';
import { NOBODY } from '#domain/credit.ts';
import { authorshipOf, creditedIdOf } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { containing } from '../db/like.ts';
import { hasTrigram } from '../db/title-index.ts';
import { isAskedOfTeam } from '../metrics/asked-of-team.ts';
import { allOf } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';

/** The parameters of the list. Those that narrow the scope are not among them. */
export type PullRequestListRequest = Omit<QueryOf<typeof listPullRequests>, 'repository' | 'team' | 'team_as'>;

/** What narrows the list: every parameter but those of its order and pages. */
type FilterParameter = Exclude<keyof PullRequestListRequest, 'limit' | 'offset' | 'sortBy' | 'sortOrder'>;

/** How the list is narrowed by a parameter. */
export interface Filter {
  /** On the pull request `p`. */
  readonly condition: RawBuilder<unknown>;
  /** The same on a row `p` of the kept totals (`keptCounts`); null where they cannot tell. */
  readonly onTotals: RawBuilder<unknown> | null;
  /** The same on a row `p` of facts, told by an index alone: who wrote a pull request and whom it is credited to. */
  readonly onFacts?: RawBuilder<unknown>;
  /** What facts have for `authorship`, or nothing yet, where it holds. */
  readonly authorships?: readonly Authorship[];
  /** It holds of all of which this one does not, by facts; where most do, these are fewer. */
  readonly unless?: Filter;
  /** Of a text, which alone reads more of `p` itself than its key, author, state and whether it is a draft. */
  readonly text?: TextMatches;
}

/** By what pull requests hold a text: each of these alone is enough. */
export interface TextMatches {
  /** On the pull request `p`. */
  readonly inTitle: RawBuilder<unknown>;
  /** On `p`, by the index of authors; null where nobody's name holds it. */
  readonly byAuthor: RawBuilder<unknown> | null;
  /** Of which it finds all. */
  readonly repositories: readonly number[];
}

type FilterOf = (
  request: PullRequestListRequest,
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
) => Filter | null | Promise<Filter | null>;

const facts = sql`select from pull_request_facts f where f.repository_id = p.repository_id and f.number = p.number`;

const notHuman: readonly Authorship[] = ['assisted', 'agent', 'bot', 'ghost'];

const kindOfAuthor = (facts: string) => sql`(select kind from people where id = ${sql.ref(`${facts}.author_id`)})`;

/** By facts alone. Of a single pull request they are looked up by its key, which the database never turns into a join with all of them. */
const byFacts = (condition: (facts: string) => RawBuilder<unknown>): Filter => ({
  condition: sql`(select ${condition('f')} from pull_request_facts f where f.repository_id = p.repository_id and f.number = p.number)`,
  onTotals: null,
  onFacts: condition('p'),
});

/** Null where the request does not narrow the list. A new filter is an entry here and its parameter in the contract. */
const filters = {
  // All counts are by state, so that totals need no condition for it.
  state: ({ state }) => (state === undefined ? null : { condition: sql`p.state = ${state}`, onTotals: null }),

  drafts: ({ drafts }) =>
    drafts === undefined ? null : { condition: drafts === 'only' ? sql`p.draft` : sql`not p.draft`, onTotals: null },

  turn: ({ turn }) =>
    turn === undefined
      ? null
      : {
          condition: sql`p.state = 'open' and exists (${facts} and f.ended_at is null and f.waiting_on = ${turn})`,
          onTotals: null,
        },

  asked: async ({ asked }, db, scope, now) =>
    asked === undefined ? null : { condition: await isAskedOfTeam(db, scope.user_id, asked, now), onTotals: null },

  requested: async ({ requested }, db) => {
    if (requested === undefined) return null;
    const { rows } = await sql<{ id: number }>`
      select id from people where lower(login) = lower(${requested})`.execute(db);
    return {
      condition: sql`(p.state = 'open' and exists (${facts} and f.ended_at is null and f.waiting_on = 'reviewers')
        and exists (select from review_requests request where request.repository_id = p.repository_id and request.number = p.number
          and request.person_id = any(${rows.map(({ id }) => id)}::int[])))`,
      onTotals: null,
    };
  },

  // `bots` and `agents` together, because `only` of both lists either. A deleted account is neither, but an agent may have left its traces
  // in what it wrote.
  authors: ({ bots, agents }) => {
    if (bots === undefined && agents === undefined) return null;
    const wanted = (byBot: RawBuilder<unknown>, byAgent: RawBuilder<unknown>) => {
      const whichAre = (choice: 'hide' | 'only') => [
        ...(bots === choice ? [byBot] : []),
        ...(agents === choice ? [byAgent] : []),
      ];
      const [hidden, only] = [whichAre('hide'), whichAre('only')];
      return allOf([
        ...hidden.map((it) => sql`not ${it}`),
        ...(only.length > 0 ? [sql`(${sql.join(only, sql` or `)})`] : []),
      ]);
    };
    return {
      condition: wanted(isBot('p.author_id'), sql`exists (${facts} and f.by_agent)`),
      onTotals: wanted(sql`p.by_bot`, sql`p.by_agent`),
    };
  },

  authorship: ({ authorship }) => {
    if (authorship === undefined) return null;
    const written = (by: readonly Authorship[]) => ({
      ...byFacts((f) => sql`${authorshipOf(f, kindOfAuthor(f))} = any(${by}::text[])`),
      authorships: by,
    });
    return authorship === 'human' ? { ...written(['human']), unless: written(notHuman) } : written([authorship]);
  },

  tool: ({ tool }) => (tool === undefined ? null : byFacts((f) => sql`${tool} = any(${sql.ref(`${f}.agents`)})`)),

  // Whom a pull request is credited to is as a rule its author: both are found by an index of either.
  credited_to: async ({ credited_to }, db) => {
    if (credited_to === undefined) return null;
    if (credited_to.toLowerCase() === NOBODY)
      return byFacts(
        (f) => sql`(${sql.ref(`${f}.credited_id`)} is null and ${creditedIdOf(f, kindOfAuthor(f))} is null)`,
      );
    const { rows } = await sql<{ id: number }>`
      select id from people where lower(login) = lower(${credited_to})`.execute(db);
    const ids = sql`${rows.map(({ id }) => id)}::int[]`;
    return byFacts(
      (f) => sql`(coalesce(${sql.ref(`${f}.credited_id`)}, ${sql.ref(`${f}.author_id`)}) = any(${ids})
        and ${creditedIdOf(f, kindOfAuthor(f))} = any(${ids}))`,
    );
  },

  // Title, author's login or display name, or repository's full name hold the text, in lower case; a deleted account is called ghost.
  q: async ({ q }, db, scope) => {
    const text = q?.trim().toLowerCase() ?? '';
    if (text === '') return null;
    const { rows } = await sql<{ repositories: number[]; authors: number[] }>`
      select array(
        select r.id from repositories r
        where ${scope.filter('r', 'id')} and strpos(lower(r.owner || '/' || r.name), ${text}) > 0
      ) as repositories, array(
        select distinct t.person_id from contributor_totals t join people author on author.id = t.person_id
        where ${scope.filter('t')} and t.opened > 0
          and (strpos(lower(author.login), ${text}) > 0 or strpos(author.name_lower, ${text}) > 0)
      ) as authors`.execute(db);
    const { repositories, authors } = rows[0]!;
    if (repositories.length === scope.repository_ids.length) return { condition: sql`true`, onTotals: sql`true` };
    const holders = [
      ...(authors.length > 0 ? [sql`p.author_id = any(${authors}::int[])`] : []),
      ...('ghost'.includes(text) ? [sql`p.author_id is null`] : []),
    ];
    const byAuthor = holders.length === 0 ? null : sql`(${sql.join(holders, sql` or `)})`;
    // Of a text without trigrams the index of these would be read whole.
    const inTitle = hasTrigram(text)
      ? sql`p.title_lower like ${containing(text)}`
      : sql`strpos(p.title_lower, ${text}) > 0`;
    const ways = [inTitle, ...(byAuthor === null ? [] : [byAuthor]), scope.within(repositories).filter('p')];
    return {
      condition: sql`(${sql.join(ways, sql` or `)})`,
      onTotals: null,
      text: { inTitle, byAuthor, repositories },
    };
  },
} satisfies Record<Exclude<FilterParameter, 'bots' | 'agents'> | 'authors', FilterOf>;

export type Filters = Readonly<Record<keyof typeof filters, Filter | null>>;

/** The filters of a request. That of `q` is null only for a blank text, not for one that everything in scope holds. */
export async function filtersOf(
  db: Kysely<Database>,
  scope: Scope,
  request: PullRequestListRequest,
  now: Date,
): Promise<Filters> {
  const entries = Object.entries<FilterOf>(filters).map(
    async ([name, filterOf]) => [name, await filterOf(request, db, scope, now)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Filters;
}

/** True where the person whose id the column holds is a bot; false of a deleted account. */
export function isBot(column: string): RawBuilder<unknown> {
  return sql`coalesce(${sql.ref(column)} = any(array(select id from people where kind = 'bot')), false)`;
}
