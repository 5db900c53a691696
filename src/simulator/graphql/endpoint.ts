import { type DocumentNode, execute, type GraphQLSchema, Kind, type SelectionNode } from 'graphql';
import type { Limits, Quota } from '../limits.ts';
import type { WorldState } from '../state/world-state.ts';
import type { Token, Tokens } from '../tokens.ts';
import { accountAnswers } from './answers/accounts.ts';
import { commitAnswers } from './answers/commits.ts';
import { organizationAnswers } from './answers/organizations.ts';
import { pullRequestAnswers } from './answers/pull-requests.ts';
import { queryAnswers } from './answers/query.ts';
import { repositoryAnswers } from './answers/repositories.ts';
import { reviewAnswers } from './answers/reviews.ts';
import { timelineAnswers } from './answers/timeline.ts';
import type { Context } from './context.ts';
import { argument, type Price, priceOf, type Variables, withDefaults } from './cost.ts';
import { documentReader, type Operation } from './document.ts';
import { type HostError, HostFailure, hostError } from './failures.ts';
import { hostSchema } from './schema.ts';
import { missingScopes } from './scopes.ts';

interface GraphqlAnswer {
  readonly body: { data?: Record<string, unknown> | null; errors?: readonly HostError[] };
  readonly quota: Quota | null;
  /** Null where the query wasn't priced: malformed, or refused before. */
  readonly price: Price | null;
}

/** A GraphQL request that has been read and checked but not yet carried out. */
export interface PreparedRequest {
  readonly operation: Operation | null;
  readonly document: DocumentNode | null;
  readonly variables: Variables;
  readonly price: Price | null;
  readonly errors: readonly HostError[];
}

export interface GraphqlEndpoint {
  prepare(body: unknown): PreparedRequest;
  answer(request: PreparedRequest, token: Token, now: number): GraphqlAnswer;
}

type DocumentReader = ReturnType<typeof documentReader>;

/** The published schema knows nothing of a world: all hosts of a process share it, and the documents that were checked against it. */
let known: { readonly schema: GraphQLSchema; readonly read: DocumentReader } | null = null;

function readSchema() {
  const schema = hostSchema({
    ...accountAnswers,
    ...commitAnswers,
    ...organizationAnswers,
    ...pullRequestAnswers,
    ...queryAnswers,
    ...repositoryAnswers,
    ...reviewAnswers,
    ...timelineAnswers,
  });
  return { schema, read: documentReader(schema) };
}

/** The GraphQL side of the host: validation against the published schema, prices, limits and answers. The first of a process takes about a quarter of a second. */
export function graphqlEndpoint(host: {
  readonly world: () => WorldState;
  readonly tokens: Tokens;
  readonly limits: Limits;
  readonly url: () => string;
}): GraphqlEndpoint {
  known ??= readSchema();
  const { schema, read } = known;

  const prepare = (body: unknown): PreparedRequest => {
    const { query, variables, operationName } = (body ?? {}) as Record<string, unknown>;
    const nothing = { operation: null, document: null, variables: {}, price: null };
    if (typeof query !== 'string') {
      return { ...nothing, errors: [{ message: 'A query attribute must be specified and must be a string.' }] };
    }
    const { document, errors, operations } = read(query);
    if (errors.length > 0) return { ...nothing, errors };
    const operation =
      operationName == null && operations.length === 1
        ? operations[0]
        : operations.find(({ name }) => name === operationName);
    if (operation === undefined) return { ...nothing, errors: [{ message: 'An operation name is required.' }] };
    const all = withDefaults(operation.node, (variables ?? {}) as Variables);
    const price = priceOf(operation, all);
    return { operation, document, variables: all, price, errors: price.errors };
  };

  const answer = (request: PreparedRequest, token: Token, now: number): GraphqlAnswer => {
    const { operation, document, price, variables } = request;
    const owner = String(token.account.id);
    const refused = (errors: readonly HostError[]): GraphqlAnswer => ({
      body: { errors },
      quota: host.limits.quota(owner, 'graphql', now),
      price: null,
    });
    if (request.errors.length > 0 || operation === null || document === null || price === null) {
      return refused(request.errors);
    }
    const scopes = missingScopes(operation, token);
    if (scopes.length > 0) return refused(scopes);
    const dryRun = operation.all.some(
      (field) => field.name === 'rateLimit' && argument(field, 'dryRun', variables) === true,
    );
    if (!dryRun && !host.limits.charge(owner, 'graphql', price.cost, now)) {
      return refused([{ type: 'RATE_LIMITED', message: `API rate limit exceeded for user ID ${owner}.` }]);
    }
    const quota = host.limits.quota(owner, 'graphql', now);
    const context: Context = { world: host.world(), token, tokens: host.tokens, url: host.url(), quota, price };
    const result = execute({
      schema,
      document: dryRun ? onlyRateLimit(document) : document,
      variableValues: variables,
      ...(operation.name === null ? {} : { operationName: operation.name }),
      contextValue: context,
      fieldResolver: plainField,
      typeResolver: (value) => (value as { readonly typeName: string }).typeName,
    });
    if (result instanceof Promise) throw new Error('An answer of the simulated host must not wait for anything.');
    const errors = (result.errors ?? []).map(hostError);
    const data = (result.data ?? null) as Record<string, unknown> | null;
    return { body: errors.length > 0 ? { data, errors } : { data }, quota, price };
  };
  return { prepare, answer };
}

/** A field without an answer of its own is a property; one that isn't there is a gap of the simulator and says so. */
function plainField(
  source: unknown,
  _args: unknown,
  _context: unknown,
  info: { fieldName: string; parentType: { name: string } },
) {
  const value = (source as Record<string, unknown>)[info.fieldName];
  if (value === undefined) {
    throw new HostFailure(
      'SIMULATOR',
      `The simulated host has no answer for ${info.parentType.name}.${info.fieldName}.`,
    );
  }
  return value;
}

/** A dry run says what a query costs and evaluates nothing else (`RateLimit`, argument `dryRun`). */
function onlyRateLimit(document: DocumentNode): DocumentNode {
  const kept = (selection: SelectionNode) => selection.kind !== Kind.FIELD || selection.name.value === 'rateLimit';
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? {
            ...definition,
            selectionSet: { ...definition.selectionSet, selections: definition.selectionSet.selections.filter(kept) },
          }
        : definition,
    ),
  };
}
