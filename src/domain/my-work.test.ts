import { describe, expect, it } from 'vitest';
import {
  type ChecksState,
  checksState,
  compareWork,
  type Involvement,
  isCalledBack,
  isTurn,
  type OpenWork,
  type WorkKind,
  workOf,
} from './my-work.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.parse('2026-03-31T12:00:00Z');
const since = now - 3 * DAY;

const turn = (on: OpenWork['waiting_on'], more: Partial<OpenWork> = {}): OpenWork => ({
  waiting_on: on,
  waiting_since: since,
  waiting_reason: { author: 'changes_requested', reviewers: 'updated_after_review', merge: 'approved' }[on] as never,
  draft: false,
  ...more,
});
const draft = turn('author', { draft: true, waiting_reason: 'draft' });
const nobody: Involvement = {
  isCredited: false,
  isAuthor: false,
  reviewedAt: null,
  opinion: null,
  isDismissedApproval: false,
  askedAt: null,
  team: null,
  isAgentsAnswer: false,
};
const part = (more: Partial<Involvement>): Involvement => ({ ...nobody, ...more });
const author = part({ isCredited: true, isAuthor: true });
const engaged = part({ reviewedAt: since - DAY });
const asked = part({ askedAt: since + HOUR });
const ofTeam = part({ team: { handle: '@acme/web', askedAt: since + HOUR } });
const kindOf = (of: OpenWork, by: Involvement) => {
  const item = workOf(of, by, now);
  return item === null ? null : `${item.kind} ${item.reason}`;
};

describe('what an open pull request is to a person', () => {
  // Rows: who they are; columns: whose turn it is.
  it.each([
    [
      'its author',
      author,
      'author changes_requested',
      'yours_waits updated_after_review',
      'merge approved',
      'draft draft',
    ],
    [
      'whoever is asked',
      asked,
      'reviewed_waits changes_requested',
      'review requested',
      'reviewed_waits approved',
      null,
    ],
    [
      'whoever reviewed',
      engaged,
      'reviewed_waits changes_requested',
      'review_again updated',
      'reviewed_waits approved',
      null,
    ],
    ['somebody of a team that is asked', ofTeam, null, 'team_review requested_of_team', null, null],
    ['anybody else', nobody, null, null, null, null],
    [
      'who started the agent that wrote it',
      part({ isCredited: true }),
      'author changes_requested',
      'yours_waits updated_after_review',
      'merge approved',
      'draft draft',
    ],
    [
      'who is asked by their agent',
      part({ isCredited: true, askedAt: since }),
      'author changes_requested',
      'review requested',
      'merge approved',
      'draft draft',
    ],
  ])('%s', (_, who, ofAuthor, ofReviewers, ofMerge, ofDraft) => {
    expect(kindOf(turn('author'), who)).toBe(ofAuthor);
    expect(kindOf(turn('reviewers'), who)).toBe(ofReviewers);
    expect(kindOf(turn('merge'), who)).toBe(ofMerge);
    expect(kindOf(draft, who)).toBe(ofDraft);
  });

  it('waits for a review since the later of the request and the turn', () => {
    const at = (askedAt: number) => workOf(turn('reviewers'), part({ askedAt }), now);
    expect(at(since + HOUR)).toMatchObject({ since: since + HOUR, askedAt: since + HOUR, team: null });
    expect(at(since - HOUR)).toMatchObject({ since, askedAt: since - HOUR });
    const team = workOf(turn('reviewers'), part({ team: { handle: '@acme/web', askedAt: since - HOUR } }), now);
    expect(team).toMatchObject({ since, askedAt: since - HOUR, team: '@acme/web' });
  });

  it('leaves whoever reviewed for the team since it was asked in peace', () => {
    const at = (reviewedAt: number) => kindOf(turn('reviewers'), part({ ...ofTeam, reviewedAt, opinion: 'approved' }));
    expect(at(since + HOUR)).toBe('reviewed_waits approved_by_you');
    expect(at(since + HOUR - 1)).toBe('team_review requested_of_team');
  });

  it('is the first that holds of several', () => {
    const team = ofTeam.team;
    const kind = (more: Partial<Involvement>) => kindOf(turn('reviewers'), part({ ...more, team }))?.split(' ')[0];
    expect(kind({ askedAt: since, reviewedAt: since - DAY })).toBe('review');
    expect(kind({ reviewedAt: since - DAY })).toBe('review_again');
    expect(kind({ reviewedAt: since - DAY, opinion: 'approved' })).toBe('team_review');
    expect(kind({ isCredited: true })).toBe('team_review');
    expect(kindOf(turn('reviewers'), part({ isCredited: true, reviewedAt: since - DAY }))).toMatch(/^review_again/);
    expect(kindOf(turn('reviewers'), part({ isCredited: true, reviewedAt: since - DAY, opinion: 'approved' }))).toMatch(
      /^yours_waits/,
    );
  });

  it('never asks the author through their own team', () => {
    expect(kindOf(turn('reviewers'), part({ ...author, team: ofTeam.team }))).toMatch(/^yours_waits/);
  });
});

describe('a reviewer whom nobody asked again', () => {
  const waits = (days: number, reviewedBefore: number, opinion: Involvement['opinion'] = null) => {
    const waiting_since = now - days * DAY;
    return isCalledBack({ waiting_since }, { reviewedAt: waiting_since - reviewedBefore * DAY, opinion }, now);
  };

  it('is called back by what was done within 30 days of their review, for 90 days', () => {
    expect(waits(90, 30)).toBe(true);
    expect(waits(90, 30.001)).toBe(false);
    expect(waits(90.001, 30)).toBe(false);
  });

  it('is called back for a year where they asked for changes, however old that is', () => {
    expect(waits(365, 500, 'changes_requested')).toBe(true);
    expect(waits(365.001, 500, 'changes_requested')).toBe(false);
  });

  it('is never called back while their approval stands', () => {
    expect(waits(1, 1, 'approved')).toBe(false);
    expect(kindOf(turn('reviewers'), part({ reviewedAt: since - DAY, opinion: 'approved' }))).toBe(
      'reviewed_waits approved_by_you',
    );
  });

  it('is not called back by anything without a review', () => {
    expect(isCalledBack({ waiting_since: now - DAY }, { reviewedAt: null, opinion: null }, now)).toBe(false);
  });

  it('reads why', () => {
    const dismissed = turn('reviewers', { waiting_reason: 'review_dismissed' });
    expect(kindOf(turn('reviewers'), part({ ...engaged, opinion: 'changes_requested' }))).toBe('review_again answered');
    expect(kindOf(dismissed, part({ ...engaged, isDismissedApproval: true }))).toBe('review_again dismissed');
    expect(kindOf(dismissed, engaged)).toBe('review_again updated');
    expect(kindOf(turn('reviewers', { waiting_since: now - 91 * DAY }), part({ reviewedAt: now - 92 * DAY }))).toBe(
      'reviewed_waits faded',
    );
  });
});

it('an agent has a day to answer the review of who started it', () => {
  const mine = part({ isCredited: true, isAgentsAnswer: true, reviewedAt: now - DAY });
  const at = (waiting_since: number) => kindOf(turn('author', { waiting_since }), mine);
  expect(at(now - DAY + 1)).toBe('yours_waits agent');
  expect(at(now - DAY)).toBe('author changes_requested');
});

it.each<[WorkKind, boolean]>([
  ['author', true],
  ['merge', true],
  ['review', true],
  ['review_again', true],
  ['team_review', true],
  ['yours_waits', false],
  ['reviewed_waits', false],
  ['draft', false],
])('%s is their turn: %s', (kind, turns) => {
  expect(isTurn(kind)).toBe(turns);
});

describe('the order within a section', () => {
  const item = (name: string, overdue: boolean, checks: ChecksState | null, since: number, kind: WorkKind) => ({
    ...{ name, overdue, checks, since, kind },
  });
  const all = (kind: WorkKind) => [
    item('late', true, 'passing', 2, kind),
    item('later', true, null, 1, kind),
    item('late, failing', true, 'failing', 0, kind),
    item('fresh', false, 'running', 9, kind),
    item('fresher', false, null, 8, kind),
    item('fresh, failing', false, 'failing', 7, kind),
  ];
  const ordered = (kind: WorkKind) =>
    all(kind)
      .toSorted(compareWork)
      .map(({ name }) => name);

  it('has what is overdue first, then what fails last, then the longest wait first', () => {
    const expected = ['later', 'late', 'late, failing', 'fresher', 'fresh', 'fresh, failing'];
    for (const kind of ['review', 'author', 'team_review'] as const) expect(ordered(kind)).toEqual(expected);
  });

  it('has what fails last of what is ready to merge, overdue or not', () => {
    expect(ordered('merge')).toEqual(['later', 'late', 'fresher', 'fresh', 'late, failing', 'fresh, failing']);
  });
});

describe('the badge of checks', () => {
  const check = (name: string, outcome: string | null) => ({ name, outcome });

  it('is that of the latest of each name', () => {
    expect(checksState([check('unit', 'failure'), check('unit', 'success')])).toBe('passing');
    expect(checksState([check('unit', 'success'), check('unit', 'failure')])).toBe('failing');
    expect(checksState([check('unit', 'failure'), check('unit', null)])).toBe('running');
  });

  it('fails where one failed, whatever else runs', () => {
    for (const outcome of ['failure', 'timed_out', 'startup_failure', 'action_required', 'error'])
      expect(checksState([check('unit', outcome), check('lint', null), check('e2e', 'success')])).toBe('failing');
  });

  it('is null of what was cancelled or went stale, and passes for every other end', () => {
    expect(checksState([check('unit', 'cancelled'), check('unit', 'stale')])).toBeNull();
    expect(checksState([check('unit', 'success'), check('unit', 'cancelled')])).toBe('passing');
    expect(checksState([check('unit', 'failure'), check('unit', 'cancelled')])).toBe('failing');
    for (const outcome of ['success', 'neutral', 'skipped'])
      expect(checksState([check('unit', outcome)])).toBe('passing');
    expect(checksState([])).toBeNull();
  });
});
