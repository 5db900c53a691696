import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorAnswer, ErrorCode } from '#contract/errors.ts';
import { type SignInError, signInErrors } from '#domain/sign-in-errors.ts';
import { DatabaseTimeSpent } from '../db/database-time.ts';
import { DISK_IS_FULL } from '../db/disk-space.ts';
import { isDatabaseAway } from '../db/statement-limits.ts';
import { HostError, type HostErrorKind } from '../host/errors.ts';
import { HttpError, statusOfCode } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A browser opens it on its way to a session: what fails here leads to the sign-in page, which words it. Returns where the person wanted
     * to go, as far as the request has it.
     */
    leads_to_login?: (request: FastifyRequest) => string | null;
  }
}

/** What each failure of the host is to the browser; the sentence is the host error's own. */
const hostFailures: Record<HostErrorKind, ErrorCode> = {
  unauthorized: 'token_rejected',
  sso_required: 'sso_required',
  forbidden: 'host_forbids',
  not_found: 'host_not_found',
  blocked: 'host_blocked',
  missing_scope: 'missing_scope',
  refused: 'host_refused',
  rate_limited: 'host_rate_limited',
  secondary_limit: 'host_rate_limited',
  too_heavy: 'host_failed',
  unavailable: 'host_failed',
  protocol: 'host_failed',
};

/** Fastify's own refusals, in our words. */
const refusals: Record<string, () => HttpError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new HttpError('unsupported_media_type'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new HttpError('too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new HttpError('invalid_request', 'The body is cut off.'),
};

/**
 * Answers whatever was thrown, but no `HostError` (see `httpErrorOf`), as JSON (docs/server.md#calls-and-errors), or on the way to a session by the sign-in page. Only sentences
 * meant for people pass; of our own faults the log knows the details, and the request id finds them.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asHttpError(error);
  if (known === null) request.log.error({ err: error }, 'request failed');
  else if (known.code === 'database_unavailable')
    request.log.warn({ err: error }, 'the database did not answer a request');
  else if (known.code === 'disk_full' && known.cause === error)
    request.log.warn({ err: error }, 'the database has no room for a request');
  else request.log.debug({ code: known.code, status: known.status, cause: known.cause }, known.message);
  const { status, code, message, issues, retry_after } = known ?? ourFault();
  const wantedBy = request.routeOptions.config?.leads_to_login;
  if (wantedBy !== undefined && (status === 429 || status >= 500)) {
    const worded = signInErrors.find((one) => one === code);
    const to = { return_to: wantedBy(request), request_id: worded === undefined ? request.id : null };
    return leadToLogin(request, reply, status, worded ?? 'unknown', to);
  }
  if (retry_after !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retry_after))));
  const answer: ErrorAnswer = {
    error: message,
    code,
    request_id: request.id,
    ...(issues && { issues: [...issues] }),
  };
  return reply.code(status).type('application/json; charset=utf-8').header('cache-control', 'no-store').send(answer);
}

/** What requests failed with that were led to the sign-in page. */
const statuses = new WeakMap<FastifyRequest, number>();

/** The status that a request is counted by: that of the failure also where the browser was led to the sign-in page. */
export function statusOf(request: FastifyRequest, { statusCode }: FastifyReply): number {
  return statuses.get(request) ?? statusCode;
}

/**
 * Leads a browser to the sign-in page, which words the error and leads on to where the person wanted to go. The request is counted by the
 * `status` of what failed.
 */
export function leadToLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: SignInError | 'unknown',
  {
    return_to,
    access = 'all',
    request_id = null,
  }: { readonly return_to: string | null; readonly access?: 'all' | 'public'; readonly request_id?: string | null },
): FastifyReply {
  statuses.set(request, status);
  const query = new URLSearchParams({ error });
  if (return_to !== null && return_to !== '/dashboard') query.set('return_to', return_to);
  if (access === 'public') query.set('access', access);
  if (request_id !== null) query.set('request_id', request_id);
  return reply.redirect(`/login?${query}`, 302);
}

/** What a failure is to whoever asked, in a sentence, as `answerError` says it. Of our own faults the log knows the details. */
export function sentenceOfError(error: unknown, request: FastifyRequest): string {
  if (error instanceof HostError) return error.message;
  const known = asHttpError(error);
  if (known === null) request.log.error({ err: error }, 'request failed');
  return (known ?? ourFault()).message;
}

/**
 * What a failure of the host is to the browser at this moment; a spent quota says in how many seconds to come again, 60 where unknown.
 * `lead` comes before the sentence.
 */
export function httpErrorOf(error: HostError, now: Date, lead = ''): HttpError {
  const code = hostFailures[error.kind];
  const wait = error.retry_at === null ? 60 : (error.retry_at.getTime() - now.getTime()) / 1000;
  return new HttpError(code, `${lead}${error.message}`, {
    cause: error,
    ...(statusOfCode(code) === 503 && { retry_after: wait }),
  });
}

const ourFault = () => new HttpError('internal_error');

function asHttpError(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  if (error instanceof DatabaseTimeSpent) return new HttpError('too_expensive', undefined, { cause: error });
  const { code: name = '', statusCode = 500 } = error as Partial<FastifyError>;
  if (name === '53100') return new HttpError('disk_full', DISK_IS_FULL, { retry_after: 5, cause: error });
  if (isDatabaseAway(error)) return new HttpError('database_unavailable', undefined, { cause: error, retry_after: 5 });
  const refusal = refusals[name];
  if (refusal !== undefined) return refusal();
  // What remains of 4xx is a request that Fastify could not read: a malformed URL or body. Of a URL the error has all of it, with
  // whatever token stands in it, which is not for the log.
  if (statusCode >= 400 && statusCode < 500)
    return new HttpError('invalid_request', 'The request could not be read.', {
      ...(name !== 'FST_ERR_BAD_URL' && { cause: error }),
    });
  return null;
}
