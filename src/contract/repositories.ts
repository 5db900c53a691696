import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { count, instant, numbered, pastedName } from './values.ts';

const repositoryId = z.object({ id: numbered.describe('The id of a connected repository.') });
/** Trimmed; a full name or a URL of the repository pasted as the name is understood by the server. */
const repositoryToFind = z.object(pastedName);

export const connectedRepository = z.object({
  id: z.number().int(),
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean().describe('Also true of every one that the person may not read now.'),
  last_synced_at: instant
    .nullable()
    .describe(
      'When the last look that completed began: all that the host had then is in, and single changes since where webhooks told of them. Null before the first one.',
    ),
  first_connected_at: instant
    .nullable()
    .describe('When somebody connected it first: its first import was asked for then.'),
  imported_at: instant.nullable().describe('When the history was read to its end for the first time; null before.'),
  webhook_active: z.boolean().describe('True once a delivery has arrived.'),
  webhook_last_delivery_at: instant.nullable(),
  webhook_message: z
    .string()
    .nullable()
    .describe('Why deliveries do not get in, and what to do; null where nothing is wrong.'),
  pull_requests: count.nullable().describe('Null, as every date of its data, while the person may not read it.'),
  access: z.object({
    state: z
      .enum(['readable', 'checking', 'lost'])
      .describe('Only of a readable one is anything shown; `checking`: the host is being asked.'),
    reason: z.string().nullable().describe('Why it is not readable now, in a sentence; null while it is.'),
    link: z.string().nullable().describe('Where single sign-on brings it back; null where nothing leads there.'),
    checked_at: instant,
    next_check_at: instant,
  }),
  condition: z
    .enum(['ok', 'archived', 'renamed', 'moved', 'lost', 'gone'])
    .describe('What is worth knowing of the repository itself; `gone`: deleted at the host.'),
  message: z.string().nullable().describe('The condition in words; null for `ok`.'),
  counting: z
    .object({ percentage: z.number(), seconds_left: z.number().nullable() })
    .nullable()
    .describe(
      'Null except while its sums are recounted after an upgrade: it is then left out of all figures. `seconds_left` is null before it can be estimated.',
    ),
  reading_again: z
    .object({ done: count, total: count, since: instant.nullable() })
    .nullable()
    .describe(
      "Null except while pull requests that were stored before labels, assignees and agents' traces were read are read again, the newest first: those opened since `since` are done, null before any. All figures are shown meanwhile.",
    ),
});
export type ConnectedRepository = z.infer<typeof connectedRepository>;

export const addedRepository = z.object({
  id: z.number().int(),
  owner: z.string(),
  name: z.string(),
  webhook_url: z
    .string()
    .nullable()
    .describe('These two are null for everybody whom the host does not call an admin of the repository.'),
  webhook_secret: z.string().nullable(),
  webhook_by: z
    .enum(['create', 'app', 'by_hand'])
    .describe(
      'How deliveries come about: `create`: by a webhook that the person can have created; `app`: by that of the GitHub App that they sign in with, there is nothing to set up; `by_hand`: by a webhook, which that App cannot create.',
    ),
});
export type AddedRepository = z.infer<typeof addedRepository>;

export const accessReport = z.object({
  github_user: z.object({ login: z.string() }),
  token_scopes: z.array(z.string()).describe('Empty where the host does not say (fine-grained tokens).'),
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
  summary:
    'The repositories that the signed-in user has connected, by full name; one that they may not read now says why, under the name that they last saw.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  answer: z.array(connectedRepository),
});

export const connectRepository = endpoint({
  method: 'POST',
  path: '/api/repos',
  summary: 'Connects a repository; connecting again answers 200 and the same.',
  access: 'session',
  scope: null,
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
  scope: null,
  status: 204,
  params: repositoryId,
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/repos/{id}/webhook',
  summary: 'Creates the webhook on the host with the user’s token; 422 where the token may not.',
  access: 'session',
  scope: null,
  status: 201,
  params: repositoryId,
  answer: z.object({ webhook_url: z.string(), events: z.array(z.string()) }),
});

export const rotateWebhook = endpoint({
  method: 'POST',
  path: '/api/repos/{id}/webhook/rotate',
  summary:
    'Makes a new secret for the webhook; the old one is taken for 24 hours. 403 for whom the host does not call an admin of the repository.',
  access: 'session',
  scope: null,
  status: 200,
  params: repositoryId,
  answer: z.object({ webhook_url: z.string(), webhook_secret: z.string() }),
});

export const testAccess = endpoint({
  method: 'POST',
  path: '/api/test-github-access',
  summary: 'What the user’s token may read, and what to do where it may not.',
  access: 'session',
  scope: null,
  changesNothing: true,
  status: 200,
  body: repositoryToFind,
  answer: accessReport,
});

export const listRepositories = endpoint({
  method: 'GET',
  path: '/api/repositories',
  summary: 'The same repositories, short, for the repository filter.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  answer: z.array(filterRepository),
});
