import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the command palette', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/dashboard');
    await titleShown(page);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const open = async (key = 'Control+k') => {
    await page.keyboard.press(key);
    const box = page.getByRole('combobox', { name: 'Search pull requests, people, pages and actions' });
    await box.waitFor();
    await expect
      .poll(() => box.evaluate((element) => element === document.activeElement), { timeout: 5_000 })
      .toBe(true);
  };
  const dialog = () => page.getByRole('dialog', { name: 'Search pull requests, people, pages and actions' });
  const groups = () =>
    dialog()
      .getByRole('group')
      .evaluateAll((all) => all.map((group) => group.getAttribute('aria-label')));

  it('opens with Ctrl or ⌘ and K, and closes with Escape', async () => {
    await open();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await open('Meta+k');
  });

  it('is a box of 640 px in the middle, 104 px from the top and as high as what is in it; on a phone it is the screen', async () => {
    const boxes = async () => ({
      dialog: (await dialog().boundingBox())!,
      foot: await dialog().getByText('all shortcuts').boundingBox(),
    });
    await expect.poll(async () => (await boxes()).dialog).toMatchObject({ x: 400, y: 104, width: 640 });
    const { dialog: box, foot } = await boxes();
    expect(box.y + box.height - (foot!.y + foot!.height)).toBeLessThan(16);

    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(async () => (await boxes()).dialog).toMatchObject({ x: 0, y: 0, width: 390, height: 800 });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('finds pull requests, people, pages and actions in this order, the matching letters bold', async () => {
    await page.keyboard.type('e');
    await expect.poll(groups).toEqual(['Pull requests', 'People', 'Go to', 'Do']);
    const first = dialog().getByRole('option').first();

    expect((await first.locator('b').allTextContents())[0]?.toLowerCase()).toBe('e');
    await expect.poll(() => dialog().getByRole('group', { name: 'People' }).innerText()).toMatch(/Cleo March\s+cleo/);
    await inspect(page, 'command-palette');

    // Found by its repository: that is what is bold.
    await page.keyboard.press('Control+a');
    await page.keyboard.type('wor');
    await expect.poll(() => first.innerText()).toContain('work #');
    await expect.poll(() => first.locator('b').allTextContents()).toEqual(['wor']);
  });

  it('moves with the arrows and opens with Enter', async () => {
    await page.keyboard.press('Control+a');
    await page.keyboard.type('settings');
    await expect.poll(groups).toEqual(['Go to']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await page.waitForURL('**/settings');
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('offers what waits for the person, by other words, too', async () => {
    await open();
    await page.keyboard.type('inbox');
    await dialog()
      .getByRole('option', { name: /^My work/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/my-work');
  });

  it('opens a pull request and a person', async () => {
    await open();
    await page.keyboard.type('print labels');
    await dialog()
      .getByRole('option', { name: /Print labels/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/pr/octo-org/work/3');

    await open();
    await page.keyboard.type('cleo');
    await dialog()
      .getByRole('option', { name: /^Cleo March/ })
      .click();
    await page.waitForURL('**/contributor/cleo');
  });

  it('says when nothing is found', async () => {
    await open();
    await page.keyboard.type('nothing is called so');
    await dialog().getByText('Nothing found for "nothing is called so"').waitFor();
    await page.keyboard.press('Escape');
  });

  it('does things', async () => {
    await open();
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    await expect.poll(scheme).toBe('dark');
  });

  it('is accompanied by keys that open pages, and by a list of all of them', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.waitForURL('**/review-load');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'All shortcuts' }).getByText('Search everything').waitFor();
    await page.keyboard.press('Escape');

    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type('gl?');
    expect(new URL(page.url()).pathname).toBe('/review-load');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    // The navigation's search has no room there.
    await page.setViewportSize({ width: 850, height: 900 });
    await open('/');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('opens over no other dialog, which Escape would close with it, only in place of the list of keys', async () => {
    await page.goto('/settings/tokens');
    await titleShown(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'All shortcuts' }).waitFor();
    await open();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // What is loaded by now would be there at once, and take what is typed.
    await page.getByRole('button', { name: 'Make token', exact: true }).first().click();
    const form = page.getByRole('dialog', { name: 'Make token' });
    const name = form.getByRole('textbox', { name: 'Name' });
    await name.fill('Nightly');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(' report');
    await expect.poll(() => name.inputValue()).toBe('Nightly report');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  it('gives the focus back to where it was, from what it led to as well', async () => {
    await page.goto('/prs');
    await titleShown(page);
    const account = page.getByRole('button', { name: 'Account of mona' });
    const isBack = () => expect.poll(() => account.evaluate((it) => it === document.activeElement)).toBe(true);
    await account.focus();
    // What is loaded already appears as the palette goes.
    for (const _time of ['first', 'second']) {
      await open();
      await page.keyboard.type('keep this');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Keep this view' }).waitFor();
      await page.keyboard.press('Escape');
      await isBack();

      await open();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'All shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await isBack();
    }
  });
});
