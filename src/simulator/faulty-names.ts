import type { FaultRule, Faults } from './faults.ts';
import type { RepositoryState } from './state/pull-request.ts';
import { fullName } from './state/repository.ts';
import type { WorldState } from './state/world-state.ts';

/** Names whose behaviour isn't a rule about requests but the repository's own state. */
const STATES: Readonly<Record<string, (world: WorldState, repository: RepositoryState) => void>> = {
  saml: (_world, repository) => {
    repository.saml = true;
  },
  blocked: (_world, repository) => {
    repository.blocked = 'dmca';
  },
  'against-terms': (_world, repository) => {
    repository.blocked = 'tos';
  },
  'renamed-away': (world, repository) => world.moveRepository(repository, repository.owner, 'renamed-here'),
};

/** Repositories that misbehave by their name, so that every failure can be seen in a browser too. The owner is `faulty`. */
const RULES: Readonly<Record<string, readonly FaultRule[]>> = {
  'slow-pages': [{ match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 1500 } }],
  heavy: [{ match: { kind: 'graphql', pullRequestsOver: 5 }, effect: { name: 'bad_gateway' } }],
  'times-out': [{ match: { kind: 'graphql', pullRequestsOver: 5 }, effect: { name: 'gateway_timeout' } }],
  'always-fails': [{ match: { kind: 'graphql', pullRequestsOver: 0 }, effect: { name: 'bad_gateway' } }],
  flaky: [{ match: { kind: 'graphql', every: 3 }, effect: { name: 'bad_gateway' } }],
  'cut-lines': [{ match: { kind: 'graphql', every: 3 }, effect: { name: 'cut_in_body' } }],
  'half-json': [{ match: { kind: 'graphql', every: 3 }, effect: { name: 'truncated_json' } }],
  truncating: [{ match: { kind: 'graphql', pullRequestsOver: 5 }, effect: { name: 'silent_truncation' } }],
  'resource-limits': [{ match: { kind: 'graphql', pullRequestsOver: 5 }, effect: { name: 'resource_limits' } }],
  'went-wrong': [{ match: { kind: 'graphql', every: 3 }, effect: { name: 'went_wrong' } }],
  'secondary-limit': [{ match: { kind: 'graphql', every: 4 }, effect: { name: 'secondary_limit_403', retryAfter: 2 } }],
  'rate-limited': [
    {
      match: { kind: 'graphql', pullRequestsOver: 1, after: 1, next: 1 },
      effect: { name: 'primary_limit', resetIn: 20 },
    },
  ],
  'signed-out': [{ match: { kind: 'graphql', pullRequestsOver: 1 }, effect: { name: 'bad_credentials' } }],
};

/** Every name that means trouble, below the owner `faulty`. */
export const FAULTY_NAMES: readonly string[] = [...Object.keys(RULES), ...Object.keys(STATES)];

/** Makes the repositories of the owner `faulty` behave as they are called. */
export function misbehaveByName(world: WorldState, faults: Faults): void {
  for (const repository of [...world.repositories.values()]) {
    if (repository.owner.login !== 'faulty') continue;
    const { name } = repository;
    for (const rule of RULES[name] ?? []) {
      faults.add({ ...rule, match: { ...rule.match, repository: fullName(repository) } });
    }
    STATES[name]?.(world, repository);
  }
}
