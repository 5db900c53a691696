import { describe, expect, it } from 'vitest';
import { historyOf } from '#domain/history.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import { timelineOf } from '#domain/timeline.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  asksNoMore,
  checked,
  closed,
  comments,
  dismisses,
  draft,
  forcePushed,
  hour,
  merged,
  OPENED_AT,
  pushed,
  ready,
  reopened,
  replies,
  requestsChanges,
  says,
} from '../support/builders.ts';

/** "hour type who", one per event. */
function lines(pullRequest: PullRequestRecord, now = 100): string[] {
  return timelineOf(historyOf(pullRequest, hour(now))).map(
    ({ at, type, actor }) => `${(at - OPENED_AT) / 3_600_000} ${type} ${actor?.login ?? '-'}`,
  );
}

describe('the timeline', () => {
  it('holds everything that happened, by whomever, in time order', () => {
    const pullRequest = aPullRequest(
      {},
      says(2, 'agent-reviewer'),
      pushed(1),
      requestsChanges(3, 'rita'),
      replies(4, 'ada'),
      draft(5),
      ready(6),
      forcePushed(7),
      asks(8, 'rita'),
      asksNoMore(9, '@org/core'),
      closed(10),
      reopened(11),
      checked(12),
      approves(13, null),
      merged(14, 'rita'),
      comments(20, 'bot-thanks'),
    );

    expect(lines(pullRequest)).toEqual([
      '0 opened ada',
      '1 commit ada',
      '2 comment agent-reviewer',
      '3 review rita',
      '4 review ada',
      '5 convert_to_draft ada',
      '6 ready_for_review ada',
      '7 force_push ada',
      '8 review_requested ada',
      '9 review_request_removed ada',
      '10 closed ada',
      '11 reopened ada',
      '12 status_check -',
      '13 review -',
      '14 merged rita',
      '20 review bot-thanks',
    ]);
  });

  it('puts what happened in one second in a fixed order', () => {
    const pullRequest = aPullRequest(
      {},
      checked(0),
      forcePushed(0),
      draft(0),
      ready(0),
      asksNoMore(0, 'rita'),
      asks(0, 'rita'),
      approves(0, 'rita', { id: 'early' }),
      dismisses(0, 'early'),
      says(0, 'ada'),
      pushed(0),
      reopened(0),
      merged(0),
    );

    expect(lines(pullRequest).map((line) => line.split(' ')[1])).toEqual([
      'opened',
      'commit',
      'comment',
      'review',
      'review_requested',
      'review_request_removed',
      'review_dismissed',
      'ready_for_review',
      'convert_to_draft',
      'force_push',
      'reopened',
      'merged',
      'status_check',
    ]);
  });

  it('leaves out the closing in the second of a merge, and no other', () => {
    const pullRequest = aPullRequest({}, closed(1), reopened(2), merged(3));

    expect(lines(pullRequest)).toEqual(['0 opened ada', '1 closed ada', '2 reopened ada', '3 merged ada']);
  });

  it('leaves it out, too, where the host tells the merge by its date alone, even one later than now', () => {
    const told = (at: number) => {
      const { events, ...record } = aPullRequest({}, merged(at));
      return lines({ ...record, events: events.filter(({ type }) => type === 'closed') });
    };

    expect(told(3)).toEqual(['0 opened ada']);
    expect(told(500)).toEqual(['0 opened ada']);
  });

  it('shows commits dated before the opening at the opening, in the order of the branch', () => {
    const pullRequest = aPullRequest(
      {},
      pushed(-1, 'ada', { headline: 'first' }),
      pushed(-30, 'rita', { headline: 'second' }),
    );

    expect(lines(pullRequest)).toEqual(['0 opened ada', '0 commit ada', '0 commit rita']);
  });

  it('shows a commit from the future now', () => {
    expect(lines(aPullRequest({}, pushed(500)), 10)).toEqual(['0 opened ada', '10 commit ada']);
  });

  it('gives a commit to the account of its git author, and a bot’s to no person', () => {
    const pullRequest = aPullRequest(
      {},
      pushed(1, null),
      pushed(2, 'rita', { authorIsBot: true }),
      pushed(3, 'bot-updates', { authorIsBot: true }),
    );

    expect(lines(pullRequest).slice(1)).toEqual(['1 commit -', '2 commit -', '3 commit bot-updates']);
  });

  it('has no checks that still run and no inline comments', () => {
    const pullRequest = aPullRequest(
      {
        checks: [
          { id: '1', name: 'build', outcome: null, completedAt: null, startedAt: null },
          { id: '2', name: 'lint', outcome: 'success', completedAt: null, startedAt: null },
          { id: '3', name: 'test', outcome: null, completedAt: hour(2), startedAt: null },
        ],
      },
      comments(1, 'rita', { threads: 3 }),
    );

    expect(lines(pullRequest)).toEqual(['0 opened ada', '1 review rita']);
  });

  it('tells a review’s state now, a check’s status and a commit’s sha', () => {
    const pullRequest = aPullRequest(
      {},
      pushed(1),
      approves(2, 'rita', { id: 'gone' }),
      dismisses(3, 'gone'),
      checked(4, 'failure'),
    );

    const metadata = timelineOf(historyOf(pullRequest, hour(100))).map((event) => event.metadata);

    expect(metadata).toEqual([
      { review_state: null, check_status: null, sha: null, replies: null },
      { review_state: null, check_status: null, sha: '1000'.padStart(40, '0'), replies: null },
      { review_state: 'dismissed', check_status: null, sha: null, replies: null },
      { review_state: null, check_status: null, sha: null, replies: null },
      { review_state: null, check_status: 'failure', sha: null, replies: null },
    ]);
  });

  it('counts the answers of a review that is nothing but answers in threads', () => {
    const pullRequest = aPullRequest({}, comments(1, 'rita', { threads: 3 }), replies(2, 'ada', 2));

    const counted = timelineOf(historyOf(pullRequest, hour(100))).map(({ metadata }) => metadata.replies);

    expect(counted).toEqual([null, null, 2]);
  });

  it('says in words what happened', () => {
    const pullRequest = aPullRequest(
      { draft: true },
      pushed(1, 'ada', { headline: 'Mind the gap' }),
      comments(2, 'rita', { body: false, threads: 1 }),
      replies(3, 'ada', 2),
      requestsChanges(4, 'rita', { threads: 4 }),
      approves(5, 'sam'),
      asks(6, '@org/core'),
      asks(7, 'deleted since'),
      replies(8, 'ada'),
      comments(9, 'tess', { body: false }),
    );
    const events = pullRequest.events.map((event) => ({ ...event, reviewer: null }));

    const words = timelineOf(historyOf({ ...pullRequest, events }, hour(100))).map(({ description }) => description);

    expect(words).toEqual([
      'opened this pull request as a draft',
      'pushed “Mind the gap”',
      'left 1 comment',
      'replied 2 times',
      'asked for changes, 5 comments',
      'approved',
      'asked @org/core for a review',
      'asked a deleted account for a review',
      'replied',
      'reviewed',
    ]);
  });

  it('belongs to a deleted author like any other', () => {
    expect(lines(aPullRequest({ author: null }, says(1, null)))).toEqual(['0 opened -', '1 comment -']);
  });

  it('names people as they are given', () => {
    const [opened] = timelineOf(historyOf(aPullRequest(), hour(1)));

    expect(opened?.actor).toEqual(aPerson('ada'));
  });
});
