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

/** What one look at the database found for everybody who watches. */
interface Look {
  readonly number: number;
  /** By user, the repositories that they may read now. */
  readonly seen: ReadonlyMap<number, ReadonlyMap<number, Seen>>;
  /** Whether the watcher's session lives; nothing is said of whoever came while it looked. */
  readonly signedIn: ReadonlyMap<Watcher, boolean>;
}

/** The shortest time between two looks because something changed, and between any two where no database tells, in milliseconds. */
const LOOK_EVERY = 1000;
/** How often to look where the database tells of changes, in milliseconds: sessions also end by the clock. */
const LOOK_ANYWAY_EVERY = 5000;
/** How often what waits for a person is counted though nothing changed, in milliseconds: some of it changes by the clock. */
const COUNT_ANYWAY_EVERY = 50_000;

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
  /** How much waits for a user now; null while that can't be said. */
  readonly workCounts: (user_id: number) => Promise<WorkCounts | null>;
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
  #looks = 0;
  #seen: Look['seen'] = new Map();
  #looking = false;
  /** By user, what was counted for the present look: their other pages need not count again. */
  readonly #counted = new Map<number, { readonly look: number; readonly counts: Promise<WorkCounts | null> }>();
  /** Aborted to look at once, because somebody came. */
  #urgent = new AbortController();
  /** Aborted to look soon, because something changed. */
  #changed = new AbortController();

  constructor(deps: SyncEventsDeps) {
    this.#deps = deps;
  }

  /**
   * What happens to the user's repositories from now on, until `gone` is aborted or the session ends: first the progress of every sync
   * that is under way, then each change.
   */
  async *watch(user_id: number, session_id: string, gone: AbortSignal): AsyncIterable<SyncEvent> {
    const watcher: Watcher = { user_id, session_id };
    const ended = AbortSignal.any([gone, this.#stopping.signal]);
    this.#watchers.add(watcher);
    this.#urgent.abort();
    this.#keepLooking();
    try {
      let work: { readonly counts: WorkCounts; readonly at: number } | null = null;
      for (let before: ReadonlyMap<number, Seen> | null = null; ; ) {
        const look = await orNull(this.#next.promise, ended);
        const signedIn = look?.signedIn.get(watcher);
        if (look === null || signedIn === false) return;
        // It began before this stream was there.
        if (signedIn === undefined) continue;
        const current = look.seen.get(user_id) ?? new Map<number, Seen>();
        for (const seen of current.values()) yield* newsOf(before, seen, user_id, this.#deps.now());
        const at = this.#deps.now().getTime();
        if (work === null || isOtherWork(before, current) || at - work.at >= COUNT_ANYWAY_EVERY) {
          const counts = await this.#countWork(user_id, look.number);
          if (counts !== null) {
            if (work !== null && JSON.stringify(counts) !== JSON.stringify(work.counts))
              yield { type: 'my-work', counts };
            work = { counts, at };
          }
        }
        before = current;
        // Whoever reads slowly and missed a look gets a new one: the old one may show what they may not read any more.
        if (look.number !== this.#looks) this.#urgent.abort();
      }
    } finally {
      this.#watchers.delete(watcher);
      if (![...this.#watchers].some((other) => other.user_id === user_id)) this.#counted.delete(user_id);
      if (this.#watchers.size === 0) this.#urgent.abort();
    }
  }

  /** How much waits for a user; null where it could not be counted, which is tried again with the next look that finds a change. */
  async #countWork(user_id: number, look: number): Promise<WorkCounts | null> {
    const known = this.#counted.get(user_id);
    if (known?.look === look) return await known.counts;
    const counts = this.#deps.workCounts(user_id).catch((error: unknown) => {
      this.#deps.log.warn(
        { err: error, user_id },
        'could not count what waits for a person; their open pages hear of it later',
      );
      return null;
    });
    this.#counted.set(user_id, { look, counts });
    return await counts;
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
    this.#deps.notifications?.start(() => this.#changed.abort());
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
        const changed = [...look.seen].filter(([user_id, seen]) => isOtherSight(this.#seen.get(user_id), seen));
        if (changed.length > 0) await this.#deps.beforeTelling(changed.map(([user_id]) => user_id));
        this.#seen = look.seen;
        const { resolve } = this.#next;
        this.#looks = look.number;
        this.#next = Promise.withResolvers();
        resolve(look);
      } catch (error) {
        log.warn({ err: error }, 'could not look for changes; open pages hear of them later');
      }
      const { signal } = this.#urgent;
      await sleep(LOOK_EVERY, signal);
      if (told && !signal.aborted)
        await sleep(LOOK_ANYWAY_EVERY - LOOK_EVERY, AbortSignal.any([signal, this.#changed.signal]));
    }
  }

  /** Two questions, for however many watchers. */
  async #look(): Promise<Look> {
    const watchers = [...this.#watchers];
    const living = await this.#deps.livingSessions([...new Set(watchers.map(({ session_id }) => session_id))]);
    return {
      number: this.#looks + 1,
      seen: await seenBy(this.#deps.db, [...new Set(watchers.map(({ user_id }) => user_id))]),
      signedIn: new Map(watchers.map((watcher) => [watcher, living.has(watcher.session_id)])),
    };
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

/** Whether what waits for the person may be something else than it was. */
function isOtherWork(all: ReadonlyMap<number, Seen> | null, current: ReadonlyMap<number, Seen>): boolean {
  if (all === null || all.size !== current.size) return true;
  return [...current.values()].some((seen) => {
    const before = all.get(seen.repository_id);
    return (
      before?.changed_at.getTime() !== seen.changed_at.getTime() ||
      before.own_changed_at !== seen.own_changed_at ||
      before.snoozes !== seen.snoozes
    );
  });
}

/** Whether there is anything in a look that a page may be told of. */
function isOtherSight(before: ReadonlyMap<number, Seen> | undefined, current: ReadonlyMap<number, Seen>): boolean {
  if (before === undefined || isOtherWork(before, current)) return true;
  return [...current.values()].some(({ repository_id, session }) => {
    const known = before.get(repository_id)?.session;
    return known?.id !== session?.id || known?.updated_at.getTime() !== session?.updated_at.getTime();
  });
}

function* newsOf(all: ReadonlyMap<number, Seen> | null, seen: Seen, user_id: number, now: Date): Iterable<SyncEvent> {
  const before = all?.get(seen.repository_id);
  const { repository_id, session, changed_at, own_changed_at } = seen;
  const underWay = session !== null && session.finished_at === null;
  const moved =
    session !== null &&
    (before === undefined
      ? underWay
      : before.session?.id !== session.id ||
        before.session.updated_at.getTime() !== session.updated_at.getTime() ||
        before.session.status !== session.status);
  if (moved) yield { type: 'progress', repository_id, sync: syncResponseOf(session, user_id, now) };
  const changed = before?.changed_at.getTime() !== changed_at.getTime() || before?.own_changed_at !== own_changed_at;
  if (all !== null && changed) {
    const latest = new Date(Math.max(changed_at.getTime(), own_changed_at ?? 0));
    yield { type: 'changed', repository_id, changed_at: latest.toISOString() };
  }
}

/** By user, the repositories that they may read, each with its newest session: each repository is read once. */
async function seenBy(db: Kysely<Database>, user_ids: readonly number[]): Promise<Look['seen']> {
  const { rows } = await sql<
    Omit<SyncSession, 'id'> & {
      id: string | null;
      seen_id: number;
      seen_by: number[];
      changed_at: Date;
      own_changes: Record<string, number>;
      snoozes: Record<string, string>;
    }
  >`
    select s.*, seen.repository_id as seen_id, seen.user_ids as seen_by, r.changed_at,
      (select coalesce(json_object_agg(l.user_id, extract(epoch from l.changed_at) * 1000), '{}') from lenses l
        where l.repository_id = seen.repository_id and l.user_id = any(seen.user_ids)) as own_changes,
      (select coalesce(json_object_agg(own.user_id, own.mark), '{}') from (
        select it.user_id, count(*) || ' ' || max(it.changed_at) as mark from snoozes it
        where it.repository_id = seen.repository_id and it.user_id = any(seen.user_ids) group by it.user_id) own) as snoozes
    from (select c.repository_id, array_agg(c.user_id) as user_ids from connections c
      where c.user_id = any(${[...user_ids]}) and ${isVisible} group by c.repository_id) seen
    join repositories r on r.id = seen.repository_id
    left join lateral (select * from sync_sessions s where s.repository_id = seen.repository_id
      order by s.sequence desc limit 1) s on true`.execute(db);
  const seen = new Map<number, Map<number, Seen>>();
  for (const { seen_id: repository_id, seen_by, changed_at, own_changes, snoozes, ...row } of rows) {
    const session = row.id === null ? null : { ...row, id: row.id };
    for (const user_id of seen_by) {
      const entry: Seen = {
        ...{ repository_id, changed_at, session },
        own_changed_at: own_changes[user_id] ?? null,
        snoozes: snoozes[user_id] ?? null,
      };
      const theirs = seen.get(user_id) ?? new Map<number, Seen>();
      seen.set(user_id, theirs.set(repository_id, entry));
    }
  }
  return seen;
}
