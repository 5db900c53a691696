import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('a contributor’s page', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const card = (name: string) => page.getByRole('region', { name });
  const open = async (path: string, name = 'Ada Quill') => {
    await page.goto(path);
    await page.getByRole('heading', { name, level: 2, exact: true }).waitFor();
  };
  const repositories = () => page.getByRole('combobox', { name: 'Repository' });
  const askedFor = (part: string) =>
    page.waitForRequest((request) => new URL(request.url()).pathname === `/api/contributors/${part}`);

  it('sends people without a session to the login, which takes the page’s place', async () => {
    await page.goto('/login');
    await page.goto('/contributor/ada?period=90d');

    await page.waitForURL(/\/login\?return_to=%2Fcontributor%2Fada%3Fperiod%3D90d/);
    await page.goBack();
    expect(new URL(page.url()).search).toBe('');
  });

  it('asks for somebody where nobody is named', async () => {
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await page.goto('/contributor');
    await page.getByRole('heading', { level: 1, name: 'Contributor View' }).waitFor();

    await page.getByText('No contributor selected').waitFor();
    await page.getByText('Search for a contributor to view their metrics').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Refresh', exact: true }).count()).toBe(0);
    await inspect(page, 'contributor-none', { aState: true });
  });

  it('searches people from the keyboard: popular ones first, then by what is typed', async () => {
    const search = page.getByRole('main').getByPlaceholder('Search contributors by username...', { exact: true });
    const options = page.getByRole('option');
    await search.focus();
    await page.getByText('Popular Contributors', { exact: true }).waitFor();
    await expect.poll(() => options.allInnerTexts()).toHaveLength(3);
    await expect.poll(() => options.first().innerText()).toMatch(/Ada Quill ada\s+1 repository/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => options.nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => options.nth(0).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(() => options.count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => options.last().getAttribute('aria-selected')).toBe('true');
    expect(new URL(page.url()).pathname).toBe('/contributor');

    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname === '/api/contributors/search',
      (route) => {
        held.push(() => void route.continue());
      },
    );
    await search.fill('nobody like that');
    await page.getByText('Searching...', { exact: true }).waitFor();
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
    await page.getByText('No contributors found for "nobody like that"', { exact: true }).waitFor();
    await page.unrouteAll();

    const undo = await failing(page, '/api/contributors/search', { error: 'The database is away.' });
    await search.fill('be');
    await page.getByText('No contributors found for "nobody like that"').waitFor({ state: 'detached' });
    await expect.poll(() => options.count()).toBe(0);
    await undo();
    await search.blur();
    await expect.poll(() => search.getAttribute('aria-expanded')).toBe('false');
    await search.fill('');
  });

  it('opens whoever is picked in the search', async () => {
    const search = page.getByRole('main').getByPlaceholder('Search contributors by username...');
    await search.fill('ad');
    await page.getByRole('option', { name: /Ada Quill/ }).waitFor();
    await page.keyboard.press('Enter');

    await page.waitForURL('**/contributor/ada');
    await page.getByRole('heading', { level: 1, name: 'Contributor: ada' }).waitFor();

    await page.goto('/contributor');
    await search.fill('ad');
    await page.getByRole('option', { name: /Ada Quill/ }).hover();
    await page.mouse.down();
    // Longer than the list would stay without the focus.
    await page.waitForTimeout(400);
    await page.mouse.up();
    await page.waitForURL('**/contributor/ada');
  });

  it('shows who it is and the figures of 30 days', async () => {
    const profile = card('Profile of Ada Quill');
    await profile.waitFor();
    const words = await profile.innerText();

    expect(words).toMatch(/Ada Quill\s+Contributor\s+@ada · last active .* ago · \d+ active days of 30/);
    expect(words).toMatch(/PRs opened\s+6\s+history begins \w+ \d{4}\s+Team average 3.3/);
    expect(words).toMatch(/PRs merged\s+0\s+history begins \w+ \d{4}\s+Team average 1.3/);
    expect(words).toMatch(/Time to merge\s+N\/A\s+Nothing merged in the period/);
    await page.getByText('Metrics are a 30-day rolling window across all repositories.').waitFor();
    await card('Activity Calendar').getByRole('img').waitFor();
    await inspect(page, 'contributor');
  });

  it('hides the team’s averages in cards and charts, and shows them again', async () => {
    await page.getByRole('button', { name: 'Hide Team Averages' }).click();
    await expect.poll(() => page.getByText(/^Team average/).count()).toBe(0);
    await expect.poll(() => card('Velocity Trend').getByText(/^team/).count()).toBe(0);

    await page.getByRole('button', { name: 'Show Team Averages' }).click();
    await expect.poll(() => page.getByText(/^Team average/).count()).toBe(4);
    await expect
      .poll(() =>
        card('Velocity Trend')
          .getByText(/^team .* (opened|merged)$/)
          .count(),
      )
      .toBe(2);
  });

  it('fetches another period and another repository, and says what is shown', async () => {
    const [ninety] = await Promise.all([askedFor('ada/metrics'), page.getByText('90d', { exact: true }).click()]);
    expect(new URL(ninety.url()).searchParams.get('period')).toBe('90d');
    await page.getByText('Metrics are a 90-day rolling window across all repositories.').waitFor();

    const [narrowed] = await Promise.all([
      askedFor('ada/metrics'),
      repositories().selectOption({ label: 'octo-org/work' }),
    ]);
    expect(new URL(narrowed.url()).searchParams.get('repository')).toMatch(/^\d+$/);
    await page.getByText('Metrics are a 90-day rolling window in octo-org/work.').waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?period=90d&repository=\d+$/);
  });

  it('keeps the chosen period for the next person', async () => {
    await open('/contributor/ben', 'ben');
    await expect.poll(() => page.getByRole('radio', { name: '90d' }).isChecked()).toBe(true);

    await page.evaluate(() => localStorage.setItem('contributor-period', 'forever'));
    await open('/contributor/ben', 'ben');
    await expect.poll(() => page.getByRole('radio', { name: '30d' }).isChecked()).toBe(true);
    await page.evaluate(() => localStorage.removeItem('contributor-period'));
  });

  it('takes an unknown period for 30 days and an unknown repository for all', async () => {
    const [asked] = await Promise.all([askedFor('ada/metrics'), open('/contributor/ada?period=2w&repository=4040')]);

    expect(new URL(asked.url()).search).toBe('?period=30d');
    await page.getByText('Metrics are a 30-day rolling window across all repositories.').waitFor();
    await expect.poll(() => repositories().inputValue()).toBe('');
  });

  it('says that repositories are loading while there are none to choose', async () => {
    await page.route(
      (url) => url.pathname === '/api/repositories',
      (route) => route.fulfill({ json: [] }),
    );
    await open('/contributor/ada');

    await expect.poll(() => repositories().locator('option').allInnerTexts()).toEqual(['Loading repositories...']);
    await page.unrouteAll();
  });

  it('says that repositories cannot be fetched, and fetches them at a press', async () => {
    const undo = await failing(page, '/api/repositories', { error: 'The database is away.' });
    await open('/contributor/ada');
    await page.getByText('Failed to fetch repositories. The database is away.').waitFor();
    await expect.poll(() => repositories().locator('option').allInnerTexts()).toEqual(['Failed to fetch repositories']);
    await expect.poll(() => page.getByRole('button', { name: 'Export' }).isEnabled()).toBe(true);

    await undo();
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => repositories().locator('option').allInnerTexts()).toContain('octo-org/work');
    await expect.poll(() => page.getByText('Failed to fetch repositories').count()).toBe(0);
  });

  it('shows and exports nothing while the repository in the address cannot be looked up', async () => {
    await open('/contributor/ada');
    const id = await repositories().locator('option', { hasText: 'octo-org/work' }).getAttribute('value');
    const asked: string[] = [];
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/contributors/ada/metrics') asked.push(search);
    };
    page.on('request', note);
    const undo = await failing(page, '/api/repositories', { error: 'The database is away.' });
    await page.goto(`/contributor/ada?repository=${id}`);
    const failure = card('Contributor').filter({ hasText: 'Failed to fetch repositories' });
    await failure.getByText('The database is away.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Refresh', exact: true }).isDisabled()).toBe(true);
    expect(asked).toEqual([]);

    await undo();
    await failure.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Metrics are a 30-day rolling window in octo-org/work.').waitFor();
    page.off('request', note);
    expect(asked).toEqual([`?period=30d&repository=${id}`]);
    await expect.poll(() => page.getByRole('button', { name: 'Export' }).isEnabled()).toBe(true);
  });

  it('cannot be refreshed while it loads', async () => {
    await open('/contributor/ada');
    const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
    await expect.poll(() => refresh.isEnabled()).toBe(true);
    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname.endsWith('/metrics'),
      (route) => {
        held.push(() => void route.continue());
      },
    );

    await refresh.click();
    await expect.poll(() => refresh.isDisabled()).toBe(true);
    await expect.poll(() => held.length).toBe(1);
    for (const go of held) go();
    await expect.poll(() => refresh.isEnabled()).toBe(true);
    await page.unrouteAll();
  });

  it('never shows one person’s figures under another’s name', async () => {
    await page.route(
      (url) => url.pathname === '/api/contributors/cleo/metrics',
      () => {},
    );
    await open('/contributor/ada');
    await page.getByRole('link', { name: 'ben' }).first().click();
    await page.getByRole('heading', { name: 'ben', level: 2, exact: true }).waitFor();
    await page.goto('/contributor/ada');
    await page.getByRole('heading', { name: 'Ada Quill', level: 2 }).waitFor();
    await page.evaluate(() => history.pushState(null, '', '/contributor/cleo'));
    await page.getByRole('heading', { level: 1, name: 'Contributor: cleo' }).waitFor();

    await expect.poll(() => page.getByRole('heading', { name: 'Ada Quill', level: 2 }).count()).toBe(0);
    await page.unrouteAll();
  });

  it('lets go of the figures when nobody is named any more', async () => {
    await open('/contributor/ada');
    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname === '/api/contributors/ada/metrics',
      (route) => {
        held.push(() => void route.continue());
      },
    );
    await page.evaluate(() => history.pushState(null, '', '/contributor'));
    await page.getByText('No contributor selected').waitFor();
    await page.evaluate(() => history.pushState(null, '', '/contributor/ada'));

    await page.getByRole('status').getByText('Loading', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Ada Quill', level: 2 }).count()).toBe(0);
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
    await page.getByRole('heading', { name: 'Ada Quill', level: 2 }).waitFor();
    await page.unrouteAll();
  });

  it('names who is unknown and leaves them out of the recent people', async () => {
    await page.goto('/contributor/nobody-here');
    await page.getByText('Error loading contributor data').waitFor();

    await page.getByText(/Contributor not found: nobody called nobody-here opened or reviewed/).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('recent-contributors'))).not.toContain('nobody-here');
    await inspect(page, 'contributor-unknown', { aState: true });
  });

  it('says of a repository in which someone did nothing that it is so, and leads back to all of them', async () => {
    const headers = { origin: product.url };
    const data = { owner: 'octo-org', name: 'hello' };
    const { id } = (await (await page.request.post(`${product.url}/api/repos`, { headers, data })).json()) as {
      id: number;
    };
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url());
    });
    await page.goto(`/contributor/ada?period=1y&repository=${id}`);

    await page.getByText('No activity in hello in the last year').waitFor();
    await inspect(page, 'contributor-no-activity', { aState: true });
    await page.getByRole('button', { name: 'All repositories' }).click();
    await page.getByRole('heading', { name: 'Ada Quill', level: 2 }).waitFor();
    expect(failed).toEqual([]);
    await page.request.delete(`${product.url}/api/repos/${id}`, { headers });
  });

  it('says what failed on the server and tries again', async () => {
    const undo = await failing(page, '/api/contributors/ada/metrics', { error: 'The database is away.' });
    await page.goto('/contributor/ada');
    await page.getByText('Error loading contributor data').waitFor();
    await page.getByText('Failed to fetch contributor metrics. The database is away.').waitFor();

    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Ada Quill', level: 2 }).waitFor();
  });

  it('keeps the people viewed last: newest first, once each, five shown and the rest at a press', async () => {
    const before = Array.from({ length: 10 }, (_, at) => ({
      username: `person-${at + 1}`,
      last_viewed: at === 0 ? null : '2026-01-02T03:04:05Z',
    }));
    await page.goto('/contributor');
    await page.getByText('No contributor selected').waitFor();
    await page.evaluate((kept) => localStorage.setItem('recent-contributors', kept), JSON.stringify(before));
    await open('/contributor/ada');
    const recent = card('Recent Contributors');
    await recent.getByText('Current').waitFor();

    const shown = await recent.getByRole('listitem').allInnerTexts();
    expect(shown).toHaveLength(5);
    expect(shown[0]).toMatch(/Ada Quill ada\s+Viewed now\s+Current/);
    expect(shown[1]).toMatch(/person-1\s+Never/);
    expect(shown[2]).toMatch(/person-2\s+Viewed .* ago/);
    await recent.getByRole('button', { name: 'View all 10 recent contributors' }).click();
    await expect.poll(() => recent.getByRole('listitem').count()).toBe(10);
    await accessible(page, 'contributor-all-recent');
    await expect.poll(() => recent.getByText('person-10').count()).toBe(0);

    await open('/contributor/ADA?period=7d');
    await expect.poll(() => recent.getByText('Ada Quill').count()).toBe(1);
    await open('/contributor/ben?period=7d', 'ben');
    await recent.getByRole('link', { name: 'Ada Quill' }).click();
    await page.waitForURL('**/contributor/ada?period=7d');
    await page.evaluate(() => localStorage.clear());
  });

  it('says that it searches, that nobody is found and that the search failed', async () => {
    await open('/contributor/ada');
    await page.getByRole('button', { name: 'Compare with someone' }).click();
    await page.getByRole('option', { name: 'The team' }).waitFor();
    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname === '/api/contributors/search',
      (route) => {
        held.push(() => void route.continue());
      },
    );
    await page.keyboard.type('zz');
    await page.getByText('Searching...', { exact: true }).waitFor();
    await expect.poll(() => held.length).toBe(1);
    await expect.poll(() => page.getByRole('option').filter({ visible: true }).count()).toBe(0);

    for (const go of held) go();
    await page.getByText('No contributors found for "zz"', { exact: true }).waitFor();
    await page.unrouteAll();

    const undo = await failing(page, '/api/contributors/search', { error: 'The database is away.' });
    await page.keyboard.type('z');
    await page.getByText('Failed to search contributors', { exact: true }).waitFor();
    await undo();
    for (let left = 3; left > 0; left--) await page.keyboard.press('Backspace');
    await page.getByRole('option', { name: 'The team' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('compares with someone who is found by name', async () => {
    await open('/contributor/ada');
    await page.getByRole('button', { name: 'Compare with someone' }).click();
    await page.keyboard.type('cle');
    await page.getByRole('option', { name: 'Cleo March (cleo)' }).click();

    const words = card('Profile of Ada Quill');
    await words.getByText('Cleo March 1', { exact: true }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?compare=cleo');
    expect(
      await page.getByRole('table', { name: 'Performance metrics' }).getByRole('columnheader').allInnerTexts(),
    ).toEqual(['Ada Quill', 'Cleo March']);
    await card('Velocity Trend').getByText('Cleo March', { exact: true }).waitFor();
    // No tooltip of what lies under the pointer by chance.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await accessible(page, 'contributor-compared');
  });

  it('compares with the team', async () => {
    await page.getByRole('button', { name: 'Compare with someone else' }).click();
    await page.getByRole('option', { name: 'The team' }).click();
    await page.getByRole('columnheader', { name: 'Team average' }).first().waitFor();

    await page.getByRole('button', { name: 'Hide Team Averages' }).click();
    await expect.poll(() => page.getByText(/^Team average \d/).count()).toBe(4);
    await page.getByRole('button', { name: 'Stop comparing' }).click();
    await expect.poll(() => page.getByText(/^Team average/).count()).toBe(0);
    await page.getByRole('button', { name: 'Show Team Averages' }).click();
  });

  it('says when the other side cannot be loaded, and goes on alone', async () => {
    const undo = await failing(page, '/api/contributors/cleo/metrics', { error: 'The database is away.' });
    await open('/contributor/ada?compare=cleo');
    await page.getByText('Failed to load comparison data. The database is away.').waitFor();
    await accessible(page, 'contributor-comparison-failed');
    await expect.poll(() => page.getByText('Cleo March').count()).toBe(0);

    await undo();
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await page.getByText('The grey bar is Cleo March.', { exact: false }).waitFor();
  });

  it('is walked through and worked by keyboard alone', async () => {
    await open('/contributor/ada');
    await page.getByRole('table', { name: 'Performance metrics' }).waitFor();
    await card('Review Heat Map').getByText('No reviews in the last 90 days').waitFor();
    await page.getByRole('link', { name: 'Say when a parcel' }).waitFor();
    await page.getByRole('link', { name: 'Back to Dashboard' }).focus();
    const walked: string[] = [];
    for (let steps = 0; steps < 200 && !walked.some((words) => words.startsWith('Say when a parcel')); steps++) {
      await page.keyboard.press('Tab');
      walked.push(
        await page.evaluate(() => {
          const at = document.activeElement as HTMLElement;
          return at.ariaLabel ?? (at.innerText || (at as HTMLInputElement).value || at.tagName);
        }),
      );
    }
    const stops = [
      ...['30d', 'Repository', 'Export', 'Refresh', 'Search contributors', 'PRs opened', 'Compare with someone'],
      ...['Hide Team Averages', 'Show as table', 'Active days', 'Open PRs', 'Average size', 'Time to merge'],
      ...['all', 'Title', 'Say when a parcel arrives'],
    ];
    let from = 0;
    for (const stop of stops) {
      const at = walked.indexOf(stop, from);
      expect(at, `${stop} after ${walked.slice(0, from).join(' > ')} in ${walked.slice(from).join(' > ')}`).not.toBe(
        -1,
      );
      from = at + 1;
    }

    await page.getByRole('button', { name: 'Hide Team Averages' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Show Team Averages' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Hide Team Averages' }).waitFor();
    await page.getByRole('radio', { name: '30d' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Metrics are a 7-day rolling window across all repositories.').waitFor();
    await page.getByRole('button', { name: 'Export' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: /^CSV/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0);
  });
});
