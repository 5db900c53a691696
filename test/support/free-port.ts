import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems give connections that go out ports above these, one of which another test may hold a moment later. */
const [LOWEST, HIGHEST] = [10_000, 32_000];

/** A port of 127.0.0.1 on which nothing listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
