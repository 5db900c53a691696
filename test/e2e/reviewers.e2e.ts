import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the reviewers', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/reviewer-stats');
    await page.getByText('Top Reviewer').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const names = () => page.locator('tbody tr td:first-child a').allTextContents();

  it('stand by their reviews of seven days, the first one as the top reviewer', async () => {
    await expect.poll(() => names()).toEqual(['ben', 'cleo']);
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/ben\s+Top Reviewer\s+4\s+/);
    // cleo reviewed the newest of ben's pull requests within the window, two hours after it was opened.
    await expect.poll(() => page.locator('tbody tr').nth(1).innerText()).toMatch(/cleo\s+1\s+2\.0\s*h/);
    await inspect(page, 'reviewer-stats');
  });

  it('keep the badge with the person however the table is sorted', async () => {
    await page.getByRole('button', { name: 'Reviewer', exact: true }).click();
    await page.getByRole('button', { name: 'Reviewer', exact: true }).click();
    await expect.poll(names).toEqual(['cleo', 'ben']);

    expect(new URL(page.url()).search).toBe('?reviewers=-reviewer');
    await expect.poll(() => page.locator('tbody tr').nth(1).innerText()).toContain('Top Reviewer');
  });

  it('are found by a part of their name', async () => {
    await page.getByPlaceholder('Filter by person...').fill('march');
    await expect.poll(names).toEqual(['cleo']);
    await page.getByPlaceholder('Filter by person...').fill('');
    await expect.poll(names).toHaveLength(2);
  });

  it('count humans only, and show bots and agents when asked to', async () => {
    await page.getByText('Humans only.').waitFor();
    await page.route('**/api/reviewer-stats*', async (route) => {
      const answer = await route.fetch();
      const rows = (await answer.json()) as object[];
      const bot = { reviewer: 'patchwise', display_name: null, avatar_url: null, kind: 'agent' };
      await route.fulfill({ json: [{ ...bot, review_count: 90, avg_review_time_hours: null }, ...rows] });
    });
    await page.goto('/reviewer-stats');
    await page.getByRole('button', { name: 'Show 1 bot or agent' }).click();

    await expect.poll(names).toEqual(['patchwise', 'ben', 'cleo']);
    expect(new URL(page.url()).search).toBe('?accounts=all');
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/patchwise\s+Agent\s+90\s+N\/A/);
    await expect.poll(() => page.locator('tbody tr').nth(1).innerText()).toContain('Top Reviewer');
    await page.getByRole('button', { name: 'Show humans only' }).click();
    await expect.poll(names).toEqual(['ben', 'cleo']);
    await page.unroute('**/api/reviewer-stats*');
  });

  it('open a person’s page by their row', async () => {
    await page.getByRole('link', { name: 'cleo' }).click();
    await page.waitForURL('**/contributor/cleo');
  });

  it('say when nobody reviewed', async () => {
    await page.route('**/api/reviewer-stats*', (route) => route.fulfill({ json: [] }));
    await page.goto('/reviewer-stats');
    await page.getByText('No review activity in the last 7 days').waitFor();
    await page.unroute('**/api/reviewer-stats*');
  });

  it('say when they cannot be fetched, with what the server said, and try again', async () => {
    const undo = await failing(page, '/api/reviewer-stats', '');
    await page.goto('/reviewer-stats');
    await page.getByText('Failed to fetch reviewer stats').waitFor();
    await page.getByText('Request failed: 500').waitFor();

    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Top Reviewer').waitFor();
  });
});
