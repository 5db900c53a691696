import type { z } from 'zod';
import { HostError, type RateLimit } from '../errors.ts';
import { type Client, scopesOf } from './client.ts';
import { type Answer, errorsOf, failureOfObject, type GraphqlError } from './failures.ts';
import { type Part, type Query, type QueryName, queryOf, queryOfParts, type Variables } from './queries.ts';
import { rateLimitOf } from './rate-limit.ts';
import type { HostHealth } from './smaller-parts.ts';

/** What came back from GraphQL: data, and what is missing in it because of single fields that failed. */
export interface Reply {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly GraphqlError[];
}

/** Any of these lets a token read teams (GitHub documentation, scopes for OAuth apps). */
const TEAM_SCOPES = ['read:org', 'write:org', 'admin:org', 'read:discussion', 'write:discussion'];

/**
 * Asks GraphQL in one user's name and remembers what the token may not read: teams without the scope for them, checks
 * with a fine-grained token. What it may not read is left out of later queries, since one forbidden field can refuse
 * a whole query.
 */
export class GithubGraphql {
  readonly client: Client;
  /** As of the latest answer. */
  rate_limit: RateLimit | null = null;
  /** What the requests so far have cost (GitHub documentation, GraphQL rate limits). */
  points = 0;
  /** Requests of REST, which have a quota of their own, and that quota as of the latest answer. */
  requests = 0;
  request_limit: RateLimit | null = null;
  /** The largest page of keys and dates that the host could compute where it could not compute more, by `owner/name` in lower case. */
  readonly digest_sizes = new Map<string, number>();
  /** The host's clock when it answered last; null before, and where it doesn't say. */
  host_time: Date | null = null;
  readonly health: HostHealth = { down: false };
  #may = { teams: true, checks: true };

  constructor(client: Client) {
    this.client = client;
  }

  get label(): string {
    return this.client.label;
  }

  /** False as soon as an answer has hidden checks from the token. */
  get mayReadChecks(): boolean {
    return this.#may.checks;
  }

  ask(name: QueryName, variables: Variables, signal?: AbortSignal): Promise<Reply> {
    return this.#send(() => queryOf(name, variables, this.#may), 1, signal);
  }

  /** The answers to several questions in one request, each null where there is none, and the errors in each, as if it had been asked alone. */
  async askParts(
    parts: readonly Part[],
    signal?: AbortSignal,
  ): Promise<{ answers: unknown[]; errors: GraphqlError[][] }> {
    const points = pointsOf(parts.reduce((sum, { lists }) => sum + lists, 0));
    const { data, errors } = await this.#send(() => queryOfParts(parts, this.#may), points, signal);
    const errorsOfPart = Map.groupBy(errors, ({ path }) => path?.[0]);
    const answers = parts.map((part, index) => {
      const field = `part_${index}`;
      const own = errorsOfPart.get(field) ?? [];
      if (part.query === 'more-checks' && own.some(({ type }) => type === 'FORBIDDEN')) this.#may.checks = false;
      return { answer: data[field] ?? null, errors: own };
    });
    return { answers: answers.map(({ answer }) => answer), errors: answers.map((one) => one.errors) };
  }

  async rest(route: string, parameters?: Record<string, unknown>, signal?: AbortSignal): Promise<Answer> {
    this.requests += 1;
    const answer = await this.client.rest(route, parameters, signal).catch((error: unknown) => {
      this.request_limit = refusedBy(error) ?? this.request_limit;
      throw error;
    });
    this.request_limit = rateLimitOf({ ...answer, now: this.client.now() });
    this.#notice(answer);
    return answer;
  }

  async #send(query: () => Query, points: number, signal: AbortSignal | undefined): Promise<Reply> {
    this.points += points;
    const answer = await this.client
      .graphql(query(), signal)
      .catch((error: unknown) => {
        if (!this.#may.teams || !(error instanceof HostError) || error.kind !== 'missing_scope') throw error;
        this.#may.teams = false;
        return this.client.graphql(query(), signal);
      })
      .catch((error: unknown) => {
        this.rate_limit = refusedBy(error) ?? this.rate_limit;
        throw error;
      });
    this.#notice(answer);
    this.rate_limit = rateLimitOf({ ...answer, now: this.client.now() });
    const errors = errorsOf(answer);
    nameHiddenTeams(answer.body, errors);
    if (errors.some(isOfChecks)) this.#may.checks = false;
    return { data: (answer.body as { data: Reply['data'] }).data, errors };
  }

  #notice(answer: Answer): void {
    const time = Date.parse(answer.headers.date ?? '');
    if (Number.isFinite(time)) this.host_time = new Date(time);
    const scopes = scopesOf(answer);
    if (scopes?.length && !TEAM_SCOPES.some((scope) => scopes.includes(scope))) this.#may.teams = false;
  }
}

/** The quota by which a request was refused; null for other failures. */
function refusedBy(error: unknown): RateLimit | null {
  return error instanceof HostError ? error.rate_limit : null;
}

/** Points of a request for this number of lists: the hundredth part, rounded, at least one (GitHub documentation, GraphQL rate limits). */
function pointsOf(lists: number): number {
  return Math.max(1, Math.round(lists / 100));
}

/** The object that a reply must hold under this name; `missing` is what it is called where it does not. @throws HostError saying why it does not */
export function required(reply: Reply, field: string, label: string, missing = field): Record<string, unknown> {
  const value = reply.data[field];
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  const errors = reply.errors.filter(({ path }) => path?.[0] === field);
  throw failureOfObject(errors, missing, label);
}

/** @throws HostError `protocol` for an answer of another shape than GitHub promises */
export function understand<T>(shape: z.ZodType<T>, value: unknown, label: string): T {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HostError('protocol', `The answer of ${label} makes no sense to us (${reasonOf(parsed.error)}).`);
}

/** What zod found wrong first: where and what. */
export function reasonOf(error: z.ZodError): string {
  const issue = error.issues[0];
  return `${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'not understood'}`;
}

/** True of an error that hides something from the token. */
export function isForbidden({ type }: GraphqlError): boolean {
  return type === 'FORBIDDEN';
}

/** What the queries call the checks of a pull request. */
const CHECKS: readonly (string | number)[] = ['statusCheckRollup', 'checksNow'];

/** True of the error that hides checks from a token, wherever in the answer. */
export function isOfChecks(error: GraphqlError): boolean {
  return isForbidden(error) && (error.path ?? []).some((step) => CHECKS.includes(step));
}

/** What stands at a path in an answer; undefined where nothing does. */
export function valueAt(answer: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step], answer);
}

/** A reviewer that is hidden from a token which may read its pull request is a team: it takes the place of the null, without a name. */
function nameHiddenTeams(body: unknown, errors: readonly GraphqlError[]): void {
  for (const { path } of errors.filter(isForbidden)) {
    const at = path?.indexOf('requestedReviewer') ?? -1;
    if (path == null || at === -1 || valueAt(body, ['data', ...path.slice(0, at + 1)]) !== null) continue;
    Object.assign(valueAt(body, ['data', ...path.slice(0, at)]) as object, {
      requestedReviewer: { __typename: 'Team' },
    });
  }
}
