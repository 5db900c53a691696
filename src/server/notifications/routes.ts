import type { CallsOf, Handlers } from '../http/serve.ts';
import {
  changeOwnChannel,
  deleteOwnChannel,
  listOwnChannels,
  makeOwnChannel,
  renewSecret,
  resumeOwnChannel,
} from './channels.ts';
import { deliveriesOf } from './log.ts';
import type { NotificationDeps } from './outlets.ts';
import { saveSettings, settingsAnswer } from './settings.ts';
import { testMessages } from './test-message.ts';

/** The calls about what people want to be told, where and when (docs/server.md#notifications). */
export function notificationRoutes(
  deps: NotificationDeps,
): Handlers<CallsOf<typeof import('#contract/notifications.ts')>> {
  const { db, now } = deps;
  const sendTest = testMessages(deps);
  return {
    getNotifications: async ({ user }) => await settingsAnswer(deps, user.id),
    saveNotifications: async ({ user, body }) => await saveSettings(deps, user, body),
    listChannels: async ({ user }) => await listOwnChannels(deps, user),
    makeChannel: async ({ user, body }) => await makeOwnChannel(deps, user, body),
    changeChannel: async ({ user, params, body }) => await changeOwnChannel(deps, user, params.id, body),
    deleteChannel: async ({ user, params }) => {
      await deleteOwnChannel(db, user.id, params.id);
    },
    resumeChannel: async ({ user, params }) => await resumeOwnChannel(deps, user, params.id),
    renewChannelSecret: async ({ user, params }) => await renewSecret(deps, user.id, params.id),
    testNotification: async ({ user, body }) => await sendTest(user, body.channel),
    listDeliveries: async ({ user, query, csv }) => await deliveriesOf(db, user.id, query, csv?.now ?? now()),
  };
}
