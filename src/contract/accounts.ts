import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './values.ts';

const kind = z.enum(['human', 'bot', 'agent']);

/**
 * What somebody says an account is; it wins over type, suffix and the list of known automation: one's own mark for oneself, and before
 * that an administrator's for everyone.
 */
export const markedAccount = z.object({
  username: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  kind,
  set_by: z.string().nullable().describe('The login of whoever set it; null where nobody knows.'),
  set_at: instant,
  own: z.boolean().describe('True of the caller’s own, which holds for them alone; any other holds for everyone.'),
  counting: z.boolean().describe("True until the caller's figures show it, within a minute as a rule."),
});
export type MarkedAccount = z.infer<typeof markedAccount>;

export const listMarkedAccounts = endpoint({
  method: 'GET',
  path: '/api/account-kinds',
  summary:
    'Accounts marked as human, bot or agent: one’s own marks, and those of administrators, which hold for everyone.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  answer: z.array(markedAccount),
});

export const markAccount = endpoint({
  method: 'PUT',
  path: '/api/account-kinds/{username}',
  summary:
    'Marks an account, for oneself or, by an administrator, for everyone; figures follow as soon as its pull requests are counted again.',
  access: 'session',
  scope: null,
  status: 200,
  params: z.object({
    username: z.string().min(1).describe('The login of an account that takes part in your repositories.'),
  }),
  body: z.object({ kind }),
  answer: markedAccount,
});

export const unmarkAccount = endpoint({
  method: 'DELETE',
  path: '/api/account-kinds/{username}',
  summary: 'Takes the mark back: one’s own, or, by an administrator, the one that holds for everyone.',
  access: 'session',
  scope: null,
  status: 204,
  params: z.object({
    username: z.string().min(1).describe('The login of an account that takes part in your repositories.'),
  }),
});

/** Labels that say which tool took part in a pull request, beside those that are known. */
export const agentSettings = z.object({
  labels: z
    .array(
      z.object({
        label: z
          .string()
          .trim()
          .min(1, 'must not be empty')
          .max(100, 'at most 100 characters')
          .describe('As the host calls it; upper and lower case are the same.'),
        tool: z
          .string()
          .trim()
          .toLowerCase()
          .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, 'must be the name of a tool, such as claude')
          .describe('As `agents` of a pull request names it: one that is known, or that the label stands for already.'),
      }),
    )
    .max(100, 'at most 100 labels'),
});
export type AgentSettings = z.infer<typeof agentSettings>;

export const getAgentSettings = endpoint({
  method: 'GET',
  path: '/api/settings/ai',
  summary: 'Labels that say which AI tool took part in a pull request.',
  access: 'session',
  scope: null,
  table: null,
  status: 200,
  answer: agentSettings,
});

export const saveAgentSettings = endpoint({
  method: 'PUT',
  path: '/api/settings/ai',
  summary: 'Replaces these labels, for everyone; by administrators. Facts of pull requests that carry one follow.',
  access: 'session',
  scope: null,
  status: 200,
  body: agentSettings,
  answer: agentSettings,
});
