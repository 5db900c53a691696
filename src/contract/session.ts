import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './values.ts';

export const user = z.object({
  id: z.number().int(),
  github_username: z.string(),
  email: z.string().nullable(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  host: z.string().describe("The host's name for people, e.g. `GitHub` or `demo`."),
  time_zone: z.string().describe("IANA name; days and business hours are this zone's."),
  administrator: z.boolean().describe('May change what belongs to the installation.'),
});
export type User = z.infer<typeof user>;

export const signInOptions = z.object({
  oauth: z.boolean(),
  github_app: z
    .boolean()
    .describe(
      'True where sign-in is by a GitHub App: it asks for no scope, and reads private repositories where it is installed.',
    ),
  install_url: z
    .string()
    .nullable()
    .describe(
      'The page on which the GitHub App is installed; null for an OAuth app, and where this server does not know it.',
    ),
  token: z.boolean(),
  demo: z.boolean(),
  api_token_days: z
    .number()
    .int()
    .nullable()
    .describe('How many days a personal token may live at most; null where tokens are switched off.'),
  assistants: z.boolean().describe('Whether assistants can connect.'),
  host: z.string().describe('The name to show for {host}.'),
  host_url: z.string(),
});
export type SignInOptions = z.infer<typeof signInOptions>;

export const sessionItem = z.object({
  id: z.uuid(),
  created_at: instant,
  last_used_at: instant.describe('To about a minute.'),
  browser: z.string().nullable().describe('`Firefox on Linux`; null where the browser did not say.'),
  current: z.boolean().describe('The session that asks.'),
});
export type SessionItem = z.infer<typeof sessionItem>;

/** The browser's IANA zone: taken at the first sign-in, unless the person has chosen one; an unknown one is ignored. */
const browserTimeZone = z.string().max(100).optional();

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/me',
  summary: 'Who is signed in; 401 without a session.',
  access: 'session',
  scope: null,
  table: null,
  status: 200,
  answer: user,
});

export const updateSession = endpoint({
  method: 'PATCH',
  path: '/auth/me',
  summary: 'Changes the time zone in which days and business hours are counted.',
  access: 'session',
  scope: null,
  status: 200,
  body: z.object({ time_zone: z.string().min(1) }),
  answer: user,
});

export const getSignInOptions = endpoint({
  method: 'GET',
  path: '/auth/options',
  summary: 'The ways to sign in that this server offers.',
  access: 'public',
  scope: null,
  table: null,
  status: 200,
  answer: signInOptions,
});

export const signInWithToken = endpoint({
  method: 'POST',
  path: '/auth/token',
  summary: 'Signs in with a personal access token of the host.',
  access: 'public',
  scope: null,
  status: 200,
  body: z.object({
    token: z
      .string()
      .trim()
      .min(1, { error: 'Paste a personal access token.', abort: true })
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces: paste the token alone'),
    replace: z
      .boolean()
      .optional()
      .describe(
        'Stores the token also where it may read less than the one in use; without it that answers 409 `weaker_token`.',
      ),
    time_zone: browserTimeZone,
  }),
  answer: user,
});

export const signInToDemo = endpoint({
  method: 'POST',
  path: '/auth/demo',
  summary: 'Opens a session on the built-in demo host.',
  access: 'public',
  scope: null,
  status: 200,
  body: z.object({ time_zone: browserTimeZone }),
  answer: user,
});

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary:
    'Ends the session; also without one. After the last one the stored token is deleted here and revoked at the host, unless `background` is true: syncs then go on.',
  access: 'public',
  scope: null,
  status: 204,
  body: z.object({ background: z.boolean().optional() }),
});

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/auth/me',
  summary:
    'Deletes the account with all that belongs to it and the repositories that nobody else has connected, and takes back what was granted at the host. `confirm` is the login.',
  access: 'session',
  scope: null,
  status: 204,
  body: z.object({ confirm: z.string() }),
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  summary: 'Where the user is signed in, the session used last first.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  answer: z.array(sessionItem),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  summary: 'Signs one of the user’s sessions out.',
  access: 'session',
  scope: null,
  status: 204,
  params: z.object({ id: z.uuid().describe('The id of a session, as `GET /auth/sessions` has it.') }),
});

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/auth/sessions',
  summary: 'Signs the user out everywhere, here too.',
  access: 'session',
  scope: null,
  status: 204,
});
