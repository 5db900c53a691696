import type { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';
import type { Limits } from './limits.ts';
import { whenGone } from './when-gone.ts';

/** Asked before each page of a list but the first, and while a page or a file is read. @throws HttpError where nobody may read on */
export type GoOn = () => Promise<void>;

export type InContext = ReturnType<typeof AsyncLocalStorage.snapshot>;

/** The longest that a list or a file may be downloaded, in milliseconds: whoever reads it slowly holds what it is made of. */
const LONGEST = 30 * 60_000;
/** How often it is asked whether a page or a file may be read on, in milliseconds: their pieces can be small and many. */
const ASKED_EVERY = 1000;

interface DownloadDeps {
  readonly limits: Pick<Limits, 'openDownload'>;
  readonly now: () => Date;
  /** Whether the request's session or token would let it in now. */
  readonly letsIn: (request: FastifyRequest) => Promise<boolean>;
}

/**
 * Counts a list or a file that is downloaded until its answer has ended. What it returns refuses to go on once the session or token has
 * ended, or after half an hour.
 */
export function downloads({ limits, now, letsIn }: DownloadDeps) {
  return (request: FastifyRequest, reply: FastifyReply, user_id: number): GoOn => {
    const end = limits.openDownload(user_id);
    // Whoever reads a byte now and then asks for no next page, and gets no next piece either.
    const cut = setTimeout(() => reply.raw.destroy(), LONGEST).unref();
    whenGone(request, reply, () => {
      clearTimeout(cut);
      end();
    });
    const until = now().getTime() + LONGEST;
    return async () => {
      if (now().getTime() > until) throw new HttpError('too_slow', 'The download took too long.');
      if (!(await letsIn(request))) throw new HttpError('not_signed_in');
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

/** The pieces of a file or a page, until nobody may read on. */
export async function* piecesOf<Piece>(
  content: AsyncIterable<Piece>,
  goOn: GoOn,
  now: () => Date,
): AsyncGenerator<Piece> {
  let asked_at = now().getTime();
  for await (const piece of content) {
    const at = now().getTime();
    // Also where the clock was set back.
    if (Math.abs(at - asked_at) >= ASKED_EVERY) {
      await goOn();
      asked_at = at;
    }
    yield piece;
  }
}
