import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { fromToFilter, instant, moment, numbered } from './values.ts';

/** Who sees it: oneself, or everyone who signs in at the same host. */
export const visibility = z.enum(['mine', 'everyone'], 'must be mine or everyone');

const MOST_LETTERS = 140;

/** A word about a moment on the time axis. */
export const note = z.object({
  id: z.number().int(),
  at: instant,
  text: z.string(),
  visibility,
  mine: z.boolean().describe('Whether the caller wrote it.'),
});
export type Note = z.infer<typeof note>;

export const listNotes = endpoint({
  method: 'GET',
  path: '/api/notes',
  summary: 'Notes on the time axis, one’s own and everyone’s, the earliest first; of many the latest.',
  access: 'session',
  scope: null,
  table: 'list',
  status: 200,
  query: z.object(fromToFilter),
  answer: z.array(note),
});

export const addNote = endpoint({
  method: 'POST',
  path: '/api/notes',
  summary: 'Notes something about a moment: an instant, or a date, its midnight in the viewer’s zone.',
  access: 'session',
  scope: null,
  status: 201,
  body: z.object({
    at: moment,
    text: z
      .string('must be a text')
      .transform((text) => text.trim().replace(/\s+/g, ' '))
      .refine((text) => text !== '', 'must not be empty')
      .refine((text) => [...text].length <= MOST_LETTERS, `must not be longer than ${MOST_LETTERS} letters`),
    visibility: visibility.default('mine'),
  }),
  answer: note,
});

export const deleteNote = endpoint({
  method: 'DELETE',
  path: '/api/notes/{id}',
  summary: 'Deletes a note of one’s own.',
  access: 'session',
  scope: null,
  status: 204,
  params: z.object({ id: numbered.describe('The id of a note.') }),
});
