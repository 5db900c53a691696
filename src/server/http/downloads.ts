import type { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';
import type { Limits } from './limits.ts';
import { whenGone } from './when-gone.ts';

/** Asked before each page of a list but the first. @throws HttpError where nobody may read on */
export type GoOn = () => Promise<void>;

export type InContext = ReturnType<typeof AsyncLocalStorage.snapshot>;

/** The longest that a list may be downloaded, in milliseconds: whoever reads a byte now and then holds what is made of it. */
const LONGEST = 30 * 60_000;

interface DownloadDeps {
  readonly limits: Pick<Limits, 'openDownload'>;
  readonly now: () => Date;
  /** Whether the request's session or token would let it in now. */
  readonly letsIn: (request: FastifyRequest) => Promise<boolean>;
}

/**
 * Counts a list that is downloaded page by page until its answer has ended. What it returns refuses to go on once the session or token has
 * ended, or after half an hour.
 */
export function downloads({ limits, now, letsIn }: DownloadDeps) {
  return (request: FastifyRequest, reply: FastifyReply, user_id: number): GoOn => {
    whenGone(request, reply, limits.openDownload(user_id));
    const until = now().getTime() + LONGEST;
    return async () => {
      if (now().getTime() > until) throw new HttpError(503, 'too_slow', 'The download took too long.');
      if (!(await letsIn(request))) throw new HttpError(401, 'not_signed_in', 'Sign in to go on.');
    };
  };
}

/** The pages of a list: each is made in the context of its request, and each but the first after asking whether to go on. */
export function pagesOf<Page>(pages: AsyncIterable<Page>, inContext: InContext, goOn: GoOn): AsyncIterator<Page> {
  const iterator = pages[Symbol.asyncIterator]();
  let isFirst = true;
  return {
    async next() {
      if (!isFirst) await goOn();
      isFirst = false;
      return await inContext(() => iterator.next());
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}
