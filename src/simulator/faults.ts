import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './http.ts';

/** What a rule can look at before anything is answered. */
export interface Asked {
  readonly kind: 'graphql' | 'rest' | 'oauth';
  /** The GraphQL operation's name, or REST's method and route (`GET /repos/:owner/:repo/pulls`). */
  readonly operation: string;
  /** The `owner/name`s that the request names, in lower case. */
  readonly repositories: readonly string[];
  /** The pull requests that it may return. */
  readonly pullRequests: number;
}

/** Which requests a rule is about: all conditions that are given must hold. */
interface Match {
  readonly kind?: Asked['kind'];
  readonly operation?: string;
  readonly repository?: string;
  /** More pull requests than this on one page. */
  readonly pullRequestsOver?: number;
  /** Lets so many matching requests pass before the first effect. */
  readonly after?: number;
  /** Every n-th matching request only. */
  readonly every?: number;
  /** So many effects, then none. */
  readonly next?: number;
}

/** How a request goes wrong. The names are those of `EFFECTS`; `latency` alone delays and lets the answer through. */
export interface Effect {
  readonly name: EffectName;
  /** Of `latency`. */
  readonly milliseconds?: number;
  /** Seconds for `retry-after`; absent: no such header. */
  readonly retryAfter?: number;
  /** Of `lost_node`: which one instead of the first, from 0 on. */
  readonly index?: number;
  /** Of `primary_limit`: when it resets, in seconds from now; 60 when absent. */
  readonly resetIn?: number;
}

export interface FaultRule {
  readonly match: Match;
  readonly effect: Effect;
}

const EFFECTS = [
  /** 502 with the gateway's HTML page. */
  'bad_gateway',
  /** 504 with the gateway's HTML page. */
  'gateway_timeout',
  /** 404 with the gateway's HTML page: nothing that the API says. */
  'gateway_not_found',
  /** 404 as the API says it, of what is there. */
  'not_found',
  /** No answer, ever. */
  'hang',
  /** The connection breaks before a byte was sent. */
  'cut',
  /** The connection breaks in the middle of the body. */
  'cut_in_body',
  /** 200 with half of the JSON. */
  'truncated_json',
  /** 200 with "Something went wrong while executing your query". */
  'went_wrong',
  /** 200 with part of the data and RESOURCE_LIMITS_EXCEEDED. */
  'resource_limits',
  /** 200 with rows silently left out of nested lists. */
  'silent_truncation',
  /** 200 in which the first pull request of the page, or the one asked for by its number, says nonsense about itself. */
  'nonsense',
  /** 200 in which the first pull request of a page, or of those asked for by key, is null because of something inside it. */
  'lost_node',
  /** 200 in which a page of pull requests has half of its rows and says that it is the last. */
  'ends_early',
  /** 200 in which the first issue that a pull request closes is null: it is an organisation's that demands single sign-on. */
  'sso_elsewhere',
  'secondary_limit_403',
  'secondary_limit_429',
  /** 200 whose body holds the secondary limit's message (GraphQL). */
  'secondary_limit_200',
  /** The account's hour is spent. */
  'primary_limit',
  /** The same in the wording of 2026. */
  'primary_limit_new_wording',
  'bad_credentials',
  'server_error',
  'latency',
] as const;

type EffectName = (typeof EFFECTS)[number];

interface Armed {
  readonly id: number;
  readonly rule: FaultRule;
  seen: number;
  done: number;
}

/** The rules in force. */
export class Faults {
  #armed: Armed[] = [];
  #added = 0;
  #cleared = new AbortController();

  add(rule: FaultRule): number {
    if (!EFFECTS.includes(rule.effect.name)) {
      throw new Error(`No effect is called '${rule.effect.name}'; there are: ${EFFECTS.join(', ')}.`);
    }
    this.#added += 1;
    this.#armed.push({ id: this.#added, rule, seen: 0, done: 0 });
    return this.#added;
  }

  remove(id: number): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter((armed) => armed.id !== id);
    return this.#armed.length < before;
  }

  /** Removes all rules. What a rule delays goes on at once. */
  clear(): void {
    this.#armed = [];
    this.#cleared.abort();
    this.#cleared = new AbortController();
  }

  /** Waits for a delay of `befalling`, in milliseconds, or until the rules are cleared. */
  async wait(delay: number): Promise<void> {
    const { signal } = this.#cleared;
    try {
      await sleep(delay, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The rules with how often each has matched and acted. */
  report(): readonly { id: number; rule: FaultRule; seen: number; done: number }[] {
    return this.#armed.map((armed) => ({ ...armed }));
  }

  /** What befalls this request: any number of delays and at most one failure, the first that matches. Counts it. */
  befalling(asked: Asked): { readonly delay: number; readonly effect: Effect | null } {
    let delay = 0;
    let effect: Effect | null = null;
    for (const armed of this.#armed) {
      if (!concerns(armed.rule.match, asked)) continue;
      armed.seen += 1;
      const { after = 0, every = 1, next = Number.POSITIVE_INFINITY } = armed.rule.match;
      if (armed.seen <= after || (armed.seen - after) % every !== 0 || armed.done >= next) continue;
      if (armed.rule.effect.name === 'latency') delay += armed.rule.effect.milliseconds ?? 0;
      else if (effect === null) effect = armed.rule.effect;
      else continue;
      armed.done += 1;
    }
    return { delay, effect };
  }
}

function concerns(match: Match, asked: Asked): boolean {
  return (
    (match.kind === undefined || match.kind === asked.kind) &&
    (match.operation === undefined || match.operation === asked.operation) &&
    (match.repository === undefined || asked.repositories.includes(match.repository.toLowerCase())) &&
    (match.pullRequestsOver === undefined || asked.pullRequests > match.pullRequestsOver)
  );
}

const gateway = (title: string) =>
  `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n`;
const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.';
const SECONDARY_PAGE =
  'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits';

/** The answer in place of the real one; null for an effect that lets the host answer and spoils the answer afterwards. */
export function answerOf(effect: Effect, kind: Asked['kind'], now: number): Answer | null {
  const retry: Record<string, string> =
    effect.retryAfter === undefined ? {} : { 'retry-after': String(effect.retryAfter) };
  const secondary = { message: SECONDARY, documentation_url: SECONDARY_PAGE };
  switch (effect.name) {
    case 'bad_gateway':
      return { status: 502, headers: { server: 'nginx' }, body: gateway('502 Bad Gateway') };
    case 'gateway_timeout':
      return { status: 504, headers: { server: 'nginx' }, body: gateway('504 Gateway Time-out') };
    case 'gateway_not_found':
      return { status: 404, headers: { server: 'nginx' }, body: gateway('404 Not Found') };
    case 'not_found':
      return {
        status: 404,
        body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
      };
    case 'hang':
      return { status: 200, body: null, sending: 'hang' };
    case 'cut':
      return { status: 200, body: null, sending: 'cut' };
    case 'went_wrong': {
      const message = `Something went wrong while executing your query on ${new Date(now).toISOString()}. This may be the result of a timeout, or it could be a GitHub bug. Please include \`SIMU:1A2B:3C4D5E\` when reporting this issue.`;
      return kind === 'graphql'
        ? { status: 200, body: { data: null, errors: [{ message }] } }
        : { status: 500, body: { message } };
    }
    case 'secondary_limit_403':
      return { status: 403, headers: retry, body: secondary };
    case 'secondary_limit_429':
      return { status: 429, headers: retry, body: secondary };
    case 'secondary_limit_200':
      return { status: 200, headers: retry, body: secondary };
    case 'bad_credentials':
      return {
        status: 401,
        body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest', status: '401' },
      };
    case 'server_error':
      return { status: 500, body: { message: 'Server Error' } };
    default:
      return null;
  }
}

/** Whether an effect is the primary limit, which the limits themselves answer once the account has nothing left. */
export function isPrimaryLimit(effect: Effect): boolean {
  return effect.name === 'primary_limit' || effect.name === 'primary_limit_new_wording';
}
