import { expect, test } from 'vitest';
import { completeOptions, kinds, mailAddressInUse, wantedMailAddress } from './subscriptions.ts';

test.each([
  ['person', 'turn', { delay: 10, team_review: false }],
  ['person', 'stuck', { after: 24, repeat: null, mine: false }],
  ['channel', 'stuck', { after: 24, repeat: null, humans_only: false, skip_failing: true }],
  ['person', 'daily', { time: '09:00', weekdays: [1, 2, 3, 4, 5] }],
  ['channel', 'weekly', { time: '09:00', weekday: 1 }],
  ['person', 'sync', {}],
] as const)('what is left out of a subscription of a %s to %s takes its default', (recipient, kind, options) => {
  expect(completeOptions(recipient, kind, {})).toEqual({ options });
});

test('what is said stays, also null and false', () => {
  expect(completeOptions('channel', 'stuck', { after: 48, skip_failing: false, repeat: undefined })).toEqual({
    options: { after: 48, repeat: null, humans_only: false, skip_failing: false },
  });
});

test('the channel of a team is told what waits and digests, not what is a person’s', () => {
  const refused = kinds.filter((kind) => 'problems' in completeOptions('channel', kind, {}));

  expect(refused).toEqual(['turn', 'sync']);
});

test('an option of another kind, or of another recipient, is refused by its name', () => {
  expect(completeOptions('person', 'daily', { delay: 5, time: '10:00' })).toEqual({
    problems: [{ option: 'delay', message: 'is no option of daily' }],
  });
  expect(completeOptions('person', 'stuck', { humans_only: true })).toHaveProperty('problems.0.option', 'humans_only');
  expect(completeOptions('channel', 'stuck', { mine: true })).toHaveProperty('problems.0.option', 'mine');
});

test.each([
  ['host@x.org', null, null, 'host@x.org', true, 'host@x.org'],
  ['host@x.org', 'new@x.org', null, 'new@x.org', false, 'host@x.org'],
  ['host@x.org', 'new@x.org', 'new@x.org', 'new@x.org', true, 'new@x.org'],
  ['host@x.org', 'newer@x.org', 'new@x.org', 'newer@x.org', false, 'new@x.org'],
  [null, 'new@x.org', null, 'new@x.org', false, null],
  [null, null, null, null, false, null],
] as const)(
  'mail goes to the address before until the wanted one is confirmed: %s, %s, %s',
  (host_address, mail_address, confirmed_mail_address, address, confirmed, inUse) => {
    const settings = { host_address, mail_address, confirmed_mail_address };

    expect(wantedMailAddress(settings)).toEqual({ address, confirmed });
    expect(mailAddressInUse(settings)).toBe(inUse);
  },
);
