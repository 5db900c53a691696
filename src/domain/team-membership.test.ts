import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absence,
  emptiness,
  HOURS_UNTIL_BELIEVED,
  type Membership,
  membershipsAfter,
  mergedMemberships,
  type Nesting,
  partOfItself,
  SWITCH_DAYS,
  type TeamMembership,
  withParts,
} from './team-membership.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [ADA, BEA] = [1, 2];
const [WEB, API] = [10, 20];

const reading = (team: number, members: number[], first = false) => ({ team, members: new Set(members), first });

/** Reads one day after the other; each day names who is in which team, a team without a mention is not read. */
function readDays(days: readonly Record<number, number[]>[]): TeamMembership[] {
  const known = new Set<number>();
  let periods: TeamMembership[] = [];
  days.forEach((teams, day) => {
    const readings = Object.entries(teams).map(([team, members]) => {
      const first = !known.has(Number(team));
      known.add(Number(team));
      return reading(Number(team), members, first);
    });
    periods = membershipsAfter(periods, readings, day * DAY);
  });
  return periods;
}

const of = (periods: readonly TeamMembership[], team: number, person: number) =>
  periods
    .filter((period) => period.team === team && period.person === person)
    .map(({ from, to }) => [from === null ? null : from / DAY, to === null ? null : to / DAY]);

describe('who belonged to a team when', () => {
  it('begins with the past of whoever is a member at the first reading', () => {
    expect(of(readDays([{ [WEB]: [ADA] }]), WEB, ADA)).toEqual([[null, null]]);
  });

  it('begins at the reading that a person appears in, and ends at the one that they are gone from', () => {
    const periods = readDays([{ [WEB]: [] }, { [WEB]: [ADA] }, { [WEB]: [ADA] }, { [WEB]: [] }]);

    expect(of(periods, WEB, ADA)).toEqual([[1, 3]]);
  });

  it('has no gap for whoever switches within seven days, and one for whoever takes longer', () => {
    const away = Array.from({ length: 6 }, () => ({ [WEB]: [], [API]: [] }));
    const first = { [WEB]: [ADA], [API]: [] };

    const within = readDays([first, { [WEB]: [], [API]: [] }, ...away, { [API]: [ADA] }]);
    expect(of(within, WEB, ADA)).toEqual([[null, 1]]);
    expect(of(within, API, ADA)).toEqual([[1, null]]);
    const later = readDays([first, { [WEB]: [], [API]: [] }, ...away, { [API]: [] }, { [API]: [ADA] }]);
    expect(of(later, API, ADA)).toEqual([[9, null]]);
  });

  it('closes a short absence from the same team, and keeps a long one', () => {
    const away = Array.from({ length: SWITCH_DAYS }, () => ({ [WEB]: [] }));

    expect(of(readDays([{ [WEB]: [ADA] }, ...away, { [WEB]: [ADA] }]), WEB, ADA)).toEqual([[null, null]]);
    expect(of(readDays([{ [WEB]: [ADA] }, ...away, { [WEB]: [] }, { [WEB]: [ADA] }]), WEB, ADA)).toEqual([
      [null, 1],
      [9, null],
    ]);
  });

  it('changes at one moment for whoever leaves and joins in the same reading', () => {
    const periods = readDays([
      { [WEB]: [ADA], [API]: [] },
      { [WEB]: [], [API]: [ADA] },
    ]);

    expect(of(periods, WEB, ADA)).toEqual([[null, 1]]);
    expect(of(periods, API, ADA)).toEqual([[1, null]]);
  });

  it('goes on from the team that was left last', () => {
    const third = 30;
    const periods = readDays([
      { [WEB]: [ADA], [API]: [ADA], [third]: [] },
      { [WEB]: [], [API]: [ADA], [third]: [] },
      { [WEB]: [], [API]: [], [third]: [] },
      { [third]: [ADA] },
    ]);

    expect(of(periods, third, ADA)).toEqual([[2, null]]);
  });

  it('overlaps for whoever is in two teams', () => {
    const periods = readDays([
      { [WEB]: [ADA], [API]: [BEA] },
      { [WEB]: [ADA], [API]: [ADA, BEA] },
    ]);

    expect(of(periods, WEB, ADA)).toEqual([[null, null]]);
    expect(of(periods, API, ADA)).toEqual([[1, null]]);
  });

  it('stays as it was in a team that was not read', () => {
    const before = readDays([{ [WEB]: [ADA], [API]: [BEA] }]);

    expect(membershipsAfter(before, [reading(API, [])], DAY).filter(({ team }) => team === WEB)).toEqual(
      before.filter(({ team }) => team === WEB),
    );
    expect(membershipsAfter(before, [], DAY)).toEqual(before);
  });

  it('counts the past of a team that was imported later, also of whoever has just switched to it', () => {
    expect(of(readDays([{ [WEB]: [ADA] }, { [WEB]: [], [API]: [ADA] }]), API, ADA)).toEqual([[null, null]]);
  });

  it('is never before it began where the clock was set back', () => {
    const before = membershipsAfter([], [reading(WEB, [], true)], 5 * DAY);
    const joined = membershipsAfter(before, [reading(WEB, [ADA])], 6 * DAY);

    expect(membershipsAfter(joined, [reading(WEB, [])], 4 * DAY)).toEqual([]);
  });
});

/** Readings of three teams and four people over forty days, at times without one of them. */
const history = fc.array(
  fc.dictionary(fc.constantFrom('10', '20', '30'), fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }), {
    maxKeys: 3,
  }),
  { minLength: 1, maxLength: 40 },
);

describe('over any history of readings', () => {
  it('members now are those of the last reading of each team', () => {
    fc.assert(
      fc.property(history, (days) => {
        const last = new Map(days.flatMap((teams) => Object.entries(teams)));
        const now = readDays(days)
          .filter(({ to }) => to === null)
          .map(({ team, person }) => `${team}/${person}`);
        const told = [...last].flatMap(([team, members]) => members.map((person) => `${team}/${person}`));
        expect(now.sort()).toEqual(told.sort());
      }),
    );
  });

  it('periods of one person in one team neither overlap nor touch, and none is empty', () => {
    fc.assert(
      fc.property(history, (days) => {
        for (const periods of Map.groupBy(readDays(days), ({ team, person }) => `${team}/${person}`).values())
          periods.forEach(({ from, to }, at) => {
            expect(from ?? Number.NEGATIVE_INFINITY).toBeLessThan(to ?? Number.POSITIVE_INFINITY);
            if (at > 0) expect(periods[at - 1]?.to).toBeLessThan(from ?? Number.NEGATIVE_INFINITY);
          });
      }),
    );
  });

  it('whoever the last reading up to a moment named is a member at that moment, and nobody is for longer than a week without one', () => {
    fc.assert(
      fc.property(history, (days) => {
        const periods = readDays(days);
        for (const team of ['10', '20', '30'])
          for (const person of [1, 2, 3, 4]) {
            const member = (day: number) =>
              periods.some(
                (period) =>
                  period.team === Number(team) &&
                  period.person === person &&
                  (period.from === null || period.from <= day * DAY) &&
                  (period.to === null || day * DAY < period.to),
              );
            const first = days.findIndex((teams) => teams[team] !== undefined);
            let told: boolean | null = null;
            days.forEach((teams, day) => {
              told = teams[team]?.includes(person) ?? told;
              if (told === true) expect(member(day)).toBe(true);
              if (told === false && member(day)) {
                const next = days.findIndex((later, at) => at > day && later[team]?.includes(person) === true);
                expect(next - day).toBeLessThanOrEqual(SWITCH_DAYS);
                expect(next).toBeGreaterThan(first);
              }
            });
          }
      }),
    );
  });

  it('a reading that repeats the last one changes nothing', () => {
    fc.assert(
      fc.property(history, (days) => {
        const again = days.at(-1)!;
        const readings = Object.entries(again).map(([team, members]) => reading(Number(team), members));
        expect(membershipsAfter(readDays(days), readings, days.length * DAY)).toEqual(readDays(days));
      }),
    );
  });
});

describe('merging', () => {
  const when = fc.option(fc.integer({ min: 0, max: 30 }));
  const periods = fc.array(fc.record({ person: fc.integer({ min: 1, max: 2 }), from: when, to: when }), {
    maxLength: 12,
  });
  const holds = (of: readonly Membership[], person: number, moment: number) =>
    of.some((one) => one.person === person && (one.from ?? -1) <= moment && moment < (one.to ?? 99));

  it('keeps every moment and adds none, and merging again changes nothing', () => {
    fc.assert(
      fc.property(periods, (given) => {
        const sane = given.filter(({ from, to }) => (from ?? -1) < (to ?? 99));
        const merged = mergedMemberships(given);
        for (const person of [1, 2])
          for (let moment = 0; moment <= 31; moment += 1)
            expect(holds(merged, person, moment)).toBe(holds(sane, person, moment));
        expect(mergedMemberships(merged)).toEqual(merged);
      }),
    );
  });
});

describe('a team that comes back empty', () => {
  const five = { members: 5, empty_since: null };
  const hours = HOURS_UNTIL_BELIEVED * HOUR;

  it('is believed where it had fewer than five members', () => {
    expect(emptiness(0, { members: 4, empty_since: null }, DAY)).toEqual({ believed: true, empty_since: null });
  });

  it('is believed by the second reading 20 hours later, not by one before', () => {
    expect(emptiness(0, five, DAY)).toEqual({ believed: false, empty_since: DAY });
    expect(emptiness(0, { ...five, empty_since: DAY }, DAY + hours - 1)).toEqual({ believed: false, empty_since: DAY });
    expect(emptiness(0, { ...five, empty_since: DAY }, DAY + hours)).toEqual({ believed: true, empty_since: null });
  });

  it('begins again where somebody was in it meanwhile, or the clock was set back', () => {
    expect(emptiness(1, { ...five, empty_since: DAY }, 2 * DAY)).toEqual({ believed: true, empty_since: null });
    expect(emptiness(0, { ...five, empty_since: 3 * DAY }, 2 * DAY)).toEqual({ believed: false, empty_since: 2 * DAY });
  });
});

describe('a team that a listing lacks', () => {
  const visible = { secret: false, missing_since: null };

  it('is archived by the second one 20 hours later', () => {
    expect(absence(visible, { at: DAY, lists_another: true })).toEqual({ archived: false, missing_since: DAY });
    const missing = { ...visible, missing_since: DAY };
    expect(absence(missing, { at: DAY + HOUR, lists_another: true }).archived).toBe(false);
    expect(absence(missing, { at: 2 * DAY, lists_another: true })).toEqual({ archived: true, missing_since: DAY });
  });

  it('is not archived where the token lists no other team, nor a secret one ever', () => {
    const missing = { ...visible, missing_since: DAY };
    expect(absence(missing, { at: 9 * DAY, lists_another: false })).toEqual({ archived: false, missing_since: DAY });
    expect(absence({ ...missing, secret: true }, { at: 9 * DAY, lists_another: true }).archived).toBe(false);
  });
});

describe('nesting', () => {
  const nesting = fc
    .array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 16 })
    .map(
      (edges): Nesting =>
        new Map([...Map.groupBy(edges, ([from]) => from)].map(([from, all]) => [from, all.map(([, to]) => to)])),
    );

  it('of what holds a part holds all that the part holds', () => {
    fc.assert(
      fc.property(nesting, fc.nat({ max: 7 }), (held, team) => {
        const all = withParts(held, team);
        for (const part of all) for (const deeper of withParts(held, part)) expect(all.has(deeper)).toBe(true);
      }),
    );
  });

  it('never becomes a circle where what would make a team part of itself is refused', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 24 }), (wanted) => {
        const held = new Map<number, number[]>();
        for (const [team, part] of wanted)
          if (partOfItself(held, team, [part]) === null) held.set(team, [...(held.get(team) ?? []), part]);
        for (const [team, parts] of held) expect(partOfItself(held, team, parts)).toBeNull();
      }),
    );
  });

  it('names the part that leads back', () => {
    const held = new Map([
      [1, [2]],
      [2, [3]],
    ]);
    expect(partOfItself(held, 3, [4, 1])).toBe(1);
    expect(partOfItself(held, 3, [3])).toBe(3);
    expect(partOfItself(held, 1, [3])).toBeNull();
  });
});
