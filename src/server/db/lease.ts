import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile, readlink, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { now } from '../clock.ts';
import { codeOf } from '../error-code.ts';
import { StartError } from '../start-error.ts';

/*
 * One process at a time owns DATA_DIR, across containers too, which cannot see each other's processes. The owner keeps changing a file
 * of the folder, `lease.N`. Whoever succeeds a dead owner creates `lease.N+1`, which only one process can; so the highest number owns
 * the folder, and an owner that comes back from a long sleep sees that it was succeeded.
 */

/** The owner changes its file this often, in milliseconds. */
const BEAT = 1000;
/** A file that has not changed for so long has no owner any more. */
const DEAD_AFTER = 10_000;
/** An owner that could not look at the folder for so long looks again before it writes; well below `DEAD_AFTER`. */
const UNCERTAIN_AFTER = 5000;
/** An owner that is alive and does not say that it is stopping is waited for this long: it may just have been told to. */
const PATIENCE_WITH_THE_LIVING = 3000;
const LOOK_EVERY = 200;

/** The owner of a lease, as its file describes it; process ids mean something only within one boot, host and namespace. */
interface Holder {
  readonly host: string;
  /** The kernel's id of this boot; null where there is no /proc. */
  readonly boot: string | null;
  readonly pid_namespace: string | null;
  readonly pid: number;
  /** When the process started, in the kernel's ticks since boot. */
  readonly started: string | null;
  readonly since: string;
  readonly state: 'held' | 'stopping' | 'released';
}

/** What another thread needs to make sure of the lease by itself; can be passed to a worker. */
export interface LeaseGuard {
  readonly folder: string;
  readonly generation: number;
  /** Two 64-bit integers: the monotonic and the wall clock's milliseconds at which the lease was last seen to be ours. */
  readonly confirmed: SharedArrayBuffer;
}

export interface Lease {
  readonly guard: LeaseGuard;
  /** Resolves with a sentence when another process took the lease; nothing may be written from then on. */
  readonly lost: Promise<string>;
  /** Tells starters that the folder will be free soon. */
  stopping(): void;
  release(): void;
}

export interface LeaseClock {
  /** Milliseconds of a clock that is never set. */
  readonly monotonic: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const realClock: LeaseClock = { monotonic: () => performance.now(), sleep: (ms) => pause(ms) };

/**
 * Takes the lease of a folder that exists. Waits up to 10 s for an owner that is stopping, or that shows no sign of life.
 * @throws StartError that names the owner and since when, where one is alive
 */
export async function takeLease(folder: string, clock: LeaseClock = realClock): Promise<Lease> {
  const began = clock.monotonic();
  let sign: string | null = null;
  let changed_at = began;
  let alive = false;
  for (;;) {
    const last = await newestLease(folder);
    const waited = clock.monotonic() - began;
    if (last === null || (await isFree(last.holder))) {
      const lease = await create(folder, (last?.generation ?? 0) + 1);
      if (lease !== null) return lease;
      continue;
    }
    if (sign !== last.sign) {
      alive = sign !== null;
      sign = last.sign;
      changed_at = clock.monotonic();
    } else if (clock.monotonic() - changed_at >= DEAD_AFTER) {
      const lease = await create(folder, last.generation + 1);
      if (lease !== null) return lease;
      continue;
    }
    const enough = last.holder?.state === 'stopping' ? DEAD_AFTER : PATIENCE_WITH_THE_LIVING;
    if (alive && waited >= enough)
      throw new StartError(
        `DATA_DIR: ${folder} is in use by another Mergelight${described(last.holder)}. Stop that one, or set DATA_DIR to another folder.`,
      );
    await clock.sleep(LOOK_EVERY);
  }
}

/**
 * Returns while the lease is surely this process's. Where that was not seen for some seconds (the process was stopped, or the machine
 * slept), looks at the folder first.
 * @throws Error when the lease is another's, or the folder cannot be read
 */
export function ensureHeld(guard: LeaseGuard): void {
  const confirmed = new BigInt64Array(guard.confirmed);
  const silence = (at: number, since: bigint) => Math.abs(at - Number(since));
  if (
    silence(monotonicOfProcess(), confirmed[0] ?? 0n) < UNCERTAIN_AFTER &&
    silence(now().getTime(), confirmed[1] ?? 0n) < UNCERTAIN_AFTER
  )
    return;
  confirm(guard);
}

/** Sees that nobody succeeded this process, and shows that it lives. */
function confirm(guard: LeaseGuard): void {
  // Read first: whoever waits for this process to die counts from the change below, which is later.
  const moments = [BigInt(monotonicOfProcess()), BigInt(now().getTime())] as const;
  const newest = Math.max(...readdirSync(guard.folder).map(generationOf));
  if (newest !== guard.generation)
    throw new Error(
      newest > guard.generation
        ? `Another Mergelight took ${guard.folder} over, since this one had shown no sign of life for ten seconds.`
        : `The lease of this process is gone from ${guard.folder}.`,
    );
  const changed_at = now();
  utimesSync(fileOf(guard.folder, guard.generation), changed_at, changed_at);
  new BigInt64Array(guard.confirmed).set(moments);
}

/** The same in all threads of a process, unlike `performance.now()`. */
function monotonicOfProcess(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

async function create(folder: string, generation: number): Promise<Lease | null> {
  const file = fileOf(folder, generation);
  const holder = await ownDescription();
  /** Of one length, so that it is overwritten in place, also on a full disk. */
  const content = (state: Holder['state']) => `${JSON.stringify({ ...holder, state })}\n`.padEnd(1024);
  if (!(await createWhole(file, content('held')))) return null;
  const guard: LeaseGuard = { folder, generation, confirmed: new SharedArrayBuffer(16) };
  try {
    confirm(guard);
  } catch {
    // Somebody was faster, and this one slept between its look and its creation.
    await unlink(file).catch(unlessMissing);
    return null;
  }
  for (const name of await readdir(folder)) {
    const other = generationOf(name);
    if ((other > 0 && other < generation) || DRAFT.test(name) || name === LOCK_OF_OLD)
      await unlink(join(folder, name)).catch(unlessMissing);
  }

  const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
  const timer = setInterval(() => {
    try {
      confirm(guard);
    } catch (error) {
      // The folder cannot be read just now (too many open files, say): before anything is written it is looked at again.
      if (codeOf(error) !== undefined) return;
      clearInterval(timer);
      new BigInt64Array(guard.confirmed).fill(0n);
      lose((error as Error).message);
    }
  }, BEAT).unref();
  const say = (state: Holder['state']) => {
    try {
      writeFileSync(file, content(state), { flag: 'r+' });
    } catch {
      // Whoever waits then sees the end of the process, or its silence.
    }
  };
  return {
    guard,
    lost,
    stopping: () => say('stopping'),
    release() {
      clearInterval(timer);
      say('released');
    },
  };
}

/** Where links are not to be had: FAT, and some folders that containers share with the machine. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'];
const DRAFT = /^lease\.\d+\.draft-/;

/**
 * Makes a file with its content at one go, by a link to a draft: a process killed between the making and the writing would leave a
 * lease that nobody can tell to be a dead one's for ten seconds. False where there is one already.
 */
async function createWhole(file: string, content: string): Promise<boolean> {
  const draft = `${file}.draft-${randomUUID()}`;
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
    linkSync(draft, file);
    return true;
  } catch (error) {
    const code = String(codeOf(error));
    // Whoever was faster clears drafts away.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (!NO_LINKS.includes(code)) throw error;
    return createSlowly(file, content);
  } finally {
    await unlink(draft).catch(unlessMissing);
  }
}

async function createSlowly(file: string, content: string): Promise<boolean> {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    await unlink(file).catch(unlessMissing);
    throw error;
  }
}

function fileOf(folder: string, generation: number): string {
  return join(folder, `lease.${generation}`);
}

/** The lock of Mergelight 0.1, which knew no other container: the process and when it started. */
const LOCK_OF_OLD = 'lock';

async function newestLease(
  folder: string,
): Promise<{ generation: number; holder: Holder | null; sign: string } | null> {
  const names = await readdir(folder);
  const generation = Math.max(...names.map(generationOf), 0);
  if (generation === 0 && !names.includes(LOCK_OF_OLD)) return null;
  const file = generation === 0 ? join(folder, LOCK_OF_OLD) : fileOf(folder, generation);
  const text = (await readFile(file, 'utf8').catch(unlessMissing)) ?? '';
  const changed = (await stat(file).catch(unlessMissing))?.mtimeMs ?? 0;
  const holder = generation === 0 ? await holderOfOldLock(text) : parsed(text);
  return { generation, holder, sign: `${generation} ${text} ${changed}` };
}

function generationOf(name: string): number {
  return Number(/^lease\.(\d{1,15})$/.exec(name)?.[1] ?? 0);
}

/** Null where it is not readable: being written, or cut by a loss of power. */
function parsed(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) ? holder : null;
  } catch {
    return null;
  }
}

async function holderOfOldLock(text: string): Promise<Holder> {
  const [pid, started] = text.trim().split(' ');
  // It never was this one's: this version writes none.
  const id = Number(pid) === process.pid ? 0 : Number(pid) || 0;
  return { ...(await ownDescription()), pid: id, started: started ?? null, since: '', state: 'held' };
}

/** True where the owner gave it back, or its process could be seen from here and is gone. */
async function isFree(holder: Holder | null): Promise<boolean> {
  if (holder === null) return false;
  if (holder.state === 'released') return true;
  const own = await ownDescription();
  if (holder.host !== own.host || holder.boot !== own.boot || holder.pid_namespace !== own.pid_namespace) return false;
  return await isGone(holder.pid, holder.started);
}

async function isGone(pid: number, started: string | null): Promise<boolean> {
  if (pid <= 0) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return true;
  }
  const now = await processOf(pid);
  if (now === null) return false;
  if (started !== null && now.started !== started) return true;
  // Killed and not collected by its parent yet; while one of its threads still writes it is not gone.
  return /[ZX]/.test(now.state) && (await readdir(`/proc/${pid}/task`).catch(() => [])).length <= 1;
}

/** A process as the kernel describes it; null where there is no /proc, or no such process. */
async function processOf(pid: number): Promise<{ state: string; started: string } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(unlessMissing);
  // The command's name is in brackets and may hold spaces: count the fields behind it.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] && fields[19] ? { state: fields[0], started: fields[19] } : null;
}

async function ownDescription(): Promise<Holder> {
  const [boot, namespace, self] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null),
    readlink('/proc/self/ns/pid').catch(() => null),
    processOf(process.pid),
  ]);
  return {
    host: hostname(),
    boot: boot?.trim() ?? null,
    pid_namespace: namespace,
    pid: process.pid,
    started: self?.started ?? null,
    since: now().toISOString(),
    state: 'held',
  };
}

function described(holder: Holder | null): string {
  if (holder === null) return '';
  const since = holder.since === '' ? '' : `, since ${holder.since.slice(0, 19).replace('T', ' ')} UTC`;
  return ` (process ${holder.pid} on ${holder.host}${since})`;
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ESRCH') throw error;
  return undefined;
}
