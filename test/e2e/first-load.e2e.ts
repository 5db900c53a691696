import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { openPage, startBrowser } from './support/browser.ts';

const KILOBYTE = 1_000;

describe('the first load of the dashboard', () => {
  let product: RunningProduct;
  let browser: Browser;
  const asked: string[] = [];
  const loaded: { readonly url: string; readonly bytes: number }[] = [];

  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'false' });
    browser = await startBrowser();
    const signIn = await openPage(browser, product.url);
    await signIn.goto('/login');
    await signIn.getByPlaceholder('Paste a token').fill('ghp_mona');
    await signIn.keyboard.press('Enter');
    await signIn.waitForURL('**/dashboard');
    const cookies = await signIn.context().cookies();

    const page = await openPage(browser, product.url);
    await page.context().addCookies(cookies);
    page.on('request', (request) => {
      // Pictures of people come from the host, nothing else does.
      if (request.resourceType() !== 'image') asked.push(request.url());
    });
    const reading: Promise<void>[] = [];
    page.on('response', (response) => {
      const url = response.url();
      if (!/\.(js|css)$/.test(new URL(url).pathname)) return;
      reading.push(response.body().then((body) => void loaded.push({ url, bytes: gzipSync(body).length })));
    });
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Engineering Metrics Dashboard' }).waitFor();
    await page.waitForTimeout(2_000);
    await Promise.all(reading);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const weigh = (ending: string) =>
    loaded.filter(({ url }) => url.endsWith(ending)).reduce((sum, { bytes }) => sum + bytes, 0);

  it('fetches at most 200 kB of script, compressed', () => {
    expect(weigh('.js')).toBeGreaterThan(50 * KILOBYTE);
    expect(weigh('.js')).toBeLessThanOrEqual(200 * KILOBYTE);
  });

  it('fetches at most 30 kB of styles, compressed', () => {
    expect(weigh('.css')).toBeGreaterThan(5 * KILOBYTE);
    expect(weigh('.css')).toBeLessThanOrEqual(30 * KILOBYTE);
  });

  it('asks nobody but its own server', () => {
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });
});
