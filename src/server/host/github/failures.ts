import { z } from 'zod';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { HostError, type HostErrorKind } from '../errors.ts';
import { aheadOfHost, rateLimitOf } from './rate-limit.ts';

/** What came back, whether well or badly. `body` is the parsed JSON, or text where it was none. */
export interface Answer {
  readonly api: 'graphql' | 'rest';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

const graphqlError = z.object({
  message: z.string().catch(''),
  type: z.string().nullish().catch(null),
  code: z.string().nullish().catch(null),
  path: z
    .array(z.union([z.string(), z.number()]))
    .nullish()
    .catch(null),
  extensions: z
    .object({
      saml_failure: z.boolean().nullish(),
      code: z.string().nullish(),
      typeName: z.string().nullish(),
      fieldName: z.string().nullish(),
    })
    .nullish()
    .catch(null),
});

/** One entry of `errors` in an answer of GraphQL. */
export type GraphqlError = z.infer<typeof graphqlError>;

const spokenBody = z.object({
  message: z.string().nullish().catch(null),
  data: z.record(z.string(), z.unknown()).nullish().catch(null),
  errors: z.array(z.unknown()).nullish().catch(null),
  block: z
    .object({ html_url: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** An answer as the table below looks at it. */
interface Seen extends Answer {
  readonly now: Date;
  readonly label: string;
  /** The host's own sentence: of the body, else of the first error. */
  readonly said: string;
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly GraphqlError[];
  readonly block: { html_url?: string | null | undefined } | null;
}

interface Row {
  readonly case: string;
  readonly when: (seen: Seen) => boolean;
  readonly kind: HostErrorKind;
  readonly says: (seen: Seen) => string;
  readonly retry_at?: (seen: Seen) => Date | null;
  readonly link?: (seen: Seen) => string | null;
}

const typed =
  (...types: string[]) =>
  ({ errors }: Seen) =>
    errors.some((error) => types.includes(error.type ?? '') || types.includes(error.code ?? ''));
const says =
  (words: RegExp) =>
  ({ said, errors }: Seen) =>
    words.test(said) || errors.some(({ message }) => words.test(message));
const graphql = ({ api }: Seen) => api === 'graphql';
/** Tokens of the host, what stands in an authorization header, and our webhooks' secrets. */
const secrets = /\b(?:gh[a-z]_|github_pat_)[\w.~+/=-]+|\b(?:bearer|token|basic)\s+[\w.~+/=-]{20,}|\b[0-9a-f]{64}\b/gi;
/** The host's own sentence for people and the log; a gateway in between that repeats the request tells no secret. */
const quoted = ({ said }: Seen) => (said ? ` It says: “${said.trim().replaceAll(secrets, '[secret]')}”` : '');

const SECONDARY = /\bsecondary rate\b|\babuse detection\b/i;
const PRIMARY = /\brate limit (already )?exceeded\b/i;
/** What the API answers in when it refuses: a gateway or a page of an outage doesn't. */
const spoken = ({ body }: Seen) => typeof (body as { message?: unknown } | null)?.message === 'string';
const REFUSALS = [401, 403, 404, 451];
const ofRepository =
  (type: string) =>
  ({ errors }: Seen) =>
    errors.some((error) => error.type === type && error.path?.length === 1 && error.path[0] === 'repository');
const quotaSpent = (seen: Seen) => seen.headers['x-ratelimit-remaining'] === '0';
const refusedForNow = ({ status }: Seen) => status === 403 || status === 429;

/**
 * Every way in which GitHub fails, first match first. The order matters: a spent quota and single sign-on also arrive
 * as 403, and GraphQL answers most of its failures with status 200 (GitHub documentation: rate limits and query limits
 * for the GraphQL API; troubleshooting the REST API).
 */
const failures: readonly Row[] = [
  {
    case: 'secondary limit',
    when: (seen) =>
      says(SECONDARY)(seen) || (refusedForNow(seen) && seen.headers['retry-after'] !== undefined && !quotaSpent(seen)),
    kind: 'secondary_limit',
    says: ({ label }) => `${label} asks for a pause because of too many requests at once.`,
    retry_at: (seen) => retryAfter(seen) ?? (quotaSpent(seen) ? quotaReset(seen) : null) ?? inAMinute(seen),
  },
  {
    case: 'primary limit',
    when: (seen) =>
      typed('RATE_LIMITED', 'RATE_LIMIT', 'graphql_rate_limit')(seen) ||
      (refusedForNow(seen) && (quotaSpent(seen) || says(/\brate limit\b/i)(seen))) ||
      (withoutData(seen) && says(PRIMARY)(seen)),
    kind: 'rate_limited',
    says: ({ label }) => `The hourly quota of this ${label} account is used up.`,
    retry_at: (seen) => quotaReset(seen) ?? retryAfter(seen) ?? inAMinute(seen),
  },
  {
    case: 'too many requests without a reason',
    when: ({ status }) => status === 429,
    kind: 'secondary_limit',
    says: ({ label }) => `${label} asks for a pause because of too many requests.`,
    retry_at: inAMinute,
  },
  {
    case: 'too many failed sign-ins',
    when: (seen) => refusedForNow(seen) && says(/\blogin attempts exceeded\b/i)(seen),
    kind: 'secondary_limit',
    says: ({ label }) => `${label} asks for a pause because of too many failed sign-ins of this account.`,
    retry_at: inAMinute,
  },
  {
    case: 'refusal that is not the API’s',
    when: (seen) => (REFUSALS.includes(seen.status) && !spoken(seen)) || (graphql(seen) && seen.status === 404),
    kind: 'unavailable',
    says: ({ label, status }) => `${label} has trouble answering (status ${status}).`,
  },
  {
    case: 'token not accepted',
    when: ({ status }) => status === 401,
    kind: 'unauthorized',
    says: ({ label }) => `${label} does not accept the access token (any more). Sign in again.`,
  },
  {
    case: 'single sign-on',
    when: (seen) =>
      /^required/.test(seen.headers['x-github-sso'] ?? '') ||
      seen.errors.some(({ extensions }) => extensions?.saml_failure) ||
      ((seen.status === 403 || typed('FORBIDDEN')(seen)) && says(/\bSAML\b/)(seen)),
    kind: 'sso_required',
    says: () => 'The organization requires single sign-on: authorize the access token for it, then try again.',
    link: ({ headers }) => webLink(/\burl=(\S+)/.exec(headers['x-github-sso'] ?? '')?.[1]),
  },
  {
    case: 'blocked repository',
    when: (seen) => seen.status === 451 || seen.block !== null || says(/\brepository access blocked\b/i)(seen),
    kind: 'blocked',
    says: ({ label }) => `${label} has blocked access to this repository.`,
    link: ({ block }) => webLink(block?.html_url),
  },
  {
    case: 'missing scope',
    when: (seen) =>
      typed('INSUFFICIENT_SCOPES')(seen) || (seen.status === 403 && says(/\b(requires?|needs?) .*\bscopes?\b/i)(seen)),
    kind: 'missing_scope',
    says: (seen) => `The access token lacks a scope.${quoted(seen)}`,
  },
  {
    case: 'resource limit',
    when: typed('RESOURCE_LIMITS_EXCEEDED'),
    kind: 'too_heavy',
    says: ({ label }) => `${label} could not compute the whole answer within its limits.`,
  },
  {
    case: 'time-out inside the host',
    when: (seen) => graphql(seen) && says(/^Something went wrong while executing your query/)(seen),
    kind: 'too_heavy',
    says: ({ label }) => `${label} could not compute the answer in time.`,
  },
  {
    case: 'gateway time-out',
    when: (seen) => graphql(seen) && (seen.status === 502 || seen.status === 504),
    kind: 'too_heavy',
    says: ({ label, status }) => `${label} did not compute the answer in time (status ${status}).`,
  },
  {
    case: 'server error',
    when: (seen) => seen.status >= 500 || (withoutData(seen) && typed('SERVICE_UNAVAILABLE', 'INTERNAL')(seen)),
    kind: 'unavailable',
    says: ({ label, status }) => `${label} has trouble answering (status ${status}).`,
    retry_at: (seen) => retryAfter(seen),
  },
  {
    case: 'answer cut short or no JSON',
    when: ({ status, body }) => status < 300 && status !== 204 && typeof body !== 'object',
    kind: 'unavailable',
    says: ({ label }) => `The answer of ${label} arrived incomplete.`,
  },
  {
    case: 'field that the server does not know',
    when: ({ errors }) => errors.some(({ extensions }) => extensions?.code === 'undefinedField'),
    kind: 'protocol',
    says: ({ label, errors }) => {
      const field = errors.find(({ extensions }) => extensions?.code === 'undefinedField')?.extensions;
      return `${label} does not know the field ${field?.typeName}.${field?.fieldName}: a newer server is needed.`;
    },
  },
  {
    case: 'query beyond the limits',
    when: typed('MAX_NODE_LIMIT_EXCEEDED', 'EXCESSIVE_PAGINATION', 'MISSING_PAGINATION_BOUNDARIES'),
    kind: 'protocol',
    says: (seen) => `${seen.label} refuses the query as too large.${quoted(seen)}`,
  },
  {
    case: 'retired or unknown version, malformed request',
    when: ({ status }) => status === 400 || status === 410,
    kind: 'protocol',
    says: (seen) => `${seen.label} does not understand the request (status ${seen.status}).${quoted(seen)}`,
  },
  {
    case: 'not found',
    when: (seen) => seen.status === 404 || (withoutData(seen) && ofRepository('NOT_FOUND')(seen)),
    kind: 'not_found',
    says: ({ label }) => `${nameOf(label)} has no such thing, or your account may not see it.`,
  },
  {
    case: 'forbidden',
    when: (seen) => seen.status === 403 || (withoutData(seen) && ofRepository('FORBIDDEN')(seen)),
    kind: 'forbidden',
    says: (seen) => `${seen.label} does not allow this account to do that.${quoted(seen)}`,
  },
  {
    case: 'declined',
    when: ({ status }) => status >= 400,
    kind: 'refused',
    says: (seen) => `${seen.label} declined the request.${quoted(seen)}`,
  },
  {
    case: 'redirect that leads nowhere',
    when: ({ status }) => status >= 300,
    kind: 'protocol',
    says: ({ label, status }) => `${label} answers with a redirect that leads nowhere (status ${status}).`,
  },
  {
    case: 'query not understood',
    when: (seen) => graphql(seen) && (withoutData(seen) || seen.errors.some(({ path }) => !path?.length)),
    kind: 'protocol',
    says: (seen) => `${seen.label} does not answer the query.${quoted(seen)}`,
  },
];

/**
 * The failure in an answer, or null for one that can be used. An answer of GraphQL with data can be used although
 * single fields of it failed, as long as each failure says where (`path`): whoever reads that field looks at
 * `errorsOf`. `now` is when the answer arrived, `label` the host's name for people.
 */
export function failureOf(answer: Answer, now: Date, label: string): HostError | null {
  const body = spokenBody.safeParse(answer.body).data;
  const errors = errorsOf(answer);
  const seen: Seen = {
    ...answer,
    now,
    label,
    said: [body?.message || errors[0]?.message || '', ...reasons(answer, body?.errors)].filter(Boolean).join('; '),
    data: body?.data ?? null,
    errors,
    block: body?.block ?? null,
  };
  const row = failures.find((one) => one.when(seen));
  if (!row) return null;
  return new HostError(row.kind, row.says(seen), {
    status: answer.status,
    retry_at: row.retry_at?.(seen) ?? null,
    link: row.link?.(seen) ?? null,
    // What comes with other refusals may be the quota of an address, as of a token that is not accepted.
    rate_limit: LIMITS.includes(row.kind) ? rateLimitOf(seen) : null,
  });
}

const LIMITS: readonly HostErrorKind[] = ['rate_limited', 'secondary_limit'];

/** The entries of `errors`; none for answers of REST. */
export function errorsOf(answer: Answer): readonly GraphqlError[] {
  if (answer.api !== 'graphql') return [];
  const list = spokenBody.safeParse(answer.body).data?.errors ?? [];
  return list.map((entry) => graphqlError.safeParse(entry).data ?? { message: '' });
}

/** The first error that says nothing about what the token may read: asked again, the host may give what is missing. */
export function passingError(errors: readonly GraphqlError[]): GraphqlError | null {
  return errors.find(({ type }) => type !== 'FORBIDDEN' && type !== 'NOT_FOUND') ?? null;
}

/** At the beginning of a sentence. */
const nameOf = (label: string) => (label === DEMO_HOST ? 'The demo' : label);

/**
 * Why an object or a list is missing, by the errors in it. Where a token lacks the permission for a field that is never null, such as the
 * pull requests of a repository, the host takes the object along.
 */
export function failureOfObject(errors: readonly GraphqlError[], missing: string, label: string): HostError {
  const passing = passingError(errors);
  const refusal = errors.find(({ type, path }) => type === 'FORBIDDEN' && path != null && path.length <= 2);
  if (passing !== null || refusal === undefined) return failureOfField(passing ?? errors[0], missing, label);
  const what = refusal.path?.length === 1 ? 'it' : 'this token to read pull requests';
  return new HostError('forbidden', `${label} does not allow ${what}: ${refusal.message}`);
}

/** The failure that an error of one field means for whoever needs that field; one further down says nothing about the field itself. */
export function failureOfField(error: GraphqlError | undefined, missing: string, label: string): HostError {
  if (error?.type === 'NOT_FOUND' && error.path?.length === 1)
    return new HostError('not_found', `${nameOf(label)} has no ${missing}, or your account may not see it.`);
  return new HostError('protocol', `${label} left out the ${missing}.${error ? ` It says: “${error.message}”` : ''}`);
}

/** The status of a request that outlasted our own patience. */
const TIMED_OUT = 408;

/**
 * A request that got no usable answer at all. `timed_out` when our own patience ended; `cause` is the network's error.
 */
export function noAnswer(label: string, timed_out: boolean, cause: unknown): HostError {
  return new HostError('unavailable', timed_out ? `${label} did not answer in time.` : `${label} cannot be reached.`, {
    status: timed_out ? TIMED_OUT : null,
    cause,
  });
}

/** Whether the host may have been asked for too much: it said so, or did not answer in time. */
export function mayBeTooHeavy(error: unknown): error is HostError {
  if (!(error instanceof HostError)) return false;
  return error.kind === 'too_heavy' || (error.kind === 'unavailable' && error.status === TIMED_OUT);
}

/** What a validation failure (422) names: `field code`, or its message. */
function reasons(answer: Answer, errors: readonly unknown[] | null | undefined): string[] {
  if (answer.api !== 'rest') return [];
  return (errors ?? []).flatMap((entry) => {
    if (typeof entry === 'string') return [entry];
    const { message, field, code } = (entry ?? {}) as { message?: unknown; field?: unknown; code?: unknown };
    if (typeof message === 'string') return [message];
    return typeof code === 'string' ? [`${typeof field === 'string' ? `${field} ` : ''}${code}`] : [];
  });
}

function withoutData({ api, data }: Seen): boolean {
  return api === 'graphql' && data === null;
}

function retryAfter({ headers, now }: Seen): Date | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const at = /^\d+$/.test(text)
    ? now.getTime() + Number(text) * 1000
    : Date.parse(text) + aheadOfHost({ headers, now });
  return Number.isFinite(at) ? new Date(at) : null;
}

/** A second after the quota renews itself: the header has second precision. */
function quotaReset({ headers, now }: Seen): Date | null {
  const seconds = Number(headers['x-ratelimit-reset']);
  return seconds > 0 ? new Date((seconds + 1) * 1000 + aheadOfHost({ headers, now })) : null;
}

/** What GitHub's documentation advises where it gives no date. */
function inAMinute({ now }: Seen): Date {
  return new Date(now.getTime() + 60_000);
}

/** Only addresses of web pages: a link ends up in the browser. */
function webLink(url: string | null | undefined): string | null {
  return url && /^https?:\/\//.test(url) ? url : null;
}
