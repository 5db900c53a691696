import { DEMO_HOST } from '#domain/demo-host.ts';
import { mayBeTold, mayEnter } from './auth/allowed.ts';
import type { CapabilityDeps } from './compose-capabilities.ts';
import type { SignedIn } from './context.ts';
import { lensOf } from './db/lens.ts';
import { personDesk } from './my-work/desk.ts';
import { addressing } from './notifications/addressing.ts';
import { channelDesk } from './notifications/channel-desk.ts';
import { outletsOf } from './notifications/configured-outlets.ts';
import { DemoInbox, demoOutlets } from './notifications/demo-inbox.ts';
import type { DeskOf } from './notifications/desk.ts';
import { notificationLimits } from './notifications/limits.ts';
import type { NotificationDeps } from './notifications/outlets.ts';
import type { NotificationWorkerDeps } from './notifications/worker.ts';
import type { ServerDeps } from './server-deps.ts';
import { sleep } from './sleep.ts';

export type Notifications = ReturnType<typeof composeNotifications>;

/** What people are told, where it goes, and who may still be told things. */
export function composeNotifications(
  { config, database, box, outlets, now, log }: ServerDeps,
  { context, hosts, allowed }: CapabilityDeps,
) {
  const { db, public_url } = context;
  const limits = notificationLimits(now);
  const notifying: NotificationDeps = {
    ...{ db, box, now, public_url, limits, outlets: outlets ?? outletsOf({ config, now }) },
  };
  const inbox = new DemoInbox();
  /** Visitors of the demo are told things in an inbox of their own, and nowhere else. */
  const notifyingVisitors: NotificationDeps = {
    ...notifying,
    outlets: demoOutlets({
      ...{ inbox, now, public_url, outlets: notifying.outlets, allow_private: config.allow_private_webhooks },
    }),
  };
  const isVisitor = (user: { readonly host: string }) => user.host === DEMO_HOST;
  const seenBy = (owner: SignedIn) => (owner.own_marks ? lensOf(database.pool, owner.id) : db);
  const deskOf: DeskOf = async (to, at, within) => {
    const seen = seenBy(to.owner);
    return await (to.team === null ? personDesk(seen, to.user_id, at, within, db) : channelDesk(seen, to, at, within));
  };
  const rowOf = async ({ id }: Pick<SignedIn, 'id'>) =>
    await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  const mayEnterNow = async (user: Pick<SignedIn, 'id'>, at: Date) => {
    const row = await rowOf(user);
    return row !== undefined && (await mayEnter({ db, hosts, allowed }, row, at));
  };

  function workerDeps(): NotificationWorkerDeps {
    const [address, addressVisitors] = [addressing(notifying), addressing(notifyingVisitors)];
    return {
      ...{ db, now, log, public_url, seenBy, sleep },
      isAllowed: async (owner, of, at) => {
        const row = await rowOf(owner);
        return row !== undefined && (await mayBeTold({ db, hosts, allowed }, row, of, at));
      },
      address: async (to, said) => await (isVisitor(to.owner) ? addressVisitors : address)(to, said),
      deskOf: async (to, at, within) => ((await mayEnterNow(to.owner, at)) ? await deskOf(to, at, within) : []),
    };
  }

  return { notifying, notifyingVisitors, inbox, isVisitor, seenBy, deskOf, mayEnterNow, workerDeps };
}
