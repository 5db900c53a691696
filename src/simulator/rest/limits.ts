import type { Limits, Quota } from '../limits.ts';
import type { RestRoute } from './ask.ts';

/** GET /rate_limit: free of the limit itself; 404 where limits are switched off, as on an Enterprise Server. */
export function limitRoutes(limits: Limits): readonly RestRoute[] {
  const shape = (quota: Quota | null) =>
    quota === null
      ? null
      : {
          limit: quota.limit,
          used: quota.used,
          remaining: quota.remaining,
          reset: Math.floor(quota.resetAt / 1000),
        };
  return [
    {
      method: 'GET',
      pattern: '/rate_limit',
      handle: ({ token, now }) => {
        const owner = token === null ? 'anonymous' : String(token.account.id);
        const core = shape(limits.quota(owner, 'core', now));
        const graphql = shape(limits.quota(owner, 'graphql', now));
        if (core === null) return { status: 404, body: { message: 'Rate limiting is not enabled.' } };
        return { status: 200, body: { resources: { core, graphql }, rate: core } };
      },
    },
  ];
}
