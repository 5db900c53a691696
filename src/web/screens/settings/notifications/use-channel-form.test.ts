import { describe, expect, it } from 'vitest';
import type { NotificationChannel } from '#contract/notifications.ts';
import { bodyOf } from './use-channel-form.ts';

const channel = {
  ...{ id: 1, type: 'slack', name: 'On-call', personal: false, repositories: [1, 2], team: 7, titles: true },
  time_zone: 'Europe/Berlin',
  quiet_hours: { from: '08:00', to: '19:00', weekdays: [1, 2, 3] },
  subscriptions: [{ kind: 'daily', time: '09:00', weekdays: [1, 2, 3] }],
} as unknown as NotificationChannel;
const changed = (part: Partial<NotificationChannel>) => bodyOf({ ...channel, address: '', ...part }, channel);

describe('what is saved of a channel', () => {
  it('is what was changed: the rest may have been changed elsewhere', () => {
    expect(changed({})).toEqual({});
    expect(changed({ name: ' Night ' })).toEqual({ name: 'Night' });
    expect(changed({ subscriptions: [], time_zone: 'UTC' })).toEqual({ subscriptions: [], time_zone: 'UTC' });
    expect(changed({ repositories: [1] })).toEqual({ repositories: [1] });
  });

  it('is all of its subscriptions where it is for somebody else', () => {
    const { subscriptions } = channel;
    expect(changed({ personal: true })).toEqual({ personal: true, repositories: 'all', team: null, subscriptions });
  });

  it('is everything of a new one', () => {
    expect(Object.keys(bodyOf({ ...channel, address: 'https://chat.example' }, null)).sort()).toEqual([
      ...['name', 'personal', 'quiet_hours', 'repositories', 'subscriptions', 'team', 'time_zone', 'titles'],
    ]);
  });
});
