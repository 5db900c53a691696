import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Health, Signal } from '../../src/contract/health.ts';
import { signalNames } from '../../src/domain/signal-words.ts';
import { defaultHealthSettings, type SignalKey } from '../../src/domain/signals.ts';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, screenshot, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * To the team's four merged ones another 54, all merged two hours after they were opened: 22 by ben in `src/app`, approved by cleo, and three
 * of ada's there, approved by ben; three that ben merged without anybody else, and two of a few letters; and 24 of earlier.
 */
async function addHistory({ host }: RunningProduct) {
  const pulls = `repos/${TEAM_REPOSITORY}/pulls`;
  const merged = async (author: string, title: string, daysAgo: number, approvedBy: string | null, lines = 40) => {
    const createdAt = Date.now() - daysAgo * DAY;
    const files = [{ path: `src/app/${title.length % 5}.ts`, additions: lines, deletions: 0 }];
    const size = { additions: lines, deletions: 0, files };
    const { number } = (await host.control(pulls, { author, title, createdAt, size })) as { number: number };
    const approval = { at: createdAt + HOUR, kind: 'review', state: 'APPROVED', bodyLength: 20, comments: [] };
    await host.control(`${pulls}/${number}/entries`, [
      ...(approvedBy === null ? [] : [{ ...approval, by: approvedBy }]),
      { at: createdAt + 2 * HOUR, kind: 'merged', by: author },
    ]);
  };
  for (let at = 0; at < 22; at += 1) await merged('ben', `Draw the shelf, part ${at}`, 20 + 2 * at, 'cleo');
  for (let at = 0; at < 3; at += 1) await merged('ada', `Count the shelf, part ${at}`, 30 + 5 * at, 'ben', 600);
  for (let at = 0; at < 3; at += 1) await merged('ben', `Right away ${at}`, 25 + at, null);
  for (let at = 0; at < 2; at += 1) await merged('ben', `A letter ${at}`, 22 + at, null, 5);
  for (let at = 0; at < 24; at += 1) await merged('ben', `Long ago ${at}`, 100 + 3 * at, 'cleo');
}

describe('review health', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    await addHistory(product);
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const answered = async (query = '') =>
    (await (await page.request.get(`${product.url}/api/health?${query}`)).json()) as Health;
  /** Answers as the server does, with something changed. */
  const changing = async (change: (health: Health) => void) => {
    const isHealth = (url: URL) => url.pathname === '/api/health';
    await page.route(isHealth, async (route) => {
      const response = await route.fetch();
      const health = (await response.json()) as Health;
      change(health);
      await route.fulfill({ response, json: health });
    });
    // What is still on its way is answered first.
    return () => page.unrouteAll({ behavior: 'wait' });
  };
  const set = (key: SignalKey, fields: Partial<Signal>) => (health: Health) =>
    void Object.assign(health.signals.find((signal) => signal.key === key)!, fields);
  const row = (key: SignalKey) => page.getByRole('row').filter({ has: caret(key) });
  const caret = (key: SignalKey) =>
    page.getByRole('button', { name: `${signalNames[key]}: how it is counted, and its pull requests` });
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const open = async (path = '/health') => {
    await page.goto(path);
    await caret('merged_unreviewed').waitFor();
  };

  it('leads to the first repository when there is none', async () => {
    await page.goto('/health');
    await page.getByText('No repository is connected yet.').waitFor();
    await accessible(page, 'health-nothing-connected');
  });

  it('is found in the navigation and by its words, and answers four questions in an order that is fixed', async () => {
    await connectAndSync(page, product);
    await page.goto('/dashboard');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Review health' }).click();
    await caret('merged_unreviewed').waitFor();

    expect(await page.locator('#content h2').allInnerTexts()).toEqual([
      'Was it looked at?',
      'How did it go?',
      'Did it hold?',
      'Who carries it?',
    ]);
    const { signals } = await answered();
    const rows = await page.locator('tbody tr:has([aria-expanded]) th[scope=row] > span').allInnerTexts();
    const first = signals.filter(({ key }) => key !== 'concentration').map(({ key }) => signalNames[key]);
    expect(rows.toSorted()).toEqual(first.toSorted());
    expect(rows.slice(0, 6)).toEqual(first.slice(0, 6));

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('bus factor');
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /^Review health/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await inspect(page, 'health');
  });

  it('shows a value, what it is over and what it is, as they are answered', async () => {
    const { signals } = await answered();
    const unreviewed = signals.find(({ key }) => key === 'merged_unreviewed')!;
    expect(Math.round(unreviewed.value! * unreviewed.n)).toBe(3);

    const text = await row('merged_unreviewed').innerText();
    expect(text).toContain(`3 of ${unreviewed.n}`);
    expect(text).toContain(`${Math.round(100 * unreviewed.value!)} %`);
    expect(text).toContain('nobody else reviewed or commented; 0 more had only a comment');
    expect(await row('big').innerText()).toMatch(/over 400 lines; they take 2\.0 h to merge, the others [\d.]+ (h|d)/);
    await expect.poll(() => row('reverted').innerText()).toContain('merged 30 to 120 days ago');
    await expect.poll(() => row('followed_up').innerText()).toContain('merged 7 to 97 days ago');
    await expect
      .poll(() => row('merged_unreviewed').getByRole('link').getAttribute('href'))
      .toBe('/trends?figure=merged_unreviewed');
  });

  it('says the thresholds that hold', async () => {
    await page.route('**/api/settings/health', (route) =>
      route.fulfill({
        json: {
          ...defaultHealthSettings,
          big: 1234,
          long_open_days: 21,
          stale_approval_days: 1,
          trivial: { lines: 7, files: 3 },
          stamped: { words: 5, minutes: 9, lines_per_minute: 55 },
          ping_pong: { rounds: 6, turns: 8 },
        },
      }),
    );
    await open('/health?open=merged_unreviewed,big');

    expect(await row('big').innerText()).toContain('over 1,234 lines');
    expect(await row('stamped').innerText()).toContain(
      'approved with at most 5 words and no finding, within 9 minutes or 55 lines a minute',
    );
    expect(await row('ping_pong').innerText()).toContain('6 review rounds or more, or handed back 8 times in a day');
    expect(await row('long_open').innerText()).toContain('open for more than 21 days');
    expect(await row('stale_approval').innerText()).toContain('approved for more than 1 day and');
    await page.getByText('What has fewer than 7 lines in at most 3 files is too small to be reviewed').waitFor();
    await page.getByText('More than 1,234 changed lines').waitFor();
    await page.unroute('**/api/settings/health');
  });

  it('says of few that they are few, without hiding or colouring the value', async () => {
    const undo = await changing(set('big', { n: 9, value: 1 / 3 }));
    await open();
    const text = await row('big').innerText();
    expect(text).toContain('33 %');
    expect(text).toContain('3 of 9');
    expect(text).toContain('Fewer than 10: too few to say.');
    const colours = await row('big').evaluate((one) => {
      const value = one.querySelectorAll('td')[0]!.querySelector('span')!;
      const probe = one.appendChild(document.createElement('td'));
      probe.style.color = 'var(--text-3)';
      const grey = getComputedStyle(probe).color;
      probe.remove();
      return [getComputedStyle(value).color, grey];
    });
    expect(colours[0]).toBe(colours[1]);
    await undo();
  });

  it('says why there is no value, in place of its line', async () => {
    const undo = await changing(
      set('ci_wait', { n: 0, value: null, message: 'The token may not read Actions', series: [] }),
    );
    await open();
    const text = await row('ci_wait').innerText();
    expect(text).toContain('N/A');
    expect(text).toContain('The token may not read Actions.');
    expect(await row('ci_wait').getByRole('link').count()).toBe(0);
    await undo();
  });

  it('opens a row by keyboard, and gives the focus back on Escape', async () => {
    await open();
    await caret('merged_unapproved').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => caret('merged_unapproved').getAttribute('aria-expanded')).toBe('true');
    expect(new URL(page.url()).search).toBe('?open=merged_unapproved');
    const behind = card('Its pull requests');
    await behind.getByText('latest first, 3 of 3').waitFor();
    expect(await behind.getByRole('listitem').allInnerTexts()).toEqual(
      ['0', '1', '2'].map((part) => expect.stringContaining(`Right away ${part}`)),
    );
    await behind.getByText('Who wrote or merged them is not listed here.').waitFor();
    expect(await behind.innerText()).not.toMatch(/\bben\b/);
    await page.getByText('Where the project does not use approvals.').waitFor();
    await page.getByText('Left out: too small, below 10 lines in 1 file').waitFor();
    await inspect(page, 'health-open', { aState: true });

    await page.reload();
    await behind.getByText('latest first, 3 of 3').waitFor();
    await behind.getByRole('link', { name: 'Right away 0' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => caret('merged_unapproved').getAttribute('aria-expanded')).toBe('false');
    await expect
      .poll(() => caret('merged_unapproved').evaluate((element) => element === document.activeElement))
      .toBe(true);
    expect(new URL(page.url()).search).toBe('');

    await page.keyboard.press('Space');
    await expect.poll(() => caret('merged_unapproved').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Space');
    await expect.poll(() => caret('merged_unapproved').getAttribute('aria-expanded')).toBe('false');
  });

  it('opens the rule of a name, whose Escape leaves the row open', async () => {
    await open('/health?open=big');
    const name = row('big').getByRole('button', { name: 'Big pull requests', exact: true });
    await name.focus();
    await page.keyboard.press('Enter');
    const rule = page.getByRole('dialog', { name: 'Explain this number' });
    await rule.getByText('More than 400 changed lines, those in generated files aside.').waitFor();
    await rule.getByText('code was moved.').waitFor();
    await page.keyboard.press('Escape');
    await rule.waitFor({ state: 'hidden' });
    expect(await caret('big').getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('region', { name: 'Sizes, line by line' }).getByText('over 400 lines').waitFor();
    await row('big').getByText('of').first().click();
    await expect.poll(() => caret('big').getAttribute('aria-expanded')).toBe('false');
  });

  it('lists all pull requests of a signal, a page at a time, each with why', async () => {
    await open('/health?open=review_depth&period=1y');
    await page.getByRole('link', { name: 'All 53' }).click();
    await page.getByRole('heading', { level: 1, name: signalNames.review_depth }).waitFor();
    await page.getByText('Showing 1 to 50 of 53.').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Showing 51 to 53 of 53.').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      open: 'review_depth',
      period: '1y',
      list: 'review_depth',
      page: '2',
    });
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
    expect(await page.locator('tbody tr').first().innerText()).toContain('findings by people.');
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Pull request', 'Why', 'Lines', 'Merged']);
    await inspect(page, 'health-list', { aState: true });
    await page.getByRole('link', { name: 'Review health' }).last().click();
    await expect.poll(() => caret('review_depth').getAttribute('aria-expanded')).toBe('true');
  });

  it('tells who carries it without naming them, and who else could', async () => {
    await open();
    const carried = card('Who carries it?');
    const { areas } = await answered();
    expect(areas).toMatchObject([{ area: 'src/app', half: 1, at_risk: true, could: ['ada'] }]);
    const text = await carried.getByRole('row').nth(1).innerText();
    expect(text).toMatch(/src\/app\s*at risk\s+2\s+1 person\s+88 %\s+ada/);
    expect(await carried.innerText()).not.toMatch(/cleo|ben/);
    await carried.getByText('at least 80 % of 20 reviews or more, or all of the last 10 pull requests').waitFor();
    await carried.getByRole('button', { name: 'Areas at risk' }).press('Enter');
    await page.getByRole('dialog', { name: 'Explain this number' }).waitFor();
    await page.keyboard.press('Escape');
    await carried.getByRole('row').nth(1).focus();
    await page
      .getByRole('tooltip')
      .getByText(/Unevenness 0\.\d/)
      .waitFor();
  });

  it('shows what is chosen, which the address keeps', async () => {
    await open();
    await page.getByText('1y', { exact: true }).click();
    await page.getByLabel('Base branch').selectOption({ label: 'Any branch' });
    await expect.poll(() => new URL(page.url()).search).toBe('?period=1y&all_bases=true');
    const { signals } = await answered('period=1y&all_bases=true');
    await expect
      .poll(() => row('merged_unreviewed').innerText())
      .toContain(`3 of ${signals.find(({ key }) => key === 'merged_unreviewed')!.n}`);
    await page.getByText('merged in the last year into any branch').waitFor();
    expect(await row('reverted').innerText()).toContain('merged 30 to 395 days ago');

    await page.getByLabel('Authorship').selectOption({ label: 'By agents' });
    await card('Was it looked at?').getByText('Nothing was merged in this window.').waitFor();
    await accessible(page, 'health-empty');

    // Over time it is the same pull requests.
    const data = { name: 'The shelf', members: ['ben'] };
    const made = await page.request.post('/api/teams', { headers: { origin: product.url }, data });
    const { id: team } = (await made.json()) as { id: number };
    await open(`/health?team=${team}&team_as=reviewer&authorship=human`);
    const line = row('merged_unreviewed').getByRole('link', { name: / over time\. / });
    const followed = new URL((await line.getAttribute('href'))!, product.url).searchParams;
    expect(Object.fromEntries(followed)).toMatchObject({ team: `${team}`, team_as: 'reviewer', authorship: 'human' });

    const [from, to] = [-40, -20].map((days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10));
    await open(`/health?from=${from}&to=${to}`);
    const chosen = (await answered(`from=${from}&to=${to}`)).signals[0]!;
    expect(await row('merged_unreviewed').innerText()).toContain(`3 of ${chosen.n}`);
    expect(await row('reverted').innerText()).toMatch(/merged \w+ \d+ \w+( \d{4})? to \w+ \d+ \w+/);
  });

  it('is downloaded as it is shown', async () => {
    await open();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^review-health_\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + 15);
    expect(lines[1]).toMatch(/^"merged_unreviewed","Merged without review","0\.\d+","\d+"/);
  });

  it('says in each card that it could not be fetched, and tries again', async () => {
    const undo = await failing(page, '/api/health', { error: 'Not now.', code: 'x', request_id: 'r-5' });
    await page.goto('/health');
    await expect.poll(() => page.getByText('Failed to fetch review health').count()).toBe(4);
    await accessible(page, 'health-failed');
    await undo();
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await caret('merged_unreviewed').waitFor();
    expect(await page.getByText('Failed to fetch review health').count()).toBe(0);
  });

  it('has its heads before its rows', async () => {
    let answer = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/health', async (route) => {
      await answering;
      await route.continue();
    });
    await page.goto('/health');
    await page.getByRole('columnheader', { name: 'Usual range' }).first().waitFor();
    expect(await page.locator('#content h2').count()).toBe(4);
    await screenshot(page, 'health-loading');
    answer();
    await caret('merged_unreviewed').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('reads as a list on a phone, and opens there, too', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await open();
    await page.getByRole('list', { name: 'Was it looked at?' }).getByRole('listitem').first().waitFor();
    await caret('merged_unapproved').click();
    await card('Its pull requests').getByText('latest first, 3 of 3').waitFor();
    await accessible(page, 'health-phone-open');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Base branch').selectOption({ label: 'Any branch' });
    await page.getByRole('dialog').getByRole('button', { name: 'Show the list' }).click();
    await page.getByRole('button', { name: 'Filter (1)' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('tells how long each check is waited for, and which jobs are flaky or why that is not known', async () => {
    const spread = { median: 0.5, p90: 2, n: 40 };
    const check_waits = {
      repositories: [{ repository: TEAM_REPOSITORY, ...spread }],
      checks: Array.from({ length: 8 }, (_, at) => ({ ...spread, name: `check ${at}`, n: 40 - 5 * at })),
    };
    const reruns = {
      ...{ runs: 120, rerun_share: 0.1, by_head: 7, waiting: 3, may_not_read: ['acme/other'], message: null },
      rerun_wait: { median: 0.25, p90: 3, n: 12 },
      flaky_jobs: [{ repository: TEAM_REPOSITORY, workflow: 'CI', job: 'browser tests', flaky_share: 0.12, n: 100 }],
    };
    const change = { value: 0.5, n: 40, p90: 2, ci_share: 0.2, check_waits, reruns };
    const restore = await changing(set('ci_wait', change));
    await open();
    await caret('ci_wait').click();

    const byCheck = page.getByRole('region', { name: 'Waiting, by check', exact: true });
    expect(await byCheck.getByRole('row').allInnerTexts()).toHaveLength(7);
    expect(await byCheck.getByRole('row', { name: 'check 1' }).innerText()).toMatch(/check 1\s+35\s+30 min\s+2\.0 h/);
    await byCheck.getByRole('button', { name: 'All 8' }).click();
    expect(await byCheck.getByRole('row').allInnerTexts()).toHaveLength(9);
    expect(await page.getByRole('region', { name: 'Waiting, by repository', exact: true }).count()).toBe(0);
    const flaky = page.getByRole('region', { name: 'Flaky jobs', exact: true });
    expect(await flaky.getByRole('row', { name: 'browser tests' }).innerText()).toMatch(/· CI\s+100\s+12 %/);
    const notes = await flaky.innerText();
    expect(notes).toContain('The token may not read Actions of acme/other.');
    expect(notes).toContain('3 pull requests left out until their runs are read.');
    expect(notes).toContain('7 of 120 runs belong to their pull request by branch and commit.');
    expect(await page.getByText('10 % of 120').count()).toBe(1);
    // Scrolled down, the navigation would lie over a row.
    await page.evaluate(() => window.scrollTo(0, 0));
    await inspect(page, 'health-checks');

    await restore();
    const message = 'The token may not read Actions';
    const nothing = {
      ...reruns,
      runs: 0,
      rerun_share: null,
      rerun_wait: null,
      flaky_jobs: null,
      by_head: 0,
      waiting: 0,
      message,
    };
    const restoreAgain = await changing(set('ci_wait', { ...change, reruns: nothing }));
    await open();
    await caret('ci_wait').click();
    expect(await flaky.innerText()).toContain('The token may not read Actions.');
    expect(await flaky.innerText()).toContain('With “Actions: read”, or the scope “repo”');
    expect(await flaky.getByRole('table').count()).toBe(0);
    await restoreAgain();
  });

  it('is printed with its words and figures, open rows as they are', async () => {
    await open('/health?open=merged_unapproved');
    await card('Its pull requests').getByText('latest first, 3 of 3').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('rowheader', { name: signalNames.merged_unreviewed }).waitFor();
    await page.getByText('Where the project does not use approvals.').waitFor();
    expect(await page.getByRole('button', { name: 'Download CSV' }).isVisible()).toBe(false);
    await screenshot(page, 'health-print');
    await page.emulateMedia({ media: 'screen' });
  });
});
