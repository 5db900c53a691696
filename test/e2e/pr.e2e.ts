import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { AGENT, ago, PULLS, startDeepDiveProduct } from './support/deep-dive.ts';
import { connectAndSync, failing, signInAsMona, TEAM_REPOSITORY } from './support/team.ts';

let product: RunningProduct;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  product = await startDeepDiveProduct();
  browser = await startBrowser();
  page = await openPage(browser, product.url);
  await signInAsMona(page, product);
  await page.request.patch(`${product.url}/auth/me`, {
    headers: { origin: product.url },
    data: { time_zone: 'Europe/Oslo' },
  });
  await connectAndSync(page, product);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const path = (number: number) => `/pr/${TEAM_REPOSITORY}/${number}`;
const open = async (number: number, tab = '') => {
  await page.goto(`${path(number)}${tab === '' ? '' : `?tab=${tab}`}`);
  await page.getByRole('tabpanel').waitFor();
};
const card = (title: string): Locator =>
  page.getByRole('region').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const textOf = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/g, ' ');
const events = () => page.getByRole('region', { name: 'Events, oldest first' });

describe('the head of a merged pull request', () => {
  beforeAll(() => open(PULLS.full));

  it('names it, its state, its author and its repository, and leads to the host', async () => {
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toBe('Post settlement entries in one transaction');
    const head = await textOf(page.locator('main header').first());
    expect(head).toContain(`PR #${PULLS.full} Merged`);
    expect(head).toContain(TEAM_REPOSITORY);
    expect(head).toContain('ada');
    const link = page.getByRole('link', { name: /^View on / });
    await expect
      .poll(() => link.getAttribute('href'))
      .toBe(`${product.host.url}/${TEAM_REPOSITORY}/pull/${PULLS.full}`);
    await expect.poll(() => link.getAttribute('target')).toBe('_blank');
  });

  it('shows cycle time, review cycles, size and rank', async () => {
    const figures = await textOf(page.getByRole('region', { name: 'Key figures' }));

    expect(figures).toContain('Cycle Time 43.0 h vs team p50: 30.0 h');
    expect(figures).toContain('Review Cycles 2 rounds 2 reviewers');
    expect(figures).toContain('PR Size +150 −50 1 file changed');
    expect(figures).toContain('Percentile p80 Cycle time ranking');
  });

  it('explains a figure on a press, and Escape gives the focus back', async () => {
    const label = page.getByRole('button', { name: 'Cycle Time', exact: true });
    await label.click();
    await page
      .getByRole('dialog', { name: 'Explain this number' })
      .getByText(/from the opening/)
      .waitFor();

    await page.keyboard.press('Escape');

    await expect.poll(() => label.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});

describe('the Timeline tab', () => {
  beforeAll(() => open(PULLS.full));

  it('tells everything that happened in order, with its badges', async () => {
    const list = await textOf(events());

    expect(list).toMatch(/ada opened this pull request as a draft .* ada pushed 4 commits/);
    expect(list).toContain('ben asked for changes, 6 comments changes requested First review');
    expect(list).toContain('build and tests failure');
    expect(list).toContain('cleo approved, 1 comment approved');
    expect(list).toContain('ada merged it');
    await expect.poll(() => page.getByText('Complete lifecycle from opening to merge').count()).toBe(1);
    await expect.poll(() => page.getByRole('heading', { name: 'PR Timeline' }).count()).toBe(1);
  });

  it('names an agent’s review as not counted', async () => {
    expect(await textOf(events())).toMatch(
      /copilot-pull-request-reviewer\S* Agent left 3 comments commented not counted/,
    );
  });

  it('tells the gap since the last event, and emphasises those of more than four hours', async () => {
    const weight = (gap: string) =>
      events()
        .getByText(gap, { exact: true })
        .first()
        .evaluate((element) => getComputedStyle(element).fontWeight);

    expect(await weight('+14.0 h since last event')).toBe('500');
    expect(await weight('+3.0 h since last event')).toBe('400');
    expect(await textOf(events().getByRole('listitem').first())).not.toContain('since last event');
  });

  it('draws whose turn it was, whose words stand in milestones and totals', async () => {
    const band = page.getByRole('region', { name: /^Where the 43\.0 hours went/ });

    expect(await textOf(band)).toMatch(/Development 24\.0 h 56% Waiting for review 16\.0 h 37% Approved 3\.0 h 7%/);
    const milestones = await textOf(card('Milestones'));
    expect(milestones).toMatch(
      /Opened as a draft .*Ready for review .*\+10\.0 h.*First agent review .*\+6 min.*First review .*\+6\.0 h.*Approved .*\+24\.0 h.*Merged .*\+3\.0 h/,
    );
  });

  it('is accessible and fits every width', () => inspect(page, 'pr-timeline'));

  it('gathers pushes and lists them on a press', async () => {
    await open(PULLS.full);
    const before = await events().getByRole('listitem').count();
    await events().getByRole('button', { name: 'Show commits' }).click();

    await expect.poll(() => events().getByRole('listitem').count()).toBe(before + 4);
    await expect.poll(() => events().locator('code').first().textContent()).toMatch(/^[0-9a-f]{7}$/);
  });

  it('narrows to a kind of event, and the address keeps it', async () => {
    await open(PULLS.full);
    await page.getByText(/^Checks 1$/).click();
    await expect.poll(() => events().getByRole('listitem').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?events=checks');

    await page.reload();
    await expect.poll(() => events().getByRole('listitem').count()).toBe(1);
  });

  it('scrolls three thousand events in a pane of 600 pixels while only few of them are drawn', async () => {
    await open(PULLS.long);
    const pane = events();
    expect((await pane.boundingBox())?.height).toBe(600);
    const total = Number(await pane.getByRole('listitem').first().getAttribute('aria-setsize'));
    expect(total).toBeGreaterThan(3000);
    await expect.poll(() => pane.getByRole('listitem').count()).toBeLessThan(100);

    // At every frame of a fast scroll there is a row in the middle of the pane, and never more than a hundred in the page.
    const frames = await pane.evaluate(async (element) => {
      const seen: { rows: number; isBlank: boolean }[] = [];
      element.scrollIntoView({ block: 'center' });
      const { left, top, width } = element.getBoundingClientRect();
      for (let step = 0; step < 60; step += 1) {
        element.scrollTop += 450;
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        const middle = document.elementFromPoint(left + width / 2, top + 200);
        seen.push({ rows: element.querySelectorAll('li').length, isBlank: middle?.closest('li') == null });
      }
      return seen;
    });
    expect(Math.max(...frames.map(({ rows }) => rows))).toBeLessThan(100);
    expect(frames.filter(({ isBlank }) => isBlank)).toEqual([]);
    await pane.evaluate((element) => element.scrollTo(0, element.scrollHeight));

    await expect.poll(() => pane.getByRole('listitem').last().getAttribute('aria-posinset')).toBe(String(total));
    await expect.poll(() => pane.getByRole('listitem').count()).toBeLessThan(100);
  });
});

describe('the Time Analysis tab', () => {
  beforeAll(() => open(PULLS.full, 'time'));

  it('shows response times and phases that add up to the whole', async () => {
    expect(await textOf(card('Response Times'))).toMatch(
      /Time to First Review .*6\.0 h Total Cycle Time opened to merged 43\.0 h Post-Approval to Merge 3\.0 h/,
    );
    expect(await textOf(card('Phase Durations'))).toMatch(
      /Active Development 56% 24\.0 h Waiting for Review 37% 16\.0 h Review Cycles 2 rounds/,
    );
  });

  it('splits it into business hours and after hours, and names the time zone', async () => {
    const text = await textOf(card('Business Hours Analysis'));

    expect(text).toContain('Mon to Fri, 09:00 to 17:00 Europe/Oslo');
    expect(text).toMatch(/(High|Medium|Low) efficiency/);
    const [, business, after] = /Business hours .*?(\d+)% After hours .*?(\d+)%/.exec(text) ?? [];
    expect(Number(business) + Number(after)).toBe(100);
  });

  it('leaves out the time after an approval where there was none', async () => {
    await open(PULLS.atBounds, 'time');

    expect(await textOf(card('Response Times'))).not.toContain('Post-Approval to Merge');
    expect(await textOf(card('Response Times'))).toContain('Time to First Review from ready for review N/A');
  });

  it('is accessible and fits every width', async () => {
    await open(PULLS.full, 'time');
    await inspect(page, 'pr-time');
  });
});

describe('the Reviews tab', () => {
  beforeAll(() => open(PULLS.full, 'reviews'));

  it('counts rounds, comments, approvals and requests for changes', async () => {
    expect(await textOf(page.getByRole('region', { name: 'Review figures' }))).toBe(
      'Review Rounds 2 2 reviews Total Comments 7 human review comments Approvals 1 of 2 reviews Changes Requested 1 of 2 reviews',
    );
  });

  it('tells each review and what its reviewer did, without the agent', async () => {
    const history = await textOf(card('Review History'));
    expect(history).toMatch(
      /ben .*Changes Requested .*6 comments response 6\.0 h .*cleo .*Approved .*response 10\.0 h/,
    );
    expect(history).not.toContain(AGENT);
    expect(await textOf(card('Reviewer Performance'))).toMatch(
      /ben Engagement: Medium Reviews 1 Comments in all 6 Avg response 6\.0 h Approval rate 0%.*cleo Engagement: Low/,
    );
    await inspect(page, 'pr-reviews');
  });
});

describe('the Code Metrics tab', () => {
  it('judges 200 lines, 21 files and 11 commits', async () => {
    await open(PULLS.overBounds, 'code');

    expect(await textOf(card('PR Size Analysis'))).toContain('Medium Consider splitting if possible');
    expect(await textOf(card('Files Changed'))).toBe('Files Changed 21 Consider splitting by feature area');
    expect(await textOf(card('Commits'))).toBe('Commits 11 Consider squashing related commits');
  });

  it('judges 199 lines, 20 files and 10 commits', async () => {
    await open(PULLS.atBounds, 'code');

    expect(await textOf(card('PR Size Analysis'))).toContain('Small Good size, easy to review thoroughly');
    expect(await textOf(card('Files Changed'))).toBe('Files Changed 20 Manageable scope');
    expect(await textOf(card('Commits'))).toBe('Commits 10 Good commit hygiene');
    expect(await textOf(page.getByRole('region', { name: 'Key figures' }))).toContain('20 files changed');
  });

  it('tells the net impact, and shows the chart as a table', async () => {
    await open(PULLS.full, 'code');

    expect(await textOf(card('Net Code Impact'))).toBe('Net Code Impact +100 lines Churn rate 33%');
    await card('PR Size Analysis').getByRole('button', { name: 'Show as table' }).click();
    expect(await textOf(card('PR Size Analysis').getByRole('table'))).toContain('Additions 150 75% Deletions 50 25%');
    expect(await textOf(card('Size Comparison'))).toMatch(
      /This PR 200 lines Author average 12 lines .*Size percentile among the team’s merges Too Large p100/,
    );
    await inspect(page, 'pr-code');
  });
});

describe('the Collaboration tab', () => {
  it('tells who took part and how work was handed over', async () => {
    await open(PULLS.full, 'collaboration');

    expect(await textOf(page.getByRole('region', { name: 'Collaboration figures' }))).toBe(
      'Total Participants 4 Team collaboration Total Interactions 3 by others than the author Avg Handoff Time 6.6 h mean of 5 handoffs, bots and agents included',
    );
    expect(await textOf(card('Participant Contributions'))).toMatch(
      /ada Author 9 actions ben Engagement: Medium 1 action, 33% of interactions cleo Engagement: Low 1 action, 33% of interactions copilot\S* Agent 1 action, 33% of interactions/,
    );
    await inspect(page, 'pr-collaboration');
  });

  it('lists ten handoffs and counts the others', async () => {
    await open(PULLS.talk, 'collaboration');

    const handoffs = card('Handoff Efficiency');
    await expect.poll(() => handoffs.getByRole('listitem').count()).toBe(10);
    expect(await textOf(handoffs)).toContain('+1 more handoff');
    expect(await textOf(handoffs)).toMatch(/3\.9 h .*4\.0 h .*24\.0 h/);
    expect(await textOf(card('Discussion Activity'))).toBe(
      'Discussion Activity Medium intensity General comments 11 Review comments inline threads, bots and agents included 0',
    );
  });
});

describe('what a pull request is compared with', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Explain this number' });

  it('is explained by the merges behind it, from the card, the drawing and the table', async () => {
    await open(PULLS.full, 'comparative');
    await page.getByRole('button', { name: 'vs team p50' }).press('Enter');
    await expect.poll(() => textOf(dialog())).toMatch(/^Team p50 .* Value 30\.0 h|^Team p50 .* Mean 30\.0 h/);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });

    await card('Team Benchmarks').locator('[data-part]').nth(1).click();
    await expect
      .poll(() => textOf(dialog()))
      .toMatch(/^Team p75 .* Value 40\.0 h .* Based on \d+ pull requests .* 90 days/);
    await dialog()
      .getByRole('button', { name: /^See the / })
      .click();
    await dialog().getByRole('link').first().waitFor();
    await expect
      .poll(() => dialog().getByRole('link', { name: 'Post settlement entries in one transaction' }).count())
      .toBe(0);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });

    await card('Team Benchmarks').getByRole('button', { name: 'Show as table' }).click();
    await card('Team Benchmarks').getByRole('button', { name: '46.0 h' }).press('Enter');
    await expect.poll(() => textOf(dialog())).toMatch(/^Team p90 .* Value 46\.0 h/);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });

  it.each([
    ['comparative', 'vs Your Average', 'PR size', 'Author average size'],
    ['comparative', 'vs Team Median', 'PR size', 'Team p50 of size'],
    ['comparative', 'Percentile Rankings', 'Size', 'Size percentile'],
    ['code', 'Size Comparison', 'Size percentile', 'Size percentile'],
  ])('is explained in the tab %s under %s', async (tab, title, label, name) => {
    await open(PULLS.full, tab);
    await card(title).getByRole('button', { name: label, exact: true }).press('Enter');
    await dialog().getByText('Based on', { exact: true }).waitFor();
    await expect.poll(() => textOf(dialog())).toMatch(new RegExp(`^${name} `));
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });
});

describe('the Comparative tab', () => {
  it('places the pull request among its author’s others and the team’s', async () => {
    await open(PULLS.full, 'comparative');

    expect(await textOf(card('vs Your Average'))).toMatch(/Cycle time Faster 14% .*PR size Much Larger 17×/);
    expect(await textOf(card('vs Team Median'))).toMatch(
      /5 others merged in the 90 days before .*Much Slower 43% .*PR size Much Larger 17× .*Team p50 12 lines/,
    );
    expect(await textOf(card('Percentile Rankings'))).toMatch(
      /p80 .*Took longer than 80% of PRs, 4 of 5 .*Too Large p100 .*Larger than 100% of PRs, 5 of 5/,
    );
    expect(await textOf(card('Team Benchmarks'))).toMatch(
      /Team p50 30\.0 h Team p75 40\.0 h This PR 43\.0 h Team p90 46\.0 h Between p75 and p90/,
    );
    expect(await textOf(card('Insights & Recommendations'))).toMatch(/Long Cycle Time .*Large PR Size/);
    expect(await textOf(card('Success Patterns'))).toBe(
      'Success Patterns Minimal review cycles needed 2 rounds of review.',
    );
    await inspect(page, 'pr-comparative');
  });

  it('says N/A and why with four others, and compares with five', async () => {
    await open(5, 'comparative');
    expect(await textOf(card('Team Benchmarks'))).toContain(
      'N/A Only 4 others were merged in the 90 days before; from 5 on they are compared.',
    );
    expect(await textOf(page.getByRole('region', { name: 'Key figures' }))).toContain('vs team p50: N/A');

    await open(PULLS.atBounds, 'comparative');
    await expect.poll(() => card('Team Benchmarks').getByText('N/A').count()).toBe(0);
  });
});

describe('keys and addresses', () => {
  it('open the tabs by number, arrow and click, and the address names the tab', async () => {
    await open(PULLS.full);
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('4');
    await page.getByRole('tab', { name: 'Code Metrics', selected: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=code');

    await page.getByRole('tab', { name: 'Code Metrics' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Collaboration', selected: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=collaboration');

    await page.getByRole('tab', { name: 'Reviews' }).click();
    await page.getByRole('tab', { name: 'Reviews', selected: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=reviews');
  });

  it('open the pull request on the host with o, save while typing', async () => {
    await open(PULLS.full);
    await page.getByPlaceholder('Search contributors...').first().fill('o');
    expect(page.context().pages()).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Timeline' }).focus();
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('o')]);

    await opened.waitForURL(/\/pull\/6$/);
    await opened.close();
  });

  it('take an unknown tab for the first one', async () => {
    await open(PULLS.full, 'nonsense');

    await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor();
  });
});

describe('an open draft', () => {
  it('says whose turn it is', async () => {
    await open(PULLS.draft);

    const head = await textOf(page.locator('main header').first());
    expect(head).toContain(`PR #${PULLS.draft} Open Draft`);
    expect(head).toMatch(/open for 5\.\d h .*Author · draft for 5\.\d h/);
    expect(await textOf(page.getByRole('region', { name: 'Key figures' }))).toMatch(/Cycle Time 5\.\d h so far/);
    await expect.poll(() => page.getByText('Complete lifecycle from opening to current state').count()).toBe(1);
    await inspect(page, 'pr-open-draft');
  });
});

describe('fresh figures', () => {
  it('come from the host on a press, and reach another open page by themselves', async () => {
    await open(PULLS.draft);
    const other = await page.context().newPage();
    await other.goto(path(PULLS.draft));
    await other.getByText(/^All 2$/).waitFor();
    await product.host.control(`repos/${TEAM_REPOSITORY}/pulls/${PULLS.draft}/entries`, ago(0, 'comment', 'ben'));

    await page.getByRole('button', { name: 'Refresh', exact: true }).click();

    await page.getByText('ben commented').waitFor();
    await other.getByText('ben commented').waitFor();
    await other.close();
  });

  it('that could not be fetched leave the old ones, with the reason', async () => {
    await open(PULLS.draft);
    const undo = await failing(page, `/api${path(PULLS.draft)}/refresh`, {
      error: 'The host did not answer.',
      code: 'host_failed',
      request_id: 'abc',
    });
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();

    const alert = page.getByRole('alert');
    await alert.getByText(/could not be refreshed\. The host did not answer\. Request abc\./).waitFor();
    await expect.poll(() => page.getByText('ada opened this pull request').count()).toBe(1);
    // Nothing is pointed at while the widths change: no tooltip comes up.
    await page.mouse.move(0, 0);
    await inspect(page, 'pr-refresh-failed');
    await undo();
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await expect.poll(() => alert.count()).toBe(0);
  });
});

describe('a pull request that cannot be shown', () => {
  it('is not found, and Go Back returns to the page before', async () => {
    await page.goto('/prs?state=closed');
    await page.getByRole('heading', { name: 'Pull Request Management' }).waitFor();
    await page.goto(path(9999));
    await page.getByRole('alert').getByText('PR not found').waitFor();
    await inspect(page, 'pr-not-found');

    await page.getByRole('button', { name: 'Go Back' }).click();

    await page.waitForURL('**/prs?state=closed');
  });

  it('is not asked for where the number is none', async () => {
    const asked: string[] = [];
    const listen = (request: { url(): string }) => void asked.push(new URL(request.url()).pathname);
    page.on('request', listen);
    await page.goto(`/pr/${TEAM_REPOSITORY}/none`);
    await page.getByRole('alert').getByText('PR not found').waitFor();
    page.off('request', listen);

    expect(asked.filter((name) => name.startsWith('/api/pr/'))).toEqual([]);
  });

  it('says why it failed and fetches it on Retry', async () => {
    const undo = await failing(page, `/api${path(PULLS.full)}`, 'The database is being moved.');
    await page.goto(path(PULLS.full));
    await page.getByRole('alert').getByText('Failed to load PR details').waitFor();
    await expect.poll(() => page.getByText('The database is being moved.').count()).toBe(1);
    await inspect(page, 'pr-failed');
    await undo();

    await page.getByRole('button', { name: 'Retry' }).click();

    await page.getByRole('tabpanel').waitFor();
  });
});
