import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

describe('the stuck pull requests', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/stuck-prs');
    await page.getByText('6 of 7 open pull requests').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const titles = async () =>
    (await page.locator('tbody tr td:first-child a').allTextContents()).map((text) => text.trim());
  const row = (title: string) => page.locator('tbody tr', { hasText: title });

  it('stand with whom each waits for and why, longest open first', async () => {
    expect((await titles())[0]).toBe('Store the ledger in one table');
    await expect.poll(() => row('Store the ledger').innerText()).toContain('Reviewers · never reviewed');
    await expect.poll(() => row('Split the checkout').innerText()).toContain('Author · changes requested');
    await expect.poll(() => row('Print labels').innerText()).toContain('Ready to merge · approved');
    await expect.poll(() => row('Round prices').innerText()).toContain('Reviewers · updated after review');
    await expect.poll(() => row('Try another queue').innerText()).toMatch(/Draft[\s\S]*Author · draft/);
    await expect.poll(() => row('Bump the date library').innerText()).toContain('Bot');
    await inspect(page, 'stuck-prs');
  });

  it('sort by a column, and the address keeps it', async () => {
    await page.getByRole('button', { name: 'Open for' }).click();
    await expect.poll(titles).toSatisfy((all: string[]) => all[0] === 'Bump the date library');
    expect(new URL(page.url()).search).toBe('?stuck=open');

    await page.reload();
    await expect.poll(titles).toSatisfy((all: string[]) => all[0] === 'Bump the date library');
    await page.getByRole('button', { name: 'Open for' }).click();
    expect(new URL(page.url()).search).toBe('');
  });

  it('filter by whose turn, person, drafts and bots, and the address keeps it', async () => {
    await page.getByText(/^Reviewers 3$/).click();
    await expect.poll(titles).toHaveLength(3);
    expect(new URL(page.url()).search).toBe('?turn=reviewers');
    await page.getByText(/^All 6$/).click();
    await page.getByLabel('Drafts').selectOption('hide');
    await page.getByLabel('Bots').selectOption('hide');
    await expect.poll(titles).toHaveLength(4);
    await page.getByPlaceholder('Filter by person...').fill('BEN');
    await expect.poll(titles).toHaveLength(3);
    expect(new URL(page.url()).search).toBe('?drafts=hide&bots=hide&person=BEN');

    await page.getByPlaceholder('Filter by person...').fill('nobody at all');
    await page.getByText('No stuck PRs found').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect.poll(titles).toHaveLength(6);
    expect(new URL(page.url()).search).toBe('');
  });

  it('show drafts, bots and agents with, without or alone', async () => {
    const choose = async (name: string, choice: string) => {
      await page.getByLabel(name, { exact: true }).selectOption({ label: choice });
    };
    await choose('Drafts', 'Drafts only');
    await expect.poll(titles).toEqual(['Try another queue']);
    await choose('Drafts', 'Without drafts');
    await choose('Bots', 'Bots only');
    await expect.poll(titles).toEqual(['Bump the date library']);
    expect(new URL(page.url()).search).toBe('?drafts=hide&bots=only');
    await choose('Agents', 'Agents only');
    await expect.poll(titles).toEqual(['Bump the date library']);
    await choose('Bots', 'With bots');
    await page.getByText('No stuck PRs found').waitFor();
    await page.getByText('Other stuck pull requests are hidden by the filters.').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect.poll(titles).toHaveLength(6);
  });

  it('narrow to one repository', async () => {
    await page.getByLabel('Repository').selectOption({ label: 'work' });
    await page.waitForURL(/\?repository=\d+$/);
    await page.getByText('6 stuck').waitFor();
    await page.getByLabel('Repository').selectOption({ label: 'All repositories' });
  });

  it('download as a table in the order of the screen, formulas defused', async () => {
    await page.getByRole('button', { name: 'Pull request' }).click();
    const titles = page
      .getByRole('table')
      .getByRole('row')
      .getByRole('link', { name: /^(?!Open)/ });
    await expect.poll(() => titles.first().innerText()).toMatch(/^=HYPERLINK/);
    const shown = (await page.getByRole('table').getByRole('row').allInnerTexts()).slice(1);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await downloading;
    const text = await readFile((await file.path())!, 'utf8');

    expect(file.suggestedFilename()).toMatch(/^stuck-prs_\d{4}-\d\d-\d\d\.csv$/);
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines).toHaveLength(6);
    expect(lines.map((line) => line.match(/pull\/(\d+)/)?.[1])).toEqual(shown.map((line) => line.match(/#(\d+)/)?.[1]));
    expect(text).toContain('"\'=HYPERLINK(""Split the checkout"")"');
  });

  it('open the deep dive, and the host beside it', async () => {
    const address = await row('Print labels')
      .getByRole('link', { name: /^Open #\d+ on / })
      .getAttribute('href');
    expect(address).toBe(`${product.host.url}/${TEAM_REPOSITORY}/pull/3`);

    await page.getByRole('link', { name: 'Print labels on both sides' }).click();
    await page.waitForURL('**/pr/octo-org/work/3');
    await page.goBack();
  });

  it('open by a press anywhere in the row, while its cells explain themselves and its text can be selected', async () => {
    const line = row('Print labels');
    await line.getByText('Ready to merge').hover();
    await page.mouse.down();
    await page.mouse.move(200, (await line.boundingBox())!.y + 20, { steps: 5 });
    await page.mouse.up();
    expect((await page.evaluate(() => window.getSelection()?.toString() ?? '')).length).toBeGreaterThan(5);
    expect(new URL(page.url()).pathname).toBe('/stuck-prs');
    await page.evaluate(() => window.getSelection()?.removeAllRanges());

    await line.getByText('work').hover();
    const tip = page.getByRole('tooltip');
    await tip.getByText('octo-org/work #3').waitFor();
    // It can be pointed at, as whoever enlarges the screen has to, and hides nothing from a press.
    const { x, y, width, height } = (await tip.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await page.waitForTimeout(300);
    expect(await tip.count()).toBe(1);
    const beneath = ({ x, y }: { x: number; y: number }) => document.elementFromPoint(x, y)?.role;
    expect(await page.evaluate(beneath, { x: x + width / 2, y: y + height / 2 })).not.toBe('tooltip');
    await page.mouse.move(x + width + 40, y + height + 40, { steps: 4 });
    await tip.waitFor({ state: 'detached' });

    await line.getByText('Ready to merge').click();
    await page.waitForURL('**/pr/octo-org/work/3');
    await page.goBack();
    const opening = page.context().waitForEvent('page');
    await line.getByText('Ready to merge').click({ modifiers: ['Control'] });
    const tab = await opening;
    await tab.waitForURL('**/pr/octo-org/work/3');
    await tab.close();
  });

  it('say where a re-sync is needed because the host’s address is missing', async () => {
    await page.route('**/api/stuck-prs', async (route) => {
      const answer = await route.fetch();
      const rows = (await answer.json()) as { github_url: string }[];
      rows[0]!.github_url = '#';
      rows[1]!.github_url = '';
      await route.fulfill({ response: answer, json: rows });
    });
    await page.reload();

    await expect.poll(() => page.locator('tbody').getByText('Re-sync needed').count()).toBe(2);
    await expect.poll(() => page.getByRole('link', { name: /^Open #\d+ on / }).count()).toBe(4);
    // Their pages here are still within reach.
    await expect.poll(() => row('Store the ledger').getByRole('link').getAttribute('href')).toBe('/pr/octo-org/work/1');
    await page.unroute('**/api/stuck-prs');
  });

  it('are good news when there are none, with a way to check again', async () => {
    await page.route('**/api/stuck-prs', (route) => route.fulfill({ json: [] }));
    await page.reload();

    await page.getByText('No stuck PRs found').waitFor();
    await page.getByRole('button', { name: 'Sync to check again' }).click();
    await page.getByRole('button', { name: /^Syncing \d+%$/ }).waitFor();
    await page.unroute('**/api/stuck-prs');
  });
});
