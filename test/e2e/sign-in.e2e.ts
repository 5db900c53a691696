import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a server that offers every way to sign in', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true' });
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    page = await openPage(browser, product.url);
  });
  afterEach(() => page.context().close());

  it('offers them on an accessible page', async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: /^Sign in with / }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Explore the demo' }).count()).toBe(1);
    await expect.poll(() => page.getByText(/^By signing in you agree to the terms/).count()).toBe(1);
    await inspect(page, 'login');
  });

  it('signs in with a token and opens the dashboard', async () => {
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');

    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Engineering Metrics Dashboard' }).waitFor();
  });

  it('sends a signed-in person on to the dashboard', async () => {
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');

    await page.goto('/login');
    await page.waitForURL('**/dashboard');
  });

  it('says that a token was not accepted and keeps the page', async () => {
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_nobody_at_all');
    await page.keyboard.press('Enter');

    await page
      .getByRole('alert')
      .getByText(/did not accept this token/)
      .waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await inspect(page, 'login-error');
  });

  it('asks to sign in again, and comes back, when the session has ended elsewhere', async () => {
    await page.goto('/login?return_to=%2Fprs');
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.getByText('No pull requests found matching your criteria').waitFor();
    await page.context().clearCookies();

    await page.getByRole('button', { name: 'Refresh Data' }).click();
    await page.getByText(/Your session has ended/).waitFor();
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/prs');
  });

  it('opens the demo', async () => {
    await page.goto('/login');
    // Right after the start the demo's world may still be being built; the server waits for it.
    await page.getByRole('button', { name: 'Explore the demo' }).click();

    await page.waitForURL('**/dashboard');
  });
});

describe('a server without an OAuth app, tokens or demo', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct(
      { world: 'tiny' },
      { GITHUB_CLIENT_ID: undefined, GITHUB_CLIENT_SECRET: undefined, ALLOW_TOKEN_SIGN_IN: 'false', DEMO: 'false' },
    );
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    page = await openPage(browser, product.url);
  });
  afterEach(() => page.context().close());

  it('says how to switch the sign-in on', async () => {
    await page.goto('/login');

    await page.getByText(/Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Sign in with / }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Explore the demo' }).count()).toBe(0);
    await expect.poll(() => page.getByPlaceholder('Paste a token').count()).toBe(0);
    await inspect(page, 'login-not-set-up', { aState: true });
  });

  const problems = [
    ['access_denied', /did not confirm the sign-in\. Nothing was saved/],
    ['state_mismatch', /started in another window or took too long/],
    ['code_rejected', /did not accept the sign-in/],
    ['token_rejected', /did not accept this token/],
    ['host_unavailable', /did not answer\. Nothing was saved/],
    ['not_allowed', /may not sign in to this installation/],
    ['demo_not_ready', /demo is still being prepared/],
    ['session_expired', /Your session has ended/],
    ['oauth_not_configured', /is not set up on this server/],
    ['something_new', /^Login failed/],
  ] as const;
  it.each(problems)('words the error %s', async (code, words) => {
    await page.goto(`/login?error=${code}`);

    await page.getByRole('alert').getByText(words).waitFor();
  });
});
