import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { count, instant, numbered, pastedName } from './values.ts';

const trueOrFalse = z.enum(['true', 'false'], 'must be true or false');
const name = z.object(pastedName);
const several = z.array(name).min(1, 'Choose at least one repository').max(500, 'At most 500 repositories at once');

export const availableRepository = z.object({
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  archived: z.boolean(),
  fork: z.boolean(),
  pushed_at: instant.nullable().describe('Null where nobody has pushed yet.'),
  pull_requests: count.nullable().describe('Null where the host does not say.'),
  connected: z.boolean(),
  imported_here: z
    .boolean()
    .describe('Its history is here already through somebody else: connecting it imports nothing.'),
});
export type AvailableRepository = z.infer<typeof availableRepository>;

export const availableRepositories = z.object({
  items: z.array(availableRepository),
  total: count.describe('Of how many, whichever page this is.'),
  owners: z
    .array(z.object({ login: z.string(), avatar_url: z.string().nullable(), count }))
    .describe('With the archived and forks that are asked for, whatever is searched.'),
  next_cursor: z.string().nullable(),
  partial: z
    .array(
      z.object({
        owner: z.string().nullable(),
        reason: z.enum(['sso', 'refused', 'failed']),
        message: z.string(),
        url: z.string().nullable(),
      }),
    )
    .describe('What the list leaves out, and what brings it in.'),
  approval_url: z
    .string()
    .nullable()
    .describe('The page on which an organisation approves this app; null where nobody signs in by one.'),
  read_at: instant,
});
export type AvailableRepositories = z.infer<typeof availableRepositories>;

export const listAvailableRepositories = endpoint({
  method: 'GET',
  path: '/api/repositories/available',
  summary: 'What the user’s token can read at the host, a hundred at a time, as read within the last five minutes.',
  access: 'session',
  scope: null,
  table: { list: 'items' },
  status: 200,
  query: z.object({
    q: z.string().max(200).optional().describe('A part of the full name.'),
    owner: z.string().max(100).optional().describe('Those of one owner alone.'),
    archived: trueOrFalse.default('false').describe('`true`: archived ones, too.'),
    forks: trueOrFalse.default('false').describe('`true`: forks, too.'),
    sort: z
      .enum(['pushed', 'name'], 'must be one of: pushed, name')
      .default('pushed')
      .describe('The last pushed first, or by name.'),
    cursor: z.string().max(500).optional().describe('`next_cursor` of the page before.'),
    refresh: trueOrFalse
      .optional()
      .describe('`true` reads it from the host again; 429 within 30 seconds of the last time.'),
  }),
  answer: availableRepositories,
});

export const connectionResult = z.object({
  owner: z.string(),
  name: z.string(),
  id: z.number().int().nullable().describe('Null while pending and where it was refused.'),
  status: z.enum(['connected', 'already', 'refused', 'pending']),
  reason: z.string().nullable().describe('Why it was refused, in a sentence; else null.'),
});

export const connectSeveral = endpoint({
  method: 'POST',
  path: '/api/repos/bulk',
  summary:
    'Connects up to 500 repositories and imports them; what is not known within 15 seconds is told in the progress.',
  access: 'session',
  scope: null,
  status: 202,
  body: z.object({ repositories: several, sync: z.boolean().default(true) }),
  answer: z.object({
    bulk_id: z.uuid(),
    results: z.array(connectionResult),
    sessions: z.array(z.object({ repository_id: z.number().int(), session_id: z.uuid() })),
  }),
});

export const importEstimate = z.object({
  repositories: count.describe('How many have to be imported.'),
  pull_requests: count,
  points: count,
  hours: z.number().nullable().describe('Null where the host has no limit.'),
  here_already: count.describe('Imported by somebody already: they cost nothing.'),
  unreadable: count,
});
export type ImportEstimate = z.infer<typeof importEstimate>;

export const estimateImport = endpoint({
  method: 'POST',
  path: '/api/repos/estimate',
  summary: 'What importing these repositories would take, by the counts of the host.',
  access: 'session',
  scope: null,
  changesNothing: true,
  status: 200,
  body: z.object({ repositories: several }),
  answer: importEstimate,
});

export const repositoryImport = z.object({
  id: z.uuid(),
  started_at: instant,
  state: z.enum(['running', 'paused', 'done', 'cancelled']),
  total: count,
  done: count,
  running: count,
  waiting: count,
  failed: z.array(z.object({ full_name: z.string(), reason: z.string() })),
});
export type RepositoryImport = z.infer<typeof repositoryImport>;

export const listImports = endpoint({
  method: 'GET',
  path: '/api/repos/bulk',
  summary:
    'The last 20 times that the user connected several repositories, and earlier ones that run or are paused, the newest first.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  answer: z.array(repositoryImport),
});

const changeOfImport = (action: 'pause' | 'resume' | 'cancel', summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/repos/bulk/{id}/${action}`,
    summary,
    access: 'session',
    scope: null,
    status: 200,
    params: z.object({ id: z.uuid().describe('The id of an import, as `GET /api/repos/bulk` has it.') }),
    answer: repositoryImport,
  });
export const pauseImport = changeOfImport('pause', 'Stops its syncs at their next checkpoint; 409 unless it runs.');
export const resumeImport = changeOfImport('resume', 'Goes on with a paused one; 409 unless it is paused.');
export const cancelImport = changeOfImport(
  'cancel',
  'Ends it for good; what is connected stays. 409 where it has ended.',
);

export const joinableRepository = z.object({
  owner: z.string(),
  name: z.string(),
  private: z.boolean(),
  pull_requests: count,
  last_synced_at: instant.nullable(),
  people: count.describe('How many people here have it connected.'),
});
export type JoinableRepository = z.infer<typeof joinableRepository>;

export const listJoinableRepositories = endpoint({
  method: 'GET',
  path: '/api/repos/joinable',
  summary: 'What is imported here already, that the user’s token can read and that they have not connected.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  answer: z.array(joinableRepository),
});

const login = z
  .string()
  .trim()
  .regex(/^[a-z\d][\w-]{0,99}$/i, 'must be the name of an owner');
const owners = z.object({ owners: z.array(login).max(50, 'At most 50 owners') });

export const getFollowing = endpoint({
  method: 'GET',
  path: '/api/repos/following',
  summary: 'Owners whose repositories are connected for the user as soon as somebody has imported them here.',
  access: 'session',
  scope: null,
  table: null,
  status: 200,
  answer: owners,
});

export const saveFollowing = endpoint({
  method: 'PUT',
  path: '/api/repos/following',
  summary: 'Replaces that list, and connects what is here.',
  access: 'session',
  scope: null,
  status: 200,
  body: owners,
  answer: owners,
});

export const createWebhooks = endpoint({
  method: 'POST',
  path: '/api/repos/webhooks',
  summary: 'Creates the webhooks of several repositories with the user’s token.',
  access: 'session',
  scope: null,
  status: 200,
  body: z.object({ ids: z.array(numbered).min(1).max(500) }),
  answer: z.object({
    results: z.array(
      z.object({
        id: z.number().int(),
        status: z.enum(['created', 'already', 'refused']),
        reason: z.string().nullable(),
      }),
    ),
  }),
});

const organization = z.object({ login: z.string().min(1).max(100).describe('The login of an organisation.') });

export const createOrganizationWebhook = endpoint({
  method: 'POST',
  path: '/api/organisations/{login}/webhook',
  summary:
    'The address and secret of a webhook for all repositories of an organisation; 404 for whoever does not administer it.',
  access: 'session',
  scope: null,
  status: 201,
  alsoStatus: [200],
  params: organization,
  answer: z.object({ url: z.string(), secret: z.string() }),
});

export const deleteOrganizationWebhook = endpoint({
  method: 'DELETE',
  path: '/api/organisations/{login}/webhook',
  summary: 'Ends it: its address is dead at once.',
  access: 'session',
  scope: null,
  status: 204,
  params: organization,
});
