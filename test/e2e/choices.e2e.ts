import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, screenshot, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

const DAY = 24 * 3_600_000;
/** The date so many days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
/** One of the team's four merges lies in it, by ben. */
const [first, last, next] = [daysAgo(9), daysAgo(7), daysAgo(6)];

describe('what figures are narrowed to', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await connectAndSync(page, product, 'octo-org/hello');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const card = (name: string | RegExp) => page.getByRole('region', { name });
  const strip = () => card(/^Team figures /);
  const period = (name: string) =>
    page.getByRole('radiogroup', { name: 'Time period' }).getByText(name, { exact: true });
  const search = () => new URL(page.url()).search;
  const repository = () => page.getByRole('combobox', { name: 'Repository' });
  /** What `See the …` of a figure's explanation counts. */
  const explained = async (label: string) => {
    await strip().getByRole('button', { name: label, exact: true }).click();
    const words = await page.getByRole('button', { name: /^See the / }).innerText();
    const dialog = await page.getByRole('dialog').innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    return { words, dialog };
  };

  it('is a period, from the dashboard on, in the address and in words', async () => {
    await page.goto('/dashboard');
    await page.getByText(/^Last 30 days, 2 repositories, \d people$/).waitFor();
    expect(search()).toBe('');
    await period('7d').click();

    await page.getByText(/^Last 7 days, 2 repositories, \d people$/).waitFor();
    expect(search()).toBe('?period=7d');
    await expect.poll(() => card('Team figures of the last 7 days').innerText()).toMatch(/Merged\s*3\s*PRs/);
    expect((await explained('Merged')).words).toBe('See the 3 pull requests');
    expect((await explained('Merged')).dialog).toMatch(/, 7 days$/m);
    await card('Developers').getByText('last 7 days', { exact: true }).waitFor();
    await card('Developers')
      .getByText(/Arrows compare with the 7 days before\./)
      .waitFor();
    await inspect(page, 'dashboard-7d');

    await card('Developers').getByRole('link', { name: 'All developers' }).click();
    await page.getByText('Merges of the last 7 days, size, and time to merge').waitFor();
    expect(search()).toBe('?period=7d');
    await period('30d').click();
    await expect.poll(search).toBe('');
  });

  it('is over thirty days everywhere where somebody chooses so, and each table over its own where nobody does', async () => {
    await page.goto('/dashboard');
    await period('30d').click();
    await card('Reviewers').getByText('last 30 days', { exact: true }).waitFor();
    expect(search()).toBe('?period=30d');
    await period('Default').click();
    await expect.poll(search).toBe('');
    await card('Reviewers').getByText('last 7 days', { exact: true }).waitFor();
    await card('Developers').getByText('last 30 days', { exact: true }).waitFor();
  });

  it('is the days from one to another, both in it, chosen by the keyboard', async () => {
    await page.goto('/dashboard');
    await repository().selectOption({ label: 'work' });
    const button = page.getByRole('button', { name: 'Choose days' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Choose days' });
    await dialog.getByLabel('First day').fill(last);
    await dialog.getByLabel('Last day').fill(first);
    await dialog.getByText('The first day must not be later than the last.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Show these days' }).isDisabled()).toBe(true);
    await screenshot(page, 'dashboard-choose-days');
    await dialog.getByLabel('First day').fill('2020-01-01');
    await dialog.getByText('At most two years.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(search()).toMatch(/^\?repository=\d+$/);

    await page.keyboard.press('Enter');
    await dialog.getByLabel('First day').fill(first);
    await dialog.getByLabel('Last day').fill(last);
    await page.keyboard.press('Enter');
    await expect.poll(search).toMatch(new RegExp(`^\\?repository=\\d+&from=${first}&to=${next}$`));
    const days = page.getByRole('button', { name: /^\w{3} \d+ \w+( \d{4})? to \w{3} / });
    await expect.poll(() => days.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => strip().innerText()).toMatch(/Merged\s*1\s*PRs/);
    expect((await explained('Merged')).words).toBe('See the 1 pull request');
    expect((await explained('Open now')).words).toBe('See the 7 pull requests');
    await page.reload();
    await expect.poll(() => card('Developers').locator('tbody tr', { hasText: 'ben' }).innerText()).toMatch(/\b1\b/);
    await inspect(page, 'dashboard-days');

    await days.press('Enter');
    await page.getByRole('button', { name: 'Clear dates' }).press('Enter');
    await expect.poll(search).toMatch(/^\?repository=\d+$/);
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    // Its tooltip is gone where the pointer is elsewhere.
    await page.mouse.move(5, 700);
    await button.press('Enter');
    await dialog.getByLabel('First day').waitFor();
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
    await accessible(page, 'dashboard-choose-days');
  });

  it('says so where nothing happened on these days, and leads back', async () => {
    await page.goto('/reviewer-stats?from=2025-03-01&to=2025-03-02');
    await page.getByText('No review activity on Sat 1 Mar 2025').waitFor();
    await page.getByText('Reviews of Sat 1 Mar 2025 and how fast they came').waitFor();
    await inspect(page, 'reviewers-no-such-days', { aState: true });
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByText('Reviews of the last 7 days and how fast they came').waitFor();
    expect(search()).toBe('');

    await page.goto('/dashboard?from=2025-03-01&to=2025-03-02');
    await card('Reviewers').getByText('Others may be hidden by the filters.').waitFor();
    await card('Reviewers').getByRole('link', { name: 'Clear filters' }).click();
    await card('Reviewers').getByText('Top Reviewer').waitFor();
    expect(search()).toBe('');
  });

  it('is a repository, for figures, tables and what is stuck', async () => {
    await page.goto('/dashboard');
    await repository().selectOption({ label: 'hello' });
    await page.getByText(/^Last 30 days, octo-org\/hello, \d (person|people)$/).waitFor();
    await expect.poll(() => strip().innerText()).toMatch(/Merged\s*1\s*PRs[\s\S]*Open now\s*2\s*PRs/);
    expect((await explained('Open now')).words).toBe('See the 2 pull requests');
    await expect.poll(() => card('Stuck pull requests').innerText()).not.toContain('Store the ledger');
    await card('Reviewers').getByRole('link', { name: 'All reviewers' }).click();
    await page.getByText('Reviews of the last 7 days and how fast they came, octo-org/hello').waitFor();

    await page.goto('/contributors');
    const names = () => page.getByRole('list', { name: 'Contributors' }).innerText();
    await repository().selectOption({ label: 'work' });
    await expect.poll(names).toContain('ben');
    await expect.poll(names).not.toContain('mona');
    await repository().selectOption({ label: 'hello' });
    await expect.poll(names).toContain('mona');
    expect(await names()).not.toContain('ben');
    expect(search()).toMatch(/^\?repository=\d+$/);
  });

  it('is in the downloaded table, too', async () => {
    await page.goto(`/developer-stats?from=${first}&to=${next}`);
    await card('Developers').locator('tbody tr').first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
    const merged = lines[0]!.split(',').indexOf('"merged_prs"');
    expect(lines.find((line) => line.includes('"ben"'))!.split(',')[merged]).toBe('"1"');
  });

  it('counts as absent where the address makes no sense', async () => {
    for (const nonsense of ['period=2y', 'from=2026-02-30&to=2026-03-05', `from=${last}`, `from=${last}&to=${last}`]) {
      await page.goto(`/review-load?${nonsense}`);
      await card('Reviews & Merges Last Week').waitFor();
      await page.getByText('Team review workload and completion metrics', { exact: true }).waitFor();
    }
    await page.goto('/review-load?period=90d');
    await page.getByText('Team review workload and completion metrics, last 90 days').waitFor();
    await expect.poll(() => card('Reviews & Merges').innerText()).toMatch(/^Reviews & Merges\s+last 90 days/);
    await inspect(page, 'review-load-90d');
  });

  it('is a select where there is less room, and one button with their number on a phone', async () => {
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.goto('/dashboard');
    await page.getByLabel('Time period').selectOption({ label: 'Last 6 months' });
    await expect.poll(search).toBe('?period=6mo');
    await page.getByText(/^Last 6 months, /).waitFor();
    await accessible(page, 'dashboard-6mo');
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.getByLabel('Time period').selectOption({ label: 'Default periods' });
    await expect.poll(search).toBe('');

    for (const path of ['/dashboard', '/reviewer-stats', '/developer-stats', '/review-load']) {
      await page.setViewportSize({ width: 360, height: 800 });
      await page.goto(`${path}?period=90d`);
      await page.getByRole('button', { name: 'Filter (1)' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByLabel('First day').fill(first);
      await sheet.getByLabel('Last day').fill(last);
      await sheet.getByRole('button', { name: 'Show these days' }).click();
      await expect.poll(search).toBe(`?from=${first}&to=${next}`);
      await sheet.getByLabel('Repository').selectOption({ label: 'work' });
      await sheet.getByRole('button', { name: 'Show the list' }).click();
      await page.getByRole('button', { name: 'Filter (2)' }).click();
      await sheet.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(search).toBe('');
      await accessible(page, `phone-choices${path.replace('/', '-')}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
