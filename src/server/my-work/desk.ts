import type { Kysely } from 'kysely';
import { type WorkItem, workSections } from '#contract/my-work.ts';
import type { Database } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { scopeOf } from '../metrics/scope.ts';
import { itemsOf, placedWork } from './person-work.ts';

/**
 * What lies on a person's desk, for messages: by section all of it, in these repositories or
 * in all, but what they snoozed; nothing while all they see is being recounted.
 */
export async function personDesk(
  db: Kysely<Database>,
  user_id: number,
  now: Date,
  within?: readonly number[],
): Promise<{ key: string; total: number; items: { item: WorkItem; repository_id: number }[] }[]> {
  try {
    const all = await scopeOf(db, user_id);
    const placed = await placedWork(db, within === undefined ? all : all.within(within), now);
    const items = await itemsOf(
      db,
      placed.filter(({ snooze }) => snooze === null),
      now,
    );
    return workSections.map((key) => {
      const here = items.filter(({ section }) => section === key);
      return {
        ...{ key, total: here.length },
        items: here.map(({ item, repository_id }) => ({ item, repository_id })),
      };
    });
  } catch (error) {
    if (error instanceof HttpError && error.status === 503) return [];
    throw error;
  }
}
