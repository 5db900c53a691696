import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona } from './support/team.ts';

const KILOBYTE = 1_000;

describe('the first load of the dashboard', () => {
  let product: RunningProduct;
  let browser: Browser;
  let visitor: Page;

  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'false' });
    browser = await startBrowser();
    visitor = await openPage(browser, product.url);
    await signInAsMona(visitor, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** Opens the dashboard in a browser that holds nothing yet: what it asks for, and how heavy each file is, compressed. */
  async function firstLoad(until: (page: Page) => Promise<void>) {
    const asked: string[] = [];
    const loaded: Promise<{ readonly url: string; readonly bytes: number }>[] = [];
    const page = await openPage(browser, product.url);
    await page.context().addCookies(await visitor.context().cookies());
    page.on('request', (request) => {
      // Pictures of people come from the host, nothing else does.
      if (request.resourceType() !== 'image') asked.push(request.url());
    });
    page.on('response', (response) => {
      const url = response.url();
      if (!/\.(js|css)$/.test(new URL(url).pathname)) return;
      loaded.push(response.body().then((body) => ({ url, bytes: gzipSync(body).length })));
    });
    await page.goto('/dashboard');
    await until(page);
    await page.waitForTimeout(2_000);
    const files = await Promise.all(loaded);
    await page.context().close();
    const weigh = (ending: string) =>
      files.filter(({ url }) => url.endsWith(ending)).reduce((sum, { bytes }) => sum + bytes, 0);
    return { asked, script: weigh('.js'), style: weigh('.css') };
  }

  const connect = async () => await connectAndSync(visitor, product, 'octo-org/hello');
  it.each([
    [
      'before anything is connected',
      async () => {},
      (page: Page) => page.getByRole('heading', { name: 'Connect Your First Repository' }).waitFor(),
    ],
    ['with data on it', connect, (page: Page) => page.getByText(/^Last 30 days, 1 repository/).waitFor()],
  ])(
    'fetches at most 200 kB of script and 30 kB of styles, compressed, of its own server alone, %s',
    async (_, prepare, until) => {
      await prepare();

      const { asked, script, style } = await firstLoad(until);

      expect(script).toBeGreaterThan(50 * KILOBYTE);
      expect(script).toBeLessThanOrEqual(200 * KILOBYTE);
      expect(style).toBeGreaterThan(5 * KILOBYTE);
      expect(style).toBeLessThanOrEqual(30 * KILOBYTE);
      expect(asked.length).toBeGreaterThan(10);
      expect(asked.filter((url) => !url.startsWith(product.url))).toEqual([]);
    },
  );
});
