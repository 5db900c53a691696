import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import type { RunningProduct } from '../support/product.ts';
import { openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

/** What is put in place of the figures of a real answer. */
interface Changed extends Partial<Omit<PullRequestDetail, 'time_metrics' | 'comparative_metrics'>> {
  readonly time_metrics?: Partial<PullRequestDetail['time_metrics']>;
  readonly comparative_metrics?: Partial<PullRequestDetail['comparative_metrics']>;
}

const OPENED = Date.parse('2026-03-02T09:00:00Z');
const at = (hours: number) => new Date(OPENED + Math.round(hours * 3_600_000)).toISOString();

const reviewer = (username: string, total_comments: number): PullRequestDetail['reviewers'][number] => ({
  username,
  avatar_url: null,
  reviews_submitted: 1,
  total_comments,
  avg_response_time: null,
  approval_rate: null,
});

const happened = (
  index: number,
  type: string,
  hours: number,
  actor: string | null,
  metadata: Partial<PullRequestDetail['timeline'][number]['metadata']> = {},
): PullRequestDetail['timeline'][number] => ({
  id: `event-${index}`,
  type,
  description: `did ${type} ${index}`,
  actor,
  actor_avatar: null,
  actor_kind: actor === null ? null : 'human',
  timestamp: at(hours),
  metadata: { review_state: null, check_status: null, sha: null, replies: null, ...metadata },
});

/** People who take turns in commenting, so many hours apart. */
const handedOver = (gaps: readonly number[], people: readonly string[]): PullRequestDetail['timeline'] =>
  [0, ...gaps].map((_, index) =>
    happened(
      index,
      'comment',
      gaps.slice(0, index).reduce((sum, gap) => sum + gap, 0),
      people[index % people.length] ?? null,
    ),
  );

describe('every bound of the deep dive, on both its sides', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  let real: PullRequestDetail;
  const address = `/pr/${TEAM_REPOSITORY}/10`;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    real = (await (await page.request.get(`${product.url}/api${address}`)).json()) as PullRequestDetail;
    await page.goto(address);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  let opened = 0;
  /** Opens another pull request, in the page that is there, as if the server had answered so. */
  const open = async (tab: string, { time_metrics, comparative_metrics, ...rest }: Changed) => {
    await page.unrouteAll();
    opened += 1;
    const detail: PullRequestDetail = {
      ...real,
      ...rest,
      title: `Change ${opened}`,
      time_metrics: { ...real.time_metrics, ...time_metrics },
      comparative_metrics: { ...real.comparative_metrics, ...comparative_metrics },
    };
    const path = `/pr/${TEAM_REPOSITORY}/${100 + opened}`;
    await page.route(`**/api${path}`, (route) => route.fulfill({ json: detail }));
    await page.evaluate((to) => history.pushState(null, '', to), `${path}?tab=${tab}`);
    await page.getByRole('heading', { level: 1, name: detail.title, exact: true }).waitFor();
    await page.getByRole('tabpanel').waitFor();
  };
  const card = (title: string): Locator =>
    page.getByRole('region').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const words = (locator: Locator) =>
    expect.poll(async () => (await locator.innerText()).replaceAll(/\s+/g, ' ').trim());
  const bars = (locator: Locator) =>
    expect.poll(() =>
      locator.locator('[style*="width"]').evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.width)),
    );

  it.each([
    [49, 'Extra Small', 'Perfect size for quick reviews', 20, 'Manageable scope', 10, 'Good commit hygiene'],
    [50, 'Small', 'Good size, easy to review thoroughly', 21, 'Consider splitting by feature area', 10, 'Good commit'],
    [199, 'Small', 'Good size, easy to review', 1, 'Manageable scope', 11, 'Consider squashing related commits'],
    [200, 'Medium', 'Consider splitting if possible', 1, 'Manageable scope', 1, 'Good commit hygiene'],
    [399, 'Medium', 'Consider splitting if possible', 1, 'Manageable scope', 1, 'Good commit hygiene'],
    [400, 'Large', 'Should be split into smaller PRs', 1, 'Manageable scope', 1, 'Good commit hygiene'],
    [999, 'Large', 'Should be split into smaller PRs', 1, 'Manageable scope', 1, 'Good commit hygiene'],
    [1000, 'Extra Large', 'Too large - split into multiple PRs', 1, 'Manageable scope', 1, 'Good commit hygiene'],
  ])('%i lines are %s', async (lines, label, advice, changed_files, filesHint, commits, commitsHint) => {
    await open('code', { additions: lines - 9, deletions: 9, changed_files, commits });

    await words(card('PR Size Analysis')).toContain(`${label} ${advice}`);
    await words(card('Files Changed')).toContain(`${changed_files} ${filesHint}`);
    await words(card('Commits')).toContain(`${commits} ${commitsHint}`);
  });

  it.each([
    [25, 'Optimal'],
    [25.1, 'Good'],
    [50, 'Good'],
    [50.1, 'Above Average'],
    [75, 'Above Average'],
    [75.1, 'Too Large'],
  ])('the size percentile %d is %s', async (size_percentile, label) => {
    const team = { team_p50_cycle_time: 5, team_p75_cycle_time: 6, team_p90_cycle_time: 7, comparison_set_size: 40 };
    await open('code', {
      comparative_metrics: { ...team, size_percentile, cycle_time_percentile: 1, author_avg_pr_size: 10 },
    });

    await words(card('Size Comparison')).toMatch(
      new RegExp(`Size percentile among the team’s merges ${label} p${Math.round(size_percentile)}`),
    );
  });

  it.each([
    [70, 30, 'Medium'],
    [70.1, 29.9, 'High'],
    [40, 60, 'Low'],
    [40.1, 59.9, 'Medium'],
  ])('%d business hours and %d others are of %s efficiency', async (business, after, label) => {
    await open('time', { time_metrics: { business_hours_spent: business, after_hours_time: after } });

    await words(card('Business Hours Analysis')).toContain(`${label} efficiency`);
    await words(card('Business Hours Analysis')).toMatch(
      new RegExp(`Business hours .* ${Math.round(business)}% After hours .* ${Math.round(after)}%`),
    );
  });

  it('fills the bar of business hours however short the time was', async () => {
    await open('time', { time_metrics: { business_hours_spent: 0.3, after_hours_time: 0.1 } });

    const filled = card('Business Hours Analysis')
      .locator('[class*="_split_"]')
      .evaluate((bar) => [...bar.children].reduce((sum, part) => sum + part.clientWidth, 0) / bar.clientWidth);
    await expect.poll(() => filled).toBeGreaterThan(0.98);
  });

  it('caps bars at the whole, and writes durations in minutes, hours and days', async () => {
    const times = { time_to_first_review: 50, time_to_merge: 25, post_approval_time: 0.99 };
    await open('time', { time_metrics: { ...times, active_development_time: 1, waiting_for_review_time: 47.9 } });
    await words(card('Response Times')).toMatch(/2\.1 d Total Cycle Time .* 25\.0 h Post-Approval to Merge 59 min/);
    await words(card('Phase Durations')).toMatch(/Active Development .* 1\.0 h Waiting for Review .* 47\.9 h/);
    await bars(card('Response Times')).toEqual(['100%', '100%', '3.96%']);
    await bars(card('Phase Durations')).toEqual(['4%', '100%']);

    const unmerged = { time_to_merge: null, post_approval_time: null, time_to_first_review: null };
    await open('time', {
      state: 'open',
      merged_at: null,
      closed_at: null,
      time_metrics: { ...unmerged, active_development_time: 12, waiting_for_review_time: 36 },
    });
    await words(card('Response Times')).toMatch(/N\/A Total Cycle Time opened until now 2\.0 d$/);
    await bars(card('Phase Durations')).toEqual(['25%', '75%']);
  });

  it('grades engagement at 5, 10 and 20 comments, and reads a dismissed review as a comment', async () => {
    const review = (id: string, state: PullRequestDetail['reviews'][number]['state']) => ({
      id,
      reviewer: `r${id}`,
      reviewer_avatar: null,
      state,
      submitted_at: at(1),
      comments_count: 3,
      response_time: 1,
    });
    await open('reviews', {
      reviewers: [5, 6, 10, 11, 20, 21].map((comments) => reviewer(`r${comments}`, comments)),
      reviews: [
        review('1', 'approved'),
        review('2', 'changes_requested'),
        review('3', 'commented'),
        review('4', 'dismissed'),
      ],
    });

    await words(card('Reviewer Performance')).toMatch(
      /r5 Engagement: Low .*r6 Engagement: Medium .*r10 Engagement: Medium .*r11 Engagement: High .*r21 Engagement: High/,
    );
    await bars(card('Reviewer Performance')).toEqual(['25%', '30%', '50%', '55%', '100%', '100%']);
    await words(card('Review History')).toMatch(/r1 Approved .*r2 Changes Requested .*r3 Commented .*r4 Commented /);
    await words(page.getByRole('region', { name: 'Review figures' })).toMatch(
      /Total Comments 12 human review comments Approvals 1 of 4 reviews Changes Requested 1 of 4 reviews$/,
    );
  });

  it('lists who is asked and has not answered, on every card that counts reviewers', async () => {
    const asked = (name: string, hours: number) => ({ reviewer: name, avatar_url: null, asked_at: at(hours) });
    const changes: Changed = {
      state: 'open',
      created_at: at(0),
      merged_at: null,
      closed_at: null,
      reviews: [],
      reviewers: [],
      requested_reviewers: [asked('mara', 4), asked('@octo-org/crew', 76)],
      time_metrics: {
        time_to_merge: null,
        post_approval_time: null,
        active_development_time: 0,
        waiting_for_review_time: 100,
      },
    };
    await open('timeline', changes);
    await words(page.getByRole('region', { name: 'Key figures' })).toContain('0 reviewers, 2 asked');
    await words(card('Reviewers')).toMatch(
      /^Reviewers 0 reviews, 2 asked (MA )?mara asked 4\.0 d ago, no answer @octo-org\/crew asked 24\.0 h ago, no answer$/,
    );
    expect(await card('Reviewers').getByRole('link').count()).toBe(0);
    await open('reviews', { ...changes, contributors: ['mara'] });
    await words(card('Reviewer Performance')).toMatch(/0 reviewers, 2 asked .*mara asked 4\.0 d ago, no answer/);
    await card('Reviewer Performance').getByRole('link', { name: 'mara' }).waitFor();
  });

  it('keeps a decimal of a share that would read 0, and leads to the pages of contributors', async () => {
    await open('code', { additions: 1_000, deletions: 3 });
    await words(card('Net Code Impact')).toContain('Churn rate 0.3%');

    const others = handedOver(Array(249).fill(1), ['zoe', 'mara', 'mara', 'mara']).slice(0, 249);
    const once = happened(300, 'comment', 300, 'nils');
    await open('collaboration', { reviewers: [], timeline: [...others, once], contributors: ['nils', 'zoe'] });
    const contributions = card('Participant Contributions');
    await words(contributions).toMatch(/nils 1 action, 0\.4% of interactions/);
    await contributions.getByRole('link', { name: 'nils' }).waitFor();
    expect(await contributions.getByRole('link', { name: 'mara' }).count()).toBe(0);
  });

  it('puts the title before the actions on a phone, and keeps the time of day', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('timeline', {});
    const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0;
    const title = await top(page.getByRole('heading', { level: 1 }));

    expect(await top(page.getByText('PR #10', { exact: true }))).toBeLessThan(title);
    expect(title).toBeLessThan(await top(page.getByRole('button', { name: 'Refresh', exact: true })));
    const events = page.getByRole('region', { name: 'Events, oldest first' });
    expect(await events.locator('time').first().isVisible()).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it.each([
    [3, 5, 'Team', 10, 'Low'],
    [4, 5, 'Cross-team', 11, 'Medium'],
    [3, 6, 'Cross-team', 20, 'Medium'],
    [0, 1, 'Team', 21, 'High'],
  ])('%i reviewers and %i participants are %s collaboration, %i comments of %s intensity', async (...row) => {
    const [reviewers, participants, label, remarks, intensity] = row;
    const people = Array.from({ length: participants }, (_, index) => `p${index}`);
    await open('collaboration', {
      reviewers: people.slice(0, reviewers).map((name) => reviewer(name, 1)),
      timeline: people.map((name, index) => happened(index, 'comment', index, name)),
      comments: remarks - 4,
      review_comments: 4,
    });

    await words(page.getByRole('region', { name: 'Collaboration figures' })).toContain(
      `Total Participants ${participants} ${label} collaboration`,
    );
    await words(card('Discussion Activity')).toContain(`${intensity} intensity`);
  });

  it('lists ten handoffs and counts the rest, marked at 4 and 24 hours', async () => {
    const gaps = [3.99, 4, 23.98, 24, 1, 1, 1, 1, 1, 1];
    await open('collaboration', { timeline: handedOver(gaps, ['ada', 'ben']) });
    const handoffs = card('Handoff Efficiency');
    await expect.poll(() => handoffs.getByRole('listitem').count()).toBe(10);
    await expect.poll(() => handoffs.getByText(/more handoff/).count()).toBe(0);
    const colours = () =>
      handoffs
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => getComputedStyle(item.lastElementChild!).color));
    const [under4, from4, under24, from24] = await colours();
    expect(under4).not.toBe(from4);
    expect(from4).toBe(under24);
    expect(under24).not.toBe(from24);
    expect(new Set([under4, from4, from24]).size).toBe(3);

    await open('collaboration', { timeline: handedOver([...gaps, 1, 1], ['ada', 'ben']) });
    await words(handoffs).toContain('+2 more handoffs');
    await expect.poll(() => handoffs.getByRole('listitem').count()).toBe(10);
  });

  it.each([
    [79.9, 'Much Faster 20%', 'Smaller', true],
    [80, 'Faster 20%', 'Smaller', false],
    [99.9, 'Equal to the ', 'Equal to the average', false],
    [100, 'Equal to the ', 'Equal to the average', false],
    [119.9, 'Slower 20%', 'Larger', false],
    [120, 'Much Slower 20%', 'Much Larger', false],
  ])('%d h against 100 h are %s', async (hours, label, size, isExcellent) => {
    const lines = Math.round(hours);
    await open('comparative', {
      additions: lines,
      deletions: 0,
      time_metrics: { time_to_merge: hours },
      comparative_metrics: {
        author_avg_cycle_time: 100,
        author_avg_pr_size: 100,
        team_p50_cycle_time: 100,
        team_p75_cycle_time: 100,
        team_p90_cycle_time: 100,
        comparison_set_size: 8,
      },
    });

    await words(card('vs Your Average')).toContain(label);
    await words(card('vs Your Average')).toContain(size);
    await words(card('vs Team Median')).toContain(label);
    await expect.poll(() => page.getByText('Excellent Performance').count()).toBe(isExcellent ? 1 : 0);
    const faster = hours < 100 ? 1 : 0;
    await expect.poll(() => page.getByText('Smaller than average PR size').count()).toBe(faster);
    await expect.poll(() => page.getByText('Quick first review response').count()).toBe(faster);
    await expect.poll(() => page.getByText('Focused scope of changes').count()).toBe(lines < 100 ? 1 : 0);
  });

  it.each([
    [75, 80, 3, []],
    [75.1, 80.1, 4, ['Long Cycle Time', 'Large PR Size', 'Multiple Review Rounds']],
  ])('a rank of %d in time and %d in size and %i rounds lead to %j', async (time, size, rounds, titles) => {
    await open('comparative', {
      time_metrics: { review_cycles: rounds },
      comparative_metrics: {
        cycle_time_percentile: time,
        size_percentile: size,
        team_p50_cycle_time: 1,
        team_p75_cycle_time: 1,
        team_p90_cycle_time: 1,
        author_avg_cycle_time: null,
        comparison_set_size: 8,
      },
    });

    await expect.poll(() => card('Insights & Recommendations').locator('b').allTextContents()).toEqual(titles);
  });

  it.each([
    [2, 1],
    [3, 0],
  ])('%i rounds are minimal or not', async (review_cycles, shown) => {
    await open('comparative', { time_metrics: { review_cycles } });

    await expect.poll(() => page.getByText('Minimal review cycles needed').count()).toBe(shown);
  });

  it('draws every type of event with its dot, badge and gap', async () => {
    const sha = '0123456789abcdef0123456789abcdef01234567';
    const wanted = [
      ['opened', 'opened', 0, {}, null],
      ['commit', 'plain', 0.5, { sha }, '+30 min'],
      ['comment', 'comment', 1.4999, {}, '+59 min'],
      ['review', 'good', 2.4999, { review_state: 'approved' }, '+1.0 h'],
      ['review', 'bad', 26.3999, { review_state: 'changes_requested' }, '+23.9 h'],
      ['review', 'reviewed', 50.3999, { review_state: 'commented' }, '+1.0 d'],
      ['review_requested', 'plain', 50.3999, {}, null],
      ['status_check', 'good', 51, { check_status: 'success' }, '+36 min'],
      ['status_check', 'bad', 52, { check_status: 'timed_out' }, '+1.0 h'],
      ['deployed', 'plain', 53, {}, '+1.0 h'],
      ['closed', 'bad', 54, {}, '+1.0 h'],
      ['merged', 'merged', 55, {}, '+1.0 h'],
    ] as const;
    await open('timeline', {
      timeline: wanted.map(([type, , hours, metadata], index) => happened(index, type, hours, 'mona lisa', metadata)),
    });
    const rows = page.getByRole('region', { name: 'Events, oldest first' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(wanted.length);
    for (const [index, [type, tone, , , gap]] of wanted.entries()) {
      const row = rows.nth(index);
      await words(row).toContain(gap === null ? `did ${type}` : `${gap} since last event`);
      if (gap === null) expect(await row.innerText()).not.toContain('since last event');
      expect(await row.locator('[class*="_dot_"]').getAttribute('class'), type).toMatch(new RegExp(`_${tone}_`));
    }
    await words(rows.nth(1)).toContain(' 0123456 ');
    await words(rows.nth(0)).toContain('ML');
    await words(rows.nth(4)).toContain('changes requested');
    await words(rows.nth(8)).toContain('timed out');
    await expect
      .poll(() => rows.nth(0).locator('time').getAttribute('data-tip'))
      .toMatch(/^Mon 2 Mar( 2026)?, \d\d:\d\d, [\w/ ]+$/);
  });

  it('draws the rows in sight of a long timeline, and on paper all of them', async () => {
    await open('timeline', { timeline: handedOver(new Array<number>(300).fill(0.1), ['ada', 'ben']) });
    const pane = page.getByRole('region', { name: 'Events, oldest first' });
    const rows = pane.getByRole('listitem');
    await expect.poll(() => rows.count()).toBeLessThan(100);

    await page.emulateMedia({ media: 'print' });

    await expect.poll(() => rows.count()).toBe(301);
    await expect.poll(async () => (await pane.boundingBox())?.height).toBeGreaterThan(301 * 30);
    await page.emulateMedia({ media: null });
    await expect.poll(() => rows.count()).toBeLessThan(100);
  });
});
