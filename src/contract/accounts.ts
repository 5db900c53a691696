import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './values.ts';

const kind = z.enum(['human', 'bot', 'agent']);

/** The team's own word on what an account is; it wins over type, suffix and the list of known automation. */
export const markedAccount = z.object({
  username: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  kind,
  set_by: z.string().nullable(),
  set_at: instant,
});
export type MarkedAccount = z.infer<typeof markedAccount>;

export const listMarkedAccounts = endpoint({
  method: 'GET',
  path: '/api/account-kinds',
  summary: 'Accounts that the team has marked as human, bot or agent.',
  access: 'session',
  status: 200,
  answer: z.array(markedAccount),
});

export const markAccount = endpoint({
  method: 'PUT',
  path: '/api/account-kinds/{username}',
  summary: 'Marks an account; figures follow as soon as its pull requests are counted anew.',
  access: 'session',
  status: 200,
  params: z.object({ username: z.string().min(1) }),
  body: z.object({ kind }),
  answer: markedAccount,
});

export const unmarkAccount = endpoint({
  method: 'DELETE',
  path: '/api/account-kinds/{username}',
  summary: 'Takes the mark back.',
  access: 'session',
  status: 204,
  params: z.object({ username: z.string().min(1) }),
});
