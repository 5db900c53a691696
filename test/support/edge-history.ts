import { lastCalendarDays } from '#domain/calendar-days.ts';
import type { PersonRef, PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPullRequest,
  approves,
  closed,
  comments,
  draft,
  type Happening,
  merged,
  OPENED_AT,
  pending,
  pushed,
  replies,
  requestsChanges,
  says,
} from './builders.ts';
import { people, type RandomHistory, type RandomPullRequest } from './random-history.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** In days: where the windows of all figures, and the windows before them, begin. */
const EDGES = [2, 7, 14, 21, 28, 30, 35, 42, 60, 90, 180, 182, 364, 365, 730];

const folders = ['src/web/x.ts', 'docs/a/b.md', 'README.md'];

/**
 * A history in which everything happens at an edge: of each window, of the first and last day of each series in a zone, of months; everything
 * that is counted happens once at that very instant and once a second later. Some of it lies later than `now`, as when the
 * clock of the host is ahead, and some shares its instant with others, so that only the names decide the order.
 */
export function edgeHistory(now: number, zone: string): RandomHistory {
  const midnights = [1, 2, 30, 84].map((days) => lastCalendarDays(now, days, zone)[0]!.from);
  const edges = [...EDGES.map((days) => now - days * DAY), ...midnights, ...monthStarts(now)];
  const moments = edges.flatMap((at) => [at, at + 1000]);
  const planned = [
    ...moments.flatMap((at, index) => aroundAnEdge(at, index)),
    ...oddOnes(now, lastCalendarDays(now, 30, zone)[0]!.from),
  ];
  const numbered = planned.map((pull, index) => built(pull, index + 1));
  // The host may tell them in any order.
  return {
    now,
    repositories: [
      { owner: 'Acme', name: 'Web', pulls: numbered.toReversed() },
      { owner: 'acme', name: 'api', pulls: numbered.filter((_, index) => index % 3 === 0) },
      { owner: 'else', name: 'where', pulls: numbered.slice(0, 5) },
    ],
  };
}

/** The first instants of this month and the one before, in UTC, and the seconds before them. */
function monthStarts(now: number): number[] {
  const today = new Date(now);
  const starts = [0, 1].map((back) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1));
  return starts.flatMap((at) => [at - 1000, at]);
}

const hoursAfter = (at: number) => (at - OPENED_AT) / HOUR;

function opened(at: number, by: string | null, ...happenings: Happening[]): PullRequestRecord {
  return aPullRequest({ createdAt: at, author: by === null ? null : { ...personOf(by) } }, ...happenings);
}

function personOf(login: string): PersonRef {
  const person = people.find((other) => other.login === login);
  if (person === undefined) throw new Error(`Nobody is called ${login}.`);
  return person;
}

function aroundAnEdge(at: number, index: number): PullRequestRecord[] {
  const here = hoursAfter(at);
  const size = { additions: [0, 50, 51, 199, 200, 201, 500, 501, 1000, 1001][index % 10]!, deletions: 0 };
  return [
    { ...opened(at, 'ada', approves(here + 1, 'cy')), ...size },
    { ...opened(at - 20 * HOUR - index * HOUR, 'Bo', approves(here, 'cy'), merged(here)), ...size },
    {
      ...opened(
        at - 20 * DAY,
        'cy',
        requestsChanges(here - 1, 'ada'),
        pushed(here, 'Dee'),
        says(here, 'eve'),
        closed(here),
      ),
      ...size,
    },
    {
      ...opened(
        at - 400 * DAY,
        'Dee',
        pushed(here - 2 - index),
        comments(here - 1, 'eve', { threads: 4 }),
        pushed(here - 0.5, 'renovator'),
        comments(here, 'eve', { threads: 5 }),
        replies(here, 'fay'),
        approves(here, 'Copilot-like'),
      ),
      ...size,
    },
    { ...opened(at - 3 * HOUR, 'eve', pushed(here - 1), pending('Bo', 'fay', '@acme/core')), draft: index % 4 === 0 },
    { ...opened(at - 5 * HOUR, null, approves(here, 'Bo'), closed(here)), ...size },
  ];
}

function oddOnes(now: number, firstMidnight: number): PullRequestRecord[] {
  const here = hoursAfter(now);
  const edge = here - 90 * 24;
  const everybody = ['fay', 'eve', 'Dee', 'cy', 'Bo'];
  return [
    opened(
      now - 3 * DAY,
      'ada',
      ...everybody.map((login, index) => approves(here - 20 + index, login)),
      merged(here - 1),
    ),
    opened(now - 3 * DAY, 'ada', requestsChanges(here - 30, 'fay'), merged(here - 2)),
    // Waiting for review for exactly 48 hours, and a second more; and a draft, and one that ended so.
    opened(now - 9 * DAY, 'fay', requestsChanges(here - 60, 'Bo'), pushed(here - 48, 'fay')),
    opened(now - 9 * DAY, 'fay', requestsChanges(here - 60, 'Bo'), pushed(here - 48 - 1 / 3600, 'fay')),
    { ...opened(now - 9 * DAY, 'fay', draft(here - 3)), draft: true },
    opened(now - 200 * DAY, 'fay', closed(here - 100 * 24)),
    // People who did nothing else: a comment in the part of a month that a window holds, one at the edge, a review at midnight.
    opened(now - 95 * DAY, null, says(edge + 1, 'gil'), says(edge, 'ian')),
    opened(now - 40 * DAY, null, approves(hoursAfter(firstMidnight), 'hal')),
    // In that part of a month: rounds of what was closed without merging, and a review that follows up.
    opened(
      now - 95 * DAY,
      'Bo',
      requestsChanges(edge + 1, 'cy'),
      pushed(edge + 2, 'Bo'),
      comments(edge + 3, 'cy'),
      comments(edge + 4, 'cy'),
      closed(edge + 5),
    ),
    // The latest that somebody did is a comment in the code.
    inlineAt(here - 20 * 24, 'lou')(opened(now - 40 * DAY, null, approves(here - 30 * 24, 'lou'))),
    // In months that the longer windows hold as a whole: a merge without a review; a review after it, and a commit authored long
    // before, which make nobody active.
    opened(now - 60 * DAY, 'Bo', merged(here - 50 * 24), approves(here - 49 * 24, 'jon')),
    opened(now - 60 * DAY, null, pushed(here - 55 * 24, 'kai', { authoredAt: now - 500 * DAY })),
    // The host's clock is ahead.
    opened(now + 600_000, 'cy'),
    opened(now - HOUR, 'cy', says(here + 0.1, 'fay'), comments(here + 0.2, 'Dee'), pushed(here + 0.3, 'cy')),
  ];
}

/** With a comment in the code that belongs to no review. */
const inlineAt = (at: number, by: string) => (pull: PullRequestRecord) => {
  const [general] = aPullRequest({}, says(at, by)).comments;
  return {
    ...pull,
    comments: [...pull.comments, { ...general!, id: '9000', kind: 'inline' as const, path: 'src/a.ts' }],
  };
};

function built(pull: PullRequestRecord, number: number): RandomPullRequest {
  const named = (person: PersonRef | null) =>
    person === null ? null : (people.find(({ login }) => login === person.login) ?? person);
  const by = <T extends { readonly author: PersonRef | null }>(things: readonly T[]) =>
    things.map((thing) => ({ ...thing, author: named(thing.author) }));
  return {
    ...pull,
    number,
    commits: by(pull.commits).map((commit) => ({ ...commit, sha: `${number}-${commit.sha}` })),
    reviews: by(pull.reviews),
    comments: by(pull.comments),
    events: pull.events.map((event) => ({ ...event, actor: named(event.actor), reviewer: named(event.reviewer) })),
    requested: pull.requested.map((request) => ('person' in request ? { person: named(request.person)! } : request)),
    title: 'Edge',
    updatedAt: pull.createdAt + (number % 4) * DAY,
    files: [
      // Not the same folder at each edge for the same person.
      { path: folders[Math.floor(number / 7) % folders.length]!, additions: pull.additions, deletions: 0 },
    ],
  };
}
