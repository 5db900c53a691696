import { type Kysely, sql } from 'kysely';
import { type WorkItem, workSections } from '#contract/my-work.ts';
import { compareWork, type OpenWork, sectionOf, type Work, type WorkSection, workOf } from '#domain/my-work.ts';
import type { Instant } from '#domain/pull-request.ts';
import { askedAt, askedMoments, standingOpinion, teamHandle } from '../db/asked-reviewers.ts';
import { authorshipColumn, creditedId } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { isForLackOfSpace } from '../db/disk-space.ts';
import { isOfScopeTeam } from '../metrics/belongs.ts';
import { takesPart } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import { isTeamVisible } from '../metrics/team-people.ts';
import { type Unasked, unaskedRow, waitsForNobody } from '../metrics/waiting-for-nobody.ts';
import { type WorkItemRow, workItemColumns, workItemOf } from '../metrics/work-items.ts';

/** An item with the repository's row id, and the section that it stands in. */
export interface PlacedItem {
  readonly repository_id: number;
  readonly section: WorkSection;
  readonly item: WorkItem;
  readonly agent_until: Work['agentUntil'];
}

type Sql = ReturnType<typeof sql>;

/** The person whose work each user is shown: their own account, or for a visitor of the demo somebody's of its company. */
const me = (...user_ids: readonly number[]) => sql`
  select u.id as user_id, person.id, person.host from users u
  join people person on person.host = u.host and person.host_id = coalesce(u.work_of, u.host_id)
  where u.id = any(${user_ids}::int[]) and person.kind = 'human' and person.type <> 'mannequin'`;

/** The login of that person; the user's own where no account of theirs is known. */
export async function shownPerson(
  db: Kysely<Database>,
  user: { readonly id: number; readonly login: string },
): Promise<string> {
  const { rows } = await sql<{
    login: string;
  }>`select p.login from (${me(user.id)}) me join people p on p.id = me.id`.execute(db);
  return rows[0]?.login ?? user.login;
}

interface InvolvedRow {
  readonly user_id: number;
  readonly repository_id: number;
  readonly number: number;
  readonly draft: boolean;
  readonly waiting_on: OpenWork['waiting_on'];
  readonly waiting_since: Date;
  readonly waiting_reason: OpenWork['waiting_reason'];
  readonly is_author: boolean;
  readonly is_credited: boolean;
  readonly asked_at: Date | null;
  readonly team: string | null;
  readonly team_asked_at: Date | null;
  readonly reviewed_at: Date | null;
  readonly opinion: 'approved' | 'changes_requested' | null;
  readonly is_dismissed_approval: boolean;
  readonly is_agents_answer: boolean;
  readonly until: Date | null;
  readonly until_change: boolean | null;
  readonly snoozed_kind: string | null;
  readonly snoozed_since: Date | null;
  /** Put aside as a team's request, while teams are hidden from the person until a list is read again. */
  readonly may_be_hidden: boolean;
}

/** An open pull request that is something to the person, by its address. */
export interface PlacedWork {
  readonly repository_id: number;
  readonly number: number;
  readonly work: Work;
  readonly snooze: WorkItem['snooze'];
}

/**
 * What the open pull requests in scope, or this one of them, are to the user. `shared` is the database as everybody sees it, in which snoozes
 * that have ended are deleted; null: they stay.
 */
export async function placedWork(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  only: PullRequestRow | null = null,
  shared: Kysely<Database> | null = null,
): Promise<PlacedWork[]> {
  const { rows } = await involvedRows({ scope, only }, now).execute(db);
  await deleteEndedSnoozes(shared, rows, now);
  return rows.flatMap((row) => placedFrom(row, now));
}

/**
 * The same by user, for several users, each in their own repositories, which the caller has checked they may read; `db` is the database as
 * everybody sees it.
 */
export async function placedWorkOfSeveral(
  db: Kysely<Database>,
  repositoriesByUser: ReadonlyMap<number, readonly number[]>,
  now: Date,
): Promise<ReadonlyMap<number, readonly PlacedWork[]>> {
  const { rows } = await involvedRows({ repositoriesByUser }, now).execute(db);
  await deleteEndedSnoozes(db, rows, now);
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...byUser].map(([user_id, own]) => [user_id, own.flatMap((row) => placedFrom(row, now))]));
}

/** The same as `placedWork` of all in scope, with how many of them wait for nobody, in one statement. */
export async function openWork(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  shared: Kysely<Database> | null = null,
): Promise<{ readonly placed: readonly PlacedWork[]; readonly waiting_for_nobody: number }> {
  // Without a common row: those of the one relation, then that of the other.
  const { rows } = await sql<(InvolvedRow & { unasked: null }) | { unasked: readonly Unasked[] }>`
    select * from (${involvedRows({ scope, only: null }, now)}) involved full join ${unaskedRow(scope)} nobody on false`.execute(
    db,
  );
  const involved = rows.filter((row) => row.unasked === null);
  await deleteEndedSnoozes(shared, involved, now);
  return {
    placed: involved.flatMap((row) => placedFrom(row, now)),
    waiting_for_nobody: rows.flatMap(({ unasked }) => unasked ?? []).filter((one) => waitsForNobody(one, now)).length,
  };
}

interface PullRequestRow {
  readonly repository_id: number;
  readonly number: number;
}

/** The open pull requests to search: a user's scope, or one pull request in it, or for each of several users the repositories named. */
type WorkQuery =
  | { readonly scope: Scope; readonly only: PullRequestRow | null }
  | { readonly repositoriesByUser: ReadonlyMap<number, readonly number[]> };

/** What of an open pull request involves a person: its rows beside `open`, which of them do, and whom. */
const involvements = (inRepositories: (table: string) => Sql): readonly { rows: Sql; counts: Sql; person: Sql }[] => [
  {
    rows: sql`join pull_request_facts f using (repository_id, number) left join people a on a.id = f.author_id`,
    counts: sql`f.ended_at is null`,
    person: creditedId,
  },
  {
    rows: sql`join review_requests request using (repository_id, number)`,
    counts: sql`true`,
    person: sql`request.person_id`,
  },
  {
    rows: sql`join reviews given using (repository_id, number)`,
    counts: sql`given.counts and ${inRepositories('given')}`,
    person: sql`given.author_id`,
  },
];

/** SQL of the CTEs `me` and `open`, of the rows of `involved` that name a person, and of the join that limits each of several users to their own repositories. */
function relationsOf(query: WorkQuery): {
  readonly me: Sql;
  readonly open: Sql;
  /** CTEs that the following ones use. */
  readonly more: Sql;
  readonly involved: Sql;
  readonly isVisible: Sql;
} {
  if ('repositoriesByUser' in query) {
    const pairs = [...query.repositoriesByUser].flatMap(([user_id, ids]) => ids.map((id) => [user_id, id] as const));
    const repository_ids = [...new Set(pairs.map(([, id]) => id))];
    const inRepositories = (table: string) => sql`${sql.ref(`${table}.repository_id`)} = any(${repository_ids}::int[])`;
    // Whom each pull request involves is found once, whoever of the users that is.
    const everybody = involvements(inRepositories).map(
      ({ rows, counts, person }) =>
        sql`select open.repository_id, open.number, ${person} as person_id from open ${rows} where ${counts}`,
    );
    const isVisible = sql`join visible on visible.user_id = me.user_id and visible.repository_id = open.repository_id`;
    return {
      me: me(...query.repositoriesByUser.keys()),
      open: inRepositories('p'),
      more: sql`visible as materialized (
        select * from unnest(${pairs.map(([user_id]) => user_id)}::int[], ${pairs.map(([, id]) => id)}::int[]) pair (user_id, repository_id)
      ),
      everybody as materialized (${sql.join(everybody, sql` union all `)}),`,
      involved: sql`select me.user_id, open.repository_id, open.number from everybody open
        join me on me.id = open.person_id ${isVisible}`,
      isVisible,
    };
  }
  const { scope, only } = query;
  const isThis = only && sql` and p.repository_id = ${only.repository_id} and p.number = ${only.number}`;
  // What names the one person is found by its index.
  const own = involvements((table) => scope.filter(table)).map(
    ({ rows, counts, person }) =>
      sql`select me.user_id, open.repository_id, open.number from open ${rows} join me on ${person} = me.id where ${counts}`,
  );
  return {
    me: me(scope.user_id),
    open: sql`${scope.filter('p')}${isThis ?? sql``}`,
    more: sql``,
    involved: sql.join(own, sql` union `),
    isVisible: sql``,
  };
}

/** A row for each user and open pull request that involves them. */
function involvedRows(query: WorkQuery, now: Date) {
  const relations = relationsOf(query);
  const ofMyTeams = (handle: Sql) =>
    sql`${handle} in (select handle from my_teams where my_teams.user_id = me.user_id)`;
  return sql<InvolvedRow>`
    with me as materialized (${relations.me}),
    my_teams as materialized (
      select me.user_id, ${teamHandle('t')} as handle from me
      join team_people member on member.person_id = me.id and member."from" <= ${now} and member."to" > ${now}
      join teams t on t.id = member.team_id and t.host = me.host
      where ${teamHandle('t')} is not null and ${isTeamVisible(sql`me.user_id`)}
    ),
    open as materialized (
      select p.repository_id, p.number from pull_requests p where ${relations.open} and p.state = 'open'
    ),
    ${relations.more}
    involved as (
      ${relations.involved}
      union
      select me.user_id, request.repository_id, request.number from open join review_requests request using (repository_id, number)
      join my_teams on lower(request.team) = my_teams.handle
      join me on me.user_id = my_teams.user_id ${relations.isVisible}
      union
      select me.user_id, kept.repository_id, kept.number from open join snoozes kept using (repository_id, number)
      join me on me.user_id = kept.user_id ${relations.isVisible} where kept.until_change
    )
    select me.user_id, p.repository_id, p.number, p.draft, f.waiting_on, f.waiting_since, f.waiting_reason,
      coalesce(p.author_id = me.id, false) as is_author, coalesce(${creditedId} = me.id, false) as is_credited,
      case when exists (select from review_requests request where request.repository_id = p.repository_id
        and request.number = p.number and request.person_id = me.id) then ${askedAt('told')} end as asked_at,
      asked.team, asked.at as team_asked_at,
      mine.reviewed_at, mine.opinion,
      (select coalesce(bool_or(review.author_id = me.id), false) from events e
        join reviews review on review.repository_id = e.repository_id and review.host_id = e.review_id
        where e.repository_id = p.repository_id and e.number = p.number and e.type = 'review_dismissed'
          and e.previous_state = 'approved' and e.at >= date_trunc('second', f.waiting_since)) as is_dismissed_approval,
      ${authorshipColumn} = 'agent' and exists (select from reviews given where given.repository_id = p.repository_id
        and given.number = p.number and given.author_id = me.id and given.counts
        and given.submitted_at = f.waiting_since) as is_agents_answer,
      snooze.until, snooze.until_change, snooze.kind as snoozed_kind, snooze.since as snoozed_since,
      coalesce(snooze.kind = 'team_review', false) and exists (select from team_readers reader
        where reader.user_id = me.user_id and reader.withheld) as may_be_hidden
    from involved join pull_requests p using (repository_id, number)
    join pull_request_facts f using (repository_id, number)
    join me using (user_id)
    left join people a on a.id = p.author_id
    cross join lateral ${askedMoments(sql`e.reviewer_id = me.id`)} told
    cross join lateral (
      select max(given.submitted_at) as reviewed_at, ${standingOpinion('given')} as opinion
      from reviews given
      where given.repository_id = p.repository_id and given.number = p.number and given.author_id = me.id and given.counts
    ) mine
    left join lateral (
      select request.team, ${askedAt('said')} as at
      from review_requests request
      cross join lateral ${askedMoments(sql`lower(e.team) = lower(request.team)`)} said
      where request.repository_id = p.repository_id and request.number = p.number
        and ${ofMyTeams(sql`lower(request.team)`)}
        and (${askedAt('said')} <= mine.reviewed_at) is not true
      order by at, lower(request.team) limit 1
    ) asked on true
    left join snoozes snooze on snooze.user_id = me.user_id and snooze.repository_id = p.repository_id
      and snooze.number = p.number
    where f.waiting_on is not null
      and ${'scope' in query ? isOfScopeTeam(query.scope, 'p', 'f') : sql`true`}`;
}

/** One of them as the user's, or none where it is nothing to them. */
function placedFrom(row: InvolvedRow, now: Date): PlacedWork[] {
  const work = workFrom(row, now);
  const { repository_id, number } = row;
  return work === null ? [] : [{ repository_id, number, work, snooze: standingSnooze(row, work, now) }];
}

function workFrom(row: InvolvedRow, now: Date): Work | null {
  return workOf(
    { ...row, waiting_since: row.waiting_since.getTime() },
    {
      isAuthor: row.is_author,
      isCredited: row.is_credited,
      askedAt: instantOf(row.asked_at),
      team: row.team === null ? null : { handle: row.team, askedAt: row.team_asked_at!.getTime() },
      reviewedAt: instantOf(row.reviewed_at),
      opinion: row.opinion,
      isDismissedApproval: row.is_dismissed_approval,
      isAgentsAnswer: row.is_agents_answer,
    },
    now.getTime(),
  );
}

const instantOf = (at: Date | null): Instant | null => at?.getTime() ?? null;

/** What is put aside of a work, as long as it is: until its time, or until it is something else to the person. */
function standingSnooze(row: InvolvedRow, work: Work, now: Date): WorkItem['snooze'] {
  const { until, until_change } = row;
  if (until_change === null || (until !== null && until <= now)) return null;
  if (until_change && !isAsSnoozed(row, work)) return null;
  return { until: until?.toISOString() ?? null, until_change };
}

function isAsSnoozed({ snoozed_kind, snoozed_since }: InvolvedRow, work: Work | null): boolean {
  return snoozed_kind === work?.kind && snoozed_since?.getTime() === work?.since;
}

/**
 * Deletes the snoozes until something changes of which the item is another now, or none, so that they don't come back with it. Those of pull
 * requests that wait to be counted for a user with marks of their own stay: until then they look as everybody sees them. So do those of a
 * team's requests while teams are hidden from their owner: the request may be what it was.
 */
async function deleteEndedSnoozes(
  shared: Kysely<Database> | null,
  rows: readonly InvolvedRow[],
  now: Date,
): Promise<void> {
  const ended = rows.filter(
    (row) => row.until_change === true && !row.may_be_hidden && !isAsSnoozed(row, workFrom(row, now)),
  );
  if (shared === null || ended.length === 0) return;
  const column = <Key extends keyof InvolvedRow>(key: Key) => ended.map((row) => row[key]);
  await sql`
    delete from snoozes where (user_id, repository_id, number) in (
      select it.user_id, it.repository_id, it.number from snoozes it
      join unnest(${column('user_id')}::int[], ${column('repository_id')}::int[], ${column('number')}::int[],
        ${column('snoozed_kind')}::text[], ${column('snoozed_since')}::timestamptz[]) ended (user_id, repository_id, number, kind, since)
        using (user_id, repository_id, number, kind, since)
      where it.until_change and not exists (select from lens_pending pending where pending.user_id = it.user_id
        and pending.repository_id = it.repository_id and pending.number = it.number)
      for update of it skip locked)`
    .execute(shared)
    .catch((error: unknown) => {
      // On a full disk people go on reading.
      if (!isForLackOfSpace(error)) throw error;
    });
}

/** The items of what is something to the user, section by section, each in its order. */
export async function itemsOf(
  db: Kysely<Database>,
  placed: readonly PlacedWork[],
  now: Date,
): Promise<readonly PlacedItem[]> {
  if (placed.length === 0) return [];
  const { rows } = await sql<WorkItemRow & { place: number }>`
    select ${workItemColumns}, one.place::int
    from unnest(${placed.map((one) => one.repository_id)}::int[], ${placed.map((one) => one.number)}::int[])
      with ordinality one (repository_id, number, place)
    join pull_requests p on p.repository_id = one.repository_id and p.number = one.number
    join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
    join repositories r on r.id = p.repository_id
    left join people a on a.id = p.author_id`.execute(db);
  return rows
    .map(({ place, ...row }) => {
      const { repository_id, work, snooze } = placed[place - 1]!;
      const { kind, reason, team, since, reviewed, askedAt: asked_at, agentUntil: agent_until } = work;
      const item = workItemOf(row, { kind, reason, team, snooze, asked_at, reviewed, since }, now);
      const section = snooze === null ? sectionOf(kind) : ('snoozed' as const);
      return {
        placed: { repository_id, section, item, agent_until },
        overdue: item.overdue,
        checks: item.checks,
        since,
      };
    })
    .sort((one, other) => {
      const [{ section, item }, next] = [one.placed, other.placed];
      return (
        workSections.indexOf(section) - workSections.indexOf(next.section) ||
        compareWork(section, one, other) ||
        compareAddresses(item, next.item)
      );
    })
    .map(({ placed }) => placed);
}

function compareAddresses(one: WorkItem, other: WorkItem): number {
  const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
  return (
    compare(one.repo_owner.toLowerCase(), other.repo_owner.toLowerCase()) ||
    compare(one.repo_name.toLowerCase(), other.repo_name.toLowerCase()) ||
    one.pr_number - other.pr_number
  );
}

/** Puts an item of the user's away, in place of an earlier snooze; it ends early where the item becomes another and `until_change` says so. */
export async function storeSnooze(
  db: Kysely<Database>,
  user_id: number,
  { repository_id, number, work }: PlacedWork,
  until: { readonly until: Date | null; readonly until_change: boolean },
  now: Date,
): Promise<void> {
  const snooze = { ...until, kind: work.kind, since: new Date(work.since), changed_at: now };
  await db
    .insertInto('snoozes')
    .values({ user_id, repository_id, number, ...snooze })
    .onConflict((conflict) => conflict.columns(['user_id', 'repository_id', 'number']).doUpdateSet(snooze))
    .execute();
}

/** How many there are in each section, by what is known without their rows. */
export function countsOf(placed: readonly PlacedWork[]) {
  const count = (wanted: WorkSection) =>
    placed.filter(({ work, snooze }) => (snooze === null ? sectionOf(work.kind) : 'snoozed') === wanted).length;
  const [review, author, merge, team_review] = [count('review'), count('author'), count('merge'), count('team_review')];
  return { turn: review + author + merge + team_review, review, author, merge, team_review, snoozed: count('snoozed') };
}

/** Whether the account opened or reviewed a pull request in scope, or is asked to. */
export async function isRecognised(db: Kysely<Database>, scope: Scope): Promise<boolean> {
  const all = scope.ofEverybody;
  const { rows } = await sql<{ recognised: boolean }>`
    with me as materialized (${me(scope.user_id)})
    select exists (select from me join contributor_totals t on t.person_id = me.id
        where ${all.filter('t')} and ${takesPart('t')})
      or exists (select from me join review_requests request on request.person_id = me.id where ${all.filter('request')})
      or exists (select from me join pull_request_facts f on f.credited_id = me.id where ${all.filter('f')}) as recognised`.execute(
    db,
  );
  return rows[0]!.recognised;
}
