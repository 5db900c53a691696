import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

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

const aStalePullRequest = (number: number) => ({
  pr_number: number,
  title: `Stale change ${number}`,
  repo: 'octo-org/work',
  days_stale: 9,
  url: 'https://host/pull',
});

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

  it.each([
    [10, 12, 'Good progress'],
    [100, 121, 'Excellent momentum'],
    [10, 8, 'Relatively stable'],
    [100, 79, 'Velocity declining'],
    [5, 5, 'Relatively stable'],
  ])('from %i opened the week before to %i this week reads "%s"', async (before, last, message) => {
    await openWith({ velocity_trend: weeks(before, last) });

    await card('Velocity Trend').getByText(message).waitFor();
    await card('Velocity Trend').getByText(`${last} opened and`, { exact: false }).waitFor();
  });

  it('warns of a merge rate below 70 percent, not of 70 itself', async () => {
    await openWith({ velocity_trend: weeks(5, 5, 7) });
    await card('Velocity Trend').getByText('Merge rate 70%.', { exact: false }).waitFor();
    await expect.poll(() => page.getByText('Merge rate below 70%').count()).toBe(0);

    await openWith({ velocity_trend: weeks(500, 500, 699) });
    await card('Velocity Trend').getByText('Merge rate below 70%').waitFor();
    await card('Velocity Trend').getByText('Merge rate 69%.', { exact: false }).waitFor();
  });

  it('dashes the team’s six weeks divided by six', async () => {
    await openWith({ team_averages: { ...real.team_averages, total_prs_opened: 15, total_prs_merged: 9 } });

    await card('Velocity Trend').getByText('team 2.5 opened', { exact: true }).waitFor();
    await card('Velocity Trend').getByText('team 1.5 merged', { exact: true }).waitFor();
  });

  it('praises a streak of more than 7 days', async () => {
    await openWith({ activity_calendar: calendar(7), active_days: 12 });
    await card('Activity Calendar').getByText('7 day streak · longest 7').waitFor();
    await expect.poll(() => page.getByText(/days in a row/).count()).toBe(0);

    await openWith({ activity_calendar: calendar(8), active_days: 12 });
    await card('Activity Calendar').getByText('A streak of 8 days in a row', { exact: false }).waitFor();
  });

  it.each([
    [9, 'varied days', true, 'Very Low'],
    [10, 'varied days', false, 'Low'],
    [19, 'varied days', false, 'Moderate'],
    [20, 'weekdays', false, 'High'],
    [24, 'weekdays', false, 'High'],
    [25, 'weekdays', false, 'Very High'],
  ])('%i active days are on %s, with more suggested: %s, and %s activity', async (days, rhythm, more, level) => {
    await openWith({ activity_calendar: calendar(3), active_days: days });

    await card('Activity Calendar')
      .getByText(`Active on ${rhythm}: ${days} of the last 30 days`, { exact: false })
      .waitFor();
    await expect
      .poll(() => card('Activity Calendar').getByText('more frequent contributions').count())
      .toBe(more ? 1 : 0);
    await card('Activity Overview').getByText(`${level} activity`, { exact: true }).waitFor();
  });

  it.each([
    [0, 0.09, 3, 'Excellent', []],
    [0, 0.1, 3, 'Good', []],
    [1, 0.19, 5, 'Good', ['Take up or close the stale pull request']],
    [2, 0.29, 7, 'Needs Attention', ['Take up', 'Split large changes', 'Finish open']],
    [0, 0, 8, 'Critical', ['Finish open']],
  ])('%i stale, %d large and %i open stand as "%s"', async (stale, large, openPrs, status, actions) => {
    await openWith({
      stale_prs: Array.from({ length: stale }, (_, at) => aStalePullRequest(at + 1)),
      large_pr_frequency: large,
      current_open_prs: openPrs,
    });
    const health = card('Health Indicators');
    await health.getByText(status, { exact: true }).waitFor();

    await expect.poll(() => health.getByRole('link', { name: /^Stale change/ }).count()).toBe(stale);
    await expect.poll(() => health.getByText('Recommended actions').count()).toBe(actions.length > 0 ? 1 : 0);
    for (const action of actions) await expect.poll(() => health.getByText(action, { exact: false }).count()).toBe(1);
  });

  it('holds sizes against the target of 70 percent', async () => {
    const sizes = { '0-50': 40, '51-200': 30, '201-500': 0, '501-1000': 30, '1000+': 0 };
    await openWith({ pr_size_distribution: sizes });
    await card('PR Size Distribution')
      .getByText('70% have up to 200 lines, on the target of 70%.', { exact: false })
      .waitFor();
    await card('PR Size Distribution').getByText('Excellent', { exact: true }).waitFor();

    await openWith({ pr_size_distribution: { ...sizes, '51-200': 29, '501-1000': 31 } });
    await card('PR Size Distribution')
      .getByText('69% have up to 200 lines, the target is 70%.', { exact: false })
      .waitFor();
    await card('PR Size Distribution').getByText('Many large PRs', { exact: true }).waitFor();
  });

  it('shows the impact and the ratings', async () => {
    await openWith({
      total_prs_reviewed: 20,
      unique_developers_reviewed: 5,
      avg_time_to_merge_hours: 72,
      review_response_time_p50: 4.1,
      badges: [{ label: 'Closer', reason: '9 of 10 ended PRs merged' }],
    });
    await card('Team Impact').getByText('High Impact').waitFor();
    await card('Team Impact').getByText('Reviewed 20 PRs for 5 developers').waitFor();
    const performance = await page.getByRole('table', { name: 'Performance metrics' }).innerText();

    expect(performance).toMatch(/Time to merge\s+Good\s+3\.0 d/);
    expect(performance).toMatch(/Review response, p50\s+Good\s+4\.1 h/);
    await page.getByText('Closer').hover();
    await page.getByRole('tooltip').getByText('9 of 10 ended PRs merged').waitFor();
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
    await inspect(page, 'contributor-empty');
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
    await inspect(page, 'contributor-tables');
  });
});
