import type { SlackMessage } from '../render/slack.ts';
import type { Network } from './exchange.ts';
import { cleaned, type Outcome } from './outcome.ts';
import { postTo } from './post.ts';

export interface SlackSettings {
  readonly token: string;
  /** Without a slash at its end. */
  readonly api_url: string;
}

/** Errors by which Slack says that the token is of no use. */
const tokenErrors = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'missing_scope',
]);
/** Errors after which Slack wants to be asked again. */
const passing = new Set(['ratelimited', 'rate_limited', 'service_unavailable', 'team_added_to_org']);
/** Errors after which, by Slack's own words, some of it may have been done. */
const unsure = new Set(['fatal_error', 'internal_error', 'request_timeout']);

/** Sends a direct message to whom Slack knows by a mail address, once. Never throws for what Slack does. */
export async function sendSlackDm(
  settings: SlackSettings,
  address: string,
  message: SlackMessage,
  network: Network & { readonly now: () => Date },
): Promise<Outcome> {
  const form = new URLSearchParams({ email: address }).toString();
  const found = await call(settings, 'users.lookupByEmail', form, 'application/x-www-form-urlencoded', network);
  // Nothing was told yet: whatever broke, it may be asked again.
  if ('outcome' in found)
    return found.outcome.state === 'unknown' ? { ...found.outcome, state: 'retry' } : found.outcome;
  const { user } = found.body as { user?: { id?: unknown } };
  if (typeof user?.id !== 'string') return ended('final', 'Slack’s answer names nobody.');
  const text = JSON.stringify({ channel: user.id, ...message });
  const posted = await call(settings, 'chat.postMessage', text, 'application/json; charset=utf-8', network);
  return 'outcome' in posted ? posted.outcome : ended('sent', 'ok');
}

type Called = { readonly body: object } | { readonly outcome: Outcome };

async function call(
  { token, api_url }: SlackSettings,
  method: string,
  text: string,
  type: string,
  network: Network & { readonly now: () => Date },
): Promise<Called> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const { body, ...outcome } = await postTo(new URL(`${api_url}/${method}`), null, text, headers, network);
  // What is gone is Slack's API, not anybody's channel.
  if (outcome.state !== 'sent') return { outcome: { ...outcome, gone: false } };
  const parsed = parsedOrNull(body);
  if (parsed === null) return { outcome: ended('final', 'The answer isn’t Slack’s.') };
  return parsed.ok === true ? { body: parsed } : { outcome: refused(cleaned(String(parsed.error ?? 'unknown'))) };
}

function refused(error: string): Outcome {
  if (error === 'users_not_found') return ended('final', 'Slack knows nobody by that mail address.');
  if (tokenErrors.has(error)) return ended('final', `Slack rejects this server’s token: ${error}.`);
  return ended(unsure.has(error) ? 'unknown' : passing.has(error) ? 'retry' : 'final', error);
}

function parsedOrNull(body: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    // An answer that is no JSON is not Slack's.
    return null;
  }
}

/** By Slack's own answer, which is 200 whatever it says. */
function ended(state: Outcome['state'], message: string): Outcome {
  return { state, status: '200', message, retryAfter: null, gone: false };
}
