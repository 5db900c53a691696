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

    await page.getByRole('button', { name: 'Remove octo-org/work' }).click();
    await dialog.getByRole('button', { name: 'Remove repository' }).click();
    await page.getByText('Connect Your First Repository').waitFor();
  });

  it('sign out to the sign-in page', async () => {
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL('**/login');
  });
});
