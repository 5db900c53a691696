import type { FastifyInstance } from 'fastify';

/** Upper bounds of the duration histogram, in seconds. */
const bounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A figure of the moment, e.g. how many syncs run. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Values by their labels, written as in Prometheus text (`status="running"`); an empty label stands alone. */
  read(): Promise<ReadonlyMap<string, number>>;
}

/** Counts requests and serves `GET /metrics` in Prometheus's text format (server specification, section 1). */
export function serveMetrics(app: FastifyInstance, gauges: readonly Gauge[]): void {
  const requests = new Map<string, number>();
  const buckets = bounds.map(() => 0);
  let seconds = 0;
  let count = 0;

  app.addHook('onResponse', async (request, reply) => {
    const labels = `method="${request.method}",route="${request.routeOptions.url ?? 'none'}",status="${reply.statusCode}"`;
    requests.set(labels, (requests.get(labels) ?? 0) + 1);
    const duration = reply.elapsedTime / 1000;
    seconds += duration;
    count += 1;
    bounds.forEach((bound, at) => {
      if (duration <= bound) buckets[at] = (buckets[at] ?? 0) + 1;
    });
  });

  app.get('/metrics', async (_request, reply) => {
    const lines = [
      ...described('mergelight_http_requests_total', 'counter', 'Answered requests.'),
      ...[...requests].map(([labels, value]) => `mergelight_http_requests_total{${labels}} ${value}`),
      ...described('mergelight_http_request_duration_seconds', 'histogram', 'How long requests took.'),
      ...bounds.map((bound, at) => `mergelight_http_request_duration_seconds_bucket{le="${bound}"} ${buckets[at]}`),
      `mergelight_http_request_duration_seconds_bucket{le="+Inf"} ${count}`,
      `mergelight_http_request_duration_seconds_sum ${seconds}`,
      `mergelight_http_request_duration_seconds_count ${count}`,
      ...described('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    ];
    for (const gauge of gauges) {
      lines.push(...described(gauge.name, 'gauge', gauge.help));
      for (const [labels, value] of await gauge.read())
        lines.push(`${gauge.name}${labels === '' ? '' : `{${labels}}`} ${value}`);
    }
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

function described(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
