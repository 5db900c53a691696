import type { Kysely } from 'kysely';
import type { pauseReasons } from '#domain/notifications/subscriptions.ts';
import type { Database } from './database.ts';

/** Pauses the channels that a person has made, whoever found out why; those that are paused keep their reason. */
export async function pauseChannelsOf(
  db: Kysely<Database>,
  user_id: number,
  paused_reason: (typeof pauseReasons)[keyof typeof pauseReasons],
  paused_at: Date,
): Promise<void> {
  await db
    .updateTable('notification_channels')
    .set({ paused_at, paused_reason })
    .where('user_id', '=', user_id)
    .where('paused_at', 'is', null)
    .execute();
}
