import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the developers', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/developer-stats');
    await page.getByText('Top Contributor').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const names = () => page.locator('tbody tr td:first-child a').allTextContents();
  const heads = async () => (await page.locator('thead th').allTextContents()).map((text) => text.trim());
  const cell = async (who: string, head: string) => {
    const at = (await heads()).indexOf(head);
    return page
      .locator('tbody tr', { has: page.getByRole('link', { name: who, exact: true }) })
      .locator('td')
      .nth(at);
  };

  it('stand by what they merged in thirty days, the first one as the top contributor', async () => {
    await expect.poll(() => names()).toEqual(['ben', 'cleo', 'ada']);
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/^ben\s+Top Contributor\s+3/);
    await inspect(page, 'developer-stats');
  });

  it('are flagged over five open pull requests and for merges slower than 72 hours', async () => {
    const many = await cell('ada', 'Open');
    const slow = await cell('ben', 'Merge time');
    const quick = await cell('cleo', 'Merge time');

    expect((await many.innerText()).trim()).toBe('6');
    await expect.poll(() => many.locator('svg').count()).toBe(1);
    await expect.poll(() => slow.innerText()).toMatch(/4\.2\s*d/);
    await expect.poll(() => slow.getByLabel('Over the bound').count()).toBe(1);
    await expect.poll(() => quick.innerText()).toMatch(/10\.0\s*h/);
    await expect.poll(() => quick.getByLabel('Over the bound').count()).toBe(0);
  });

  it('have their good rates marked and missing ones as N/A', async () => {
    expect(await (await cell('ben', 'Approval')).innerText()).toMatch(/100\s*%/);
    expect(await (await cell('ben', 'Approval')).getByLabel('Inside the target').count()).toBe(1);
    expect(await (await cell('ben', 'First-time OK')).getByLabel('Inside the target').count()).toBe(1);
    expect(await (await cell('ada', 'Approval')).getByLabel('Inside the target').count()).toBe(0);
    expect((await (await cell('ada', 'First-time OK')).innerText()).trim()).toBe('N/A');
    // cleo gave three reviews for one pull request opened.
    expect(await (await cell('cleo', 'Ratio')).innerText()).toMatch(/3\.0/);
    expect(await (await cell('cleo', 'Ratio')).getByLabel('Inside the target').count()).toBe(1);
  });

  it('say how many of their pull requests have waited for over two days', async () => {
    // #1 has waited eight days and #5 for sixty hours; #6 is a day old.
    expect((await (await cell('ada', 'Awaiting')).innerText()).trim()).toBe('2');
  });

  it('say what a column means at its head', async () => {
    await page.getByRole('button', { name: 'Awaiting' }).hover();
    await page
      .getByRole('tooltip')
      .getByText(/waited for reviewers for more than 48 hours/)
      .waitFor();
  });

  it('sort by any column, nothing last', async () => {
    await page.getByRole('button', { name: 'Merge time' }).click();
    await expect.poll(names).toEqual(['cleo', 'ben', 'ada']);
    await page.getByRole('button', { name: 'Merge time' }).click();
    await expect.poll(names).toEqual(['ben', 'cleo', 'ada']);
    expect(new URL(page.url()).search).toBe('?developers=-avg_merge_time_hours');
  });

  it('download as a table', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile((await (await downloading).path())!, 'utf8');

    expect(text).toMatch(/^\uFEFFauthor,display_name,kind,open_prs,merged_prs,/);
    expect(text).toContain('\r\nada,Ada Quill,human,6,0,');
  });

  it('say when nobody was active, and when they cannot be fetched', async () => {
    await page.route('**/api/developer-stats*', (route) => route.fulfill({ json: [] }));
    await page.reload();
    await page.getByText('No developer activity in the last 30 days').waitFor();
    await page.unroute('**/api/developer-stats*');

    const undo = await failing(page, '/api/developer-stats', { error: 'Away.', code: 'x', request_id: 'r-1' });
    await page.reload();
    await page.getByText('Failed to fetch developer stats').waitFor();
    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Top Contributor').waitFor();
  });
});
