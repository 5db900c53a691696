import { expect, it } from 'vitest';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { peopleOf } from './starters.ts';

const detail = (more: object) =>
  ({
    ...{ requested_reviewers: [{ reviewer: '@octo-org/crew' }], assignees: ['Copilot', 'mona'] },
    timeline: [
      { actor: 'Copilot', actor_avatar: null, actor_kind: 'agent', type: 'opened' },
      { actor: 'octo', actor_avatar: 'octo.png', actor_kind: 'human', type: 'merged' },
    ],
    ...more,
  }) as unknown as PullRequestDetail;
const offered = (more: object) => peopleOf(detail(more)).map(({ login, why }) => [login, why]);

it('people alone are offered as who started an agent, those assigned first', () => {
  const people = [
    ['mona', 'assigned'],
    ['octo', 'merged it'],
  ];
  expect(offered({ assignee_kinds: ['agent', 'human'] })).toEqual(people);
  // As the version before answers.
  expect(offered({})).toEqual([['Copilot', 'assigned'], ...people]);
});
