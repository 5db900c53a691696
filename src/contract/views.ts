import { z } from 'zod';
import { viewPathProblem } from '#domain/view-path.ts';
import { endpoint } from './endpoint.ts';
import { visibility } from './notes.ts';
import { instant } from './values.ts';

const LONGEST_NAME = 80;

/** The address of a screen, kept under a name. */
export const keptView = z.object({
  id: z.number().int(),
  /** What its own address, `/v/{slug}`, holds. */
  slug: z.string(),
  name: z.string(),
  /** With its query, as far as the caller may know of what it names. */
  path: z.string(),
  visibility,
  /** Whether it stands on the dashboard of those who see it. */
  pinned: z.boolean(),
  /** Whether the caller keeps it. */
  mine: z.boolean(),
  created_at: instant,
});
export type KeptView = z.infer<typeof keptView>;

const name = z
  .string('must be a text')
  .transform((text) => text.trim().replace(/\s+/g, ' '))
  .refine((text) => text !== '', 'must not be empty')
  .refine((text) => [...text].length <= LONGEST_NAME, `must not be longer than ${LONGEST_NAME} letters`);
const path = z.string('must be a text').superRefine((text, context) => {
  const message = viewPathProblem(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

export const listViews = endpoint({
  method: 'GET',
  path: '/api/views',
  summary: 'Kept views: one’s own, and everyone’s, by name.',
  access: 'session',
  scope: null,
  status: 200,
  answer: z.array(keptView),
});

export const keepView = endpoint({
  method: 'POST',
  path: '/api/views',
  summary: 'Keeps the address of a screen under a name, for oneself or for everyone signed in.',
  access: 'session',
  scope: null,
  status: 201,
  body: z.object({ name, path, visibility: visibility.default('mine'), pinned: z.boolean().default(false) }),
  answer: keptView,
});

const oneView = z.object({ slug: z.string().min(1) });

export const getView = endpoint({
  method: 'GET',
  path: '/api/views/{slug}',
  summary: 'A kept view, as the caller may open it.',
  access: 'session',
  scope: null,
  status: 200,
  params: oneView,
  answer: keptView.extend({
    /** Whether parts of its path were taken out: what the caller does not see, and what somebody else typed. */
    missing: z.boolean(),
    /** Whether a team or group was: it is deleted, or the caller does not see it. */
    team_gone: z.boolean(),
  }),
});

export const changeView = endpoint({
  method: 'PATCH',
  path: '/api/views/{slug}',
  summary: 'Changes a view that one keeps oneself; what is left out stays.',
  access: 'session',
  scope: null,
  status: 200,
  params: oneView,
  body: z.object({ name, path, visibility, pinned: z.boolean() }).partial(),
  answer: keptView,
});

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/api/views/{slug}',
  summary: 'Deletes a view that one keeps oneself.',
  access: 'session',
  scope: null,
  status: 204,
  params: oneView,
});
