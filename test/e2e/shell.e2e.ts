import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, openPage, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

const guarded = [
  '/my-work',
  '/dashboard',
  '/settings',
  '/add-repo',
  '/contributors',
  '/contributor/ben?period=90d',
  '/stuck-prs?turn=author',
  '/reviewer-stats',
  '/developer-stats',
  '/review-load',
  '/pr/octo-org/work/1?tab=code',
  '/prs?state=merged&q=cart',
];

describe('around every signed-in screen', () => {
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
    await page.getByText('Last 30 days, 1 repository, 3 people').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.replace(/\d+$/, '') ?? '';
    });
  const isFocusIn = (selector: string) =>
    page.evaluate((inside) => document.activeElement?.closest(inside) != null, selector);

  describe('by keyboard alone', () => {
    it('leads through the navigation in the order in which it stands there', async () => {
      await page.reload();
      await titleShown(page);
      const walked: string[] = [];
      for (let presses = 0; presses < 19; presses += 1) {
        await page.keyboard.press('Tab');
        walked.push(await focused());
      }
      expect(walked).toEqual([
        'Skip to content',
        'Mergelight',
        'Search contributors',
        'Sync',
        'Refresh Data',
        'Account of mona',
        'My work',
        'Dashboard',
        'Stuck PRs',
        'All PRs',
        'Reviewers',
        'Developers',
        'Review load',
        'Contributors',
        'Teams',
        'Trends',
        'Review health',
        'AI in review',
        'Add repository',
      ]);
    });

    it('opens a menu, goes through it, and comes back to its button', async () => {
      for (const [name, first] of [
        ['Sync', /^Smart sync/],
        ['Account of mona', /^Settings/],
      ] as const) {
        for (const _time of ['first', 'second']) {
          await button(name).focus();
          await page.keyboard.press('Enter');
          await page.getByRole('menu').waitFor();
          await expect.poll(() => isFocusIn('[role="menu"]')).toBe(true);
          if (!first.test(await focused())) await page.keyboard.press('ArrowDown');
          await expect.poll(focused).toMatch(first);
          await page.keyboard.press('Escape');
          await page.getByRole('menu').waitFor({ state: 'hidden' });
          await expect.poll(focused).toBe(name);
        }
      }
    });

    it('goes on at the beginning of a page that a link led to, which is gone with the page before', async () => {
      await page.goto('/reviewer-stats');
      await page.locator('tbody [data-row-link]').first().press('Enter');
      await page.waitForURL('**/contributor/*');
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
      await page.keyboard.press('Tab');
      await expect.poll(focused).toBe('Keep this view');
      await page.goto('/dashboard');
      await titleShown(page);
    });

    it('tells which page is open where a system puts its own colours in place of all others', async () => {
      const underlines = (name: string) =>
        page
          .getByRole('navigation', { name: 'Main' })
          .getByRole('link', { name })
          .evaluate((link) => getComputedStyle(link).borderBottomWidth);
      await page.emulateMedia({ forcedColors: 'active' });
      expect([await underlines('Dashboard'), await underlines('All PRs')]).toEqual(['2px', '0px']);
      await page.emulateMedia({ forcedColors: null });
    });

    it('reaches what has no room in the row under "More"', async () => {
      const more = () => page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /^More/ });
      expect(await more().count()).toBe(0);
      await page.setViewportSize({ width: 1100, height: 900 });
      expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()).not.toContain(
        'Trends',
      );
      await more().focus();
      await page.keyboard.press('Enter');
      const menu = page.getByRole('menu', { name: 'More pages' });
      await menu.waitFor();
      expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
        'Teams',
        'Trends',
        'Review health',
        'AI in review',
      ]);
      await expect.poll(() => isFocusIn('[role="menu"]')).toBe(true);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await expect.poll(focused).toBe('More');
      await page.keyboard.press('Enter');
      await menu.getByRole('menuitem', { name: 'Review health' }).click();
      await page.waitForURL('**/health');
      await expect.poll(() => more().innerText()).toMatch(/^More/);
      await more().press('Enter');
      await expect
        .poll(() => menu.getByRole('menuitem', { name: 'Review health' }).getAttribute('aria-current'))
        .toBe('page');
      await accessible(page, 'navigation-more');
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto('/dashboard');
      await titleShown(page);
    });

    it('keeps the focus in a dialog until Escape, which gives it back', async () => {
      for (const [opener, keys, dialog] of [
        ['Refresh Data', 'Control+k', 'Search pull requests, people, pages and actions'],
        ['Refresh Data', '?', 'All shortcuts'],
      ] as const) {
        await button(opener).focus();
        await page.keyboard.press(keys);
        await page.getByRole('dialog', { name: dialog }).waitFor();
        for (let presses = 0; presses < 6; presses += 1) {
          await page.keyboard.press('Tab');
          expect(await isFocusIn('[role="dialog"]')).toBe(true);
        }
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await expect.poll(focused).toBe(opener);
      }
    });

    it('reaches what has no room on a narrow screen through the drawer', async () => {
      await page.setViewportSize({ width: 700, height: 900 });
      await button('Menu').focus();
      await page.keyboard.press('Enter');
      const drawer = page.getByRole('dialog', { name: 'Mergelight' });
      await drawer.waitFor();
      await expect.poll(() => isFocusIn('[role="dialog"]')).toBe(true);
      const walked = new Set<string>();
      for (let presses = 0; presses < 20; presses += 1) {
        walked.add(await focused());
        await page.keyboard.press('Tab');
        expect(await isFocusIn('[role="dialog"]')).toBe(true);
      }
      expect([...walked]).toEqual(expect.arrayContaining(['Search contributors', 'Dashboard', 'Refresh Data']));
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'hidden' });
      await expect.poll(focused).toBe('Menu');
      // A link to the page that is open already closes it, too.
      await page.keyboard.press('Enter');
      await drawer.locator('a[aria-current="page"]').press('Enter');
      await drawer.waitFor({ state: 'hidden' });
      await expect.poll(focused).toBe('Menu');
      await page.setViewportSize({ width: 1440, height: 900 });
    });
  });

  describe('the search for a contributor', () => {
    const box = () => page.getByRole('combobox', { name: 'Search contributors' });
    const options = () => page.getByRole('listbox', { name: 'Contributors' }).getByRole('option');
    const chosen = () =>
      options().evaluateAll((all) => all.findIndex((option) => option.getAttribute('aria-selected') === 'true'));
    const person = (username: string, repository_count: number) => ({
      username,
      display_name: username === 'kim' ? 'Kim Harbour' : null,
      avatar_url: null,
      repository_count,
    });

    it('offers the first five people before anything is typed, and counts repositories in words', async () => {
      const people = ['kim', 'lee', 'max', 'nia', 'oda', 'pia'].map((username, at) => person(username, at));
      await page.route('**/api/contributors', (route) => route.fulfill({ json: people }));
      await page.reload();
      await expect.poll(() => box().getAttribute('placeholder')).toBe('Search contributors...');
      await box().focus();
      await page.getByText('Popular Contributors').waitFor();

      await expect
        .poll(() => options().allInnerTexts())
        .toEqual(
          [
            'Kim Harbour kim 0 repositories',
            'lee 1 repository',
            ...['max 2', 'nia 3', 'oda 4'].map((text) => `${text} repositories`),
          ].map((text) => expect.stringMatching(new RegExp(text.replaceAll(' ', '\\s+')))),
        );
      await page.unroute('**/api/contributors');
    });

    it('moves with the arrows, over both ends', async () => {
      for (const [key, at] of [
        ['ArrowUp', 4],
        ['ArrowDown', 0],
        ['ArrowDown', 1],
        ['ArrowUp', 0],
        ['ArrowUp', 4],
      ] as const) {
        await page.keyboard.press(key);
        await expect.poll(chosen).toBe(at);
      }
      await page.keyboard.press('Escape');
      await page.getByText('Popular Contributors').waitFor({ state: 'hidden' });
    });

    it('asks once, after the last keystroke, and not for blanks', async () => {
      const asked: (string | null)[] = [];
      let answer = () => {};
      const answering = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/api/contributors/search*', async (route) => {
        asked.push(new URL(route.request().url()).searchParams.get('q'));
        await answering;
        await route.continue();
      });
      try {
        await page.keyboard.type('   ');
        await page.getByText('Popular Contributors').waitFor();
        // Within one turn of the page: keystrokes that come one by one can be half a second apart on a busy machine.
        await box().evaluate((input: HTMLInputElement) => {
          const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
          for (const text of ['   c', '   cl', '   cle']) {
            setValue.call(input, text);
            input.dispatchEvent(new InputEvent('input', { bubbles: true }));
          }
        });
        await page.getByText('Searching...', { exact: true }).waitFor();
        await expect.poll(() => asked).toEqual(['cle']);
      } finally {
        answer();
      }
      await expect
        .poll(() => options().allInnerTexts())
        .toEqual([expect.stringMatching(/^Cleo March cleo\s+1 repository$/)]);
      await page.getByText('Searching...', { exact: true }).waitFor({ state: 'hidden' });
      expect(asked).toEqual(['cle']);
      await page.unroute('**/api/contributors/search*');
    });

    it('opens the first one found when Enter comes without a choice', async () => {
      await expect.poll(chosen).toBe(-1);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/contributor/cleo');
    });

    it('says that nobody was found, and nothing where the search failed', async () => {
      await page.goto('/reviewer-stats');
      await box().fill('zzz');
      await page.getByText('No contributors found for "zzz"', { exact: true }).waitFor();
      const undo = await failing(page, '/api/contributors/search', { error: 'Not now.', code: 'x', request_id: 'r' });
      const failed = page.waitForResponse('**/api/contributors/search*');
      await box().fill('ben');
      await failed;
      await page.getByText('Searching...', { exact: true }).waitFor({ state: 'hidden' });
      expect(await page.getByText(/^No contributors/).count()).toBe(0);
      await undo();
    });

    it('closes 200 ms after the focus has left', async () => {
      const open = await box().evaluate(async (input) => {
        const list = document.getElementById(input.getAttribute('aria-controls') ?? '');
        const left = performance.now();
        (input as HTMLInputElement).blur();
        while (list?.isConnected && performance.now() - left < 5_000) await new Promise(requestAnimationFrame);
        return performance.now() - left;
      });
      expect(open).toBeGreaterThanOrEqual(195);
      expect(open).toBeLessThan(5_000);
    });
  });

  describe('the Sync menu and its dialog', () => {
    const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
    const dialog = () => page.getByRole('dialog');
    const openMenu = async () => {
      await page.locator('#sync').click();
      await page.getByRole('menu').waitFor();
    };

    it('offers three ways, and nothing to retry, to look at or to clear while nothing happens', async () => {
      await openMenu();
      await item(/Smart sync\s*Recommended/).waitFor();
      await expect
        .poll(() => page.getByRole('menuitem').allInnerTexts())
        .toEqual(
          [/^Smart sync/, /^Incremental sync/, /^Full sync/, /^Show Progress$/].map((text) =>
            expect.stringMatching(text),
          ),
        );
      await expect.poll(() => item('Show Progress').isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
    });

    it('shows each phase, the figures and the rate limit, and ends with what was synced', async () => {
      const calm = (await (await page.request.get(`${product.url}/api/sync-repo-complete?repoId=1`)).json()) as Record<
        string,
        unknown
      >;
      const running = (current_phase: string, percentage: number, more: object = {}) => ({
        ...calm,
        status: 'running',
        is_complete: false,
        rate_limit_status: { remaining: 99, limit: 5000, reset_at: new Date(Date.now() + 3_600_000).toISOString() },
        progress: {
          ...(calm.progress as object),
          current_phase,
          percentage,
          processed_prs: 4,
          total_prs: 11,
          processed_reviews: 2,
          total_reviews: 7,
          estimated_time_remaining: 120,
        },
        ...more,
      });
      let now: object = running('starting', 0);
      await page.route('**/api/sync-repo-complete*', (route) => route.fulfill({ json: now }));
      await openMenu();
      await item(/^Full sync/).click();
      await dialog().getByText('The sync goes on in the background when you close this.').waitFor();
      for (const [phase, words] of [
        ['starting', 'Initializing sync...'],
        ['fetching_prs', 'Fetching pull requests...'],
        ['fetching_reviews', 'Fetching reviews...'],
        ['processing_data', 'Processing data...'],
        ['something_new', 'Syncing...'],
      ] as const) {
        now = running(phase, 40);
        await dialog().getByText(words, { exact: true }).waitFor();
      }
      await expect.poll(() => dialog().innerText()).toMatch(/40\s*%[\s\S]*about 2 min left[\s\S]*4 of 11[\s\S]*2 of 7/);
      await expect.poll(() => dialog().innerText()).toMatch(/99 of 5,000 left, resets at \d\d:\d\d/);

      await dialog().getByRole('button', { name: 'Close' }).last().click();
      await dialog().waitFor({ state: 'hidden' });
      await expect.poll(focused).toBe('Syncing 40%');
      await openMenu();
      for (const name of [/^Smart sync/, /^Incremental sync/, /^Full sync/])
        expect(await item(name).isDisabled()).toBe(true);
      await item('Clear Sync State').waitFor();
      await item('Show Progress').click();
      now = { ...calm, has_more: true, imported_prs: 1234, imported_reviews: 567 };
      await dialog().getByText('Sync completed', { exact: true }).waitFor();
      await dialog()
        .getByText(/^Successfully synced 1234 PRs and 567 reviews/)
        .waitFor();
      await dialog().getByText('Partial sync complete for octo-org/work. More data available.').waitFor();
      await page.keyboard.press('Escape');
      await button('Dismiss').click();
      await page.unroute('**/api/sync-repo-complete*');
    });

    it('offers a retry, the progress and a clean slate after a sync that failed', async () => {
      await page.route('**/api/sync-repo-complete', (route) =>
        route.fulfill({
          status: 422,
          json: { error: 'Token lacks access', code: 'host_refused', request_id: '7f3c91' },
        }),
      );
      await openMenu();
      await item(/^Smart sync/).click();
      await dialog()
        .getByText(/Sync completed with errors:\s*octo-org\/work: Token lacks access/)
        .waitFor();
      await dialog().getByText('Sync failed', { exact: true }).waitFor();
      await dialog().getByRole('button', { name: 'Retry, 1 of 3 used' }).waitFor();
      await page.keyboard.press('Escape');

      await page.getByRole('alert').getByText('Sync completed with errors:').waitFor();
      await openMenu();
      await item('Retry (1 of 3 used)').waitFor();
      await item('Show Progress').click();
      await dialog().getByRole('button', { name: 'Clear Sync State' }).click();
      await expect.poll(() => page.getByText('Sync completed with errors:').count()).toBe(0);
      await page.unroute('**/api/sync-repo-complete');
    });

    it('says so when nothing is connected', async () => {
      await page.route('**/api/repos', (route) => route.fulfill({ json: [] }));
      await openMenu();
      await item(/^Smart sync/).click();
      await dialog().getByText('No repositories configured. Please add a repository first.').waitFor();
      await dialog().getByRole('button', { name: 'Clear Sync State' }).click();
      await page.unroute('**/api/repos');
    });
  });

  describe('without a network, or with a newer version on the server', () => {
    it('keeps the figures, says so, and says why another screen does not come', async () => {
      await page.goto('/stuck-prs');
      await page.getByText('Store the ledger in one table').waitFor();
      await page.context().setOffline(true);
      await page.getByText(/^You are offline\. The figures stay as they were/).waitFor();
      await page.getByText('Store the ledger in one table').waitFor();
      await page.getByRole('link', { name: 'Store the ledger in one table' }).click();
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
      await page.getByText(/^You are offline, and this part has not been loaded yet\./).waitFor();

      await page.context().setOffline(false);
      await page.getByText(/^You are offline\. The figures/).waitFor({ state: 'hidden' });
      await button('Reload Page').click();
      await page.getByRole('tab', { name: 'Timeline' }).waitFor();
    });

    it('keeps the page, and what was typed into it, where the file of one of its parts is gone', async () => {
      const gone = /\/assets\/(news|command-palette|explain-popover|csv)-[^/]*\.js$/;
      const words = 'Mergelight may have been updated since this page was opened: reload it to go on.';
      const note = page.getByRole('status').filter({ hasText: words });
      await page.goto('/add-repo');
      await page.getByLabel('Repository name').fill('half-typed');
      await page.route(gone, (route) => route.fulfill({ status: 404 }));
      await page.route('**/api/repos', async (route) => {
        const answer = await route.fetch();
        const all = (await answer.json()) as object[];
        const counting = { percentage: 41, seconds_left: 170 };
        await route.fulfill({ json: all.map((one) => ({ ...one, counting })) });
      });
      const news = page.waitForResponse(gone);
      await button('Refresh Data').click();
      expect((await news).status()).toBe(404);

      // Nobody pressed anything for the news; for the palette somebody did, however often.
      for (const _time of ['first', 'second']) {
        await page.keyboard.press('Control+k');
        await note.waitFor();
        await button('Dismiss').click();
        await note.waitFor({ state: 'hidden' });
      }
      expect(await page.getByLabel('Repository name').inputValue()).toBe('half-typed');

      await page.goto('/dashboard');
      await button('Time to merge').hover();
      await note.waitFor();
      await page.getByText('Store the ledger in one table').waitFor();
      await accessible(page, 'part-gone');
      await page.goto('/stuck-prs');
      await button('Download CSV').click();
      await note.getByRole('button', { name: 'Reload Page' }).click();
      await page.unroute('**/api/repos');
      await page.unroute(gone);
      await page.getByText('Store the ledger in one table').waitFor();
      expect(await note.count()).toBe(0);
    });

    it('offers to reload where a screen’s file is gone', async () => {
      await page.route('**/assets/settings-*.js', (route) => route.fulfill({ status: 404 }));
      await page.goto('/add-repo');
      await page.getByRole('link', { name: 'Connected repositories in Settings' }).click();
      await page
        .getByText(/Mergelight may have been updated since this page was opened: reload it to go on\.$/)
        .waitFor();
      await page.unroute('**/assets/settings-*.js');
      await button('Reload Page').click();
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    });

    it('has words for an error that has none', async () => {
      const broken = "export function SettingsScreen() { throw new Error(''); }";
      await page.route('**/assets/settings-*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: broken }),
      );
      await page.goto('/settings');
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
      await page.getByText('An unexpected error occurred', { exact: true }).waitFor();
      await page.unroute('**/assets/settings-*.js');
    });

    it('says that the choice of repositories could not be fetched, and tries again', async () => {
      const undo = await failing(page, '/api/repositories', { error: 'Not now.', code: 'x', request_id: 'r' });
      await page.goto('/reviewer-stats');
      const told = page.getByRole('alert').filter({ hasText: 'Failed to fetch repositories' });
      await told.waitFor();
      await undo();
      await told.getByRole('button', { name: 'Retry' }).click();
      await page.getByLabel('Repository').getByText('work', { exact: true }).waitFor({ state: 'attached' });
    });
  });

  it.each([
    '/stuck-prs?turn=author&stuck=title',
    '/contributor/ben?period=90d&state=merged',
    '/pr/octo-org/work/1?tab=code',
  ])('comes back to exactly the same place when the session ends in the middle of work: %s', async (path) => {
    const other = await openPage(browser, product.url);
    await other.context().addCookies(await page.context().cookies());
    await other.goto(path);
    await titleShown(other);
    // A part that came late would find the session ended before the button is clicked.
    await other.waitForLoadState('networkidle');
    await other.context().clearCookies();

    await other.getByRole('button', { name: 'Refresh Data' }).click();
    await other.getByText(/^Your session has ended\./).waitFor();
    await other.getByPlaceholder('Paste a token').fill('ghp_mona');
    await other.keyboard.press('Enter');
    await other.waitForURL(product.url + path);
    await titleShown(other);
    expect(other.url()).toBe(product.url + path);
    await other.context().close();
  });

  it('logs out from an address that leads nowhere, too', async () => {
    const other = await openPage(browser, product.url);
    await signInAsMona(other, product);
    await other.goto('/nothing-here');
    await other.getByRole('button', { name: 'Account of mona' }).click();
    await other.getByRole('menuitem', { name: 'Log out' }).click();
    await other.waitForURL(`${product.url}/`);
    await other.context().close();
  });

  it('keeps nothing of one person for another who signs in after the session has ended', async () => {
    const other = await openPage(browser, product.url);
    await signInAsMona(other, product);
    await other.goto('/contributor/ben');
    const kept = (key: string) => other.evaluate((name) => localStorage.getItem(name), key);
    await expect.poll(() => kept('recent-contributors')).toContain('ben');
    await other.reload();
    await titleShown(other);
    expect(await kept('recent-contributors')).toContain('ben');
    await other.evaluate(() => localStorage.setItem('team', '7'));
    await other.context().clearCookies();
    const headers = { origin: product.url };
    await other.request.post(`${product.url}/auth/token`, { headers, data: { token: 'ghp_octo' } });
    await other.goto('/reviewer-stats');
    await titleShown(other);
    expect(await kept('recent-contributors')).toBeNull();
    await expect.poll(() => other.url()).toBe(`${product.url}/reviewer-stats`);
    await other.context().close();
  });

  it('tells of a sign-out that failed, and sends a visitor from every screen to the sign-in page and back to the same place', async () => {
    await page.route('**/auth/logout', (route) => route.fulfill({ status: 500 }));
    await button('Account of mona').click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByText(/^Logout failed\. The server did not answer/).waitFor();
    await page.context().clearCookies();
    for (const path of guarded) {
      await page.goto(path);
      await page.waitForURL(/\/login\?/);
      expect(new URL(page.url()).searchParams.get('return_to')).toBe(path);
    }
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.url}${guarded.at(-1)}`);
    await page.getByText('Move the cart, part 1').waitFor();
  });
});
