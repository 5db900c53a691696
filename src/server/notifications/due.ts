import { type Kysely, sql } from 'kysely';
import { FACTS_VERSION } from '#domain/facts.ts';
import { dueDigest, latestPassing, NEWS_FOR } from '#domain/notifications/moments.ts';
import type { Instant } from '#domain/pull-request.ts';
import { teamHandle } from '../db/asked-reviewers.ts';
import type { Database } from '../db/database.ts';
import { isVisible } from '../metrics/scope.ts';
import { type DeskItem, type DeskOf, isTurnTold, isWatched } from './desk.ts';
import { digestOf, stuckOf, type Tell, turnOf } from './keys.ts';
import { type Involvement, type OpenPullRequest, OpenWork } from './open-work.ts';
import { enqueue, enqueueDigests, keyStates } from './queue.ts';
import { type Recipient, recipients, recipientsVersion, subscriptionTo } from './recipients.ts';
import { syncNotices } from './sync-notices.ts';

const MINUTE = 60_000;
/** Limits that are passed before the next look are found by this one. */
const LOOK_AHEAD = MINUTE;
/** What turned out not to be so, such as something snoozed, is looked at again after that, and so is what is known of people. */
const LOOK_AGAIN = 10 * MINUTE;
/** What was told is asked of the database again after that. */
const FORGET_AFTER = 60 * MINUTE;

export interface DueDeps {
  readonly db: Kysely<Database>;
  readonly deskOf: DeskOf;
  readonly now: () => Date;
  /** Told of a recipient with whom something went wrong; the others are told all the same. */
  readonly failed: (error: unknown, fields: object) => void;
}

interface Untold {
  readonly to: Recipient;
  readonly tell: Tell;
}

type KeyStates = Awaited<ReturnType<typeof keyStates>>;

/** Something that may have to be told. */
interface Candidate extends Untold {
  readonly pull: OpenPullRequest;
  /** When it came to pass: nothing is told of before the subscription was made or history was complete. */
  readonly moment: Instant;
}

/**
 * Finds what is due and has it told. It knows open pull requests (`OpenWork`) and what it has enqueued or seen told, so that a look costs the
 * database little; what it does not know after a start, it asks. Any number of processes may do so: a key is told once.
 */
export class DueFinder {
  readonly #deps: DueDeps;
  readonly #open = new OpenWork();
  readonly #told = new Set<string>();
  /** By key and version of the pull request: until when it need not be looked at. */
  readonly #untrue = new Map<string, Instant>();
  #factsSince: Instant | null = null;
  #all: { readonly version: string; readonly until: Instant; readonly recipients: readonly Recipient[] } = {
    version: '',
    until: 0,
    recipients: [],
  };
  #forgetAt: Instant = 0;

  constructor(deps: DueDeps) {
    this.#deps = deps;
  }

  /**
   * Enqueues what is due in all repositories, and digests and notices; a first import and what is older than its subscription are not.
   */
  async look(): Promise<void> {
    const now = this.#deps.now();
    this.#forget(now);
    const all = await this.#everybody(now);
    if (all.length === 0) return;
    await this.#refresh(all, now);
    await this.#guarded('digests', () => this.#enqueueDigests(all, now));
    await this.#guarded('sync', () => this.#enqueueNotices(all, now));
    await this.#lookAt(null, all, now);
  }

  /** The same in the repositories in which something was stored since the last look; false where nothing was. */
  async lookAtChanges(): Promise<boolean> {
    const now = this.#deps.now();
    const all = await this.#everybody(now);
    if (all.length === 0) return false;
    const changed = await this.#refresh(all, now);
    if (changed.size === 0) return false;
    await this.#lookAt(changed, all, now);
    return true;
  }

  async #refresh(all: readonly Recipient[], now: Date): Promise<ReadonlySet<number>> {
    const ownMarks = new Set(all.filter(({ owner }) => owner.own_marks).map(({ user_id }) => user_id));
    return await this.#open.refresh(this.#deps.db, now.getTime(), [...ownMarks]);
  }

  /** Who is told what; read again when somebody changed it, and now and then. */
  async #everybody(now: Date): Promise<readonly Recipient[]> {
    const { db } = this.#deps;
    this.#factsSince ??= await factsSince(db, now);
    const version = await recipientsVersion(db);
    const { until } = this.#all;
    if (this.#all.version !== version || until <= now.getTime())
      this.#all = { version, until: now.getTime() + LOOK_AGAIN, recipients: await recipients(db) };
    return this.#all.recipients;
  }

  #forget(now: Date): void {
    for (const [key, until] of this.#untrue) if (until <= now.getTime()) this.#untrue.delete(key);
    if (now.getTime() < this.#forgetAt) return;
    // Messages that were dropped may be told after all.
    this.#told.clear();
    this.#forgetAt = now.getTime() + FORGET_AFTER;
  }

  async #enqueueNotices(all: readonly Recipient[], now: Date): Promise<void> {
    const isNews = ({ key, due_at }: Tell) => due_at > now.getTime() - NEWS_FOR && !this.#told.has(key);
    const found = (await syncNotices(this.#deps.db, all, now)).flatMap(({ to, tells }) =>
      tells.filter(isNews).map((tell) => ({ to, tell })),
    );
    await this.#enqueueUntold(found, now);
  }

  /** Has those told that were not; what did not go out only together with something new. */
  async #enqueueUntold(found: readonly Untold[], now: Date): Promise<void> {
    if (found.length === 0) return;
    const states = await this.#statesOf(found);
    const untold = found.filter(({ tell }) => states.get(tell.key) !== 'told');
    for (const [to, own] of Map.groupBy(withSomethingNew(untold, states), (one) => one.to)) {
      const tells = own.map(({ tell }) => tell);
      await enqueue(this.#deps.db, to, tells, now);
      for (const { key } of tells) this.#told.add(key);
    }
  }

  async #lookAt(only: ReadonlySet<number> | null, all: readonly Recipient[], now: Date): Promise<void> {
    const candidates = await this.#candidates(only, all, now);
    const byRecipient = Map.groupBy(await this.#untold(candidates, now), ({ to }) => to);
    for (const [to, theirs] of byRecipient) {
      try {
        // Again by their states: what is confirmed may have another key than its candidate, one that was told or failed.
        await this.#enqueueUntold(await this.#confirm(to, theirs, now), now);
      } catch (error) {
        this.#deps.failed(error, { user: to.user_id, channel: to.channel ?? to.channel_id });
      }
    }
  }

  async #guarded(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#deps.failed(error, { what });
    }
  }

  async #enqueueDigests(all: readonly Recipient[], now: Date): Promise<void> {
    const due = all.flatMap((to) =>
      (['daily', 'weekly'] as const).flatMap((kind) => {
        const subscription = subscriptionTo(to, kind);
        if (subscription === null) return [];
        const schedule = { kind, options: subscription.options } as Parameters<typeof dueDigest>[0];
        const of = { hours: to.hours, timeZone: to.time_zone, since: subscription.since };
        const moment = dueDigest(schedule, of, now.getTime());
        if (moment === null) return [];
        const tell = digestOf(to, kind, moment.period, moment.at);
        return this.#told.has(tell.key) ? [] : [{ to, tell, period: moment.period }];
      }),
    );
    await enqueueDigests(this.#deps.db, due, now);
    for (const { tell } of due) this.#told.add(tell.key);
  }

  /** By what is known in this process: rather too many than too few. */
  async #candidates(
    only: ReadonlySet<number> | null,
    all: readonly Recipient[],
    now: Date,
  ): Promise<readonly Candidate[]> {
    const found: Candidate[] = [];
    const add = (candidate: Candidate | null) => {
      if (candidate === null) return;
      const { to, tell, pull } = candidate;
      if (pull.seen_by !== null && pull.seen_by !== to.user_id) return;
      if (!this.#told.has(tell.key) && !this.#untrue.has(versionOf(tell, pull))) found.push(candidate);
    };
    const alerted = all.filter(({ subscriptions }) => subscriptions.has('turn') || subscriptions.has('stuck'));
    const teams = alerted.filter(({ team }) => team !== null);
    const people = Map.groupBy(
      alerted.filter(({ team, person_id }) => team === null && person_id !== null),
      ({ person_id }) => person_id!,
    );
    const repositories = this.#open.repositories(only);
    for (const { pulls, byPerson } of repositories) {
      for (const [person_id, involvements] of byPerson)
        for (const to of people.get(person_id) ?? [])
          for (const one of involvements) for (const candidate of this.#candidatesOf(to, one, now)) add(candidate);
      for (const to of teams)
        for (const pull of pulls) if (!pull.draft) add(this.#stuckCandidate(to, pull, pull.waiting_since, now));
    }
    const pulls = repositories.flatMap((repository) => repository.pulls);
    for (const [person_id, one] of await this.#askedThroughTeams(pulls, [...people.keys()], now))
      for (const to of people.get(person_id) ?? [])
        for (const candidate of this.#candidatesOf(to, one, now)) add(candidate);
    return found;
  }

  *#candidatesOf(to: Recipient, { pull, as, since }: Involvement, now: Date): Iterable<Candidate | null> {
    const turn = subscriptionTo(to, 'turn');
    if (turn !== null && as !== 'mine' && (as !== 'team' || turn.options.team_review))
      if (since >= this.#floor(turn.since, now))
        yield { to, tell: turnOf(to, pull, since, since + turn.options.delay * MINUTE), pull, moment: since };
    const stuck = subscriptionTo(to, 'stuck');
    if (stuck !== null && (as !== 'mine' || stuck.options.mine)) yield this.#stuckCandidate(to, pull, since, now);
  }

  #stuckCandidate(to: Recipient, pull: OpenPullRequest, since: Instant, now: Date): Candidate | null {
    const stuck = subscriptionTo(to, 'stuck');
    const passing = stuck && latestPassing(since, stuck.options, now.getTime() + LOOK_AHEAD);
    if (!passing || passing.at < this.#floor(stuck.since, now)) return null;
    return { to, tell: stuckOf(to, pull, since, passing), pull, moment: passing.at };
  }

  #floor(since: Instant, now: Date): Instant {
    return Math.max(since, this.#factsSince ?? 0, now.getTime() - NEWS_FOR);
  }

  /** What is asked of teams, by each of their members among these people. */
  async #askedThroughTeams(
    pulls: readonly OpenPullRequest[],
    people: readonly number[],
    now: Date,
  ): Promise<[number, Involvement][]> {
    const asked = pulls.filter(({ waiting_on, asked_teams }) => waiting_on === 'reviewers' && asked_teams.length > 0);
    if (asked.length === 0 || people.length === 0) return [];
    const handles = [...new Set(asked.flatMap(({ asked_teams }) => asked_teams.map(({ handle }) => handle)))];
    const { rows } = await sql<{ handle: string; person_id: number }>`
      select ${teamHandle('t')} as handle, member.person_id
      from teams t join team_people member on member.team_id = t.id
      where member."from" <= ${now} and member."to" > ${now}
        and member.person_id = any(${[...people]}::int[]) and ${teamHandle('t')} = any(${handles}::text[])`.execute(
      this.#deps.db,
    );
    const members = Map.groupBy(rows, (row) => row.handle);
    return asked.flatMap((pull) =>
      pull.asked_teams.flatMap(({ handle, at }) =>
        (members.get(handle) ?? []).map(({ person_id }): [number, Involvement] => [
          person_id,
          { pull, as: 'team', since: Math.max(at, pull.waiting_since) },
        ]),
      ),
    );
  }

  /**
   * Those that were not told and lie in a repository that the recipient sees, after its history was complete and they had connected it; what
   * did not go out only together with something new.
   */
  async #untold(candidates: readonly Candidate[], now: Date): Promise<Candidate[]> {
    if (candidates.length === 0) return [];
    const { db } = this.#deps;
    const states = await this.#statesOf(candidates);
    const users = candidates.map(({ to }) => to.user_id);
    const places = candidates.map(({ pull }) => pull.repository_id);
    const { rows } = await sql<{ user_id: number; repository_id: number; from: Date }>`
      select c.user_id, c.repository_id, greatest(c.connected_at, r.history_completed_at) as "from"
      from (select distinct user_id, repository_id from unnest(${users}::int[], ${places}::int[]) as pair (user_id, repository_id)) wanted
      join connections c on c.user_id = wanted.user_id and c.repository_id = wanted.repository_id
      join repositories r on r.id = c.repository_id
      where ${isVisible} and r.history_completed_at is not null`.execute(db);
    const from = new Map(rows.map((row) => [`${row.user_id} ${row.repository_id}`, row.from.getTime()]));
    const open = candidates.filter(({ to, tell, pull, moment }) => {
      if (states.get(tell.key) === 'told') return false;
      const begin = from.get(`${to.user_id} ${pull.repository_id}`);
      if (begin !== undefined && moment >= begin) return true;
      this.#lookAgain(tell, pull, now);
      return false;
    });
    return withSomethingNew(open, states);
  }

  /** What became of their keys; those that were told are remembered. */
  async #statesOf(candidates: readonly Untold[]): Promise<KeyStates> {
    const states = await keyStates(
      this.#deps.db,
      candidates.map(({ tell }) => tell),
    );
    for (const [key, state] of states) if (state === 'told') this.#told.add(key);
    return states;
  }

  #lookAgain(tell: Tell, pull: OpenPullRequest, now: Date): void {
    this.#untrue.set(versionOf(tell, pull), now.getTime() + LOOK_AGAIN);
  }

  /** What of it is so by all the rules, as the recipient's own list has it now: with its key, which some of the candidates may share. */
  async #confirm(to: Recipient, candidates: readonly Candidate[], now: Date): Promise<Untold[]> {
    const places = new Set(candidates.map(({ pull }) => pull.repository_id));
    const desk = await this.#deps.deskOf(to, now, [...places]);
    const items = new Map(desk.flatMap((section) => section.items).map((found) => [placeOf(found), found]));
    const confirmed = candidates.flatMap(({ tell, pull }) => {
      const found = items.get(`${pull.repository_id} ${pull.number}`);
      const real = found === undefined ? null : this.#tellOf(to, tell, found, now);
      // What is not so, or is in messages by another key, would count as something new at each look.
      if (real?.key !== tell.key) this.#lookAgain(tell, pull, now);
      return real === null ? [] : [{ tell, real, pull, byTime: found!.agent_until !== null }];
    });
    const own = await ownActs(
      this.#deps.db,
      to.person_id,
      confirmed.filter(({ real, byTime }) => real.kind === 'turn' && !byTime).map(({ real }) => real),
    );
    return confirmed.flatMap(({ tell, real, pull }) => {
      if (!own.has(real.key)) return [{ to, tell: real }];
      this.#lookAgain(tell, pull, now);
      return [];
    });
  }

  /** The same thing with the moment that the list gives it; null where it is not so, or too long ago. */
  #tellOf(to: Recipient, { kind }: Tell, { item, repository_id, agent_until }: DeskItem, now: Date): Tell | null {
    const since = Date.parse(item.since);
    const pull = { repository_id, number: item.pr_number };
    if (kind === 'turn') {
      const turn = subscriptionTo(to, 'turn');
      if (turn === null || !isTurnTold(to, item) || since < this.#floor(turn.since, now)) return null;
      return turnOf(to, pull, since, (agent_until ?? since) + turn.options.delay * MINUTE);
    }
    const stuck = subscriptionTo(to, 'stuck');
    if (stuck === null || !isWatched(to, item)) return null;
    const passing = latestPassing(since, stuck.options, now.getTime() + LOOK_AHEAD);
    if (passing === null || passing.at < this.#floor(stuck.since, now)) return null;
    return stuckOf(to, pull, since, passing);
  }
}

/** Without those that did not go out before, of recipients who have nothing new among these. */
function withSomethingNew<One extends Untold>(untold: readonly One[], states: KeyStates): One[] {
  const withNew = new Set(untold.filter(({ tell }) => states.get(tell.key) !== 'undelivered').map(({ to }) => to));
  return untold.filter(({ to }) => withNew.has(to));
}

const versionOf = ({ key }: Tell, { version }: OpenPullRequest) => `${key} ${version}`;
const placeOf = ({ item, repository_id }: DeskItem) => `${repository_id} ${item.pr_number}`;

/** Those of turns that came by what the person did themselves, and nobody else in that second. */
async function ownActs(
  db: Kysely<Database>,
  person_id: number | null,
  turns: readonly Tell[],
): Promise<ReadonlySet<string>> {
  if (turns.length === 0) return new Set();
  const asked = turns.map(({ key, repository_id, number, since }) => ({
    ...{ key, repository_id, number },
    from: new Date(Math.floor(since! / 1000) * 1000),
  }));
  const within = (table: string, at: string) =>
    sql`where ${sql.ref(`${table}.repository_id`)} = t.repository_id and ${sql.ref(`${table}.number`)} = t.number
      and ${sql.ref(`${table}.${at}`)} >= t."from" and ${sql.ref(`${table}.${at}`)} < t."from" + interval '1 second'`;
  const { rows } = await sql<{ key: string }>`
    select t.key from json_to_recordset(${JSON.stringify(asked)}) as t (key text, repository_id int, number int, "from" timestamptz)
    cross join lateral (
      select e.actor_id as person_id from events e ${within('e', 'at')}
      union all select v.author_id from reviews v ${within('v', 'submitted_at')}
      union all select k.author_id from commits k ${within('k', 'listed_at')}
      union all select d.author_id from comments d ${within('d', 'created_at')}
    ) act
    group by t.key having bool_and(act.person_id is not distinct from ${person_id}::int)`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/**
 * Since when this version of the facts is the one that turns are found by: an earlier one may have had them begin at another time, and would
 * have told them.
 */
async function factsSince(db: Kysely<Database>, now: Date): Promise<Instant> {
  const { rows } = await sql<{ since: Date }>`
    insert into notification_facts as stored (id, version, since) values (1, ${FACTS_VERSION}, ${now})
    on conflict (id) do update set version = excluded.version,
      since = case when stored.version = excluded.version then stored.since else excluded.since end
    returning since`.execute(db);
  return rows[0]!.since.getTime();
}
