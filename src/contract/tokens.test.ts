import { expect, test } from 'vitest';
import { makeToken } from './tokens.ts';

const made = (repositories: unknown) =>
  makeToken.body.safeParse({ name: 'Weekly', scopes: ['read:figures'], repositories });

test('a token can be for any number of repositories, each named once', () => {
  const ids = Array.from({ length: 2500 }, (_, at) => at + 1);

  expect(made([...ids, 1]).data?.repositories).toEqual(ids);
  expect(made('all').data?.repositories).toBe('all');
  for (const wrong of [[], 'some', [0]])
    expect(made(wrong).error?.issues).toMatchObject([
      { path: ['repositories'], message: "must be 'all' or a list of ids of connected repositories" },
    ]);
});
