import type { SlackMessage } from '../render/slack.ts';
import { cleaned, type Outcome, wordsOfError } from './outcome.ts';
import { secondsOf } from './post.ts';

export interface SlackSettings {
  readonly token: string;
  /** Without a slash at its end. */
  readonly api_url: string;
}

const PATIENCE = 10_000;
const tokenErrors = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
]);
/** What of a request that failed says that nothing of it was sent. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/** Sends a direct message to whom Slack knows by a mail address, once. Never throws for what Slack does. */
export async function sendSlackDm(
  settings: SlackSettings,
  address: string,
  message: SlackMessage,
  now: () => Date,
): Promise<Outcome> {
  const found = await call(settings, 'users.lookupByEmail', new URLSearchParams({ email: address }), now);
  // Nothing was told yet: whatever broke, it may be asked again.
  if ('outcome' in found)
    return found.outcome.state === 'unknown' ? { ...found.outcome, state: 'retry' } : found.outcome;
  const { user } = found.body as { user?: { id?: unknown } };
  if (typeof user?.id !== 'string') return ended('final', '200', 'Slack’s answer names nobody.');
  const posted = await call(settings, 'chat.postMessage', JSON.stringify({ channel: user.id, ...message }), now);
  return 'outcome' in posted ? posted.outcome : ended('sent', '200', 'ok');
}

type Called = { readonly body: object } | { readonly outcome: Outcome };

async function call(
  { token, api_url }: SlackSettings,
  method: string,
  body: URLSearchParams | string,
  now: () => Date,
): Promise<Called> {
  let status: number;
  let retryAfter: string | undefined;
  let text: string;
  try {
    const answer = await fetch(`${api_url}/${method}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json; charset=utf-8' }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
    status = answer.status;
    retryAfter = answer.headers.get('retry-after') ?? undefined;
    text = await answer.text();
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    const state = unsent.has(String((cause as NodeJS.ErrnoException).code)) ? 'retry' : 'unknown';
    return { outcome: ended(state, null, wordsOfError(cause)) };
  }
  if (status === 429 || status >= 500)
    return { outcome: { ...ended('retry', String(status), cleaned(text)), retryAfter: secondsOf(retryAfter, now()) } };
  const parsed = parsedOrNull(text);
  if (status !== 200 || parsed === null)
    return { outcome: ended('final', String(status), cleaned(text) || `Answered ${status}.`) };
  if (parsed.ok === true) return { body: parsed };
  const error = cleaned(String(parsed.error ?? 'unknown'));
  if (error === 'users_not_found')
    return { outcome: ended('final', '200', 'Slack knows nobody by that mail address.') };
  if (error === 'ratelimited') return { outcome: ended('retry', '200', error) };
  const words = tokenErrors.has(error) ? `Slack rejects this server’s token: ${error}.` : error;
  return { outcome: ended('final', '200', words) };
}

function parsedOrNull(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    // An answer that is no JSON is not Slack's.
    return null;
  }
}

function ended(state: Outcome['state'], status: string | null, message: string): Outcome {
  return { state, status, message, retryAfter: null, gone: false };
}
