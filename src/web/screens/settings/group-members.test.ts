import { expect, it } from 'vitest';
import type { WholeTeam } from '#contract/teams.ts';
import { changesOf, membersIn, periodToSave, teamsToSave } from './group-members.ts';

const member = (username: string, from: string | null, to: string | null, via: number[] = []) => ({
  username,
  display_name: null,
  avatar_url: null,
  from,
  to,
  via,
});
const clocks = {
  dayOf: (at: number) => new Date(at).toISOString().slice(0, 10),
  midnightOf: (date: string) => Date.parse(`${date}T00:00:00Z`),
};

it('holds everybody once, with all their periods, and nobody who belongs to it by a team in it', () => {
  const members = [
    member('ada', null, '2026-01-05T00:00:00Z'),
    member('ada', '2026-02-01T00:00:00Z', null),
    member('bo', null, null, [7]),
  ];

  expect(membersIn({ members } as unknown as WholeTeam, clocks)).toEqual([
    {
      username: 'ada',
      periods: [
        { from: '', to: '2026-01-05', stored: { from: null, to: '2026-01-05T00:00:00Z' } },
        { from: '2026-02-01', to: '', stored: { from: '2026-02-01T00:00:00Z', to: null } },
      ],
    },
  ]);
  expect(membersIn(null, clocks)).toEqual([]);
});

it('saves what was not changed to the instant, and of what was changed the midnight of where it is changed', () => {
  // Whose midnights these are is not where they are changed.
  const members = [
    member('ada', null, '2026-01-04T15:00:00.000Z'),
    member('ada', '2026-01-31T15:00:00.000Z', '2026-02-27T15:00:00.000Z'),
  ];
  const [ada] = membersIn({ members } as unknown as WholeTeam, clocks);
  const [first, second] = ada!.periods;
  const changed = [first!, { ...second!, from: '2026-01-20', to: '' }, { from: '', to: '2025-12-01' }];

  expect(changed.map((period) => periodToSave(period, clocks))).toEqual([
    { from: null, to: '2026-01-04T15:00:00.000Z' },
    { from: '2026-01-20T00:00:00.000Z', to: null },
    { from: null, to: '2025-12-01T00:00:00.000Z' },
  ]);
});

it('ticks and unticks teams among those that the group has now, and leaves what others changed meanwhile', () => {
  expect(teamsToSave([1, 2, 3], [1, 2, 3], new Set([1, 3, 4]))).toEqual([1, 3, 4]);
  // Others took 1 out and put 5 in.
  expect(teamsToSave([2, 3, 5], [1, 2, 3], new Set([1, 3, 4]))).toEqual([3, 5, 4]);
  // Others did the same before.
  expect(teamsToSave([1, 3, 4], [1, 2, 3], new Set([1, 3, 4]))).toEqual([1, 3, 4]);
});

it('writes what has changed alone, the earliest period first', () => {
  const always = [{ from: '', to: '' }];
  const before = [
    { username: 'ada', periods: always },
    { username: 'bo', periods: always },
    { username: 'cy', periods: always },
  ];
  const after = [
    { username: 'ada', periods: always },
    {
      username: 'cy',
      periods: [
        { from: '2026-02-01', to: '' },
        { from: '', to: '2026-01-01' },
      ],
    },
    { username: 'di', periods: always },
  ];

  expect(changesOf(before, after)).toEqual({
    put: [
      {
        username: 'cy',
        periods: [
          { from: '', to: '2026-01-01' },
          { from: '2026-02-01', to: '' },
        ],
      },
      { username: 'di', periods: always },
    ],
    removed: ['bo'],
  });
});
