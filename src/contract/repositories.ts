import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { count, instant, numbered } from './values.ts';

const repositoryId = z.object({ id: numbered });
/** Trimmed; a full name or a URL of the repository pasted as the name is understood by the server. */
const repositoryToFind = z.object({ owner: z.string(), name: z.string() });

export const connectedRepository = z.object({
  id: z.number().int(),
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  /**
   * When the last look that completed began: all that the host had then is in, and single changes since where webhooks told of
   * them. Null before the first one.
   */
  last_synced_at: instant.nullable(),
  /** When somebody connected it first: its first import was asked for then. */
  first_connected_at: instant,
  /** When the history was read to its end for the first time; null before. */
  imported_at: instant.nullable(),
  /** True once a delivery has arrived. */
  webhook_active: z.boolean(),
  webhook_last_delivery_at: instant.nullable(),
  pull_requests: count,
});
export type ConnectedRepository = z.infer<typeof connectedRepository>;

export const addedRepository = z.object({
  id: z.number().int(),
  owner: z.string(),
  name: z.string(),
  webhook_url: z.string(),
  webhook_secret: z.string(),
});
export type AddedRepository = z.infer<typeof addedRepository>;

export const accessReport = z.object({
  github_user: z.object({ login: z.string() }),
  /** Empty where the host does not say (fine-grained tokens). */
  token_scopes: z.array(z.string()),
  repository: z.object({ full_name: z.string(), private: z.boolean() }).nullable(),
  repository_error: z.object({ message: z.string() }).nullable(),
  recommendations: z.array(z.string()),
});
export type AccessReport = z.infer<typeof accessReport>;

export const filterRepository = z.object({
  id: z.number().int(),
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
});
export type FilterRepository = z.infer<typeof filterRepository>;

export const listConnectedRepositories = endpoint({
  method: 'GET',
  path: '/api/repos',
  summary: 'The repositories that the signed-in user has connected and may still read, by full name.',
  access: 'session',
  status: 200,
  answer: z.array(connectedRepository),
});

export const connectRepository = endpoint({
  method: 'POST',
  path: '/api/repos',
  summary: 'Connects a repository; connecting again answers 200 and the same.',
  access: 'session',
  status: 201,
  alsoStatus: [200],
  body: repositoryToFind,
  answer: addedRepository,
});

export const disconnectRepository = endpoint({
  method: 'DELETE',
  path: '/api/repos/{id}',
  summary: 'Removes the repository from the user; the last removal deletes its data.',
  access: 'session',
  status: 204,
  params: repositoryId,
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/repos/{id}/webhook',
  summary: 'Creates the webhook on the host with the user’s token; 422 where the token may not.',
  access: 'session',
  status: 201,
  params: repositoryId,
  answer: z.object({ webhook_url: z.string(), events: z.array(z.string()) }),
});

export const testAccess = endpoint({
  method: 'POST',
  path: '/api/test-github-access',
  summary: 'What the user’s token may read, and what to do where it may not.',
  access: 'session',
  status: 200,
  body: repositoryToFind,
  answer: accessReport,
});

export const listRepositories = endpoint({
  method: 'GET',
  path: '/api/repositories',
  summary: 'The same repositories, short, for the repository filter.',
  access: 'session',
  status: 200,
  answer: z.array(filterRepository),
});
