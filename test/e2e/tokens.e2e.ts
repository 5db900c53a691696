import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('tokens in the settings', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const rows = () => page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
  const make = () => page.getByRole('button', { name: 'Make token', exact: true }).first();
  const use = async (token: string, path: string) =>
    await fetch(`${product.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

  it('are reached from the list of parts, and are none at first', async () => {
    await page.goto('/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tokens' }).click();
    await page.getByText('No tokens yet').waitFor();
    await inspect(page, 'tokens-none', { aState: true });
  });

  it('are made by keyboard, shown once, and read what they may', async () => {
    await make().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Make token' });
    await dialog.waitFor();
    await page.keyboard.type('Nightly report');
    await dialog.getByRole('combobox', { name: 'Which repositories' }).selectOption('some');
    expect(await dialog.getByRole('button', { name: 'Make token' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'octo-org/work' }).press('Space');
    await inspect(page, 'tokens-make', { aState: true });
    await page.keyboard.press('Enter');

    const made = page.getByRole('dialog', { name: 'Token Nightly report' });
    await made.getByText('Copy it now', { exact: false }).waitFor();
    await inspect(page, 'tokens-made', { aState: true });
    // A click beside it does not lose what is shown this once.
    await page.mouse.click(4, 4);
    await made.getByRole('button', { name: 'Copy Token' }).click();
    const token = await page.evaluate(() => navigator.clipboard.readText());
    expect(token).toMatch(/^mgl_[0-9A-Za-z]{46}$/);
    await made.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(() => rows().innerText()).toMatch(/Nightly report[\s\S]*octo-org\/work[\s\S]*Never used/);
    expect(await page.content()).not.toContain(token);

    expect((await use(token, '/api/team-stats')).status).toBe(200);
    expect((await use(token, '/api/my-work')).status).toBe(403);
    await page.reload();
    await rows().getByText('Used within the last two hours').waitFor();
    await inspect(page, 'tokens');
  });

  it('say why one could not be made', async () => {
    const undo = await failing(page, '/api/tokens', { error: 'The disk is full', code: 'disk_full', request_id: 'x' });
    await make().click();
    const dialog = page.getByRole('dialog', { name: 'Make token' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Another');
    await dialog.getByRole('button', { name: 'Make token' }).click();
    await dialog.getByText('The token could not be made.', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await undo();
  });

  it('are revoked after asking, and read nothing from then on', async () => {
    const token = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke token' });
    await dialog.getByText('from its next request on', { exact: false }).waitFor();
    await inspect(page, 'tokens-revoke', { aState: true });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('No tokens yet').waitFor();

    expect((await use(token, '/api/team-stats')).status).toBe(401);
  });

  it('are gone where another tab has revoked them a moment before', async () => {
    const headers = { origin: product.url };
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const data = { name: 'Twice', scopes: ['read:figures'], repositories: 'all', expires_at };
    expect((await page.request.post(`${product.url}/api/tokens`, { headers, data })).status()).toBe(201);
    await page.reload();
    await page.route(/\/api\/tokens\/[^/]+$/, async (route) => {
      expect((await page.request.delete(route.request().url(), { headers })).status()).toBe(204);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Revoke Twice' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();

    await page.getByText('No tokens yet').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.unroute(/\/api\/tokens\/[^/]+$/);
  });

  it('say that they are switched off, and why the list is not there', async () => {
    await page.route('**/auth/options', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), api_token_days: null } });
    });
    const undo = await failing(page, '/api/tokens', { error: 'Something', code: 'internal_error', request_id: 'x' });
    await page.reload();
    await page.getByText('Tokens are switched off on this server', { exact: false }).waitFor();
    await page.getByText('Failed to fetch your tokens').waitFor();
    expect(await make().isDisabled()).toBe(true);
    await inspect(page, 'tokens-off', { aState: true });
    await undo();
    await page.unroute('**/auth/options');
  });
});

describe('tokens in the demo', () => {
  let product: RunningProduct;
  let browser: Browser;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true' });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('can be made by a visitor', async () => {
    const page = await openPage(browser, product.url);
    await page.goto('/login');
    await page.getByRole('button', { name: 'View Demo' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/settings/tokens');
    await page.getByRole('button', { name: 'Make token' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Make token' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('My script');
    await dialog.getByRole('button', { name: 'Make token' }).click();
    await page.getByRole('button', { name: 'Copy Token' }).click();
    const token = await page.evaluate(() => navigator.clipboard.readText());

    const answer = await fetch(`${product.url}/api/team-stats`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  });
});
