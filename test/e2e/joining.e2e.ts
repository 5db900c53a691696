import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser, titleShown } from './support/browser.ts';

describe('a person who comes to a company that is here already', () => {
  let product: RunningProduct;
  let browser: Browser;
  let colleague: Page;
  let page: Page;

  beforeAll(async () => {
    product = await startProduct({ world: 'company', more: ['--count', '6000'] }, { DEMO: 'false' });
    browser = await startBrowser();
    colleague = await signedIn('dev-1', '/add-repo?from=host');
    await importNext(colleague, 3);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  async function signedIn(login: string, path: string): Promise<Page> {
    const fresh = await openPage(browser, product.url);
    await fresh.goto(`/login?return_to=${encodeURIComponent(path)}`);
    await fresh.getByPlaceholder('Paste a token').fill(`ghp_${login}`);
    await fresh.keyboard.press('Enter');
    await fresh.waitForURL(`**${path}`);
    await titleShown(fresh);
    return fresh;
  }

  const rows = (of: Page) => of.getByRole('listbox', { name: 'Repositories' }).getByRole('option');

  /** Chooses the next that everybody of atlas reads, and waits until they are imported. */
  async function importNext(of: Page, count: number): Promise<void> {
    await tickNext(of, count);
    await of.getByText('Imported.', { exact: true }).waitFor();
    await of.getByText(`${count} of ${count} done`).waitFor();
  }
  async function tickNext(of: Page, count: number): Promise<void> {
    await of
      .getByRole('region', { name: 'Owners' })
      .getByRole('button', { name: /^atlas/ })
      .click();
    const open = of.locator('[role=option]:not([aria-disabled=true])');
    await open.first().waitFor();
    for (let at = 0; at < count; at += 1) await open.nth(at).click();
    const name = count === 1 ? 'Add 1 repository' : `Add ${count} repositories`;
    await of.getByRole('button', { name }).click();
  }

  it('is led by what they can read to a dashboard that is full at once', async () => {
    page = await signedIn('dev-6', '/dashboard');
    const start = page.getByRole('region', { name: 'First steps' });
    await start.getByRole('heading', { name: '3 repositories that you can read are here already' }).waitFor();
    await start.getByRole('button', { name: 'Add all' }).waitFor();
    await start.getByRole('link', { name: 'Choose …' }).waitFor();
    await inspect(page, 'dashboard-here-already');
    await product.host.control('counters', undefined, 'DELETE');

    await start.getByRole('button', { name: 'Add all' }).click();
    await start.waitFor({ state: 'detached' });
    const { operations } = (await product.host.control('counters')) as { operations: Record<string, number> };

    expect(operations.PullRequests, 'nothing is imported again').toBeUndefined();
    await expect.poll(() => mergedOf(page)).toBeGreaterThan(0);
  });

  it('chooses several more, sees them come as one import, and then on the dashboard', async () => {
    const before = await mergedOf(page);
    await product.host.control('faults', {
      match: { operation: 'PullRequests' },
      effect: { name: 'latency', milliseconds: 1500 },
    });
    await page.goto('/add-repo?from=host');
    await rows(page).first().waitFor();
    await tickNext(page, 4);
    const progress = page.getByRole('region', { name: 'Import' });
    await progress.getByText('Importing. You can leave this page; it goes on.').waitFor();
    await progress.getByRole('progressbar', { name: 'Import' }).waitFor();
    await progress.getByText(/running/).waitFor();
    await inspect(page, 'choose-repositories-importing', { aState: true });
    await progress.getByText('4 of 4 done').waitFor();
    await product.host.control('faults', undefined, 'DELETE');

    await page.goto('/dashboard');
    await titleShown(page);
    await expect.poll(() => mergedOf(page)).toBeGreaterThan(before);
  });

  it('finds in the settings, in a quiet line, what comes here later', async () => {
    await importNext(colleague, 6);
    const all = await api<{ full_name: string }[]>(colleague, '/api/repos');
    const own = await api<{ full_name: string }[]>(page, '/api/repos');
    const missing = all.filter(({ full_name }) => !own.some((one) => one.full_name === full_name)).length;
    await page.goto('/settings');
    const line = page.getByRole('status').filter({ hasText: 'here already' });
    await line.getByText(new RegExp(`^${missing > 1 ? missing : 'A'} repositor`)).waitFor();
    await inspect(page, 'settings-here-already', { aState: true });
    await line.getByRole('button', { name: /^Add/ }).click();
    await line.waitFor({ state: 'detached' });
  });

  const mergedOf = async (of: Page) => (await api<{ merged_prs: number }>(of, '/api/team-stats')).merged_prs;
  async function api<T>(of: Page, path: string): Promise<T> {
    return (await (await of.request.get(`${product.url}${path}`)).json()) as T;
  }
});
