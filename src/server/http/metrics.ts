import { monitorEventLoopDelay } from 'node:perf_hooks';
import Fastify, { type FastifyInstance } from 'fastify';
import { statusOf } from './answer-error.ts';
import { sharedFor } from './shared-answer.ts';

/** Upper bounds of the duration histogram, in seconds. */
const bounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** What a gauge has read is told again for so long: whoever asks often must not keep the database busy. In milliseconds. */
const READ_AGAIN_AFTER = 5000;
/** A gauge that takes longer is left out, in milliseconds. */
const PATIENCE = 5000;

/** Values by their labels, written as in Prometheus text (`status="running"`); an empty label stands alone. */
export type Samples = ReadonlyMap<string, number>;

/** A figure of the moment, e.g. how many syncs run; or, as a counter, of all moments since the start. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly type?: 'gauge' | 'counter';
  /** No sample where there is nothing to measure. */
  read(): Promise<Samples>;
}

/** Counts what happens in this process, by label. */
export interface Counter extends Gauge {
  add(labels?: string): void;
}

/** What `GET /metrics` tells, in Prometheus's text format. */
export interface Metrics {
  /** Counts the requests of an app from now on, by the pattern of the route: the path itself can hold names. */
  observe(app: FastifyInstance): void;
  text(): Promise<string>;
}

/** A counter that starts at 0; `labels` are those that it has from the start on. */
export function createCounter(name: string, help: string, labels: readonly string[] = []): Counter {
  const values = new Map<string, number>(labels.map((label) => [label, 0]));
  return {
    name,
    help,
    type: 'counter',
    read: async () => values,
    add: (label = '') => void values.set(label, (values.get(label) ?? 0) + 1),
  };
}

interface Route {
  readonly buckets: number[];
  seconds: number;
  count: number;
}

export function createMetrics(gauges: readonly Gauge[]): Metrics {
  const requests = new Map<string, number>();
  const routes = new Map<string, Route>();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const read = gauges.map((gauge) => sharedFor(READ_AGAIN_AFTER, () => inTime(gauge.read())));

  return {
    observe(app) {
      app.addHook('onResponse', async (request, reply) => {
        const route = `method="${request.method}",route="${request.routeOptions.url ?? 'none'}"`;
        const labels = `${route},status="${statusOf(request, reply)}"`;
        requests.set(labels, (requests.get(labels) ?? 0) + 1);
        const duration = reply.elapsedTime / 1000;
        const known = routes.get(route) ?? { buckets: bounds.map(() => 0), seconds: 0, count: 0 };
        routes.set(route, known);
        known.seconds += duration;
        known.count += 1;
        bounds.forEach((bound, at) => {
          if (duration <= bound) known.buckets[at] = (known.buckets[at] ?? 0) + 1;
        });
      });
    },

    async text() {
      const own: Gauge[] = [
        {
          name: 'process_resident_memory_bytes',
          help: 'Memory of the process.',
          read: async () => new Map([['', process.memoryUsage.rss()]]),
        },
        {
          name: 'mergelight_event_loop_lag_seconds',
          help: 'How late the event loop was since the last look.',
          async read() {
            const samples = new Map([
              ['quantile="0.5"', delay.percentile(50) / 1e9],
              ['quantile="0.99"', delay.percentile(99) / 1e9],
              ['quantile="1"', delay.max / 1e9],
            ]);
            delay.reset();
            return samples;
          },
        },
      ];
      const samples = await Promise.all([...read.map((look) => look()), ...own.map((gauge) => gauge.read())]);
      const lines = [
        ...written('mergelight_http_requests_total', 'counter', 'Answered requests.', requests),
        ...durations(routes),
        ...[...gauges, ...own].flatMap(({ name, type, help }, at) => {
          const values = samples[at];
          return values == null ? [`# ${name} could not be read`] : written(name, type ?? 'gauge', help, values);
        }),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

/** Serves `GET /metrics` on an app. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text()),
  );
}

/** Null where it failed or takes too long. */
async function inTime(reading: Promise<Samples>): Promise<Samples | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), PATIENCE);
  try {
    return await Promise.race([reading, promise]);
  } catch {
    // The database is away: /readyz and the log say so, here it is a figure that is missing.
    return null;
  } finally {
    clearTimeout(timer);
    reading.catch(() => undefined);
  }
}

function durations(routes: ReadonlyMap<string, Route>): string[] {
  const name = 'mergelight_http_request_duration_seconds';
  return [
    ...described(name, 'histogram', 'How long requests took.'),
    ...[...routes].flatMap(([route, { buckets, seconds, count }]) => [
      ...bounds.map((bound, at) => `${name}_bucket{${route},le="${bound}"} ${buckets[at]}`),
      `${name}_bucket{${route},le="+Inf"} ${count}`,
      `${name}_sum{${route}} ${seconds}`,
      `${name}_count{${route}} ${count}`,
    ]),
  ];
}

function written(name: string, type: 'counter' | 'gauge', help: string, samples: Samples): string[] {
  return [
    ...described(name, type, help),
    ...[...samples].map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`),
  ];
}

function described(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/**
 * Serves `/metrics` alone on a port of its own; for workers, and where the public port must not tell them.
 * @throws Error as `listen` does when the port is taken
 */
export async function listenForMetrics(metrics: Metrics, at: { readonly host: string; readonly port: number }) {
  const app = Fastify({ forceCloseConnections: true });
  serveMetrics(app, metrics);
  await app.listen(at);
  return app;
}
