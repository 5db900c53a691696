import { type Kysely, sql } from 'kysely';
import type { WorkCounts } from '#contract/my-work.ts';
import type { SyncEvent } from '#contract/sync.ts';
import type { Database } from '../db/database.ts';
import type { Notifications } from '../db/notifications.ts';
import type { Log } from '../log.ts';
import { isVisible } from '../metrics/scope.ts';
import { syncResponseOf } from './progress.ts';
import type { SyncSession } from './sessions.ts';

interface Seen {
  readonly repository_id: number;
  readonly changed_at: Date;
  /** When the figures that the user's own marks make changed for them alone, in milliseconds; null without marks of their own. */
  readonly own_changed_at: number | null;
  readonly session: SyncSession | null;
  /** Changes with every snooze of the user there; null without any. */
  readonly snoozes: string | null;
}

/** One open stream of events. */
interface Watcher {
  readonly user_id: number;
  readonly session_id: string;
}

/** The repositories that a user may read, by row id. */
type VisibleRepositories = ReadonlyMap<number, Seen>;

/** What one look at the database found for everybody who watches. Published again, with the same number, after each recount. */
interface Look {
  readonly number: number;
  /** By user, the repositories that they may read now. */
  readonly seen: ReadonlyMap<number, VisibleRepositories>;
  /** The same by repository, for whoever has nothing of their own in it. */
  readonly shared: VisibleRepositories;
  /** Whether the watcher's session lives; nothing is said of whoever came while it looked. */
  readonly signedIn: ReadonlyMap<Watcher, boolean>;
}

/** Work counts of a user with an open stream. */
interface WorkState {
  /** By repository id; one in which nothing waits is absent. */
  counts: Map<number, WorkCounts>;
  /** The sum over all repositories; null until known. */
  total: WorkCounts | null;
  /** Of the last full count, in milliseconds. */
  at: number;
  /** Repositories to recount; null: all. */
  stale: Set<number> | null;
}

/** The shortest time between two looks because something changed, and between any two where no database tells, in milliseconds. */
const LOOK_EVERY = 1000;
/** How often to look where the database tells of changes, in milliseconds: sessions also end by the clock. */
const LOOK_ANYWAY_EVERY = 5000;
/** How often what waits for a person is counted though nothing changed, in milliseconds: some of it changes by the clock. */
const COUNT_ANYWAY_EVERY = 50_000;
/** A change this long before a stream's first look is told, too, in milliseconds: the page asked its own questions before that look. */
const TOLD_BACK_TO = 15_000;

/** Who sees what, as it was at `at`, in milliseconds. */
interface Sight {
  readonly users: ReadonlySet<number>;
  /** Who may read it, by repository. */
  readonly repositories: ReadonlyMap<number, readonly number[]>;
  readonly at: number;
}

export interface SyncEventsDeps {
  readonly db: Kysely<Database>;
  readonly now: () => Date;
  /** Ends early when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: Pick<Log, 'warn'>;
  /** Which of these sessions live, in one question. */
  readonly livingSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Called before these users are told of changes: whatever they ask then has to be answered with them. */
  readonly beforeTelling: (user_ids: readonly number[]) => Promise<void>;
  /** How much waits now for each of these users in the repositories that are named, by repository; null while that can't be said. */
  readonly workCounts: (
    asked: ReadonlyMap<number, readonly number[]>,
  ) => Promise<ReadonlyMap<number, ReadonlyMap<number, WorkCounts> | null>>;
  /** Tells when something may have changed; null where the database can't. */
  readonly notifications: Notifications | null;
}

/**
 * The streams of events of one process. All of them share each look at the database, however many there are. It finds what each watcher
 * may read now and whether their session lives: whoever may no longer read a repository hears nothing more of it.
 */
export class SyncEvents {
  readonly #deps: SyncEventsDeps;
  readonly #watchers = new Set<Watcher>();
  readonly #stopping = new AbortController();
  #next = Promise.withResolvers<Look>();
  #last: Look = { number: 0, seen: new Map(), shared: new Map(), signedIn: new Map() };
  #looking = false;
  /** By user id, shared by all of their streams. */
  readonly #work = new Map<number, WorkState>();
  #recounting = false;
  /** Set while a recount runs, so that it runs once more. */
  #recountRequested = false;
  /** Aborted to look at once, because somebody came. */
  #urgent = new AbortController();
  /** Aborted to look soon, because something changed. */
  #changed = new AbortController();
  /** Null before it was found. */
  #sight: Sight | null = null;
  /** Set when the database tells that it may have changed. */
  #sightChanged = false;

  constructor(deps: SyncEventsDeps) {
    this.#deps = deps;
  }

  /**
   * What happens to the user's repositories from now on, until `gone` is aborted, the session ends or a repository is lost from sight: first
   * the progress of every sync that is under way and what changed a moment ago, then each change. What a look found comes together: hundreds
   * of streams have dozens of news each, at one moment.
   */
  async *watch(user_id: number, session_id: string, gone: AbortSignal): AsyncIterable<readonly SyncEvent[]> {
    const watcher: Watcher = { user_id, session_id };
    const ended = AbortSignal.any([gone, this.#stopping.signal]);
    this.#watchers.add(watcher);
    this.#urgent.abort();
    this.#keepLooking();
    try {
      let work: WorkCounts | null = null;
      let last: Look | null = null;
      let hasLost = false;
      for (let before: VisibleRepositories | null = null; ; ) {
        // Counts published while this stream was writing are taken at once.
        const isCountedSince: boolean = last !== null && last !== this.#last && last.number === this.#last.number;
        const look: Look | null = isCountedSince ? this.#last : await orNull(this.#next.promise, ended);
        last = look;
        const signedIn = look?.signedIn.get(watcher);
        if (look === null || signedIn === false) return;
        // It began before this stream was there.
        if (signedIn === undefined) continue;
        const current = look.seen.get(user_id) ?? new Map<number, Seen>();
        const now = this.#deps.now();
        const news: SyncEvent[] = [];
        // Hundreds of streams look through hundreds of repositories, of which few have news.
        let kept = 0;
        for (const [id, seen] of current) {
          const known = before?.get(id);
          if (known !== undefined) kept += 1;
          if (known !== seen) news.push(...newsOf(before, seen, user_id, now));
        }
        const counts: WorkCounts | null = this.#work.get(user_id)?.total ?? null;
        if (counts !== null) {
          if (work !== null && JSON.stringify(counts) !== JSON.stringify(work)) news.push({ type: 'my-work', counts });
          work = counts;
        }
        if (news.length > 0) yield news;
        // Whatever of a lost repository is on screen has to go, and nothing is said of it: a page that opens its stream again asks for all
        // again. The counts of the look that found it are told before.
        if (hasLost) return;
        hasLost = before !== null && kept < before.size;
        before = current;
        // Whoever reads slowly and missed a look gets a new one: the old one may show what they may not read any more.
        if (look.number !== this.#last.number) this.#urgent.abort();
      }
    } finally {
      this.#watchers.delete(watcher);
      if (![...this.#watchers].some((other) => other.user_id === user_id)) this.#work.delete(user_id);
      if (this.#watchers.size === 0) this.#urgent.abort();
    }
  }

  /**
   * Marks the repositories that changed between two looks as stale, for each user of the new look who still watches. To count one user in
   * everything takes a quarter of what it takes for a hundred: where one is due, whoever would be before long is counted with them.
   */
  #markStale(before: Look['seen'], { seen, signedIn }: Omit<Look, 'number'>): void {
    for (const watcher of signedIn.keys()) {
      if (!this.#watchers.has(watcher)) continue;
      const { user_id } = watcher;
      const work = this.#work.get(user_id);
      if (work === undefined) this.#work.set(user_id, { counts: new Map(), total: null, at: 0, stale: null });
      else if (work.stale !== null)
        for (const id of changedIn(before.get(user_id) ?? new Map(), seen.get(user_id) ?? new Map()))
          work.stale.add(id);
    }
    const now = this.#deps.now().getTime();
    const countedBefore = (milliseconds: number) =>
      [...this.#work.values()].filter(({ at }) => at <= now - milliseconds);
    if (countedBefore(COUNT_ANYWAY_EVERY).length === 0) return;
    for (const work of countedBefore(COUNT_ANYWAY_EVERY / 2)) work.stale = null;
  }

  /** Recounts what is stale, all users in one query, one recount at a time; publishes the last look again with the new counts. */
  async #recount(): Promise<void> {
    this.#recountRequested = true;
    if (this.#recounting) return;
    this.#recounting = true;
    try {
      while (this.#recountRequested && !this.#stopping.signal.aborted) {
        this.#recountRequested = false;
        await this.#recountStale();
      }
    } finally {
      this.#recounting = false;
    }
  }

  async #recountStale(): Promise<void> {
    const at = this.#deps.now().getTime();
    const pending = [...this.#work].flatMap(([user_id, work]) => {
      const repositories: VisibleRepositories = this.#last.seen.get(user_id) ?? new Map();
      const ids = work.stale ?? new Set(repositories.keys());
      if (work.stale?.size === 0) return [];
      const isWhole = work.stale === null;
      work.stale = new Set();
      return [{ user_id, work, ids: [...ids], visible: [...ids].filter((id) => repositories.has(id)), isWhole }];
    });
    if (pending.length === 0) return;
    const query = new Map(pending.flatMap(({ user_id, visible }) => (visible.length > 0 ? [[user_id, visible]] : [])));
    try {
      const result = query.size > 0 ? await this.#deps.workCounts(query) : new Map<number, never>();
      for (const { user_id, work, ids, visible, isWhole } of pending) {
        const counts = visible.length > 0 ? (result.get(user_id) ?? null) : new Map<number, WorkCounts>();
        if (counts === null) {
          work.stale = null;
          continue;
        }
        if (isWhole) work.at = at;
        if (isWhole) work.counts.clear();
        for (const id of ids) work.counts.delete(id);
        for (const [id, own] of counts) work.counts.set(id, own);
        work.total = sumOf(work.counts.values());
      }
    } catch (error) {
      for (const { work } of pending) work.stale = null;
      this.#deps.log.warn({ err: error }, 'could not count what waits for people; their open pages hear of it later');
      return;
    }
    this.#publish({ ...this.#last });
  }

  #publish(look: Look): void {
    const { resolve } = this.#next;
    this.#last = look;
    this.#next = Promise.withResolvers();
    resolve(look);
  }

  /** Ends all streams. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#urgent.abort();
    await this.#deps.notifications?.stop();
  }

  #keepLooking(): void {
    if (this.#looking) return;
    this.#looking = true;
    this.#deps.notifications?.start((what) => {
      if (what === 'sight') this.#sightChanged = true;
      this.#changed.abort();
    });
    this.#lookWhileWatched().finally(() => {
      this.#looking = false;
      if (this.#watchers.size > 0 && !this.#stopping.signal.aborted) this.#keepLooking();
    });
  }

  async #lookWhileWatched(): Promise<void> {
    const { log, notifications, sleep } = this.#deps;
    while (this.#watchers.size > 0 && !this.#stopping.signal.aborted) {
      this.#urgent = new AbortController();
      this.#changed = new AbortController();
      const told = notifications?.listening === true;
      try {
        const look = await this.#look();
        const { seen: before } = this.#last;
        const changed = [...look.seen].filter(([user_id, seen]) => isOtherSight(before.get(user_id), seen));
        if (changed.length > 0) await this.#deps.beforeTelling(changed.map(([user_id]) => user_id));
        this.#markStale(before, look);
        this.#publish({ ...look, number: this.#last.number + 1 });
        void this.#recount();
      } catch (error) {
        log.warn({ err: error }, 'could not look for changes; open pages hear of them later');
      }
      const { signal } = this.#urgent;
      await sleep(LOOK_EVERY, signal);
      if (told && !signal.aborted)
        await sleep(LOOK_ANYWAY_EVERY - LOOK_EVERY, AbortSignal.any([signal, this.#changed.signal]));
    }
  }

  /** Two questions, or three, for however many watchers. */
  async #look(): Promise<Omit<Look, 'number'>> {
    const watchers = [...this.#watchers];
    const living = await this.#deps.livingSessions([...new Set(watchers.map(({ session_id }) => session_id))]);
    return {
      ...(await this.#see(new Set(watchers.map(({ user_id }) => user_id)))),
      signedIn: new Map(watchers.map((watcher) => [watcher, living.has(watcher.session_id)])),
    };
  }

  /**
   * What these users may read, as it is at one moment. Where the database tells when others may see something, who sees what is asked once it
   * did, and every few seconds anyway; in between of what has news alone, and after these: whoever had lost sight by then hears nothing of them.
   */
  async #see(users: ReadonlySet<number>): Promise<Pick<Look, 'seen' | 'shared'>> {
    const { db } = this.#deps;
    const at = this.#deps.now().getTime();
    const known = this.#knownSight(users, at);
    if (known === null) {
      // What is told from here on may have happened after the question.
      this.#sightChanged = false;
      this.#sight = null;
      const rows = await readSeen(db, [...users], null);
      this.#sight = { users, at, repositories: new Map(rows.map(({ seen_id, seen_by }) => [seen_id, seen_by ?? []])) };
      return seenIn(rows, this.#sight.repositories, users, this.#last.shared);
    }
    const rows = await readSeen(db, [...users], [...known.repositories.keys()]);
    const repositories = new Map(known.repositories);
    const news = rows.filter((row) => hasNews(row, this.#last)).map(({ seen_id }) => seen_id);
    const readers = news.length === 0 ? new Map<number, number[]>() : await readersOf(db, [...users], news);
    for (const id of news) repositories.set(id, readers.get(id) ?? []);
    this.#sight = { ...known, repositories };
    return seenIn(rows, repositories, users, this.#last.shared);
  }

  /** Null where it has to be asked. */
  #knownSight(users: ReadonlySet<number>, at: number): Sight | null {
    const known = this.#sight;
    const isTold = this.#deps.notifications?.listening === true && !this.#sightChanged;
    const isRecent = known !== null && at >= known.at && at - known.at < LOOK_ANYWAY_EVERY;
    return isTold && isRecent && [...users].every((user_id) => known.users.has(user_id)) ? known : null;
  }
}

/** What a promise resolves to, or null as soon as the signal is aborted. */
async function orNull<T>(awaited: Promise<T>, ended: AbortSignal): Promise<T | null> {
  if (ended.aborted) return null;
  const { promise, resolve } = Promise.withResolvers<null>();
  const leave = () => resolve(null);
  ended.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    ended.removeEventListener('abort', leave);
  }
}

/** The repositories in which what waits for the person may be something else than it was. */
function changedIn(before: VisibleRepositories, current: VisibleRepositories): number[] {
  const changed = [...before.keys()].filter((id) => !current.has(id));
  for (const [id, seen] of current) if (isChanged(before.get(id), seen)) changed.push(id);
  return changed;
}

/** Whether figures of the repository may be others than they were. What nothing happened to is the same object in each look. */
function isChanged(before: Seen | undefined, seen: Seen): boolean {
  if (before === seen) return false;
  return (
    before?.changed_at.getTime() !== seen.changed_at.getTime() ||
    before.own_changed_at !== seen.own_changed_at ||
    before.snoozes !== seen.snoozes
  );
}

function hasMoved(before: SyncSession | null, session: SyncSession | null): boolean {
  return (
    before?.id !== session?.id ||
    before?.updated_at.getTime() !== session?.updated_at.getTime() ||
    before?.status !== session?.status
  );
}

/** Whether there is anything in a look that a page may be told of. */
function isOtherSight(before: VisibleRepositories | undefined, current: VisibleRepositories): boolean {
  if (before === undefined || changedIn(before, current).length > 0) return true;
  return [...current].some(([id, seen]) => {
    const known = before.get(id);
    return known !== seen && hasMoved(known?.session ?? null, seen.session);
  });
}

function sumOf(counts: Iterable<WorkCounts>): WorkCounts {
  const sum = { turn: 0, review: 0, author: 0, merge: 0, team_review: 0, snoozed: 0 };
  const keys = Object.keys(sum) as (keyof WorkCounts)[];
  for (const one of counts) for (const key of keys) sum[key] += one[key];
  return sum;
}

/** `all` is null at the first look. */
function* newsOf(all: VisibleRepositories | null, seen: Seen, user_id: number, now: Date): Iterable<SyncEvent> {
  const before = all?.get(seen.repository_id);
  const { repository_id, session, changed_at, own_changed_at } = seen;
  const underWay = session !== null && session.finished_at === null;
  const moved = session !== null && (before === undefined ? underWay : hasMoved(before.session, session));
  if (moved) yield { type: 'progress', repository_id, sync: syncResponseOf(session, user_id, now) };
  const latest = new Date(Math.max(changed_at.getTime(), own_changed_at ?? 0));
  const changed =
    all === null
      ? now.getTime() - latest.getTime() < TOLD_BACK_TO
      : before?.changed_at.getTime() !== changed_at.getTime() || before?.own_changed_at !== own_changed_at;
  if (changed) yield { type: 'changed', repository_id, changed_at: latest.toISOString() };
}

/** Of these users, by repository, those who may read it. */
async function readersOf(
  db: Kysely<Database>,
  users: readonly number[],
  repository_ids: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  const { rows } = await sql<{ repository_id: number; user_ids: number[] }>`
    select c.repository_id, json_agg(c.user_id) as user_ids from connections c
    where c.user_id = any(${[...users]}) and c.repository_id = any(${[...repository_ids]}) and ${isVisible}
    group by c.repository_id`.execute(db);
  return new Map(rows.map((row) => [row.repository_id, row.user_ids]));
}

/** A repository with its newest session, and what users have of their own in it. */
type SeenRow = Omit<SyncSession, 'id'> & {
  readonly id: string | null;
  readonly seen_id: number;
  /** Who may read it; null where that was not asked. */
  readonly seen_by: number[] | null;
  readonly changed_at: Date;
  readonly own_changes: Record<string, number>;
  readonly snoozes: Record<string, string>;
};

/** Of these repositories, or, by null, of all that these users may read, with who does. */
async function readSeen(
  db: Kysely<Database>,
  users: number[],
  repository_ids: number[] | null,
): Promise<readonly SeenRow[]> {
  const seen =
    repository_ids === null
      ? sql`(select c.repository_id, json_agg(c.user_id) as user_ids from connections c
          where c.user_id = any(${users}) and ${isVisible} group by c.repository_id)`
      : sql`(select repository_id, null::json as user_ids from unnest(${repository_ids}::int[]) repository_id)`;
  const { rows } = await sql<SeenRow>`
    select s.*, seen.repository_id as seen_id, seen.user_ids as seen_by, r.changed_at,
      coalesce(lens.changes, '{}') as own_changes, coalesce(snoozed.marks, '{}') as snoozes
    from ${seen} seen
    join repositories r on r.id = seen.repository_id
    left join (select l.repository_id, json_object_agg(l.user_id, extract(epoch from l.changed_at) * 1000) as changes
      from lenses l where l.user_id = any(${users}) group by l.repository_id) lens on lens.repository_id = r.id
    left join (select repository_id, json_object_agg(user_id, mark) as marks from (
        select it.repository_id, it.user_id, count(*) || ' ' || max(it.changed_at) as mark from snoozes it
        where it.user_id = any(${users}) group by it.repository_id, it.user_id) own
      group by repository_id) snoozed on snoozed.repository_id = r.id
    left join lateral (select * from sync_sessions s where s.repository_id = seen.repository_id
      order by s.sequence desc limit 1) s on true`.execute(db);
  return rows;
}

/** What is seen of it by whoever has nothing of their own in it: the same object as in the look before where nothing happened. */
function sharedOf(row: SeenRow, before: VisibleRepositories): Seen {
  const { seen_id: repository_id, changed_at, id } = row;
  const session = id === null ? null : { ...row, id };
  const found: Seen = { repository_id, changed_at, session, own_changed_at: null, snoozes: null };
  const known = before.get(repository_id);
  return known !== undefined && !isChanged(known, found) && !hasMoved(known.session, session) ? known : found;
}

/** Whether something is new in it since that look, for anybody. */
function hasNews(row: SeenRow, { shared, seen }: Look): boolean {
  if (sharedOf(row, shared) !== shared.get(row.seen_id)) return true;
  return [...new Set([...Object.keys(row.own_changes), ...Object.keys(row.snoozes)])].some((user_id) => {
    const known = seen.get(Number(user_id))?.get(row.seen_id);
    return (
      known?.own_changed_at !== (row.own_changes[user_id] ?? null) || known.snoozes !== (row.snoozes[user_id] ?? null)
    );
  });
}

/** By user, the repositories that they may read, by what was read of these and who may. All who have nothing of their own in one share what is seen. */
function seenIn(
  rows: readonly SeenRow[],
  readers: ReadonlyMap<number, readonly number[]>,
  users: ReadonlySet<number>,
  before: VisibleRepositories,
): Pick<Look, 'seen' | 'shared'> {
  const seen = new Map<number, Map<number, Seen>>();
  const shared = new Map<number, Seen>();
  for (const row of rows) {
    const { seen_id: repository_id, own_changes, snoozes } = row;
    const entry = sharedOf(row, before);
    shared.set(repository_id, entry);
    for (const user_id of readers.get(repository_id) ?? []) {
      if (!users.has(user_id)) continue;
      const [own_changed_at, own_snoozes] = [own_changes[user_id] ?? null, snoozes[user_id] ?? null];
      const hasOwn = own_changed_at !== null || own_snoozes !== null;
      const theirs = seen.get(user_id) ?? new Map<number, Seen>();
      seen.set(user_id, theirs.set(repository_id, hasOwn ? { ...entry, own_changed_at, snoozes: own_snoozes } : entry));
    }
  }
  return { seen, shared };
}
