import { describe, expect, it } from 'vitest';
import { NOW, SINCE, world } from '../../../../test/support/demo.ts';
import { isMachine, quantile, stateAt } from '../../../../test/support/demo-figures.ts';
import type { PullRequestHistory } from '../../history.ts';
import { WorldState } from '../../state/world-state.ts';
import { DAY, HOUR, WEEK } from './calendar.ts';
import { FORESIGHT } from './demo.ts';
import { OUTSIDERS } from './people.ts';
import { teamsOf } from './teams.ts';

const END = NOW + FORESIGHT;

const all = world.repositories.flatMap(({ pullRequests }) => pullRequests);
const state = new WorldState(world, NOW);
const company = state.account('brasswick')!;

/** Who belongs to a team at a moment, its parts' members too. */
function membersAt(slug: string, at: number): ReadonlySet<string> {
  const parts = world.teams.filter((team) => team.slug === slug || team.parent === slug);
  const stays = parts.flatMap(({ members = [] }) => members);
  return new Set(stays.filter(({ from, to }) => (from ?? 0) <= at && at < (to ?? Infinity)).map(({ login }) => login));
}

/** Reviews by other people than the author, up to now. */
function reviewsOf(pull: PullRequestHistory) {
  return pull.entries.filter(
    ({ kind, at, by }) => kind === 'review' && at <= NOW && by !== null && by !== pull.author && !isMachine(by),
  );
}

/** Of the last 90 days: how much of what a team gets and gives crosses its border, and how long it waits. */
function practiceOf(slug: string) {
  const people = membersAt(slug, NOW);
  const from = NOW - 90 * DAY;
  const reviews = all
    .filter(({ author }) => !isMachine(author))
    .flatMap((pull) => reviewsOf(pull).map(({ at, by }) => ({ at, to: pull.author!, by: by! })))
    .filter(({ at }) => at >= from);
  const received = reviews.filter(({ to }) => people.has(to));
  const given = reviews.filter(({ by }) => people.has(by));
  const waits = all
    .filter(({ author, createdAt }) => people.has(author ?? '') && createdAt >= from && createdAt <= NOW)
    .flatMap((pull) =>
      reviewsOf(pull)
        .slice(0, 1)
        .map(({ at }) => (at - pull.createdAt) / HOUR),
    );
  return {
    from_outside: received.filter(({ by }) => !people.has(by)).length / received.length,
    to_outside: given.filter(({ to }) => !people.has(to)).length / given.length,
    hours_to_first_review: quantile(waits, 0.5),
  };
}

describe('the teams of the demo', () => {
  it('are six in two levels that everybody of the company is shown, and a secret one that its members and owners are', () => {
    const visitor = state.accountNamed('visitor-0123456789ab')!;
    const shownTo = (login: string) =>
      state.organizations
        .teamsOf(company)
        .filter((team) => state.organizations.seesTeam(login === 'visitor' ? visitor : state.account(login)!, team))
        .map(({ slug }) => slug)
        .sort();
    const open = ['field', 'payments', 'platform', 'pricing', 'shop', 'web'];

    expect(shownTo('visitor')).toEqual(open);
    expect(shownTo('paulina-k')).toEqual(open);
    expect(shownTo('nils-b')).toEqual([...open, 'incident-response'].sort());
    expect(shownTo('sanna-h')).toEqual([...open, 'incident-response'].sort());
    expect(shownTo('mads-u')).toEqual([]);
    expect(world.teams.filter(({ parent }) => parent !== undefined).map(({ slug, parent }) => [slug, parent])).toEqual([
      ['web', 'shop'],
      ['pricing', 'shop'],
    ]);
  });

  it('hold everybody who works there, in one of the parts or roots, save the director; nobody from outside', () => {
    const inTeams = new Set(['shop', 'payments', 'field', 'platform'].flatMap((slug) => [...membersAt(slug, NOW)]));
    const members = state.organizations.membersOf(company).map(([{ login }]) => login);

    expect(members.filter((login) => !inTeams.has(login))).toEqual(['sanna-h']);
    expect([...inTeams].filter((login) => !members.includes(login) || OUTSIDERS.has(login))).toEqual([]);
  });

  it('have somebody in two of them, somebody who moved half a year ago, somebody new, and somebody who left', () => {
    const at = (weeks: number) => SINCE + weeks * WEEK;

    expect(membersAt('web', NOW)).toContain('yara-f');
    expect(membersAt('field', NOW)).toContain('yara-f');
    expect([membersAt('payments', at(51)).has('gavin-q'), membersAt('web', at(51)).has('gavin-q')]).toEqual([
      true,
      false,
    ]);
    expect([membersAt('payments', at(53)).has('gavin-q'), membersAt('web', at(53)).has('gavin-q')]).toEqual([
      false,
      true,
    ]);
    expect([membersAt('web', at(71)).has('zadie-k'), membersAt('web', NOW).has('zadie-k')]).toEqual([false, true]);
    expect([membersAt('payments', at(67)).has('ruben-h'), membersAt('payments', NOW).has('ruben-h')]).toEqual([
      true,
      false,
    ]);
  });

  it('tell a story each: Payments waits for others, Platform reviews for others and waits for one person', () => {
    const payments = practiceOf('payments');
    const platform = practiceOf('platform');
    const [shop, field] = [practiceOf('shop'), practiceOf('field')];

    expect(payments.from_outside).toBeGreaterThan(0.7);
    expect(Math.max(shop.from_outside, field.from_outside, platform.from_outside)).toBeLessThan(0.5);
    expect(platform.to_outside).toBeGreaterThan(0.5);
    expect(Math.max(shop.to_outside, field.to_outside)).toBeLessThan(0.45);
    expect(platform.hours_to_first_review).toBeGreaterThan(
      1.3 * Math.max(shop.hours_to_first_review, field.hours_to_first_review, payments.hours_to_first_review),
    );
  });

  it('wait with a request to the team itself at any noon', () => {
    const noons = Array.from({ length: 35 }, (_, index) => NOW + (index - 28) * DAY + 2 * HOUR);
    const isTeamAsked = (pull: PullRequestHistory, at: number) => {
      let asked = false;
      for (const entry of pull.entries.filter((each) => each.at <= at))
        if ((entry.kind === 'review_requested' || entry.kind === 'review_request_removed') && 'team' in entry.reviewer)
          asked = entry.kind === 'review_requested';
      return asked;
    };

    const without = noons.filter(
      (noon) =>
        !all.some((pull) => pull.createdAt <= noon && stateAt(pull, noon) === 'open' && isTeamAsked(pull, noon)),
    );

    expect(without).toEqual([]);
  });
});

describe('membership goes on', () => {
  const events = (until: number) => {
    const living = new WorldState({ ...world, teams: teamsOf(SINCE, END + WEEK) }, NOW);
    const told: string[] = [];
    living.organizations.onEvent = ({ event, action, team, member }) => {
      if (event === 'membership') told.push(`${member?.login} ${action} ${team?.slug}`);
    };
    living.runUntil(until);
    return told;
  };

  it('with a guest of another team an hour after the first start, who goes back when the next one comes two weeks later', () => {
    expect(events(NOW + HOUR - 1_000)).toEqual([]);
    expect(events(NOW + HOUR).sort()).toEqual(['kit-o added platform', 'kit-o removed web']);
    expect(
      events(NOW + HOUR + 2 * WEEK)
        .slice(2)
        .sort(),
    ).toEqual(['bea-n added platform', 'bea-n removed web', 'kit-o added web', 'kit-o removed platform']);
  });

  it('and a later start tells the same up to there', () => {
    const upTo = (at: number, end: number) =>
      teamsOf(SINCE, end).map(({ slug, members = [] }) => [
        slug,
        members
          .filter(({ from }) => (from ?? 0) <= at)
          .map((stay) => ({ ...stay, to: (stay.to ?? Infinity) > at ? null : stay.to })),
      ]);

    expect(upTo(END, END + 30 * WEEK)).toEqual(upTo(END, END));
  });
});
