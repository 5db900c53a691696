import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser, titleShown } from './support/browser.ts';

describe('choosing repositories from the host', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    product = await startProduct({ world: 'company', more: ['--count', '600'] }, { DEMO: 'false' });
    browser = await startBrowser();
    page = await signedIn('dev-1');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  async function signedIn(login: string): Promise<Page> {
    const fresh = await openPage(browser, product.url);
    await fresh.goto('/login?return_to=%2Fadd-repo%3Ffrom%3Dhost');
    await fresh.getByPlaceholder('Paste a token').fill(`ghp_${login}`);
    await fresh.keyboard.press('Enter');
    await fresh.waitForURL('**/add-repo?from=host');
    await titleShown(fresh);
    return fresh;
  }
  const list = () => page.getByRole('listbox', { name: 'Repositories' });
  const rows = () => list().getByRole('option');
  const add = (words: string | RegExp) => page.getByRole('button', { name: words });

  it('shows what the token reads, by owner, with what it takes', async () => {
    await rows().first().waitFor();
    const owners = page.getByRole('region', { name: 'Owners' });

    await owners.getByRole('button', { name: /^atlas/ }).click();
    await expect.poll(() => page.getByRole('heading', { name: /^atlas/ }).textContent()).toMatch(/^atlas \d+ shown/);
    await expect(add('Add repositories').isDisabled()).resolves.toBe(true);
    await rows().nth(0).click();
    await rows()
      .nth(3)
      .click({ modifiers: ['Shift'] });

    await add('Add 4 repositories').waitFor();
    // A range is ticked, not a text selected.
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
    await page.getByText('About 8 pull requests: ').waitFor();
    await inspect(page, 'choose-repositories');
  });

  it('does not say of one choice what another takes', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const asked = '**/api/repos/estimate';
    await page.route(asked, async (route) => {
      await held;
      await route.continue();
    });

    await rows().nth(5).click();
    await page.getByText('Asking what it takes …').waitFor();
    const meanwhile = await page.getByText(/^About \d+ pull requests/).count();
    letGo();

    await page.getByText(/^About (9|10) pull requests: /).waitFor();
    expect(meanwhile).toBe(0);
    await page.unroute(asked);
  });

  it('is worked through by keys, and draws only what is seen', async () => {
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await list().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await add('Add 3 repositories').waitFor();

    await page.keyboard.press('End');
    await expect.poll(() => list().evaluate((box) => box.getAttribute('aria-activedescendant'))).toMatch(/-99$/);
    expect(await rows().count()).toBeLessThan(60);
    await page.keyboard.press('/');
    await page.keyboard.type('service-11');
    await expect
      .poll(() => page.getByRole('heading', { name: /^atlas/ }).textContent())
      .toMatch(/^atlas [\d]{1,2} shown/);
    await add('Add 3 repositories').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('nothing like it');
    await page.getByText('No repository matches “nothing like it”').waitFor();
    await page.getByRole('region', { name: 'Repositories' }).getByRole('button', { name: 'Clear' }).first().click();
    await list().focus();
    await page.keyboard.press('ControlOrMeta+A');
    await expect
      .poll(() =>
        page
          .getByText(/^\d+ chosen/)
          .first()
          .textContent(),
      )
      .toMatch(/^[12]\d\d chosen/);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
  });

  it('begins a range of ticks in the list that is shown, whatever was ticked in another one', async () => {
    const name = (at: number) => rows().nth(at).locator('[class*="name"]').innerText();
    const ticked = new Set([await name(6)]);
    await rows().nth(6).click();
    await page.keyboard.press('/');
    await page.keyboard.type('service-1');
    const others = rows().filter({ hasNotText: 'service-1' });
    await expect.poll(() => others.count()).toBe(0);
    for (const at of [0, 1, 2]) ticked.add(await name(at));
    await rows()
      .nth(2)
      .click({ modifiers: ['Shift'] });

    await add(`Add ${ticked.size} repositories`).waitFor();
    await page.getByLabel('Search repositories').fill('');
    await expect.poll(() => others.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
  });

  it('imports what is ticked together; another person finds it here already', async () => {
    const none = page.getByRole('button', { name: 'Clear', exact: true });
    if (await none.isEnabled()) await none.click();
    await rows().nth(0).click();
    await rows().nth(1).click();
    const names = await rows().evaluateAll((all) => all.slice(0, 2).map((row) => row.textContent));
    await add('Add 2 repositories').click();
    await page.getByText('Imported.', { exact: true }).waitFor();
    await page.getByText('2 of 2 done').waitFor();
    await expect.poll(() => rows().nth(0).getAttribute('aria-disabled')).toBe('true');
    expect(names).toHaveLength(2);
    await inspect(page, 'choose-repositories-imported', { aState: true });

    const other = await signedIn('dev-6');
    const banner = other.getByRole('status').filter({ hasText: 'here already' });
    await banner.getByRole('button', { name: /^Add/ }).waitFor();
    await banner.getByRole('button', { name: /^Add/ }).click();
    await banner.waitFor({ state: 'detached' });
    await other.goto('/prs');
    await other.getByRole('table').waitFor();
    await other.context().close();
  });

  it('adds all that is here already, however many', async () => {
    const one = { owner: 'atlas', private: true, pull_requests: 1, last_synced_at: null, people: 1 };
    const joinable = Array.from({ length: 1200 }, (_, at) => ({ ...one, name: `here-${at}` }));
    const sent: number[] = [];
    const [listed, added] = ['**/api/repos/joinable', '**/api/repos/bulk'];
    await page.route(listed, (route) => route.fulfill({ json: sent.length === 0 ? joinable : [] }));
    await page.route(added, async (route) => {
      if (route.request().method() === 'GET') return await route.fallback();
      const { repositories } = route.request().postDataJSON() as { repositories: { name: string }[] };
      sent.push(repositories.length);
      const bulk_id = '0b6d3a52-6f0f-4d86-9a7e-6d3c1d1f0a11';
      await route.fulfill({ status: 202, json: { bulk_id, results: [], sessions: [] } });
    });

    await page.goto('/add-repo?from=host');
    await add('Add all 1,200').click();
    await add('Add all 1,200').waitFor({ state: 'detached' });

    expect(sent).toEqual([500, 500, 200]);
    await page.unroute(listed);
    await page.unroute(added);
  });

  it('says that the host failed, and lists again', async () => {
    const other = await openPage(browser, product.url);
    await product.host.control('faults', { match: { operation: 'GET /user/repos' }, effect: { name: 'bad_gateway' } });
    await other.goto('/login?return_to=%2Fadd-repo%3Ffrom%3Dhost');
    await other.getByPlaceholder('Paste a token').fill('ghp_dev-16');
    await other.keyboard.press('Enter');
    await other.getByText('Failed to list your repositories').first().waitFor();
    await product.host.control('faults', undefined, 'DELETE');
    await other.getByRole('button', { name: 'Retry' }).click();
    await other.getByRole('listbox', { name: 'Repositories' }).getByRole('option').first().waitFor();
    await other.context().close();
  });

  it('says that more could not be listed, keeps what is there and goes on', async () => {
    let failed = 0;
    const later = (url: URL) => url.pathname === '/api/repositories/available' && url.searchParams.has('cursor');
    const other = await openPage(browser, product.url);
    await other.route(later, async (route) => {
      failed += 1;
      await route.fulfill({ status: 502, json: { error: 'The host is away.', code: 'host', request_id: 'r-2' } });
    });
    await other.goto('/login?return_to=%2Fadd-repo%3Ffrom%3Dhost');
    await other.getByPlaceholder('Paste a token').fill('ghp_dev-1');
    await other.keyboard.press('Enter');
    const options = other.getByRole('listbox', { name: 'Repositories' }).getByRole('option');
    await options.first().waitFor();
    await other.getByRole('listbox', { name: 'Repositories' }).focus();
    await other.keyboard.press('End');
    await other.getByText('Failed to list your repositories').waitFor();
    expect(failed).toBe(1);
    await other.unroute(later);
    await other.getByRole('button', { name: 'Retry' }).click();
    await other.getByText('Failed to list your repositories').waitFor({ state: 'detached' });
    expect(await options.count()).toBeGreaterThan(0);
    await other.context().close();
  });

  it('says that an account reads nothing there once nothing is left out', async () => {
    await product.host.control('accounts', { login: 'nobody-here' });
    const other = await signedIn('nobody-here');
    await other.getByText('No repositories without archived ones and forks').waitFor();
    await inspect(other, 'choose-repositories-none', { aState: true });

    await other.getByRole('button', { name: 'Show archived ones and forks' }).click();

    await other.getByText('Your account can read no repository there.').waitFor();
    await other.context().close();
  });

  it('follows an owner beside those that another tab has begun to follow', async () => {
    const other = await signedIn('dev-2');
    await other.getByRole('region', { name: 'Owners' }).getByRole('button').nth(1).click();
    const follow = other.getByRole('switch', { name: /^Add what others import of / });
    await expect.poll(() => follow.isEnabled()).toBe(true);
    const headers = { origin: product.url };
    await other.request.put('/api/repos/following', { headers, data: { owners: ['elsewhere'] } });
    await follow.press('Space');

    const following = async () =>
      ((await (await other.request.get('/api/repos/following')).json()) as { owners: string[] }).owners;
    await expect.poll(async () => (await following()).length).toBe(2);
    expect(await following()).toContain('elsewhere');
    await other.context().close();
  });

  it('shows archived ones and forks to whoever has no others, when they want to see them', async () => {
    await product.host.control('accounts', { login: 'archivist' });
    await product.host.control('repos', { owner: 'archivist', name: 'old', archived: true });
    const other = await signedIn('archivist');
    const found = other.getByRole('listbox', { name: 'Repositories' }).getByRole('option');
    await other.getByRole('button', { name: 'Show archived ones and forks' }).click();
    await found.first().waitFor();
    await other
      .getByRole('region', { name: 'Owners' })
      .getByRole('button', { name: /^archivist/ })
      .click();

    await other.getByRole('switch', { name: 'Archived' }).press('Space');
    await other.getByText('No repositories of archivist without archived ones').waitFor();
    await other.getByRole('button', { name: 'Show archived ones' }).click();

    await found.first().waitFor();
    await other.context().close();
  });

  it('has two connected repositories selected together, without a search', async () => {
    await page.goto('/settings');
    const connected = page.getByRole('list', { name: 'Connected repositories' }).getByRole('listitem');
    await expect.poll(() => connected.count()).toBe(2);
    expect(await page.getByLabel('Search connected repositories').count()).toBe(0);
    await inspect(page, 'two-repositories');

    await page.getByLabel('Select all 2 shown').check();
    const toolbar = page.getByRole('toolbar', { name: 'With those selected' });
    await toolbar.getByText('2 selected').waitFor();
    await toolbar.getByRole('button', { name: 'Create webhooks' }).click();
    await page.getByText('2 created, 0 there already.').waitFor();
    await toolbar.getByRole('button', { name: 'Create webhooks' }).click();

    await page.getByText('0 created, 2 there already.').waitFor();
  });

  it('keeps order among many: found, ordered, selected, and removed together after a question', async () => {
    await page.goto('/add-repo?from=host');
    await rows().first().waitFor();
    for (const at of [3, 4, 5, 6, 7]) await rows().nth(at).click();
    await add('Add 5 repositories').click();
    await page.getByText('5 of 5 done').waitFor();
    await page.goto('/settings');
    const connected = page.getByRole('list', { name: 'Connected repositories' }).getByRole('listitem');
    await expect.poll(() => connected.count()).toBe(7);
    const first = (await connected.first().locator('b').textContent())!;

    await page.getByLabel('Search connected repositories').fill(first);
    await expect.poll(() => connected.count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(first);
    await page.getByLabel('Search connected repositories').fill('');
    await page.getByLabel('Order').selectOption('pull_requests');
    await expect.poll(() => new URL(page.url()).search).toBe('?order=pull_requests');
    const ordered = await connected.locator('b').allTextContents();
    await page.reload();
    await expect.poll(() => connected.locator('b').allTextContents()).toEqual(ordered);
    await page.getByLabel(`Select ${first}`, { exact: true }).check();
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click();
    const ofOne = page.getByRole('dialog', { name: `Remove ${first}` });
    await ofOne.getByText('Are you sure you want to remove this repository?').waitFor();
    await ofOne.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Select all 7 shown').check();
    await page.getByLabel(`Select ${first}`, { exact: true }).uncheck();
    await page.getByRole('toolbar').getByText('6 selected').waitFor();
    await inspect(page, 'many-repositories');
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Are you sure you want to remove these repositories?').waitFor();
    await dialog.getByRole('button', { name: 'Remove repositories' }).click();
    await dialog.waitFor({ state: 'detached' });

    await expect.poll(() => connected.count()).toBe(1);
    expect(await connected.first().locator('b').textContent()).toBe(first);
  });
});
