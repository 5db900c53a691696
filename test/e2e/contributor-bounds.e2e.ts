import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { BOUNDS_REPOSITORY, startBoundsProduct } from './support/bounds.ts';
import { openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona } from './support/team.ts';

const praise = 'a steady rhythm';
const advice = 'Smaller and more frequent contributions would keep work moving.';
const split = 'Split large changes into smaller pull requests';
const finish = 'Finish open pull requests before opening new ones';

describe('on a contributor’s page, at the bounds of the rules', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startBoundsProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product, BOUNDS_REPOSITORY);
    await page.goto('/contributor');
    await page.getByText('No contributor selected').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const card = (name: string) => page.getByRole('region', { name });
  /** Goes to somebody's page without loading the app anew. */
  const visit = async (login: string) => {
    await page.evaluate((path) => history.pushState(null, '', path), `/contributor/${login}`);
    await page.getByRole('heading', { name: login, level: 2, exact: true }).waitFor();
  };
  /** Waits until a card of somebody's page holds all of the texts, and none of the others. */
  const expectIn = async (name: string, texts: readonly string[], absent: readonly string[] = []) => {
    await expect
      .poll(async () => {
        const words = await card(name).innerText();
        return {
          missing: texts.filter((text) => !words.includes(text)),
          unwanted: absent.filter((text) => words.includes(text)),
        };
      })
      .toEqual({ missing: [], unwanted: [] });
  };

  it.each([
    ['opens-5-then-6', 'Good progress', '6 opened and 6 merged this week, 5 opened the week before.'],
    ['opens-4-then-5', 'Excellent momentum', '5 opened and 5 merged this week, 4 opened the week before.'],
    ['opens-5-then-4', 'Relatively stable', '4 opened and 4 merged this week, 5 opened the week before.'],
    ['opens-4-then-3', 'Velocity declining', '3 opened and 3 merged this week, 4 opened the week before.'],
    ['opens-2-then-2', 'Relatively stable', '2 opened and 2 merged this week, 2 opened the week before.'],
  ])('%s: the velocity reads "%s"', async (login, message, sentence) => {
    await visit(login);

    await expectIn('Velocity Trend', [message, sentence, 'Merge rate 100%.'], ['below 70%']);
  });

  it.each([
    ['seven-of-ten', 'Merge rate 70%.', []],
    ['two-of-three', 'Merge rate 67%.', ['Merge rate below 70%']],
  ])('%s: %s', async (login, rate, warnings) => {
    await visit(login);

    await expectIn('Velocity Trend', [rate, ...warnings], warnings.length === 0 ? ['below 70%'] : []);
  });

  it.each([
    ['streak-7', 7, 'varied days', [advice], [praise], 'Very Low'],
    ['streak-8', 8, 'varied days', [advice, 'A streak of 8 days in a row: a steady rhythm.'], [], 'Very Low'],
    ['active-9', 1, 'varied days', [advice, '(30%)'], [praise], 'Very Low'],
    ['active-10', 1, 'varied days', ['10 of the last 30 days (33%)'], [advice, praise], 'Low'],
    ['active-19', 19, 'varied days', [praise], [advice], 'Moderate'],
    ['active-20', 20, 'weekdays', [praise, '(67%)'], [advice], 'High'],
    ['active-24', 24, 'weekdays', [], [advice], 'High'],
    ['active-25', 25, 'weekdays', ['25 of the last 30 days (83%)'], [advice], 'Very High'],
  ])('%s: a streak of %d days, on %s', async (login, streak, rhythm, said, unsaid, level) => {
    await visit(login);

    await expectIn(
      'Activity Calendar',
      [`${streak} ${streak === 1 ? 'day' : 'days'} in a row · longest ${streak}`, `Active on ${rhythm}:`, ...said],
      unsaid,
    );
    await expectIn('Activity Overview', [`${level} activity`]);
  });

  it.each([
    ['reviews-20-of-5', 'High Impact', 'Reviewed 20 PRs for 5 developers'],
    ['reviews-19-of-5', 'Good Impact', 'Reviewed 19 PRs for 5 developers'],
    ['reviews-20-of-4', 'Good Impact', 'Reviewed 20 PRs for 4 developers'],
    ['reviews-10-of-3', 'Good Impact', 'Reviewed 10 PRs for 3 developers'],
    ['reviews-9-of-3', 'Moderate Impact', 'Reviewed 9 PRs for 3 developers'],
    ['reviews-10-of-2', 'Moderate Impact', 'Reviewed 10 PRs for 2 developers'],
    ['reviews-5-of-1', 'Moderate Impact', 'Reviewed 5 PRs for 1 developer'],
    ['reviews-4-of-1', 'Building Impact', 'Reviewed 4 PRs for 1 developer'],
  ])('%s: %s', async (login, impact, sentence) => {
    await visit(login);

    await expectIn('Team Impact', [impact, sentence]);
  });

  it.each([
    ['open-3', 'Excellent', ['Nothing waits too long.'], ['Recommended actions']],
    ['open-4', 'Good', ['Nothing waits too long.'], ['Recommended actions']],
    ['open-5', 'Good', [], ['Recommended actions']],
    ['open-6', 'Needs Attention', ['Recommended actions', finish], [split]],
    ['open-7', 'Needs Attention', [finish], [split]],
    ['open-8', 'Critical', [finish], []],
    ['stale-1', 'Good', ['Take up or close the stale pull request'], [finish, 'and 1 more']],
    ['stale-2', 'Needs Attention', ['Take up or close 2 stale pull requests', '8 d'], []],
    ['stale-3', 'Critical', ['Take up or close 3 stale pull requests'], []],
    ['large-1-of-10', 'Good', ['10%'], ['Recommended actions']],
    ['large-1-of-5', 'Needs Attention', ['20%'], ['Recommended actions']],
    ['seven-of-ten', 'Critical', ['30%', split], [finish]],
  ])('%s: the health is %s', async (login, status, said, unsaid) => {
    await visit(login);

    await expectIn('Health Indicators', [status, ...said], unsaid);
  });

  it.each([
    ['open-4', '4', null],
    ['open-5', '5', 'var(--neutral)'],
    ['open-7', '7', 'var(--neutral)'],
    ['open-8', '8', 'var(--bad)'],
    ['large-1-of-10', '10%', null],
    ['large-1-of-5', '20%', 'var(--watch)'],
    ['seven-of-ten', '30%', 'var(--watch)'],
    ['two-of-three', '33%', 'var(--bad)'],
  ])('%s: %s stands in the colour of %s', async (login, words, colour) => {
    await visit(login);
    const figure = card('Health Indicators').getByText(words, { exact: true });

    await expect
      .poll(() =>
        figure.first().evaluate((element, name) => {
          const chip = element.closest('span');
          if (name === null) return chip === null || getComputedStyle(chip).backgroundColor === 'rgba(0, 0, 0, 0)';
          const probe = document.body.appendChild(document.createElement('i'));
          probe.style.color = name;
          const wanted = getComputedStyle(probe).color;
          probe.remove();
          return chip !== null && getComputedStyle(chip).color === wanted;
        }, colour),
      )
      .toBe(true);
  });

  it.each([
    ['seven-of-ten', ['70% have up to 200 lines, on the target of 70%.', 'Excellent', 'Many large PRs'], []],
    ['two-of-three', ['67% have up to 200 lines, the target is 70%.', 'Many large PRs'], ['Excellent']],
    ['large-1-of-5', ['80% have up to 200 lines, on the target of 70%.', 'Excellent'], ['Many large PRs']],
  ])('%s: the sizes are held against the target', async (login, said, unsaid) => {
    await visit(login);

    await expectIn('PR Size Distribution', said, unsaid);
  });

  it('counts and letters sizes on both sides of every bound', async () => {
    await visit('sizes');
    await card('PR Size Distribution').getByRole('button', { name: 'Show as table' }).click();
    await expect
      .poll(() => card('PR Size Distribution').locator('tbody tr').allInnerTexts())
      .toEqual(['0-50\t1', '51-200\t2', '201-500\t2', '501-1000\t2', '1000+\t1']);

    const lines = card('Pull Requests').locator('tbody tr td:nth-child(4)');
    await expect
      .poll(async () => (await lines.allInnerTexts()).map((words) => words.replace(/\s+/g, ' ').trim()).sort())
      .toEqual(['1,000 L', '1,001 XL', '200 S', '201 M', '50 XS', '500 M', '501 L', '51 S']);
  });

  it.each([
    ['merged-24', 'Excellent', '24.0 h'],
    ['merged-25', 'Good', '25.0 h'],
    ['merged-72', 'Good', '3.0 d'],
    ['merged-73', 'Average', '3.0 d'],
    ['merged-168', 'Average', '7.0 d'],
    ['merged-169', 'Needs Improvement', '7.0 d'],
  ])('%s: the time to merge is rated %s', async (login, rating, hours) => {
    await visit(login);

    await expect
      .poll(() => page.getByRole('table', { name: 'Performance metrics' }).getByRole('row').first().innerText())
      .toMatch(new RegExp(`Time to merge\\s+${rating}\\s+${hours.replace('.', '\\.')}`));
  });

  it('shows an empty heat map in words, and a full one with its busiest hour', async () => {
    await visit('streak-7');
    await card('Review Heat Map').getByText('No reviews in the last 90 days').waitFor();

    await visit('reviews-20-of-5');
    await card('Review Heat Map')
      .getByText(/^20 reviews\. Busiest hour: \w+day \d+:00, \d+ reviews\./)
      .waitFor();
  });
});
