import type { RateLimit } from '../errors.ts';

/** The headers of an answer, and when it arrived by our clock. */
interface Arrived {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
}

/** The primary quota as the headers of an answer state it, by our clock; null where they don't. */
export function rateLimitOf({ headers, now }: Arrived): RateLimit | null {
  const [remaining, limit, reset] = ['remaining', 'limit', 'reset'].map((name) => {
    const text = headers[`x-ratelimit-${name}`];
    return text && /^\d+$/.test(text) ? Number(text) : null;
  });
  if (remaining == null || limit == null || reset == null) return null;
  return { remaining, limit, reset_at: new Date(reset * 1000 + aheadOfHost({ headers, now })) };
}

/** How far our clock is ahead of the host's, in milliseconds; 0 for less than a minute, which may be the way here. */
export function aheadOfHost({ headers, now }: Arrived): number {
  const ahead = now.getTime() - Date.parse(headers.date ?? '');
  return Math.abs(ahead) > 60_000 ? ahead : 0;
}
