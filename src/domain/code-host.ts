import { DEMO_HOST } from './demo-host.ts';

const PUBLIC_HOST = 'github.com';

/**
 * The name of a code host by its key (its web address, or `demo`): the one in addresses that it gives to its accounts. The demo's
 * accounts are those of the public host.
 */
export function hostnameOf(host: string): string {
  if (host === DEMO_HOST) return PUBLIC_HOST;
  return /^[a-z]+:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(host)?.[1]?.toLowerCase() ?? host;
}

/** Whether the ids of the list of known automation are this host's: every other one gives its own numbers. */
export function givesKnownIds(host: string): boolean {
  return hostnameOf(host) === PUBLIC_HOST;
}
