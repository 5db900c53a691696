import { z } from 'zod';
import { LONGEST_TOKEN_NAME, tokenScopes } from '#domain/personal-tokens.ts';
import { endpoint } from './endpoint.ts';
import { instant, numbered } from './values.ts';

const scope = z.enum(tokenScopes, `must be one of: ${tokenScopes.join(', ')}`);

export const apiToken = z.object({
  id: z.number().int(),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  repositories: z
    .union([z.literal('all'), z.array(z.number().int())])
    .describe(
      "Which of its owner's repositories it reads: all that they read at the time, or those of them that it was made for.",
    ),
  created_at: instant,
  last_used_at: instant.nullable().describe('The hour of its last use; null before the first.'),
  expires_at: instant,
});
export type ApiToken = z.infer<typeof apiToken>;

export const newApiToken = apiToken.extend({
  token: z.string().describe('In this answer alone: only its hash is stored.'),
});
export type NewApiToken = z.infer<typeof newApiToken>;

const distinct = <T>(values: T[]) => [...new Set(values)];

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/tokens',
  summary:
    'The personal tokens of the signed-in user, the newest first; those that have ended are listed for 30 days more.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  answer: z.array(apiToken),
});

export const makeToken = endpoint({
  method: 'POST',
  path: '/api/tokens',
  summary: 'Makes a personal token, which reads what its owner reads; the answer is the only place that shows it.',
  access: 'session',
  scope: null,
  status: 201,
  body: z.object({
    name: z
      .string('must be a text')
      .transform((text) => text.trim())
      .refine((text) => text !== '', 'must not be empty')
      .refine((text) => !/\p{Cc}|\u2028|\u2029/u.test(text), 'must be one line')
      .refine(
        (text) => [...text].length <= LONGEST_TOKEN_NAME,
        `must not be longer than ${LONGEST_TOKEN_NAME} letters`,
      ),
    scopes: z.array(scope, 'must be a list of scopes').min(1, 'must name a scope').transform(distinct),
    repositories: z.union(
      [z.literal('all'), z.array(numbered).min(1).transform(distinct)],
      "must be 'all' or a list of ids of connected repositories",
    ),
    expires_at: instant
      .optional()
      .describe(
        '1 to 366 days ahead. Where the server allows fewer, less than a day beyond these counts as these. Left out: 90 days ahead.',
      ),
  }),
  answer: newApiToken,
});

export const revokeToken = endpoint({
  method: 'DELETE',
  path: '/api/tokens/{id}',
  summary: 'Ends one of the user’s personal tokens: the next request with it is refused.',
  access: 'session',
  scope: null,
  status: 204,
  params: z.object({ id: numbered.describe('The id of a token, as `GET /api/tokens` has it.') }),
});
