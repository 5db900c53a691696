import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contributor } from '#contract/contributors.ts';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

const aContributor = (number: number): Contributor => ({
  username: `person-${number}`,
  display_name: null,
  avatar_url: null,
  kind: 'human',
  total_prs_opened: number,
  total_prs_merged: 0,
  current_open_prs: 0,
  last_activity: null,
  repositories_count: 1,
  repository_count: 1,
});

describe('the list of contributors', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const cards = () => page.getByRole('list', { name: 'Contributors' }).getByRole('listitem');
  const box = () => page.getByRole('searchbox', { name: 'Filter contributors by name or username' });

  it('is for signed-in people only', async () => {
    await page.goto('/contributors');

    await page.waitForURL(/\/login\?return_to=%2Fcontributors/);
  });

  it('says that there is nobody before the first sync', async () => {
    await signInAsMona(page, product);
    await page.goto('/contributors');

    await page.getByText('No contributors available').waitFor();
    await expect.poll(() => page.getByText(/^Showing/).count()).toBe(0);
  });

  it('shows each person’s figures on a card', async () => {
    await connectAndSync(page, product);
    await page.goto('/contributors');
    await page.getByText('Showing 3 of 3 contributors').waitFor();

    const ada = cards().filter({ has: page.getByRole('link', { name: 'ada' }) });
    await expect
      .poll(() => ada.innerText())
      .toMatch(/ada\s+\S.* ago\s+Opened\s+6\s+Merged\s+0\s+Open now\s+6\s+1 repository/);
    await inspect(page, 'contributors');
  });

  it('explains each figure of a card by the pull requests behind it, without leaving the list', async () => {
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    const ada = cards().filter({ has: page.getByRole('link', { name: 'ada' }) });
    for (const [figure, head, value, window] of [
      ['Opened 6 explain', 'Opened: ada', '6', 'All time, as of'],
      ['Merged 0 explain', 'Merged: ada', '0', 'All time, as of'],
      ['Open now 6 explain', 'Open PRs: ada', '6', 'As of'],
      ['1 repository explain', 'Repositories: ada', '1', 'All time, as of'],
    ] as const) {
      await ada.getByRole('button', { name: figure, exact: true }).click();
      await dialog.getByText(head, { exact: true }).waitFor();
      await expect
        .poll(() => dialog.locator('dl').innerText())
        .toMatch(new RegExp(`^Value\\s+${value}\\s[\\s\\S]*Window\\s+${window} `));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('link', { name: 'ada' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'See the 6 pull requests' }).click();
    await expect.poll(() => dialog.getByRole('link').count()).toBe(6);
    // No tooltip of what lies under the pointer by chance.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await accessible(page, 'contributors-explained');
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).pathname).toBe('/contributors');
  });

  it('adds bots and agents only when asked for them', async () => {
    await expect.poll(() => page.getByText('dependabot').count()).toBe(0);
    await page.getByRole('button', { name: 'Show 1 bot or agent' }).click();

    await page.getByText('Showing 4 of 4 contributors').waitFor();
    await page.getByRole('button', { name: 'Show humans only' }).click();
    await page.getByText('Showing 3 of 3 contributors').waitFor();
  });

  it('filters by a part of the username in any case, and clears', async () => {
    await box().fill('  EN ');
    await page.getByText('Showing 1 of 3 contributors').waitFor();
    await expect.poll(() => cards().getByRole('link').allInnerTexts()).toEqual(['ben']);

    await page.getByRole('button', { name: 'Clear' }).press('Enter');
    await page.getByText('Showing 3 of 3 contributors').waitFor();
    await expect.poll(() => box().evaluate((it) => it === document.activeElement)).toBe(true);
    await expect.poll(() => box().inputValue()).toBe('');
    await expect.poll(() => page.getByRole('button', { name: 'Clear' }).count()).toBe(0);
  });

  it('filters by a part of the name, too', async () => {
    await box().fill('quill');
    await page.getByText('Showing 1 of 3 contributors').waitFor();
    await box().fill('quillon');

    await page.getByText('No contributors found').waitFor();
    await page.getByText('Showing 0 of 3 contributors').waitFor();
    await accessible(page, 'contributors-none-found');
    await page.getByRole('button', { name: 'Clear' }).last().click();
    await page.getByText('Showing 3 of 3 contributors').waitFor();
  });

  it('sorts by activity, name or how much was done, and keeps that in the address', async () => {
    await page.goto('/contributors');
    const names = () => cards().getByRole('link').allInnerTexts();
    await page.getByText('Showing 3 of 3 contributors').waitFor();
    await expect.poll(async () => (await names()).length).toBe(3);
    const byActivity = await names();

    await page.getByLabel('Sort by').selectOption('Name');
    await expect.poll(names).toEqual(['Ada Quill ada', 'ben', 'Cleo March cleo']);
    expect(new URL(page.url()).search).toBe('?sort=name');
    await page.getByLabel('Sort by').selectOption('Most opened');
    await expect.poll(async () => (await names())[0]).toBe('Ada Quill ada');

    await page.getByLabel('Sort by').selectOption('Latest activity');
    await expect.poll(names).toEqual(byActivity);
    expect(new URL(page.url()).search).toBe('');
  });

  it('counts a number that an answer lacks as 0, and ends the list right below its last card', async () => {
    await page.route(
      (url) => url.pathname === '/api/contributors',
      (route) => route.fulfill({ json: [{ ...aContributor(1), total_prs_merged: undefined, current_open_prs: null }] }),
    );
    await page.goto('/contributors');
    await expect.poll(() => cards().first().innerText()).toMatch(/Opened\s+1\s+Merged\s+0\s+Open now\s+0/);

    const card = (await cards().last().boundingBox())!;
    const foot = (await page.getByText('Humans only').boundingBox())!;
    expect(foot.y - (card.y + card.height)).toBeLessThan(40);
    await page.unrouteAll();
  });

  it('keeps the filter in the address', async () => {
    await page.goto('/contributors?q=cl');

    await page.getByText('Showing 1 of 3 contributors').waitFor();
    await expect.poll(() => box().inputValue()).toBe('cl');
  });

  it('opens a person’s page from anywhere on the card, and by keyboard', async () => {
    await cards()
      .first()
      .click({ position: { x: 200, y: 130 } });
    await page.waitForURL('**/contributor/cleo');
    await page.goBack();

    await page.getByRole('link', { name: 'cleo' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/contributor/cleo');
  });

  it('leads to the settings and back to the dashboard', async () => {
    await page.goto('/contributors');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings');
    await page.goBack();

    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.waitForURL('**/dashboard');
  });

  it('fetches the list anew at a press', async () => {
    await page.goto('/contributors');
    await page.getByText('Showing 3 of 3 contributors').waitFor();
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/contributors');

    await page.getByRole('button', { name: 'Refresh contributors' }).click();
    await asked;
  });

  it('stands in outlines while the list is fetched for the first time', async () => {
    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname === '/api/contributors',
      (route) => {
        held.push(() => void route.continue());
      },
    );
    await page.goto('/contributors');
    await page.getByRole('status').getByText('Loading', { exact: true }).waitFor();
    await expect.poll(() => held.length).toBe(1);
    await expect.poll(() => page.getByText(/^Showing|^No contributors/).count()).toBe(0);

    held.pop()?.();
    await page.getByText('Showing 3 of 3 contributors').waitFor();
    await page.unrouteAll();
  });

  it('says what failed and tries again', async () => {
    const undo = await failing(page, '/api/contributors', { error: 'The database is away.', request_id: '7f3c91' });
    await page.goto('/contributors');
    await page.getByText('Error Loading Contributors').waitFor();
    await page
      .getByText('Failed to fetch contributors: Internal Server Error. The database is away. Request 7f3c91.')
      .waitFor();
    await accessible(page, 'contributors-failed');

    await undo();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('Showing 3 of 3 contributors').waitFor();
  });

  it('scrolls through 2,000 people while drawing only those near the window', async () => {
    const people = Array.from({ length: 2_000 }, (_, at) => aContributor(at + 1));
    await page.route(
      (url) => url.pathname === '/api/contributors',
      (route) => route.fulfill({ json: people }),
    );
    await page.goto('/contributors');
    await page.getByText('Showing 2,000 of 2,000 contributors').waitFor();
    await expect.poll(() => cards().count()).toBeLessThan(80);

    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.getByRole('link', { name: 'person-2000', exact: true }).waitFor();
    await expect.poll(() => cards().count()).toBeLessThan(80);
    await expect.poll(() => page.getByRole('link', { name: 'person-1', exact: true }).count()).toBe(0);

    await box().fill('199');
    await page.getByText('Showing 12 of 2,000 contributors').waitFor();
    await page.getByRole('link', { name: 'person-1999', exact: true }).waitFor();
  });
});
