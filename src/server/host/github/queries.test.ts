import { schema as schemaText } from '@octokit/graphql-schema';
import {
  buildSchema,
  type FragmentDefinitionNode,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { type Part, QUERY_NAMES, type Query, queryOf, queryOfParts } from './queries.ts';

// Taken as valid: it deprecates fields that its interfaces do not, which newer rules of the language forbid.
const published = schemaText.idl;
const schema = buildSchema(published, { assumeValid: true });
/** The schema of mid-2026, where enterprise teams can be asked to review. */
const newerSchema = buildSchema(
  published
    .replace(/^union RequestedReviewer = /m, 'union RequestedReviewer = EnterpriseTeam | ')
    .concat('\ntype EnterpriseTeam implements Node { id: ID! }\n'),
  { assumeValid: true },
);
const all = { teams: true, checks: true };
/** Asked for by themselves, so that without the scope nothing else is refused with them. */
const ofTeams = ['teams', 'team-members'];

const everyPart: readonly Part[] = [
  { query: 'pull-requests', variables: { owner: 'o', name: 'n', first: 1, after: null }, lists: 3 },
  ...QUERY_NAMES.filter((name) => name.startsWith('more-')).map((query) => ({
    query,
    variables: { ids: ['X'], after: null },
    lists: 1,
  })),
];

/**
 * What GitHub's rate limit page prices: each connection once per parent, supposing every list full; hundredths of a
 * point. `nodes(ids:)` is as many parents as there are ids.
 */
function connections(query: Query): number {
  const document = parse(query.text);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const walk = (set: SelectionSetNode, parents: number): number =>
    set.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + walk(selection.selectionSet, parents);
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return sum + walk(fragments.get(selection.name.value)!.selectionSet, parents);
      if (!selection.selectionSet) return sum;
      const given = (name: string) => {
        const value = selection.arguments?.find((argument) => argument.name.value === name)?.value;
        if (value?.kind === Kind.INT) return Number(value.value);
        return value?.kind === Kind.VARIABLE ? query.variables[value.name.value] : undefined;
      };
      const size = given('first') ?? given('last');
      if (typeof size === 'number') return sum + parents + walk(selection.selectionSet, parents * size);
      const ids = given('ids');
      return sum + walk(selection.selectionSet, Array.isArray(ids) ? parents * ids.length : parents);
    }, 0);
  return document.definitions.reduce(
    (sum, one) => (one.kind === Kind.OPERATION_DEFINITION ? sum + walk(one.selectionSet, 1) : sum),
    0,
  );
}

const points = (query: Query) => Math.max(1, Math.round(connections(query) / 100));

describe('the queries', () => {
  const variants = QUERY_NAMES.flatMap((name) =>
    [true, false].map((teams) => ({
      name: `${name}${teams ? '' : ' without teams'}`,
      query: queryOf(name, {}, { teams, checks: true }),
    })),
  );

  it.each([
    ...variants,
    { name: 'all parts in one request', query: queryOfParts(everyPart, all) },
    { name: 'all parts in one request without teams', query: queryOfParts(everyPart, { teams: false, checks: true }) },
  ])('$name fits the schema that GitHub publishes, without deprecated fields', ({ query }) => {
    const document = parse(query.text);

    expect(validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule])).toEqual([]);
    expect(validate(newerSchema, document)).toEqual([]);
  });

  it('goes on with a timeline of the same items as it begins with', () => {
    const itemsOf = ({ text }: Query) => /itemTypes: \[([^\]]*)\]/.exec(text)?.[1]?.match(/\w+/g);

    expect(itemsOf(queryOf('more-timeline', {}, all))).toEqual(itemsOf(queryOf('pull-requests', {}, all)));
    expect(itemsOf(queryOf('more-timeline', {}, all))).toContain('PULL_REQUEST_REVIEW_THREAD');
  });

  it('names no field of a team without the scope for it', () => {
    const texts = [
      ...QUERY_NAMES.filter((name) => !ofTeams.includes(name)).map((name) =>
        queryOf(name, {}, { teams: false, checks: true }),
      ),
      queryOfParts(everyPart, { teams: false, checks: true }),
    ];

    expect(texts.filter(({ text }) => text.includes('on Team'))).toEqual([]);
    expect(queryOf('pull-requests', {}, all).text).toContain('on Team');
  });

  it('gives each part of a shared request its own variables', () => {
    const query = queryOfParts(
      [
        { query: 'more-reviews', variables: { ids: ['A'], after: 'x' }, lists: 1 },
        { query: 'more-reviews', variables: { ids: ['B'], after: 'y' }, lists: 1 },
      ],
      all,
    );

    expect(query.variables).toEqual({ ids_0: ['A'], after_0: 'x', ids_1: ['B'], after_1: 'y' });
    expect(query.text).toContain('part_0: nodes(ids: $ids_0)');
    expect(query.text).toContain('part_1: nodes(ids: $ids_1)');
  });
});

describe('what the host charges for them', () => {
  it('is computed as on the rate limit page: 100 repositories × 50 issues × 60 labels are 5,101 connections, 51 points', () => {
    const text =
      '{ viewer { repositories(first: 100) { nodes { issues(first: 50) { nodes { labels(first: 60) { nodes { name } } } } } } } }';

    expect(connections({ name: '', text, variables: {} })).toBe(5101);
    expect(points({ name: '', text, variables: {} })).toBe(51);
  });

  it.each([
    { first: 1, connections: 3, points: 1 },
    { first: 74, connections: 149, points: 1 },
    { first: 75, connections: 151, points: 2 },
  ])('a page of $first pull requests is $points', ({ first, ...expected }) => {
    const query = queryOf('pull-requests', { first }, all);

    expect({ connections: connections(query), points: points(query) }).toEqual(expected);
  });

  it('a page of 100 stays far below the 500,000 nodes that one request may ask for', () => {
    const { text } = queryOf('pull-requests', { first: 100 }, all);
    const sizes = [...text.matchAll(/(?:first|last): (\d+)/g)].map(([, size]) => Number(size));

    expect(100 * sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });

  it.each([
    { name: 'changes', variables: { first: 100 }, points: 1 },
    { name: 'open-pull-requests', variables: { first: 100, threadsOf: [], checksOf: [] }, points: 1 },
    {
      name: 'open-pull-requests',
      variables: { first: 100, threadsOf: Array(100).fill(''), checksOf: Array(47).fill('') },
      points: 1,
    },
    {
      name: 'open-pull-requests',
      variables: { first: 100, threadsOf: Array(100).fill(''), checksOf: Array(48).fill('') },
      points: 2,
    },
    { name: 'pull-requests-by-id', variables: { ids: Array(74).fill('') }, points: 1 },
    { name: 'whole-pull-requests-by-id', variables: { ids: Array(2).fill('') }, points: 1 },
    { name: 'pull-request-by-number', variables: {}, points: 1 },
    { name: 'more-inline-comments', variables: { ids: Array(100).fill('') }, points: 1 },
    { name: 'repository', variables: {}, points: 1 },
    { name: 'pull-requests-of-commit', variables: {}, points: 1 },
  ] as const)('$name is $points', ({ name, variables, points: expected }) => {
    expect(points(queryOf(name, variables, all))).toBe(expected);
  });

  it('149 continuations in one request are one point', () => {
    const parts = Array<Part>(149).fill({ query: 'more-reviews', variables: { ids: ['A'], after: 'x' }, lists: 1 });

    expect(points(queryOfParts(parts, all))).toBe(1);
  });
});
