import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ContributorPullRequest } from '#contract/contributors.ts';
import type { RunningProduct } from '../support/product.ts';
import { openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

const PULL_REQUESTS = '/api/contributors/ada/prs';

/** The words of each page of a PDF. */
async function pagesOf(content: Buffer): Promise<string[]> {
  const pdf = await getDocument({ data: new Uint8Array(content), verbosity: 0 }).promise;
  return await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, at) => {
      const { items } = await (await pdf.getPage(at + 1)).getTextContent();
      return items.map((item) => ('str' in item ? item.str : '')).join(' ');
    }),
  );
}

describe('a contributor’s pull requests and export', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  let pullRequests: ContributorPullRequest[];
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    pullRequests = await (await page.request.get(`${product.url}${PULL_REQUESTS}`)).json();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  afterEach(() => page.unrouteAll());

  const card = (name: string) => page.getByRole('region', { name });
  const open = async () => {
    await page.goto('/contributor/ada');
    await page.getByRole('heading', { name: 'Ada Quill', level: 2 }).waitFor();
  };
  const openWithPullRequests = async (rows: readonly ContributorPullRequest[]) => {
    await page.route(
      (url) => url.pathname === PULL_REQUESTS,
      (route) => route.fulfill({ json: rows }),
    );
    await open();
  };

  it('filters the pull requests by state, says how many of how many, and clears', async () => {
    await open();
    const table = card('Pull Requests');
    await expect.poll(() => table.getByRole('row').count()).toBe(7);
    for (const words of ['All 6', 'Open 6', 'Merged 0', 'Closed 0']) {
      await expect.poll(() => table.getByText(words, { exact: true }).count()).toBe(1);
    }

    await table.getByText('Closed 0').click();
    await table.getByText('No closed pull requests found').waitFor();
    await table.getByText('0 of 6', { exact: true }).waitFor();
    await table.getByRole('button', { name: 'Clear Filter' }).press('Enter');
    await expect.poll(() => table.evaluate((it) => it === document.activeElement)).toBe(true);
    await table.getByText('Open 6').click();
    await table.getByText('6 of 6', { exact: true }).waitFor();
    await table.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => table.getByText('6 of 6', { exact: true }).count()).toBe(0);
  });

  it('shows of each pull request who reviews it, its size, how long it was open and what is missing', async () => {
    const [first] = pullRequests as [ContributorPullRequest];
    const base = { ...first, reviewers: ['ben', 'cleo', 'mona'], lines_changed: 1_001, draft: false };
    await openWithPullRequests([
      {
        ...base,
        github_id: '1',
        title: 'One',
        state: 'merged',
        created_at: '2026-11-01T00:00:00Z',
        ended_at: '2026-11-02T23:54:00Z',
        last_review_at: null,
      },
      { ...base, github_id: '3', title: 'Three', state: 'open', created_at: 'not a date', github_url: '' },
      { ...base, github_id: '2', title: 'Two', state: 'closed', ended_at: null, github_url: '#', lines_changed: 50 },
    ]);
    const rows = card('Pull Requests').locator('tbody tr');
    await rows.nth(2).waitFor();

    await expect
      .poll(() => rows.nth(0).innerText())
      .toMatch(/One\s+work\s+ben, cleo, …\s+1,001\s+XL\s+47\.9 h\s+No reviews/);
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/Three\s+Re-sync needed\s[\s\S]*Unknown/);
    await expect
      .poll(() => rows.nth(2).innerText())
      .toMatch(/Two\s+Re-sync needed\s+work\s+ben, cleo, …\s+50\s+XS\s+Unknown/);
    await expect
      .poll(() => rows.nth(0).getByRole('link').getAttribute('href'))
      .toBe(`/pr/octo-org/work/${first.pr_number}`);
  });

  it('names each state of which there is none', async () => {
    const [first] = pullRequests as [ContributorPullRequest];
    await openWithPullRequests([{ ...first, reviewers: [], state: 'closed', ended_at: '2026-11-02T23:54:00Z' }]);
    const table = card('Pull Requests');
    await table.getByText('No reviewers').waitFor();

    for (const state of ['Open', 'Merged']) {
      await table.getByText(`${state} 0`, { exact: true }).click();
      await table.getByText(`No ${state.toLowerCase()} pull requests found`, { exact: true }).waitFor();
      await table.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
    }
  });

  it('shows 25 at first and 25 more at each press', async () => {
    const [first] = pullRequests as [ContributorPullRequest];
    await openWithPullRequests(Array.from({ length: 60 }, (_, at) => ({ ...first, github_id: `${at}` })));
    const rows = card('Pull Requests').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(25);

    await card('Pull Requests').getByRole('button', { name: 'Show 25 more' }).click();
    await card('Pull Requests').getByRole('button', { name: 'Show 10 more' }).press('Enter');
    await expect.poll(() => rows.count()).toBe(60);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Show the first 25');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(25);
  });

  it('sorts by size, largest first, and keeps that in the address', async () => {
    const [first] = pullRequests as [ContributorPullRequest];
    const sizes = [3, 700, 51];
    await openWithPullRequests(sizes.map((lines_changed, at) => ({ ...first, github_id: `${at}`, lines_changed })));
    await card('Pull Requests').getByRole('button', { name: 'Lines' }).click();

    await page.waitForURL('**/contributor/ada?prs=-lines');
    const cells = card('Pull Requests').locator('tbody tr td:nth-child(4)');
    expect((await cells.allInnerTexts()).map((words) => Number.parseInt(words, 10))).toEqual([700, 51, 3]);
  });

  it('empties the list when it cannot be fetched, while the other panels stay', async () => {
    const undo = await failing(page, PULL_REQUESTS, { error: 'The database is away.' });
    await open();
    await card('Pull Requests').getByText('Failed to fetch PRs').waitFor();
    await card('Pull Requests').getByText('The database is away.').waitFor();
    await card('Velocity Trend').waitFor();

    await undo();
    await card('Pull Requests').getByRole('button', { name: 'Retry' }).click();
    await card('Pull Requests').getByRole('link', { name: 'Try another queue' }).waitFor();
  });

  it.each(['csv', 'pdf', 'json'])('exports as %s under the name that the server gives', async (format) => {
    await open();
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: new RegExp(`^${format}`, 'i') }).click(),
    ]);

    expect(file.suggestedFilename()).toMatch(new RegExp(`^ada_metrics_\\d{4}-\\d{2}-\\d{2}\\.${format}$`));
    const content = await readFile(await file.path());
    expect(content.length).toBeGreaterThan(500);
    if (format === 'json') expect(JSON.parse(content.toString())).toMatchObject({ username: 'ada', period: '30d' });
    if (format === 'csv') {
      const read: Record<string, string>[] = parse(content, { columns: true, bom: true });
      expect(read.find(({ figure }) => figure === 'PRs opened')).toMatchObject({ contributor: 'ada', period: '30d' });
    }
    if (format === 'pdf') {
      const [first, last, ...more] = await pagesOf(content);
      for (const words of ['Ada Quill', 'Last 30 days, all repositories', 'Team average', 'Page 1 of 2'])
        expect(first).toContain(words);
      expect(last).toContain('Say when a parcel arrives');
      expect(more).toEqual([]);
    }
  });

  it('prints what the screen shows, in the light scheme and without what is pressed', async () => {
    await open();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(233, 235, 239)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(23, 26, 33)');
    for (const name of [/Export/, /Refresh/, /Download CSV/, /Show as table/, /Compare/])
      expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0);
    for (const role of ['navigation', 'radio', 'combobox', 'searchbox', 'textbox'] as const)
      expect(await page.getByRole(role).count(), role).toBe(0);
    const mark = card('Activity Calendar').getByRole('img').first();
    expect(await mark.evaluate((drawn) => getComputedStyle(drawn).printColorAdjust)).toBe('exact');
    expect(await card('Pull Requests').getByRole('button', { name: 'Time open' }).count()).toBe(1);
    await page.emulateMedia({ media: null, colorScheme: 'light' });
  });

  it('downloads the pull requests that are shown as a table of their own', async () => {
    await open();
    const save = async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        card('Pull Requests').getByRole('button', { name: 'Download CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^ada_pull_requests_\d{4}-\d\d-\d\d\.csv$/);
      return parse(await readFile(await file.path()), { columns: true, bom: true }) as Record<string, string>[];
    };

    const all = await save();
    expect(all).toHaveLength(6);
    expect(all.map(({ title }) => title)).toContain(`'=HYPERLINK("Split the checkout")`);
    await card('Pull Requests')
      .getByText(/^Open \d/)
      .click();
    await expect.poll(async () => new Set((await save()).map(({ state }) => state))).toEqual(new Set(['open']));
  });

  it.each([
    [404, '{"error":"Contributor not found: ada."}', 'Failed to export metrics. Contributor not found: ada.'],
    [429, '{"error":"Too many requests."}', 'Failed to export metrics. Too many requests.'],
    [503, '', 'Failed to export metrics. Request failed: 503'],
  ])('says why an export was refused with %d', async (status, body, words) => {
    await open();
    await page.route(
      (url) => url.pathname === '/api/contributors/export',
      (route) => route.fulfill({ status, body, contentType: body === '' ? 'text/plain' : 'application/json' }),
    );
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /^JSON/ }).click();

    await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Export' }).isEnabled()).toBe(true);
  });

  it('cannot export twice at once, and says when an export of the period shown failed', async () => {
    await page.goto('/contributor/ada?period=90d');
    await page.getByText('Metrics are a 90-day rolling window across all repositories.').waitFor();
    const held: (() => void)[] = [];
    let asked: unknown;
    await page.route(
      (url) => url.pathname === '/api/contributors/export',
      (route) => {
        asked = route.request().postDataJSON();
        held.push(() => void route.fulfill({ status: 500, json: { error: 'The disk is full.' } }));
      },
    );
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Export/ }).isDisabled()).toBe(true);

    await expect.poll(() => held.length).toBe(1);
    expect(asked).toEqual({ username: 'ada', period: '90d', format: 'csv', repository: null });
    for (const answer of held) answer();
    await page.getByText('Failed to export metrics. The disk is full.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.getByText(/Failed to export/).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Export' }).isEnabled()).toBe(true);
  });
});
