import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the settings', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const repositories = () => page.getByRole('list', { name: 'Connected repositories' });

  it('lead to the first repository when there is none', async () => {
    await page.goto('/settings');
    await page.getByText('Connect Your First Repository').waitFor();

    await expect.poll(() => page.getByRole('link', { name: 'Add Repository', exact: true }).count()).toBe(2);
  });

  it('show the account and the connected repositories with their state', async () => {
    await connectAndSync(page, product);
    await page.goto('/settings');
    const row = repositories().getByRole('listitem');
    await row.getByText('octo-org/work').waitFor();

    await expect.poll(() => page.getByRole('region', { name: 'Account' }).innerText()).toMatch(/Username\s+mona/);
    await expect.poll(() => row.innerText()).toMatch(/Connected[\s\S]*11 pull requests[\s\S]*Synced [\s\S]* ago/);
    await expect.poll(() => row.innerText()).toContain('No webhook deliveries yet');
    await inspect(page, 'settings');
  });

  it('show the webhook set-up again, the secret only when asked', async () => {
    await page.getByRole('button', { name: 'Webhook set-up' }).click();
    await page.getByText('Pull requests, Pull request reviews').waitFor();

    await expect.poll(() => page.getByText(`${product.url}/webhooks/github/`).count()).toBe(1);
    await page.getByRole('button', { name: 'Show Secret' }).waitFor();
    await page.getByRole('button', { name: 'Hide webhook' }).click();
    await page.getByText('Pull requests, Pull request reviews').waitFor({ state: 'hidden' });
  });

  it('keep the time zone', async () => {
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await expect
      .poll(
        async () =>
          ((await (await page.request.get(`${product.url}/auth/me`)).json()) as { time_zone: string }).time_zone,
      )
      .toBe('Asia/Tokyo');
    await page.reload();
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
  });

  it('say when a time zone could not be kept', async () => {
    const undo = await failing(page, '/auth/me', { error: 'Not now.', code: 'x', request_id: 'r-2' });
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByText('Not now. Request r-2.').waitFor();
    await undo();
  });

  it('choose the colours, and a reload keeps them', async () => {
    await page.getByText('Dark', { exact: true }).click();
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    await expect.poll(scheme).toBe('dark');
    await page.reload();
    await page.getByText('octo-org/work').waitFor();
    expect(await scheme()).toBe('dark');
    await page.getByText('As the system', { exact: true }).click();
    await expect.poll(scheme).toBe('light');
  });

  it('switch the single-key shortcuts off', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'All shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.waitForTimeout(300);

    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('Single-key shortcuts').check();
  });

  it('mark an account, list it and take the mark back', async () => {
    await page.getByLabel('Username').fill('ben');
    await page.getByLabel('is a').selectOption('agent');
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    const marked = page.getByRole('list', { name: 'Marked accounts' }).getByRole('listitem');
    await marked.getByText('Agent').waitFor();
    await expect.poll(() => marked.innerText()).toMatch(/ben[\s\S]*Agent[\s\S]*by mona/);

    await page.getByRole('button', { name: 'Undo the mark of ben' }).click();
    await page.getByText('No account is marked.').waitFor();
  });

  it('say that nobody is called so', async () => {
    await page.getByLabel('Username').fill('nobody-at-all');
    await page.getByRole('button', { name: 'Mark', exact: true }).click();

    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('nobody-at-all');
  });

  it('remove a repository only after asking, and say what goes with it', async () => {
    await page.getByRole('button', { name: 'Remove octo-org/work' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Are you sure you want to remove this repository?').waitFor();
    await dialog.getByText(/^Its 11 pull requests leave your dashboards/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => repositories().getByRole('listitem').count()).toBe(1);
    const remove = page.getByRole('button', { name: 'Remove octo-org/work' });
    await expect.poll(() => remove.evaluate((button) => button === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove repository' }).press('Enter');
    await page.getByText('Connect Your First Repository').waitFor();
    // The button is gone with its row; the list it stood in is where one goes on.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Connected repositories');
    await page.keyboard.press('Tab');
    const next = page.getByRole('region', { name: 'Connected repositories' }).getByRole('link');
    await expect.poll(() => next.evaluate((link) => link === document.activeElement)).toBe(true);
  });

  it('say why a sync cannot go on, or not even begin, once its repository was removed elsewhere', async () => {
    const headers = { origin: product.url };
    const call = async (method: 'post' | 'delete', path: string, data?: object) =>
      (await page.request[method](product.url + path, { headers, ...(data && { data }) })).json().catch(() => null);
    const connect = async (name: string) =>
      ((await call('post', '/api/repos', { owner: 'octo-org', name })) as { id: number }).id;
    const dialog = page.getByRole('dialog');
    const sync = async () => {
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await page.getByRole('menuitem', { name: /^Smart sync/ }).click();
    };
    const work = await connect('work');
    await page.reload();
    await page.getByRole('button', { name: 'Remove octo-org/work' }).waitFor();
    await product.host.control('faults', {
      match: { kind: 'graphql' },
      effect: { name: 'latency', milliseconds: 4_000 },
    });
    const started = page.waitForResponse('**/api/sync-repo-complete');
    await sync();
    const { session_id } = (await (await started).json()) as { session_id: string };
    await call('post', `/api/sync-cancel/${session_id}`);
    await dialog.getByText(/octo-org\/work: The sync was cancelled\./).waitFor();
    await product.host.control('faults', undefined, 'DELETE');
    await call('delete', `/api/repos/${work}`);
    await dialog.getByRole('button', { name: /^Retry/ }).click();
    await dialog.getByText(/octo-org\/work: Failed to resume sync: There is no such sync session\./).waitFor();

    await dialog.getByRole('button', { name: 'Clear Sync State' }).click();
    const hello = await connect('hello');
    await connect('work');
    await page.reload();
    await page.getByRole('button', { name: 'Remove octo-org/hello' }).waitFor();
    const refusal = { status: 422, json: { error: 'Token lacks access', code: 'host_refused', request_id: '7f3c91' } };
    await page.route('**/api/sync-repo-complete', (route) => route.fulfill(refusal));
    await sync();
    await dialog.getByText(/octo-org\/work: Token lacks access/).waitFor();
    await page.unroute('**/api/sync-repo-complete');
    await call('delete', `/api/repos/${hello}`);
    const line = dialog.getByRole('listitem').filter({ hasText: 'hello' });
    await line.getByRole('button', { name: /^Retry/ }).click();
    await dialog.getByText(/octo-org\/hello: Repository not found/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  it('sign out to the sign-in page', async () => {
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL('**/login');
  });
});
