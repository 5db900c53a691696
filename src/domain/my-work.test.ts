import { describe, expect, it } from 'vitest';
import { checksBadge, isCalledBack, type OpenTurn, type Part, waitOf, workItem } from './my-work.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.parse('2026-03-31T12:00:00Z');
const since = now - 3 * DAY;

const turn = (on: OpenTurn['waiting_on'], more: Partial<OpenTurn> = {}): OpenTurn => ({
  waiting_on: on,
  waiting_since: since,
  waiting_reason: { author: 'changes_requested', reviewers: 'updated_after_review', merge: 'approved' }[on] as never,
  draft: false,
  ...more,
});
const draft = turn('author', { draft: true, waiting_reason: 'draft' });
const nobody: Part = {
  isCredited: false,
  isAuthor: false,
  reviewedAt: null,
  opinion: null,
  lostApproval: false,
  askedAt: null,
  askedTeam: null,
  agentHasIt: false,
};
const part = (more: Partial<Part>): Part => ({ ...nobody, ...more });
const author = part({ isCredited: true, isAuthor: true });
const engaged = part({ reviewedAt: since - DAY });
const asked = part({ askedAt: since + HOUR });
const ofTeam = part({ askedTeam: { handle: '@acme/web', askedAt: since + HOUR } });
const kindOf = (of: OpenTurn, by: Part) => {
  const item = workItem(of, by, now);
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
    const at = (askedAt: number) => workItem(turn('reviewers'), part({ askedAt }), now);
    expect(at(since + HOUR)).toMatchObject({ since: since + HOUR, askedAt: since + HOUR, team: null });
    expect(at(since - HOUR)).toMatchObject({ since, askedAt: since - HOUR });
    const team = workItem(turn('reviewers'), part({ askedTeam: { handle: '@acme/web', askedAt: since - HOUR } }), now);
    expect(team).toMatchObject({ since, askedAt: since - HOUR, team: '@acme/web' });
  });

  it('leaves whoever reviewed for the team since it was asked in peace', () => {
    const at = (reviewedAt: number) => kindOf(turn('reviewers'), part({ ...ofTeam, reviewedAt, opinion: 'approved' }));
    expect(at(since + HOUR)).toBe('reviewed_waits approved_by_you');
    expect(at(since + HOUR - 1)).toBe('team_review requested_of_team');
  });

  it('never asks the author through their own team', () => {
    expect(kindOf(turn('reviewers'), part({ ...author, askedTeam: ofTeam.askedTeam }))).toMatch(/^yours_waits/);
  });
});

describe('a reviewer whom nobody asked again', () => {
  const waits = (days: number, reviewedBefore: number, opinion: Part['opinion'] = null) => {
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

  it('reads why', () => {
    const dismissed = turn('reviewers', { waiting_reason: 'review_dismissed' });
    expect(kindOf(turn('reviewers'), part({ ...engaged, opinion: 'changes_requested' }))).toBe('review_again answered');
    expect(kindOf(dismissed, part({ ...engaged, lostApproval: true }))).toBe('review_again dismissed');
    expect(kindOf(dismissed, engaged)).toBe('review_again updated');
    expect(kindOf(turn('reviewers', { waiting_since: now - 91 * DAY }), part({ reviewedAt: now - 92 * DAY }))).toBe(
      'reviewed_waits faded',
    );
  });
});

it('an agent has a day to answer the review of who started it', () => {
  const mine = part({ isCredited: true, agentHasIt: true, reviewedAt: now - DAY });
  const at = (waiting_since: number) => kindOf(turn('author', { waiting_since }), mine);
  expect(at(now - DAY + 1)).toBe('yours_waits agent');
  expect(at(now - DAY)).toBe('author changes_requested');
});

it('only what is their turn is ever overdue, after more than 48 hours', () => {
  expect(waitOf({ kind: 'review', since: now - 48 * HOUR }, now)).toEqual({ hours: 48, overdue: false });
  expect(waitOf({ kind: 'review', since: now - 48 * HOUR - 1 }, now).overdue).toBe(true);
  expect(waitOf({ kind: 'yours_waits', since: now - 100 * HOUR }, now).overdue).toBe(false);
});

describe('the badge of checks', () => {
  const check = (name: string, outcome: string | null, completedAt: number | null = outcome === null ? null : 1) => ({
    name,
    outcome,
    completedAt,
  });

  it('is that of the latest of each name', () => {
    expect(checksBadge([check('unit', 'failure', 1), check('unit', 'success', 2)])).toBe('passing');
    expect(checksBadge([check('unit', 'success', 2), check('unit', 'failure', 1)])).toBe('passing');
    expect(checksBadge([check('unit', 'failure', 2), check('unit', null)])).toBe('running');
  });

  it('fails where one failed, whatever else runs', () => {
    for (const outcome of ['failure', 'timed_out', 'startup_failure', 'action_required', 'error'])
      expect(checksBadge([check('unit', outcome), check('lint', null), check('e2e', 'success')])).toBe('failing');
  });

  it('says nothing of what was cancelled or went stale', () => {
    expect(checksBadge([check('unit', 'cancelled'), check('unit', 'stale')])).toBeNull();
    expect(checksBadge([check('unit', 'success', 1), check('unit', 'cancelled', 2)])).toBe('passing');
    expect(checksBadge([])).toBeNull();
  });
});
