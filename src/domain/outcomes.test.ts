import { describe, expect, test } from 'vitest';
import {
  AUTHOR,
  aPerson,
  aPullRequest,
  approves,
  closed,
  comments,
  type Happening,
  hour,
  merged,
  pushed,
  replies,
  requestsChanges,
  says,
} from '../../test/support/builders.ts';
import type { Authorship } from './authorship.ts';
import { historyOf } from './history.ts';
import { outcomeOf } from './outcomes.ts';
import type { PullRequestRecord } from './pull-request.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const SECOND = 1 / 3600;
const agent = aPerson('agent-copilot');

function of(record: PullRequestRecord, authorship: Authorship, credited: string | null) {
  return outcomeOf(historyOf(record, NOW), {
    authorship,
    creditedTo: credited === null ? null : aPerson(credited),
  });
}

/** An agent's pull request that bo started, merged after 100 hours. */
const ofAgent = (happenings: readonly Happening[], credited: string | null = 'bo') =>
  of(aPullRequest({ author: agent }, ...happenings, merged(100, 'bo')), 'agent', credited);

describe('an agent’s pull request is merged on one’s own word where nobody but who started it looked', () => {
  test.each<[string, Happening[], number, boolean]>([
    ['nobody looked', [], 0, true],
    ['who started it approved', [approves(1, 'bo')], 0, true],
    [
      'who started it asked for changes and commented',
      [requestsChanges(1, 'bo', { threads: 2 }), says(2, 'bo')],
      0,
      true,
    ],
    ['another approved', [approves(1, 'cy')], 1, false],
    ['two others reviewed, one twice', [comments(1, 'cy'), approves(2, 'cy'), approves(3, 'di')], 3, false],
    ['both approved', [approves(1, 'bo'), approves(2, 'cy')], 1, false],
    ['another approved at the very merge', [approves(100, 'cy')], 1, false],
    ['another approved a second later', [approves(100 + SECOND, 'cy')], 0, true],
    ['another commented', [says(1, 'cy')], 0, false],
    ['another commented at the very merge', [says(100, 'cy')], 0, false],
    ['another commented a second later', [says(100 + SECOND, 'cy')], 0, true],
    ['another answered at a line', [replies(1, 'cy')], 0, false],
    ['a bot and agents looked', [approves(1, 'bot-ci'), approves(2, 'agent-devin'), says(3, 'bot-ci')], 0, true],
    ['the agent itself commented', [says(1, 'agent-copilot')], 0, true],
    ['a deleted account looked', [approves(1, null), says(2, null)], 0, true],
  ])('%s', (_, happenings, independent_reviews, merged_on_own_word) => {
    expect(ofAgent(happenings)).toMatchObject({ independent_reviews, merged_on_own_word });
  });

  test('where nobody is known to have started it, everybody is independent', () => {
    expect(ofAgent([approves(1, 'bo')], null)).toMatchObject({ independent_reviews: 1, merged_on_own_word: false });
    expect(ofAgent([], null).merged_on_own_word).toBe(true);
  });

  test('it is not told of others', () => {
    for (const kind of ['human', 'assisted', 'bot', 'ghost'] as const)
      expect(of(aPullRequest({}, merged(1)), kind, AUTHOR).merged_on_own_word).toBeNull();
    expect(of(aPullRequest({ author: agent }), 'agent', 'bo').merged_on_own_word).toBeNull();
    expect(of(aPullRequest({ author: agent }, closed(1)), 'agent', 'bo').merged_on_own_word).toBeNull();
  });
});

test.each<[string, Happening[], number | null]>([
  ['none', [], null],
  ['a person’s', [pushed(1)], 0],
  ['an agent’s account', [pushed(1, 'agent-copilot')], 1],
  ['a trace in the message', [pushed(1, AUTHOR, { byAgent: true }), pushed(2), pushed(3), pushed(4)], 0.25],
  [
    'a co-author that is an agent',
    [pushed(1), pushed(2, AUTHOR, { marks: [{ rule: 3, tool: 'claude', text: 'Co-authored-by: Claude' }] })],
    0.5,
  ],
  ['a bot’s', [pushed(1, 'bot-ci')], 0],
  ['an account that only reviews', [pushed(1, 'agent-x', { author: reviewing() })], 0],
  ['nobody known', [pushed(1, null)], 0],
])('commits by agents: %s', (_, happenings, share) => {
  expect(of(aPullRequest({}, ...happenings), 'human', AUTHOR).commits_by_agent).toBe(share);
});

/** CodeRabbit: of the kind `ai-reviewer` in the list of known automation. */
function reviewing() {
  return aPerson('coderabbitai[bot]', { id: '136622811', kind: 'agent' });
}

describe('threads at lines that other people opened until the end', () => {
  test.each<[string, Happening[], number]>([
    ['none', [], 0],
    ['by people', [comments(1, 'bo', { threads: 2 }), approves(2, 'cy', { threads: 1 })], 3],
    ['in threads of others', [replies(1, 'bo', 2)], 0],
    ['by the author', [comments(1, AUTHOR, { threads: 2 })], 0],
    ['by bots and agents', [comments(1, 'agent-copilot', { threads: 2 }), comments(2, 'bot-ci', { threads: 1 })], 0],
    ['in general', [says(1, 'bo')], 0],
    ['at the very end', [comments(100, 'bo', { threads: 1 })], 1],
    ['a second later', [comments(100 + SECOND, 'bo', { threads: 1 })], 0],
  ])('%s', (_, happenings, findings) => {
    const found = (end: Happening) => of(aPullRequest({}, ...happenings, end), 'human', AUTHOR).human_findings;
    expect([found(merged(100)), found(closed(100))]).toEqual([findings, findings]);
  });

  test('are not counted while it is open', () => {
    expect(of(aPullRequest({}, comments(1, 'bo', { threads: 2 })), 'human', AUTHOR).human_findings).toBeNull();
  });
});

/** A check that began then; without an outcome it runs. */
const check =
  (at: number, outcome: string | null, name = 'build'): Happening =>
  (pullRequest) => {
    const startedAt = hour(at);
    const completedAt = outcome === null ? null : startedAt;
    pullRequest.checks.push({ id: String(pullRequest.checks.length), name, outcome, startedAt, completedAt });
  };

test.each<[string, Happening[], boolean | null]>([
  ['no checks', [], null],
  ['one passed', [check(1, 'success')], false],
  ['one failed', [check(1, 'success', 'lint'), check(2, 'failure')], true],
  ['one timed out', [check(1, 'timed_out')], true],
  ['one is neutral', [check(1, 'neutral')], false],
  ['one runs', [check(1, 'success', 'lint'), check(2, null)], null],
  ['one failed and another runs', [check(1, 'failure', 'lint'), check(2, null)], true],
  ['cancelled alone', [check(1, 'cancelled')], null],
  ['run again, and passed', [check(2, 'success'), check(1, 'failure')], false],
])('a failing check at the last push: %s', (_, happenings, failing) => {
  const told = (...end: Happening[]) => of(aPullRequest({}, ...happenings, ...end), 'human', AUTHOR);
  expect(told(closed(100)).failing_at_last_push).toBe(failing);
  expect(told().failing_at_last_push).toBeNull();
});

test('of two checks of one name that began at once the same one counts, in whatever order they are read', () => {
  const one = { id: '7', name: 'build', outcome: 'success', startedAt: hour(1), completedAt: hour(2) };
  const other = { ...one, id: '8', outcome: 'failure' };
  for (const checks of [
    [one, other],
    [other, one],
  ]) {
    const pullRequest = aPullRequest({}, (built) => built.checks.push(...checks), closed(100));
    expect(of(pullRequest, 'human', AUTHOR).failing_at_last_push).toBe(true);
  }
});
