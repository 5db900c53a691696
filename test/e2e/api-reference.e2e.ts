import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';

describe('the API reference', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  const asked = new Set<string>();
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const call = (anchor: string) => page.locator(`#${anchor}`);
  const shown = () => page.locator('#api .call:visible').count();
  const hash = () => new URL(page.url()).hash;

  /** What is found, opened, alone on the page: looking through all calls takes a minute. */
  const withoutTheHidden = () =>
    page.evaluate(() => {
      for (const each of document.querySelectorAll('[hidden]')) each.remove();
      for (const each of document.querySelectorAll('details')) each.open = true;
    });

  it('is found from the documents, open to all, and draws every call', async () => {
    await page.goto('/docs');
    await page.getByRole('link', { name: 'API reference' }).click();
    // A long page: its beginning is there before its end.
    await page.waitForURL('/docs/api');
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
    const { paths } = (await (await page.request.get('/api/openapi.json')).json()) as { paths: object };
    const calls = Object.values(paths).flatMap((each: object) => Object.keys(each)).length;
    await page.getByText(`${calls} calls`, { exact: true }).waitFor();
    expect(await page.locator('#api .call[data-words]').count()).toBe(calls);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('is searched by keyboard, and says when nothing is found', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('read:mine get');
    await expect.poll(shown).toBe(2);
    expect(await page.getByRole('status').innerText()).toMatch(/^2 of \d+ calls$/);
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('read:mine get');
    await withoutTheHidden();
    await inspect(page, 'api-reference', { aState: true });
    await page.reload();
    await expect.poll(shown).toBe(2);
    await page.keyboard.press('/');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(hash).toBe('#get-api-explain-metric');

    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('No call has all of these words.').waitFor();
    await page.getByRole('button', { name: 'Show all calls' }).click();
    await expect.poll(shown).toBeGreaterThan(100);
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.type('nothing like it');
    await withoutTheHidden();
    await accessible(page, 'api-reference-none');
  });

  it('opens at a call by its address, also one that a search hides, and goes back', async () => {
    await page.goto('/docs/api?q=teams#get-api-prs');
    await expect
      .poll(() => call('get-api-prs').evaluate((it) => Math.abs(it.getBoundingClientRect().top) < 60))
      .toBe(true);
    const listed = page.getByRole('navigation', { name: 'Calls' }).locator('[aria-current]');
    await expect.poll(() => listed.innerText()).toContain('/api/prs');
    await call('get-api-prs').locator('a[href="#get-api-teams"]').first().click();
    await expect.poll(hash).toBe('#get-api-teams');
    await page.goBack();
    await expect.poll(hash).toBe('#get-api-prs');
    await expect
      .poll(() => call('get-api-prs').evaluate((it) => Math.abs(it.getBoundingClientRect().top) < 60))
      .toBe(true);
  });

  it('gives a request to copy, which works with a token, and opens to the answer and the errors', async () => {
    await call('get-api-prs').locator('[data-copy][aria-label="Copy the request GET /api/prs"]').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`curl -H "Authorization: Bearer mgl_YOUR_TOKEN" "${product.url}/api/prs"`);
    await call('get-api-prs').getByText('Answer 200', { exact: false }).first().click();
    await call('get-api-prs').getByText('waiting_since').waitFor();
    await call('get-api-prs').getByText('Errors', { exact: false }).first().click();
    await call('get-api-prs').getByText('too_expensive').waitFor();

    const headers = { origin: product.url };
    await page.request.post('/auth/demo', { headers });
    const data = { name: 'A script', scopes: ['read:figures'], repositories: 'all' };
    const { token } = (await (await page.request.post('/api/tokens', { headers, data })).json()) as { token: string };
    const answer = await fetch(`${product.url}/api/prs`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  });

  it('is linked from where tokens and assistants are', async () => {
    for (const [path, name] of [
      ['/settings/tokens', 'What it can ask'],
      ['/settings/assistants', 'the calls of this server'],
    ] as const) {
      await page.goto(path);
      expect(await page.getByRole('link', { name }).getAttribute('href')).toBe('/docs/api');
    }
  });

  it('asks nobody but this server', () => {
    expect([...asked]).toEqual([product.url]);
  });
});
