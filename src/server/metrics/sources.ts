import { type RawBuilder, sql } from 'kysely';
import { fates, PEOPLE } from '#domain/reviewer-acts.ts';
import type { HealthSettings } from '#domain/signals.ts';
import { authorshipOf } from '../db/attribution-columns.ts';
import type { Compared } from '../db/compared.ts';
import { creditedTo, eachTeam, humansOf, pullRequestBelongs } from './belongs.ts';
import { allOf, contributes, kindOf, sizeOf } from './conditions.ts';
import { contributions } from './contributions.ts';
import type { Scope } from './scope.ts';
import { authored, isStarted } from './starters.ts';
import { carried, isMemberAt, isThenMember, type ScopeTeam, type TeamsApart } from './team-people.ts';

export type Sql = RawBuilder<unknown>;

/** After `after`, up to and including `until`; null: now, and what is dated later counts as now. */
export interface Span {
  readonly after: Date;
  readonly until: Date | null;
}

/** Of whom and when metrics are asked. */
export interface Asked {
  readonly scope: Scope;
  readonly now: Date;
  /** Whose days, weekdays and hours count: an IANA name. */
  readonly time_zone: string;
  readonly window: Span;
  /** The row id of the one person asked about; null for the team. */
  readonly person: number | null;
  /** Of the team: whose rows count by the person that a source names. `known` are all accounts that are not deleted. */
  readonly people: 'everybody' | 'known' | 'humans';
  /** The metrics are told apart by person. */
  readonly byPerson: boolean;
  /** The pull request that others are compared with, which is none of them. */
  readonly compared: Compared | null;
  /** By what signals are told; null where none is asked for. */
  readonly health: HealthView | null;
  /** Whose findings and reviews are told beside pull requests; null where nobody's are asked for. */
  readonly reviewer: ReviewerView | null;
}

/** Of which reviewer figures of AI in review are asked, and on which pull requests (docs/metrics.md#ai-reviewers). */
export interface ReviewerView {
  /** A tool; all agents together; all people; or several tools and, where they are wanted, people, each apart. */
  readonly of:
    | ReviewingTool
    | 'agents'
    | 'people'
    | { readonly each: readonly ReviewingTool[]; readonly people: boolean };
  /** Kinds of accounts that opened them, and sizes; null for any. */
  readonly authorKinds: readonly string[] | null;
  readonly sizes: readonly string[] | null;
}

/** A tool with its accounts, whose own pull requests are none that it reviews. */
interface ReviewingTool {
  readonly tool: string;
  readonly accounts: readonly number[];
}

/** What signals are asked of, and by which thresholds (docs/metrics.md#signals). */
export interface HealthView {
  readonly settings: HealthSettings;
  /** Of whom pull requests are counted. */
  readonly authorship: readonly string[];
  /** Whatever branch they were merged into; else the default branch, by each name that it had. */
  readonly allBases: boolean;
}

/** How things are looked at, whosever they are. */
export type Viewpoint = Omit<Asked, 'scope'>;

/** What rows are read for: a number over them, or each of them alone (by bucket or dimension), or the items behind a figure. */
export type Use = 'whole' | 'each' | 'items';

/** A named relation of things that metrics count, as `it` in questions. */
export interface Source {
  /** The things in scope, of the window, people and team asked for. */
  readonly rows: (asked: Asked, use: Use) => { readonly from: Sql; readonly where: Sql };
  /** When one counts. */
  readonly moment: Sql;
  /** Whose it is: author, reviewer, who is asked. */
  readonly person: Sql;
  /** A state now: it has no window. */
  readonly isState?: true;
  /** From when until when each thing of all time was in the state, so that it has a past; `rows` are those that are in it now. */
  readonly lasts?: { readonly from: Sql; readonly ends: Sql };
  /** The alias of the row of `pull_requests` among its columns; absent where it has to be joined with. */
  readonly pull?: string;
  /** Its things are pull requests by author, or hold that somebody opened one: who started an agent has a part in them. */
  readonly isAuthored?: true;
  /** Its things are facts of pull requests. */
  readonly isFacts?: true;
  /**
   * What holds of the facts of the pull request of each thing that counts in the window, by an index: not all of history is joined with
   * then, and what tells things apart is read there.
   */
  readonly factsOfCounted?: (facts: string, asked: Asked) => Sql;
  /** The same things as facts: for what only facts say of them, and where nothing tells them apart. */
  readonly asFacts?: Source;
  /** Its things are what was so at a moment, `it.at`; those of some moments, each once. */
  readonly among?: (moments: readonly Date[]) => Source;
  readonly belongs: Belonging;
}

/** By what its things belong to a team (docs/metrics.md#teams). */
interface Belonging {
  /** Whoever did them, and when: they belong to a team of which that one was a member then. */
  readonly person: Sql;
  readonly at: Sql | 'now';
  /** Unless people are asked about, by the pull request with this alias, whose author is `author`; `isFacts` where that is its facts. */
  readonly pull?: string;
  readonly author?: Sql;
  readonly isFacts?: true;
  /** Unless people are told apart, what bots and agents did among them counts too, or is told as left out. */
  readonly ofAnyKind?: true;
}

const it = (column: string) => sql.ref(`it.${column}`);

/** Whether a moment lies in a window. */
export function within(moment: Sql, { after, until }: Span): Sql {
  return until === null ? sql`${moment} > ${after}` : sql`${moment} > ${after} and ${moment} <= ${until}`;
}

/** Whether rows of that person are asked for; nothing where all are. */
function wanted(person: Sql, asked: Asked): Sql[] {
  if (asked.person !== null) return [sql`${person} = ${asked.person}`];
  if (asked.people === 'humans') return [sql`${person} in (select id from people where kind = 'human')`];
  return asked.people === 'known' || asked.byPerson ? [sql`${person} is not null`] : [];
}

const isWanted = (person: Sql, asked: Asked) => allOf(wanted(person, asked));

/** Whether what people did themselves is asked for, each or one of them, and not what belongs to the team as a whole. */
const isOfPeople = ({ person, byPerson }: Asked) => person !== null || byPerson;

/** The scope by whose pull requests are asked for, which only people are told apart by. */
const authoredIn = (asked: Asked) => (isOfPeople(asked) ? asked.scope : asked.scope.by('openers'));

/** Whoever of a team counts: people, or the one account that is asked about, whatever it is. */
function countedOf(team: ScopeTeam, { person }: Asked): ScopeTeam {
  if (person === null) return humansOf(team);
  if (team.members === null) return team;
  return { ...team, ...carried(team.members.filter(({ person_id }) => person_id === person)) };
}

/** Whether a thing belongs to the team that is asked about. */
function isOfTeam(
  { person, at, pull, author, isFacts, ofAnyKind }: Belonging,
  team: ScopeTeam,
  asked: Asked,
  factsOfCounted?: Source['factsOfCounted'],
): Sql {
  if (pull !== undefined && !isOfPeople(asked)) {
    // That they are in scope says the index where to begin.
    const counted = (facts: string) =>
      allOf([asked.scope.filter(facts), ...(factsOfCounted === undefined ? [] : [factsOfCounted(facts, asked)])]);
    return pullRequestBelongs(team, pull, isFacts ? pull : null, { counted, ...(author && { author }) });
  }
  const moment = at === 'now' ? sql`${asked.now}::timestamptz` : at;
  if (asked.person !== null) return isThenMember(team, asked.person, moment);
  return isMemberAt(ofAnyKind && !asked.byPerson ? team : humansOf(team), person, moment);
}

/**
 * Whether a thing of a source belongs to the team that is asked about; nothing where none is. Rows are narrowed by it: it is for what is
 * joined with besides.
 */
export function belongs(source: Pick<Source, 'belongs' | 'factsOfCounted'>, asked: Asked): Sql {
  const { team } = asked.scope;
  return team === null ? sql`true` : isOfTeam(source.belongs, team, asked, source.factsOfCounted);
}

/** Whether facts of a source's pull request are needed to tell its things apart by team. */
export function isTeamOfFacts({ belongs: { pull } }: Source, asked: Asked): boolean {
  return pull !== undefined && !isOfPeople(asked);
}

/** To which of several teams things belong: see `eachTeam`. `facts` is the alias of the facts of their pull request, where it is needed. */
export function teamsOf(source: Source, asked: Asked, teams: TeamsApart, facts: string): ReturnType<typeof eachTeam> {
  const { person, at } = source.belongs;
  if (!isTeamOfFacts(source, asked))
    return eachTeam(teams, { person, at: at === 'now' ? sql`${asked.now}::timestamptz` : at });
  if (teams.as === 'reviewer') return eachTeam(teams, { pull: facts, inScope: asked.scope.filter('given') });
  return eachTeam(teams, { person: creditedTo(facts), at: sql.ref(`${facts}.created_at`) });
}

/** The same source, of which a question about a team reads what belongs to it. */
function narrowed(source: Source): Source {
  return {
    ...source,
    rows: (asked, use) => {
      const read = source.rows(asked, use);
      return asked.scope.team === null ? read : { ...read, where: sql`${read.where} and ${belongs(source, asked)}` };
    },
  };
}

/** By its row of `pull_requests`, or, with facts, by these. */
const byPull = (pull: string): Belonging => {
  const author = sql.ref(`${pull}.author_id`);
  return { person: author, at: sql.ref(`${pull}.created_at`), pull, author };
};
const byFacts = (facts: string): Belonging => ({ ...byPull(facts), isFacts: true });

/** A source that is a table, or tables joined, that rides on an index by repository, its person where one is asked for, and its moment. */
function table(
  from: Sql | ((asked: Asked) => Sql),
  {
    scope = 'it',
    where,
    ...columns
  }: Omit<Source, 'rows'> & { readonly scope?: string; readonly where?: (asked: Asked) => Sql[] },
): Source {
  const source = narrowed({
    ...columns,
    rows: (asked) => ({
      from: typeof from === 'function' ? from(asked) : from,
      where: allOf([
        asked.scope.filter(scope),
        ...(columns.isState ? [] : [within(columns.moment, asked.window)]),
        ...wanted(columns.person, asked),
        ...(where?.(asked) ?? []),
      ]),
    }),
  });
  const { asFacts } = columns;
  if (asFacts === undefined) return source;
  // Whose facts say to which team a thing belongs need not be looked at besides.
  const isOfFacts = (asked: Asked, use: Use) =>
    use === 'whole' && asked.scope.team !== null && isTeamOfFacts(source, asked);
  return { ...source, rows: (asked, use) => (isOfFacts(asked, use) ? asFacts : source).rows(asked, use) };
}

const factsBy = (asked: Asked) => sql`${authored('pull_request_facts', authoredIn(asked))} it`;
const pullRequestsBy = (asked: Asked) => sql`${authored('pull_requests', authoredIn(asked))} it`;

/** Facts of pull requests when they were opened. */
export const openedFacts = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
});

/** Pull requests when they were opened. Author and lines changed are read from an index alone: another column reads the table. */
export const opened = table(pullRequestsBy, {
  isAuthored: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byPull('it'),
  pull: 'it',
  factsOfCounted: (facts, { window }) => sql`${sql.ref(`${facts}.created_at`)} > ${window.after}`,
  asFacts: openedFacts,
});

/** Facts of pull requests when they were merged or closed; `time_to_merge` is null of what was closed. Read from an index alone. */
export const ended = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  moment: it('ended_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  where: ({ compared }) =>
    compared === null
      ? []
      : [sql`(it.repository_id, it.number) <> (${compared.repository_id}::int, ${compared.number}::int)`],
});

/** Facts of those that are open. */
export const openFacts = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  isState: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  where: () => [sql`it.ended_at is null`],
});

/** Pull requests that are open, by an index of these alone. */
export const open = table(pullRequestsBy, {
  isAuthored: true,
  isState: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byPull('it'),
  pull: 'it',
  factsOfCounted: (facts) => sql`${sql.ref(`${facts}.ended_at`)} is null`,
  asFacts: openFacts,
  lasts: { from: it('created_at'), ends: it('ended_at') },
  where: () => [sql`it.state = 'open'`],
});

/** Pull requests when they were opened, of those that were open at a moment or later: not of all of history, by two indexes. */
export function heldSince(first: Date): Source {
  return narrowed({
    ...opened,
    rows: (asked) => {
      const part = (condition: Sql) => sql`select * from pull_requests where ${asked.scope.filter()} and ${condition}`;
      return {
        from: sql`(${part(sql`state = 'open' and ended_at is null`)} union all ${part(sql`ended_at >= ${first}`)}) it`,
        where: allOf([within(it('created_at'), asked.window), ...wanted(it('author_id'), asked)]),
      };
    },
  });
}

/** Facts of pull requests at their first review. */
export const firstReviews = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  moment: it('first_review_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
});

/**
 * By what signals are told.
 * @throws Error where a question about one was asked without
 */
export function healthIn({ health }: Viewpoint): HealthView {
  if (health === null) throw new Error('A signal is asked for without thresholds.');
  return health;
}

/** Facts `f` of pull requests that signals are about: by those who are asked for, and on the default branch by each name that it had. */
function aboutSignals(asked: Asked): { readonly from: Sql; readonly where: Sql } {
  const { authorship, allBases } = healthIn(asked);
  const authors = sql`${authorship}::text[]`;
  const kind = authorshipOf('f', sql`(select kind from people where id = f.author_id)`);
  return {
    from: sql`pull_request_facts f
      join (select id, array[default_branch] || former_default_branches as bases from repositories) home on home.id = f.repository_id`,
    where: allOf([
      asked.scope.filter('f'),
      // The same as \`kind\` alone, of which the database cannot tell how many there are.
      sql`(f.authorship = any(${authors}) or (f.authorship is null and ${kind} = any(${authors})))`,
      // Of what is not computed yet the base is not known; it is left out as unknown.
      ...(allBases ? [] : [sql`(f.signals = 0 or f.base_ref = any(home.bases))`]),
      ...wanted(sql`f.author_id`, asked),
    ]),
  };
}

/** Facts of merged pull requests that signals are about. */
export const mergedForSignals = narrowed({
  moment: it('ended_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  isFacts: true,
  rows: (asked) => {
    const { from, where } = aboutSignals(asked);
    return {
      from: sql`(select f.* from ${from}
        where ${where} and f.time_to_merge is not null and ${within(sql`f.ended_at`, asked.window)}) it`,
      where: sql`true`,
    };
  },
});

/** Facts of pull requests that signals are about and that were open at a moment `it.at`, the end of the window; what is dated later than now counts as now. */
export const openAt = narrowed({
  moment: it('at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  isFacts: true,
  among: openAmong,
  rows: (asked) => {
    const { now, window } = asked;
    const at = sql`${window.until === null ? now : new Date(window.until.getTime() + 1)}::timestamptz`;
    const { from, where } = aboutSignals(asked);
    return {
      from: sql`(
          select f.*, ${at} as at from ${from}
          where ${where} and (f.ended_at is null or f.ended_at > ${at}) and least(f.created_at, ${now}::timestamptz) <= ${at}
        ) it`,
      where: sql`true`,
    };
  },
});

/**
 * The same of those that were open at one of some moments, ascending, each once: it was from the `first` of them, 1 and up, to before the
 * `last`, which is one more than there are where it was open at all of them from then on.
 */
export function openAmong(moments: readonly Date[]): Source {
  const ofMoments = sql`${moments}::timestamptz[]`;
  return narrowed({
    ...openAt,
    rows: (asked) => {
      const { from, where } = aboutSignals(asked);
      const since = (facts: string) => sql`least(${sql.ref(`${facts}.created_at`)}, ${asked.now}::timestamptz)`;
      // Of those that have ended an index alone says which of them lasted until one of the moments: few.
      return {
        from: sql`(
            select f.*, ${nextOf(ofMoments, since('f'))} as first, ${moments.length + 1}::int as last from ${from}
            where ${where} and f.ended_at is null and ${since('f')} <= ${moments.at(-1)}
            union all
            select f.*, held.first, held.last from (
              select repository_id, number, first, last from (
                select e.repository_id, e.number, ${nextOf(ofMoments, since('e'))} as first,
                  ${nextOf(ofMoments, sql`e.ended_at`)} as last
                from pull_request_facts e where ${asked.scope.filter('e')} and e.ended_at > ${moments[0]}
              ) ended where first < last
            ) held join ${from} on f.repository_id = held.repository_id and f.number = held.number
            where ${where}
          ) it`,
        where: sql`true`,
      };
    },
  });
}

/** Which of some moments is the first that is not before another; null of null. */
export const nextOf = (moments: Sql, moment: Sql): Sql =>
  sql`(1 + width_bucket(${moment} - interval '1 microsecond', ${moments}))`;

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

/** Each once, whoever opened it, with the `reviewers` of several that acted on it; null where none did. */
export const readyForAll = readyFacts((asked) => ({
  columns: sql`, acts.reviewers`,
  join: sql`left join (
      select repository_id, number, array_agg(reviewer order by reviewer) as reviewers from ${actsBy('ready_at', asked)} a group by 1, 2
    ) acts on ${isOfFacts}`,
}));

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

/** Facts of pull requests at their end or, of open ones, at their opening: each was last decided on in one window. */
export const decided = narrowed({
  isAuthored: true,
  moment: it('decided_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  rows: (asked) => {
    const part = (moment: Sql, condition: Sql) => sql`
      select f.repository_id, f.number, f.author_id, f.credited_id, f.created_at, ${moment} as decided_at, f.latest_opinion
      from ${authored('pull_request_facts', authoredIn(asked))} f
      where ${asked.scope.filter('f')} and ${isWanted(sql`f.author_id`, asked)} and ${within(moment, asked.window)} and ${condition}`;
    return {
      from: sql`(${part(sql`f.ended_at`, sql`true`)} union all ${part(sql`f.created_at`, sql`f.ended_at is null`)}) it`,
      where: sql`true`,
    };
  },
});

const byReview: Belonging = { person: it('author_id'), at: it('submitted_at'), ofAnyKind: true };

/** Submitted reviews. */
export const reviews = table(sql`reviews it`, {
  moment: it('submitted_at'),
  person: it('author_id'),
  belongs: byReview,
  factsOfCounted: (facts, { window }) => sql`${sql.ref(`${facts}.last_review_at`)} > ${window.after}`,
});

/** Submitted reviews of pull requests by people. */
export const reviewsOfPeople = table(
  sql`reviews it join pull_requests pull on pull.repository_id = it.repository_id and pull.number = it.number
    join people helped on helped.id = pull.author_id and helped.kind = 'human'`,
  { moment: it('submitted_at'), person: it('author_id'), belongs: byReview, pull: 'pull' },
);

/** Submitted reviews by the author whom they are given to; none lies after the end of its pull request but by a mistake of clocks. */
export const reviewsReceived = narrowed({
  isAuthored: true,
  moment: it('submitted_at'),
  person: sql`pull.author_id`,
  belongs: { person: sql`pull.author_id`, at: sql`pull.created_at` },
  rows: (asked, use) => {
    const scope = authoredIn(asked);
    // Whoever reviews what their agent opened gives that to nobody else.
    const isOfOther = scope.authors === 'openers' ? [] : [sql`it.author_id is distinct from pull.author_id`];
    if (use === 'items')
      return {
        from: sql`reviews it join ${authored('pull_requests', scope)} pull on pull.repository_id = it.repository_id and pull.number = it.number`,
        where: allOf([
          asked.scope.filter('it'),
          asked.scope.filter('pull'),
          within(it('submitted_at'), asked.window),
          ...wanted(sql`pull.author_id`, asked),
          ...isOfOther,
        ]),
      };
    const part = (facts: Sql) => sql`
      select repository_id, number, author_id, created_at from ${facts} and ${asked.scope.filter()} and ${isWanted(sql`author_id`, asked)}`;
    return {
      from: sql`(
          ${part(sql`${authored('pull_requests', scope)} p where state = 'open'`)} union all
          ${part(sql`${authored('pull_request_facts', scope)} f where ended_at > ${asked.window.after}`)}
        ) pull join reviews it on it.repository_id = pull.repository_id and it.number = pull.number`,
      where: allOf([within(it('submitted_at'), asked.window), ...isOfOther]),
    };
  },
});

/**
 * Counting reviews on the pull requests of the team that is asked about, or by its members on people's, with `crosses`: whether they were given
 * by somebody who was no member then, or to another's pull request. A pull request is the team's by whom it is credited to, whichever way
 * the scope's are. Without a team everybody is in it.
 */
function acrossTeams(side: 'received' | 'given'): Source {
  return {
    moment: it('submitted_at'),
    person: it('author_id'),
    belongs: byReview,
    rows: (asked) => {
      const { scope, window } = asked;
      const team = scope.team === null ? null : humansOf(scope.team);
      const isOurs = (person: Sql, at: Sql) =>
        team === null ? sql`${person} in (select id from people where kind = 'human')` : isMemberAt(team, person, at);
      const isByMember = isOurs(sql`given.author_id`, sql`given.submitted_at`);
      const isOfTeam = isOurs(creditedTo('f'), sql`f.created_at`);
      const [counted, crosses] =
        side === 'received'
          ? [isOfTeam, isByMember]
          : [sql`${isByMember} and f.author_id in (select id from people where kind = 'human')`, isOfTeam];
      return {
        from: sql`(
            select given.*, (${crosses}) is not true as crosses from reviews given
            join pull_request_facts f on f.repository_id = given.repository_id and f.number = given.number
            where ${scope.filter('given')} and ${scope.filter('f')} and given.counts
              and ${within(sql`given.submitted_at`, window)} and f.last_review_at > ${window.after} and ${counted}
          ) it`,
        where: isWanted(it('author_id'), asked),
      };
    },
  };
}

export const reviewsOnTeams = acrossTeams('received');
export const reviewsByTeams = acrossTeams('given');

/** Reviews that are asked for on open pull requests; `person_id` is null where a team is asked. */
export const reviewRequests = table(
  sql`pull_requests pull join review_requests it on it.repository_id = pull.repository_id and it.number = pull.number`,
  {
    isState: true,
    scope: 'pull',
    moment: sql`pull.created_at`,
    person: it('person_id'),
    belongs: { person: it('person_id'), at: 'now' },
    pull: 'pull',
    where: () => [sql`pull.state = 'open'`],
  },
);

const everyMoment = table(sql`timeline_moments it`, {
  moment: it('at'),
  person: it('person_id'),
  belongs: { person: it('person_id'), at: it('at'), pull: 'it' },
});

/** Everything in the timelines of pull requests; `person_id` is null of checks and deleted accounts. */
export const timeline: Source = {
  ...everyMoment,
  rows: (asked, use) => {
    const { scope } = asked;
    const { team } = scope;
    if (team === null || !isTeamOfFacts(everyMoment, asked)) return everyMoment.rows(asked, use);
    const { from, where } = everyMoment.rows({ ...asked, scope: scope.ofEverybody }, use);
    // Each pull request, of which there is much, is looked up once.
    return {
      from: sql`(
          with acts as materialized (select it.* from ${from} where ${where}),
          theirs as materialized (
            select repository_id, number from (select distinct repository_id, number from acts) pull
            where ${pullRequestBelongs(team, 'pull', null, { counted: (facts) => scope.filter(facts) })}
          )
          select acts.* from acts join theirs using (repository_id, number)
        ) it`,
      where: sql`true`,
    };
  },
};

const byActivity: Belonging = { person: it('person_id'), at: it('at') };

/**
 * The same of a team's people while they were members. Whoever still is did something then if their last activity lies in it, which is kept;
 * what others did is read.
 */
function activityOf(team: ScopeTeam, asked: Asked, use: Use): { readonly from: Sql; readonly where: Sql } {
  const { scope, window } = asked;
  const { people, members } = countedOf(team, asked);
  const isKept = sql`member."to" = 'infinity'`;
  const wasActive = sql`t.person_id = member.person_id and ${scope.filter('t')}
    and t.last_activity_at > ${window.after} and t.last_activity_at >= member."from"`;
  const acts = (person: string, more: Sql) =>
    sql`${scope.filter('act')} and ${sql.ref(`act.${person}`)} = member.person_id and ${more}`;
  const during = (at: Sql) => sql`${within(at, window)} and ${at} >= member."from" and ${at} < member."to"`;
  const moments = sql`timeline_moments act where ${acts('person_id', during(sql`act.at`))}`;
  const inline = sql`comments act where ${acts('author_id', sql`act.review_id is not null and ${during(sql`act.created_at`)}`)}`;
  // What is kept goes on to now.
  const readsAll = window.until !== null;
  const isRead = readsAll ? sql`true` : sql`not (${isKept}) and member."to" > ${window.after}`;
  const latest = (at: string, from: Sql) =>
    sql`(select act.repository_id, act.number, ${sql.ref(`act.${at}`)} as at from ${from} order by 3 desc, 1, 2 limit 1)`;
  const [kept, read] =
    use === 'items'
      ? [
          sql`select last.person_id, last.repository_id, ${numberOfLast}, last.at from (
              select distinct on (member.person_id) member.person_id, t.repository_id, t.last_activity_at as at
              from ${people} member join contributor_totals t on ${wasActive} where ${isKept}
              order by member.person_id, t.last_activity_at desc, t.repository_id
            ) last`,
          sql`select member.person_id, last.* from ${people} member
            cross join lateral (${latest('at', moments)} union all ${latest('created_at', inline)}) last where ${isRead}`,
        ]
      : [
          sql`select member.person_id from ${people} member
            where ${isKept} and exists (select from contributor_totals t where ${wasActive})`,
          sql`select distinct member.person_id from ${people} member
            where ${isRead} and (exists (select from ${moments}) or exists (select from ${inline}))`,
        ];
  const keepsAll = !readsAll && members?.every(({ to }) => to === 'infinity') === true;
  const rows = readsAll ? [read] : keepsAll ? [kept] : [kept, read];
  return {
    from: sql`(${sql.join(rows, use === 'items' ? sql` union all ` : sql` union `)}) it`,
    where: isWanted(it('person_id'), asked),
  };
}

/** The pull request of a row `last` of `repository_id person_id at`, a last activity. */
const numberOfLast = sql`(select min(one.number) from participations one where one.repository_id = last.repository_id
  and one.person_id = last.person_id and one.last_activity_at = last.at) as number`;

/** What people did in timelines, and their inline comments: once for each person of a window, from what is kept of their last activity. */
export const activity: Source = {
  moment: it('at'),
  person: it('person_id'),
  belongs: byActivity,
  rows: (asked, use) => {
    const { scope, window } = asked;
    const { team } = scope;
    if (team !== null && use !== 'each') return activityOf(team, asked, use);
    const humans = sql`join people human on human.id = it.person_id and human.kind = 'human'`;
    if (use === 'each' || (use === 'items' && window.until !== null))
      return {
        from: sql`(
            select repository_id, number, person_id, at from timeline_moments where ${scope.filter()} and ${within(sql`at`, window)}
            union all
            select repository_id, number, author_id, created_at from comments
              where ${scope.filter()} and review_id is not null and ${within(sql`created_at`, window)}
          ) it ${humans}`,
        where: allOf([isWanted(it('person_id'), asked), ...(team === null ? [] : [isOfTeam(byActivity, team, asked)])]),
      };
    const wasActive = sql`${scope.filter('t')} and t.last_activity_at > ${window.after}`;
    if (use === 'items')
      return {
        from: sql`(
            select last.*, ${numberOfLast} from (
              select distinct on (t.person_id) t.repository_id, t.person_id, t.last_activity_at as at from contributor_totals t
              where ${wasActive} order by t.person_id, t.last_activity_at desc, t.repository_id
            ) last
          ) it ${humans}`,
        where: isWanted(it('person_id'), asked),
      };
    // Of each person once, whatever the database expects, and at what is kept first.
    const wasActiveIn =
      window.until === null
        ? sql`true`
        : sql`(it.earliest <= ${window.until}
          or exists (select from participations kept
            where ${scope.filter('kept')} and kept.person_id = it.person_id and ${within(sql`kept.last_activity_at`, window)})
          or exists (select from timeline_moments m
            where ${scope.filter('m')} and m.person_id = it.person_id and ${within(sql`m.at`, window)})
          or exists (select from comments c
            where ${scope.filter('c')} and c.author_id = it.person_id and c.review_id is not null and ${within(sql`c.created_at`, window)}))`;
    return {
      from: sql`(
          select t.person_id, min(t.last_activity_at) as earliest
          from contributor_totals t join people human on human.id = t.person_id and human.kind = 'human'
          where ${wasActive} group by t.person_id
        ) it`,
      where: sql`${isWanted(it('person_id'), asked)} and ${wasActiveIn}`,
    };
  },
};

/** Everything by which a person is active on a day (contributions.ts), with the `sha` of commits. */
export const contributed = narrowed({
  isAuthored: true,
  moment: it('at'),
  person: it('person_id'),
  belongs: { person: it('person_id'), at: it('at') },
  rows: (asked) => ({
    from: sql`(${contributions(
      ({ person, at }) => sql`${asked.scope.filter()} and ${isWanted(person, asked)} and ${within(at, asked.window)}`,
      { withSha: true, ...authoredIn(asked) },
    )}) it`,
    where: sql`true`,
  }),
});

/**
 * The same in several spans, each of which is read by itself, whatever window is asked about, with the row of the pull request, which is
 * looked up once: these are few among all of history. Of a team its members' alone are read.
 */
export function contributedIn(spans: readonly Span[]): Source {
  const [after, until] = [spans.map(({ after }) => after), spans.map(({ until }) => until)];
  return {
    ...contributed,
    pull: 'it',
    rows: (asked) => ({
      from: sql`(
          with acts as materialized (
            select act.* from unnest(${after}::timestamptz[], ${until}::timestamptz[]) span (after, until)
            cross join lateral (${contributions(
              ({ person, at }) => sql`${asked.scope.filter()} and ${isWanted(person, asked)}
                and ${belongs({ belongs: { person, at } }, asked)}
                and ${at} > span.after and ${at} <= coalesce(span.until, 'infinity')`,
            )}) act
          )
          select acts.person_id, acts.at, pull.* from acts join (
            select looked_up.* from (select distinct repository_id, number from acts) each_one cross join lateral (
              select * from pull_requests p where p.repository_id = each_one.repository_id and p.number = each_one.number offset 0
            ) looked_up
          ) pull on pull.repository_id = acts.repository_id and pull.number = acts.number
        ) it`,
      where: sql`true`,
    }),
  };
}

/** A pull request in a bucket of a line. */
export interface PullInLine {
  readonly line: string;
  readonly key: number;
  readonly repository_id: number;
  readonly number: number;
}

/** The same to these pull requests, with their `line` and `key`. */
export function contributedTo(pulls: readonly PullInLine[]): Source {
  const columns = sql`${pulls.map(({ line }) => line)}::text[], ${pulls.map(({ key }) => key)}::int[],
    ${pulls.map(({ repository_id }) => repository_id)}::int[], ${pulls.map(({ number }) => number)}::int[]`;
  return narrowed({
    ...contributed,
    rows: (asked) => ({
      from: sql`(
          select pull.line, pull.key, act.* from (
            select distinct line, key, repository_id, number from unnest(${columns}) each_one (line, key, repository_id, number)
          ) pull cross join lateral (${contributions(
            ({
              person,
              at,
            }) => sql`${asked.scope.filter()} and repository_id = pull.repository_id and number = pull.number
              and ${isWanted(person, asked)} and ${within(at, asked.window)}`,
          )}) act
        ) it`,
      where: sql`true`,
    }),
  });
}

/** Commits in pull requests when they were authored; what a bot made in a person's name is not that person's. */
export const commits = table(sql`commits it`, {
  moment: it('authored_at'),
  person: it('author_id'),
  belongs: { person: it('author_id'), at: it('authored_at') },
  where: () => [
    sql`not (it.author_is_bot and exists (select from people h where h.id = it.author_id and h.kind = 'human'))`,
  ],
});

/** What people ever had to do with a pull request, month by month. */
export const participations: Source = {
  isAuthored: true,
  isState: true,
  moment: it('last_activity_at'),
  person: it('person_id'),
  belongs: { person: it('person_id'), at: it('last_activity_at') },
  rows: (asked) => {
    const { scope } = asked;
    const { team } = scope;
    const where = allOf([
      scope.filter('it'),
      ...wanted(it('person_id'), asked),
      contributes('it'),
      ...(team === null ? [] : [contributedAsMember(countedOf(team, asked))]),
    ]);
    if (authoredIn(asked).authors === 'openers') return { from: sql`participations it`, where };
    const asMember = team === null ? [] : [isMemberAt(countedOf(team, asked), sql`f.credited_id`, sql`f.created_at`)];
    return {
      from: sql`(
          select it.repository_id, it.number, it.person_id, it.last_activity_at from participations it where ${where}
          union all
          select f.repository_id, f.number, f.credited_id, f.created_at from pull_request_facts f
          where ${allOf([scope.filter('f'), isStarted('f'), ...wanted(sql`f.credited_id`, asked), ...asMember])}
        ) it`,
      where: sql`true`,
    };
  },
};

/** Whether a participation holds a pull request that a person opened, or a review that they gave, while they were a member. */
function contributedAsMember({ people }: ScopeTeam): Sql {
  const isTheirs = (act: string, at: string) => {
    const [moment, column] = [sql.ref(`${act}.${at}`), (name: string) => sql.ref(`${act}.${name}`)];
    return sql`${column('repository_id')} = it.repository_id and ${column('number')} = it.number
      and ${column('author_id')} = it.person_id and date_trunc('month', ${moment})::date = it.month
      and ${moment} >= member."from" and ${moment} < member."to"`;
  };
  return sql`exists (select from ${people} member where member.person_id = it.person_id and (
    (member."from" = '-infinity' and member."to" = 'infinity')
    or exists (select from pull_requests own where ${isTheirs('own', 'created_at')})
    or exists (select from reviews given where ${isTheirs('given', 'submitted_at')} and (given.counts or given.automated))))`;
}

/** The area of the code that a path lies in: its first two folders, `.` the root. */
export const areaOf = (
  path: Sql,
) => sql`(case when ${path} like '%/%/%' then split_part(${path}, '/', 1) || '/' || split_part(${path}, '/', 2)
  when ${path} like '%/%' then split_part(${path}, '/', 1) else '.' end)`;

/** The lines that merged pull requests changed in a file, with the `area` of the code: the first two folders of a path, `.` the root. */
export const areas = narrowed({
  isAuthored: true,
  moment: it('ended_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  rows: (asked) => ({
    from: sql`(
        select f.repository_id, f.number, f.author_id, f.credited_id, f.created_at, f.ended_at,
          ${areaOf(sql`file.path`)} as area, (file.additions + file.deletions)::float8 as lines
        from ${authored('pull_request_facts', authoredIn(asked))} f
        join changed_files file on file.repository_id = f.repository_id and file.number = f.number
        where ${asked.scope.filter('f')} and ${isWanted(sql`f.author_id`, asked)} and ${within(sql`f.ended_at`, asked.window)}
          and f.time_to_merge is not null and file.additions + file.deletions > 0
      ) it`,
    where: sql`true`,
  }),
});
