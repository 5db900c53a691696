import type { Effect } from './faults.ts';
import { type Answer, bodyText } from './http.ts';

/** The answer as an effect leaves it that lets the host answer first; unchanged for the others. */
export function spoiled(answer: Answer, effect: Effect | null): Answer {
  switch (effect?.name) {
    case 'cut_in_body':
      return { ...answer, sending: 'cut' };
    case 'truncated_json': {
      const body = bodyText(answer.body);
      return { ...answer, body: body.slice(0, Math.floor(body.length / 2)) };
    }
    case 'resource_limits':
    case 'silent_truncation':
    case 'nonsense':
      return { ...answer, body: spoil(effect, answer.body as object) };
    case 'lost_node':
      return { ...answer, body: withoutNode(answer.body as object, effect.index ?? 0) };
    case 'ends_early':
      return { ...answer, body: endedEarly(answer.body as object) };
    case 'sso_elsewhere':
      return { ...answer, body: withForeignIssue(answer.body as object) };
    default:
      return answer;
  }
}

/** The primary limit's error as some servers word it since 2026. */
export function inNewWording(body: object, effect: Effect | null, owner: string): object {
  if (effect?.name !== 'primary_limit_new_wording') return body;
  const message = `API rate limit already exceeded for user ID ${owner}.`;
  return { errors: [{ type: 'RATE_LIMIT', code: 'graphql_rate_limit', message }] };
}

type Tree = { [key: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

const NONSENSE = { createdAt: 'the day before yesterday' };

/** The lists of pull requests in the repositories of an answer, and where they are. */
function listsIn(data: Tree): [string[], unknown][] {
  return Object.entries(data).flatMap(([key, at]) =>
    ['pullRequests', 'changes'].map((name): [string[], unknown] => [[key, name], isTree(at) && at[name]]),
  );
}

function endedEarly(body: { data?: unknown }): object {
  const data = structuredClone(body.data) as Tree;
  for (const [, list] of listsIn(data)) {
    if (!isTree(list) || !Array.isArray(list.nodes)) continue;
    list.nodes = list.nodes.slice(0, Math.floor(list.nodes.length / 2));
    list.pageInfo = { hasNextPage: false, endCursor: null };
  }
  return { ...body, data };
}

function withForeignIssue(body: { data?: unknown; errors?: readonly unknown[] }): object {
  const data = structuredClone(body.data) as { nodes: Tree[] };
  const errors: unknown[] = [...(body.errors ?? [])];
  for (const [index, pull] of data.nodes.entries()) {
    pull.closingIssuesReferences = { totalCount: 1, nodes: [null] };
    const message = 'Resource protected by organization SAML enforcement.';
    const path = ['nodes', index, 'closingIssuesReferences', 'nodes', 0];
    errors.push({ type: 'FORBIDDEN', path, extensions: { saml_failure: true }, message });
  }
  return { data, errors };
}

/** Loses one node of each list at the top, or of pull requests, to a failure that does not concern the others. */
function withoutNode(body: { data?: unknown; errors?: readonly unknown[] }, index: number): object {
  const data = structuredClone(body.data) as Tree;
  const errors: unknown[] = [...(body.errors ?? [])];
  const lists: [string[], unknown][] = [[[], data], ...listsIn(data)];
  for (const [path, list] of lists) {
    if (!isTree(list) || !Array.isArray(list.nodes) || list.nodes.length <= index) continue;
    list.nodes[index] = null;
    const message = 'Something went wrong inside this pull request.';
    errors.push({ type: 'INTERNAL', path: [...path, 'nodes', index, 'timelineItems'], message });
  }
  return { data, errors };
}

/**
 * Spoils the data of a GraphQL answer: the second half of each page of pull requests loses rows, with or without a word about it, or the
 * first one says nonsense. A page of teams loses members in the same way, and without a word its last team.
 */
function spoil(effect: Effect, body: { data?: unknown; errors?: readonly unknown[] }): object {
  const errors: unknown[] = [...(body.errors ?? [])];
  const data = structuredClone(body.data);
  const visit = (value: unknown, path: readonly (string | number)[]) => {
    if (!isTree(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (effect.name === 'nonsense' && key === 'pullRequest' && isTree(child)) Object.assign(child, NONSENSE);
      const rows = isTree(child) ? child.nodes : key === 'nodes' ? child : undefined;
      const isTeams = Array.isArray(rows) && rows.some((row) => isTree(row) && isTree(row.members));
      const isPulls =
        Array.isArray(rows) && rows.some((row) => isTree(row) && isTree(row.reviews ?? row.timelineItems));
      if (isPulls || isTeams) {
        if (effect.name === 'nonsense') Object.assign(rows[0] as object, NONSENSE);
        const at = isTree(child) ? [...path, key, 'nodes'] : [...path, key];
        const from = Math.floor(rows.length / 2);
        for (let index = from; index < rows.length; index += 1) cutRow(rows[index], [...at, index]);
        if (isTeams && effect.name === 'silent_truncation') rows.pop();
      } else visit(child, [...path, key]);
    }
  };
  const cutRow = (row: unknown, path: readonly (string | number)[]) => {
    if (!isTree(row)) return;
    for (const [name, list] of Object.entries(row)) {
      if (!isTree(list) || !Array.isArray(list.nodes)) continue;
      if (effect.name === 'resource_limits' && ['timelineItems', 'reviews', 'members'].includes(name)) {
        row[name] = null;
        const message = 'Resource limits for this query exceeded.';
        errors.push({ type: 'RESOURCE_LIMITS_EXCEEDED', path: [...path, name], message });
      } else if (effect.name === 'silent_truncation') {
        list.nodes = [];
        if (isTree(list.pageInfo)) list.pageInfo = { ...list.pageInfo, hasNextPage: false, endCursor: null };
      }
    }
  };
  visit(data, []);
  return errors.length > 0 ? { data, errors } : { data };
}
