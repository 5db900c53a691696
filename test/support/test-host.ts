import { type Clock, createClock } from '../../src/simulator/clock.ts';
import type { World } from '../../src/simulator/history.ts';
import { createHost, type HostSettings, type SimulatedHost } from '../../src/simulator/host.ts';

/** The instant at which the clock of a host under test stands still until it is moved. */
export const NOW = Date.parse('2026-11-21T10:00:00Z');

interface GraphqlReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they asked for
  readonly data: any;
  readonly errors: readonly {
    readonly type?: string;
    readonly message: string;
    readonly path?: unknown;
    readonly extensions?: unknown;
  }[];
}

interface RestReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they asked for
  readonly body: any;
}

export interface TestHost {
  readonly url: string;
  readonly host: SimulatedHost;
  readonly clock: Clock;
  graphql(query: string, variables?: Record<string, unknown>, token?: string): Promise<GraphqlReply>;
  /** REST by its path below `/api/v3`. */
  rest(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<RestReply>;
  control(method: string, path: string, body?: unknown): Promise<RestReply>;
  close(): Promise<void>;
}

/** A host with a stopped clock, listening on a free port; asked over HTTP as any client would. */
export async function startTestHost(
  world: (now: number) => World,
  settings: Partial<HostSettings> = {},
): Promise<TestHost> {
  const clock = createClock(NOW);
  clock.freeze(true);
  const host = createHost({ world: world(NOW), clock, ...settings });
  const url = await host.listen(0);
  await host.ready;
  const ask = async (
    method: string,
    address: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<RestReply> => {
    const response = await fetch(address, {
      method,
      headers: { 'user-agent': 'test', ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };
  return {
    url,
    host,
    clock,
    graphql: async (query, variables = {}, token = 'ghp_octo') => {
      const reply = await ask('POST', `${url}/api/graphql`, { authorization: `Bearer ${token}` }, { query, variables });
      return { ...reply, data: reply.body.data, errors: reply.body.errors ?? [] };
    },
    rest: (method, path, { token = 'ghp_octo', body, headers = {} } = {}) =>
      ask(
        method,
        `${url}/api/v3${path}`,
        { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
        body,
      ),
    control: (method, path, body) => ask(method, `${url}/_control/${path}`, {}, body),
    close: () => host.close(),
  };
}
