import { type Kysely, sql } from 'kysely';
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts';
import type { Delivery, listDeliveries } from '#contract/notifications.ts';
import { CONFIRMATION_HOURS, LOG_DAYS } from '#domain/notifications/subscriptions.ts';
import type { Database } from '../db/database.ts';
import { scopeWithoutFigures } from '../metrics/scope.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** When a message of `n` was sent, dropped or given up; while it waits, when it came up. */
const at = sql<Date>`coalesce(n.finished_at, n.created_at)`;

interface Row {
  readonly at: Date;
  readonly kind: Delivery['kind'];
  readonly channel: 'mail' | 'slack_dm' | null;
  readonly channel_id: number | null;
  readonly subject: string | null;
  readonly state: Delivery['state'];
  readonly attempts: number;
  readonly last_error: string | null;
  readonly items: string[] | null;
}

/** Messages of a person and of their channels, newest first; of pull requests those alone that the person may read now. */
export async function deliveriesOf(
  db: Kysely<Database>,
  user_id: number,
  { limit, offset }: QueryOf<typeof listDeliveries>,
  now: Date,
): Promise<AnswerOf<typeof listDeliveries>> {
  const scope = await scopeWithoutFigures(db, user_id);
  const own = sql`n.user_id = ${user_id} and ${at} > ${new Date(now.getTime() - LOG_DAYS * DAY)}`;
  const { rows } = await sql<Row>`
    select ${at} as at, n.kind, n.channel, n.channel_id, n.subject, n.state, n.attempts, n.last_error,
      (select array_agg(r.owner || '/' || r.name || '#' || i.number order by r.owner, r.name, i.number)
        from notification_items i join repositories r on r.id = i.repository_id
        where i.notification_id = n.id and ${scope.filter('i')}) as items
    from notifications n where ${own}
    order by ${at} desc, n.id limit ${limit} offset ${offset}`.execute(db);
  const { rows: counts } = await sql<{
    total: string;
  }>`select count(*) as total from notifications n where ${own}`.execute(db);
  return {
    deliveries: rows.map((row) => ({
      at: row.at.toISOString(),
      kind: row.kind,
      channel: row.channel ?? row.channel_id!,
      subject: row.subject,
      state: row.state,
      attempts: row.attempts,
      last_error: row.last_error,
      items: row.items ?? [],
    })),
    total: Number(counts[0]!.total),
  };
}

/** Deletes what the log keeps no longer, and links of mails that do nothing any more. Messages that wait stay. */
export async function forgetOldNotifications(db: Kysely<Database>, now: Date): Promise<void> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await sql`
    delete from notifications n where n.state not in ('pending', 'held', 'sending')
      and n.created_at < ${before(LOG_DAYS * DAY)} and ${at} < ${before(LOG_DAYS * DAY)}`.execute(db);
  await db
    .deleteFrom('mail_confirmations')
    .where('created_at', '<', before(CONFIRMATION_HOURS * HOUR))
    .execute();
  await db.deleteFrom('confirmation_mails').where('sent_at', '<', before(DAY)).execute();
  await db.deleteFrom('unsubscribe_tokens').where('good_until', '<', now).execute();
}
