import { Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';
import type { Operation, PlannedField } from './document.ts';
import type { HostError } from './failures.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** What an operation asks for (GitHub documentation, rate limits and query limits for the GraphQL API). */
export interface Price {
  /** Points: the requests that its connections would take if every parent were full, divided by 100, at least 1. */
  readonly cost: number;
  /** Nodes that it may return. */
  readonly nodes: number;
  /** Requests before the division. */
  readonly requests: number;
  /** The pull requests that it may return, for faults that depend on a page's size. */
  readonly pullRequests: number;
  /** Bounds that are missing or too large; then it isn't evaluated at all. */
  readonly errors: readonly HostError[];
}

const PAGE_LIMIT = 100;
const NODE_LIMIT = 500_000;

/** Adds the defaults of the operation's variables to those that were sent. */
export function withDefaults(operation: OperationDefinitionNode, variables: Variables): Variables {
  const all: Record<string, unknown> = { ...variables };
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    if (all[name] === undefined && definition.defaultValue !== undefined) {
      all[name] = meaningOf(definition.defaultValue, {});
    }
  }
  return all;
}

/** What a value in a document stands for: null for what is absent. */
function meaningOf(node: ValueNode | undefined, variables: Variables): unknown {
  switch (node?.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value] ?? null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.LIST:
      return node.values.map((value) => meaningOf(value, variables));
    default:
      return null;
  }
}

export function argument(field: PlannedField, name: string, variables: Variables): unknown {
  return meaningOf(field.node.arguments?.find((other) => other.name.value === name)?.value, variables);
}

function isAsked(field: PlannedField, variables: Variables): boolean {
  return field.conditions.every(({ value, wanted }) => meaningOf(value, variables) === wanted);
}

export function priceOf(operation: Operation, variables: Variables): Price {
  let requests = 0;
  let nodes = 0;
  let pullRequests = 0;
  const errors: HostError[] = [];
  const walk = (fields: ReadonlyMap<string, PlannedField>, times: number, path: readonly string[]) => {
    for (const field of fields.values()) {
      if (!isAsked(field, variables)) continue;
      const here = [...path, field.responseKey];
      let below = times;
      if (field.isConnection) {
        const size = pageSize(field, variables, here, errors);
        if (size !== null) {
          requests += times;
          nodes += times * size;
          below = times * size;
          if (field.name === 'pullRequests') pullRequests += below;
        }
      } else if (field.parentType === 'Query' && field.name === 'nodes') {
        const ids = argument(field, 'ids', variables);
        below = Array.isArray(ids) ? ids.length : 1;
        pullRequests += below;
      }
      walk(field.children, below, here);
    }
  };
  walk(operation.fields, 1, []);
  if (errors.length === 0 && nodes > NODE_LIMIT) {
    errors.push({
      type: 'MAX_NODE_LIMIT_EXCEEDED',
      message: `This query requests up to ${nodes.toLocaleString('en-US')} possible nodes which exceeds the maximum limit of 500,000.`,
    });
  }
  return { cost: Math.max(1, Math.round(requests / 100)), nodes, requests, pullRequests, errors };
}

/** The rows that a connection asks for; null for one that only counts. Notes an error for bounds that the host refuses. */
function pageSize(
  field: PlannedField,
  variables: Variables,
  path: readonly string[],
  errors: HostError[],
): number | null {
  const first = argument(field, 'first', variables);
  const last = argument(field, 'last', variables);
  const where = { path };
  if (typeof first !== 'number' && typeof last !== 'number') {
    if (field.asksRows) {
      errors.push({
        type: 'MISSING_PAGINATION_BOUNDARIES',
        ...where,
        message: `You must provide a \`first\` or \`last\` value to properly paginate the \`${field.name}\` connection.`,
      });
    }
    return null;
  }
  if (typeof first === 'number' && typeof last === 'number') {
    errors.push({
      type: 'UNPROCESSABLE',
      ...where,
      message: `Passing both \`first\` and \`last\` values to paginate the \`${field.name}\` connection is not supported.`,
    });
    return null;
  }
  const [bound, size] = typeof first === 'number' ? ['first', first] : ['last', Number(last)];
  if (size > PAGE_LIMIT) {
    errors.push({
      type: 'EXCESSIVE_PAGINATION',
      ...where,
      message: `Requesting ${size} records on the \`${field.name}\` connection exceeds the \`${bound}\` limit of 100 records.`,
    });
  } else if (size < 1) {
    errors.push({
      type: 'ARGUMENT_LIMIT',
      ...where,
      message: `\`${bound}\` on the \`${field.name}\` connection cannot be less than 1.`,
    });
  }
  return size;
}
