import { describe, expect, it } from 'vitest';
import { daysInWords } from '#domain/notifications/day-words.ts';
import {
  minutesOf,
  numberProblems,
  optionsInWords,
  reachInWords,
  subscriptionsInWords,
  teamsToChoose,
  timeOf,
} from './words.ts';

describe('the words of the notification settings', () => {
  it('name days as people do', () => {
    expect(daysInWords([5, 4, 3, 2, 1])).toBe('Mon to Fri');
    expect(daysInWords([1, 3])).toBe('Mon, Wed');
    expect(daysInWords([6, 7])).toBe('Sat, Sun');
    expect(daysInWords([1, 2, 3, 4, 5, 6, 7])).toBe('every day');
    expect(daysInWords([])).toBe('no day');
  });

  it('say what is set of a kind in a line', () => {
    expect(optionsInWords('turn', { delay: 10, team_review: false })).toBe('after 10 min, not through a team');
    expect(optionsInWords('turn', { delay: 0, team_review: true })).toBe('at once, also through a team');
    expect(optionsInWords('stuck', { after: 24, repeat: 24, mine: true })).toBe(
      'after 24 h, again each 24 h, yours that wait too',
    );
    expect(optionsInWords('stuck', { after: 168, repeat: null, humans_only: true, skip_failing: false })).toBe(
      'after 7 days, people’s alone, failing checks too',
    );
    expect(optionsInWords('daily', { time: '09:00', weekdays: [1, 2, 3, 4, 5] })).toBe('09:00, Mon to Fri');
    expect(optionsInWords('weekly', { time: '09:00', weekday: 1 })).toBe('Monday 09:00');
    expect(optionsInWords('sync', {})).toBe('');
  });

  it('say which numbers cannot be set', () => {
    expect(numberProblems({ delay: 0 })).toEqual({});
    expect(numberProblems({ delay: 240, after: 720 })).toEqual({});
    expect(numberProblems({ delay: 241, after: 0 })).toEqual({
      delay: 'must be 240 or less',
      after: 'must be 1 or more',
    });
    expect(numberProblems({ delay: Number.NaN, after: 1.5 })).toEqual({
      delay: 'must be a whole number',
      after: 'must be a whole number',
    });
  });

  it('say what a channel sends', () => {
    expect(
      subscriptionsInWords([
        { kind: 'weekly', time: '09:00', weekday: 1 },
        { kind: 'stuck', after: 24, repeat: null, humans_only: false, skip_failing: true },
      ]),
    ).toBe('stuck after 24 h · weekly Monday 09:00');
    expect(subscriptionsInWords([])).toBe('sends nothing yet');
  });

  it('say who will see what', () => {
    const reaches = { repositories: 3, private: 1 };
    expect(reachInWords({ personal: false, titles: true, reaches })).toBe(
      'Everyone in that channel will see titles of 3 repositories, 1 of them private.',
    );
    expect(reachInWords({ personal: false, titles: false, reaches })).toBe('Sends owner/name#number without titles.');
    expect(reachInWords({ personal: false, titles: true, reaches: { repositories: 1, private: 0 } })).toBe(
      'Everyone in that channel will see titles of 1 repository, 0 of them private.',
    );
  });

  it('name the team that a channel is narrowed to, also where it is archived or gone', () => {
    const [payments, old] = [
      { id: 1, name: 'Payments', handle: 'acme/payments', archived_at: null },
      { id: 2, name: 'Old', handle: null, archived_at: '2026-01-01T00:00:00Z' },
    ];
    const labels = (chosen: number | null, teams = [payments, old]) =>
      teamsToChoose(teams, chosen).map(({ value, label }) => `${value} ${label}`);
    expect(labels(null)).toEqual(['1 Payments']);
    expect(labels(1)).toEqual(['1 Payments']);
    expect(labels(2)).toEqual(['1 Payments', '2 Old']);
    expect(labels(3)).toEqual(['1 Payments', '3 A team that is gone']);
    expect(labels(3, [])).toEqual(['3 A team that is gone']);
    expect(labels(null, [])).toEqual([]);
  });

  it('name teams of one name by what tells them apart', () => {
    const team = (id: number, handle: string | null, archived_at: string | null = null) =>
      ({ id, name: 'Platform', handle, archived_at }) as const;
    const teams = [team(1, 'acme/platform'), team(2, null), team(3, 'brasswick/platform', '2026-01-01T00:00:00Z')];
    const labels = (chosen: number | null, of = teams) => teamsToChoose(of, chosen).map(({ label }) => label);
    expect(labels(null)).toEqual(['acme/platform', 'Platform (group)']);
    expect(labels(3)).toEqual(['acme/platform', 'Platform (group)', 'brasswick/platform']);
    // One that is archived is beside it in no list.
    expect(labels(null, [team(1, 'acme/platform'), teams[2]!])).toEqual(['Platform']);
  });

  it('read a time of day as people type it', () => {
    expect(['9:30', '0930', '09:30', ' 9.30'].map(timeOf)).toEqual(['09:30', '09:30', '09:30', '09:30']);
    expect(['24:00', '9', '9:60', 'noon'].map(timeOf)).toEqual([null, null, null, null]);
    expect(minutesOf('08:30')).toBe(510);
  });
});
