import { describe, expect, it } from 'vitest';
import type { WorkItem } from '#contract/my-work.ts';
import {
  endedBetween,
  foldedWords,
  nudgeOf,
  othersWords,
  overdueWords,
  reasonWords,
  type Section,
  type SectionKey,
  untilWords,
  waitingForYou,
} from './words.ts';

const NOW = Date.parse('2026-11-19T13:03:00Z');

function anItem(more: Partial<WorkItem> = {}): WorkItem {
  return {
    repo_owner: 'octo-org',
    repo_name: 'desk',
    pr_number: 1,
    title: 'Store the ledger in one table',
    github_url: 'https://github.com/octo-org/desk/pull/1',
    author: 'ada',
    author_avatar_url: null,
    author_kind: 'human',
    by_agent: false,
    authorship: 'human',
    agents: [],
    credited_to: null,
    credit_by: null,
    lines_changed: 10,
    changed_files: 1,
    draft: false,
    created_at: '2026-11-10T09:00:00Z',
    kind: 'review',
    reason: 'requested',
    team: null,
    asked_at: null,
    reviewed: false,
    since: '2026-11-16T13:03:00Z',
    waited_hours: 72,
    waited_working_hours: null,
    overdue: true,
    overdue_after_hours: 48,
    checks: null,
    reviewers: [],
    waiting_on: 'reviewers',
    waits_for: [],
    snooze: null,
    ...more,
  };
}

const section = (key: SectionKey, ...items: readonly WorkItem[]): Section => ({
  key,
  total: items.length,
  items: [...items],
});

/** One of which the server lists the first alone. */
const cut = (key: SectionKey, ...items: readonly WorkItem[]): Section => ({ ...section(key, ...items), total: 201 });

describe('what stands above the list', () => {
  it.each([
    [0, 'Nothing waits for you'],
    [1, '1 waiting for you'],
    [1234, '1,234 waiting for you'],
  ])('%d', (count, words) => {
    expect(waitingForYou(count)).toBe(words);
  });

  it('counts what is over the limit among the turns alone', () => {
    const late = anItem();

    expect(overdueWords([section('review', late, anItem({ overdue: false })), section('merge', late)])).toBe(
      ', 2 of them over 48 hours',
    );
    expect(overdueWords([section('review', anItem({ overdue: false })), section('snoozed', late)])).toBe('');
  });

  it('says that it counts a part where a turn has more than are listed', () => {
    const late = anItem();

    expect(overdueWords([cut('review', late), section('merge', late)])).toBe(', at least 2 of them over 48 hours');
    expect(overdueWords([section('review', late), cut('reviewed_waits', late)])).toBe(', 1 of them over 48 hours');
    expect(overdueWords([cut('review', anItem({ overdue: false }))])).toBe('');
  });

  it('says what waits for others, each in the singular where it is one', () => {
    const [one, two] = [anItem(), anItem({ pr_number: 2 })];

    expect(othersWords([section('yours_waits', one, two), section('reviewed_waits', one), section('draft', one)])).toBe(
      '2 of yours wait for others · 1 waits for its author · 1 draft',
    );
    expect(othersWords([section('snoozed', one)])).toBe('1 snoozed');
    expect(othersWords([section('draft')])).toBe('');
  });
});

describe('why an item stands where it stands', () => {
  it.each<[Partial<WorkItem>, string]>([
    [{ reason: 'requested' }, 'Your review was requested'],
    [{ kind: 'review_again', reason: 'answered' }, 'The author answered your review'],
    [{ kind: 'review_again', reason: 'dismissed' }, 'Your approval was dismissed'],
    [{ kind: 'review_again', reason: 'updated' }, 'Updated since your review'],
    [
      { kind: 'team_review', reason: 'requested_of_team', team: '@octo-org/payments' },
      'Requested of @octo-org/payments',
    ],
    [{ kind: 'author', reason: 'changes_requested', waiting_on: 'author' }, 'Changes requested'],
    [{ kind: 'merge', reason: 'approved', waiting_on: 'merge' }, 'Approved'],
    [{ kind: 'yours_waits', reason: 'never_reviewed', waits_for: ['ben', 'cleo'] }, 'Never reviewed · ben, cleo'],
    [{ kind: 'yours_waits', reason: 'updated_after_review', reviewers: ['ben'] }, 'Updated after review'],
    [{ kind: 'yours_waits', reason: 'agent', waiting_on: 'author', reviewers: ['ada'] }, 'The agent has it'],
    [{ kind: 'reviewed_waits', reason: 'approved_by_you' }, 'You approved it'],
    [{ kind: 'reviewed_waits', reason: 'faded' }, 'You reviewed it long ago'],
    [{ kind: 'reviewed_waits', reason: 'commented', waiting_on: 'author' }, 'Commented'],
    [
      { kind: 'reviewed_waits', reason: 'commented', waiting_on: 'author', asked_at: '2026-11-12T09:00:00Z' },
      'Asked of you, the author is at it',
    ],
    [
      {
        ...{ kind: 'reviewed_waits', reason: 'changes_requested', waiting_on: 'author' },
        ...{ asked_at: '2026-11-12T09:00:00Z', reviewed: true },
      },
      'Changes requested',
    ],
    [{ kind: 'draft', reason: 'draft', waiting_on: 'author' }, 'Draft'],
  ])('%o', (more, words) => {
    expect(reasonWords(anItem(more))).toBe(words);
  });
});

describe('a nudge', () => {
  it('has the link, whom it waits for and since when', () => {
    expect(nudgeOf(anItem({ reviewers: ['ada', 'ben', 'cleo'], waits_for: ['ben', 'cleo'] }), NOW, 'Europe/Oslo')).toBe(
      'Store the ledger in one table (octo-org/desk#1) waits for ben, cleo since Mon 16 Nov, 14:03 (3 days): https://github.com/octo-org/desk/pull/1',
    );
  });

  it.each([
    [{ reviewers: ['ben'] }, 'waits for a reviewer since'],
    [{ waiting_on: 'author' as const, reviewers: ['ben'] }, 'waits for its author since'],
  ])('names nobody who is not waited for: %o', (more, words) => {
    expect(nudgeOf(anItem(more), NOW, 'UTC')).toContain(words);
  });
});

describe('a snoozed item', () => {
  it.each([
    [{ until: '2026-11-20T08:00:00Z', until_change: false }, 'until Fri 20 Nov, 09:00'],
    [{ until: '2026-11-20T08:00:00Z', until_change: true }, 'until Fri 20 Nov, 09:00 or until it changes'],
    [{ until: null, until_change: true }, 'until it changes'],
  ])('comes back: %o', (snooze, words) => {
    expect(untilWords(snooze, NOW, 'Europe/Oslo')).toBe(words);
  });

  it('is told of in the head of its section, the next one', () => {
    const until = (at: string | null) => anItem({ snooze: { until: at, until_change: at === null } });

    expect(
      foldedWords(
        section('snoozed', until(null), until('2026-11-24T08:00:00Z'), until('2026-11-20T08:00:00Z')),
        NOW,
        'UTC',
      ),
    ).toBe('next one back Fri 20 Nov, 08:00');
    expect(foldedWords(section('snoozed', until(null)), NOW, 'UTC')).toBe('');
  });

  it('is not told of as the next one where another that is not listed may come back before it', () => {
    const later = anItem({ snooze: { until: '2026-11-24T08:00:00Z', until_change: false } });

    expect(foldedWords(cut('snoozed', later), NOW, 'UTC')).toBe('');
  });
});

describe('what ends while one looks', () => {
  const [one, two] = [anItem(), anItem({ pr_number: 2 })];

  it('is what stands nowhere any more, with its place', () => {
    expect(endedBetween([section('review', one, two)], [section('review', one)])).toEqual([
      { section: 'review', at: 1, item: two },
    ]);
  });

  it('is nothing that only moved, and nothing of what was not the person’s turn', () => {
    expect(
      endedBetween([section('review', one), section('draft', two)], [section('review'), section('snoozed', one)]),
    ).toEqual([]);
  });

  it('is nothing where a turn has more than are listed, among which what is gone may stand', () => {
    expect(endedBetween([cut('review', one, two)], [cut('review', one)])).toEqual([]);
    expect(endedBetween([section('review', one, two)], [cut('review', one)])).toEqual([]);
    expect(endedBetween([cut('review', one, two)], [section('review', one)])).toEqual([]);
    expect(endedBetween([section('author', two)], [section('author'), cut('merge', one)])).toEqual([]);
    expect(endedBetween([section('review', one), cut('draft', two)], [section('review'), cut('draft', two)])).toEqual([
      { section: 'review', at: 0, item: one },
    ]);
  });
});
