import { expect, test } from 'vitest';
import type { ChannelType } from '#domain/notifications/subscriptions.ts';
import { checkTarget } from './targets.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.org': ['8.8.8.8', '2606:4700::1'],
  'inside.example.org': ['10.1.2.3'],
  'half.example.org': ['8.8.8.8', '10.1.2.3'],
  'metadata.example.org': ['169.254.169.254'],
  'hooks.slack.com': ['8.8.8.8'],
};
const resolve = async (name: string) => {
  const addresses = names[name];
  if (addresses === undefined) throw new Error(`getaddrinfo ENOTFOUND ${name}`);
  return addresses;
};
const check = (url: string, type: Exclude<ChannelType, 'mail'> = 'webhook', allowPrivate = false) =>
  checkTarget(url, type, { allowPrivate, resolve });

test.each([
  ['https://hooks.example.org/x', 'webhook'],
  ['https://HOOKS.example.org:8443/x?y', 'webhook'],
  ['https://not-there.example.org/', 'webhook'],
  ['https://8.8.8.8/x', 'webhook'],
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://hooks.slack-gov.com/services/T0/B0/x', 'slack'],
  ['https://prod-1.westeurope.logic.azure.com:443/workflows/x', 'teams'],
  ['https://default1.environment.api.powerplatform.com/powerautomate/x', 'teams'],
] as const)('%s is taken for %s', async (url, type) => {
  expect(await check(url, type)).toBe(null);
});

test.each([
  ['http://hooks.example.org/x', 'webhook', 'must begin with https://'],
  ['hooks.example.org', 'webhook', 'must begin with https://'],
  ['ftp://hooks.example.org/', 'webhook', 'must begin with https://'],
  ['', 'webhook', 'must begin with https://'],
  ['https://', 'webhook', 'must begin with https://'],
  ['https://user@hooks.example.org/x', 'webhook', 'must not name a user'],
  ['https://hooks.slack.com:x@evil.example/services/T', 'slack', 'must not name a user'],
  ['https://hooks.slack.com@evil.example/services/T', 'slack', 'must not name a user'],
  ['https://hooks.slack.com.evil.example/services/T', 'slack', 'isn’t a Slack webhook address'],
  ['https://hooks.slack.com:8443/services/T', 'slack', 'isn’t a Slack webhook address'],
  ['https://hooks.slack.com/workflows/T', 'slack', 'isn’t a Slack webhook address'],
  ['https://hooks.example.org/services/T', 'slack', 'isn’t a Slack webhook address'],
  ['https://hooks.example.org/workflows/x', 'teams', 'isn’t a Teams webhook address'],
  ['https://evillogic.azure.com/x', 'teams', 'isn’t a Teams webhook address'],
  ['https://acme.webhook.office.com/webhookb2/x', 'teams', 'Microsoft has retired these. Make a Workflows webhook'],
  ['https://localhost/x', 'webhook', 'leads to a private address'],
  ['https://a.localhost./x', 'webhook', 'leads to a private address'],
  ['https://127.0.0.1/x', 'webhook', 'leads to a private address'],
  ['https://127.1/x', 'webhook', 'leads to a private address'],
  ['https://2130706433/x', 'webhook', 'leads to a private address'],
  ['https://0x7f.0.0.1/x', 'webhook', 'leads to a private address'],
  ['https://0177.0.0.1/x', 'webhook', 'leads to a private address'],
  ['https://①②⑦.0.0.1/x', 'webhook', 'leads to a private address'],
  ['https://[::1]/x', 'webhook', 'leads to a private address'],
  ['https://[::ffff:10.0.0.1]/x', 'webhook', 'leads to a private address'],
  ['https://[fd00:ec2::254]/x', 'webhook', 'leads to a private address'],
  ['https://inside.example.org/x', 'webhook', 'leads to a private address'],
  ['https://half.example.org/x', 'webhook', 'leads to a private address'],
  ['https://metadata.example.org/x', 'webhook', 'leads to a private address'],
] as const)('%s is refused for %s: %s', async (url, type, message) => {
  expect(await check(url, type)).toBe(message);
});

test('with ALLOW_PRIVATE_WEBHOOKS every host is taken, also for Slack’s form, but never what is nobody’s place', async () => {
  const takes = [
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://[fd12::1]/x',
    'https://inside.example.org/x',
    'https://half.example.org/x',
  ];
  for (const type of ['webhook', 'slack', 'teams'] as const)
    for (const url of takes) expect(await check(url, type, true), url).toBe(null);
  const refuses = [
    'https://169.254.169.254/x',
    'https://metadata.example.org/x',
    'https://0.0.0.0/x',
    'https://[fe80::1]/x',
    'https://100.100.100.200/x',
  ];
  for (const url of refuses) expect(await check(url, 'webhook', true), url).toBe('leads to a private address');
  expect(await check('http://localhost/x', 'webhook', true)).toBe('must begin with https://');
  expect(await check('https://acme.webhook.office.com/x', 'teams', true)).toContain('Microsoft has retired these');
});
