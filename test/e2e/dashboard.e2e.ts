import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the dashboard', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct({ DEMO: 'true' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const card = (name: string) => page.getByRole('region', { name });

  it('leads someone without a repository to the first one', async () => {
    await signInAsMona(page, product);
    await page.goto('/dashboard');

    await page.getByText('No repositories yet').waitFor();
    await page.getByRole('heading', { name: 'Connect Your First Repository' }).waitFor();
    await page.getByText('Signed in as mona').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'Add Repository', exact: true }).getAttribute('href'))
      .toBe('/add-repo');
    await expect.poll(() => page.getByRole('button', { name: 'Explore the demo' }).count()).toBe(1);
    await inspect(page, 'first-run');
  });

  it('leads from a repository without data to its first sync, and to the figures', async () => {
    await page.request.post(`${product.url}/api/repos`, {
      headers: { origin: product.url },
      data: { owner: 'octo-org', name: 'work' },
    });
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Start the first sync' }).waitFor();
    await page.getByRole('button', { name: 'Sync now' }).click();

    await page.getByText(/^Successfully synced 11 PRs and \d+ reviews$/).waitFor({ timeout: 60_000 });
    await page.getByText('Last 30 days, 1 repository, 3 people').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.getByText(/^Successfully synced/).count()).toBe(0);
  });

  it('shows the team’s figures, what is stuck and the people', async () => {
    await connectAndSync(page, product);
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Engineering Metrics Dashboard' }).waitFor();
    const strip = card('Team figures of the last 30 days');
    await strip
      .getByText('from 0 a month ago')
      .or(strip.getByText(/a month ago$/))
      .first()
      .waitFor();

    await expect.poll(() => strip.innerText()).toMatch(/Merged\s*4\s*PRs/);
    await expect.poll(() => strip.innerText()).toMatch(/Open now\s*7\s*PRs/);
    await expect.poll(() => strip.innerText()).toMatch(/Merge rate\s*100\s*%/);
    await card('Stuck pull requests').getByText('6 of 7 open pull requests.').waitFor();
    await expect.poll(() => card('Stuck pull requests').locator('tbody tr').count()).toBe(6);
    await expect.poll(() => card('Reviewers').locator('tbody tr').first().innerText()).toContain('Top Reviewer');
    await expect
      .poll(() => card('Developers').locator('tbody tr').first().innerText())
      .toMatch(/^ben\s+Top Contributor\s+3/);
    await inspect(page, 'dashboard');
  });

  it('explains a figure by hovering, by Enter and by its items', async () => {
    const label = page.getByRole('button', { name: 'Time to merge' });
    await label.hover();
    await page.getByRole('dialog').getByText('4 pull requests', { exact: true }).waitFor();
    await page.getByText('Rests on fewer than five').waitFor();
    await page.mouse.move(5, 700);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await label.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'See the 4 pull requests' }).click();
    await expect.poll(() => page.getByRole('dialog').getByRole('link').count()).toBe(4);
    await page.getByRole('button', { name: 'How it is computed' }).click();
    await page.getByText('src/server/team/team-stats.ts').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await label.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('leaves N/A where the team’s figures cannot be fetched, and only logs it', async () => {
    const undo = await failing(page, '/api/team-stats', 'down');
    const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to fetch team stats.'));
    await page.reload();
    await logged;

    await expect.poll(() => card('Team figures of the last 30 days').innerText()).toMatch(/Time to merge\s*N\/A/);
    await card('Stuck pull requests').getByText('Store the ledger in one table').waitFor();
    await undo();
  });

  it('keeps the other panels alive when one fails, and tries again', async () => {
    const undo = await failing(page, '/api/stuck-prs', {
      error: 'The database is away.',
      code: 'x',
      request_id: 'r-7',
    });
    await page.reload();
    const stuck = card('Stuck pull requests');
    await stuck.getByText('Failed to fetch stuck PRs').waitFor();
    await stuck.getByText('The database is away. Request r-7.').waitFor();
    await card('Reviewers').getByText('Top Reviewer').waitFor();

    await undo();
    await stuck.getByRole('button', { name: 'Retry' }).click();
    await stuck.getByText('Store the ledger in one table').waitFor();
  });
});
