import { expect, it } from 'vitest';
import { ApiError } from '../api/client.ts';
import { causeOf } from './error-state.tsx';

it.each([
  ['The database is away.', 'The database is away. Request r-1.'],
  ['Repository not found', 'Repository not found. Request r-1.'],
  ['Is it there?', 'Is it there? Request r-1.'],
])('the number of a request follows a whole sentence: %s', (message, words) => {
  expect(causeOf(new ApiError(message, 404, 'not_found', 'r-1'))).toBe(words);
  expect(causeOf(new ApiError(message, 404))).toBe(message);
});
