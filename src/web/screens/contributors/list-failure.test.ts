import { expect, it } from 'vitest';
import { ApiError } from '../../api/client.ts';
import { listFailure } from './list-failure.ts';

it.each([
  [
    new ApiError('The server could not answer.', 500, 'internal', '7f3c91', 'Internal Server Error'),
    'Failed to fetch contributors: Internal Server Error. The server could not answer. Request 7f3c91.',
  ],
  [new ApiError('Bad Gateway', 502, null, null, 'Bad Gateway'), 'Failed to fetch contributors: Bad Gateway'],
  [new ApiError('Request failed: 503', 503), 'Failed to fetch contributors: Request failed: 503'],
  [new ApiError('The server did not answer.', null), 'Failed to fetch contributors: The server did not answer.'],
])('the list says what failed and why: %s', (error, words) => {
  expect(listFailure(error).message).toBe(words);
});
