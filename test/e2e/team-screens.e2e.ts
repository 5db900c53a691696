import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SyncResponse } from '../../src/contract/sync.ts';
import type { RunningProduct } from '../support/product.ts';
import { accessible, openPage, screenshot, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

/** The pages about the team: each one's path, what it asks the server for, and something that stands on it once that has come. */
const screens = [
  { path: '/dashboard', call: '/api/developer-stats', shown: 'Top Contributor' },
  { path: '/stuck-prs?repository=1', call: '/api/stuck-prs?repository=1', shown: 'Store the ledger in one table' },
  { path: '/reviewer-stats', call: '/api/reviewer-stats', shown: 'Top Reviewer' },
  { path: '/developer-stats', call: '/api/developer-stats', shown: 'Top Contributor' },
  { path: '/review-load', call: '/api/review-load', shown: '@cleo' },
] as const;

describe('the screens of the team', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('ask again every hour, and no more once they are left', async () => {
    const clocked = await openPage(browser, product.url);
    await clocked.context().addCookies(await page.context().cookies());
    await clocked.clock.install();
    const asked: string[] = [];
    clocked.on('request', (request) => asked.push(request.url().replace(product.url, '')));
    const timesAsked = (call: string) => asked.filter((address) => address.startsWith(call)).length;
    // The hour is counted from the answer; as long as one is awaited, nothing asks for it again.
    const awaited = new Set<Request>();
    clocked.on('request', (request) => request.resourceType() !== 'eventsource' && awaited.add(request));
    clocked.on('requestfinished', (request) => awaited.delete(request));
    clocked.on('requestfailed', (request) => awaited.delete(request));
    const quiet = async () => {
      for (let seen = -1; seen !== asked.length || awaited.size > 0; await clocked.waitForTimeout(500))
        seen = asked.length;
    };

    for (const { path, call, shown } of screens) {
      await clocked.goto(path);
      await clocked.getByText(shown).first().waitFor();
      // Where the screen is long in coming, it asks again for what was asked for before it was there.
      await quiet();
      // What a sync has changed a moment before the page listened is asked for once more some seconds later.
      await clocked.clock.fastForward('00:05');
      await quiet();
      const before = timesAsked(call);
      await clocked.clock.fastForward('59:30');
      expect(timesAsked(call), `${path} before the hour`).toBe(before);
      await clocked.clock.fastForward('01:00');
      await expect.poll(() => timesAsked(call), { message: `${path} after the hour` }).toBe(before + 1);

      await clocked.getByRole('link', { name: 'Add repository' }).click();
      await clocked.getByRole('heading', { level: 1, name: 'Add repository' }).waitFor();
      await quiet();
      // The number of stuck pull requests stands in the navigation of every page, so it is still asked for.
      const stuck = timesAsked('/api/stuck-prs/counts');
      await clocked.clock.fastForward('01:00:30');
      await expect.poll(() => timesAsked('/api/stuck-prs/counts')).toBeGreaterThan(stuck);
      expect(timesAsked(call), `${path} after leaving`).toBe(before + 1);
    }
    await clocked.context().close();
  });

  describe('tell of a sync', () => {
    const ended: SyncResponse = {
      success: true,
      session_id: '0f0e0d0c-0b0a-4908-8706-050403020100',
      resume_session_id: null,
      started_by_you: true,
      status: 'completed',
      is_complete: true,
      has_more: false,
      can_resume: false,
      imported_prs: 2,
      imported_reviews: 1,
      progress: {
        percentage: 100,
        current_phase: 'completed',
        processed_items: 3,
        processed_prs: 2,
        total_prs: 2,
        processed_reviews: 1,
        total_reviews: 1,
        estimated_time_remaining: null,
        message: 'Sync completed',
      },
      rate_limit_status: null,
      waiting_until: null,
      error: null,
      error_link: null,
      skipped: [],
    };
    const refusal = { status: 422, json: { error: 'Token lacks access', code: 'host_refused', request_id: '7f3c91' } };
    const two = ['work', 'hello'].map((name, index) => ({ id: 90 + index, owner: 'octo-org', name }));
    const green = () =>
      page
        .getByRole('main')
        .getByRole('status')
        .filter({ hasText: /^(Successfully|Partial)/ });
    const red = () => page.getByRole('main').getByRole('alert');
    const textOf = async (banner: typeof green) => ((await banner().count()) === 0 ? null : banner().innerText());

    it.each([
      ['two repositories', [ended, ended], /^Successfully synced 4 PRs and 2 reviews\s+work, hello$/, null],
      [
        'more history to come',
        [{ ...ended, has_more: true, is_complete: false, success: false, status: 'failed' }, ended],
        /^Successfully synced 4 PRs and 2 reviews\nPartial sync complete for octo-org\/work\. More data available\.\s+work, hello$/,
        null,
      ],
      [
        'one that fails',
        [ended, refusal],
        /^Successfully synced 2 PRs and 1 reviews\s+work$/,
        /^Sync completed with errors:\nocto-org\/hello: Token lacks access$/,
      ],
      [
        'all that fail, one without a word',
        [refusal, { ...ended, status: 'cancelled', is_complete: false }],
        null,
        /^Sync completed with errors:\nocto-org\/work: Token lacks access\nocto-org\/hello: The sync was cancelled\.$/,
      ],
    ] as const)('with %s: green for what went well, red for what did not', async (_, answers, success, failure) => {
      const [connected] = (await (await page.request.get(`${product.url}/api/repos`)).json()) as [object];
      const repositories = two.map((one) => ({ ...connected, ...one, full_name: `octo-org/${one.name}` }));
      await page.route('**/api/repos', (route) => route.fulfill({ json: repositories }));
      await page.route('**/api/sync-repo-complete', async (route) => {
        const { repoId } = route.request().postDataJSON() as { repoId: number };
        const answer = answers[repoId - 90]!;
        await route.fulfill('json' in answer ? answer : { status: 202, json: answer });
      });
      await page.goto('/reviewer-stats');
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Smart sync' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });

      for (const link of ['Reviewers', 'Developers', 'Review load', /^Stuck PRs/, 'Dashboard'] as const) {
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click();
        await titleShown(page);
        if (success === null) await expect.poll(() => green().count(), { message: String(link) }).toBe(0);
        else await expect.poll(() => textOf(green), { message: String(link) }).toMatch(success);
        if (failure === null) expect(await red().count(), String(link)).toBe(0);
        else await expect.poll(() => textOf(red), { message: String(link) }).toMatch(failure);
      }
      if (success !== null) {
        await page.getByRole('button', { name: 'Dismiss' }).click();
        await expect.poll(() => green().count()).toBe(0);
        expect(await red().count()).toBe(failure === null ? 0 : 1);
      }
      await page.unrouteAll({ behavior: 'wait' });
    });

    const startSync = async (of: Page) => {
      await of.getByRole('button', { name: 'Sync', exact: true }).click();
      await of.getByRole('menuitem', { name: 'Smart sync' }).click();
    };

    it('that could not begin: what failed, and why', async () => {
      await page.goto('/reviewer-stats');
      await page.getByText('Top Reviewer').waitFor();
      await page.route('**/api/repos', (route) =>
        route.fulfill({
          status: 500,
          json: { error: 'The database is away.', code: 'internal', request_id: '7f3c91' },
        }),
      );
      await startSync(page);

      await page
        .getByRole('dialog')
        .getByText(/^Failed to sync from 127\.0\.0\.1:\d+: The database is away\.$/)
        .waitFor();
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('that takes longer than five minutes: the server goes on without the page', async () => {
      const clocked = await openPage(browser, product.url);
      await clocked.context().addCookies(await page.context().cookies());
      await clocked.clock.install();
      await clocked.goto('/reviewer-stats');
      await clocked.getByText('Top Reviewer').waitFor();
      const running = { ...ended, status: 'running', is_complete: false };
      await clocked.route('**/api/sync-repo-complete*', (route) => route.fulfill({ status: 202, json: running }));
      const asked = clocked.waitForResponse('**/api/sync-repo-complete');
      await startSync(clocked);
      await asked;
      await clocked.clock.fastForward('04:00');
      expect(await clocked.getByText('Sync timeout').count()).toBe(0);
      const timeout = clocked
        .getByRole('dialog')
        .getByText(/Sync timeout\. The server goes on; Show Progress tells how far it is\./);
      // The page may have begun to count a moment after it was answered.
      const goOn = async () => {
        await clocked.clock.fastForward('01:10');
        return await timeout.count();
      };
      await expect.poll(goOn).toBeGreaterThan(0);
      await clocked.context().close();
    });
  });

  describe('while the answer to another choice is awaited', () => {
    const headers = () => ({ origin: product.url });
    let group: number;
    beforeAll(async () => {
      const data = { name: 'Movers', members: [{ username: 'ben' }] };
      const made = await page.request.post(`${product.url}/api/teams`, { headers: headers(), data });
      group = ((await made.json()) as { id: number }).id;
    });
    afterAll(async () => {
      await page.request.delete(`${product.url}/api/teams/${group}`, { headers: headers() });
    });
    /** Holds the answers to calls until it is told to go on. */
    const holding = async (calls: RegExp) => {
      const held = Promise.withResolvers<void>();
      await page.route(calls, async (route) => {
        await held.promise;
        await route.continue();
      });
      return async () => {
        held.resolve();
        await page.unrouteAll({ behavior: 'wait' });
      };
    };

    it.each([
      ['/dashboard', ['Time to merge', 'Store the ledger in one table', 'Top Reviewer', 'Top Contributor'], false],
      ['/stuck-prs', ['Store the ledger in one table'], true],
      ['/reviewer-stats', ['Top Reviewer'], true],
      ['/developer-stats', ['Top Contributor'], true],
      ['/review-load', ['Outstanding Reviews', '@cleo'], true],
      ['/contributors', ['Cleo March', /^Showing \d of \d contributors$/], false],
      ['/prs', ['Store the ledger in one table'], false, 'Whose turn', 'turn=author'],
      ['/contributor/ada', ['Store the ledger in one table'], true],
      ['/team', ['Time to merge', 'Nothing is open', 'No request is open', 'Nothing waits to be merged'], false],
    ] as [string, (string | RegExp)[], boolean, string?, string?][])(
      '%s fades the one before, of which there is no file',
      async (path, shown, hasFile, ...other) => {
        const [field = 'Repository', choice = 'repository=1'] = other;
        await page.goto(path === '/team' ? `/team/${group}` : path);
        for (const text of shown) await page.getByText(text).first().waitFor();
        const file = page.getByRole('button', { name: 'Download CSV' });
        const goOn = await holding(new RegExp(`/api/.*[?&]${choice}(&|$)`));
        await page.getByLabel(field, { exact: true }).selectOption(choice.replace(/.*=/, ''));
        for (const text of shown) await page.locator('[data-outdated]').getByText(text).first().waitFor();
        if (hasFile) expect(await file.getAttribute('aria-disabled')).toBe('true');
        await goOn();
        await expect.poll(() => page.locator('[data-outdated]').count()).toBe(0);
        if (hasFile) expect(await file.getAttribute('aria-disabled')).toBeNull();
      },
    );

    it('a signal’s list fades the one before', async () => {
      const item = { repo_owner: 'octo-org', repo_name: 'work', pr_number: 1, title: 'Of before', why: 'alone' };
      const row = { ...item, state: 'merged', draft: false, lines_changed: 3, at: new Date().toISOString() };
      await page.route(/\/api\/health\/merged_unreviewed\/prs/, (route) =>
        route.fulfill({ json: { total: 1, items: [row] } }),
      );
      await page.goto('/health?list=merged_unreviewed');
      await page.getByText('Of before').waitFor();
      const goOn = await holding(/\/api\/health\/.*[?&]repository=1(&|$)/);
      await page.getByLabel('Repository', { exact: true }).selectOption('1');
      await page.locator('[data-outdated]').getByText('Of before').waitFor();
      await goOn();
      await expect.poll(() => page.locator('[data-outdated]').count()).toBe(0);
    });

    it('/teams draws no other figure’s weeks', async () => {
      await page.goto('/teams');
      const weeks = (figure: string) => page.getByRole('list', { name: `${figure}, week by week` });
      await weeks('Time to first review').getByRole('img').first().waitFor({ state: 'attached' });
      const goOn = await holding(/\/api\/trends\?.*figure=merged/);
      await page.getByLabel('Figure of each week').selectOption('merged');
      await weeks('Merged').waitFor();
      expect(await weeks('Merged').getByRole('img').count()).toBe(0);
      await goOn();
      await weeks('Merged').getByRole('img').first().waitFor({ state: 'attached' });
    });
  });

  it('/teams shows a change only against a time that was imported wholly and holds five', async () => {
    const headers = { origin: product.url };
    const made = await page.request.post(`${product.url}/api/teams`, { headers, data: { name: 'Compared' } });
    const { id } = (await made.json()) as { id: number };
    const day = (days: number) => new Date(Date.UTC(2026, 5, 30 - days)).toISOString();
    const counted = { value: 12, trend: 140, before: 5 };
    const few = { value: 12, trend: 300, before: 3 };
    const row = {
      ...{ team: { id, name: 'Compared', handle: null }, key: 'team', people_now: 4 },
      ...{ opened: counted, merged: few, stuck: counted },
      ...{ time_to_first_review: { ...counted, n: 9 }, time_to_merge: { ...few, n: 12 } },
      ...{ size: { ...counted, n: 4 }, rounds: { ...counted, n: 9 }, reviews_per_merged: { ...counted, n: 9 } },
    };
    const compared = async (history_begins: string) => {
      await page.unrouteAll({ behavior: 'wait' });
      await page.route('**/api/teams/compare?*', (route) =>
        route.fulfill({
          json: {
            window: { from: day(30), to: day(0) },
            compared_with: { from: day(60), history_begins, import_complete: true },
            rows: [row, { ...row, team: null, key: 'none' }, { ...row, team: null, key: 'scope' }],
          },
        }),
      );
      await page.goto('/teams');
      const cells = page.getByRole('row').filter({ hasText: 'Compared' }).getByRole('cell');
      await cells.first().waitFor();
      const texts = (await cells.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
      return texts.slice(-8);
    };

    expect(await compared(day(60))).toEqual([
      ...['12 140%', '12 3 before', '12.0 h n 9 140%', '12.0 h n 12 3 before'],
      ...['12 lines n 4', '12.0 n 9 140%', '12 140%', '12.0 n 9 140%'],
    ]);
    expect(await page.getByText('No change against the time before').count()).toBe(0);
    expect(await compared(day(59))).toEqual([
      ...['12', '12', '12.0 h n 9', '12.0 h n 12', '12 lines n 4', '12.0 n 9', '12 140%', '12.0 n 9'],
    ]);
    await page.getByText('No change against the time before: history begins May 2026.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.request.delete(`${product.url}/api/teams/${id}`, { headers });
  });

  describe('keep what was chosen in the address', () => {
    it.each([
      ['/stuck-prs?turn=reviewers&bots=hide&stuck=title', ['Round prices at the end', 'Store the ledger in one table']],
      ['/reviewer-stats?person=e&reviewers=-reviewer', ['Cleo March', 'ben']],
      ['/developer-stats?person=e&developers=avg_merge_time_hours', ['cleo', 'ben']],
    ])('%s: through a reload, and back from a row', async (address, expected) => {
      const rows = async () => (await page.locator('tbody tr td:first-child a').allTextContents()).map((t) => t.trim());
      await page.goto(address);
      await expect.poll(rows).toEqual(expected);
      await page.reload();
      await expect.poll(rows).toEqual(expected);

      await page.getByRole('link', { name: expected[0]!, exact: true }).click();
      await page.waitForURL(/\/(pr|contributor)\//);
      await page.goBack();
      await expect.poll(rows).toEqual(expected);
      expect(page.url()).toBe(product.url + address);
    });
  });

  it.each([
    ['/stuck-prs?stuck=nothing', 'Open for'],
    ['/reviewer-stats?reviewers=-nothing', 'Reviews'],
    ['/developer-stats?developers=constructor', 'Merged'],
    ['/prs?sort=author', 'Last Updated'],
  ])('%s is sorted as if nothing had been chosen', async (address, head) => {
    const sorted = () =>
      page
        .locator('th[aria-sort]')
        .evaluateAll((heads) => heads.map((th) => [th.textContent, th.getAttribute('aria-sort')]));
    // Their links alone: how long something has waited may change from load to load.
    const rows = () => page.locator('tbody a').allInnerTexts();
    await page.goto(address.replace(/\?.*/, ''));
    await page.locator('tbody a').first().waitFor();
    const untouched = await rows();
    await page.goto(address);
    await expect.poll(rows).toEqual(untouched);
    expect(await sorted()).toEqual([[head, 'descending']]);
  });

  it.each([
    ['/stuck-prs', 'Lines', 'stuck=-lines', 'Stuck pull requests', 6],
    ['/reviewer-stats', 'Response', 'reviewers=response', 'Reviewers', 2],
    ['/developer-stats', 'Review speed', 'developers=avg_review_response_hours', 'Developers', 3],
  ] as const)('sort on a phone, too: %s', async (path, by, search, list, count) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(path);
    const items = page.getByRole('list', { name: list }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(count);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Sort by').selectOption({ label: by });
    await expect.poll(() => new URL(page.url()).search).toBe(`?${search}`);
    const upwards = await items.allInnerTexts();
    await screenshot(page, `phone-filters-${list.replaceAll(' ', '-')}`);
    await page.getByRole('button', { name: /^(Descending|Ascending)\. Sort / }).click();
    await expect.poll(() => new URL(page.url()).search).not.toBe(`?${search}`);
    if (path === '/reviewer-stats') await expect.poll(() => items.allInnerTexts()).toEqual(upwards.toReversed());
    await page.getByRole('button', { name: 'Show the list' }).click();
    await page.reload();
    await page.getByText(new RegExp(`^by ${by}, `)).waitFor();
    await accessible(page, `phone-sort-${list.replaceAll(' ', '-')}`);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('stay short on a phone however many people there are, with one button for all filters', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, call, login] of [
      ['/reviewer-stats', 'reviewer-stats', 'reviewer'],
      ['/developer-stats', 'developer-stats', 'author'],
      ['/review-load', 'review-load', 'reviewer'],
      ['/contributors', 'contributors', 'username'],
      ['/stuck-prs', 'stuck-prs', 'author'],
    ] as const) {
      const some = (await (await page.request.get(`${product.url}/api/${call}`)).json()) as object[];
      await page.route(
        (url) => url.pathname === `/api/${call}`,
        (route) =>
          route.fulfill({
            json: Array.from({ length: 40 }, (_, at) => ({
              ...some[at % some.length],
              ...{ [login]: `person-${at}`, display_name: null, author_display_name: null, github_id: `id-${at}` },
            })),
          }),
      );
      await page.goto(path);
      await page.getByText('person-2').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollHeight), path).toBeLessThan(5_000);
      expect(await page.locator('#content select').count(), path).toBe(0);
      await screenshot(page, `phone-forty-${call}`);
      await page.unrouteAll();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('show people on a phone in columns, and what has no room below who is pressed', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto('/developer-stats');
    const list = page.getByRole('list', { name: 'Developers' });
    await list.getByRole('listitem').nth(2).waitFor();
    const ends = await list
      .getByRole('listitem')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('[data-part]')].map((one) => one.getBoundingClientRect().right)),
      );
    expect(ends).toEqual(ends.map(() => ends[0]));
    expect(ends[0]).toHaveLength(3);

    await list.getByRole('button', { name: 'ada', exact: true }).click();
    await list.getByText('Ada Quill ada').waitFor();
    await list.getByRole('button', { name: /^Active days / }).waitFor();
    expect(await list.getByRole('link', { name: 'Open ada' }).getAttribute('href')).toBe('/contributor/ada');
    await accessible(page, 'phone-developer-opened');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('show half of a developer’s figures at a time on a tablet', async () => {
    const heads = async () => (await page.locator('thead th').allTextContents()).map((text) => text.trim());
    await page.setViewportSize({ width: 900, height: 900 });
    await page.goto('/developer-stats');
    await expect
      .poll(heads)
      .toEqual(['Developer', 'Merged', 'Open', 'Avg size', 'Merge time', 'Awaiting', 'First-time OK']);
    await page.getByRole('radiogroup', { name: 'Figures' }).getByText('Reviews').click();
    await expect.poll(heads).toEqual(['Developer', 'Reviews', 'Review speed', 'Approval', 'Ratio', 'Active days']);
    expect(new URL(page.url()).search).toBe('?figures=reviewing');
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(heads).toHaveLength(12);
  });

  it('have room for the name of the top contributor', async () => {
    await page.route('**/api/developer-stats*', async (route) => {
      const answer = await route.fetch();
      const [top, ...others] = (await answer.json()) as object[];
      await route.fulfill({ response: answer, json: [{ ...top, author: 'a-login-that-is-long' }, ...others] });
    });
    for (const path of ['/developer-stats', '/dashboard'])
      for (const width of [768, 1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(path);
        const top = page.locator('tr', { hasText: 'Top Contributor' });
        await top.waitFor();
        // What is cut of the link counts to its own box.
        const name = top.locator('[title="a-login-that-is-long"]');
        expect((await name.boundingBox())!.width, `${path} at ${width} px`).toBeGreaterThan(60);
        await screenshot(page, `top-contributor-${path.slice(1)}-${width}`);
      }
    await page.unroute('**/api/developer-stats*');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('have room for counts of six digits', async () => {
    const counts =
      /("(?:\w*_prs|\w*reviews\w*|\w*_last_week|review_count|prs_awaiting_review|lines_changed|avg_pr_size)":)\d+/g;
    const manyAsked = JSON.stringify(Array.from({ length: 15 }, (_, at) => `asked-${at}`));
    for (const call of ['team-stats', 'stuck-prs', 'reviewer-stats', 'developer-stats', 'review-load']) {
      const body = await (await page.request.get(`${product.url}/api/${call}?accounts=all`)).text();
      const large = body.replace(counts, '$1654321').replaceAll(/"reviewers":\[[^\]]*\]/g, `"reviewers":${manyAsked}`);
      await page.route(
        (url) => url.pathname === `/api/${call}`,
        (route) => route.fulfill({ contentType: 'application/json', body: large }),
      );
    }
    // Figures that are cut, those that lie over another one in their row, and those that stick out of their place in a chart.
    const troubles = () =>
      page.evaluate(() => {
        const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth;
        const cut = [...document.querySelectorAll('tbody td:not(:first-child)')].filter(isCut);
        const texts = [...document.querySelectorAll('#content li, #content [role=img] > div > div')].map((row) =>
          [...row.querySelectorAll('*')].filter(
            (one) => one.childElementCount === 0 && /\d{3},\d{3}/.test(one.textContent),
          ),
        );
        const over = texts.flatMap((row) =>
          row.filter((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return row.some((other) => {
              const box = other.getBoundingClientRect();
              return (
                other !== one && box.left < right && left < box.right && box.top < bottom - 2 && top < box.bottom - 2
              );
            });
          }),
        );
        const out = [...document.querySelectorAll('#content [role=img] *')].filter(
          (one) =>
            one.childElementCount === 0 &&
            /\d{3},\d{3}/.test(one.textContent) &&
            one.getBoundingClientRect().right > one.parentElement!.getBoundingClientRect().right + 1,
        );
        return [...cut, ...over, ...out].map(({ textContent }) => textContent);
      });

    for (const { path } of screens) {
      await page.goto(path);
      for (const width of [1440, 900, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await page
          .getByText(/654,321/)
          .nth(1)
          .waitFor();
        await expect.poll(troubles, { message: `${path} at ${width} px` }).toEqual([]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.unrouteAll();
  });

  const refused = { error: 'The database is away.', code: 'internal', request_id: '7f3c91' };
  it.each([
    ['/dashboard', 'a failure', { status: 500, json: refused }, 'The database is away. Request 7f3c91.'],
    ['/stuck-prs', 'a refusal without a word', { status: 403, body: '' }, 'Request failed: 403'],
    ['/reviewer-stats', 'silence', null, 'The server did not answer.'],
    ['/developer-stats', 'an empty answer', { status: 200, body: '' }, 'The answer of the server could not be read.'],
    ['/review-load', 'silence', null, 'Error: The server did not answer.'],
    ['/prs', 'a failure', { status: 500, json: refused }, 'The database is away. Request 7f3c91.'],
    ['/contributors', 'a refusal without a word', { status: 403, body: '' }, /Request failed: 403$/],
    ['/settings', 'an empty answer', { status: 200, body: '' }, 'The answer of the server could not be read.'],
  ] as const)('%s says why nothing comes when every call gets %s, and tries again', async (path, _, answer, words) => {
    const calls = (url: URL) => url.pathname.startsWith('/api/');
    await page.route(calls, (route) => (answer === null ? route.abort('timedout') : route.fulfill(answer)));
    await page.goto(path);
    const failures = page.getByRole('main').getByRole('alert');
    await failures.getByText(words).first().waitFor();
    await titleShown(page);
    await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
    await page.unroute(calls);
    const again = failures.getByRole('button', { name: /^(Retry|Try Again)$/ });
    const before = await again.count();
    await again.first().click();
    await expect.poll(() => again.count()).toBeLessThan(before);
    await page.getByRole('button', { name: 'Refresh Data' }).click();
    await expect.poll(() => failures.count()).toBe(0);
  });

  it.each([
    ['/stuck-prs', '/api/stuck-prs', 'Whose turn', 'Store the ledger in one table'],
    ['/reviewer-stats', '/api/reviewer-stats', 'Response', 'Top Reviewer'],
    ['/developer-stats', '/api/developer-stats', 'Merge time', 'Top Contributor'],
  ])('%s has its heads before its rows', async (path, call, head, shown) => {
    let answer = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(
      (url) => url.pathname === call,
      async (route) => {
        await answering;
        await route.continue();
      },
    );
    await page.goto(path);
    await page.getByRole('columnheader', { name: head }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(8);
    expect(await page.getByText(shown).count()).toBe(0);
    answer();
    await page.getByText(shown).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });
});
