import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a changing request that a foreign page sent (docs/server.md#calls-and-errors): browsers name the page's origin.
 * Where `PUBLIC_URL` is this machine, its other names on the same port are the same place.
 * @throws HttpError 403
 */
export function refuseForeignOrigin(request: FastifyRequest, public_url: string): void {
  if (harmless.has(request.method)) return;
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const own =
    origin === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : samePlace(origin, public_url);
  if (!own) throw new HttpError('foreign_origin', `This request did not come from ${public_url}.`);
}

function samePlace(origin: string, public_url: string): boolean {
  const ours = new URL(public_url);
  if (origin === ours.origin) return true;
  const theirs = URL.parse(origin);
  return (
    theirs !== null &&
    theirs.protocol === ours.protocol &&
    theirs.port === ours.port &&
    isLoopback(theirs.hostname) &&
    isLoopback(ours.hostname)
  );
}

/** True of the names of this machine: `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
