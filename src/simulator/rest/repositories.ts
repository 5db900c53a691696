import { type RestRoute, repositoryIn } from './ask.ts';

export const repositoryRoutes: readonly RestRoute[] = [
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo',
    handle: (ask) => ({
      status: 200,
      headers: { 'x-accepted-oauth-scopes': 'repo' },
      body: ask.shapes.repository(repositoryIn(ask), ask.token?.account ?? null),
    }),
  },
  {
    method: 'GET',
    pattern: '/meta',
    handle: () => ({
      status: 200,
      body: { verifiable_password_authentication: false, installed_version: '3.22.0', hooks: ['127.0.0.0/8'] },
    }),
  },
  { method: 'GET', pattern: '/versions', handle: () => ({ status: 200, body: ['2026-03-10', '2022-11-28'] }) },
];
