import { isIP } from 'node:net';
import type { ChannelType } from '#domain/notifications/subscriptions.ts';
import { mayReach } from './addresses.ts';
import type { Resolve } from './name-lookups.ts';

export interface TargetSettings {
  /** `ALLOW_PRIVATE_WEBHOOKS`: any host, also on this machine and in private networks. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
}

const slackHosts = ['hooks.slack.com', 'hooks.slack-gov.com'];
const teamsHosts = ['logic.azure.com', 'powerplatform.com'];
const LEADS_TO_PRIVATE = 'leads to a private address';

/**
 * What is wrong with the address of a channel, in words that follow its name; null where nothing is. A name that doesn't resolve is
 * not wrong: the test message tells.
 */
export async function checkTarget(
  text: string,
  type: Exclude<ChannelType, 'mail'>,
  settings: TargetSettings,
): Promise<string | null> {
  const problem = problemOfTarget(text, type, settings);
  if (problem !== null) return problem;
  const addresses = await addressesOf(new URL(text), settings).catch(() => []);
  return addresses.every((address) => mayReach(address, settings.allowPrivate)) ? null : LEADS_TO_PRIVATE;
}

/** The same, without asking where its name leads. */
export function problemOfTarget(
  text: string,
  type: Exclude<ChannelType, 'mail'>,
  { allowPrivate }: TargetSettings,
): string | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not name a user';
  const isAt = (host: string) => url.hostname === host || url.hostname.endsWith(`.${host}`);
  if (type === 'teams' && isAt('webhook.office.com')) return 'Microsoft has retired these. Make a Workflows webhook';
  if (allowPrivate) return null;
  if (/^(.*\.)?localhost\.?$/.test(url.hostname)) return LEADS_TO_PRIVATE;
  if (type === 'slack' && !(slackHosts.includes(url.host) && /^\/services\/./.test(url.pathname)))
    return 'isn’t a Slack webhook address';
  if (type === 'teams' && !teamsHosts.some((host) => url.hostname.endsWith(`.${host}`)))
    return 'isn’t a Teams webhook address';
  return null;
}

/** The addresses that a URL leads to at this moment. @throws Error where its name doesn't resolve */
export async function addressesOf(url: URL, { resolve }: TargetSettings): Promise<readonly string[]> {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(name) === 0 ? await resolve(name) : [name];
}
