import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('trends', () => {
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
  const lastFull = () => page.getByRole('region', { name: 'The last full one', exact: true });
  const numbers = () => page.getByRole('region', { name: 'Every number', exact: true });
  const answered = async (query: string) => {
    const answer = await page.request.get(`${product.url}/api/trends?${query}`);
    return ((await answer.json()) as { items: { lines: { name: string; points: { value: number; n: number }[] }[] }[] })
      .items[0]!;
  };

  it('lead to the first repository when there is none', async () => {
    await page.goto('/trends');
    await page.getByText('No repository is connected yet.').waitFor();
  });

  it('are found in the navigation, and show a figure as a chart and as numbers', async () => {
    await connectAndSync(page, product);
    await page.goto('/dashboard');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trends' }).click();
    await page.getByRole('heading', { level: 2, name: 'Time to first review, median' }).waitFor();

    await expect.poll(() => lastFull().getByRole('rowheader').allInnerTexts()).toEqual(['All']);
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 8);
    await numbers().getByRole('button', { name: 'Show all 27' }).click();
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 27);
    await inspect(page, 'trends');
  });

  it('show what is chosen, which the address keeps', async () => {
    await page.getByLabel('Figure').selectOption({ label: 'Pull requests opened' });
    await page.getByLabel('Told apart').selectOption({ label: 'By size' });
    await page.getByLabel('Time', { exact: true }).selectOption({ label: '12 weeks' });
    await page.getByRole('heading', { level: 2, name: 'Pull requests opened' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?figure=opened&split=size&weeks=12');
    const from = new Date(Date.now() - 12 * 7 * 86_400_000).toISOString().slice(0, 10);
    const { lines } = await answered(`figure=opened&split=size&from=${from}`);

    await expect.poll(() => lastFull().getByRole('rowheader').allInnerTexts()).toEqual(lines.map(({ name }) => name));
    const rows = await numbers().getByRole('row').allInnerTexts();
    const newest = lines.map(({ points }) => `${points.at(-1)!.value} n ${points.at(-1)!.n}`);
    expect(rows[1]!.split('\t').slice(1)).toEqual(newest);

    await page.reload();
    await expect.poll(() => page.getByLabel('Figure').inputValue()).toBe('opened');
    await expect.poll(() => lastFull().getByRole('rowheader').count()).toBe(lines.length);
    await inspect(page, 'trends-by-size', { aState: true });
  });

  it('tell their values to whoever moves through them by keyboard', async () => {
    const plot = page.getByRole('group', { name: /^Values by time/ });
    await plot.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => plot.getByRole('status').innerText()).toMatch(/, not complete\n.+: \d+, n \d+/);
    const running = await plot.getByRole('status').innerText();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => plot.getByRole('status').innerText()).not.toBe(running);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => plot.getByRole('status').innerText()).toBe(running);
  });

  it('are downloaded as they are shown', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^trends_\d{4}-\d{2}-\d{2}\.csv$/);
  });

  it('say when there is nothing, and when they could not be fetched', async () => {
    await page.goto('/trends?authorship=ghost&figure=merged');
    await page.getByText('Nothing was merged in this window with what is chosen above.').waitFor();
    await inspect(page, 'trends-empty', { aState: true });

    const undo = await failing(page, '/api/trends', { error: 'Not now.', code: 'x', request_id: 'r-5' });
    await page.goto('/trends?figure=opened');
    await page.getByText('Failed to fetch trends').waitFor();
    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { level: 2, name: 'Pull requests opened' }).waitFor();
  });
});
