import { mayReach } from './addresses.ts';
import { type Answer, exchange, type Network } from './exchange.ts';
import { cleaned, type Outcome, wordsOfError } from './outcome.ts';
import { addressesOf, type TargetSettings } from './targets.ts';

export interface PostSettings extends TargetSettings, Network {
  readonly now: () => Date;
}

/** A wait that the other side asks for is followed up to so long, in seconds. */
const LONGEST_WAIT = 4 * 3600;

/** An answer that arrived, with what was read of its body. */
export interface Posted extends Outcome {
  readonly body: string;
}

/**
 * Posts to an address of a channel, once, by https alone: to an address that its name has at this moment, without following redirects.
 * Never throws for what the other side does.
 */
export async function post(
  text: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  settings: PostSettings,
): Promise<Posted> {
  const url = new URL(text);
  if (url.protocol !== 'https:') return outcome('final', null, 'The address must begin with https://.');
  let addresses: readonly string[] = [];
  try {
    addresses = await addressesOf(url, settings);
  } catch {
    // Whatever the resolver's reason is, there is nobody to talk to now.
  }
  if (addresses.length === 0) return outcome('retry', null, 'Its name doesn’t resolve.');
  if (!addresses.every((one) => mayReach(one, settings.allowPrivate)))
    return outcome('final', null, 'The address leads into a private network.');
  return await postTo(url, addresses, body, headers, settings);
}

/** The same to an address that is trusted: of whoever runs this server. `addresses` null asks the system where it leads. */
export async function postTo(
  url: URL,
  addresses: readonly string[] | null,
  body: string,
  headers: Readonly<Record<string, string>>,
  settings: Network & Pick<PostSettings, 'now'>,
): Promise<Posted> {
  const answer = await exchange(url, body, headers, { ...settings, addresses });
  if ('status' in answer) return judged(answer, settings.now());
  return outcome(answer.begun ? 'unknown' : 'retry', null, wordsOfError(answer.error));
}

function judged({ status, retryAfter, body }: Answer, now: Date): Posted {
  const message = cleaned(body) || (status < 300 ? 'Delivered.' : `Answered ${status}.`);
  const wait = secondsOf(retryAfter, now);
  if (status >= 200 && status < 300) return outcome('sent', status, message, { body });
  if ([408, 425, 429].includes(status) || status >= 500)
    return outcome('retry', status, message, { body, retryAfter: wait });
  return outcome('final', status, message, { body, gone: status === 404 || status === 410 });
}

/** Of a `Retry-After` header, which has seconds or a date. */
export function secondsOf(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT);
}

function outcome(
  state: Outcome['state'],
  status: number | null,
  message: string,
  { body = '', retryAfter = null, gone = false }: Partial<Pick<Posted, 'body' | 'retryAfter' | 'gone'>> = {},
): Posted {
  return { state, status: status === null ? null : String(status), message, retryAfter, gone, body };
}
