import { describe, expect, it } from 'vitest';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { NOW, SINCE, world } from '../../../../test/support/demo.ts';
import { countBy, isMachine, stateAt } from '../../../../test/support/demo-figures.ts';
import { turnReasons, waitingReason } from '../../../../test/support/demo-turn.ts';
import type { Entry, PullRequestHistory, World } from '../../history.ts';
import { WorldState } from '../../state/world-state.ts';
import { COPILOT_AGENT, DEVIN, PATCHWISE } from './automation.ts';
import { DAY, HOUR, MINUTE, WEEK } from './calendar.ts';
import { demoWorld, FORESIGHT } from './demo.ts';
import { PEOPLE } from './people.ts';

const all = pullRequestsOf(world);
/** Noon of each of the last 28 days and of the coming 7. */
const noons = Array.from({ length: 35 }, (_, index) => NOW + (index - 28) * DAY + 2 * HOUR);

function pullRequestsOf(of: World): readonly PullRequestHistory[] {
  return of.repositories.flatMap((repository) => repository.pullRequests);
}

function openAt(at: number): readonly PullRequestHistory[] {
  return all.filter((each) => each.createdAt <= at && stateAt(each, at) === 'open');
}

function upTo(pullRequest: PullRequestHistory, at: number): PullRequestHistory {
  return { ...pullRequest, entries: pullRequest.entries.filter((entry) => entry.at <= at) };
}

/** Whose review is outstanding on an open pull request that is no draft. */
function askedAt(pullRequest: PullRequestHistory, at: number): readonly string[] {
  if (waitingReason(pullRequest, at) === 'draft') return [];
  const asked = new Set<string>();
  for (const entry of pullRequest.entries) {
    if (entry.at > at) break;
    if (entry.kind === 'review_requested' && 'account' in entry.reviewer) asked.add(entry.reviewer.account);
    if (entry.kind === 'review' && entry.by !== null) asked.delete(entry.by);
  }
  return [...asked];
}

/** When a login opened, pushed, reviewed or wrote something; merges may have been set to happen by themselves. */
function deedsOf(login: string): readonly number[] {
  const own: ReadonlySet<Entry['kind']> = new Set(['commits', 'force_push', 'comment', 'review']);
  return all.flatMap(({ author, createdAt, entries }) => [
    ...(author === login ? [createdAt] : []),
    ...entries.filter((entry) => entry.by === login && own.has(entry.kind)).map((entry) => entry.at),
  ]);
}

function idsOf(entry: Entry): readonly number[] {
  if (entry.kind === 'review') return [entry.id, ...entry.comments.map((comment) => comment.id)];
  return entry.kind === 'comment' || entry.kind === 'check' || entry.kind === 'status' ? [entry.id] : [];
}

const weeksIn = (at: number) => (at - SINCE) / WEEK;

describe('the demo can be restarted', () => {
  it('tells the same story for the same seed and beginning', () => {
    expect(demoWorld({ since: SINCE, now: NOW })).toEqual(world);
  });

  it('tells another story for another seed', () => {
    const other = demoWorld({ since: SINCE, now: NOW, seed: 2 });

    expect(other.repositories[0]?.pullRequests[0]?.title).not.toBe(world.repositories[0]?.pullRequests[0]?.title);
  });

  it.each([1 * MINUTE, 1 * DAY, 24 * DAY])('only goes on where it was after %d ms', (later) => {
    const foreseen = NOW + FORESIGHT;

    const resumed = demoWorld({ since: SINCE, now: NOW + later });

    for (const [index, repository] of world.repositories.entries()) {
      const known = resumed.repositories[index]?.pullRequests.slice(0, repository.pullRequests.length) ?? [];
      expect(known.map((each) => upTo(each, foreseen))).toEqual(
        repository.pullRequests.map((each) => upTo(each, foreseen)),
      );
      const added = resumed.repositories[index]?.pullRequests.slice(repository.pullRequests.length) ?? [];
      expect(added.every((each) => each.createdAt > foreseen)).toBe(true);
    }
  });

  it('knows at least the two weeks to come', () => {
    const last = Math.max(...all.map((each) => each.createdAt));

    expect(last).toBeGreaterThan(NOW + FORESIGHT - 3 * DAY);
  });

  it.each([
    ['a fraction of a second', SINCE + 1, NOW, /whole second/],
    ['after now', NOW + 1_000, NOW, /before now/],
  ])('refuses to begin at %s', (_, since, now, sentence) => {
    expect(() => demoWorld({ since, now })).toThrow(sentence);
  });
});

describe('the demo is a sound history', () => {
  it('can be played by the host to its end', () => {
    const state = new WorldState(world, NOW);

    expect(() => state.runUntil(NOW + 400 * DAY)).not.toThrow();
    expect(state.pulls.size).toBe(all.length);
  });

  it('gives no id twice and no sha twice', () => {
    const ids = all.flatMap((each) => [each.id, ...each.entries.flatMap(idsOf)]);
    const shas = all.flatMap((each) => [
      ...each.commits.map((commit) => commit.sha),
      ...each.entries.flatMap((entry) => (entry.kind === 'commits' ? entry.commits.map((commit) => commit.sha) : [])),
    ]);
    const accounts = world.accounts.map((account) => account.id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(shas).size).toBe(shas.length);
    expect(new Set(accounts).size).toBe(accounts.length);
    expect(Math.max(...all.map((each) => each.id))).toBeLessThan(2 ** 31 - 4_096);
  });

  it('numbers pull requests upwards in the order in which they were opened', () => {
    for (const { name, pullRequests } of world.repositories) {
      for (const [index, each] of pullRequests.entries()) {
        const before = pullRequests[index - 1];
        if (before === undefined) continue;
        expect(each.number, `${name} #${each.number}`).toBeGreaterThan(before.number);
        expect(each.createdAt, `${name} #${each.number}`).toBeGreaterThanOrEqual(before.createdAt);
      }
    }
  });

  it('lists entries in time order, in whole seconds, none before the opening', () => {
    const wrong = all.filter(({ createdAt, entries }) =>
      entries.some(({ at }, index) => at < createdAt || at % 1_000 !== 0 || at < (entries[index - 1]?.at ?? at)),
    );

    expect(wrong.map((each) => `${each.number} ${each.title}`)).toEqual([]);
  });

  it('dates no commit after its push', () => {
    const wrong = all.filter(
      ({ createdAt, commits, entries }) =>
        commits.some((commit) => commit.committedAt > createdAt) ||
        entries.some(
          (entry) => entry.kind === 'commits' && entry.commits.some((commit) => commit.committedAt > entry.at),
        ),
    );

    expect(wrong).toEqual([]);
  });

  it('adds up the lines of the files to the size', () => {
    const sizes = all.flatMap((each) => [
      each.size,
      ...each.entries.flatMap((entry) => (entry.kind === 'commits' && entry.size !== undefined ? [entry.size] : [])),
    ]);

    const wrong = sizes.filter(({ additions, deletions, files }) => {
      const sum = files.reduce((total, file) => total + file.additions + file.deletions, 0);
      const paths = new Set(files.map((file) => file.path));
      return sum !== additions + deletions || paths.size !== files.length || files.some((file) => file.deletions < 0);
    });

    expect(wrong).toEqual([]);
  });

  it('lets only readers act in a private repository, and nobody in an archived one for months', () => {
    const hidden = world.repositories.filter((repository) => repository.private);
    const archived = world.repositories.filter((repository) => repository.archived);

    expect(hidden).toHaveLength(1);
    expect(archived).toHaveLength(1);
    for (const { readers, pullRequests } of hidden) {
      const actors = new Set(pullRequests.flatMap((each) => [each.author, ...each.entries.map((entry) => entry.by)]));
      expect([...actors].filter((each) => each !== null && !isMachine(each) && !readers.includes(each))).toEqual([]);
    }
    expect(archived.flatMap((each) => each.pullRequests).every((each) => stateAt(each, NOW) !== 'open')).toBe(true);
  });

  it('lets the default visitor read every repository', () => {
    const [visitor = ''] = world.signIn;

    expect(world.repositories.every((each) => !each.private || each.readers.includes(visitor))).toBe(true);
    expect(world.signIn.every((login) => world.accounts.some((account) => account.login === login))).toBe(true);
  });

  it('hardly ever repeats a title within a repository', () => {
    for (const { name, pullRequests } of world.repositories) {
      const titles = countBy(pullRequests.map((each) => each.title));
      expect(titles.size / pullRequests.length, name).toBeGreaterThan(0.97);
    }
  });
});

describe('the demo has something to see', () => {
  it.each(turnReasons)('has at any noon a stuck pull request that waits because: %s', (reason) => {
    const missing = noons.filter(
      (noon) =>
        !openAt(noon).some(
          (each) => noon - each.createdAt > STUCK_AFTER_HOURS * HOUR && waitingReason(each, noon) === reason,
        ),
    );

    expect(missing.map((noon) => new Date(noon).toISOString())).toEqual([]);
  });

  it('keeps one reviewer overloaded', () => {
    const outstanding = countBy(noons.flatMap((noon) => openAt(noon).flatMap((each) => askedAt(each, noon))));
    const [[first, most] = ['', 0], [, second] = ['', 0]] = [...outstanding].sort((one, other) => other[1] - one[1]);

    expect(first).toBe('devi-r');
    expect(most / noons.length).toBeGreaterThan(5);
    expect(most).toBeGreaterThan(second * 1.5);
  });

  it('keeps one person with more than five open pull requests, most of the time', () => {
    const crowded = noons.filter((noon) => openAt(noon).filter((each) => each.author === 'carys-d').length > 5);

    expect(crowded.length).toBeGreaterThan(noons.length / 2);
  });

  describe('on the desk of whoever’s work visitors are shown', () => {
    const desk = world.desk!;
    const waitsForReview = ['never_reviewed', 'updated_after_review', 'review_dismissed'];
    const reviewedBy = ({ entries }: PullRequestHistory, login: string, at: number) =>
      entries.some((entry) => entry.kind === 'review' && entry.by === login && entry.at <= at);
    const requestOf = ({ entries }: PullRequestHistory, team: string, at: number) => {
      const last = entries.findLast(
        (entry) =>
          (entry.kind === 'review_requested' || entry.kind === 'review_request_removed') &&
          entry.at <= at &&
          'team' in entry.reviewer &&
          entry.reviewer.team === team,
      );
      return last?.kind === 'review_requested' ? last.at : null;
    };
    const failing = ({ entries }: PullRequestHistory, at: number) => {
      const own = entries.filter((entry) => entry.at <= at);
      const pushed = own.findLast((entry) => entry.kind === 'commits' || entry.kind === 'force_push')?.at ?? 0;
      return own.some((entry) => entry.kind === 'status' && entry.state === 'FAILURE' && entry.at > pushed);
    };
    const isTheirs = (reasons: readonly string[]) => (each: PullRequestHistory, at: number) =>
      each.author === desk && reasons.includes(waitingReason(each, at) ?? '');

    it.each<[string, (each: PullRequestHistory, at: number) => boolean]>([
      [
        'a review that was asked of them two days ago',
        (each, at) =>
          waitsForReview.includes(waitingReason(each, at) ?? '') &&
          askedAt(each, at).includes(desk) &&
          at - each.createdAt > STUCK_AFTER_HOURS * HOUR,
      ],
      ['an answer to a review', isTheirs(['commented', 'changes_requested'])],
      [
        'a check that failed on what they have to answer',
        (each, at) => isTheirs(['commented', 'changes_requested'])(each, at) && failing(each, at),
      ],
      ['a merge', isTheirs(['approved'])],
      [
        'a review asked of their team, and of nobody of it by name',
        (each, at) =>
          each.author !== desk &&
          waitsForReview.includes(waitingReason(each, at) ?? '') &&
          requestOf(each, 'web', at) !== null &&
          !askedAt(each, at).includes(desk) &&
          !reviewedBy(each, desk, at),
      ],
      ['one of theirs that waits for others', isTheirs(waitsForReview)],
      [
        'one that they reviewed and its author has',
        (each, at) =>
          each.author !== desk &&
          ['commented', 'changes_requested'].includes(waitingReason(each, at) ?? '') &&
          reviewedBy(each, desk, at),
      ],
      ['a draft', isTheirs(['draft'])],
    ])('there is at any noon %s', (_, is) => {
      const missing = noons.filter((noon) => !openAt(noon).some((each) => is(each, noon)));

      expect(missing.map((noon) => new Date(noon).toISOString())).toEqual([]);
    });
  });

  it('has a new joiner, a leaver and somebody back from leave', () => {
    expect(Math.min(...deedsOf('zadie-k').map(weeksIn))).toBeGreaterThan(71.4);
    expect(Math.max(...deedsOf('ruben-h').map(weeksIn))).toBeLessThan(72);
    expect(
      deedsOf('tobin-a')
        .map(weeksIn)
        .filter((week) => week > 74.3 && week < 77.2),
    ).toEqual([]);
    expect(
      deedsOf('tobin-a')
        .filter((at) => at < NOW)
        .map(weeksIn)
        .filter((week) => week > 77.3),
    ).not.toEqual([]);
  });

  it('names nobody for a deleted account, and no pull request of theirs is recent', () => {
    const lost = all.filter((each) => each.author === null);
    const known = new Set(world.accounts.map((account) => account.login));

    expect(lost.length).toBeGreaterThan(10);
    expect(Math.max(...lost.map((each) => weeksIn(each.createdAt)))).toBeLessThan(34);
    expect(PEOPLE.filter((person) => person.deleted).every((person) => !known.has(person.account.login))).toBe(true);
  });

  it('has agents’ traces in people’s commits and branches', () => {
    const people = all.filter((each) => !isMachine(each.author));
    const trailers = people.filter((each) =>
      each.commits.some((commit) => /^(co-authored|assisted)-by:/im.test(commit.message)),
    );
    const branches = people.filter((each) => /^(copilot|claude|cursor|codex)\//.test(each.headRef));

    expect(trailers.length / people.length).toBeGreaterThan(0.05);
    expect(branches.length / people.length).toBeGreaterThan(0.03);
  });

  it('shows in each way who had an agent open a pull request, and of some in none', () => {
    const logins: readonly (string | null)[] = [COPILOT_AGENT, DEVIN, PATCHWISE].map(({ login }) => login);
    const agents = all.filter(({ author }) => logins.includes(author));
    const signs = {
      session: agents.filter(({ entries }) =>
        entries.some((e) => e.kind === 'other' && e.event.startsWith('copilot_')),
      ),
      line: agents.filter(({ body }) => body?.includes('Requested by: @')),
      assignee: agents.filter(({ entries }) => entries.some(({ kind }) => kind === 'assigned')),
      trailer: agents.filter(({ commits }) => commits.every(({ message }) => message.includes('Co-authored-by: '))),
    };

    for (const [sign, found] of Object.entries(signs)) expect(found.length, sign).toBeGreaterThan(5);
    const shown = Object.values(signs).reduce((sum, found) => sum + found.length, 0);
    expect(shown / agents.length).toBeGreaterThan(0.6);
    expect(shown / agents.length).toBeLessThan(0.95);
  });

  it('has people who say that an assistant helped', () => {
    const labeled = all.filter(({ entries }) =>
      entries.some((entry) => entry.kind === 'labeled' && entry.label === 'claude-code-assisted'),
    );

    expect(labeled.length).toBeGreaterThan(5);
    expect(all.filter(({ body }) => body?.includes('Generated with [Claude Code]')).length).toBeGreaterThan(10);
  });

  it('never stands still for three minutes, by day or night, from its first start on', () => {
    const moments = all
      .flatMap((each) => each.entries.map((entry) => entry.at))
      .filter((at) => at >= NOW && at < NOW + FORESIGHT)
      .sort((one, other) => one - other);

    const gaps = moments.map((at, index) => at - (moments[index - 1] ?? NOW));

    expect(Math.max(...gaps)).toBeLessThan(3 * MINUTE);
  });

  it('moves no figure of a person by the machines that keep it moving', () => {
    const still = demoWorld({ since: SINCE, now: NOW, liveFrom: NOW + 52 * WEEK });
    const before = new Map(pullRequestsOf(still).map((each) => [each.id, each.entries.length]));

    const added = all.flatMap((each) => {
      return each.entries.length === before.get(each.id) ? [] : [each];
    });
    const byPeople = (of: World) =>
      pullRequestsOf(of).reduce((sum, each) => sum + each.entries.filter((entry) => !isMachine(entry.by)).length, 0);

    expect(added.length).toBeGreaterThan(20);
    expect(byPeople(world)).toBe(byPeople(still));
    for (const each of added) {
      const standing = each.entries.filter((entry) => entry.kind === 'comment').length;
      const deleted = each.entries.filter((entry) => entry.kind === 'comment_deleted').length;
      expect(standing - deleted, each.title).toBeLessThan(20);
    }
  });
});
