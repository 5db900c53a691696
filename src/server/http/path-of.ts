import type { FastifyRequest } from 'fastify';

/**
 * The path that a request is routed by, without address, query and what a client may put behind a `#`. Letters may be written by their numbers (`/%61pi` is `/api`), and a
 * client may name the server in front of it: what is decided by a path is decided by this one.
 */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return decoded((url.split(/[?#]/)[0] ?? '').replace(/^https?:\/\/[^/]*/i, ''));
}

/** Whether it is a call, or would be one. */
export const isCall = (request: Pick<FastifyRequest, 'url'>) => /^\/(api|auth)(\/|$)/.test(pathOf(request));

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.split('%')[0] ?? '';
  }
}
