import type { Entry, PullRequestHistory } from '../../../src/simulator/history.ts';
import { commit, DAY, HOUR, MINUTE, pull, size } from '../../../src/simulator/worlds/builder.ts';
import { type RunningProduct, startProduct } from '../../support/product.ts';

/** The repository in which everybody stands at a bound. */
export const BOUNDS_REPOSITORY = 'octo-org/bounds';

/** Whose pull requests the reviewers review: five people with five each. */
const authors = ['helped-1', 'helped-2', 'helped-3', 'helped-4', 'helped-5'];

/** How many reviews each of these gives, author by author. */
const reviewers: Readonly<Record<string, readonly number[]>> = {
  'reviews-20-of-5': [4, 4, 4, 4, 4],
  'reviews-19-of-5': [4, 4, 4, 4, 3],
  'reviews-20-of-4': [5, 5, 5, 5],
  'reviews-10-of-3': [4, 3, 3],
  'reviews-9-of-3': [3, 3, 3],
  'reviews-10-of-2': [5, 5],
  'reviews-5-of-1': [5],
  'reviews-4-of-1': [4],
};

/** How many pull requests each of these opened in the week before the last seven days, and in these. */
const openers: Readonly<Record<string, readonly [before: number, last: number]>> = {
  'opens-5-then-6': [5, 6],
  'opens-4-then-5': [4, 5],
  'opens-5-then-4': [5, 4],
  'opens-4-then-3': [4, 3],
  'opens-2-then-2': [2, 2],
};

/** On how many days each of these was active, of the last thirty, today the last; and how many of them lie between one and the next. */
const active: Readonly<Record<string, readonly [days: number, step: number]>> = {
  'streak-7': [7, 1],
  'streak-8': [8, 1],
  'active-9': [9, 3],
  'active-10': [10, 2],
  'active-19': [19, 1],
  'active-20': [20, 1],
  'active-24': [24, 1],
  'active-25': [25, 1],
};

/** How many lines each pull request has that these merged (m), closed (c) or left open (o). */
const sized: Readonly<Record<string, readonly [lines: number, end: 'm' | 'c' | 'o'][]>> = {
  sizes: [50, 51, 200, 201, 500, 501, 1_000, 1_001].map((lines) => [lines, 'm']),
  'seven-of-ten': [...Array<[number, 'm']>(7).fill([200, 'm']), ...Array<[number, 'c']>(3).fill([501, 'c'])],
  'two-of-three': [
    [200, 'm'],
    [10, 'm'],
    [501, 'c'],
  ],
  'large-1-of-10': [[501, 'm'], [500, 'm'], ...Array<[number, 'm']>(8).fill([10, 'm'])],
  'large-1-of-5': [[501, 'm'], ...Array<[number, 'm']>(4).fill([10, 'm'])],
  ...Object.fromEntries([3, 4, 5, 6, 7, 8].map((open) => [`open-${open}`, Array<[number, 'o']>(open).fill([10, 'o'])])),
};

/** How many open pull requests of these had nothing happen for seven days; one more lacks an hour to it. */
const stale: Readonly<Record<string, number>> = { 'stale-1': 1, 'stale-2': 2, 'stale-3': 3 };

/** After how many hours the one pull request of these was merged. */
const merged: Readonly<Record<string, number>> = {
  'merged-24': 24,
  'merged-25': 25,
  'merged-72': 72,
  'merged-73': 73,
  'merged-168': 168,
  'merged-169': 169,
};

/** A product on a host with one repository in which each person stands on one side of one bound; who, says the tables above. */
export async function startBoundsProduct(): Promise<RunningProduct> {
  const product = await startProduct({ world: 'tiny' });
  const people = [authors, ...[reviewers, openers, active, sized, stale, merged].map((of) => Object.keys(of))].flat();
  for (const login of people) await product.host.control('accounts', { login });
  const [owner, name] = BOUNDS_REPOSITORY.split('/');
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  await product.host.control('repos', {
    owner,
    name,
    createdAt: now - 200 * DAY,
    admins: ['mona'],
    pullRequests: history(now),
  });
  return product;
}

function history(now: number): PullRequestHistory[] {
  const pulls: PullRequestHistory[] = [];
  const open = (
    author: string,
    createdAt: number,
    entries: readonly Entry[],
    more: Partial<PullRequestHistory> = {},
  ): void => {
    const number = pulls.length + 1;
    pulls.push(pull(70_000 + number, number, `Change ${number} of ${author}`, author, createdAt, entries, more));
  };
  const mergedAt = (at: number, by: string): Entry => ({ at, by, kind: 'merged', commit: null });
  let id = 800_000;

  for (const [at, author] of authors.entries()) {
    for (let number = 0; number < 5; number++) {
      const createdAt = now - 5 * DAY - number * HOUR;
      const reviews = Object.entries(reviewers).flatMap(([by, given]): Entry[] => {
        if (number >= (given[at] ?? 0)) return [];
        id += 1;
        const review = { id, state: 'COMMENTED', bodyLength: 9, commit: null, comments: [] } as const;
        return [{ kind: 'review', by, at: createdAt + HOUR, ...review }];
      });
      open(author, createdAt, [...reviews, mergedAt(createdAt + 2 * HOUR, author)]);
    }
  }
  for (const [author, [before, last]] of Object.entries(openers)) {
    for (const [count, daysAgo] of [
      [before, 10.5],
      [last, 3.5],
    ] as const)
      for (let number = 0; number < count; number++) {
        const createdAt = now - daysAgo * DAY - number * MINUTE;
        open(author, createdAt, [mergedAt(createdAt + HOUR, author)]);
      }
  }
  for (const [author, [days, step]] of Object.entries(active)) {
    const commits = Array.from({ length: days }, (_, at) => commit(`${author}/${at}`, author, now - at * step * DAY));
    open(author, now, [], { commits });
  }
  for (const [author, changes] of Object.entries(sized)) {
    for (const [number, [lines, end]] of changes.entries()) {
      const createdAt = now - 2 * DAY + number * MINUTE;
      const ended = createdAt + HOUR;
      const entries: Entry[] =
        end === 'm' ? [mergedAt(ended, author)] : end === 'c' ? [{ at: ended, by: author, kind: 'closed' }] : [];
      open(author, createdAt, entries, { size: size(lines, 0) });
    }
  }
  for (const [author, count] of Object.entries(stale)) {
    for (let number = 0; number < count; number++) open(author, now - 8 * DAY, []);
    open(author, now - 7 * DAY + HOUR, []);
  }
  for (const [author, hours] of Object.entries(merged)) {
    open(author, now - 10 * DAY, [mergedAt(now - 10 * DAY + hours * HOUR, author)]);
  }
  // The history reaches back behind all that is compared.
  open('helped-1', now - 150 * DAY, [mergedAt(now - 149 * DAY, 'helped-1')]);
  return pulls;
}
