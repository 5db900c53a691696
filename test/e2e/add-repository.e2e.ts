import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, screenshot, startBrowser, titleShown } from './support/browser.ts';

describe('a person with a token', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'false' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await page.goto('/login?return_to=%2Fadd-repo');
    await page.getByPlaceholder('Paste a token').fill('ghp_octo');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/add-repo');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const add = async () => {
    await page.goto('/add-repo');
    await page.getByLabel('Repository name').fill('octo-org/hello');
    await page.getByRole('button', { name: 'Add Repository' }).click();
  };

  it('is led to the dashboard 2 seconds after the sync call succeeded', async () => {
    // By the browser's own clock: when the call was answered, and when the address changed.
    await page.addInitScript(() => {
      const push = history.pushState.bind(history);
      history.pushState = (...into) => {
        push(...into);
        performance.mark(location.pathname);
      };
    });
    await add();
    await page.waitForURL('**/dashboard');

    const waited = await page.evaluate(() => {
      const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const called = calls.find(({ name }) => name.endsWith('/api/sync-repo-complete'));
      return performance.getEntriesByName('/dashboard')[0]!.startTime - called!.responseEnd;
    });
    expect(waited).toBeGreaterThan(1_990);
    expect(waited).toBeLessThan(10_000);
    await page.getByText(/^Successfully synced/).waitFor();
  });

  it('sees the server’s words, or ours where it has none, when adding fails', async () => {
    const answers = [
      { status: 500, body: '', shown: 'Failed to add repository (500)' },
      { status: 418, body: '{"detail":"tea"}', shown: 'Failed to add repository (418)' },
      { status: 502, body: 'Bad gateway', shown: 'Bad gateway' },
    ];
    for (const { status, body, shown } of answers) {
      await page.route('**/api/repos', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status, body }) : route.fallback(),
      );
      await add();
      await page.getByRole('alert').getByText(shown, { exact: true }).waitFor();
      await page.unroute('**/api/repos');
    }
  });

  it('sees what a token may not do, and what to do about it', async () => {
    await page.goto('/add-repo');
    await page.getByLabel('Repository name').fill('octo-org/no-such-thing');
    await page.getByRole('button', { name: 'Test Access' }).click();

    await page.getByText(/^Cannot access repository: /).waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Recommendations' }).getByRole('listitem').count())
      .toBeGreaterThan(0);
  });

  it('can stay, and have the webhook made', async () => {
    await add();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Create it for me' }).click();

    await page.getByRole('button', { name: 'Webhook created' }).waitFor();
    await page.waitForTimeout(2_500);
    expect(new URL(page.url()).pathname).toBe('/add-repo');
  });

  it('can add another one, and changes nothing of what is being added', async () => {
    const [owner, name] = [page.getByLabel('Repository owner'), page.getByLabel('Repository name')];
    await page.getByRole('button', { name: 'Add another' }).click();
    await expect.poll(() => owner.evaluate((field) => field === document.activeElement)).toBe(true);
    expect([await owner.inputValue(), await name.inputValue()]).toEqual(['', '']);

    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/api/repos', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.fallback();
    });
    await name.fill('octo-org/hello');
    await page.getByRole('button', { name: 'Add Repository' }).click();
    try {
      await expect.poll(() => page.getByRole('button', { name: 'Test Access' }).isDisabled()).toBe(true);
      expect([await owner.isEditable(), await name.isEditable()]).toEqual([false, false]);
    } finally {
      goOn();
    }
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.unroute('**/api/repos');
  });

  it('sees the progress of a sync in a dialog', async () => {
    // There is time to load the page while it runs.
    const effect = { name: 'latency', milliseconds: 5_000 };
    await product.host.control('faults', { match: { kind: 'graphql' }, effect });
    await page.goto('/prs');
    await page.getByRole('button', { name: 'Sync', exact: true }).click();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Show Progress' }).isDisabled()).toBe(true);
    const begun = page.waitForResponse('**/api/sync-repo-complete');
    await page.getByRole('menuitem', { name: 'Full sync' }).click();

    await page.getByRole('dialog').getByText('The sync goes on in the background when you close this.').waitFor();
    await begun;
    await screenshot(page, 'sync-dialog-light');
  });

  it('can close the dialog and load the page again: the sync goes on, and its end is told', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    // Also where the person has to sign in again meanwhile.
    const ended = { status: 401, json: { error: 'Sign in again.', code: 'unauthorized', request_id: 'r-4' } };
    await page.route('**/api/sync-repo-complete?*', (route) => route.fulfill(ended));
    await page.waitForURL(/\/login\?/);
    await page.unroute('**/api/sync-repo-complete?*');
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /^Syncing \d+%$/ }).waitFor();
    await product.host.control('faults', undefined, 'DELETE');

    await page.getByText(/^Successfully synced \d+ PRs and \d+ reviews$/).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.getByText(/^Successfully synced/).count()).toBe(0);
  });

  it('reaches every page on a phone through the menu', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto('/prs');
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Mergelight' });
    await menu.getByRole('combobox', { name: 'Search contributors' }).waitFor();
    await expect.poll(() => menu.getByRole('link').count()).toBe(13);

    await menu.getByRole('link', { name: 'Review load' }).click();
    await page.waitForURL('**/review-load');
    await expect.poll(() => menu.count()).toBe(0);
  });

  it('gets the skip link first and the content next', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/prs');
    await titleShown(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');

    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('is told that an address leads nowhere', async () => {
    await page.goto('/no/such/page');

    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await page.title()).toBe('Page not found · Mergelight');
    await inspect(page, 'not-found');
  });
});
