import { FAULTY_NAMES } from '../faulty-names.ts';
import type { RepositoryHistory, World } from '../history.ts';
import { awkwardCases } from './awkward-cases.ts';
import { DAY, HOUR, person, pull, repository } from './builder.ts';

const CROWD = 120;

/** Plain pull requests, a day apart, each approved by `octo` and merged. */
function plain(count: number, first: number, title: string, now: number) {
  return Array.from({ length: count }, (_, index) => {
    const opened = now - (count - index) * DAY;
    return pull(first + index, index + 1, `${title} ${index + 1}`, 'mona', opened, [
      {
        at: opened + 5 * HOUR,
        by: 'octo',
        kind: 'review',
        id: first + index,
        state: 'APPROVED',
        bodyLength: 10,
        commit: null,
        comments: [],
      },
      { at: opened + 6 * HOUR, by: 'octo', kind: 'merged', commit: null },
    ]);
  });
}

/**
 * Every odd case that the rules of the figures know (docs/metrics.md; `odd/cases`, one pull request each), repositories that are odd as
 * a whole (`odd/empty`, `odd/archived`, `odd/private`, `odd/exactly-100`, `odd/exactly-101`), and every way in which the host fails
 * (`faulty/…`).
 */
export function awkwardWorld(now: number): World {
  const people = { readers: ['octo', 'mona'], admins: ['octo'] };
  const odd = (
    id: number,
    name: string,
    pulls: RepositoryHistory['pullRequests'],
    more: Partial<RepositoryHistory> = {},
  ) => repository(id, `odd/${name}`, now - 1500 * DAY, pulls, { ...people, ...more });
  return {
    name: 'awkward',
    accounts: [
      person('octo', { name: 'Octo Cat', email: 'octo@mail.example' }),
      person('mona', { name: 'Mona Lisa' }),
      person('hubot', { name: null }),
      person('outsider'),
      person('DrahtBot'),
      person('Copilot', { id: 175728472 }),
      person('dependabot[bot]', { type: 'Bot', id: 49699333 }),
      person('mona-import', { type: 'Mannequin' }),
      person('octo-import', { type: 'Mannequin' }),
      person('odd', { type: 'Organization' }),
      person('faulty', { type: 'Organization' }),
      ...Array.from({ length: CROWD }, (_, index) => person(`crowd-${index + 1}`, { id: 70_000 + index })),
    ],
    teams: [{ id: 301, organization: 'odd', slug: 'reviewers', name: 'Reviewers' }],
    repositories: [
      odd(801, 'cases', awkwardCases(now)),
      odd(802, 'empty', []),
      odd(803, 'archived', plain(3, 803_000, 'Before the archive', now), { archived: true }),
      odd(804, 'private', plain(3, 804_000, 'Not for everyone', now), { private: true }),
      odd(805, 'exactly-100', plain(100, 805_000, 'One of a hundred', now)),
      odd(806, 'exactly-101', plain(101, 806_000, 'One of a hundred and one', now)),
      ...FAULTY_NAMES.map((name, index) =>
        repository(
          900 + index,
          `faulty/${name}`,
          now - 60 * DAY,
          plain(30, (900 + index) * 1000, 'Something goes wrong here', now),
          people,
        ),
      ),
    ],
    signIn: ['octo', 'mona', 'outsider'],
  };
}
