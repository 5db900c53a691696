import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the developers', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/developer-stats');
    await page.getByText('Top Contributor').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const names = () => page.locator('tbody tr td:first-child a').allTextContents();
  const heads = async () => (await page.locator('thead th').allTextContents()).map((text) => text.trim());
  const cell = async (who: string, head: string) => {
    const at = (await heads()).indexOf(head);
    return page
      .locator('tbody tr', { has: page.getByRole('link', { name: who, exact: true }) })
      .locator('td')
      .nth(at);
  };

  it('stand by what they merged in thirty days, the first one as the top contributor', async () => {
    await expect.poll(() => names()).toEqual(['ben', 'cleo', 'ada']);
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/^ben\s+Top Contributor\s+3/);
    await inspect(page, 'developer-stats');
  });

  it('are flagged over five open pull requests and for merges slower than 72 hours', async () => {
    const many = await cell('ada', 'Open');
    const slow = await cell('ben', 'Merge time');
    const quick = await cell('cleo', 'Merge time');

    expect((await many.innerText()).trim()).toBe('6');
    await expect.poll(() => many.locator('svg').count()).toBe(1);
    await expect.poll(() => slow.innerText()).toMatch(/4\.2\s*d\s+Average/);
    await expect.poll(() => slow.getByLabel('Over the bound').count()).toBe(1);
    await expect.poll(() => quick.innerText()).toMatch(/10\.0\s*h\s+Excellent/);
    await expect.poll(() => quick.getByLabel('Over the bound').count()).toBe(0);
  });

  it('have their good rates marked and missing ones as N/A', async () => {
    expect(await (await cell('ben', 'Approval')).innerText()).toMatch(/100\s*%/);
    expect(await (await cell('ben', 'Approval')).getByText('inside the target').count()).toBe(1);
    expect(await (await cell('ben', 'First-time OK')).getByText('inside the target').count()).toBe(1);
    expect(await (await cell('ada', 'Approval')).getByText('inside the target').count()).toBe(0);
    expect((await (await cell('ada', 'First-time OK')).innerText()).trim()).toBe('N/A');
    // cleo gave three reviews for one pull request opened.
    expect(await (await cell('cleo', 'Ratio')).innerText()).toMatch(/3\.0/);
    expect(await (await cell('cleo', 'Ratio')).getByText('inside the target').count()).toBe(1);
  });

  it('say how many of their pull requests have waited for over two days', async () => {
    // #1 has waited eight days and #5 for sixty hours; #6 is a day old.
    expect((await (await cell('ada', 'Awaiting')).innerText()).trim()).toBe('2');
  });

  it('say what a column means at its head', async () => {
    await page.getByRole('button', { name: 'Awaiting', exact: true }).hover();
    await page
      .getByRole('tooltip')
      .getByText(/waited for reviewers for more than 48 hours/)
      .waitFor();
  });

  const dialog = (on: Page = page) => on.getByRole('dialog', { name: 'Explain this number' });
  /** The number that a text begins with, or N/A. */
  const numberOf = (text: string) => (text.trim().startsWith('N/A') ? 'N/A' : Number.parseFloat(text));

  it('open each of their figures at a press, with the pull requests behind it', async () => {
    for (const who of ['ben', 'ada']) {
      for (const head of (await heads()).slice(1)) {
        const figure = (await cell(who, head)).getByRole('button');
        const of = `${head} of ${who}`;
        const shown = numberOf(await figure.innerText());
        await figure.click();
        await expect
          .poll(() => dialog().locator('dl dd').first().innerText().then(numberOf), { message: of })
          .toBe(shown);
        await page.keyboard.press('Escape');
        await dialog().waitFor({ state: 'detached' });
        expect(await figure.evaluate((element) => element === document.activeElement), of).toBe(true);
      }
    }
    await (await cell('ben', 'Merged')).getByRole('button').click();
    await dialog().getByRole('button', { name: 'See the 3 pull requests' }).click();
    await expect
      .poll(() => dialog().getByRole('link').allInnerTexts())
      .toEqual([7, 3, 1].map((part) => `Move the cart, part ${part}`));
    await accessible(page, 'developer-stats-explained');
    // Where the list takes the table's place, what was pressed is gone.
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('table').waitFor();
    expect(new URL(page.url()).pathname).toBe('/developer-stats');
  });

  it('stop the tab key twice in a row; the arrow keys lead from figure to figure', async () => {
    const tip = page.getByRole('tooltip');
    const focused = () => page.evaluate(() => document.activeElement?.closest('td')?.cellIndex);
    const ofRow = () => page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('a')?.textContent);
    const last = (await heads()).length - 1;
    await page.getByRole('link', { name: 'ben', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe(1);
    await page.keyboard.press('Tab');
    expect([await focused(), await ofRow()]).toEqual([0, 'cleo']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    expect([await focused(), await ofRow()]).toEqual([1, 'ben']);
    for (const [key, column, who] of [
      ['End', last, 'ben'],
      ['ArrowRight', last, 'ben'],
      ['ArrowDown', last, 'cleo'],
      ['Home', 1, 'cleo'],
      ['ArrowUp', 1, 'ben'],
      ['ArrowUp', 1, 'ben'],
    ] as const) {
      await page.keyboard.press(key);
      expect([await focused(), await ofRow()], key).toEqual([column, who]);
    }

    while ((await focused()) !== (await heads()).indexOf('Merge time')) await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => tip.innerText())
      .toMatch(/^The mean time from opening to merge .*\nAverage · 3 pull requests · Last 30 days$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog().locator('dl').innerText()).toMatch(/Rated\s+Average/);
    await tip.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    expect([await focused(), await ofRow()]).toEqual([(await heads()).indexOf('Merge time'), 'ben']);
    await page.getByRole('button', { name: /^Merge time .*4\.2 d.* Average explain$/ }).waitFor();
    await page.getByRole('heading', { level: 1 }).click();
  });

  it('say in two lines what a figure means and what it rests on, and to a finger open it', async () => {
    const tip = page.getByRole('tooltip');
    await (await cell('ben', 'First-time OK')).getByRole('button').hover();
    await tip.getByText(/^Of this person’s reviewed pull requests that ended, .*\nLast 30 days$/).waitFor();
    await (await cell('ben', 'Merged')).getByRole('button').hover();
    await tip.getByText(/merged in the window\.\n3 pull requests · Last 30 days$/).waitFor();
    await page.mouse.move(0, 0);

    const touched = await browser.newContext({
      baseURL: product.url,
      hasTouch: true,
      viewport: { width: 900, height: 800 },
    });
    await touched.addCookies(await page.context().cookies());
    const finger = await touched.newPage();
    for (const width of [900, 360]) {
      await finger.setViewportSize({ width, height: 800 });
      await finger.goto('/developer-stats');
      await finger.getByRole('button', { name: /^Merge time .*4\.2 d/ }).tap();
      await expect.poll(() => dialog(finger).locator('dl').innerText()).toMatch(/^Mean\s+4\.2 d[\s\S]*Rated\s+Average/);
      expect(await finger.getByRole('tooltip').count()).toBe(0);
      await dialog(finger).getByRole('button', { name: 'Close' }).tap();
      await dialog(finger).waitFor({ state: 'detached' });
      expect(new URL(finger.url()).pathname).toBe('/developer-stats');
    }
    await touched.close();
  });

  it('sort by any column, nothing last', async () => {
    await page.getByRole('button', { name: 'Merge time', exact: true }).click();
    await expect.poll(names).toEqual(['cleo', 'ben', 'ada']);
    await page.getByRole('button', { name: 'Merge time', exact: true }).click();
    await expect.poll(names).toEqual(['ben', 'cleo', 'ada']);
    expect(new URL(page.url()).search).toBe('?developers=-avg_merge_time_hours');
  });

  it('download as a table', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile((await (await downloading).path())!, 'utf8');

    expect(text).toMatch(/^\uFEFF"author","display_name","kind","open_prs","merged_prs",/);
    expect(text).toContain('\r\n"ada","Ada Quill","human","6","0",');
  });

  it('stand out on one side of each bound only', async () => {
    const nobody = {
      display_name: null,
      avatar_url: null,
      kind: 'human',
      open_prs: 0,
      merged_prs: 1,
      avg_pr_size: null,
      avg_merge_time_hours: null,
      reviews_given: 0,
      avg_review_response_hours: null,
      prs_awaiting_review: 0,
      review_approval_rate: null,
      first_time_approval_rate: null,
      review_to_pr_ratio: null,
      active_days: 0,
      velocity_trend: 'stable',
      merge_time_trend: 'stable',
      trends_comparable: true,
    };
    const [orange, green, grey] = ['rgb(138, 83, 0)', 'rgb(14, 111, 76)', 'rgb(81, 89, 102)'];
    const red = 'rgb(179, 38, 30)';
    const bounds = [
      // figure, its column, value, what is read, its colour
      ['open_prs', 'Open', 2, '2', null],
      ['open_prs', 'Open', 3, '3', grey],
      ['open_prs', 'Open', 5, '5', grey],
      ['open_prs', 'Open', 6, '6', red],
      ['avg_merge_time_hours', 'Merge time', 72, '3.0 d Good', null],
      ['avg_merge_time_hours', 'Merge time', 72.1, '3.0 d Average', orange],
      ['avg_review_response_hours', 'Review speed', 24, '24.0 h Average', null],
      ['avg_review_response_hours', 'Review speed', 24.1, '24.1 h Needs Improvement', orange],
      ['review_approval_rate', 'Approval', 80, '80 %', null],
      ['review_approval_rate', 'Approval', 80.1, '80 % inside the target', green],
      ['first_time_approval_rate', 'First-time OK', 70, '70 %', null],
      ['first_time_approval_rate', 'First-time OK', 70.1, '70 % inside the target', green],
      ['review_to_pr_ratio', 'Ratio', 2, '2.0', null],
      ['review_to_pr_ratio', 'Ratio', 2.1, '2.1 inside the target', green],
      ['active_days', 'Active days', 9, '9 Very Low', null],
      ['active_days', 'Active days', 10, '10 Low', null],
      ['active_days', 'Active days', 14, '14 Low', null],
      ['active_days', 'Active days', 15, '15 Moderate', null],
      ['active_days', 'Active days', 19, '19 Moderate', null],
      ['active_days', 'Active days', 20, '20 High', null],
      ['active_days', 'Active days', 24, '24 High', null],
      ['active_days', 'Active days', 25, '25 Very High', null],
    ] as const;
    await page.route('**/api/developer-stats*', (route) =>
      route.fulfill({
        json: bounds.map(([figure, , value], index) => ({ ...nobody, author: `dev-${index}`, [figure]: value })),
      }),
    );
    await page.goto('/developer-stats');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(bounds.length);
    await expect.poll(() => page.getByText('Top Contributor').count()).toBe(1);

    const titles = await heads();
    const seen = await page.locator('tbody').evaluate(
      (body, [all, plain]) => {
        const cells = (row: Element) => [...row.querySelectorAll<HTMLElement>('td')];
        return [...body.querySelectorAll('tr')].map((row, index) => {
          const cell = cells(row)[all[index]!]!;
          // What carries a figure's colour is its chip, or its icon, or the figure itself.
          const marked =
            cell.querySelector('[class*=chip]') ?? cell.querySelector('svg[aria-label$=bound], [class*=good] > span');
          return [
            cell.innerText.replaceAll(/\s+/g, ' ').trim(),
            marked === null ? plain : getComputedStyle(marked).color,
          ];
        });
      },
      [bounds.map(([, head]) => titles.indexOf(head)), null] as const,
    );
    expect(seen).toEqual(bounds.map(([, , , read, colour]) => [read, colour]));
    await page.unroute('**/api/developer-stats*');
    await page.goto('/developer-stats');
  });

  it('are told how fast in words, and how they moved where the 30 days before are all there', async () => {
    const answerWith = async (trends_comparable: boolean) => {
      await page.unroute('**/api/developer-stats*');
      await page.route('**/api/developer-stats*', async (route) => {
        const response = await route.fetch();
        const rows = (await response.json()) as object[];
        await route.fulfill({ response, json: rows.map((row) => ({ ...row, trends_comparable })) });
      });
      await page.goto('/developer-stats');
    };
    await answerWith(false);
    await (await cell('ben', 'Merged')).waitFor();
    expect(await (await cell('ben', 'Merged')).locator('svg').count()).toBe(0);

    await answerWith(true);
    await expect
      .poll(async () => (await (await cell('ben', 'Merge time')).innerText()).trim())
      .toMatch(/^4\.2\s*d\s+Average$/);
    const merge = await cell('ben', 'Merge time');
    await expect.poll(() => merge.locator('[data-tip]').getAttribute('data-tip')).toContain('\nAverage · ');
    await expect.poll(() => merge.getByLabel('stable').count()).toBe(1);
    await expect
      .poll(async () => (await cell('ben', 'Merged')).getByLabel('up from the 30 days before').count())
      .toBe(1);
    await page.getByText(/Orange: merge time over 72 h, review speed over 24 h\./).waitFor();
    await page.unroute('**/api/developer-stats*');
  });

  it('say when nobody was active, and when they cannot be fetched', async () => {
    await page.route('**/api/developer-stats*', (route) => route.fulfill({ json: [] }));
    await page.reload();
    await page.getByText('No developer activity in the last 30 days').waitFor();
    await page.getByRole('button', { name: 'Sync to check again' }).waitFor();
    await page.unroute('**/api/developer-stats*');

    const undo = await failing(page, '/api/developer-stats', { error: 'Away.', code: 'x', request_id: 'r-1' });
    await page.reload();
    await page.getByText('Failed to fetch developer stats').waitFor();
    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Top Contributor').waitFor();
  });
});
