import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

const METRICS = '/api/contributors/ada/metrics';
const PULL_REQUESTS = '/api/contributors/ada/prs';

/** Six weeks, of which the last two opened so many, and so many merged over all of them. */
const weeks = (before: number, last: number, merged = before + last) =>
  Array.from({ length: 6 }, (_, at) => ({
    week: `2026-1${at < 3 ? 0 : 1}-0${1 + at}`,
    prs_opened: at === 4 ? before : at === 5 ? last : 0,
    prs_merged: at === 5 ? merged : 0,
  }));

/** 84 days up to a Sunday, of which the last so many were active. */
const calendar = (active: number): ContributorMetrics['activity_calendar'] =>
  Array.from({ length: 84 }, (_, at) => ({
    date: new Date(Date.UTC(2026, 7, 31 + at)).toISOString().slice(0, 10),
    count: at >= 84 - active ? 1 : 0,
    level: at >= 84 - active ? 1 : 0,
  }));

describe('the panels of a contributor’s page', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  let real: ContributorMetrics;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    real = await (await page.request.get(`${product.url}${METRICS}`)).json();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  afterEach(() => page.unrouteAll());

  const card = (name: string) => page.getByRole('region', { name });
  const dialog = () => page.getByRole('dialog', { name: 'Explain this number' });
  const open = async () => {
    await page.goto('/contributor/ada');
    await page.getByRole('heading', { name: 'Ada Quill', level: 2 }).waitFor();
  };
  /** Opens the page as if the server had answered so. */
  const openWith = async (changes: Partial<ContributorMetrics>, noPullRequests = false) => {
    await page.unrouteAll();
    await page.route(
      (url) => url.pathname === METRICS,
      (route) => route.fulfill({ json: { ...real, ...changes } }),
    );
    if (noPullRequests) {
      await page.route(
        (url) => url.pathname === PULL_REQUESTS,
        (route) => route.fulfill({ json: [] }),
      );
    }
    await open();
  };

  it('dashes the team’s six weeks divided by six', async () => {
    await openWith({ team_averages: { ...real.team_averages, total_prs_opened: 15, total_prs_merged: 9 } });

    await card('Velocity Trend').getByText('team 2.5 opened', { exact: true }).waitFor();
    await card('Velocity Trend').getByText('team 1.5 merged', { exact: true }).waitFor();
  });

  it('tells the whole of a path that has no room to the keyboard', async () => {
    const path = `src/${'deep/'.repeat(20)}end`;
    // Tall enough that nothing scrolls: scrolling takes tooltips away.
    await page.setViewportSize({ width: 1440, height: 3000 });
    await openWith({ code_ownership_areas: [{ path, percentage: 61 }] });

    await card('Team Impact').getByRole('listitem').filter({ hasText: path }).getByRole('button').focus();

    await expect.poll(() => page.getByRole('tooltip').allInnerTexts()).toEqual([path]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('tells the change of every leading figure, in the colour of better or worse, and on how much a mean rests', async () => {
    const compared_with = {
      from: '2026-01-01T00:00:00Z',
      history_begins: '2025-05-20T09:00:00Z',
      import_complete: true,
    };
    const previous = {
      total_prs_opened: 5,
      total_prs_merged: 6,
      total_prs_reviewed: 9,
      avg_time_to_merge_hours: 34,
    };
    await openWith({
      compared_with,
      previous,
      prs_opened_trend: 17,
      prs_merged_trend: -12,
      prs_reviewed_trend: 0,
      time_to_merge_trend: -14,
      total_prs_merged: 5,
      avg_time_to_merge_hours: 30,
    });
    const profile = card('Profile of Ada Quill');
    await expect
      .poll(() => profile.innerText())
      .toMatch(
        /PRs opened\s+6\s+17%\s+than in the 30 days before[\s\S]*PRs merged\s+5\s+12%\s+than in the[\s\S]*PRs reviewed\s+\d+\s+Unchanged[\s\S]*Time to merge\s+30\.0\s+h\s+14%\s+than in the 30 days before\s+Team average/,
      );
    await expect.poll(() => profile.getByRole('img', { name: 'up' }).count()).toBe(1);
    await expect.poll(() => profile.getByRole('img', { name: 'down' }).count()).toBe(2);

    await openWith({
      compared_with,
      previous,
      time_to_merge_trend: 25,
      total_prs_merged: 4,
      avg_time_to_merge_hours: 30,
    });
    await profile.getByText('mean of only 4 merged PRs', { exact: true }).waitFor();

    await openWith({ compared_with, previous: { ...previous, total_prs_opened: 4, total_prs_merged: 0 } });
    await profile.getByText('4 in the 30 days before', { exact: true }).waitFor();
    await profile.getByText('0 in the 30 days before', { exact: true }).waitFor();

    const merged = { total_prs_merged: 5, avg_time_to_merge_hours: 30, previous };
    await openWith({ compared_with: { ...compared_with, history_begins: '2026-01-20T09:00:00Z' }, ...merged });
    await expect.poll(() => profile.getByText('history begins Jan 2026', { exact: true }).count()).toBe(4);
    await expect.poll(() => profile.innerText()).not.toContain('%');

    await openWith({ compared_with: { ...compared_with, import_complete: false }, ...merged });
    await expect.poll(() => profile.getByText('comparison follows', { exact: true }).count()).toBe(4);
    await page.getByText(/all repositories\. Partial until the first import is complete/).waitFor();
  });

  it('says of how many people the team’s averages are', async () => {
    await openWith({ team_averages: { ...real.team_averages, active_people: 1 } });
    await page.getByText('The upright mark is the team average: 1 person active in these 30 days.').waitFor();

    await openWith({ team_averages: { ...real.team_averages, active_people: 16 } });
    await page.getByText('The upright mark is the team average: 16 people active in these 30 days.').waitFor();
  });

  it('gives a badge’s reason to whoever points at it', async () => {
    await openWith({ badges: [{ label: 'Closer', reason: '9 of 10 ended PRs merged' }] });
    await page.getByText('Closer').hover();

    await page.getByRole('tooltip').getByText('9 of 10 ended PRs merged').waitFor();
  });

  it('rates answers, and says that nobody reviewed and nothing was merged', async () => {
    await openWith({
      review_response_time_p50: 4.1,
      top_reviewed_by: [],
      code_ownership_areas: [],
      total_prs_merged: 0,
    });
    await expect
      .poll(() => page.getByRole('table', { name: 'Performance metrics' }).innerText())
      .toMatch(/Review response, p50\s+Good\s+4\.1 h/);
    await card('Team Impact').getByText('Nobody in this period').waitFor();
    await card('Team Impact').getByText('Nothing merged in this period').waitFor();

    await openWith({ code_ownership_areas: [], total_prs_merged: 2 });
    await card('Team Impact').getByText('No lines changed in what was merged').waitFor();

    await openWith({
      code_ownership_areas: [
        { path: 'src/web', percentage: 61.4 },
        { path: '.', percentage: 0.3 },
      ],
    });
    await expect.poll(() => card('Team Impact').innerText()).toMatch(/Top code areas\s+src\/web\s+61%\s+\.\s+0\.3%/);
  });

  it('stands in outlines while it loads, and keeps the figures of before while another period is fetched', async () => {
    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname === METRICS,
      (route) => {
        held.push(() => void route.continue());
      },
    );
    await page.goto('/contributor/ada');
    await page.getByRole('status').getByText('Loading').waitFor();
    await expect.poll(() => held.length).toBe(1);
    held.pop()?.();
    await page.getByText('Metrics are a 30-day rolling window across all repositories.').waitFor();
    await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0);

    await page.getByText('7d', { exact: true }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.getByText('Metrics are a 30-day rolling window across all repositories.').waitFor();
    const profile = page.locator('[data-outdated]').getByRole('region', { name: 'Profile of Ada Quill' });
    await profile.getByText(/active in these 30 days\.$/).waitFor();
    const explained = page.waitForRequest((request) => request.url().includes('/api/explain/'));
    await profile.getByRole('button', { name: 'PRs opened', exact: true }).click();
    expect(new URL((await explained).url()).searchParams.get('period')).toBe('30d');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    held.pop()?.();
    await page.getByText('Metrics are a 7-day rolling window across all repositories.').waitFor();
    await card('Profile of Ada Quill')
      .getByText(/active in these 7 days\.$/)
      .waitFor();
    await expect.poll(() => page.locator('[data-outdated]').count()).toBe(0);
  });

  it('says what failed of the heat map, and fetches it at a press', async () => {
    const undo = await failing(page, '/api/contributors/ada/review-heatmap', { error: 'The database is away.' });
    await open();
    await card('Review Heat Map').getByText('Failed to fetch the review heat map').waitFor();
    await card('Review Heat Map').getByText('The database is away.').waitFor();

    await undo();
    await card('Review Heat Map').getByRole('button', { name: 'Retry' }).click();
    await card('Review Heat Map').getByText('No reviews in the last 90 days').waitFor();
  });

  it('says nothing of what has been open longest while its list is not there', async () => {
    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname === PULL_REQUESTS,
      (route) => {
        held.push(() => void route.fulfill({ status: 500, json: { error: 'The database is away.' } }));
      },
    );
    await open();
    const longest = page.getByRole('row', { name: /^Longest open/ });
    await expect.poll(() => longest.innerText()).toMatch(/^Longest open\s*$/);
    for (const answer of held) answer();
    await longest.getByText('not loaded').waitFor();
  });

  it('sets another contributor beside in every card and chart', async () => {
    await page.goto('/contributor/ada?compare=cleo');
    for (const name of ['Velocity Trend', 'Activity Calendar', 'Review Heat Map'])
      await card(name).locator('p').getByText('Cleo March', { exact: true }).waitFor();
    await card('Review Heat Map')
      .getByText(/^No reviews\. Cleo March: \d+ reviews\. Busiest hour: /)
      .waitFor();
    await card('Activity Calendar')
      .getByText(/^Active on \d+ of 84 days\. Cleo March: on \d+\./)
      .waitFor();
    await card('PR Size Distribution')
      .getByText(/Cleo March: 100% have up to 200 lines, on the target/)
      .waitFor();
    await card('Team Impact')
      .getByText(/^Cleo March: /)
      .waitFor();
    await card('Activity Overview').getByText('In grey: Cleo March.').waitFor();
    for (const label of ['Performance metrics', 'Health indicators'])
      await page.getByRole('table', { name: label }).getByRole('columnheader', { name: 'Cleo March' }).waitFor();
    await card('Activity Calendar').getByRole('button', { name: 'Show as table' }).click();
    await card('Activity Calendar').getByRole('columnheader', { name: 'Cleo March' }).waitFor();
  });

  it('says so where the other’s hours cannot be loaded, and shows one’s own', async () => {
    const undo = await failing(page, '/api/contributors/ada/review-heatmap', { error: 'The database is away.' });
    await page.goto('/contributor/cleo?compare=ada');
    await card('Review Heat Map').getByText('Failed to load comparison data').waitFor();
    await card('Review Heat Map')
      .getByText(/reviews\. Busiest hour: /)
      .waitFor();

    await undo();
    await card('Review Heat Map').getByRole('button', { name: 'Retry' }).click();
    await card('Review Heat Map')
      .getByText(/Ada Quill: no reviews\./)
      .waitFor();
  });

  it('compares with the team where it has a mean, and says where it has none', async () => {
    await page.goto('/contributor/ada?compare=*');
    await card('Performance Metrics').getByText('The team has no mean of percentiles.').waitFor();
    await card('Health Indicators').getByText('The team has no mean of the first three.').waitFor();
    await card('Activity Overview').getByText('The team has no mean of these.').waitFor();
    await card('Activity Calendar').getByText('The team has no mean of days.').waitFor();
    await card('Review Heat Map').getByText('The team has no mean of hours.').waitFor();
    await card('PR Size Distribution').getByText('The team has no mean of sizes.').waitFor();
    await card('Team Impact')
      .getByText(/^Team average: [\d.]+ PRs reviewed$/)
      .waitFor();
    await expect
      .poll(() => page.getByRole('table', { name: 'Performance metrics' }).getByRole('row').last().innerText())
      .toMatch(/Review response, p95\s+N\/A\s+–/);
    await accessible(page, 'contributor-with-team');
  });

  it('says where there is nothing to show', async () => {
    const nothing = {
      ...{
        active_days: 0,
        total_commits: 0,
        current_open_prs: 0,
        stale_prs: [],
        top_reviewed_by: [],
        last_active: null,
      },
      ...{ total_prs_opened: 0, total_prs_merged: 0, total_prs_reviewed: 0, code_ownership_areas: [] },
    };
    await openWith(
      {
        ...nothing,
        velocity_trend: weeks(0, 0),
        activity_calendar: calendar(0),
        pr_size_distribution: { '0-50': 0, '51-200': 0, '201-500': 0, '501-1000': 0, '1000+': 0 },
      },
      true,
    );

    for (const words of [
      'No activity data available',
      'No velocity trend data available',
      'No activity calendar data available',
      'No reviews in the last 90 days',
      'No pull requests found for this contributor',
    ])
      await page.getByText(words).waitFor();
    await page.getByText('No recent activity', { exact: false }).waitFor();
    await inspect(page, 'contributor-empty', { aState: true });

    const long = calendar(84).map((day, at) => (at === 20 ? day : { ...day, count: 0, level: 0 }));
    await openWith({ ...nothing, activity_calendar: long }, true);
    await page.getByText('No activity data available').waitFor();
    await page.goto('/contributor/ada?period=90d');
    await card('Activity Overview').getByText('Low activity').waitFor();
  });

  /** The open explanation rests on so many, lists them at a press, and closes. */
  const expectItems = async (count: number, noun: RegExp) => {
    await dialog().getByText('Based on', { exact: true }).waitFor();
    const rests = dialog().getByRole('definition').filter({ hasText: noun });
    await expect.poll(() => rests.innerText()).toMatch(new RegExp(`^${count} `));
    await dialog()
      .getByRole('button', { name: /^See the / })
      .click();
    await expect.poll(() => dialog().getByRole('link').count()).toBe(count);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  };

  it.each([
    ['Velocity Trend', /pull request/],
    ['Activity Calendar', /contribution/],
    ['Review Heat Map', /review/],
    ['PR Size Distribution', /pull request/],
  ])('explains each part of %s, pressed in the drawing or by Enter in its table', async (name, noun) => {
    await page.goto('/contributor/ben');
    const part = card(name).locator('[data-part]').last();
    const tip = (await part.getAttribute('data-tip')) ?? `: ${await part.innerText()}`;
    await part.click();
    await dialog().waitFor();
    // As a label does that is scrolled out of sight.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await part.click();
    await expectItems(Number(/: (\d+)(?: |$)/.exec(tip)?.[1]), noun);

    await card(name).getByRole('button', { name: 'Show as table' }).click();
    const cell = card(name).getByRole('cell').getByRole('button').first();
    const words = await cell.innerText();
    await cell.press('Enter');
    await expectItems(Number(/(\d+)$/.exec(words)?.[1]), noun);
    await expect.poll(() => cell.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('explains the other person’s parts as theirs', async () => {
    await page.goto('/contributor/ada?compare=ben');
    const theirs = card('PR Size Distribution').locator('[data-part^=other]').first();
    const count = Number(await theirs.innerText());
    await theirs.click();
    await dialog()
      .getByRole('button', { name: /^See the / })
      .click();
    await expect.poll(() => dialog().getByRole('link').allInnerTexts()).toHaveLength(count);
    await expect.poll(() => dialog().getByRole('link').first().innerText()).toMatch(/^Move the cart/);
    await page.keyboard.press('Escape');
  });

  it('explains each of the other person’s figures as theirs, with the number that stands there', async () => {
    await page.goto('/contributor/ada?compare=ben');
    const numberOf = (text: string) => (text.trim().startsWith('N/A') ? 'N/A' : Number.parseFloat(text));
    const theirs = page.locator('[class*=beside] b button, [class*=other] button');
    // Four cards, eight rows of performance, four of health, four minor figures.
    await expect.poll(() => theirs.count()).toBe(20);
    for (const figure of await theirs.all()) {
      const shown = await figure.innerText();
      await figure.click();
      await dialog()
        .getByText(/: ben$/)
        .first()
        .waitFor();
      await expect
        .poll(() => dialog().locator('dl dd').first().innerText().then(numberOf), { message: shown })
        .toBe(numberOf(shown));
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'hidden' });
    }
  });

  it('explains who reviewed most, and what the team’s average is', async () => {
    await page.goto('/contributor/ben');
    const reviewer = card('Team Impact').getByRole('listitem').filter({ hasText: 'cleo' }).getByRole('button');
    const count = Number(await reviewer.innerText());
    await reviewer.press('Enter');
    await dialog().getByText('Top reviewers: cleo').waitFor();
    await expectItems(count, /review/);
    await page.getByRole('button', { name: 'team average', exact: true }).press('Enter');
    await dialog()
      .getByText(/the people who were active/)
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows every chart as a table at a press', async () => {
    await open();
    for (const name of ['Velocity Trend', 'Activity Calendar', 'PR Size Distribution']) {
      await card(name).getByRole('img').waitFor();
      await card(name).getByRole('button', { name: 'Show as table' }).click();
      await card(name).getByRole('table').waitFor();
      await expect.poll(() => card(name).getByRole('img').count()).toBe(0);
    }
    await expect.poll(() => card('PR Size Distribution').getByRole('row').count()).toBe(6);
    // Nothing lies behind the head that stays in sight.
    await page.evaluate(() => window.scrollTo(0, 0));
    await accessible(page, 'contributor-tables');
  });
});
