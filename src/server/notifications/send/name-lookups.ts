import { lookup } from 'node:dns/promises';
import { TokenBuckets } from '../../http/token-buckets.ts';

/** A name that takes longer is taken for one that doesn't resolve, in milliseconds. */
const RESOLVED_WITHIN = 3000;
/** For how many seconds the names of one person may be looked up at once, and in every minute after that. */
const SECONDS = { at_once: 10, a_minute: 6 };

/** All addresses of a name. Rejects for one that there is not. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Looks up names that people have entered. Node has the system look up two names at a time, whoever asks, and a name that nobody answers for
 * goes on long after it was given up: so these are looked up one after the other, until each has really ended, and whose names take
 * long waits. What has no turn in time rejects as a name that doesn't resolve.
 */
export function nameLookups(now: () => Date, resolve: Resolve = resolvedBySystem): (user_id: number) => Resolve {
  const seconds = new TokenBuckets(SECONDS.at_once, SECONDS.a_minute / 60, now);
  let turn: Promise<unknown> = Promise.resolve();

  return (user_id) => async (name) => {
    const owner = String(user_id);
    const late = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late.reject(new Error(`${name} did not resolve in time`));
    }, RESOLVED_WITHIN);
    const found = turn.then(async () => {
      if (isLate || seconds.left(owner) < 1) throw new Error(`${name} was not looked up`);
      const began = performance.now();
      try {
        return await resolve(name);
      } finally {
        seconds.spend(owner, (performance.now() - began) / 1000);
      }
    });
    turn = found.catch(() => undefined);
    try {
      return await Promise.race([found, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function resolvedBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
