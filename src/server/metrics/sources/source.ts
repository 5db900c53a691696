import { type RawBuilder, sql } from 'kysely';
import type { HealthSettings } from '#domain/signals.ts';
import { ownerOf } from '../../db/attribution-columns.ts';
import type { Compared } from '../../db/compared.ts';
import { eachTeam, humansOf, pullRequestBelongs } from '../belongs.ts';
import { allOf } from '../conditions.ts';
import type { Scope } from '../scope.ts';
import { carried, isMemberAt, isThenMember, type ScopeTeam, type TeamsApart } from '../team-people.ts';

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
export interface ReviewingTool {
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
export interface Belonging {
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

export const it = (column: string) => sql.ref(`it.${column}`);

/** Whether a moment lies in a window. */
export function within(moment: Sql, { after, until }: Span): Sql {
  return until === null ? sql`${moment} > ${after}` : sql`${moment} > ${after} and ${moment} <= ${until}`;
}

/**
 * Whether rows of that person are asked for; nothing where all are. The database takes what is in a state now for far less than it is, and
 * would read all people again for each row: people are read once there, and each row is looked up among them.
 */
export function wanted(person: Sql, asked: Asked, isState = false): Sql[] {
  if (asked.person !== null) return [sql`${person} = ${asked.person}`];
  if (asked.people === 'humans') {
    const isHuman = sql`${person} in (select id from people where kind = 'human')`;
    return [isState ? sql`(${isHuman}) is true` : isHuman];
  }
  return asked.people === 'known' || asked.byPerson ? [sql`${person} is not null`] : [];
}

export const isWanted = (person: Sql, asked: Asked) => allOf(wanted(person, asked));

/** Whether what people did themselves is asked for, each or one of them, and not what belongs to the team as a whole. */
const isOfPeople = ({ person, byPerson }: Asked) => person !== null || byPerson;

/** The scope by whose pull requests are asked for, which only people are told apart by. */
export const authoredIn = (asked: Asked) => (isOfPeople(asked) ? asked.scope : asked.scope.by('openers'));

/** Whoever of a team counts: people, or the one account that is asked about, whatever it is. */
export function countedMembers(team: ScopeTeam, { person }: Asked): ScopeTeam {
  if (person === null) return humansOf(team);
  if (team.members === null) return team;
  return { ...team, ...carried(team.members.filter(({ person_id }) => person_id === person)) };
}

/** Whether a thing belongs to the team that is asked about. */
export function isOfTeam(
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
  return isMemberAt(
    ofAnyKind && asked.people === 'everybody' && !asked.byPerson ? team : humansOf(team),
    person,
    moment,
  );
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
  return eachTeam(teams, { person: ownerOf(facts), at: sql.ref(`${facts}.created_at`) });
}

/** The same source, of which a question about a team reads what belongs to it. */
export function narrowed(source: Source): Source {
  return {
    ...source,
    rows: (asked, use) => {
      const read = source.rows(asked, use);
      return asked.scope.team === null ? read : { ...read, where: sql`${read.where} and ${belongs(source, asked)}` };
    },
  };
}

/** By its row of `pull_requests`, or, with facts, by these. */
export const byPull = (pull: string): Belonging => {
  const author = sql.ref(`${pull}.author_id`);
  return { person: author, at: sql.ref(`${pull}.created_at`), pull, author };
};
export const byFacts = (facts: string): Belonging => ({ ...byPull(facts), isFacts: true });

/** A source that is a table, or tables joined, that rides on an index by repository, its person where one is asked for, and its moment. */
export function table(
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
        ...wanted(columns.person, asked, columns.isState),
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
