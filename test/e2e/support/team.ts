import type { Page } from 'playwright';
import { expect } from 'vitest';
import { type RunningProduct, startProduct } from '../../support/product.ts';

const HOUR = 3_600_000;

/** The repository of the team below. */
export const TEAM_REPOSITORY = 'octo-org/work';

type Entry = Readonly<Record<string, unknown>>;

/** What happened `hours` ago. */
export const ago = (hours: number, kind: string, by: string, more: Entry = {}): Entry => ({
  at: Date.now() - hours * HOUR,
  kind,
  by,
  ...more,
});
export const asked = (hours: number, by: string, account: string) =>
  ago(hours, 'review_requested', by, { reviewer: { account } });
export const askedTeam = (hours: number, by: string, team: string) =>
  ago(hours, 'review_requested', by, { reviewer: { team } });
export const reviewed = (hours: number, by: string, state: string, comments = 0) =>
  ago(hours, 'review', by, { state, bodyLength: 20, comments: Array.from({ length: comments }, () => ({})) });

/**
 * A host with one repository whose figures can be reckoned in the head, and the product on it.
 *
 * - ada has six open pull requests, five of them stuck: #1 never reviewed (8 days), #2 changes requested by ben, #3 approved by ben, #4 a draft,
 *   #5 updated after ben's review; #6 is a day old. cleo is asked for the review of all but the draft.
 * - ben merged three after 100 hours each, which cleo had approved at once, two hours after they were opened.
 * - cleo merged one after 10 hours, which ben had approved; ben left six comments there.
 * - dependabot[bot] has one open for four days.
 */
export async function startTeamProduct(
  settings: Readonly<Record<string, string | undefined>> = {},
): Promise<RunningProduct> {
  const product = await startProduct({ world: 'tiny' }, settings);
  const { host } = product;
  for (const [login, name] of [
    ['ada', 'Ada Quill'],
    ['ben', null],
    ['cleo', 'Cleo March'],
  ])
    await host.control('accounts', { login, name });
  const [owner, name] = TEAM_REPOSITORY.split('/');
  await host.control('repos', { owner, name, createdAt: Date.now() - 200 * 24 * HOUR, readers: [], admins: ['mona'] });

  const pulls = `repos/${TEAM_REPOSITORY}/pulls`;
  const open = async (author: string, title: string, hours: number, more: Entry, ...entries: readonly Entry[]) => {
    const made = await host.control(pulls, { author, title, createdAt: Date.now() - hours * HOUR, ...more });
    if (entries.length > 0) await host.control(`${pulls}/${(made as { number: number }).number}/entries`, entries);
  };
  await open('ada', 'Store the ledger in one table', 192, {}, asked(191, 'ada', 'cleo'));
  await open(
    'ada',
    '=HYPERLINK("Split the checkout")',
    150,
    {},
    asked(149, 'ada', 'cleo'),
    reviewed(100, 'ben', 'CHANGES_REQUESTED', 1),
  );
  await open('ada', 'Print labels on both sides', 120, {}, asked(119, 'ada', 'cleo'), reviewed(90, 'ben', 'APPROVED'));
  await open('ada', 'Try another queue', 110, { openedAsDraft: true });
  await open(
    'ada',
    'Round prices at the end',
    100,
    {},
    asked(99, 'ada', 'cleo'),
    reviewed(80, 'ben', 'COMMENTED'),
    ago(60, 'commits', 'ada'),
  );
  await open('ada', 'Say when a parcel arrives', 24, {}, asked(23, 'ada', 'cleo'));
  for (const days of [12, 10, 6]) {
    const opened = days * 24;
    await open(
      'ben',
      `Move the cart, part ${13 - days}`,
      opened,
      {},
      reviewed(opened - 2, 'cleo', 'APPROVED'),
      ago(opened - 100, 'merged', 'ben'),
    );
  }
  await open('cleo', 'Count the parcels', 60, {}, reviewed(55, 'ben', 'APPROVED', 6), ago(50, 'merged', 'cleo'));
  await open('dependabot[bot]', 'Bump the date library', 96, {});
  return product;
}

/** Signs mona in with a token and stays where the page is. */
export async function signInAsMona(page: Page, product: RunningProduct): Promise<void> {
  const answer = await page.request.post(`${product.url}/auth/token`, {
    headers: { origin: product.url },
    data: { token: 'ghp_mona' },
  });
  expect(answer.status()).toBe(200);
}

/** Connects the team's repository, or another one, for whoever is signed in and waits until all of it is there. */
export async function connectAndSync(
  page: Page,
  product: RunningProduct,
  repository: string = TEAM_REPOSITORY,
): Promise<void> {
  const headers = { origin: product.url };
  const [owner, name] = repository.split('/');
  const connected = await page.request.post(`${product.url}/api/repos`, { headers, data: { owner, name } });
  const { id } = (await connected.json()) as { id: number };
  await page.request.post(`${product.url}/api/sync-repo-complete`, { headers, data: { repoId: id, mode: 'full' } });
  const giveUpAt = Date.now() + 90_000;
  for (let status = ''; status !== 'completed'; ) {
    if (status === 'failed' || Date.now() > giveUpAt) throw new Error(`The sync of ${repository} is ${status}.`);
    await new Promise((later) => setTimeout(later, 250));
    const sync = await page.request.get(`${product.url}/api/sync-repo-complete?repoId=${id}`);
    status = ((await sync.json()) as { status: string }).status;
  }
}

/** Answers the browser's calls to a path with a failure, until it is undone. */
export async function failing(page: Page, path: string, body: object | string): Promise<() => Promise<void>> {
  // By a pattern, which is the same again: what a try before left is taken back with it.
  const matches = new RegExp(`^\\w+://[^/]+${RegExp.escape(path)}(\\?|$)`);
  await page.route(matches, (route) =>
    route.fulfill({
      status: 500,
      contentType: typeof body === 'string' ? 'text/plain' : 'application/json',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
  return () => page.unroute(matches);
}
