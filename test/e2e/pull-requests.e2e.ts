import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, screenshot, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

const HOUR = 3_600_000;

/** Changed lines on both sides of each bound of the size letters (docs/product.md#thresholds-and-ratings). */
const SIZES = [
  [0, 'XS'],
  [50, 'XS'],
  [51, 'S'],
  [200, 'S'],
  [201, 'M'],
  [500, 'M'],
  [501, 'L'],
  [1000, 'L'],
  [1001, 'XL'],
] as const;

const AGENT = 'copilot-swe-agent[bot]';

/**
 * To the team's eleven another 54: one per size above, one that three people are asked to review, one by an agent, one by an agent under
 * cleo's account, and 42 more of ben's: 65 in all, 54 of them called "Sweep …".
 */
async function addSweeps({ host }: RunningProduct): Promise<void> {
  await host.control('accounts', { login: AGENT, type: 'Bot' });
  const pulls = `repos/${TEAM_REPOSITORY}/pulls`;
  const open = async (author: string, title: string, hours: number, more: Readonly<Record<string, unknown>> = {}) => {
    const createdAt = Date.now() - hours * HOUR;
    return (await host.control(pulls, { author, title, createdAt, ...more })) as { number: number };
  };
  for (const [lines] of SIZES) {
    const files = [{ path: 'a.ts', additions: lines, deletions: 0 }];
    await open('ben', `Sweep of ${lines} lines`, 300, { size: { additions: lines, deletions: 0, files } });
  }
  const { number } = await open('ben', 'Sweep for three', 300);
  const asked = ['ada', 'cleo', 'mona'].map((account) => ({ kind: 'review_requested', reviewer: { account } }));
  await host.control(
    `${pulls}/${number}/entries`,
    asked.map((entry) => ({ ...entry, at: Date.now() - 299 * HOUR })),
  );
  await open(AGENT, 'Sweep by an agent', 300);
  await open('cleo', 'Sweep with an agent', 300, { headRef: 'codex/sweep' });
  for (let index = 1; index <= 42; index += 1)
    await open('ben', `Sweep ${String(index).padStart(2, '0')}`, 300 + index);
}

describe('the list of all pull requests', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    await addSweeps(product);
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/prs');
    await page.locator('tbody [data-row-link]').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const row = (title: string) => page.locator('tbody tr', { hasText: title });
  const cell = (title: string, at: number) =>
    expect.poll(async () => (await row(title).locator('td').nth(at).innerText()).replaceAll(/\s+/g, ' '));
  const titles = async () => (await page.locator('tbody [data-row-link]').allTextContents()).map((text) => text.trim());
  const query = () => expect.poll(() => new URL(page.url()).search);
  const foot = (text: string) => page.getByText(text, { exact: true }).waitFor();
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('says of each its state, place, author, size and whom an open one waits for', async () => {
    await expect.poll(() => page.getByText('65 total').count()).toBe(1);
    await page.getByText('View and manage all pull requests across your repositories', { exact: true }).waitFor();
    await cell('Store the ledger', 0).toMatch(
      new RegExp(`^Store the ledger in one table Open · ${TEAM_REPOSITORY} #\\d+ · Reviewers, never reviewed$`),
    );
    await cell('Store the ledger', 1).toBe('Ada Quill ada');
    await cell('Store the ledger', 4).toBe('8 days');
    await cell('Count the parcels', 0).toMatch(/^Count the parcels Merged · /);
    await cell('Count the parcels', 5).toBe('2 days ago');
    await cell('Try another queue', 0).toMatch(/Draft Open · .* · Author, draft$/);
    await cell('Bump the date library', 1).toBe('dependabot Bot');
    await screenshot(page, 'pull-requests');
  });

  it('names two reviewers and counts them all, or says that there are none', async () => {
    await cell('Store the ledger', 2).toBe('1 cleo');
    await cell('Print labels', 2).toBe('2 ben, cleo');
    await cell('Try another queue', 2).toBe('No reviewers');

    await page.goto('/prs?q=for+three');

    await cell('Sweep for three', 2).toBe('3 ada, cleo, …');
  });

  it('letters the sizes on both sides of every bound', async () => {
    await page.goto('/prs?q=lines');
    for (const [lines, letter] of SIZES) {
      await cell(`Sweep of ${lines} lines`, 3).toBe(`${lines.toLocaleString('en-US')} lines ${letter}`);
    }
  });

  it('says Unknown where a date makes no sense', async () => {
    await page.route('**/api/prs?*', async (route) => {
      const answer = await route.fetch();
      const list = (await answer.json()) as { prs: { created_at: string; updated_at: string | null }[] };
      Object.assign(list.prs[0] ?? {}, { created_at: 'one day', updated_at: null });
      await route.fulfill({ response: answer, json: list });
    });
    await page.goto('/prs?q=for+three');

    await cell('Sweep for three', 4).toBe('Unknown');
    await cell('Sweep for three', 5).toBe('Unknown');
    await page.unroute('**/api/prs?*');
  });

  it('shows what was written by whom, with which tool, and for whom', async () => {
    await page.goto('/prs');
    await page.getByLabel('Written by').selectOption('With an agent');
    await expect.poll(titles).toEqual(['Sweep with an agent']);
    await query().toBe('?authorship=assisted');
    await page.getByLabel('Written by').selectOption('Written by anyone');
    await page.getByLabel('Tool').selectOption('Copilot');
    await expect.poll(titles).toEqual(['Sweep by an agent']);
    await page.goto('/prs?tool=codex&credited_to=cleo');
    await expect.poll(titles).toEqual(['Sweep with an agent']);
    await expect.poll(() => page.getByLabel('Started by').inputValue()).toBe('cleo');
    await inspect(page, 'pull-requests-by-agents');
  });

  it('says why it thinks so, and lets whoever may say it better', async () => {
    await page.goto('/prs?tool=codex');
    await page.getByRole('link', { name: 'Sweep with an agent' }).click();
    await page.getByRole('button', { name: 'Why do we think so?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who wrote it' });
    await dialog.getByRole('cell', { name: 'Branch codex/' }).waitFor();
    await inspect(page, 'pull-request-who-wrote-it');

    await dialog.getByLabel('Started by').fill('no-such-body');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('We know nobody called no-such-body').waitFor();
    await dialog.getByLabel('Started by').fill('cleo');
    await dialog.getByLabel('Written by').selectOption('An agent');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Written by Codex').waitFor();
    await dialog.getByRole('button', { name: 'Undo what was said by hand' }).click();
    await dialog.getByText('Written with Codex.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Why do we think so?');
  });

  it('stores nothing that the form did not say, when somebody has corrected it meanwhile', async () => {
    await page.goto('/prs?tool=codex');
    await page.getByRole('link', { name: 'Sweep with an agent' }).click();
    await page.getByRole('button', { name: 'Why do we think so?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who wrote it' });
    await dialog.getByText('Written with Codex.').waitFor();
    const headers = { origin: product.url };
    const address = `${product.url}/api${new URL(page.url()).pathname}`;
    await page.request.put(`${address}/authorship`, { headers, data: { authorship: 'agent', tool: 'codex' } });
    await page.evaluate(() => new BroadcastChannel('live-updates mona').postMessage({ type: 'opened' }));
    await dialog.getByText('Written by Codex').waitFor();
    const stored: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && stored.push(request.url()));
    await dialog.getByLabel('Started by').fill('ben');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Written by Codex for @ben').waitFor();

    expect(stored).toEqual([`${address}/credit`]);
    await dialog.getByRole('button', { name: 'Undo what was said by hand' }).click();
    await dialog.getByText('Written with Codex.').waitFor();
  });

  it('shows drafts, bots and agents with, without and alone, and whom one waits for', async () => {
    await page.goto('/prs');
    await page.getByLabel('Drafts').selectOption('Drafts only');
    await expect.poll(titles).toEqual(['Try another queue']);
    await query().toBe('?drafts=only');
    await page.getByLabel('Drafts').selectOption('Without drafts');
    await foot('Showing 1 to 50 of 64 results');
    await page.getByLabel('Drafts').selectOption('With drafts');

    await page.getByLabel('Agents').selectOption('Agents only');
    await expect.poll(async () => (await titles()).toSorted()).toEqual(['Sweep by an agent', 'Sweep with an agent']);
    await expect.poll(() => page.locator('tbody').getByText('Agent', { exact: true }).count()).toBe(1);
    await expect.poll(() => page.locator('tbody').getByText('with Codex', { exact: true }).count()).toBe(1);
    await expect.poll(() => page.locator('tbody').getByText('by Copilot · nobody known').count()).toBe(1);
    await page.getByLabel('Bots').selectOption('Bots only');
    await expect.poll(titles).toHaveLength(3);
    await query().toBe('?agents=only&bots=only');
    await inspect(page, 'pull-requests-filtered');

    await button('Clear Filters').click();
    await query().toBe('');
    await page.getByLabel('Whose turn').selectOption('Ready to merge');
    await expect.poll(titles).toEqual(['Print labels on both sides']);
    await query().toBe('?turn=merge');
    await page.reload();
    await expect.poll(titles).toEqual(['Print labels on both sides']);
    await button('Clear Filters').press('Enter');
    await query().toBe('');
    await expect.poll(() => button('Clear Filters').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  });

  it('is narrowed to the repository of its address, which is shown and taken back beside the other filters', async () => {
    const [repository] = (await (await page.request.get('/api/repos')).json()) as { id: number }[];
    const id = String(repository?.id);
    const picker = page.getByLabel('Repository', { exact: true });
    const [asked] = await Promise.all([page.waitForRequest(/\/api\/prs\?/), page.goto(`/prs?repository=${id}`)]);
    expect(new URL(asked.url()).searchParams.get('repository')).toBe(id);
    await expect.poll(() => picker.inputValue()).toBe(id);
    await button('Clear Filters').waitFor();

    await picker.selectOption('All repositories');
    await query().toBe('');

    await picker.selectOption(id);
    await query().toBe(`?repository=${id}`);
    await button('Clear Filters').click();
    await query().toBe('');
  });

  it('turns its pages on the server, fifty at a time', async () => {
    await page.goto('/prs');
    await foot('Showing 1 to 50 of 65 results');
    await foot('Page 1 of 2');
    await expect.poll(() => button('Previous').isDisabled()).toBe(true);
    let release = () => {};
    const held = new Promise<void>((go) => {
      release = go;
    });
    const asked: string[] = [];
    await page.route('**/api/prs?*', async (route) => {
      asked.push(new URL(route.request().url()).search);
      await held;
      await route.continue();
    });

    await button('Next').press('Enter');

    await expect.poll(() => button('Next').isDisabled()).toBe(true);
    await expect.poll(() => button('Previous').isDisabled()).toBe(true);
    // What cannot be pressed for the moment keeps the keyboard’s place, and does nothing.
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Next');
    await page.keyboard.press('Enter');
    release();
    await foot('Showing 51 to 65 of 65 results');
    expect(await focused()).toBe('Next');
    await foot('Page 2 of 2');
    await expect.poll(() => button('Next').isDisabled()).toBe(true);
    await expect.poll(() => button('Previous').isEnabled()).toBe(true);
    await query().toBe('?page=2');
    expect(asked).toEqual(['?limit=50&offset=50&sortBy=updated_at&sortOrder=DESC']);
    // A page that was seen a moment ago is there at once, and asked for again.
    await button('Previous').click();
    await foot('Page 1 of 2');
    await expect.poll(() => asked.slice(1)).toEqual(['?limit=50&offset=0&sortBy=updated_at&sortOrder=DESC']);
    await page.unroute('**/api/prs?*');
    await page.getByRole('columnheader', { name: 'Actions', exact: true }).getByText('Actions').waitFor();

    await page.getByText(/^Merged 4$/).click();
    await foot('Showing 1 to 4 of 4 results');
    await query().toBe('?state=merged');
  });

  it('searches title, author and repository in any case, and turns the pages of what it found here', async () => {
    await page.goto('/prs');
    const asked: string[] = [];
    const listen = (request: { url(): string }) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/prs') asked.push(search);
    };
    const box = page.getByPlaceholder('Search by title, author, or repository...');
    await box.fill('sWeEp');
    await foot('Showing 1 to 50 of 54 search results (filtered from 65 total)');
    await query().toBe('?q=sWeEp');
    page.on('request', listen);
    await button('Next').click();
    await foot('Showing 51 to 54 of 54 search results (filtered from 65 total)');
    await foot('Page 2 of 2');
    await query().toBe('?q=sWeEp&page=2');
    page.off('request', listen);
    expect(asked).toEqual(['?limit=500&offset=0&sortBy=updated_at&sortOrder=DESC&q=sWeEp']);

    // The head and the states count what is found, and what was typed is bold.
    await page.getByText('54 of 65 total', { exact: true }).waitFor();
    await expect.poll(async () => (await page.locator('tbody b').allTextContents())[0]).toBe('Sweep');
    await page.getByText(/^Merged 0$/).waitFor();
    await page.getByText(/^Open 54$/).click();
    await foot('Showing 1 to 50 of 54 search results (filtered from 61 total)');
    await query().toBe('?q=sWeEp&state=open');
    await button('Next').click();
    await query().toBe('?q=sWeEp&state=open&page=2');
    await button('Clear Filters').click();
    await query().toBe('');
    await foot('Showing 1 to 50 of 65 results');
    await expect.poll(() => box.inputValue()).toBe('');

    await box.fill('CLEO');
    await foot('Showing 1 to 2 of 2 search results (filtered from 65 total)');
    await box.fill('cleo mar');
    await foot('Showing 1 to 2 of 2 search results (filtered from 65 total)');
    await box.fill(TEAM_REPOSITORY.toUpperCase());
    await foot('Showing 1 to 50 of 65 search results (filtered from 65 total)');
    await box.fill('no such thing');
    await page.getByText('No pull requests found matching your criteria').waitFor();
    await button('Clear Filters').first().click();
    await query().toBe('');
  });

  it('says of more than 500 matches how many there are and how to reach the others', async () => {
    await page.route('**/api/prs?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), total: 1_845, hasMore: true } });
    });
    await page.goto('/prs?q=sweep');
    await page
      .getByText(/^These are the first 500 of 1,845 matches\. Type more of the title, or choose a state/)
      .waitFor();
    await accessible(page, 'pull-requests-many-found');
    await page.unroute('**/api/prs?*');
  });

  it('is walked with j and k, opened with Enter and searched with a slash', async () => {
    await page.goto('/prs');
    await page.locator('tbody [data-row-link]').first().waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    const [first, second] = await titles();
    await page.keyboard.press('j');
    await expect.poll(focused).toBe(first);
    await page.keyboard.press('j');
    await expect.poll(focused).toBe(second);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await expect.poll(focused).toBe(first);

    // On the way up no row comes to lie below the heads, which stay in sight.
    const [from, to] = [20, 12];
    await page.setViewportSize({ width: 1440, height: 600 });
    const links = page.locator('tbody [data-row-link]');
    await links.nth(from).focus();
    for (let at = from; at > to; at -= 1) await page.keyboard.press('k');
    await expect.poll(focused).toBe((await titles())[to]);
    const headEnds = await page
      .locator('thead th')
      .first()
      .evaluate((head) => head.getBoundingClientRect().bottom);
    const row = await links.nth(to).evaluate((link) => link.closest('tr')!.getBoundingClientRect().top);
    expect(headEnds).toBeGreaterThan(0);
    expect(row).toBeGreaterThanOrEqual(headEnds);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type('jk');
    await query().toBe('?q=jk');
    await page.goto('/prs');
    await page.locator('tbody [data-row-link]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');

    await page.waitForURL(new RegExp(`/pr/${TEAM_REPOSITORY}/\\d+$`));
    await page.goBack();
    await page.locator('tbody [data-row-link]').first().waitFor();
  });

  it('has room for its titles and labels on a narrow phone, however long the name of whom an agent works for is', async () => {
    const long = 'a-login-of-thirty-nine-letters-as-may-be';
    await page.route('**/api/prs?*', async (route) => {
      const answer = await route.fetch();
      const list = (await answer.json()) as { prs: object[] };
      const prs = list.prs.map((one) => ({ ...one, authorship: 'agent', agents: ['codex'], credited_to: long }));
      await route.fulfill({ response: answer, json: { ...list, prs } });
    });
    await page.route(`**/api/pr/${TEAM_REPOSITORY}/*`, async (route) => {
      const answer = await route.fetch();
      const detail = (await answer.json()) as object;
      const labels = ['needs-somebody-who-knows-the-settlement-of-orders'];
      const json = { ...detail, authorship: 'agent', agents: ['codex'], credited_to: long, labels };
      await route.fulfill({ response: answer, json });
    });
    /** What leaves the screen at the side. */
    const wideIn = (selector: string) =>
      page.evaluate((within) => {
        const edge = document.documentElement.clientWidth;
        return [document.documentElement, ...document.querySelectorAll(`${within} *`)]
          .filter((one) => one.scrollWidth > edge || one.getBoundingClientRect().right > edge)
          .map((one) => one.textContent);
      }, selector);
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/prs?q=ledger');
      const title = page.getByRole('link', { name: 'Store the ledger in one table' });
      await page.getByText(`by Codex for @${long}`).waitFor();
      expect((await title.boundingBox())!.width, `${width} px`).toBeGreaterThan(150);
      expect(await wideIn('main'), `${width} px`).toEqual([]);
      await title.click();
      await page.getByRole('heading', { name: 'Store the ledger in one table' }).waitFor();
      await page.getByText('needs-somebody-who-knows').waitFor();
      expect(await wideIn('main header:has(h1)'), `${width} px`).toEqual([]);
      expect(await page.locator('h1').getAttribute('dir')).toBe('auto');
    }
    await page.unrouteAll({ behavior: 'wait' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/prs');
  });

  it('has room for the titles of drafts beside its other columns, and gives up columns where there is less', async () => {
    await page.route('**/api/prs?*', async (route) => {
      const answer = await route.fetch();
      const list = (await answer.json()) as { prs: { title: string }[] };
      const prs = list.prs.map((one) => ({ ...one, title: `${one.title}, and whatever else belongs to it` }));
      await route.fulfill({ response: answer, json: { ...list, prs } });
    });
    const heads = async () => (await page.locator('thead th').allTextContents()).map((text) => text.trim());
    const fewer = ['Pull Request', 'Author', 'Size', 'Last Updated', 'Actions'];
    const all = ['Pull Request', 'Author', 'Reviewers', 'Size', 'Age', 'Last Updated', 'Actions'];
    for (const [width, shown] of [
      [768, fewer],
      [800, fewer],
      [1024, fewer],
      [1280, all],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/prs?drafts=only');
      const draft = row('Try another queue');
      await draft.getByText('Draft', { exact: true }).waitFor();
      await expect.poll(heads).toEqual(shown);
      expect((await draft.locator('[data-row-link]').boundingBox())!.width, `${width} px`).toBeGreaterThan(150);
      if (width < 992) await draft.getByRole('img', { name: 'Ada Quill (ada)' }).waitFor();
      await screenshot(page, `pull-requests-${width}`);
    }
    await page.unroute('**/api/prs?*');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/prs');
  });

  it('opens the details in a tab of their own, and the pull request on its host', async () => {
    const details = row('Store the ledger').getByRole('link', { name: /^Details/ });

    await expect.poll(() => details.getAttribute('target')).toBe('_blank');
    await expect.poll(() => details.getAttribute('href')).toMatch(new RegExp(`^/pr/${TEAM_REPOSITORY}/\\d+$`));
    expect(
      await row('Store the ledger')
        .getByRole('link', { name: /^View .+, new tab$/ })
        .getAttribute('href'),
    ).toMatch(new RegExp(`/${TEAM_REPOSITORY}/pull/\\d+$`));
  });

  it('sorts by a column, and the address keeps it', async () => {
    await page.getByRole('button', { name: 'Pull Request' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=title');
    await expect.poll(titles).toSatisfy((all: string[]) => all.join() === [...all].sort().join());
    await page.reload();
    await expect.poll(titles).toSatisfy((all: string[]) => all.length > 1 && all.join() === [...all].sort().join());

    for (const [column, sort, first] of [
      ['Size', '-lines_changed', 'Sweep of 1001 lines'],
      ['Size', 'lines_changed', 'Sweep of 0 lines'],
      ['Age', '-created_at', 'Sweep 42'],
      ['Age', 'created_at', 'Say when a parcel arrives'],
    ] as const) {
      await page.getByRole('columnheader', { name: column }).getByRole('button').click();
      await query().toBe(`?sort=${sort}`);
      await expect.poll(async () => (await titles())[0]).toBe(first);
    }
    await page.getByRole('button', { name: 'Last Updated' }).click();

    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('shows the last page when the address names one beyond it', async () => {
    await page.goto('/prs?page=999');

    await foot('Showing 51 to 65 of 65 results');
    await query().toBe('?page=2');
  });

  it('says that it failed, and tries again at a press', async () => {
    const mend = await failing(page, '/api/prs', { error: 'The database rests.', code: 'internal', request_id: 'r-1' });
    await page.goto('/prs');
    await page.getByText('Failed to fetch PRs').waitFor();
    await page.getByText('The database rests.').waitFor();

    await mend();
    await page.getByRole('button', { name: 'Retry' }).press('Enter');

    await row('Store the ledger').waitFor();
    const card = page.getByRole('region', { name: 'Pull Requests' });
    await expect.poll(() => card.evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

describe('a screen that breaks', () => {
  it('says so, and the next one works', async () => {
    const product = await startTeamProduct();
    const browser = await startBrowser();
    const page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.route('**/api/review-load*', (route) => route.fulfill({ json: [{ reviewer: 'ada' }, null] }));

    await page.goto('/review-load');
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Reload Page' }).isVisible()).toBe(true);
    await expect.poll(() => page.locator('main').count()).toBe(1);
    await page.getByRole('link', { name: 'All PRs' }).first().click();

    await page.getByRole('heading', { name: 'Pull Request Management' }).waitFor();
    await browser.close();
    await product.stop();
  });
});
