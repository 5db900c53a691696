import { Agent, request } from 'node:http';
import type { Timings } from './timings.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

/** One signed-in browser, without the page: makes calls, and holds the stream of events that every open page has. */
export interface Client {
  /** Makes a call and reads its answer to the end, compressed as it comes. Failures are counted, not thrown. */
  call(kind: string, path: string, into: Timings): Promise<void>;
  /** Holds the stream until `leave`; one that ends or is refused is counted as a failure of `event stream` and opened again. */
  openStream(into: Timings): { leave(): void };
}

const RECONNECT_AFTER = 2000;

export function clientOf(url: string, cookie: string): Client {
  const headers = { cookie, origin: url };
  return {
    call(kind, path, into) {
      const began = performance.now();
      return new Promise<void>((resolve) => {
        const done = (status: number) => {
          into.add(kind, status, performance.now() - began);
          resolve();
        };
        request(new URL(path, url), { agent, headers: { ...headers, 'accept-encoding': 'gzip, br' } }, (answer) => {
          answer.resume();
          answer.once('end', () => done(answer.statusCode ?? 0));
          answer.once('error', () => done(0));
        })
          .once('error', () => done(0))
          .end();
      });
    },
    openStream(into) {
      let left = false;
      let open = () => {};
      let current: ReturnType<typeof request> | undefined;
      open = () => {
        if (left) return;
        const began = performance.now();
        let over = false;
        const end = (status: number) => {
          if (over || left) return;
          over = true;
          into.add('event stream', status, performance.now() - began);
          setTimeout(open, RECONNECT_AFTER);
        };
        current = request(new URL('/api/sync-events', url), { headers }, (answer) => {
          const status = answer.statusCode ?? 0;
          if (status === 200) into.add('event stream', status, performance.now() - began);
          answer.resume();
          for (const event of ['end', 'error', 'close']) answer.once(event, () => end(status === 200 ? 0 : status));
        });
        current.once('error', () => end(0));
        current.end();
      };
      open();
      return {
        leave() {
          left = true;
          current?.destroy();
        },
      };
    },
  };
}
