import { type Kysely, sql } from 'kysely';
import { type Notice, notices, TOKEN_ENDS_WITHIN_DAYS, UNSYNCED_AFTER_HOURS } from '#domain/notifications/notices.ts';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import type { Instant } from '#domain/pull-request.ts';
import type { Database } from '../db/database.ts';
import { isVisible } from '../metrics/scope.ts';
import { syncOf, type Tell } from './keys.ts';
import { type Recipient, subscriptionTo } from './recipients.ts';

const DAY = 24 * 3_600_000;

interface Found {
  readonly user_id: number;
  readonly of: 'repository' | 'rejected' | 'deleted' | 'api_token' | 'channel';
  readonly id: number | null;
  readonly name: string | null;
  readonly reason: string | null;
  readonly at: Date;
}

export interface NoticesOf {
  readonly to: Recipient;
  readonly tells: readonly Tell[];
  /** By key. */
  readonly notices: ReadonlyMap<string, Notice>;
}

/**
 * What needs those who want to know, since after they said so. Of a channel that is paused nothing is told by itself, nor that an archived
 * repository was not synced, which is read once a day.
 */
export async function syncNotices(db: Kysely<Database>, all: readonly Recipient[], now: Date): Promise<NoticesOf[]> {
  const wanting = all.filter((to) => to.team === null && to.subscriptions.has('sync'));
  if (wanting.length === 0) return [];
  const users = [...new Set(wanting.map(({ user_id }) => user_id))];
  const unsynced = sql`coalesce(greatest(r.last_synced_at, c.connected_at), c.connected_at) + make_interval(hours => ${UNSYNCED_AFTER_HOURS})`;
  // Of one that was made for less, nothing is said.
  const endTold = sql`t.expires_at - make_interval(days => ${TOKEN_ENDS_WITHIN_DAYS})`;
  const { rows } = await sql<Found>`
    select c.user_id, 'repository' as of, r.id, r.owner || '/' || r.name as name, null as reason, ${unsynced} as at
    from connections c join repositories r on r.id = c.repository_id
    where c.user_id = any(${users}::int[]) and ${isVisible} and not r.archived and ${unsynced} <= ${now}
    union all
    select k.user_id, 'rejected', null, null, null, k.rejected_at from credentials k
    where k.user_id = any(${users}::int[]) and k.rejected_at is not null
    union all
    select u.id, 'deleted', null, null, null, u.unused_token_deleted_at from users u
    where u.id = any(${users}::int[]) and u.unused_token_deleted_at is not null
      and not exists (select from credentials k where k.user_id = u.id)
    union all
    select t.user_id, 'api_token', t.id, t.name, null, ${endTold} from api_tokens t
    where t.user_id = any(${users}::int[]) and ${endTold} <= ${now} and ${endTold} > t.created_at and t.expires_at > ${now}
    union all
    select h.user_id, 'channel', h.id, h.name, h.paused_reason, h.paused_at from notification_channels h
    where h.user_id = any(${users}::int[]) and h.paused_at is not null and h.paused_reason <> ${pauseReasons.unconfirmed}`.execute(
    db,
  );
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return wanting.flatMap((to) => {
    const from = subscriptionTo(to, 'sync')!.since;
    const told = (byUser.get(to.user_id) ?? [])
      .filter(({ of, id, at }) => at.getTime() >= from && !(of === 'channel' && id === to.channel_id))
      .map((found) => ({ tell: tellOf(to, found), notice: noticeOf(found, now) }));
    if (told.length === 0) return [];
    return [
      { to, tells: told.map(({ tell }) => tell), notices: new Map(told.map((one) => [one.tell.key, one.notice])) },
    ];
  });
}

function tellOf(to: Recipient, { of, id, at }: Found): Tell {
  const since: Instant = Math.floor(at.getTime() / 1000);
  return syncOf(to, `${of} ${id ?? ''} ${since}`, at.getTime());
}

function noticeOf({ of, name, reason, at }: Found, now: Date): Notice {
  if (of === 'repository') return notices.unsynced(name!);
  if (of === 'channel') return notices.channelPaused(name!, reason!);
  if (of === 'api_token') {
    const days = TOKEN_ENDS_WITHIN_DAYS - (now.getTime() - at.getTime()) / DAY;
    return notices.apiTokenEnds(name!, Math.ceil(days));
  }
  return of === 'rejected' ? notices.tokenRejected() : notices.tokenDeleted();
}
