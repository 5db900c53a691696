import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { openPage, screenshot, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

/** The Content-Security-Policy allows no style and no script in the page itself; `openPage` fails a test where one is tried. */
describe('a page with nothing inline', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct({ DEMO: 'true', ADMIN_LOGINS: 'mona' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const styleElements = () => page.locator('style').count();

  it('is what the browser holds us to: a style element that got in is not used, and reported', async () => {
    const other = await browser.newPage({ baseURL: product.url });
    await other.goto('/');
    const forbidden = await other.evaluate(async () => {
      const reported = new Promise<string>((resolve) =>
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective)),
      );
      const style = document.createElement('style');
      style.textContent = 'body { display: none; }';
      document.head.append(style);
      return [await reported, getComputedStyle(document.body).display];
    });
    await other.close();

    expect(forbidden).toEqual(['style-src-elem', 'block']);
  });

  it('is every screen, in both colour schemes', async () => {
    for (const path of ['/', '/login?error=weaker_token']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await styleElements(), path).toBe(0);
    }
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    const screens = [
      ...['/dashboard', '/stuck-prs', '/reviewer-stats', '/developer-stats', '/review-load', '/contributors'],
      ...['/contributor/ada', '/contributor/ada?compare=ben', '/prs', `/pr/${TEAM_REPOSITORY}/1`],
      ...['/settings', '/administration', '/add-repo'],
    ];
    for (const path of [...screens, '/nowhere']) {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      await page.waitForFunction(() => document.querySelector('[class*=skeleton i], [aria-busy=true]') === null);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      for (const colorScheme of ['dark', 'light'] as const) await page.emulateMedia({ colorScheme });
      expect(await styleElements(), path).toBe(0);
    }
  });

  it('is every overlay: the palette, the shortcuts, a dialog, a menu and the drawer, and the page behind it does not scroll', async () => {
    await page.goto('/contributors');
    await titleShown(page);
    const scrolls = () => page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
    expect(await scrolls()).toBe('visible');
    for (const [keys, name] of [
      ['Control+k', /Search pull requests/],
      ['?', /shortcuts/i],
    ] as const) {
      await page.keyboard.press(keys);
      await page.getByRole('dialog', { name }).waitFor();
      expect([await scrolls(), await styleElements()], keys).toEqual(['hidden', 0]);
      await screenshot(page, `nothing-inline-${keys === '?' ? 'shortcuts' : 'palette'}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(scrolls).toBe('visible');
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    expect([await scrolls(), await styleElements()]).toEqual(['hidden', 0]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('is an error, too; the pages of the demo’s host keep the one style that they have', async () => {
    await page.goto('/api/nowhere');
    expect(await page.locator('body').textContent()).toContain('not_found');

    const visitor = await openPage(browser, product.url);
    const headers = { origin: product.url };
    const explore = async () => (await visitor.request.post(`${product.url}/auth/demo`, { headers })).status();
    await expect.poll(explore, { interval: 500 }).toBe(200);
    const [repository] = await (await visitor.request.get(`${product.url}/api/repos`)).json();
    await visitor.goto(`/demo-host/${repository.full_name}`);
    const heading = visitor.getByRole('heading', { level: 1 });
    expect(await heading.evaluate((element) => getComputedStyle(element).fontSize)).toBe('20px');
    await screenshot(visitor, 'nothing-inline-demo-host');
    await visitor.context().close();
  });
});
