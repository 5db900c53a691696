import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { failing, signInAsMona } from './support/team.ts';

describe('administration', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { ADMIN_LOGINS: 'mona' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const events = () => page.getByRole('list', { name: 'Security events' }).getByRole('listitem');

  it('is found in the account menu by whoever is an administrator, and shows who came in', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Account of mona' }).click();
    await page.getByRole('menuitem', { name: 'Administration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();

    await expect
      .poll(() => events().first().innerText())
      .toMatch(/Signed in[\s\S]*mona[\s\S]*from .*, request [\w-]{36}/);
    await inspect(page, 'administration');
  });

  it('shows what is chosen alone, says when nothing matches, and downloads it', async () => {
    await page.getByLabel('Username').fill('nobody-at-all');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Nothing matches').waitFor();
    await page.getByLabel('Username').fill('MONA');
    await page.keyboard.press('Enter');
    await events().first().waitFor();
    await page.getByLabel('Event', { exact: true }).selectOption('exported');
    await page.getByText('Nothing matches').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?actor=MONA&event=exported');
    await page.reload();
    await page.getByText('Nothing matches').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe('MONA');
    expect(await page.getByLabel('Event', { exact: true }).inputValue()).toBe('exported');

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^mergelight-audit-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(new URL(file.url()).search).toBe('?format=csv&event=exported&actor=MONA');

    const undo = await failing(page, '/api/administration/audit', { error: 'Not now.', code: 'x', request_id: 'r-7' });
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText('The audit log could not be downloaded. Not now. Request r-7.').waitFor();
    await undo();
  });

  it('keeps the keyboard where it was when earlier events are shown, on the first of them with the last page', async () => {
    const pageOf = (actor: string, next_cursor: string | null) => ({
      items: [1, 2].map((second) => ({
        ...{ at: `2026-11-20T09:00:0${second}Z`, event: 'signed_in', actor: `${actor}-${second}` },
        ...{ subject: null, address: null, request_id: null },
      })),
      next_cursor,
    });
    const later: Record<string, object> = { 1: pageOf('second', '2'), 2: pageOf('third', null) };
    let answerNow = () => {};
    await page.route(/\/api\/administration\/audit/, async (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      if (cursor !== null) await new Promise<void>((resolve) => (answerNow = resolve));
      await route.fulfill({ json: cursor === null ? pageOf('first', '1') : later[cursor] });
    });
    await page.goto('/administration');
    const more = page.getByRole('button', { name: 'Show earlier events' });
    const focused = () => page.evaluate(() => document.activeElement?.closest('li, button')?.textContent);
    await more.press('Enter');
    await expect.poll(focused).toBe('Fetching earlier events');
    answerNow();
    await expect.poll(() => events().count()).toBe(4);
    expect(await focused()).toBe('Show earlier events');

    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Fetching earlier events');
    answerNow();
    await expect.poll(() => events().count()).toBe(6);
    await expect.poll(focused).toContain('third-1');
    await page.unroute(/\/api\/administration\/audit/);
  });

  it('offers neither a file nor a choice to whoever is no administrator', async () => {
    const other = await openPage(browser, product.url);
    await other.request.post('/auth/token', { headers: { origin: product.url }, data: { token: 'ghp_octo' } });
    await other.goto('/administration');
    await other.getByText('Only administrators can do that.').waitFor();
    expect(await other.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
    expect(await other.getByLabel('Username').count()).toBe(0);
  });

  it('says when the log could not be fetched', async () => {
    const undo = await failing(page, '/api/administration/audit', { error: 'Not now.', code: 'x', request_id: 'r-9' });
    await page.reload();
    await page.getByText('Not now. Request r-9.').waitFor();
    await undo();
  });

  it('the settings name labels that stand for an AI tool, by keyboard, and take one back', async () => {
    await page.goto('/settings');
    const card = page.getByRole('region', { name: 'Labels of AI tools' });
    await card.getByText(/^No label is named\./).waitFor();
    await card.getByLabel('Label', { exact: true }).fill('with-gemini');
    await card.getByLabel('stands for').selectOption({ label: 'Gemini' });
    await card.getByLabel('Label', { exact: true }).press('Enter');
    const labels = card.getByRole('list', { name: 'Labels of AI tools' }).getByRole('listitem');
    await expect.poll(() => labels.allInnerTexts()).toEqual([expect.stringMatching(/with-gemini[\s\S]*Gemini/)]);
    await expect.poll(() => card.getByLabel('Label', { exact: true }).inputValue()).toBe('');
    await inspect(page, 'settings-agent-labels');

    // What another administrator names meanwhile stays.
    const named = ['with-gemini', 'with-devin'].map((label) => ({ label, tool: label.slice(5) }));
    await page.request.put('/api/settings/ai', { headers: { origin: product.url }, data: { labels: named } });
    await card.getByRole('button', { name: 'Remove the label with-gemini' }).press('Enter');
    await expect.poll(() => labels.allInnerTexts()).toEqual([expect.stringContaining('with-devin')]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Labels of AI tools');
    await card.getByRole('button', { name: 'Remove the label with-devin' }).click();
    await card.getByText(/^No label is named\./).waitFor();
  });

  it('the settings keep what was typed where a label cannot be saved, and say why', async () => {
    const card = page.getByRole('region', { name: 'Labels of AI tools' });
    const undo = await failing(page, '/api/settings/ai', { error: 'Not now.', code: 'x', request_id: 'r-3' });
    await card.getByLabel('Label', { exact: true }).fill('helped');
    await card.getByRole('button', { name: 'Add' }).click();
    await card.getByText(/Not now\./).waitFor();
    expect(await card.getByLabel('Label', { exact: true }).inputValue()).toBe('helped');
    await undo();
  });

  it('the settings list the sessions, and one of another browser can be ended', async () => {
    // Whoever tried this before has none left.
    await page.request.delete('/auth/sessions', { headers: { origin: product.url } });
    await signInAsMona(page, product);
    const other = await openPage(browser, product.url);
    await signInAsMona(other, product);
    await page.goto('/settings');
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByText('This session').waitFor();
    await inspect(page, 'settings-sessions');

    await sessions.filter({ hasNotText: 'This session' }).getByRole('button').click();
    await expect.poll(() => sessions.count()).toBe(1);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Sessions');
    await other.goto('/dashboard');
    await other.getByText('Sign in', { exact: false }).first().waitFor();

    // One that another tab ends a moment before is gone all the same.
    await signInAsMona(other, product);
    await page.reload();
    await page.route(/\/auth\/sessions\/[^/]+$/, async (route) => {
      await page.request.delete(route.request().url(), { headers: { origin: product.url } });
      await route.continue();
    });
    await sessions.filter({ hasNotText: 'This session' }).getByRole('button').click();
    await expect.poll(() => sessions.count()).toBe(1);
    expect(await page.getByText('The session could not be ended.').count()).toBe(0);

    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sign out of all sessions, this one too?').waitFor();
    await dialog.getByText(/your channels are paused until you resume them/).waitFor();
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL(/\/login/);
  });
});
