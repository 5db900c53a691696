import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

/** mona keeps; octo has connected another repository alone. */
describe('kept views', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  let other: Page;
  let work: string;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    other = await openPage(browser, product.url);
    const headers = { origin: product.url };
    await other.request.post(`${product.url}/auth/token`, { headers, data: { token: 'ghp_octo' } });
    await connectAndSync(other, product, 'octo-org/hello');
    const repositories = await (await page.request.get('/api/repos')).json();
    work = String((repositories as [{ id: number }])[0].id);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const keepButton = () => page.getByRole('button', { name: 'Keep this view' });
  const list = () => page.getByRole('list', { name: 'Kept views' });
  const missing = (on: Page) => on.getByText('Parts of this view aren’t yours to see');
  const address = (on: Page) => `${new URL(on.url()).pathname}${new URL(on.url()).search}`;
  let kept = '';

  it('are made of a page’s address, under a name and for oneself', async () => {
    await page.goto('/prs?q=ledger&state=open');
    await titleShown(page);
    await keepButton().click();
    const name = dialog('Keep this view').getByLabel('Name');
    await expect.poll(() => name.inputValue()).toBe('Pull Request Management');
    await expect.poll(() => name.evaluate((box) => box === document.activeElement)).toBe(true);
    await dialog('Keep this view').getByText('Nobody else sees it.').waitFor();
    await inspect(page, 'keep-view', { aState: true });

    await name.fill('');
    expect(await dialog('Keep this view').getByRole('button', { name: 'Keep view' }).isDisabled()).toBe(true);
    await name.fill('The ledger');
    await page.keyboard.press('Control+k');
    expect(await name.inputValue()).toBe('The ledger');
    await page.keyboard.press('Enter');
    await dialog('View kept').getByText('opens for you alone').waitFor();
    await accessible(page, 'view-kept');
    await dialog('View kept').getByRole('button', { name: 'Copy Its address' }).click();
    kept = await page.evaluate(() => navigator.clipboard.readText());
    expect(kept).toMatch(new RegExp(`^${product.url}/v/[a-z0-9]{12}$`));
    await dialog('View kept').getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => keepButton().evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('open what was chosen, and leave no step in between to go back to', async () => {
    await page.goto('/dashboard');
    await titleShown(page);
    await page.goto(kept);
    await expect.poll(() => address(page)).toBe('/prs?q=ledger&state=open');
    await page.getByRole('heading', { level: 1, name: 'Pull Request Management' }).waitFor();
    expect(await missing(page).count()).toBe(0);
    await page.goBack();
    await expect.poll(() => address(page)).toBe('/dashboard');
  });

  it('are found by the command palette, which also keeps one', async () => {
    await page.goto('/dashboard');
    await titleShown(page);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: /^Search pull requests/ });
    await palette.getByRole('combobox').fill('the ledg');
    await palette
      .getByRole('group', { name: 'Kept views' })
      .getByRole('option', { name: /The ledger/ })
      .click();
    await expect.poll(() => address(page)).toBe('/prs?q=ledger&state=open');

    await page.goto(`/trends?figure=opened&weeks=12&repository=${work}`);
    await titleShown(page);
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('keep this');
    await page.keyboard.press('Enter');
    const form = dialog('Keep this view');
    await form.getByLabel('Name').fill('Opened at work');
    await form.getByLabel('For whom').selectOption({ label: 'Everyone signed in' });
    await form.getByText(/^Everyone who signs in here sees its name/).waitFor();
    await form.getByLabel('Pin to the dashboard, everyone’s too').check();
    await accessible(page, 'keep-view-everyone');
    await form.getByRole('button', { name: 'Keep view' }).click();
    await dialog('View kept').getByText('opens for everyone signed in').waitFor();
    await page.keyboard.press('Escape');
  });

  it('that are pinned stand on the dashboard, and nowhere where there are none', async () => {
    await page.goto('/dashboard');
    const pinned = page.getByRole('navigation', { name: 'Pinned views' });
    await expect.poll(() => pinned.getByRole('link').allInnerTexts()).toEqual(['Opened at work']);
    await inspect(page, 'dashboard-pinned');
    await pinned.getByRole('link').click();
    await expect.poll(() => address(page)).toBe(`/trends?figure=opened&weeks=12&repository=${work}`);
    expect(await missing(page).count()).toBe(0);
  });

  it('lead somebody with less sight to what is theirs of it, and say that parts are missing', async () => {
    await other.goto('/dashboard');
    await other.getByRole('navigation', { name: 'Pinned views' }).getByRole('link', { name: 'Opened at work' }).click();
    await expect.poll(() => address(other)).toBe('/trends?figure=opened&weeks=12');
    await missing(other).waitFor();
    await inspect(other, 'view-missing', { aState: true });
    await other.reload();
    await missing(other).waitFor();

    // What somebody chooses then is an address of their own.
    await other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All PRs' }).click();
    await other.getByRole('heading', { level: 1, name: 'Pull Request Management' }).waitFor();
    await expect.poll(() => missing(other).count()).toBe(0);

    await other.goto('/settings');
    const theirs = other.getByRole('list', { name: 'Kept views' }).getByRole('listitem');
    await expect.poll(() => theirs.count()).toBe(1);
    expect(await theirs.innerText()).toMatch(/Opened at work\s+Trends\s+for everyone, kept by somebody else/);
    expect(await theirs.getByRole('button').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'Copy the address of Opened at work',
    ]);
  });

  it('say of a group that is deleted, or that is somebody else’s, that it is gone', async () => {
    const headers = { origin: product.url };
    const made = await page.request.post('/api/teams', { headers, data: { name: 'Between us' } });
    const { id } = (await made.json()) as { id: number };
    const path = `/trends?figure=opened&team=${id}`;
    const data = { name: 'Of a group', path, visibility: 'everyone', pinned: true };
    const { slug } = (await (await page.request.post('/api/views', { headers, data })).json()) as { slug: string };
    const gone = (on: Page) => on.getByText('This group is gone');
    await other.goto(`/v/${slug}`);
    await expect.poll(() => address(other)).toBe('/trends?figure=opened');
    await gone(other).waitFor();
    await accessible(other, 'view-group-gone');

    await page.goto('/dashboard');
    const pinned = page.getByRole('navigation', { name: 'Pinned views' }).getByRole('link', { name: 'Of a group' });
    await pinned.click();
    await expect.poll(() => address(page)).toBe(path);
    await titleShown(page);
    await page.request.delete(`/api/teams/${id}`, { headers });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('button', { name: 'Refresh Data' }).click();
    await pinned.click();
    await gone(page).waitFor();
    expect(address(page)).toBe('/trends?figure=opened');
    await page.goto(`/v/${slug}`);
    await gone(page).waitFor();
    await page.request.delete(`/api/views/${slug}`, { headers });
  });

  it('open as they were kept also where the device remembers a team, and still say what is missing', async () => {
    const headers = { origin: product.url };
    const made = await other.request.post('/api/teams', { headers, data: { name: 'My own' } });
    const { id } = (await made.json()) as { id: number };
    const data = { name: 'All of it', path: `/trends?repository=${work}`, visibility: 'everyone' };
    const { slug } = (await (await page.request.post('/api/views', { headers, data })).json()) as { slug: string };
    await other.goto('/settings');
    await other.evaluate((team) => localStorage.setItem('team', String(team)), id);
    await other.goto(`/v/${slug}`);
    await missing(other).waitFor();
    expect(address(other)).toBe('/trends');
    await other.reload();
    await missing(other).waitFor();
    expect(address(other)).toBe('/trends');

    await other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reviewers' }).click();
    await expect.poll(() => address(other)).toBe(`/reviewer-stats?team=${id}`);
    await other.evaluate(() => localStorage.removeItem('team'));
    await other.request.delete(`/api/teams/${id}`, { headers });
    await page.request.delete(`/api/views/${slug}`, { headers });
  });

  it('of others, and unknown ones, have a page that says so', async () => {
    for (const path of [new URL(kept).pathname, '/v/nothing-here', '/v/%2e%2e%2fadministration']) {
      await other.goto(path);
      await other.getByRole('heading', { level: 1, name: 'View not found' }).waitFor();
      await other.getByText('There is no view at this address').waitFor();
    }
    await inspect(other, 'view-unknown');
    await other.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect.poll(() => address(other)).toBe('/dashboard');
  });

  it('are opened after signing in by whoever had to', async () => {
    const visitor = await openPage(browser, product.url);
    await visitor.goto(new URL(kept).pathname);
    await expect.poll(() => address(visitor)).toMatch(/^\/login\?return_to=/);
    await signInAsMona(visitor, product);
    await visitor.goto(new URL(visitor.url()).searchParams.get('return_to')!);
    await expect.poll(() => address(visitor)).toBe('/prs?q=ledger&state=open');
    await visitor.context().close();
  });

  it('are listed in the settings: renamed, pinned, copied and, after a question, deleted', async () => {
    await page.getByRole('button', { name: 'Account of mona' }).click();
    await page.getByRole('menuitem', { name: 'Kept views' }).click();
    await expect.poll(() => list().getByRole('link').allInnerTexts()).toEqual(['Opened at work', 'The ledger']);
    // What lies half below the header that stays in sight is no smaller for it.
    await page.evaluate(() => window.scrollTo(0, 0));
    await inspect(page, 'settings-views', { aState: true });
    await list().getByRole('button', { name: 'Copy the address of The ledger' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(kept);

    const pin = list().getByRole('button', { name: 'Pin The ledger to the dashboard' });
    expect(await pin.getAttribute('aria-pressed')).toBe('false');
    await pin.click();
    await expect.poll(() => pin.getAttribute('aria-pressed')).toBe('true');

    await list().getByRole('button', { name: 'Change The ledger' }).click();
    await dialog('Change view').getByLabel('Name').fill('Ledger, open');
    await dialog('Change view').getByRole('button', { name: 'Save' }).click();
    await dialog('Change view').waitFor({ state: 'hidden' });
    await expect.poll(() => list().getByRole('link').allInnerTexts()).toEqual(['Ledger, open', 'Opened at work']);

    await list().getByRole('button', { name: 'Delete Opened at work' }).click();
    await dialog('Delete view').getByText('for you and for everyone').waitFor();
    await accessible(page, 'delete-view');
    await dialog('Delete view').getByRole('button', { name: 'Delete view' }).click();
    await expect.poll(() => list().getByRole('link').allInnerTexts()).toEqual(['Ledger, open']);
    await other.goto('/dashboard');
    await titleShown(other);
    await other.waitForLoadState('networkidle');
    expect(await other.getByRole('navigation', { name: 'Pinned views' }).count()).toBe(0);
  });

  it('stay as another tab made them where a form that began before leaves that alone', async () => {
    const ask = (data: object) =>
      page.request.patch(`/api/views/${kept.slice(-12)}`, { headers: { origin: product.url }, data });
    await ask({ name: 'Ledger, open', visibility: 'everyone' });
    await page.goto('/settings');
    await list().getByRole('button', { name: 'Change Ledger, open' }).click();
    await ask({ visibility: 'mine' });
    await dialog('Change view').getByLabel('Name').fill('The open ledger');
    await dialog('Change view').getByRole('button', { name: 'Save' }).click();
    await dialog('Change view').waitFor({ state: 'hidden' });

    await list().getByRole('listitem').filter({ hasText: 'The open ledger' }).getByText('for you alone').waitFor();
  });

  it('say why one cannot be kept', async () => {
    await page.route('**/api/views', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { error: 'At most 100 views: delete one that you no longer need.' } })
        : route.continue(),
    );
    await page.goto('/contributors');
    await titleShown(page);
    await keepButton().click();
    await dialog('Keep this view').getByRole('button', { name: 'Keep view' }).click();
    await dialog('Keep this view')
      .getByRole('alert')
      .getByText('The view could not be kept. At most 100 views: delete one that you no longer need.')
      .waitFor();
    await page.unroute('**/api/views');
    await page.goto('/stuck-prs');
    await titleShown(page);
    expect(await keepButton().count()).toBe(0);
  });

  it('beside them, notes tell of a day, for oneself or for everyone', async () => {
    await page.goto('/trends?figure=opened&weeks=12');
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByText(/^No notes in this time/).waitFor();
    await notes.getByRole('button', { name: 'Add a note' }).click();
    const words = notes.getByLabel('What happened');
    await expect.poll(() => words.evaluate((box) => box === document.activeElement)).toBe(true);
    // What the head of the page lies over would count as too small to be hit.
    await page.evaluate(() => scrollTo(0, 0));
    await inspect(page, 'note-form', { aState: true });
    await words.fill('Reviews of two from here on');
    await notes.getByLabel('For whom').selectOption({ label: 'Everyone signed in' });
    await notes.getByText('Everyone who signs in here will read it beside these figures.').waitFor();
    await notes.getByRole('button', { name: 'Add note' }).click();
    await expect.poll(() => notes.getByRole('listitem').count()).toBe(1);
    await inspect(page, 'notes', { aState: true });

    await other.goto('/trends?figure=opened&weeks=12');
    const theirs = other.getByRole('region', { name: 'Notes' });
    await theirs.getByText('Reviews of two from here on').waitFor();
    expect(await theirs.getByRole('button', { name: /^Delete/ }).count()).toBe(0);

    await notes.getByRole('button', { name: 'Delete the note “Reviews of two from here on”' }).click();
    await dialog('Delete note').getByRole('button', { name: 'Delete note' }).click();
    await notes.getByText(/^No notes in this time/).waitFor();
  });

  it('beside past days, notes begin with the last of them, and say where they tell of another', async () => {
    await page.goto('/trends?figure=opened&from=2025-03-03&to=2025-04-01');
    const notes = page.getByRole('region', { name: 'Notes' });
    const add = async (text: string, day?: string) => {
      await notes.getByRole('button', { name: 'Add a note' }).click();
      if (day !== undefined) await notes.getByLabel('Day').fill(day);
      await notes.getByLabel('What happened').fill(text);
      await notes.getByRole('button', { name: 'Add note' }).click();
    };
    await add('The freeze ends');
    await notes.getByRole('listitem').getByText('Mon 31 Mar 2025').waitFor();
    expect(await notes.getByRole('status').count()).toBe(0);

    await add('The next freeze', '2025-04-01');
    await notes.getByText('Added for Tue 1 Apr 2025, which is not among the days shown.').waitFor();
    expect(await notes.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('The freeze ends')]);
    await accessible(page, 'note-elsewhere');
  });
});
