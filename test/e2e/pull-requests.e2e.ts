import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

describe('the list of all pull requests', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/prs');
    await page.locator('tbody tr').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const row = (title: string) => page.locator('tbody tr', { hasText: title });
  const titles = async () => (await page.locator('tbody [data-row-link]').allTextContents()).map((text) => text.trim());

  it('says of each its state, place, author, size and whom an open one waits for', async () => {
    await expect
      .poll(() => row('Store the ledger').innerText())
      .toMatch(new RegExp(`Open · ${TEAM_REPOSITORY} #\\d+ · Reviewers, never reviewed`));
    await expect.poll(() => row('Try another queue').innerText()).toMatch(/Draft[\s\S]*Author, draft/);
    await expect.poll(() => row('Bump the date library').innerText()).toContain('Bot');
    await expect
      .poll(() => page.locator('tbody tr', { hasText: 'Merged ·' }).first().innerText())
      .not.toContain('Reviewers,');
    await inspect(page, 'pull-requests-of-a-team');
  });

  it('opens the details in a tab of their own, and the pull request on its host', async () => {
    const details = row('Store the ledger').getByRole('link', { name: /^Details/ });

    await expect.poll(() => details.getAttribute('target')).toBe('_blank');
    await expect.poll(() => details.getAttribute('href')).toMatch(new RegExp(`^/pr/${TEAM_REPOSITORY}/\\d+$`));
    expect(
      await row('Store the ledger')
        .getByRole('link', { name: /^View .+, new tab$/ })
        .getAttribute('href'),
    ).toMatch(new RegExp(`/${TEAM_REPOSITORY}/pull/\\d+$`));
  });

  it('sorts by a column, and the address keeps it', async () => {
    await page.getByRole('button', { name: 'Pull Request' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=title');
    await expect.poll(titles).toSatisfy((all: string[]) => all.join() === [...all].sort().join());
    await page.reload();
    await expect.poll(titles).toSatisfy((all: string[]) => all.length > 1 && all.join() === [...all].sort().join());

    await page.getByRole('button', { name: 'Last Updated' }).click();

    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('shows the last page when the address names one beyond it', async () => {
    await page.goto('/prs?page=999');

    await page.getByText(/^Showing 1 to \d+ of \d+ results$/).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('says that it failed, and tries again at a press', async () => {
    const mend = await failing(page, '/api/prs', { error: 'The database rests.', code: 'internal', request_id: 'r-1' });
    await page.goto('/prs');
    await page.getByText('Failed to fetch PRs').waitFor();
    await page.getByText('The database rests.').waitFor();

    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();

    await row('Store the ledger').waitFor();
  });
});

describe('a screen that breaks', () => {
  it('says so, and the next one works', async () => {
    const product = await startTeamProduct();
    const browser = await startBrowser();
    const page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.route('**/api/review-load*', (route) => route.fulfill({ json: [{ reviewer: 'ada' }, null] }));

    await page.goto('/review-load');
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Reload Page' }).isVisible()).toBe(true);
    await expect.poll(() => page.locator('main').count()).toBe(1);
    await page.getByRole('link', { name: 'All PRs' }).first().click();

    await page.getByRole('heading', { name: 'Pull Request Management' }).waitFor();
    await browser.close();
    await product.stop();
  });
});
