import type { ConnectedRepository } from '#contract/repositories.ts';
import type { SyncResponse } from '#contract/sync.ts';
import { instantOf } from '../time/moment.ts';

/** What there is to say about the completeness of what is shown; the most pressing thing alone. */
export type ImportState =
  | { readonly kind: 'settled' }
  /** `reason` is a sentence, `until` when the first of them goes on by itself. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly until: number | null }
  | {
      readonly kind: 'importing';
      readonly percentage: number;
      readonly currentWeeksComplete: boolean;
      /** Seconds until the slowest is done; null while it cannot be told. */
      readonly secondsLeft: number | null;
      readonly many: boolean;
    }
  /** `since` is when the older of them was last synced; null before the first time. */
  | { readonly kind: 'failed'; readonly names: string; readonly since: number | null; readonly error: string | null }
  | { readonly kind: 'never'; readonly names: string; readonly many: boolean };

export interface Imported {
  readonly repository: Pick<ConnectedRepository, 'full_name' | 'last_synced_at' | 'first_connected_at' | 'imported_at'>;
  /** Its newest session; undefined while that is not known, and where it is not asked for: of a settled repository. */
  readonly sync: Pick<SyncResponse, 'status' | 'progress' | 'imported_prs' | 'waiting_until' | 'error'> | undefined;
}

/**
 * Sums up the connected repositories of which some were never synced to the end or not within a day. `recentPrs` is how many pull requests of the last 60 days are
 * stored (null while unknown): history is read newest first, so a repository that has imported more than that has its current weeks complete.
 */
export function importStateOf(repositories: readonly Imported[], recentPrs: number | null): ImportState {
  const of = (...statuses: readonly string[]) =>
    repositories.filter(({ sync }) => sync && statuses.includes(sync.status));
  const atWork = of('queued', 'running', 'waiting').filter(({ repository }) => repository.last_synced_at === null);
  const waiting = of('waiting');
  if (waiting.length > 0 && waiting.length === of('queued', 'running', 'waiting').length) {
    const ends = waiting.flatMap(({ sync }) => (sync?.waiting_until ? Date.parse(sync.waiting_until) : []));
    const reason = waiting[0]?.sync?.progress.message ?? '';
    return { kind: 'waiting', reason, until: ends.length === 0 ? null : Math.min(...ends) };
  }
  if (atWork.length > 0) {
    const left = atWork.map(({ sync }) => sync?.progress.estimated_time_remaining ?? null);
    return {
      kind: 'importing',
      percentage: percentageOf(repositories),
      currentWeeksComplete: recentPrs !== null && atWork.every(({ sync }) => (sync?.imported_prs ?? 0) > recentPrs),
      secondsLeft: left.reduce((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0),
      many: atWork.length > 1,
    };
  }
  const failed = of('failed');
  if (failed.length > 0) {
    const synced = failed.flatMap(({ repository }) =>
      repository.last_synced_at === null ? [] : Date.parse(repository.last_synced_at),
    );
    return {
      kind: 'failed',
      names: namesOf(failed),
      since: synced.length === 0 ? null : Math.min(...synced),
      error: failed[0]?.sync?.error ?? null,
    };
  }
  const never = of('idle', 'cancelled').filter(({ repository }) => repository.last_synced_at === null);
  return never.length > 0 ? { kind: 'never', names: namesOf(never), many: never.length > 1 } : { kind: 'settled' };
}

/** The mean over one set of imports: so it doesn't fall when one of them ends. */
function percentageOf(repositories: readonly Imported[]): number {
  const { done, onTheWay } = firstImportsOf(repositories);
  const read = onTheWay.reduce((sum, { sync }) => sum + (sync?.progress.percentage ?? 0), 0);
  return (read + 100 * done.length) / (onTheWay.length + done.length);
}

/**
 * One set of first imports: on the way is what was never synced to the end, also where that failed, and done what ended since the first of
 * those began, the latest first. What was cancelled or never started is not on its way.
 */
export function firstImportsOf<One extends Imported>(
  repositories: readonly One[],
): { readonly done: readonly One[]; readonly onTheWay: readonly One[] } {
  const onTheWay = repositories.filter(
    ({ repository, sync }) =>
      repository.last_synced_at === null && sync?.status !== 'idle' && sync?.status !== 'cancelled',
  );
  return { done: doneMeanwhile(onTheWay, repositories), onTheWay };
}

/** How one of a set of first imports is. */
export const importStates = ['done', 'running', 'waiting', 'failed'] as const;
export type StateOfImport = (typeof importStates)[number];

/** `sync`, of one that was asked for, tells; what was not asked for may be waiting. */
export function stateOfImport({ repository, sync }: Imported): StateOfImport {
  if (repository.last_synced_at !== null || sync?.status === 'completed') return 'done';
  if (sync?.status === 'failed') return 'failed';
  return sync?.status === 'running' ? 'running' : 'waiting';
}

/** At most `most` of them, in the order of their states: first those under way and failed, then those that wait, then those that are done. */
export function importsToShow<One extends Imported>(all: readonly One[], most: number): One[] {
  const byState = Map.groupBy(all, stateOfImport);
  const chosen = new Set(
    (['running', 'failed', 'waiting', 'done'] as const).flatMap((state) => byState.get(state) ?? []).slice(0, most),
  );
  return importStates.flatMap((state) => (byState.get(state) ?? []).filter((one) => chosen.has(one)));
}

/** Those whose first import ended since the given ones began, or since those began that ended since, and so on. */
function doneMeanwhile<One extends Imported>(onTheWay: readonly One[], all: readonly One[]): One[] {
  const ended = all
    .flatMap((one) => {
      const { last_synced_at, first_connected_at, imported_at } = one.repository;
      return last_synced_at === null || imported_at === null || first_connected_at === null
        ? []
        : { one, began: Date.parse(first_connected_at), ended: Date.parse(imported_at) };
    })
    .toSorted((one, other) => other.ended - one.ended);
  let began = Math.min(...onTheWay.flatMap(({ repository }) => instantOf(repository.first_connected_at) ?? []));
  const done: One[] = [];
  for (const last of ended) {
    if (last.ended < began) break;
    began = Math.min(began, last.began);
    done.push(last.one);
  }
  return done;
}

/** "a/b", "a/b and a/c", "a/b and 3 others". */
function namesOf(all: readonly Imported[]): string {
  const [first, second] = all.map(({ repository }) => repository.full_name);
  if (second === undefined) return first ?? '';
  return all.length === 2 ? `${first} and ${second}` : `${first} and ${all.length - 1} others`;
}
