import type { Commit, Entry, PullRequestHistory, World } from '../history.ts';
import { createRandom, type Random, shaOf } from '../random.ts';
import { DAY, HOUR, inOrder, MINUTE, person, repository } from './builder.ts';

const PEOPLE = 60;
const YEARS = 3;
const AREAS = ['src/api', 'src/web', 'src/store', 'docs/guide', 'test/flows'];

/**
 * A world of one repository, `load/big`, with `count` pull requests spread evenly over three years before `now`: plain lives with a few
 * reviews, comments and pushes each. For benchmarks: cheap to build, the same for the same seed, and no picture of any real team.
 */
export function generatedWorld(count: number, now: number, seed: number): World {
  const random = createRandom(seed);
  const people = Array.from({ length: PEOPLE }, (_, index) => person(`dev-${index + 1}`, { id: 1_000 + index }));
  const logins = people.map(({ login }) => login);
  const start = now - YEARS * 365 * DAY;
  const step = (now - start) / (count + 1);
  const pulls = Array.from({ length: count }, (_, index) => {
    const createdAt = Math.floor((start + step * (index + 1)) / 1000) * 1000;
    return life(index + 1, createdAt, now, logins, random);
  });
  return {
    name: 'generated',
    accounts: [...people, person('load', { type: 'Organization', id: 999 })],
    teams: [],
    repositories: [repository(500, 'load/big', start, pulls, { readers: logins, admins: ['dev-1'] })],
    signIn: logins.slice(0, 5),
  };
}

/** A plain life of a pull request among people: some reviews and pushes, and mostly an end. Its id is `firstId` plus its number. */
export function life(
  number: number,
  createdAt: number,
  now: number,
  logins: readonly string[],
  random: Random,
  firstId = 10_000_000,
): PullRequestHistory {
  const author = random.pick(logins);
  const others = logins.filter((login) => login !== author);
  const id = firstId + number;
  const entries: Entry[] = [];
  const before = random.between(1, 4);
  const commits: Commit[] = Array.from({ length: before }, (_, index) =>
    made(`${id}/${index}`, author, createdAt - (before - 1 - index) * 10 * MINUTE),
  );
  let at = createdAt;
  const reviewer = random.pick(others);
  entries.push({ at: at + MINUTE, by: author, kind: 'review_requested', reviewer: { account: reviewer } });
  for (let round = random.between(0, 3); round > 0; round -= 1) {
    at += random.between(1, 40) * HOUR;
    const review = id * 10 + round;
    const comments = Array.from({ length: random.between(0, 3) }, (_, index) => ({
      id: review * 10 + index,
      at,
      author: reviewer,
      path: 'src/api/main.ts',
      inReplyTo: null,
    }));
    const state = random.pick(['COMMENTED', 'CHANGES_REQUESTED', 'APPROVED'] as const);
    entries.push({
      at,
      by: reviewer,
      kind: 'review',
      id: review,
      state,
      bodyLength: random.between(0, 90),
      comments,
      commit: null,
    });
    at += random.between(1, 12) * HOUR;
    entries.push({ at, by: author, kind: 'commits', commits: [made(`${id}/r${round}`, author, at)] });
  }
  if (random.chance(0.5)) entries.push({ at: at + MINUTE, by: random.pick(logins), kind: 'comment', id: id * 10 + 9 });
  const end = at + random.between(1, 60) * HOUR;
  if (random.chance(0.85)) entries.push({ at: end, by: reviewer, kind: 'merged', commit: shaOf(`${id}/merge`) });
  else if (random.chance(0.6)) entries.push({ at: end, by: author, kind: 'closed' });
  const additions = random.between(1, 400);
  const deletions = random.between(0, 200);
  return {
    id,
    number,
    title: `Change ${number} of ${random.pick(AREAS)}`,
    author,
    createdAt,
    openedAsDraft: false,
    baseRef: 'main',
    headRef: `change-${number}`,
    bodyLength: random.between(0, 500),
    commits,
    size: {
      additions,
      deletions,
      files: [{ path: `${random.pick(AREAS)}/part-${number % 97}.ts`, additions, deletions }],
    },
    // What lies after the present hasn't happened in this world: it stands still.
    entries: inOrder(entries.filter((entry) => entry.at <= now)),
  };
}

function made(sha: string, login: string, at: number): Commit {
  return {
    sha: shaOf(sha),
    account: login,
    authorName: login,
    authorEmail: `${login}@mail.example`,
    authoredAt: at,
    committedAt: at,
    message: 'Change a thing',
  };
}
