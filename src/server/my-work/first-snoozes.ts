import type { Kysely } from 'kysely';
import { workSections } from '#contract/my-work.ts';
import { sectionOf, type WorkSection } from '#domain/my-work.ts';
import type { Database } from '../db/database.ts';
import { scopeUnlessRecounted } from './desk.ts';
import { countsOf, type PlacedWork, placedWork, storeSnooze } from './person-work.ts';

/** So long one of them stays away, in milliseconds. */
const AWAY_FOR = 3 * 24 * 3_600_000;

/**
 * Has somebody begin with two items snoozed, one for three days and one until it changes, from sections in which more wait. False as long
 * as all that they see is not stored.
 */
export async function beginWithSnoozes(db: Kysely<Database>, user_id: number, now: Date): Promise<boolean> {
  const scope = await scopeUnlessRecounted(db, user_id);
  if (scope === null || scope.repository_ids.length === 0) return false;
  const importing = await db
    .selectFrom('repositories')
    .select('id')
    .where('id', 'in', [...scope.repository_ids])
    .where('history_completed_at', 'is', null)
    .executeTakeFirst();
  if (importing !== undefined) return false;
  const placed = await placedWork(db, scope, now);
  if (countsOf(placed).snoozed > 0) return true;
  const [one, other] = oneOfSeveral(placed);
  if (one !== undefined)
    await storeSnooze(db, user_id, one, { until: new Date(now.getTime() + AWAY_FOR), until_change: false }, now);
  if (other !== undefined) await storeSnooze(db, user_id, other, { until: null, until_change: true }, now);
  return true;
}

/** The latest of each section in which there are several, in the order of the screen. */
function oneOfSeveral(placed: readonly PlacedWork[]): PlacedWork[] {
  const bySection = Map.groupBy(placed, ({ work }): WorkSection => sectionOf(work.kind));
  return workSections.flatMap((section) => {
    const own = bySection.get(section) ?? [];
    return own.length < 2 ? [] : [own.reduce((one, other) => (other.work.since > one.work.since ? other : one))];
  });
}
