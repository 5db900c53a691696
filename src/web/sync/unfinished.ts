import type { SyncMode } from '#contract/sync.ts';
import { inStorage } from '../session/in-storage.ts';

const KEY = 'unfinished-sync';

/** What a tab was syncing when its page was left or reloaded. */
export interface Unfinished {
  readonly mode: SyncMode;
  readonly repositoryIds: readonly number[];
  /** Those of them that wait for their start. Where it is missing, as older versions kept it, all were started. */
  readonly notStarted?: readonly number[];
}

/** Keeps for this tab what is being synced; null when nothing is. */
export function rememberUnfinished(unfinished: Unfinished | null): void {
  inStorage(() =>
    unfinished === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, JSON.stringify(unfinished)),
  );
}

/** What this tab was syncing before its page was reloaded; null when nothing was. */
export function readUnfinished(): Unfinished | null {
  const kept = inStorage(() => sessionStorage.getItem(KEY));
  return kept === null ? null : (JSON.parse(kept) as Unfinished);
}
