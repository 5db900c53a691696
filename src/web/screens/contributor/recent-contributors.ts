import { isAutomationKind } from '#domain/history.ts';
import type { AccountKind } from '#domain/pull-request.ts';

/** Someone whose page was opened on this device (docs/product.md#a-contributor). */
export interface RecentContributor {
  readonly username: string;
  readonly display_name: string | null;
  readonly avatar_url: string | null;
  /** Of one that an earlier version kept, a person until the page is opened again. */
  readonly kind: AccountKind;
  /** ISO 8601; null shows 'Never'. */
  readonly last_viewed: string | null;
  /** Null where it was not known when the page was opened. */
  readonly repository_count: number | null;
}

/** Where the device keeps them. */
export const RECENT_KEY = 'recent-contributors';
/** At most so many are kept, and so many shown at first (docs/product.md#a-contributor). */
const RECENT_KEPT = 10;
export const RECENT_SHOWN = 5;

/** Whether two usernames are the same account's; upper and lower case are the same. */
export function sameUsername(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The list after a page was opened: that person first and once, the oldest beyond ten dropped. */
export function withVisit(recent: readonly RecentContributor[], visit: RecentContributor): RecentContributor[] {
  const others = recent.filter(({ username }) => !sameUsername(username, visit.username));
  return [visit, ...others].slice(0, RECENT_KEPT);
}

/** Reads what the device has kept; what is damaged, written by hand or by another version is left out. */
export function readRecent(text: string | undefined): RecentContributor[] {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  return Array.isArray(kept) ? kept.flatMap((entry) => entryOf(entry) ?? []).slice(0, RECENT_KEPT) : [];
}

function entryOf(entry: unknown): RecentContributor | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { username, display_name, avatar_url, kind, last_viewed, repository_count } = entry as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const told = text(kind);
  if (typeof username !== 'string' || username === '') return null;
  return {
    username,
    display_name: text(display_name),
    avatar_url: text(avatar_url),
    kind: isAutomationKind(told) ? told : 'human',
    last_viewed: text(last_viewed),
    repository_count: typeof repository_count === 'number' ? repository_count : null,
  };
}
