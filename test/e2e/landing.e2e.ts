import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, screenshot, startBrowser } from './support/browser.ts';

describe('the public page', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true', DATABASE_URL: undefined }, { wholeDemo: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  beforeEach(async () => {
    page = await openPage(browser, product.url);
  });
  afterEach(() => page.context().close());

  /** Opens the page and waits until it knows what the server offers. */
  const openKnowing = async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Connect GitHub Enterprise Server' }).first().waitFor();
  };

  it('shows the product with figures that say they are samples', async () => {
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'See where reviews wait.' }).waitFor();

    await page.getByText('Sample data', { exact: true }).first().waitFor();
    await page.getByText('Figures on this page are sample data.').waitFor();
    await inspect(page, 'landing');
  });

  it('speaks of GitHub Enterprise Server where the host is one, and never of its address', async () => {
    await openKnowing();
    await page.getByRole('link', { name: 'Connect GitHub Enterprise Server' }).first().waitFor();
    await page.getByText('GitHub and Enterprise Server').waitFor();

    expect(await page.locator('body').innerText()).not.toContain(new URL(product.host.url).host);
  });

  it('leads to the documentation and the licence at its foot', async () => {
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Licence' }).click();
    await page.getByText('Permission is hereby granted').waitFor();
  });

  it('asks nobody but its own server', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.goto('/', { waitUntil: 'networkidle' });

    expect(new Set(asked)).toEqual(new Set([product.url]));
  });

  it.each(['Get Started', /^Connect /])('leads to the sign-in page by %s', async (name) => {
    await page.goto('/');
    await page.getByRole('link', { name }).first().click();

    await page.waitForURL('**/login');
  });

  it('names the dashboard as the way of View Demo', async () => {
    await page.goto('/');

    await expect
      .poll(() => page.getByRole('link', { name: 'View Demo' }).first().getAttribute('href'))
      .toBe('/dashboard');
  });

  it.each([
    [503, 'demo_not_ready', /demo is still being prepared/],
    [503, 'demo_full', /Very many people view the demo/],
    [429, 'too_many_requests', /^Too many tries/],
  ])('leaves the words of a demo that does not open, %i %s, to the sign-in page', async (status, code, words) => {
    await page.route('**/auth/demo', (route) =>
      route.fulfill({ status, json: { error: 'Not yet.', code, request_id: 'r' } }),
    );
    await openKnowing();
    await page.getByRole('link', { name: 'View Demo' }).first().click();

    await page.waitForURL(`**/login?error=${code}`);
    await page.getByText(words).waitFor();
  });

  it('sends View Demo to the sign-in page where there is no demo', async () => {
    await page.route('**/auth/options', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), demo: false } });
    });
    await openKnowing();
    await page.getByRole('link', { name: 'View Demo' }).first().click();

    await page.waitForURL(/\/login\?return_to=/);
  });

  it('opens the demo by View Demo, whose figures say during its first import that they are partial', async () => {
    await openKnowing();
    await page.getByRole('link', { name: 'View Demo' }).first().click();

    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Engineering Metrics Dashboard' }).waitFor();

    // Its first import has begun: the figures are partial, and compared with nothing.
    const strip = page.getByRole('region', { name: 'Team figures of the last 30 days' });
    await strip
      .getByText('Partial until the first import is complete: figures still grow, comparisons follow.')
      .waitFor({ timeout: 200_000 });

    await screenshot(page, 'demo-first-import');
    expect(await strip.innerText()).toMatch(/Merged\s+[\d,]+\s+PRs/);
    expect(await strip.locator('svg.octicon').count()).toBe(0);
    expect(await strip.innerText()).not.toMatch(/from \d|before|yesterday|a month ago|history begins/);
  });
});
