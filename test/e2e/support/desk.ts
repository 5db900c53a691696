import type { Page } from 'playwright';
import { type RunningProduct, startProduct } from '../../support/product.ts';
import { ago, asked, askedTeam, connectAndSync, reviewed, signInAsMona } from './team.ts';

const HOUR = 3_600_000;

/** The repository with work for mona. */
export const DESK_REPOSITORY = 'octo-org/desk';

/** What is open there, by what it is to mona. */
export const deskTitles = {
  review: 'Store the ledger in one table',
  reviewLater: 'Say when a parcel arrives',
  reviewAgain: 'Round prices at the end',
  author: 'Keep the manifest when the upload is retried',
  merge: 'Explain the payout hold on the statement page',
  team: 'Hold the payout for split payouts',
  yours: 'Retry the webhook when the ledger is read only',
  reviewed: 'Print labels on both sides',
  draft: 'Try another queue',
  nobody: 'Count the parcels twice',
} as const;

/** What opens, and then what of it is asked or done; the number of each is its place, from 1. */
const pullRequests: readonly (readonly [
  keyof typeof deskTitles,
  author: string,
  hours: number,
  more: object,
  ...object[],
])[] = [
  ['review', 'ada', 100, {}, asked(99, 'ada', 'mona')],
  ['reviewLater', 'ben', 6, {}, asked(5, 'ben', 'mona')],
  [
    'reviewAgain',
    'ada',
    50,
    {},
    asked(49, 'ada', 'mona'),
    reviewed(30, 'mona', 'COMMENTED'),
    ago(20, 'commits', 'ada'),
  ],
  [
    'author',
    'mona',
    40,
    {},
    asked(39, 'mona', 'cleo'),
    ago(39, 'check', 'octo', { name: 'build', outcome: 'FAILURE' }),
    reviewed(10, 'cleo', 'CHANGES_REQUESTED', 1),
  ],
  [
    'merge',
    'mona',
    80,
    {},
    ago(79, 'check', 'octo', { name: 'build', outcome: 'SUCCESS' }),
    reviewed(60, 'cleo', 'APPROVED'),
  ],
  ['team', 'ben', 9, {}, askedTeam(8, 'ben', 'greeters')],
  ['yours', 'mona', 80, {}, asked(79, 'mona', 'ben'), asked(79, 'mona', 'cleo')],
  ['reviewed', 'ada', 35, {}, asked(34, 'ada', 'mona'), reviewed(30, 'mona', 'CHANGES_REQUESTED', 1)],
  ['draft', 'mona', 200, { openedAsDraft: true }],
  ['nobody', 'ada', 7, {}],
];

export const deskNumber = (title: keyof typeof deskTitles) => pullRequests.findIndex(([own]) => own === title) + 1;

/**
 * A host on which mona has something of every kind to do, over 48 hours a review and a merge, and the product on it: the repository and the
 * team that she is in are imported, and the host delivers what happens.
 */
export async function startDesk(): Promise<RunningProduct> {
  const product = await startProduct({ world: 'tiny' }, { DEMO: 'false' });
  const { host } = product;
  for (const [login, name] of [
    ['ada', 'Ada Quill'],
    ['ben', null],
    ['cleo', 'Cleo March'],
  ])
    await host.control('accounts', { login, name });
  const [owner, name] = DESK_REPOSITORY.split('/');
  await host.control('organizations/octo-org', { members: { mona: 'MEMBER', ben: 'MEMBER' } }, 'PATCH');
  await host.control('teams/octo-org/greeters', { members: { mona: 'MEMBER' } }, 'PATCH');
  await host.control('repos', { owner, name, createdAt: Date.now() - 300 * HOUR, readers: [], admins: ['mona'] });
  for (const [title, author, hours, more, ...entries] of pullRequests) {
    const createdAt = Date.now() - hours * HOUR;
    const pull = { author, title: deskTitles[title], createdAt, ...more };
    const { number } = (await host.control(`repos/${DESK_REPOSITORY}/pulls`, pull)) as { number: number };
    if (entries.length > 0) await happens(product, number, ...entries);
  }
  return product;
}

/** Something happens on the host; without `at` it happens now. */
export async function happens(product: RunningProduct, number: number, ...entries: readonly object[]): Promise<void> {
  await product.host.control(`repos/${DESK_REPOSITORY}/pulls/${number}/entries`, entries);
}

/** Signs mona in, connects the repository, imports her team and has the host deliver. */
export async function sitDown(page: Page, product: RunningProduct): Promise<void> {
  await signInAsMona(page, product);
  const headers = { origin: product.url };
  await connectAndSync(page, product, DESK_REPOSITORY);
  await page.request.post('/api/teams/import', { headers, data: { organisation: 'octo-org', all: true } });
  const [repository] = (await (await page.request.get('/api/repos')).json()) as { id: number }[];
  await page.request.post(`/api/repos/${repository?.id}/webhook`, { headers });
}
