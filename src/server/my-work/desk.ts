import type { Kysely } from 'kysely';
import { workSections } from '#contract/my-work.ts';
import type { WorkSection } from '#domain/my-work.ts';
import type { Database } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { itemsOf, type PlacedItem, placedWork } from './person-work.ts';

interface DeskSection {
  readonly key: WorkSection;
  readonly total: number;
  readonly items: readonly PlacedItem[];
}

/**
 * What lies on a person's desk, for messages: by section all of it, in these repositories or in all, but what they snoozed. Nothing for
 * whoever has no valid token or sees nothing, and while what they see is being recounted. `shared` is the database as everybody sees it, in which
 * snoozes that have ended are deleted; null: they stay.
 */
export async function personDesk(
  db: Kysely<Database>,
  user_id: number,
  now: Date,
  within?: readonly number[],
  shared: Kysely<Database> | null = null,
): Promise<DeskSection[]> {
  const all = await scopeUnlessRecounted(db, user_id);
  if (all === null || all.repository_ids.length === 0) return [];
  const placed = await placedWork(db, within === undefined ? all : all.within(within), now, null, shared);
  const awake = placed.filter(({ snooze }) => snooze === null);
  return bySection(await itemsOf(db, awake, now));
}

/** What a user sees; null while all of it is being recounted. */
export async function scopeUnlessRecounted(db: Kysely<Database>, user_id: number): Promise<Scope | null> {
  try {
    return await scopeOf(db, user_id);
  } catch (error) {
    if (error instanceof HttpError && error.status === 503) return null;
    throw error;
  }
}

/** Items in the order of the screen. */
export function bySection(items: readonly PlacedItem[]): DeskSection[] {
  return workSections.map((key) => {
    const own = items.filter(({ section }) => section === key);
    return { key, total: own.length, items: own };
  });
}
