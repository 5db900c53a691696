import { counted } from './counted.ts';

/** What a figure's change is measured against; the instants are ISO 8601. */
export interface ComparedWith {
  /** When the compared window begins. */
  readonly from: string;
  /** When the earliest stored pull request was opened; null without any. */
  readonly history_begins: string | null;
  /** False until the history of every repository in question was read to its end once. */
  readonly import_complete: boolean;
}

/** What a change is based on: how many items the earlier figure is made of and, of a mean or a rate, the present one too. */
export interface Basis {
  readonly before: number;
  /** Left out for a count, which says itself how much it is. */
  readonly now?: number;
}

/** Why a change is not shown as a percentage. */
export type Incomparable =
  | { readonly why: 'importing' }
  | { readonly why: 'history'; readonly begins: string }
  | { readonly why: 'few'; readonly count: number; readonly side: 'before' | 'now'; readonly isCount: boolean };

/** A change based on fewer items than this is not shown as a percentage, and a mean of fewer says so. */
export const FEW = 5;

/** What a page of figures says while the first import of a repository in it is not complete. */
export const PARTIAL = 'Partial until the first import is complete: figures still grow, comparisons follow.';

/** Whether the compared window was read from the host as a whole: the first import is over and the history reaches back to `from`. */
export function isWhole({ from, history_begins, import_complete }: ComparedWith): boolean {
  return import_complete && (history_begins === null || Date.parse(history_begins) <= Date.parse(from));
}

/**
 * The one rule about percentages against an earlier window: null where one may be shown, else what stands against it. Nothing is
 * compared with a window that is not wholly imported, that begins before the history does, or that holds fewer than five.
 */
export function incomparable(compared: ComparedWith, { before, now }: Basis): Incomparable | null {
  if (!compared.import_complete) return { why: 'importing' };
  if (compared.history_begins !== null && !isWhole(compared))
    return { why: 'history', begins: compared.history_begins };
  const isCount = now === undefined;
  if (now !== undefined && now < FEW) return { why: 'few', count: now, side: 'now', isCount };
  return before < FEW ? { why: 'few', count: before, side: 'before', isCount } : null;
}

/**
 * The reason in words: "comparison follows", "history begins May 2025", "4 yesterday", "of only 3 in the 30 days before".
 * `earlier` is the compared window in words: "yesterday".
 */
export function reasonWords(reason: Incomparable, earlier: string, timeZone: string): string {
  if (reason.why === 'importing') return 'comparison follows';
  if (reason.why === 'history') return `history begins ${monthOf(reason.begins, timeZone)}`;
  const { count, side, isCount } = reason;
  if (isCount) return `${count} ${earlier}`;
  if (side === 'now') return `of only ${count}`;
  return count === 0 ? `nothing ${earlier}` : `of only ${count} ${earlier}`;
}

/** In place of the change of a mean of few merged pull requests: "mean of only 3 merged PRs". */
export function fewMergedWords(merged: number): string {
  return merged === 0 ? 'Nothing merged in the period' : `mean of only ${counted(merged, 'merged PR')}`;
}

/** "May 2025" in a zone. */
export function monthOf(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, month: 'short', year: 'numeric' }).format(Date.parse(at));
}
