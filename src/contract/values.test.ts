import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { several, whole } from './values.ts';

const parameters = Object.entries<Endpoint>(endpoints).flatMap(([call, { query }]) =>
  query instanceof z.ZodObject
    ? Object.entries<z.ZodType>(query.shape).map(([name, shape]) => ({ name: `${name} of ${call}`, shape }))
    : [],
);

it('no call takes a list that names nothing, by which nothing would match', () => {
  const isTaken = (shape: z.ZodType, given: unknown) => Array.isArray(shape.safeParse(given).data);
  const lists = parameters.filter(({ shape }) => isTaken(shape, 'human') || isTaken(shape, '1'));

  expect(lists.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['labels of getTrends', 'authorship of getHealth', 'repository of listAiReviewers']),
  );
  expect(
    parameters.flatMap(({ name, shape }) => (['', ',', ['', ' ']].some((given) => isTaken(shape, given)) ? name : [])),
  ).toEqual([]);
});

it('what is given several times or with commas is each of it, without what is blank between', () => {
  expect(several.parse([' a, b', 'c,'])).toEqual(['a', 'b', 'c']);
});

it('a whole number is a number or its digits, and nothing else that could be made one', () => {
  const taken = (given: unknown) => whole(1).safeParse(given);

  expect([taken(7), taken('7')].map(({ data }) => data)).toEqual([7, 7]);
  for (const wrong of [true, [7], ['7'], null, {}, 1.5, '1e1', ' 1', ''])
    expect(taken(wrong).error?.issues, JSON.stringify(wrong)).toMatchObject([{ message: 'must be a whole number' }]);
});
