import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { isRecorded, recordingsFolder } from '../support/recordings.ts';
import { inspect, openPage, screenshot, startBrowser } from './support/browser.ts';

if (!isRecorded) {
  console.warn('SKIPPED: the recorded repositories are not at hand. Set RECORDED_DATA to the folder that holds them.');
}

describe.runIf(isRecorded)('from signing in to every pull request of a recorded repository', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    product = await startProduct({ world: 'recorded', data: recordingsFolder }, { DATABASE_URL: undefined });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('leads a visitor from a guarded page through the host’s sign-in back to that page', async () => {
    await page.goto('/add-repo');
    await page.waitForURL(/\/login\?/);
    await page.getByRole('button', { name: /^Sign in with / }).click();
    await page.getByRole('button').first().click();

    await page.waitForURL('**/add-repo');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Add repository');
  });

  it('tests the access to the repository before adding it', async () => {
    const buttons = ['Test Access', 'Add Repository'].map((name) => page.getByRole('button', { name }));
    for (const button of buttons) await expect.poll(() => button.isDisabled()).toBe(true);

    await page.getByLabel('Repository name').fill('https://github.com/bitcoin-core/gui');
    await expect.poll(() => page.getByLabel('Repository owner').inputValue()).toBe('bitcoin-core');
    await buttons[0]!.click();

    await page.getByText('bitcoin-core/gui, public').waitFor();
    await inspect(page, 'add-repository-tested');
  });

  it('asks for both owner and name', async () => {
    await page.getByLabel('Repository owner').fill('  ');
    await page.getByRole('button', { name: 'Add Repository' }).click();

    await page.getByText('Please enter both repository owner and name').waitFor();
  });

  it('says why a repository cannot be added', async () => {
    await page.getByLabel('Repository name').fill('bitcoin-core/no-such-thing');
    await page.getByRole('button', { name: 'Add Repository' }).click();

    await page.getByText(/^Cannot access repository: /).waitFor();
  });

  it('adds the repository, shows the first sync and how to set up the webhook, and lets one stay', async () => {
    await page.getByLabel('Repository name').fill('bitcoin-core/gui');
    await page.getByRole('button', { name: 'Add Repository' }).click();
    await page.getByRole('button', { name: 'Stay here' }).click();

    await page.getByText('Pull requests, Pull request reviews').waitFor();
    await page.getByRole('button', { name: 'Copy Secret' }).click();
    const secret = await page.evaluate(() => navigator.clipboard.readText());
    expect(secret.length).toBeGreaterThanOrEqual(32);
    await expect.poll(() => page.getByText(secret).count()).toBe(0);
    await page.getByRole('button', { name: 'Show Secret' }).click();
    await expect.poll(() => page.getByText(secret).count()).toBe(1);
    await screenshot(page, 'add-repository-light');
  });

  it('watches the sync to its end', async () => {
    await page.getByText('Successfully synced 537 PRs and 2893 reviews', { exact: true }).waitFor({ timeout: 120_000 });
    await inspect(page, 'add-repository-synced');
  });

  it('lists all 537 pull requests, 50 on a page', async () => {
    await page.getByRole('link', { name: 'All PRs' }).click();

    await page.getByText('537 total').waitFor();
    await page.getByText('Showing 1 to 50 of 537 results').waitFor();
    await expect.poll(() => page.getByText('Page 1 of 11').count()).toBe(1);
    await expect.poll(() => page.getByRole('row').count()).toBe(51);
    await expect.poll(() => page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await inspect(page, 'pull-requests');
  });

  it('turns the pages up to the last one', async () => {
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Showing 51 to 100 of 537 results').waitFor();
    await page.goto('/prs?page=11');

    await page.getByText('Showing 501 to 537 of 537 results').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Previous' }).isEnabled()).toBe(true);
  });

  it('filters by state and goes back to everything', async () => {
    await page.getByText(/^Merged \d+$/).click();
    await page.getByText(/^Page 1 of \d+$/).waitFor();
    expect(new URL(page.url()).search).toBe('?state=merged');

    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByText('Showing 1 to 50 of 537 results').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('searches title, author and repository, and says what it was filtered from', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('wallet');
    await page.getByText(/^Showing 1 to \d+ of \d+ search results \(filtered from 537 total\)$/).waitFor();
    const titles = await page.locator('tbody tr').allTextContents();
    expect(titles.length).toBeGreaterThan(0);
    for (const row of titles) expect(row.toLowerCase()).toContain('wallet');

    await page.keyboard.type(' that nobody ever opened');
    await page.getByText('No pull requests found matching your criteria').waitFor();
    await inspect(page, 'pull-requests-empty');
    await page.getByRole('button', { name: 'Clear Filters' }).first().click();
    await page.getByText('Showing 1 to 50 of 537 results').waitFor();
  });

  it('moves through the rows with j and k and opens one with Enter', async () => {
    await page.locator('h1').click();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    const second = page.locator('tbody tr').nth(1).getByRole('link').first();
    const address = await second.getAttribute('href');
    expect(await second.evaluate((link) => link === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    await page.waitForURL(`**${address}`);
    await page.goBack();
  });

  it('finds a contributor by keyboard', async () => {
    await page.getByPlaceholder('Search contributors...').focus();
    await page.getByText('Popular Contributors').waitFor();
    const options = page.getByRole('listbox', { name: 'Contributors' }).getByRole('option');
    await expect.poll(() => options.count()).toBe(5);
    await page.keyboard.type('hebas');
    await options.filter({ hasText: 'hebasto' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await page.waitForURL('**/contributor/hebasto');
  });

  it('logs out from the avatar menu and ends at the landing page, whatever is asked meanwhile', async () => {
    await page.route('**/auth/logout', async (route) => {
      const answer = await route.fetch();
      // The server has ended the session, and the page, which does not know yet, asks for what it shows.
      const refused = page.waitForResponse((response) => response.status() === 401);
      await page.evaluate(() => {
        for (const name of ['offline', 'online']) dispatchEvent(new Event(name));
      });
      await refused;
      await page.waitForTimeout(300);
      await route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: /^Account of / }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'No, log out' }).click();
    await page.waitForURL(`${product.url}/`);

    await page.goto('/prs');
    await page.waitForURL(/\/login\?/);
  });
});
