import { readNodeId } from '../state/node-ids.ts';
import { fullName } from '../state/repository.ts';
import type { WorldState } from '../state/world-state.ts';
import { argument } from './cost.ts';
import type { PreparedRequest } from './endpoint.ts';

/** The `owner/name`s that a request is about, in lower case: those it names and those that its node ids belong to. */
export function repositoriesAsked(request: PreparedRequest, world: WorldState): readonly string[] {
  const found = new Set<string>();
  const { operation, variables } = request;
  if (operation === null) return [];
  const ofNode = (id: unknown) => {
    const read = typeof id === 'string' ? readNodeId(id) : null;
    const number = Number(read?.parts[0]);
    const repository = world.pulls.get(number)?.repository ?? world.repositories.get(number);
    if (read !== null && repository !== undefined) found.add(fullName(repository).toLowerCase());
  };
  for (const field of operation.fields.values()) {
    if (field.name === 'repository') {
      found.add(`${argument(field, 'owner', variables)}/${argument(field, 'name', variables)}`.toLowerCase());
    } else if (field.name === 'node') {
      ofNode(argument(field, 'id', variables));
    } else if (field.name === 'nodes') {
      const ids = argument(field, 'ids', variables);
      if (Array.isArray(ids)) for (const id of ids) ofNode(id);
    }
  }
  return [...found];
}
