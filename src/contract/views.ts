import { z } from 'zod';
import { viewPathProblem } from '#domain/view-path.ts';
import { endpoint } from './endpoint.ts';
import { visibility } from './notes.ts';
import { instant } from './values.ts';

const LONGEST_NAME = 80;

/** The address of a screen, kept under a name. */
export const keptView = z.object({
  id: z.number().int(),
  slug: z.string().describe('What its own address, `/v/{slug}`, holds.'),
  name: z.string(),
  path: z.string().describe('With its query, as far as the caller may know of what it names.'),
  visibility,
  pinned: z.boolean().describe('Whether it stands on the dashboard of those who see it.'),
  mine: z.boolean().describe('Whether the caller keeps it.'),
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
  table: 'list',
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

const oneView = z.object({ slug: z.string().min(1).describe('The name of a view in its address.') });

export const getView = endpoint({
  method: 'GET',
  path: '/api/views/{slug}',
  summary: 'A kept view, as the caller may open it.',
  access: 'session',
  scope: null,
  table: null,
  status: 200,
  params: oneView,
  answer: keptView.extend({
    missing: z
      .boolean()
      .describe(
        'Whether parts of its path were taken out: what the caller does not see, and what somebody else typed.',
      ),
    team_gone: z.boolean().describe('Whether a team or group was: it is deleted, or the caller does not see it.'),
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
