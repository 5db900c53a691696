import { z } from 'zod';

/** What every error answer holds (docs/server.md#calls-and-errors). */
export const errorAnswer = z.object({
  error: z.string(),
  code: z.string(),
  request_id: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type ErrorAnswer = z.infer<typeof errorAnswer>;
