import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { signInAsMona } from './support/team.ts';

describe('the thresholds of signals', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  let octo: Page;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { ADMIN_LOGINS: 'mona' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    octo = await openPage(browser, product.url);
    await octo.request.post(`${product.url}/auth/token`, {
      headers: { origin: product.url },
      data: { token: 'ghp_octo' },
    });
    await page.goto('/settings');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const card = (of: Page) => of.getByRole('region', { name: 'Thresholds of review signals' });
  const field = (name: string) => card(page).getByLabel(name, { exact: true });
  const save = () => card(page).getByRole('button', { name: 'Save', exact: true });
  const held = async () =>
    (await (await page.request.get(`${product.url}/api/settings/health`)).json()) as Record<string, unknown>;

  it('are read by everyone, with who can change them', async () => {
    await octo.goto('/settings');
    await card(octo).getByText('Administrators of this server can change them.').waitFor();

    const text = (await card(octo).innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Big: lines, more than 400 · Open: days, more than 14 · Approved: days, more than 3');
    expect(text).toContain('go.sum');
    await expect.poll(() => card(octo).getByRole('textbox').count()).toBe(0);
    await inspect(octo, 'thresholds-read', { aState: true });
  });

  it('are changed by administrators, who read before what that does', async () => {
    expect(await field('Big: lines, more than').inputValue()).toBe('400');
    await expect.poll(() => card(page).getByText('Saving changes').count()).toBe(0);
    await field('Big: lines, more than').fill('500');
    await field('Words, at most').fill('3');

    await card(page)
      .getByText('Saving changes “Words, at most” from 2 to 3, “Big: lines, more than” from 400 to 500 for everyone')
      .waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await inspect(page, 'thresholds');
    await save().focus();
    await page.keyboard.press('Enter');
    await card(page).getByText('Saved', { exact: true }).waitFor();

    expect(await held()).toMatchObject({ big: 500, stamped: { words: 3, minutes: 5, lines_per_minute: 30 } });
    await octo.reload();
    await card(octo).getByText('Big: lines, more than 500').waitFor();
  });

  it('out of range are told beside their fields, and what was typed stays', async () => {
    await field('Rounds, at least').fill('1');
    await field('Lines a minute').fill('many');
    await field('Generated files').fill(`*.lock\n\n${'x'.repeat(201)}`);
    await save().click();

    await card(page).getByText('must be 2 or more').waitFor();
    await card(page).getByText('must be a number').waitFor();
    await card(page)
      .getByText(/“x{40}”: at most 200 characters/)
      .waitFor();
    expect(await field('Rounds, at least').inputValue()).toBe('1');
    // What lies behind the bar at the top is no target.
    await page.evaluate(() => scrollTo(0, 0));
    await inspect(page, 'thresholds-refused', { aState: true });
    await card(page).getByRole('button', { name: 'Discard' }).click();
    expect(await field('Rounds, at least').inputValue()).toBe('4');
    expect(await held()).toMatchObject({ ping_pong: { rounds: 4 } });
  });

  it('keep what another administrator changed meanwhile, and go back to the defaults', async () => {
    await field('Open: days, more than').fill('21');
    await page.request.put(`${product.url}/api/settings/health`, {
      headers: { origin: product.url },
      data: { stale_approval_days: 5 },
    });
    await save().click();
    await card(page).getByText('Saved', { exact: true }).waitFor();
    expect(await held()).toMatchObject({ long_open_days: 21, stale_approval_days: 5, big: 500 });

    await card(page).getByRole('button', { name: 'Put back to the defaults' }).click();
    expect(await held()).toMatchObject({ big: 500 });
    await save().click();
    await card(page).getByText('Saved', { exact: true }).waitFor();
    expect(await held()).toMatchObject({
      ...{ big: 400, long_open_days: 14, stale_approval_days: 3 },
      stamped: { words: 2, minutes: 5, lines_per_minute: 30 },
    });
    await expect
      .poll(() => card(page).getByRole('button', { name: 'Put back to the defaults' }).isDisabled())
      .toBe(true);
  });
});
