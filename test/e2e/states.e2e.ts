import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { clearPage, inspect, openPage, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

type Reach = (page: Page) => Promise<unknown>;

const menuOf =
  (name: string): Reach =>
  async (page) => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('menuitem').first().waitFor();
  };
/** Lets the browser hear this of the connected repository. */
const connected =
  (more: object): Reach =>
  (page) =>
    page.route('**/api/repos', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const answer = await route.fetch();
      const all = (await answer.json()) as object[];
      await route.fulfill({ json: all.map((one) => ({ ...one, ...more })) });
    });
const moments = { checked_at: new Date(Date.now() - 3_600_000).toISOString(), next_check_at: new Date().toISOString() };
const access = { link: null, ...moments };
const checking = 'Checking what your account may read …';
const lost = 'GitHub no longer shows octo-org/work to your account. With access again it comes back by itself.';
const chooseRepository = async (page: Page, name: string, press: string) => {
  await page.getByLabel('Repository name').fill(name);
  await page.getByRole('button', { name: press }).click();
};

/**
 * What a screen or the shell around it can look like besides its usual self: a name for the pictures, where, how it comes to be, and what the
 * page is to be answered for that.
 */
const states: readonly (readonly [name: string, path: string, reach: Reach, answered?: Reach])[] = [
  ['sync-menu', '/reviewer-stats', menuOf('Sync')],
  ['account-menu', '/reviewer-stats', menuOf('Account of mona')],
  [
    'search-popular',
    '/reviewer-stats',
    async (page) => {
      await page.getByRole('combobox', { name: 'Search contributors' }).focus();
      await page.getByText('Popular Contributors').waitFor();
      await page.keyboard.press('ArrowDown');
    },
  ],
  [
    'search-nobody',
    '/reviewer-stats',
    async (page) => {
      await page.getByRole('combobox', { name: 'Search contributors' }).fill('zebedee');
      await page.getByText('No contributors found for "zebedee"').waitFor();
    },
  ],
  [
    'held-back-strip',
    '/reviewer-stats',
    async (page) => {
      await page.route('**/api/reviewer-stats*', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '30' },
          json: { error: 'Too many requests.', code: 'too_many_requests', request_id: 'r' },
        }),
      );
      await page.reload();
      await page.getByText('Too many requests at once. This page goes on by itself in a moment.').waitFor();
    },
  ],
  [
    'updating-strip',
    '/reviewer-stats',
    (page) => page.getByText('are being counted and left out until that is done: 41 %, about 3 minutes.').waitFor(),
    connected({ counting: { percentage: 41, seconds_left: 170 } }),
  ],
  [
    'checking-strip',
    '/reviewer-stats',
    (page) => page.getByRole('status').getByText(checking).waitFor(),
    connected({ access: { ...access, state: 'checking', reason: checking } }),
  ],
  [
    'settings-checking',
    '/settings',
    (page) => page.getByText('Checking', { exact: true }).waitFor(),
    connected({ access: { ...access, state: 'checking', reason: checking } }),
  ],
  [
    'dashboard-withheld',
    '/dashboard',
    (page) => page.getByText('Your account may read none of your connected repositories at the moment.').waitFor(),
    connected({ access: { ...access, state: 'lost', reason: lost } }),
  ],
  [
    'settings-withheld',
    '/settings',
    (page) => page.getByText(lost).waitFor(),
    connected({ access: { ...access, state: 'lost', reason: lost, link: 'https://github.com/orgs/x/sso' } }),
  ],
  [
    'disk-full',
    '/settings',
    (page) => page.getByText(/^The disk is full\. You can read everything/).waitFor(),
    async (page) => {
      const full = { 'x-disk-full': '1' };
      for (const path of ['**/api/**', '**/auth/**', '**/readyz'])
        await page.route(path, async (route) => {
          if (route.request().resourceType() === 'eventsource') return route.continue();
          const answer = await route.fetch();
          await route.fulfill({ response: answer, headers: { ...answer.headers(), ...full } });
        });
    },
  ],
  [
    'settings-marks',
    '/settings',
    (page) => page.getByText(/^for everyone, by sanna-h/).waitFor(),
    async (page) => {
      const mark = {
        display_name: null,
        avatar_url: null,
        set_at: new Date(Date.now() - 3 * 86_400_000).toISOString(),
      };
      await page.route('**/api/account-kinds', (route) =>
        route.fulfill({
          json: [
            { ...mark, username: 'brasswick-release', kind: 'bot', set_by: 'sanna-h', own: false, counting: false },
            {
              ...{ ...mark, username: 'ada', display_name: 'Ada Quill', kind: 'human' },
              ...{ set_by: 'mona', own: true, counting: true },
            },
            { ...mark, username: 'patchwise[bot]', kind: 'agent', set_by: null, own: false, counting: false },
          ],
        }),
      );
    },
  ],
  [
    'explain',
    '/dashboard',
    async (page) => {
      await page.getByRole('button', { name: 'Merge rate', exact: true }).press('Enter');
      await page.getByRole('dialog').getByText('Based on').first().waitFor();
    },
  ],
  [
    'shortcuts',
    '/reviewer-stats',
    async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'offline',
    '/reviewer-stats',
    async (page) => {
      await page.context().setOffline(true);
      await page.getByText(/^You are offline\./).waitFor();
    },
  ],
  [
    'banners',
    '/reviewer-stats',
    async (page) => {
      const undo = await failing(page, '/api/sync-repo-complete', {
        error: 'The host is away.',
        code: 'x',
        request_id: 'r',
      });
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await page.getByRole('menuitem', { name: /^Smart sync/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('alert').getByText('octo-org/work: The host is away. (failed after 3 attempts)').waitFor();
      await page.mouse.move(0, 0);
      await undo();
    },
    connected({ last_synced_at: new Date(Date.now() - 3 * 86_400_000).toISOString() }),
  ],
  [
    'something-went-wrong',
    '/contributors',
    async (page) => {
      await page.route('**/assets/settings-*.js', (route) => route.fulfill({ status: 404 }));
      await page.getByRole('button', { name: 'Account of mona' }).click();
      await page.getByRole('menuitem', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    },
  ],
  [
    'settings-webhook-silent',
    '/settings',
    async (page) => {
      await page.getByText('No webhook deliveries yet').waitFor();
      await page.getByRole('button', { name: 'Webhook set-up' }).click();
      await page.getByText('Waiting for the first delivery').waitFor();
    },
    connected({ webhook_active: false }),
  ],
  [
    'settings-webhook-delivers',
    '/settings',
    async (page) => {
      await page.getByText('Last webhook delivery just now').waitFor();
      await page.getByRole('button', { name: 'Webhook set-up' }).click();
      await page.getByText('Deliveries arrive').waitFor();
    },
    (page) => connected({ webhook_active: true, webhook_last_delivery_at: new Date().toISOString() })(page),
  ],
  [
    'settings-remove',
    '/settings',
    async (page) => {
      await page.getByRole('button', { name: 'Remove octo-org/work' }).click();
      const undo = await failing(page, '/api/repos/1', { error: 'Not now.', code: 'x', request_id: 'r' });
      await page.getByRole('dialog').getByRole('button', { name: 'Remove repository' }).click();
      await page.getByText(/^Failed to delete repository\. Not now\./).waitFor();
      await undo();
    },
  ],
  [
    'add-repository-readable',
    '/add-repo',
    async (page) => {
      await chooseRepository(page, 'octo-org/hello', 'Test Access');
      await page.getByText('octo-org/hello, public').waitFor();
    },
  ],
  [
    'add-repository-not-readable',
    '/add-repo',
    async (page) => {
      await chooseRepository(page, 'octo-org/no-such-thing', 'Test Access');
      await page.getByText(/^Cannot access repository: /).waitFor();
    },
  ],
  [
    'add-repository-test-failed',
    '/add-repo',
    async (page) => {
      const undo = await failing(page, '/api/test-github-access', '');
      await chooseRepository(page, 'octo-org/hello', 'Test Access');
      await page.getByText(/^Failed to test GitHub access/).waitFor();
      await undo();
    },
  ],
  [
    'add-repository-first-sync',
    '/add-repo',
    async (page) => {
      const answer = await page.request.get('/api/sync-repo-complete?repoId=1');
      const calm = (await answer.json()) as { readonly progress: object };
      const progress = {
        ...calm.progress,
        current_phase: 'fetching_prs',
        percentage: 40,
        processed_prs: 4,
        total_prs: 11,
      };
      await page.route('**/api/sync-repo-complete*', (route) =>
        route.fulfill({ json: { ...calm, status: 'running', is_complete: false, progress } }),
      );
      await chooseRepository(page, 'octo-org/hello', 'Add Repository');
      await page.getByRole('button', { name: 'Stay here' }).click();
      await page.getByText('4 of 11 PRs').waitFor();
    },
  ],
];

describe('every state of the shell, the settings and adding a repository', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
  });
  afterEach(() => clearPage(page));
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const each = states.map(([name, path, reach, answered = null]) => [name, path, reach, answered] as const);
  it.each(each)('%s is accessible and fits every width, light and dark', async (name, path, reach, answered) => {
    await answered?.(page);
    await page.goto(path);
    await titleShown(page);
    await expect.poll(() => page.locator('[aria-hidden="true"][class*="skeleton"]').count()).toBe(0);
    await reach(page);
    await inspect(page, name, { aState: true });
  });

  it.each([
    ['/login', 'Mergelight'],
    ['/dashboard', 'Engineering Metrics Dashboard'],
  ])('%s is so too while it is not known who is looking', async (path, heading) => {
    let answer = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/auth/me', async (route) => {
      await answering;
      await route.continue();
    });
    await page.goto(path);
    await page.getByRole('main').getByRole('status').getByText('Loading').waitFor({ state: 'attached' });
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    await inspect(page, `loading-${path.slice(1)}`, { aState: true });
    answer();
    await titleShown(page);
  });

  it.each([
    ['refuses', { status: 503, json: { error: 'The database is away.', code: 'x', request_id: '7f3c91' } }],
    ['does not answer', null],
  ] as const)('a server that %s at first is told apart from having to sign in', async (name, refusal) => {
    const away = refusal === null ? '**/auth/*' : '**/auth/me';
    let checks = 0;
    await page.route(away, (route) => {
      if (route.request().url().endsWith('/auth/me')) checks += 1;
      return refusal === null ? route.abort('timedout') : route.fulfill(refusal);
    });
    await page.goto('/stuck-prs?turn=author');
    const told =
      refusal === null
        ? /^The ways to sign in could not be fetched$/
        : /^It could not be checked whether you are signed in\. The database is away\. Request 7f3c91\.$/;
    await page.getByText(told).waitFor();
    await inspect(page, `unchecked-${name.replaceAll(' ', '-')}`, { aState: true });
    const again = page.getByRole('button', { name: /^(Check again|Retry)$/ });
    await again.click();
    await expect.poll(() => checks).toBe(2);
    await page.getByText(told).waitFor();
    await page.unroute(away);
    await again.click();
    await titleShown(page);
    expect(page.url()).toBe(`${product.url}/stuck-prs?turn=author`);
  });

  it('says of every part that could not be fetched again that it is what was fetched before, why, and tries again', async () => {
    const made = await page.request.post('/api/teams', { headers: { origin: product.url }, data: { name: 'Us' } });
    const { id } = (await made.json()) as { id: number };
    onTestFinished(async () => {
      await page.request.delete(`/api/teams/${id}`, { headers: { origin: product.url } });
    });
    for (const [path, call, words] of [
      ['/my-work', '/api/my-work', 'Failed to fetch your work'],
      ['/health', '/api/health', 'Failed to fetch review health'],
      ['/ai', '/api/ai/reviewers', 'Failed to fetch AI figures'],
      ['/ai?tab=authors', '/api/ai/authorship', 'Failed to fetch AI figures'],
      ['/teams', '/api/trends', 'Failed to fetch trends'],
      ['/trends', '/api/trends', 'Failed to fetch trends'],
      ['/trends', '/api/notes', 'Failed to fetch notes'],
      [`/team/${id}`, `/api/teams/${id}/view`, 'Failed to fetch the team’s view'],
      [`/team/${id}`, `/api/teams/${id}`, 'Failed to fetch the team'],
    ] as const) {
      const before = page.waitForResponse((response) => new URL(response.url()).pathname === call);
      await page.goto(path);
      await titleShown(page);
      await (await before).finished();
      await page.waitForLoadState('networkidle');
      const undo = await failing(page, call, { error: 'Not now.', code: 'x', request_id: 'r' });
      await page.getByRole('button', { name: 'Refresh Data' }).click();
      const old = page.getByText('This is what was fetched before.');
      const told = old.filter({ hasText: `${words}. Not now. Request r.` });
      await expect.poll(() => told.count(), { message: call }).toBe(call.endsWith('/view') ? 4 : 1);
      await undo();
      await page.getByRole('button', { name: 'Retry' }).first().click();
      await expect.poll(() => old.count(), { message: call }).toBe(0);
    }
  });

  it('the drawer and the dialog of a failed sync are so too', async () => {
    await page.setViewportSize({ width: 700, height: 900 });
    await page.goto('/reviewer-stats');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Mergelight' }).waitFor();
    await inspect(page, 'drawer', { aState: true });

    await page.goto('/reviewer-stats');
    await page.route('**/api/sync-repo-complete', (route) =>
      route.fulfill({ status: 422, json: { error: 'Token lacks access', code: 'host_refused', request_id: '7f3c91' } }),
    );
    await page.getByRole('button', { name: 'Sync', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Smart sync/ }).click();
    await page
      .getByRole('dialog')
      .getByText(/Sync completed with errors:/)
      .waitFor();
    await inspect(page, 'sync-dialog-failed', { aState: true });
  });
});
