import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { boxTroubles } from './support/boxes.ts';
import { accessible, inspect, openPage, openPageIn, startBrowser, titleShown } from './support/browser.ts';
import { DESK_REPOSITORY, deskNumber, deskTitles, happens, sitDown, startDesk } from './support/desk.ts';
import { failing } from './support/team.ts';

const sections = [
  ['Waiting for your review', ['review', 'reviewAgain', 'reviewLater']],
  ['Waiting for you as author', ['author']],
  ['Ready to merge', ['merge']],
  ['Asked through a team', ['team']],
] as const;
const folded = [
  ['Yours, waiting for others', ['yours']],
  ['Waiting for the author', ['reviewed']],
  ['Drafts', ['draft']],
] as const;

describe('my work', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startDesk();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await sitDown(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  beforeEach(async () => {
    await page.goto('/my-work');
    await titleShown(page);
    await page
      .getByText(/^\d+ waiting for you/)
      .first()
      .waitFor();
  });

  const section = (name: string) => page.getByRole('region', { name, exact: true });
  const titlesIn = (name: string) => section(name).locator('[data-row-link]').allInnerTexts();
  const row = (title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) });
  const fold = (name: string) => section(name).getByRole('button', { name: new RegExp(`^${name}`) });
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabNumber = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^My work/ });
  const told = () => page.getByRole('main').getByRole('status').filter({ hasText: 'Snoozed until' });
  const menu = () => page.getByRole('menu', { name: 'Snooze' });

  it('stands in sections, overdue first, with why and since when, and fits every width', async () => {
    for (const [name, titles] of sections)
      await expect.poll(() => titlesIn(name), { message: name }).toEqual(titles.map((title) => deskTitles[title]));
    for (const [name, titles] of folded) {
      await fold(name).click();
      await expect.poll(() => titlesIn(name), { message: name }).toEqual(titles.map((title) => deskTitles[title]));
    }

    const textOf = async (title: keyof typeof deskTitles) =>
      (await row(deskTitles[title]).innerText()).replaceAll(/\s+/g, ' ');
    expect(await textOf('review')).toMatch(/Your review was requested .*since 4 days ago over 48 h/);
    expect(await textOf('reviewLater')).not.toContain('over 48 h');
    expect(await textOf('reviewAgain')).toContain('Updated since your review');
    expect(await textOf('author')).toMatch(/Changes requested Checks failing/);
    expect(await textOf('merge')).toMatch(/Approved Checks passing .*over 48 h/);
    expect(await textOf('team')).toContain('Requested of @octo-org/greeters');
    expect(await textOf('yours')).toMatch(/Never reviewed · ben, cleo/);
    expect(await textOf('yours')).not.toContain('over 48 h');
    await page.getByText('1 open one waits for nobody in particular.').waitFor();
    expect(await page.getByRole('link', { name: 'See stuck PRs' }).getAttribute('href')).toBe('/stuck-prs');
    await page.getByText(', 2 of them over 48 hours').waitFor();
    await page.mouse.move(0, 0);
    // What lies under the navigation cannot be pressed.
    await page.evaluate(() => scrollTo(0, 0));
    await inspect(page, 'my-work');
  });

  it.each([1440, 900, 390, 360])(
    'keeps its boxes in place at %d px, light and dark, with everything unfolded',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      for (const [name] of folded)
        if ((await fold(name).getAttribute('aria-expanded')) === 'false') await fold(name).click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await boxTroubles(page), colorScheme).toEqual([]);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );

  it('remembers on the device which sections are folded', async () => {
    const name = 'Drafts';
    const isOpen = (await fold(name).getAttribute('aria-expanded')) === 'true';
    await fold(name).click();
    await page.reload();
    await expect.poll(() => fold(name).getAttribute('aria-expanded')).toBe(String(!isOpen));
  });

  it('says how many wait in the navigation and in the name of the tab, and explains the number', async () => {
    await expect.poll(() => tabNumber().innerText()).toMatch(/^My work\s*6$/);
    await expect.poll(() => page.title()).toBe('(6) My work · Mergelight');
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().innerText()).toMatch(
      /^My work/,
    );
    await page.getByRole('button', { name: '6 waiting for you' }).click();
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByText('Based on').waitFor();
    await dialog.getByRole('button', { name: /^See the 6/ }).click();
    await dialog.getByText(deskTitles.team).waitFor();
    await accessible(page, 'my-work-explained');
    await page.keyboard.press('Escape');

    await page.goto('/contributors');
    await titleShown(page);
    await expect.poll(() => page.title()).toMatch(/^\(6\) .+ · Mergelight$/);
  });

  it('is worked through by keyboard alone', async () => {
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('j');
    await expect.poll(focused).toBe(deskTitles.review);
    // What stands in the row with a tooltip of its own is told with the row.
    await page
      .getByRole('tooltip')
      .getByText(/4 days ago: \w{3} \d+ \w{3}/)
      .waitFor();
    await press('j', 'j', 'k');
    await expect.poll(focused).toBe(deskTitles.reviewAgain);
    await press('s');
    await menu().waitFor();
    await expect.poll(focused).toMatch(/^Until tomorrow morning/);
    // In the menu letters find its entries.
    await press('ArrowDown', 'ArrowDown', 'Escape');
    await menu().waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe(deskTitles.reviewAgain);

    await press('s');
    await menu().waitFor();
    await expect.poll(focused).toMatch(/^Until tomorrow morning/);
    await press('Enter');
    await told().getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(() => titlesIn('Waiting for your review')).toEqual([deskTitles.review, deskTitles.reviewLater]);
    await expect.poll(focused).toBe(deskTitles.reviewLater);
    await press('u');
    await expect.poll(() => titlesIn('Waiting for your review')).toHaveLength(3);
    await expect.poll(focused).toBe(deskTitles.reviewAgain);
    expect(await told().count()).toBe(0);

    await press('Enter');
    await page.waitForURL(`**/pr/${DESK_REPOSITORY}/${deskNumber('reviewAgain')}`);
    await page.goBack();
    await page.getByText(deskTitles.review).waitFor();
    // Back from a pull request one goes on at its row.
    await press('j');
    await expect.poll(focused).toBe(deskTitles.reviewAgain);
    await press('j');
    await expect.poll(focused).toBe(deskTitles.reviewLater);
    await press('g', 'w');
    await page.waitForURL('**/my-work');
    await page.evaluate(() => localStorage.setItem('single-key-shortcuts', 'off'));
    await page.reload();
    await page.getByText(deskTitles.review).waitFor();
    await press('j');
    expect(await focused()).not.toBe(deskTitles.review);
    expect(await page.getByText('takes it back').count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem('single-key-shortcuts'));
  });

  it('puts an item aside until a time of the person’s own clocks, and takes that back', async () => {
    await page.request.patch('/auth/me', { headers: { origin: product.url }, data: { time_zone: 'Pacific/Auckland' } });
    await page.reload();
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()));
    const open = async (title: string) => {
      await page.getByRole('button', { name: `Snooze ${title}` }).click();
      await menu().waitFor();
    };
    await open(deskTitles.merge);
    const morning = menu().getByRole('menuitem', { name: /^Until tomorrow morning/ });
    expect(await morning.innerText()).toMatch(/, 09:00$/);
    expect(
      await menu()
        .getByRole('menuitem', { name: /^Until Monday/ })
        .innerText(),
    ).toMatch(/Mon \d+ \w+( \d{4})?, 09:00$/);
    await accessible(page, 'my-work-snooze-menu');
    await morning.click();
    await told()
      .getByText(/^Snoozed until .+, 09:00\. Undo$/)
      .waitFor();
    const [{ until }] = sent as [{ until: string }];
    const shown = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Pacific/Auckland',
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(shown.format(new Date(until))).toBe('09:00');
    await expect.poll(() => section('Ready to merge').count()).toBe(0);
    await expect.poll(() => tabNumber().innerText()).toMatch(/5$/);
    if ((await fold('Snoozed').getAttribute('aria-expanded')) === 'false') await fold('Snoozed').click();
    await expect.poll(() => titlesIn('Snoozed')).toEqual([deskTitles.merge]);
    expect(await row(deskTitles.merge).innerText()).toMatch(/Snoozed until .+, 09:00/);

    await told().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => titlesIn('Ready to merge')).toEqual([deskTitles.merge]);
    await expect.poll(() => tabNumber().innerText()).toMatch(/6$/);

    await open(deskTitles.merge);
    await menu()
      .getByRole('menuitem', { name: /^Pick a time/ })
      .click();
    const pick = page.getByRole('dialog', { name: 'Pick a time' });
    const field = pick.getByLabel(/^Snooze until/);
    await field.fill('2020-01-01T09:00');
    await pick.getByText('That is over already.').waitFor();
    expect(await pick.getByRole('button', { name: 'Snooze' }).isDisabled()).toBe(true);
    const later = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await field.fill(`${later}T07:30`);
    await accessible(page, 'my-work-pick-a-time');
    await pick.getByRole('button', { name: 'Snooze' }).click();
    await told()
      .getByText(/, 07:30\. Undo$/)
      .waitFor();
    await page.getByRole('button', { name: `Take back the snooze of ${deskTitles.merge}` }).click();
    await expect.poll(() => titlesIn('Ready to merge')).toEqual([deskTitles.merge]);

    await open(deskTitles.merge);
    await menu()
      .getByRole('menuitem', { name: /^Until it changes/ })
      .click();
    await page.getByText('Snoozed until it changes.').waitFor();
    await happens(product, deskNumber('merge'), { kind: 'commits', by: 'mona' });
    await page.keyboard.press('u');
    await expect.poll(() => titlesIn('Ready to merge')).toEqual([deskTitles.merge]);
    await page.request.patch('/auth/me', { headers: { origin: product.url }, data: { time_zone: 'UTC' } });
  });

  it('says what went wrong with a snooze, and keeps the row', async () => {
    const undo = await failing(page, `/api/my-work/snoozes/${DESK_REPOSITORY}/${deskNumber('review')}`, {
      error: 'Not now.',
      code: 'x',
      request_id: 'r',
    });
    await page.getByRole('button', { name: `Snooze ${deskTitles.review}` }).click();
    await menu()
      .getByRole('menuitem', { name: /^For a week/ })
      .click();
    await page.getByRole('alert').getByText('Failed to snooze it. Not now. Request r.').waitFor();
    await row(deskTitles.review).waitFor();
    await undo();
  });

  it('copies a nudge that one can send', async () => {
    const name = 'Yours, waiting for others';
    if ((await fold(name).getAttribute('aria-expanded')) === 'false') await fold(name).click();
    await row(deskTitles.yours).getByRole('button', { name: 'Copy a nudge' }).click();
    await row(deskTitles.yours).getByRole('status').getByText('Copied').waitFor({ state: 'attached' });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(
      new RegExp(
        `^${deskTitles.yours} \\(${DESK_REPOSITORY}#${deskNumber('yours')}\\) waits for ben, cleo since .+ \\(3 days\\): http.+/pull/${deskNumber('yours')}$`,
      ),
    );
    await row(deskTitles.yours).getByRole('button', { name: 'Copy a nudge' }).waitFor();
  });

  it('moves by itself, number, title and list, when something changes on the host, on every open page', async () => {
    const other = await page.context().newPage();
    await other.goto('/settings');
    await expect.poll(() => other.title()).toBe('(6) Settings · Mergelight');

    await happens(product, deskNumber('nobody'), {
      kind: 'review_requested',
      by: 'ada',
      reviewer: { account: 'mona' },
    });

    await expect.poll(() => page.title(), { timeout: 15_000 }).toBe('(7) My work · Mergelight');
    await expect.poll(() => other.title(), { timeout: 15_000 }).toBe('(7) Settings · Mergelight');
    await expect.poll(() => tabNumber().innerText()).toMatch(/7$/);
    await expect.poll(() => titlesIn('Waiting for your review')).toContain(deskTitles.nobody);

    await happens(product, deskNumber('nobody'), { kind: 'closed', by: 'ada' });

    await expect.poll(() => page.title(), { timeout: 15_000 }).toBe('(6) My work · Mergelight');
    await other.close();
  });

  it('strikes out what ends while one looks, for a moment', async () => {
    const link = page.getByRole('link', { name: deskTitles.reviewLater });
    await link.focus();
    await happens(product, deskNumber('reviewLater'), { kind: 'closed', by: 'ben' });
    const left = page.getByRole('listitem').filter({ hasText: 'No longer waits for you' });
    await left.getByText(deskTitles.reviewLater).waitFor({ timeout: 15_000 });
    expect(await focused()).toBe(deskTitles.reviewLater);
    await left.waitFor({ state: 'detached', timeout: 10_000 });
    // One goes on from where it was.
    await expect.poll(focused).toBe(deskTitles.author);
    await happens(product, deskNumber('reviewLater'), { kind: 'reopened', by: 'ben' });
    await expect.poll(() => titlesIn('Waiting for your review'), { timeout: 15_000 }).toContain(deskTitles.reviewLater);
  });

  it('is narrowed by repository and team, in the address, and says what that leaves out', async () => {
    const [repository] = (await (await page.request.get('/api/repos')).json()) as { id: number }[];
    await page.getByLabel('Repository').selectOption(String(repository?.id));
    await page.waitForURL(`**/my-work?repository=${repository?.id}`);
    await expect.poll(() => titlesIn('Asked through a team')).toEqual([deskTitles.team]);
    const teams = (await (await page.request.get('/api/teams')).json()) as { id: number }[];
    await page.goto(`/my-work?team=${teams[0]?.id}`);
    await page.getByText(/^Only pull requests that people of Greeters opened\./).waitFor();
    await expect.poll(() => section('Asked through a team').count()).toBe(0);
    await expect.poll(() => titlesIn('Ready to merge')).toEqual([deskTitles.merge]);
    // The number is of everything.
    await expect.poll(() => tabNumber().innerText()).toMatch(/6$/);
    await page.getByText(/^2 waiting for you/).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.waitForURL('**/my-work');
    await expect.poll(() => titlesIn('Asked through a team')).toEqual([deskTitles.team]);

    // A team that was chosen stays so on other pages, until everything is wanted.
    await page.getByLabel('Team', { exact: true }).selectOption(String(teams[0]?.id));
    await page.waitForURL(`**/my-work?team=${teams[0]?.id}`);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.waitForURL('**/my-work');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.waitForURL('**/dashboard');
  });

  it('tells every tab of a browser of what happens, by one stream', async () => {
    const streams: string[] = [];
    page.context().on('request', (request) => {
      if (request.url().endsWith('/api/sync-events')) streams.push(request.url());
    });
    const others = [await page.context().newPage(), await page.context().newPage()];
    for (const other of others) await other.goto(`${product.url}/my-work`);
    for (const other of others) await other.getByText(deskTitles.reviewLater).waitFor();
    await happens(product, deskNumber('reviewLater'), { kind: 'closed', by: 'ben' });
    for (const one of [page, ...others])
      await one
        .getByRole('listitem')
        .filter({ hasText: 'No longer waits for you' })
        .getByText(deskTitles.reviewLater)
        .waitFor({ timeout: 15_000 });
    await happens(product, deskNumber('reviewLater'), { kind: 'reopened', by: 'ben' });
    for (const other of others) await other.close();

    expect(streams).toEqual([]);
  });

  it('shows what changed while no tab held a stream, once one does again', async () => {
    const holder = await openPage(browser, product.url);
    await holder.context().addCookies(await page.context().cookies());
    const held = holder.waitForResponse('**/api/sync-events');
    await holder.goto('/my-work');
    await held;
    const left = await openPageIn(holder.context());
    const gap = Promise.withResolvers<void>();
    const asking = left.waitForRequest('**/api/sync-events');
    await left.route('**/api/sync-events', async (route) => {
      await gap.promise;
      await route.continue();
    });
    await left.goto('/my-work');
    await left.getByText(deskTitles.reviewLater).waitFor();
    // A page that has just asked its own questions has missed nothing.
    await left.waitForTimeout(4_000);
    await holder.close();
    await asking;
    await happens(product, deskNumber('reviewLater'), { kind: 'closed', by: 'ben' });
    try {
      await expect.poll(() => page.title()).toBe('(5) My work · Mergelight');
      // Whatever else the server has to tell of it is told by then.
      await page.waitForTimeout(3_000);
      expect(await left.getByText('No longer waits for you').count()).toBe(0);
      gap.resolve();
      await left
        .getByRole('listitem')
        .filter({ hasText: 'No longer waits for you' })
        .getByText(deskTitles.reviewLater)
        .waitFor({ timeout: 60_000 });
    } finally {
      await happens(product, deskNumber('reviewLater'), { kind: 'reopened', by: 'ben' });
      await expect.poll(() => page.title()).toBe('(6) My work · Mergelight');
    }
    await left.context().close();
  });

  describe('when there is nothing, or nothing can be had', () => {
    type Work = {
      recognised: boolean;
      counts: Record<string, number>;
      sections: { key: string; total: number; items: unknown[] }[];
    };
    const answering = async (change: (work: Work) => Work) => {
      const answer = (await (await page.request.get('/api/my-work')).json()) as Work;
      await page.route('**/api/my-work*', (route) => route.fulfill({ json: change(answer) }));
      await page.reload();
    };
    const turns = ['review', 'author', 'merge', 'team_review'];

    it('says so when nothing waits for the person, with what waits for others', async () => {
      await answering((work) => ({
        ...work,
        counts: { ...work.counts, turn: 0 },
        sections: work.sections.map((one) => (turns.includes(one.key) ? { ...one, total: 0, items: [] } : one)),
      }));
      await page.getByText('All clear. Nothing waits for you.').waitFor();
      await page.getByText('1 of yours waits for others · 1 waits for its author · 1 draft').waitFor();
      await page.getByText('Nothing waits for you', { exact: true }).waitFor();
      await expect.poll(() => page.title()).toBe('My work · Mergelight');
      await inspect(page, 'my-work-clear', { aState: true });
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('says so when the person was never seen here', async () => {
      await answering((work) => ({ ...work, recognised: false }));
      await page.getByText('We haven’t seen you in these repositories yet.').waitFor();
      await page.getByText(/is by mona of/).waitFor();
      await inspect(page, 'my-work-not-recognised', { aState: true });
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('says what could not be fetched and tries again, the navigation keeps its number', async () => {
      await expect.poll(() => tabNumber().innerText()).toMatch(/6$/);
      const undo = await failing(page, '/api/my-work', { error: 'The database is away.', code: 'x', request_id: 'r' });
      await page.getByRole('button', { name: 'Refresh Data' }).click();
      await page.waitForTimeout(500);
      await expect.poll(() => tabNumber().innerText()).toMatch(/6$/);
      await page.reload();
      await page.getByText('Failed to fetch your work').waitFor();
      await page.getByText('The database is away. Request r.').waitFor();
      await inspect(page, 'my-work-failed', { aState: true });
      await undo();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect.poll(() => titlesIn('Ready to merge')).toEqual([deskTitles.merge]);
    });

    it('shows 99+ above 99', async () => {
      await answering((work) => ({ ...work, counts: { ...work.counts, turn: 100 } }));
      await expect.poll(() => tabNumber().innerText()).toMatch(/99\+$/);
      await expect.poll(() => page.title()).toBe('(99+) My work · Mergelight');
      await page.unrouteAll({ behavior: 'wait' });
    });
  });
});
