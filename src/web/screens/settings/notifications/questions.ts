import type { Subscription } from '#contract/notifications.ts';
import type { Kind } from '#domain/notifications/subscriptions.ts';
import { ask } from '../../../api/query.ts';
import { askAgentSettings } from '../questions.ts';

export const askNotifications = () => ask('getNotifications', undefined);

export const askChannels = () => ask('listChannels', undefined);

/** What a message would say now. */
export const askPreview = (kind: Kind, channel: Subscription['channel'] | number) =>
  ask('previewNotification', { params: { kind }, query: { channel } });

/** Of visitors of the demo alone. */
export const askInbox = () => ask('getDemoInbox', undefined);

export const PAGE_OF_LOG = 20;

/** A page of the log, the first is 1. */
export const askLog = (page: number) =>
  ask('listDeliveries', { query: { limit: PAGE_OF_LOG, offset: (page - 1) * PAGE_OF_LOG } });

export const notificationQuestions = () => [askNotifications(), askChannels(), askLog(1), askAgentSettings()];
