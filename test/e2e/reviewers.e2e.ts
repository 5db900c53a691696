import { readFile } from 'node:fs/promises';
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
    await expect.poll(() => names()).toEqual(['ben', 'Cleo March']);
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/ben\s+Top Reviewer\s+4\s+/);
    // cleo reviewed the newest of ben's pull requests within the window, two hours after it was opened.
    await expect.poll(() => page.locator('tbody tr').nth(1).innerText()).toMatch(/Cleo March cleo\s+1\s+2\.0\s*h/);
    await inspect(page, 'reviewer-stats');
  });

  it('keep the badge with the person however the table is sorted', async () => {
    await page.getByRole('button', { name: 'Reviewer', exact: true }).click();
    await page.getByRole('button', { name: 'Reviewer', exact: true }).click();
    await expect.poll(names).toEqual(['Cleo March', 'ben']);

    expect(new URL(page.url()).search).toBe('?reviewers=-reviewer');
    await expect.poll(() => page.locator('tbody tr').nth(1).innerText()).toContain('Top Reviewer');
  });

  it('are found by a part of their name', async () => {
    await page.getByPlaceholder('Filter by person...').fill('march');
    await expect.poll(names).toEqual(['Cleo March']);
    await page.getByPlaceholder('Filter by person...').fill('');
    await expect.poll(names).toHaveLength(2);
  });

  it('count humans only, and show bots and agents when asked to', async () => {
    await page.getByText('Humans only.').waitFor();
    await page.route('**/api/reviewer-stats*', async (route) => {
      const answer = await route.fetch();
      const rows = (await answer.json()) as object[];
      const bot = { reviewer: 'patchwise[bot]', display_name: null, avatar_url: null, kind: 'agent' };
      await route.fulfill({ json: [{ ...bot, review_count: 90, avg_review_time_hours: null }, ...rows] });
    });
    await page.goto('/reviewer-stats');
    await page.getByRole('button', { name: 'Show 1 bot or agent' }).click();

    await expect.poll(names).toEqual(['patchwise', 'ben', 'Cleo March']);
    expect(new URL(page.url()).search).toBe('?accounts=all');
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/patchwise\s+Agent\s+90\s+N\/A/);
    await expect.poll(() => page.locator('tbody tr').nth(1).innerText()).toContain('Top Reviewer');
    await page.getByRole('button', { name: 'Show humans only' }).click();
    await expect.poll(names).toEqual(['ben', 'Cleo March']);
    await page.unroute('**/api/reviewer-stats*');
  });

  it('answer slowly above 24 hours, not at them, and without any there is no time', async () => {
    const reviewer = { display_name: null, avatar_url: null, kind: 'human', review_count: 1 };
    await page.route('**/api/reviewer-stats*', (route) =>
      route.fulfill({
        json: [24, 24.1, 0.5, null].map((hours, index) => ({
          ...reviewer,
          reviewer: `r-${index}`,
          avg_review_time_hours: hours,
        })),
      }),
    );
    await page.goto('/reviewer-stats');
    const cells = page.locator('tbody tr td:last-child');
    await expect
      .poll(async () => (await cells.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
      .toEqual(['24.0 h Average', '24.1 h Needs Improvement', '30 min Excellent', 'N/A']);
    for (const [at, slow] of [0, 1, 0, 0].entries()) {
      expect(await cells.nth(at).getByLabel('Over the bound').count(), String(at)).toBe(slow);
    }
    await page.unroute('**/api/reviewer-stats*');
  });

  it('stand there once each in every order, also two whose accounts had the same login one after the other', async () => {
    const reviewer = { display_name: null, avatar_url: null, kind: 'human', avg_review_time_hours: null };
    const logins = ['mona', 'ben', 'mona', 'ada'];
    await page.route('**/api/reviewer-stats*', (route) =>
      route.fulfill({ json: logins.map((login, at) => ({ ...reviewer, reviewer: login, review_count: 9 - at })) }),
    );
    await page.goto('/reviewer-stats');
    await expect.poll(names).toEqual(logins);
    expect(await page.getByText('Top Reviewer').count()).toBe(1);
    await page.getByRole('button', { name: 'Reviews', exact: true }).click();

    await expect.poll(names).toEqual(logins.toReversed());
    await page.unroute('**/api/reviewer-stats*');
  });

  it('download as a table, as they are filtered', async () => {
    await page.goto('/reviewer-stats?person=ben');
    await expect.poll(names).toEqual(['ben']);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await downloading;

    expect(file.suggestedFilename()).toMatch(/^reviewer-stats_\d{4}-\d\d-\d\d\.csv$/);
    expect((await readFile((await file.path())!, 'utf8')).split('\r\n')).toEqual([
      '\uFEFF"reviewer","display_name","kind","review_count","avg_review_time_hours"',
      expect.stringMatching(/^"ben","","human","4","\d+(\.\d+)?"$/),
      '',
    ]);
  });

  it('narrow to one repository, and lead back from filters that hide everybody', async () => {
    await page.goto('/reviewer-stats');
    await page.getByLabel('Repository').selectOption({ label: 'work' });
    await page.waitForURL(/\?repository=\d+$/);
    await expect.poll(names).toEqual(['ben', 'Cleo March']);
    await page.getByPlaceholder('Filter by person...').fill('nobody at all');
    await page.getByText('No review activity in the last 7 days').waitFor();
    const download = page.getByRole('button', { name: 'Download CSV' });
    await expect.poll(() => download.getAttribute('aria-disabled')).toBe('true');
    await page.getByPlaceholder('Filter by person...').focus();
    await page.keyboard.press('Tab');
    await page.getByRole('tooltip', { name: 'There are no rows to download.' }).waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).press('Enter');
    await expect.poll(names).toEqual(['ben', 'Cleo March']);
    const card = page.getByRole('region', { name: 'Reviewers' });
    await expect.poll(() => card.evaluate((it) => it === document.activeElement)).toBe(true);
    expect(new URL(page.url()).search).toBe('');
  });

  it('open a person’s page by their row', async () => {
    await page.getByRole('link', { name: 'cleo' }).click();
    await page.waitForURL('**/contributor/cleo');
  });

  it('say when nobody reviewed', async () => {
    await page.route('**/api/reviewer-stats*', (route) => route.fulfill({ json: [] }));
    await page.goto('/reviewer-stats');
    await page.getByText('No review activity in the last 7 days').waitFor();
    await page.getByText('Nobody reviewed a pull request in the last 7 days.').waitFor();
    await page.getByRole('button', { name: 'Sync to check again' }).waitFor();
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
