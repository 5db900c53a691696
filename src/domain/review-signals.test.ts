import { describe, expect, test } from 'vitest';
import {
  AUTHOR,
  aPerson,
  aPullRequest,
  approves,
  asks,
  comments,
  dismisses,
  draft,
  forcePushed,
  type Happening,
  merged,
  pushed,
  ready,
  replies,
  requestsChanges,
  says,
} from '../../test/support/builders.ts';
import { historyOf } from './history.ts';
import { phasesOf } from './phases.ts';
import type { PullRequestRecord } from './pull-request.ts';
import { type MergeFacts, signalFactsOf } from './review-signals.ts';
import { defaultHealthSettings } from './signals.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
function factsOf(record: PullRequestRecord, credited: string | null = null) {
  const history = historyOf(record, NOW);
  const person = credited === null ? null : aPerson(credited);
  return signalFactsOf(history, phasesOf(history), person, defaultHealthSettings.generated);
}

/** What is known of one that is merged 100 hours after its opening. */
function atMerge(...happenings: Happening[]): MergeFacts {
  return factsOf(aPullRequest({}, ...happenings, merged(100, 'bo'))).atMerge!;
}

test('what was not merged has no facts of its merge', () => {
  expect(factsOf(aPullRequest({}, approves(1, 'bo'))).atMerge).toBeNull();
});

describe('opinions that stand at the merge', () => {
  test.each<[string, Happening[], number, number]>([
    ['none', [], 0, 0],
    ['an approval', [approves(1, 'bo')], 1, 0],
    ['at the very merge', [approves(100, 'bo')], 1, 0],
    ['a second after it', [approves(100 + 1 / 3600, 'bo')], 0, 0],
    ['two people’s', [approves(1, 'bo'), approves(2, 'cy'), approves(3, 'bo')], 2, 0],
    ['a comment afterwards changes none', [approves(1, 'bo'), comments(2, 'bo')], 1, 0],
    ['think better of it', [approves(1, 'bo'), requestsChanges(2, 'bo')], 0, 1],
    ['and better again', [requestsChanges(1, 'bo'), approves(2, 'bo')], 1, 0],
    ['another’s request stays', [requestsChanges(1, 'bo'), approves(2, 'cy')], 1, 1],
    ['a bot’s', [approves(1, 'bot-ci')], 0, 0],
    ['an agent’s', [approves(1, 'agent-copilot')], 0, 0],
    ['the author’s own', [approves(1, AUTHOR)], 0, 0],
    ['a deleted account’s', [approves(1, null)], 0, 0],
    ['dismissed', [approves(1, 'bo', { id: 'r' }), dismisses(2, 'r')], 0, 0],
    ['dismissed after the merge', [approves(1, 'bo', { id: 'r' }), dismisses(101, 'r')], 1, 0],
    ['a request dismissed', [requestsChanges(1, 'bo', { id: 'r' }), dismisses(2, 'r')], 0, 0],
    ['given during a draft', [draft(1), approves(2, 'bo'), ready(3)], 1, 0],
    ['pushed to', [approves(1, 'bo'), pushed(2)], 1, 0],
  ])('%s', (_, happenings, approvals, requests) => {
    const { standing_approvals, standing_requests } = atMerge(...happenings);
    expect([standing_approvals, standing_requests]).toEqual([approvals, requests]);
  });
});

describe('comments by people other than the author, at or before the merge', () => {
  test.each<[string, Happening[], boolean, boolean]>([
    ['none', [], false, false],
    ['in general', [says(1, 'bo')], true, false],
    ['by the author', [says(1, AUTHOR)], false, false],
    ['by a bot', [says(1, 'bot-ci')], false, false],
    ['by an agent', [comments(1, 'agent-copilot', { threads: 2 })], false, false],
    ['by a deleted account', [says(1, null)], false, false],
    ['at the very merge', [says(100, 'bo')], true, false],
    ['a second after it', [says(100 + 1 / 3600, 'bo'), comments(101, 'bo', { threads: 1 })], false, false],
    ['at lines', [comments(1, 'bo', { threads: 2 }), approves(2, 'cy', { threads: 1 })], true, true],
    ['in threads of others', [replies(1, 'bo', 2)], true, true],
    ['threads of the author', [comments(1, AUTHOR, { threads: 2 })], false, false],
  ])('%s', (_, happenings, said, inline) => {
    const { commented_by_others, inline_by_others } = atMerge(...happenings);
    expect([commented_by_others, inline_by_others]).toEqual([said, inline]);
  });
});

test.each<[string, string | null, string | null, boolean | null]>([
  ['the author', AUTHOR, null, true],
  ['whoever started the agent that wrote it', 'bo', 'bo', true],
  ['somebody else', 'bo', null, false],
  ['nobody known', null, null, null],
  ['a bot', 'bot-merge', null, null],
  ['an agent', 'agent-copilot', null, null],
])('who merged it: %s', (_, by, credited, isSelf) => {
  const mergedBy = by === null ? null : aPerson(by);
  const record = aPullRequest({ mergedBy }, merged(1));
  expect(factsOf({ ...record, mergedBy }, credited).atMerge!.self_merged).toBe(isSelf);
});

describe('the most words that were said', () => {
  test.each<[string, Happening[], number | null]>([
    ['nothing', [], 0],
    ['an approval without a word', [approves(1, 'bo')], 0],
    ['two in a review', [approves(1, 'bo', { words: 2 })], 2],
    ['more in another', [approves(1, 'bo', { words: 2 }), comments(2, 'cy', { words: 7 })], 7],
    ['in general', [approves(1, 'bo', { words: 1 }), says(2, 'bo', 5)], 5],
    ['by the author', [approves(1, 'bo', { words: 1 }), says(2, AUTHOR, 5)], 1],
    ['by a bot', [approves(1, 'bo', { words: 1 }), says(2, 'bot-ci', 5), comments(3, 'bot-ci', { words: 9 })], 1],
    ['not counted in a review', [approves(1, 'bo', { body: true, words: null })], null],
    ['not counted in general', [approves(1, 'bo'), says(2, 'bo', null)], null],
    ['not counted where there is no text', [approves(1, 'bo', { body: false, words: null })], 0],
    ['after the merge', [approves(1, 'bo'), says(101, 'bo', 9)], 0],
  ])('%s', (_, happenings, words) => expect(atMerge(...happenings).review_words).toBe(words));
});

describe('from when the first approval was asked for until it was given, in minutes', () => {
  test.each<[string, Happening[], number | null]>([
    ['none', [comments(1, 'bo')], null],
    ['from the opening', [approves(0.1, 'bo')], 6],
    ['from a push', [pushed(1), approves(1.5, 'bo')], 30],
    ['from a force push', [forcePushed(1), approves(1.5, 'bo')], 30],
    ['from a request of them', [asks(1, 'bo'), approves(1.1, 'bo')], 6],
    ['from a request of a team', [asks(1, '@acme/core'), approves(1.1, 'bo')], 6],
    ['a request of another does not ask', [asks(1, 'cy'), approves(2, 'bo')], 120],
    ['from when it was ready', [draft(1), ready(2), approves(2.25, 'bo')], 15],
    ['not one of a draft', [draft(1), approves(1.5, 'bo'), ready(2), approves(3, 'cy')], 60],
    ['of a draft alone', [draft(1), approves(1.5, 'bo'), ready(2)], null],
    ['the first of two', [approves(1, 'bo'), approves(2, 'cy')], 60],
    ['one that was dismissed', [approves(1, 'bo', { id: 'r' }), dismisses(2, 'r'), approves(3, 'cy')], 60],
    ['none of a bot', [approves(1, 'bot-ci'), approves(2, 'cy')], 120],
    ['one that follows up', [comments(1, 'bo'), approves(2, 'bo')], 120],
  ])('%s', (_, happenings, minutes) => {
    const lag = atMerge(...happenings).approval_lag_minutes;
    if (minutes === null) expect(lag).toBeNull();
    else expect(lag).toBeCloseTo(minutes, 6);
  });
});

describe('commits and force pushes after the last approval that stands', () => {
  const headline = (text: string) => ({ headline: text });
  test.each<[string, Happening[], number | null, boolean | null]>([
    ['no approval', [pushed(1)], null, null],
    ['none after it', [pushed(1), approves(2, 'bo')], 0, false],
    ['at the same second', [pushed(2), approves(2, 'bo')], 0, false],
    ['a second later', [approves(2, 'bo'), pushed(2 + 1 / 3600)], 1, false],
    ['two', [approves(2, 'bo'), pushed(3), pushed(4)], 2, false],
    ['after the last of two approvals', [approves(2, 'bo'), pushed(3), approves(4, 'cy')], 0, false],
    [
      'reviewed by an approval that stands no longer',
      [approves(2, 'bo'), approves(4, 'cy', { id: 'r' }), dismisses(5, 'r'), pushed(3)],
      0,
      false,
    ],
    ['reviewed again', [approves(2, 'bo'), pushed(3), comments(4, 'cy')], 0, false],
    ['reviewed before the last', [approves(2, 'bo'), pushed(3), comments(4, 'cy'), pushed(5)], 2, false],
    ['reviewed by a bot', [approves(2, 'bo'), pushed(3), comments(4, 'bot-ci')], 1, false],
    ['only answered in threads', [approves(2, 'bo'), pushed(3), replies(4, 'cy')], 1, false],
    [
      'a merge of the base',
      [approves(2, 'bo'), pushed(3, AUTHOR, headline("Merge branch 'main' into topic"))],
      0,
      false,
    ],
    [
      'of a remote',
      [approves(2, 'bo'), pushed(3, AUTHOR, headline("Merge remote-tracking branch 'origin/main'"))],
      0,
      false,
    ],
    ['by the host', [approves(2, 'bo'), pushed(3, AUTHOR, headline('Merge main into topic'))], 0, false],
    ['of another branch', [approves(2, 'bo'), pushed(3, AUTHOR, headline("Merge branch 'mainline'"))], 1, false],
    [
      'of another remote branch',
      [approves(2, 'bo'), pushed(3, AUTHOR, headline("Merge remote-tracking branch 'origin/x/main'"))],
      1,
      false,
    ],
    ['not a merge', [approves(2, 'bo'), pushed(3, AUTHOR, headline('Merge main and side'))], 1, false],
    [
      'a merge of the base after a commit',
      [approves(2, 'bo'), pushed(3), pushed(4, AUTHOR, headline("Merge branch 'main'"))],
      1,
      false,
    ],
    ['by force', [approves(2, 'bo'), forcePushed(3)], 0, true],
    ['by force, with commits', [approves(2, 'bo'), pushed(3), forcePushed(4)], 1, true],
    ['pushed, and reviewed in that very second', [approves(2, 'bo'), pushed(3), comments(3, 'cy')], 0, false],
    ['by force, and reviewed in that very second', [approves(2, 'bo'), forcePushed(3), comments(3, 'cy')], 0, false],
    ['by force, reviewed again', [approves(2, 'bo'), forcePushed(3), comments(4, 'cy')], 0, false],
    [
      'by force, reviewed, and pushed again',
      [approves(2, 'bo'), forcePushed(3), comments(4, 'cy'), pushed(5)],
      1,
      true,
    ],
    ['by force before it', [forcePushed(1), approves(2, 'bo')], 0, false],
    ['by force after the merge', [approves(2, 'bo'), forcePushed(101)], 0, false],
    [
      'by force, reviewed, and by force after the merge',
      [approves(2, 'bo'), forcePushed(3), comments(4, 'cy'), forcePushed(101)],
      0,
      false,
    ],
    ['committed by a clock that is ahead', [approves(2, 'bo'), pushed(500)], 1, false],
  ])('%s', (_, happenings, commits, force) => {
    const { commits_after_approval, forced_after_approval } = atMerge(...happenings);
    expect([commits_after_approval, forced_after_approval]).toEqual([commits, force]);
  });
});

describe('the most turns of the author within 24 hours', () => {
  const back = (...at: number[]) => at.flatMap((hour) => [comments(hour - 0.5, 'bo'), pushed(hour)]);
  test.each<[string, Happening[], number]>([
    ['none', [pushed(1), approves(2, 'bo')], 0],
    ['three in a day', back(1, 9, 20), 3],
    ['three in exactly a day', back(1, 9, 25), 3],
    ['three in a second more', back(1, 9, 25 + 1 / 3600), 2],
    ['three of four', back(1, 30, 40, 50), 3],
    ['by comments of the author', [comments(1, 'bo'), says(2, AUTHOR), comments(3, 'bo'), says(4, AUTHOR)], 2],
    ['by reviews of the author', [requestsChanges(1, 'bo'), comments(2, AUTHOR)], 1],
    ['by asking again', [requestsChanges(1, 'bo'), asks(2, 'bo')], 1],
    ['another asks', [requestsChanges(1, 'bo'), asks(2, 'bo', 'cy')], 0],
    ['another says something', [requestsChanges(1, 'bo'), says(2, 'cy')], 0],
    ['by being ready', [draft(1), ready(2), draft(3), ready(4)], 0],
    ['pushes without a review between', [comments(1, 'bo'), pushed(2), pushed(3)], 1],
    ['of a dismissal', [requestsChanges(1, 'bo', { id: 'r' }), dismisses(2, 'r')], 0],
  ])('%s', (_, happenings, turns) => expect(atMerge(...happenings).turns_in_a_day).toBe(turns));
});

describe('lines that count', () => {
  const file = (path: string, lines = 5) => ({ path, additions: lines - 1, deletions: 1 });
  test.each<[string, Partial<PullRequestRecord>, number, boolean]>([
    ['all of them', {}, 10, true],
    ['less those of a lock file', { files: [file('a.ts'), file('package-lock.json')], changedFiles: 2 }, 5, true],
    ['all where files are not all listed', { files: [file('package-lock.json')], changedFiles: 2 }, 10, false],
    ['all where none is', { files: [], changedFiles: 1 }, 10, false],
    ['all where the host counts none, as in the largest ones', { files: [], changedFiles: 0 }, 10, false],
    ['none', { files: [file('vendor/x/a.js'), file('x/generated/b.ts')], changedFiles: 2 }, 0, true],
    ['none where files come to more than the whole', { files: [file('go.sum', 99)], changedFiles: 1 }, 0, true],
    [
      'those of a folder of another name',
      { files: [file('src/vendor/a.js'), file('generated.ts')], changedFiles: 2 },
      10,
      true,
    ],
  ])('%s', (_, more, lines, known) => {
    const { lines_counted, files_known } = factsOf({ ...aPullRequest(), ...more });
    expect([lines_counted, files_known]).toEqual([lines, known]);
  });
});
