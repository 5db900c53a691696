import { FAULTY_NAMES } from '../faults.ts';
import type { RepositoryHistory, World } from '../history.ts';
import { DAY, HOUR, person, pull, repository } from './builder.ts';

/** Repositories whose behaviour is in their name (`faults.ts`, and the host's own answers for the last four). */
export const FAULTY_REPOSITORIES: readonly string[] = [
  ...Object.keys(FAULTY_NAMES),
  'saml',
  'blocked',
  'against-terms',
  'renamed-away',
];

function faultyRepository(name: string, id: number, now: number): RepositoryHistory {
  const pulls = Array.from({ length: 30 }, (_, index) =>
    pull(
      id * 1000 + index,
      index + 1,
      `Change ${index + 1} where something goes wrong`,
      'mona',
      now - (30 - index) * DAY,
      [
        {
          at: now - (30 - index) * DAY + 5 * HOUR,
          by: 'octo',
          kind: 'review',
          id: id * 1000 + index,
          state: 'APPROVED',
          bodyLength: 10,
          commit: null,
          comments: [],
        },
      ],
    ),
  );
  return repository(id, `faulty/${name}`, now - 60 * DAY, pulls, { readers: ['octo', 'mona'], admins: ['octo'] });
}

/** Every odd case that the metric definitions name, and every way in which the host fails. */
export function awkwardWorld(now: number): World {
  return {
    name: 'awkward',
    accounts: [person('octo'), person('mona'), person('faulty', { type: 'Organization' })],
    teams: [],
    repositories: FAULTY_REPOSITORIES.map((name, index) => faultyRepository(name, 900 + index, now)),
    signIn: ['octo', 'mona'],
  };
}
