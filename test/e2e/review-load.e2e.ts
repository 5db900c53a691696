import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the review load', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/review-load');
    await page.getByText('@cleo').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const handles = () => page.getByText(/^@/).allTextContents();

  it('sums up what waits, what was detailed and who reviews', async () => {
    const summary = page.getByRole('region', { name: 'Summary' });

    await page.getByRole('heading', { level: 1, name: 'Review Load' }).waitFor();
    await page.getByText('Team review workload and completion metrics').waitFor();
    await expect.poll(() => summary.innerText()).toMatch(/Outstanding Reviews\s*5\s*PRs waiting for review/);
    await expect.poll(() => summary.innerText()).toMatch(/Complex Reviews\s*2\s*Reviews with detailed feedback/);
    await expect.poll(() => summary.innerText()).toMatch(/Active Reviewers\s*2\s*Contributors doing reviews/);
    await inspect(page, 'review-load');
  });

  it('explains each of its sums by the pull requests behind it', async () => {
    const sums = [
      ['Outstanding Reviews', '5', '5 requests', 5],
      ['Complex Reviews', '2', '2 reviews', 2],
      ['Active Reviewers', '2', '2 people', 2],
    ] as const;
    for (const [name, value, rests, items] of sums) {
      await page.getByRole('button', { name, exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Explain this number' });
      await dialog.getByText(rests, { exact: true }).waitFor();
      await expect.poll(() => dialog.locator('dl').innerText()).toMatch(new RegExp(`^Value\\s+${value}\\s`));
      await dialog.getByRole('button', { name: `See the ${rests}` }).click();
      await expect.poll(() => dialog.getByRole('link').count()).toBe(items);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
  });

  it('explains what each person has, in the list, the chart and its table', async () => {
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    const list = page.getByRole('list', { name: 'Review Load Details' });
    const expectExplained = async (head: string, value: string) => {
      await dialog.getByText(head, { exact: true }).waitFor();
      await expect.poll(() => dialog.locator('dl').innerText()).toMatch(new RegExp(`^Value\\s+${value}\\s`));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    for (const [figure, head, value] of [
      ['5 pending explain', 'Outstanding Reviews: cleo', '5'],
      ['1 review explain', 'Reviews: cleo', '1'],
      ['1 merged explain', 'Merged: cleo', '1'],
      ['2 complex explain', 'Complex Reviews: ben', '2'],
    ] as const) {
      await list.getByRole('button', { name: figure, exact: true }).first().click();
      await expectExplained(head, value);
    }
    // In a row the keys lead to the next figure, below to that of the next person, whoever has none of a kind.
    await list.getByRole('button', { name: '5 pending explain' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectExplained('Reviews: ben', '4');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('4 reviews');

    await page.locator('[data-part="load.reviews_last_week ben"]').first().click();
    await expectExplained('Reviews: ben', '4');
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('cell', { name: '4', exact: true }).getByRole('button').click();
    await expectExplained('Reviews: ben', '4');
    await page.getByRole('button', { name: 'Show as chart' }).click();
    expect(new URL(page.url()).pathname).toBe('/review-load');
  });

  it('names who holds too much and who has room, with the pull requests', async () => {
    await page.getByText('5 of 5 outstanding reviews wait for cleo').waitFor();
    await page.getByText(/ben has room: 0 waiting\./).waitFor();
    await page.getByRole('button', { name: 'See the 5 pull requests' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'See the 5 pull requests' }).click();

    await expect.poll(() => page.getByRole('dialog').getByRole('link').count()).toBe(5);
    await page.keyboard.press('Escape');
  });

  it('lists everyone with their figures, the most outstanding first', async () => {
    const list = page.getByRole('list', { name: 'Review Load Details' });

    await expect.poll(() => handles()).toEqual(['@cleo', '@ben']);
    await expect
      .poll(() => list.getByRole('listitem').first().innerText())
      .toMatch(/Cleo March[\s\S]*5 pending[\s\S]*1\s*review\b/);
    await expect
      .poll(() => list.getByRole('listitem').nth(1).innerText())
      .toMatch(/ben[\s\S]*2 complex[\s\S]*4\s*reviews/);
  });

  it('orders by reviews or name, and the address keeps it', async () => {
    await page.getByText('Reviews', { exact: true }).last().click();
    await expect.poll(handles).toEqual(['@ben', '@cleo']);
    expect(new URL(page.url()).search).toBe('?order=reviews');
    await page.getByText('Name', { exact: true }).click();
    await expect.poll(handles).toEqual(['@ben', '@cleo']);
    await page.getByText('Pending', { exact: true }).click();
    expect(new URL(page.url()).search).toBe('');
  });

  it('draws reviews and merges of the last week, and as a table', async () => {
    await page.getByRole('heading', { name: 'Reviews & Merges Last Week' }).waitFor();
    await page.getByRole('img', { name: /^5 reviews and \d+ merges by 2 people; most reviews: ben, 4\.$/ }).waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();

    await expect
      .poll(() => page.getByRole('table').locator('thead').innerText())
      .toMatch(/Reviewer\s+Reviews\s+Merged/);
    await page.getByRole('button', { name: 'Show as chart' }).click();
  });

  it('shows badges from one on, and falls back to the login', async () => {
    const nobody = { avatar_url: null, kind: 'human', reviews_last_week: 0, merged_last_week: 0, is_contributor: true };
    await page.route('**/api/review-load*', (route) =>
      route.fulfill({
        json: [
          { ...nobody, reviewer: 'one', display_name: 'One Each', complex_reviews: 1, outstanding_reviews: 1 },
          { ...nobody, reviewer: 'none', display_name: null, complex_reviews: 0, outstanding_reviews: 0 },
          {
            ...nobody,
            reviewer: 'asked',
            display_name: null,
            complex_reviews: 0,
            outstanding_reviews: 4,
            is_contributor: false,
          },
        ],
      }),
    );
    await page.goto('/review-load');
    const texts = async () =>
      (await page.getByRole('list', { name: 'Review Load Details' }).getByRole('listitem').allInnerTexts()).map(
        (text) => text.replaceAll(/\s+/g, ' ').trim(),
      );
    await expect
      .poll(texts)
      .toEqual([
        'AS asked @asked 4 pending 0 reviews 0 merged',
        'OE One Each @one 1 complex 1 pending 0 reviews 0 merged',
        'NO none @none 0 reviews 0 merged',
      ]);
    // Whoever was only asked has no page.
    expect(await page.getByRole('list', { name: 'Review Load Details' }).getByRole('link').allInnerTexts()).toEqual([
      'One Each',
      'none',
    ]);
    await expect.poll(() => page.getByText('outstanding reviews wait for').count()).toBe(0);
    await page.getByRole('button', { name: 'Show as table' }).click();
    await expect
      .poll(() => page.locator('tbody tr').allInnerTexts())
      .toEqual(['asked\t0\t0', 'One Each (one)\t0\t0', 'none\t0\t0']);
    await page.unroute('**/api/review-load*');
  });

  it('downloads as a table', async () => {
    await page.goto('/review-load');
    await page.getByText('@cleo').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await downloading;

    expect(file.suggestedFilename()).toMatch(/^review-load_\d{4}-\d\d-\d\d\.csv$/);
    expect((await readFile((await file.path())!, 'utf8')).split('\r\n').slice(0, 2)).toEqual([
      '\uFEFF"reviewer","display_name","kind","outstanding_reviews","reviews_last_week","merged_last_week","complex_reviews"',
      '"cleo","Cleo March","human","5","1","1","0"',
    ]);
  });

  it('says when there is nothing, and when it cannot be fetched', async () => {
    await page.route('**/api/review-load*', (route) => route.fulfill({ json: [] }));
    await page.reload();
    await page.getByText('No review data available').waitFor();
    await accessible(page, 'review-load-empty');
    await page.unroute('**/api/review-load*');

    const undo = await failing(page, '/api/review-load', { error: 'Away.', code: 'x', request_id: 'r-1' });
    await page.reload();
    await page.getByText('Failed to fetch review load data').waitFor();
    await page.getByText('Error: Away. Request r-1.').waitFor();
    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('@cleo').waitFor();

    const undoAgain = await failing(page, '/api/review-load', { error: '', code: 'x', request_id: 'r-2' });
    await page.reload();
    await page.getByText('Unknown error').waitFor();
    await undoAgain();
  });
});
