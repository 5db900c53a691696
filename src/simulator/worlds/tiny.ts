import type { World } from '../history.ts';
import { commit, DAY, HOUR, MINUTE, person, pull, repository, size } from './builder.ts';

/**
 * Two repositories and a handful of pull requests, small enough to know by heart: `octo-org/hello` (public) and `octo-org/secret`
 * (private, `octo` and `mona` may read it). `octo` administers both. Times are counted back from `now`.
 */
export function tinyWorld(now: number): World {
  const ago = (days: number, hours = 0) => now - days * DAY - hours * HOUR;
  const hello = repository(
    101,
    'octo-org/hello',
    ago(90),
    [
      pull(1001, 1, 'Say hello to everyone', 'mona', ago(10), [
        { at: ago(10, -1), by: 'mona', kind: 'review_requested', reviewer: { account: 'octo' } },
        {
          at: ago(9, 20),
          by: 'octo',
          kind: 'review',
          id: 5001,
          state: 'CHANGES_REQUESTED',
          bodyLength: 40,
          commit: commit('1001/1', 'mona', 0).sha,
          comments: [{ id: 6001, at: ago(9, 20), author: 'octo', path: 'src/hello.ts', inReplyTo: null }],
        },
        {
          at: ago(9, 18),
          by: 'mona',
          kind: 'review',
          id: 5002,
          state: 'COMMENTED',
          bodyLength: 0,
          commit: commit('1001/1', 'mona', 0).sha,
          comments: [{ id: 6002, at: ago(9, 18), author: 'mona', path: 'src/hello.ts', inReplyTo: 6001 }],
        },
        {
          at: ago(9, 12),
          by: 'mona',
          kind: 'commits',
          commits: [commit('1001/2', 'mona', ago(9, 12))],
          size: size(18, 3),
        },
        { at: ago(9), by: 'octo', kind: 'thread_resolved', comment: 6001 },
        {
          at: ago(9),
          by: 'octo',
          kind: 'review',
          id: 5003,
          state: 'APPROVED',
          bodyLength: 5,
          commit: null,
          comments: [],
        },
        {
          at: ago(9) - MINUTE,
          by: null,
          kind: 'check',
          id: 7001,
          name: 'build',
          app: 'GitHub Actions',
          startedAt: ago(9) - 6 * MINUTE,
          outcome: 'SUCCESS',
        },
        { at: ago(8), by: 'mona', kind: 'merged', commit: commit('1001/merge', 'mona', 0).sha },
      ]),
      pull(1002, 2, 'Greet in the morning', 'octo', ago(6), [
        { at: ago(5), by: 'hubot', kind: 'comment', id: 4001 },
        { at: ago(4), by: 'octo', kind: 'closed' },
      ]),
      pull(
        1003,
        3,
        'Remember names',
        'hubot',
        ago(4),
        [
          { at: ago(3), by: 'hubot', kind: 'ready_for_review' },
          { at: ago(3), by: 'hubot', kind: 'review_requested', reviewer: { account: 'mona' } },
          { at: ago(3), by: 'hubot', kind: 'review_requested', reviewer: { team: 'greeters' } },
        ],
        { openedAsDraft: true },
      ),
      pull(1004, 4, 'Bump left-pad', 'dependabot[bot]', ago(2), [
        { at: ago(2, -1), by: 'octo', kind: 'labeled', label: 'dependencies' },
        {
          at: ago(2, -1),
          by: null,
          kind: 'check',
          id: 7002,
          name: 'build',
          app: 'GitHub Actions',
          startedAt: ago(2, -1),
          outcome: 'FAILURE',
        },
        { at: ago(1), by: 'octo', kind: 'status', id: 7003, context: 'ci/lint', state: 'SUCCESS' },
      ]),
    ],
    { readers: ['octo', 'mona'], admins: ['octo'] },
  );
  const secret = repository(102, 'octo-org/secret', ago(60), [pull(1005, 1, 'Keep it', 'mona', ago(1))], {
    private: true,
    readers: ['octo', 'mona'],
    admins: ['octo'],
  });
  return {
    name: 'tiny',
    accounts: [
      person('octo', { name: 'Octo Cat', email: 'octo@mail.example' }),
      person('mona', { name: 'Mona Lisa' }),
      person('hubot'),
      person('dependabot[bot]', { type: 'Bot', id: 49699333 }),
      person('octo-org', { type: 'Organization' }),
    ],
    teams: [{ id: 201, organization: 'octo-org', slug: 'greeters', name: 'Greeters' }],
    repositories: [hello, secret],
    signIn: ['octo', 'mona', 'hubot'],
  };
}
