/** The primary quota of one token; null wherever the host has none (Enterprise Server by default). */
export interface RateLimit {
  readonly remaining: number;
  readonly limit: number;
  readonly reset_at: Date;
}

export type HostErrorKind =
  /** The token is not accepted (any more). */
  | 'unauthorized'
  /** Single sign-on must be authorised first: `link` leads there. */
  | 'sso_required'
  | 'forbidden'
  | 'not_found'
  /** The host or a court has blocked the repository. */
  | 'blocked'
  | 'missing_scope'
  /** The primary quota is spent: wait until `retry_at`. */
  | 'rate_limited'
  /** Too much at once: wait until `retry_at` where the host says so, else back off. */
  | 'secondary_limit'
  /** The host could not compute the answer: ask for less. */
  | 'too_heavy'
  /** 5xx, cut connections, time-outs, answers that are no JSON. */
  | 'unavailable'
  /** The host understood and declined (validation, OAuth errors). */
  | 'refused'
  /** An answer that makes no sense to us, or a query that makes none to the host. */
  | 'protocol';

/** A failure of the host, of a named kind; `message` is a sentence for a person and never holds a token. */
export class HostError extends Error {
  readonly kind: HostErrorKind;
  readonly status: number | null;
  readonly retry_at: Date | null;
  readonly link: string | null;
  /** Of `missing_scope`, where it is known: what the token would need, as the host calls it. */
  readonly scope: string | null;
  /** Of `rate_limited` and `secondary_limit`, where the host says it: the quota that the request would have used. */
  readonly rate_limit: RateLimit | null;

  constructor(
    kind: HostErrorKind,
    message: string,
    details: {
      status?: number | null;
      retry_at?: Date | null;
      link?: string | null;
      scope?: string | null;
      rate_limit?: RateLimit | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'HostError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.retry_at = details.retry_at ?? null;
    this.link = details.link ?? null;
    this.scope = details.scope ?? null;
    this.rate_limit = details.rate_limit ?? null;
  }
}

/** A failure that time mends: the others come again with the same question. */
export function isMendedByWaiting(error: HostError): boolean {
  return ['rate_limited', 'secondary_limit', 'unavailable'].includes(error.kind);
}

/** A failure that says nothing about what the token may read. */
export function isPassing(error: HostError): boolean {
  return ['rate_limited', 'secondary_limit', 'too_heavy', 'unavailable', 'protocol'].includes(error.kind);
}

/** Whether the host wants no more requests for now of whoever asked. */
export function wantsPause(error: unknown): error is HostError {
  return error instanceof HostError && (error.kind === 'rate_limited' || error.kind === 'secondary_limit');
}
