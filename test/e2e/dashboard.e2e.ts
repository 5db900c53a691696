import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TeamStats } from '#contract/team.ts';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

describe('the dashboard', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct({ DEMO: 'true' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const card = (name: string) => page.getByRole('region', { name });

  it('leads someone without a repository to the first one', async () => {
    await page.goto('/dashboard');

    await page.getByText('No repositories yet').waitFor();
    await page.getByRole('heading', { name: 'Connect Your First Repository' }).waitFor();
    await page.getByText('Signed in as mona').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'Add Repository', exact: true }).getAttribute('href'))
      .toBe('/add-repo');
    await expect.poll(() => page.getByRole('button', { name: 'View Demo' }).count()).toBe(1);
    await inspect(page, 'first-run');
  });

  it('leads from no repository over adding one to the first figures, without a dead end', async () => {
    const newcomer = await openPage(browser, product.url);
    await newcomer.request.post(`${product.url}/auth/token`, {
      headers: { origin: product.url },
      data: { token: 'ghp_octo' },
    });
    await newcomer.goto('/dashboard');
    await newcomer.getByText('Signed in as octo').waitFor();
    expect(await newcomer.locator('[aria-current=step]').innerText()).toContain('Add a repository');
    for (const path of ['/stuck-prs', '/prs', '/reviewer-stats', '/developer-stats', '/review-load', '/contributors']) {
      await newcomer.goto(path);
      const connect = newcomer.getByRole('main').getByRole('link', { name: 'Connect a repository' });
      expect(await connect.getAttribute('href'), path).toBe('/add-repo');
    }
    await inspect(newcomer, 'nothing-connected', { aState: true });
    await newcomer.goto('/dashboard');
    await newcomer.getByRole('link', { name: 'Add Repository', exact: true }).click();
    await newcomer.getByLabel('Repository owner').fill('octo-org');
    await newcomer.getByLabel('Repository name').fill('hello');
    await newcomer.getByRole('button', { name: 'Add Repository' }).click();

    await newcomer.waitForURL('**/dashboard');
    await newcomer.getByText(/^Last 30 days, 1 repository, \d+ people$/).waitFor({ timeout: 60_000 });
    await newcomer.getByRole('region', { name: 'Stuck pull requests' }).locator('tbody tr').first().waitFor();
    await newcomer.context().close();
  });

  it('leads from a repository without data to its first sync, and to the figures', async () => {
    const made = await page.request.post(`${product.url}/api/repos`, {
      headers: { origin: product.url },
      data: { owner: 'octo-org', name: 'work' },
    });
    const { id } = (await made.json()) as { id: number };
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Start the first sync' }).waitFor();

    const answer = await page.request.get(`/api/sync-repo-complete?repoId=${id}`);
    const idle = (await answer.json()) as { progress: object };
    const answerWith = (more: object) =>
      page.route(/\/api\/sync-repo-complete\?/, (route) => route.fulfill({ json: { ...idle, ...more } }));
    const progress = { ...idle.progress, message: 'The host asks to wait.' };
    await answerWith({ status: 'waiting', progress, waiting_until: new Date(Date.now() + 600_000).toISOString() });
    const waits = /^The host asks to wait\. The sync goes on by itself at \d\d:\d\d\.$/;
    await page.reload();
    await page.getByRole('heading', { name: 'The first sync waits' }).waitFor();
    await page.getByText(waits).waitFor();
    await accessible(page, 'first-run-waits');
    // What there is by then is not all: every page that would say so as if it were tells of the import.
    for (const path of ['/my-work', '/prs', '/contributors', '/teams']) {
      await page.goto(path);
      await page.getByText(waits).waitFor();
    }
    await page.unrouteAll({ behavior: 'wait' });
    await answerWith({ status: 'failed', error: 'Token lacks access.' });
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'The first sync failed' }).waitFor();
    await page.getByText('The last sync of octo-org/work failed. Token lacks access.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();

    await page.getByRole('button', { name: 'Sync now' }).click();

    await page.getByText(/^Successfully synced 11 PRs and \d+ reviews$/).waitFor({ timeout: 60_000 });
    await page.getByText('Last 30 days, 1 repository, 3 people').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.getByText(/^Successfully synced/).count()).toBe(0);
  });

  it('shows the team’s figures, what is stuck and the people', async () => {
    await connectAndSync(page, product);
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Engineering Metrics Dashboard' }).waitFor();
    const strip = card('Team figures of the last 30 days');
    await strip
      .getByText(/^history begins \w+ \d{4}$/)
      .first()
      .waitFor();

    await expect.poll(() => strip.innerText()).toMatch(/Merged\s*4\s*PRs/);
    await expect.poll(() => strip.innerText()).toMatch(/Open now\s*7\s*PRs/);
    await expect.poll(() => strip.innerText()).toMatch(/Merge rate\s*100\s*%/);
    await card('Stuck pull requests').getByText('6 of 7 open pull requests.').waitFor();
    await expect.poll(() => card('Stuck pull requests').locator('tbody tr').count()).toBe(6);
    await expect.poll(() => card('Reviewers').locator('tbody tr').first().innerText()).toContain('Top Reviewer');
    await expect
      .poll(() => card('Developers').locator('tbody tr').first().innerText())
      .toMatch(/^ben\s+Top Contributor\s+3/);
    await inspect(page, 'dashboard');
  });

  it('asks for the few stuck ones that it shows, and for all of them to put others first', async () => {
    const looking = await openPage(browser, product.url);
    await signInAsMona(looking, product);
    const asked: string[] = [];
    looking.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/stuck-prs') asked.push(search);
    });
    await looking.goto('/dashboard');
    const stuck = looking.getByRole('region', { name: 'Stuck pull requests' });
    const titles = async () =>
      (await stuck.locator('tbody tr td:first-child a').allTextContents()).map((text) => text.trim());
    await expect.poll(titles).toHaveLength(6);
    expect((await titles())[0]).toBe('Store the ledger in one table');
    expect(asked).toEqual(['?limit=9']);

    await stuck.getByText(/^Reviewers 3$/).click();
    await expect.poll(titles).toHaveLength(3);
    await stuck.getByText('6 of 7 open pull requests.').waitFor();
    expect(asked).toEqual(['?limit=9', '?turn=reviewers&limit=9']);

    await stuck.getByText(/^All 6$/).click();
    await stuck.getByRole('button', { name: 'Open for' }).click();
    await expect.poll(titles).toSatisfy((all: string[]) => all.length === 6 && all[0] === 'Bump the date library');
    expect(asked.at(-1)).toBe('');
    await looking.context().close();
  });

  it('explains a figure by hovering, by Enter and by its items', async () => {
    const label = page.getByRole('button', { name: 'Time to merge' });
    await label.hover();
    await page.getByRole('dialog').getByText('4 pull requests', { exact: true }).waitFor();
    await page.getByText('Fewer than five').waitFor();
    await page.mouse.move(5, 700);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await label.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'See the 4 pull requests' }).click();
    await expect.poll(() => page.getByRole('dialog').getByRole('link').count()).toBe(4);
    // The longest first, each with its place.
    const items = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
    expect(items.map((text) => text.split('\n').at(-1))).toEqual(['4.2 d', '4.2 d', '4.2 d', '10.0 h']);
    expect(items.every((text) => /work #\d+/.test(text))).toBe(true);
    await inspect(page, 'explain-items', { aState: true });
    await page.getByRole('button', { name: 'How it is computed' }).click();
    await page.getByRole('link', { name: 'Every number, and how it is computed' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await label.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('lists the latest behind a figure where the largest cannot be fetched, and says so', async () => {
    const matches = (url: URL) => url.pathname === '/api/explain/team.avg_time_to_merge_hours';
    let isAway = true;
    await page.route(matches, async (route) => {
      const byValue = new URL(route.request().url()).searchParams.get('order') === 'value';
      if (byValue && isAway) return route.fulfill({ status: 503, json: { error: 'Not now.', code: 'x' } });
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), total: 2_000, hasMore: true } });
    });
    await page.reload();
    const label = page.getByRole('button', { name: 'Time to merge' });
    await label.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^See the / }).click();
    await dialog.getByText('Failed to fetch the largest. Not now.').waitFor();
    await dialog.getByText('The latest 4 of 2,000, the largest first.').waitFor();
    await inspect(page, 'explain-items-latest', { aState: true });
    isAway = false;
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('The largest 4 of 2,000.').waitFor();
    await page.keyboard.press('Escape');
    await page.unroute(matches);
  });

  it('explains no figure whose label comes to lie under a resting pointer, until the pointer moves', async () => {
    await page.goto('/dashboard');
    const label = page.getByRole('button', { name: 'Time to merge' });
    await label.scrollIntoViewIfNeeded();
    const { x, y } = (await label.boundingBox())!;
    await page.mouse.move(x + 5, y + 5 + 60);
    await page.evaluate(() => document.body.style.setProperty('margin-top', '60px'));
    await expect.poll(async () => (await label.boundingBox())?.y).toBe(y + 60);
    // What has come to lie under the pointer is looked up in the frame after, which nothing else asks for.
    const isPointedAt = () =>
      label.evaluate(async (element) => {
        await new Promise((drawn) => requestAnimationFrame(drawn));
        return element.matches(':hover');
      });
    await expect.poll(isPointedAt).toBe(true);
    await page.waitForTimeout(600);
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.mouse.move(x + 6, y + 5 + 60);
    await page.getByRole('dialog').waitFor();
    await page.reload();
  });

  it('tells each day of a sparkline to the keyboard, at one stop of it', async () => {
    const days = page.getByRole('group', { name: 'Each day’s value' }).first();
    const stops = days.locator('[tabindex="0"]');
    const told = () => page.getByRole('tooltip').innerText();
    await days.locator('[data-tip]').nth(29).waitFor({ state: 'attached' });
    const tips = await days.locator('[data-tip]').evaluateAll((all) => all.map((one) => one.getAttribute('data-tip')));
    expect(tips).toHaveLength(30);

    await page.getByRole('button', { name: 'Time to first review' }).focus();
    await page.keyboard.press('Tab');
    await expect.poll(told).toBe(tips[29]);
    for (const [key, at] of [
      ['ArrowLeft', 28],
      ['ArrowLeft', 27],
      ['ArrowRight', 28],
      ['Home', 0],
      ['ArrowLeft', 0],
      ['End', 29],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(told, { message: key }).toBe(tips[at]);
      expect(await stops.count()).toBe(1);
    }
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.getByRole('button', { name: 'Time to merge' }).evaluate((one) => one === document.activeElement))
      .toBe(true);
  });

  it('shows each figure with its change against the time before, coloured by whether it is better', async () => {
    const now = {
      total_contributors: 15,
      open_prs: 36,
      active_prs_today: 9,
      pr_merge_rate: 0.9,
      merged_prs: 90,
      avg_time_to_merge_hours: 44,
      avg_review_time_hours: 9,
      total_prs: 110,
      total_reviews: 418,
      avg_pr_size: 186.4,
      ended_prs: 100,
      first_reviewed_prs: 80,
    };
    const previous = {
      total_contributors: 15,
      pr_merge_rate: 0.75,
      merged_prs: 100,
      avg_time_to_merge_hours: 40,
      avg_review_time_hours: 10,
      total_prs: 100,
      total_reviews: 0,
      avg_pr_size: null,
      ended_prs: 133,
      first_reviewed_prs: 4,
    };
    const compared_with = {
      from: '2026-09-01T12:00:00Z',
      history_begins: '2025-05-20T09:00:00Z',
      import_complete: true,
    };
    const series = Array.from({ length: 30 }, (_, day) => ({
      date: new Date(Date.UTC(2026, 9, 1 + day)).toISOString().slice(0, 10),
      merged_prs: 3,
      open_prs: day === 0 ? 40 : 37,
      avg_time_to_merge_hours: null,
      avg_review_time_hours: 8,
      pr_merge_rate: 1,
    }));
    const answer = { ...now, active_prs_yesterday: 12, previous, compared_with, series } satisfies TeamStats;
    const answerWith = async (changed: Partial<TeamStats>) => {
      await page.unroute('**/api/team-stats');
      await page.route('**/api/team-stats', (route) => route.fulfill({ json: { ...answer, ...changed } }));
      await page.goto('/dashboard');
    };
    await answerWith({});
    const [better, worse, neutral] = ['rgb(14, 111, 76)', 'rgb(179, 38, 30)', 'rgb(81, 89, 102)'];
    const shown = () => card('Team figures of the last 30 days').evaluate(figuresIn);

    await expect.poll(shown).toEqual([
      ['Time to first review', '9.0 h of only 4 in the 30 days before', null, null],
      ['Time to merge', '44.0 h 10% from 40.0 h', 'up', worse],
      ['Merged', '90 PRs 10% from 100', 'down', worse],
      ['Merge rate', '90 % 20% from 75%', 'up', better],
      ['Open now', '36 PRs 10% from 40 a month ago', 'down', neutral],
      ['PRs opened', '110 10% from 100 in the 30 days before', 'up', neutral],
      ['Reviews', '418 0 before', null, null],
      ['Average size', '186 lines', null, null],
      ['Contributors', '15 Unchanged from 15 in the 30 days before', null, neutral],
      ['Active today', '9 PRs 25% from 12 by this time yesterday', 'down', neutral],
    ]);
    const strip = card('Team figures of the last 30 days');
    expect(await strip.getByRole('status').count()).toBe(0);

    await answerWith({ active_prs_yesterday: 4, previous: { ...previous, first_reviewed_prs: 5 } });
    await expect.poll(async () => (await shown()).at(-1)).toEqual(['Active today', '9 PRs 4 yesterday', null, null]);
    await expect
      .poll(async () => (await shown())[0])
      .toEqual(['Time to first review', '9.0 h 10% from 10.0 h', 'down', better]);

    await answerWith({ compared_with: { ...compared_with, import_complete: false } });
    await strip
      .getByText('Partial until the first import is complete: figures still grow, comparisons follow.')
      .waitFor();
    await expect
      .poll(async () => (await shown()).map(([, words]) => words).slice(0, 3))
      .toEqual(['9.0 h', '44.0 h', '90 PRs'].map((figure) => `${figure} earlier days still to come`));

    await answerWith({ compared_with: { ...compared_with, history_begins: '2026-09-20T09:00:00Z' } });
    await expect
      .poll(async () => (await shown()).map(([, words]) => words))
      .toEqual([
        '9.0 h history begins Sept 2026',
        '44.0 h history begins Sept 2026',
        '90 PRs history begins Sept 2026',
        '90 % history begins Sept 2026',
        '36 PRs 10% from 40 a month ago',
        '110',
        '418',
        '186 lines',
        '15',
        '9 PRs 25% from 12 by this time yesterday',
      ]);
    await page.unroute('**/api/team-stats');
  });

  it('explains every one of them', async () => {
    await page.goto('/dashboard');
    const labels = card('Team figures of the last 30 days').getByRole('button');
    const figures = [
      'Time to first review',
      'Time to merge',
      'Merged',
      'Merge rate',
      'Open now',
      'Opened',
      'Reviews',
      'Average size',
      'Contributors',
      'Active today',
    ];
    await expect.poll(() => labels.count()).toBe(figures.length);
    const names = [];
    for (const label of await labels.all()) {
      await label.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Explain this number' });
      await dialog.getByText('Based on', { exact: true }).waitFor();
      const [name, meaning] = (await dialog.innerText()).split(/\n+/);
      names.push(name);
      expect(meaning?.length).toBeGreaterThan(30);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    expect(names).toEqual(figures);
  });

  it('leaves N/A where the team’s figures cannot be fetched, and only logs it', async () => {
    const undo = await failing(page, '/api/team-stats', 'down');
    const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to fetch team stats.'));
    await page.reload();
    await logged;

    await expect.poll(() => card('Team figures of the last 30 days').innerText()).toMatch(/Time to merge\s*N\/A/);
    await card('Stuck pull requests').getByText('Store the ledger in one table').waitFor();
    await undo();
  });

  it('keeps the other panels alive when one fails, and tries again', async () => {
    const undo = await failing(page, '/api/stuck-prs', {
      error: 'The database is away.',
      code: 'x',
      request_id: 'r-7',
    });
    await page.reload();
    const stuck = card('Stuck pull requests');
    await stuck.getByText('Failed to fetch stuck PRs').waitFor();
    await stuck.getByText('The database is away. Request r-7.').waitFor();
    await card('Reviewers').getByText('Top Reviewer').waitFor();

    await undo();
    await stuck.getByRole('button', { name: 'Retry' }).click();
    await stuck.getByText('Store the ledger in one table').waitFor();
  });

  it('changes by itself when a webhook tells of something', async () => {
    const repositories = await page.request.get(`${product.url}/api/repos`);
    const [{ id }] = (await repositories.json()) as [{ id: number }];
    const made = await page.request.post(`${product.url}/api/repos/${id}/webhook`, {
      headers: { origin: product.url },
      data: {},
    });
    expect(made.status()).toBe(201);
    await page.goto('/dashboard');
    const strip = card('Team figures of the last 30 days');
    await expect.poll(() => strip.innerText()).toMatch(/Merged\s*4\s*PRs/);
    await page.evaluate(() => Object.assign(window, { sameLoad: true }));

    await product.host.control(`repos/${TEAM_REPOSITORY}/pulls/3/entries`, { kind: 'merged', by: 'ada' });

    await expect.poll(() => strip.innerText(), { timeout: 30_000 }).toMatch(/Merged\s*5\s*PRs/);
    await card('Stuck pull requests').getByText('5 of 6 open pull requests.').waitFor();
    await expect.poll(() => card('Stuck pull requests').getByText('Print labels on both sides').count()).toBe(0);
    expect(await page.evaluate(() => 'sameLoad' in window)).toBe(true);
  });
});

/** Each figure of the strip: its name, what stands beside it, which way its arrow points, and the colour of its change. */
function figuresIn(strip: HTMLElement | SVGElement): (string | null)[][] {
  return [...strip.querySelectorAll<HTMLElement>('button[aria-haspopup=dialog]')].map((label) => {
    const around = label.closest('div')!;
    const figure = around.children.length > 1 ? around : around.parentElement!;
    const change = figure.querySelector('svg.octicon');
    return [
      label.innerText,
      figure.innerText.replace(label.innerText, '').replaceAll(/\s+/g, ' ').trim(),
      change?.getAttribute('aria-label') ?? null,
      change ? getComputedStyle(change.parentElement!).color : null,
    ];
  });
}
