import { type RunningProduct, startProduct } from '../../support/product.ts';
import { TEAM_REPOSITORY } from './team.ts';

const HOUR = 3_600_000;

type Entry = Readonly<Record<string, unknown>>;

/** What happened `hours` ago. */
export const ago = (hours: number, kind: string, by: string, more: Entry = {}): Entry => ({
  at: Date.now() - hours * HOUR,
  kind,
  by,
  ...more,
});

const reviewed = (hours: number, by: string, state: string, comments = 0, bodyLength = 0) =>
  ago(hours, 'review', by, { state, bodyLength, comments: Array.from({ length: comments }, () => ({})) });

/** Lines in so many files. */
const lines = (additions: number, deletions: number, files = 1) => ({
  size: {
    additions,
    deletions,
    files: Array.from({ length: files }, (_, index) => ({
      path: `src/part-${index}.ts`,
      additions: index === 0 ? additions : 0,
      deletions: index === 0 ? deletions : 0,
    })),
  },
});

/** The agent that reviews one of the pull requests below. */
export const AGENT = 'copilot-pull-request-reviewer[bot]';

/** The numbers of the pull requests below. */
export const PULLS = { full: 6, atBounds: 7, overBounds: 8, talk: 9, long: 10, draft: 11 } as const;

/**
 * A host with one repository whose pull requests can be reckoned in the head, and the product on it.
 *
 * - #1 to #5 were merged after 10, 20, 30, 40 and 50 hours, in this order, 12 lines each, the last one by ada, the others by ben.
 * - #6 by ada, 150 lines added and 50 deleted: 10 h a draft, an agent's review, ben asks for changes after 6 h, ada pushes after 14 h,
 *   cleo approves after 10 h, merged 3 h later.
 * - #7 of 199 lines, 20 files and 10 commits, closed; #8 of 200 lines, 21 files and 11 commits, open.
 * - #9: handoffs of 3.9, 4 and 24 hours, then eight of a minute each.
 * - #10: three thousand comments, a minute apart.
 * - #11: a draft.
 * - #12 by ben: four rounds of cleo's, merged after an hour.
 */
export async function startDeepDiveProduct(): Promise<RunningProduct> {
  const product = await startProduct({ world: 'tiny' });
  const { host } = product;
  for (const login of ['ada', 'ben', 'cleo']) await host.control('accounts', { login });
  await host.control('accounts', { login: AGENT, type: 'Bot' });
  const [owner, name] = TEAM_REPOSITORY.split('/');
  await host.control('repos', { owner, name, createdAt: Date.now() - 200 * 24 * HOUR, readers: [], admins: ['mona'] });

  const pulls = `repos/${TEAM_REPOSITORY}/pulls`;
  const open = async (author: string, title: string, hours: number, more: Entry, ...entries: readonly Entry[]) => {
    const made = await host.control(pulls, { author, title, createdAt: Date.now() - hours * HOUR, ...more });
    if (entries.length > 0) await host.control(`${pulls}/${(made as { number: number }).number}/entries`, entries);
  };
  const commits = (count: number, hours: number) => ago(hours, 'commits', 'ada', { count });

  for (const [index, length] of [10, 20, 30, 40, 50].entries()) {
    const author = index === 4 ? 'ada' : 'ben';
    const end = 400 - index * 10;
    await open(author, `Part ${index + 1}`, end + length, {}, ago(end, 'merged', author));
  }
  // Pushes are gathered by the day: the first two fall in the forenoon, whatever the hour is now.
  const noon = (Date.now() / HOUR - 12) % 24;
  const before = (hours: number) => noon + hours;
  await open(
    'ada',
    'Post settlement entries in one transaction',
    before(100),
    { openedAsDraft: true, ...lines(150, 50) },
    commits(3, before(99)),
    ago(before(90), 'ready_for_review', 'ada'),
    ago(before(90), 'review_requested', 'ada', { reviewer: { account: 'ben' } }),
    reviewed(before(89.9), AGENT, 'COMMENTED', 2, 20),
    reviewed(before(84), 'ben', 'CHANGES_REQUESTED', 5, 20),
    commits(1, before(70)),
    ago(before(69.5), 'check', 'ada', {
      startedAt: Date.now() - before(69.5) * HOUR,
      outcome: 'FAILURE',
      name: 'build and tests',
    }),
    reviewed(before(60), 'cleo', 'APPROVED', 0, 20),
    ago(before(57), 'merged', 'ada'),
  );
  await open('ben', 'At the bounds', 50, lines(149, 50, 20), commits(9, 49), ago(30, 'closed', 'ben'));
  await open('ben', 'Over the bounds', 50, lines(150, 50, 21), commits(10, 49));
  await open(
    'ada',
    'Talk it over',
    200,
    {},
    ago(196.1, 'comment', 'ben'),
    ago(192.1, 'comment', 'cleo'),
    ago(168.1, 'comment', 'ben'),
    ...Array.from({ length: 8 }, (_, index) => ago(168 - index / 60, 'comment', index % 2 === 0 ? 'cleo' : 'ben')),
  );
  await open(
    'ada',
    'A very long conversation',
    100,
    {},
    ...Array.from({ length: 3000 }, (_, index) => ago(99 - index / 60, 'comment', index % 2 === 0 ? 'ben' : 'cleo')),
  );
  await open('ada', 'Not yet', 5, { openedAsDraft: true });
  await open(
    'ben',
    'Four rounds in an hour',
    3,
    {},
    ...[2.9, 2.7, 2.5].flatMap((hours) => [
      reviewed(hours, 'cleo', 'COMMENTED', 1, 20),
      ago(hours - 0.1, 'commits', 'ben', { count: 1 }),
    ]),
    reviewed(2.3, 'cleo', 'APPROVED'),
    ago(2, 'merged', 'ben'),
  );
  return product;
}
