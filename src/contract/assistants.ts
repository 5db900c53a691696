import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { count, instant } from './values.ts';

/** What an assistant asked by one of the caller's tokens. */
export const assistantCall = z.object({
  tool: z.string(),
  at: instant,
  ms: count.describe('How long it took, in milliseconds.'),
  failed: z.boolean(),
});
export type AssistantCall = z.infer<typeof assistantCall>;

export const listAssistantCalls = endpoint({
  method: 'GET',
  path: '/api/assistants/calls',
  summary: 'What assistants asked by the caller’s tokens last, the newest first, at most 50.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  answer: z.array(assistantCall),
});
