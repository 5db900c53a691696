import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, screenshot, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

const DAY = 86_400_000;

interface Answer {
  items: {
    figure: string;
    buckets: string[];
    complete: boolean[];
    lines: { key: string; name: string; points: { value: number | null; n: number }[]; usual: object | null }[];
    events: { at: string; kind: string; text: string }[];
  }[];
}

describe('trends', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const lastFull = () => page.getByRole('region', { name: 'Last full week', exact: true });
  const numbers = () => page.getByRole('region', { name: 'Every number', exact: true });
  const plot = () => page.getByRole('group', { name: /^Each value/ });
  const told = () => plot().getByRole('status').textContent();
  const chart = () => page.getByRole('img', { name: /, 26 weeks; the last full week: / });
  const answered = async (query: string) => {
    const answer = await page.request.get(`${product.url}/api/trends?${query}`);
    return ((await answer.json()) as Answer).items[0]!;
  };
  /** Changes the answers to what trends are asked for, until it is undone. */
  const answering = async (change: (answer: Answer) => void): Promise<() => Promise<void>> => {
    const matches = (url: URL) => url.pathname === '/api/trends';
    await page.route(matches, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Answer;
      change(answer);
      await route.fulfill({ response, json: answer });
    });
    // What is still on its way is answered first.
    return () => page.unrouteAll({ behavior: 'wait' });
  };
  const monday = (weeks: number) => {
    const today = new Date();
    const back = ((today.getUTCDay() + 6) % 7) + 7 * weeks;
    return new Date(today.getTime() - back * DAY).toISOString().slice(0, 10);
  };

  it('lead to the first repository when there is none', async () => {
    await page.goto('/trends');
    await page.getByText('No repository is connected yet.').waitFor();
  });

  it('are found in the navigation, and show a figure as one image with a sentence and as numbers', async () => {
    await connectAndSync(page, product);
    await page.goto('/dashboard');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trends' }).click();
    await page.getByText('Time to first review, median per week', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^Time to first review, median, 26 weeks; the last full week: / }).waitFor();

    await expect.poll(() => lastFull().getByRole('rowheader').allInnerTexts()).toEqual(['All']);
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 8);
    await numbers().getByRole('button', { name: 'Show all weeks' }).click();
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 26);
    await page.getByRole('button', { name: 'Show as table' }).click();
    await expect.poll(() => chart().count()).toBe(0);
    const table = page.getByRole('region', { name: 'Trend', exact: true }).getByRole('table');
    expect(await table.getByRole('row').count()).toBe(1 + 26);
    await page.getByRole('button', { name: 'Show as chart' }).click();
    await chart().waitFor();
    await inspect(page, 'trends');
  });

  it('show what is chosen, which the address keeps', async () => {
    await page.getByLabel('Figure').selectOption({ label: 'Pull requests opened' });
    await page.getByLabel('Split', { exact: true }).selectOption({ label: 'Split by size' });
    await page.getByRole('button', { name: /^26 weeks, / }).click();
    await page.getByRole('dialog', { name: 'Time' }).getByRole('button', { name: '12 weeks' }).click();
    await page.getByText('Pull requests opened, per week, split by size').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?figure=opened&split=size&weeks=12');
    const { lines } = await answered(`figure=opened&split=size&from=${monday(11)}`);

    await expect.poll(() => lastFull().getByRole('rowheader').allInnerTexts()).toEqual(lines.map(({ name }) => name));
    const rows = await numbers().getByRole('row').allInnerTexts();
    const newest = lines.map(({ points }) => `${points.at(-1)!.value} n ${points.at(-1)!.n}`);
    expect(rows[1]!.split('\t').slice(1)).toEqual(newest);

    await page.reload();
    await expect.poll(() => page.getByLabel('Figure').inputValue()).toBe('opened');
    await expect.poll(() => lastFull().getByRole('rowheader').count()).toBe(lines.length);
    await inspect(page, 'trends-by-size', { aState: true });
  });

  it('say of a control that does not apply why', async () => {
    const aggregate = page.getByRole('radiogroup', { name: /^What of the values/ });
    expect(await aggregate.getAttribute('aria-label')).toContain(
      'Only durations and sizes have a mean and percentiles.',
    );
    await page.getByRole('button', { name: 'More filters' }).click();
    const more = page.getByRole('dialog', { name: 'More filters' });
    expect(await more.getByRole('checkbox', { name: 'All base branches' }).isDisabled()).toBe(true);
    await more.getByLabel('Labels').fill('bug, nothing');
    await more.getByLabel('Labels').press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('labels')).toBe('bug,nothing');
    await page.goto('/trends?figure=merged_unapproved');
    await page.getByText('Pull requests by people, default branch').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await more.getByRole('checkbox', { name: 'All base branches' }).check();
    await page.getByText('Pull requests by people, every base branch').waitFor();
    await page.goto('/trends?figure=opened&bucket=day&weeks=104');
    await page.getByText('Pull requests opened, per week').waitFor();
  });

  it('keep the old lines, and a note that is being written, while a figure of another kind is under way', async () => {
    await page.goto('/trends?figure=merged');
    await chart().waitFor();
    await page.getByRole('button', { name: 'Add a note' }).last().click();
    await page.getByLabel('What happened', { exact: true }).fill('A release');
    const held = Promise.withResolvers<void>();
    await page.route('**/api/trends?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByLabel('Figure', { exact: true }).selectOption('time_to_merge');

    await page
      .locator('[data-outdated]')
      .getByRole('img', { name: /^Pull requests merged, / })
      .waitFor();
    await page.getByRole('radiogroup', { name: 'Points' }).getByText('Month', { exact: true }).click();
    await page.getByText('Time to merge, median per month', { exact: true }).waitFor();
    // The weeks of before are called weeks until months are there.
    expect(await lastFull().getAttribute('data-outdated')).not.toBeNull();
    await numbers().getByText('8 of 26 weeks.').waitFor();
    held.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('img', { name: /^Time to merge, median, \d months; the last full month: / }).waitFor();
    expect(await page.locator('[data-outdated]').count()).toBe(0);
    expect(await page.getByLabel('What happened', { exact: true }).inputValue()).toBe('A release');
  });

  it('may be of any days, told apart by whether pull requests were opened as drafts', async () => {
    // Of the two weeks before this one, something happened in the later on whatever day it is.
    const [from, to] = [monday(2), monday(0)];
    await page.goto(`/trends?figure=opened&split=draft&from=${from}&to=${to}`);
    const { lines } = await answered(`figure=opened&split=draft&from=${from}&to=${to}`);
    await expect.poll(() => lastFull().getByRole('rowheader').allInnerTexts()).toEqual(lines.map(({ name }) => name));
    expect(lines.map(({ key }) => key)).toContain('false');
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 2);
  });

  it('tell their values to whoever moves through them by keyboard', async () => {
    await page.goto('/trends?figure=opened&split=draft');
    await chart().waitFor();
    await plot().focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(told).toMatch(/, running, day \d\n.+: \d+, n \d+/);
    const running = await told();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(told).not.toBe(running);
    await page.keyboard.press('ArrowRight');
    await expect.poll(told).toBe(running);
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await told())?.split('\n').length).toBe(2);
    const first = await told();
    await page.keyboard.press('ArrowDown');
    await expect.poll(told).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    await expect.poll(told).toBe(first);
    await page.keyboard.press('Escape');
    await expect.poll(told).toBe('');
  });

  it('open a point into what is behind it: as many as it is over', async () => {
    await page.goto('/trends?figure=opened&split=size');
    await chart().waitFor();
    await plot().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await expect.poll(told).toMatch(/: \d+, n \d+$/);
    const [, line, n] = /\n(.+): .+, n (\d+)$/.exec((await told())!)!;
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByText(`Pull requests opened: ${line}`).waitFor();
    const things = `${n} pull request${n === '1' ? '' : 's'}`;
    await dialog.getByText(things, { exact: true }).waitFor();
    await accessible(page, 'trends-point');
    await plot().focus();
    await page.keyboard.press('Escape');
    // By the pointer: on the very point.
    await page.goto(`/trends?figure=opened&from=${monday(2)}&to=${monday(0)}`);
    await page.getByRole('img', { name: /, 2 weeks; the last full week: / }).waitFor();
    const box = (await plot().boundingBox())!;
    const dot = (await page.locator('[class*="dot"]').last().boundingBox())!;
    await plot().click({ position: { x: dot.x - box.x + 3, y: dot.y - box.y + 3 } });
    const button = dialog.getByRole('button', { name: /^See the / });
    const words = await button.innerText();
    await button.click();
    const items = dialog.getByRole('list', { name: 'Pull requests behind this number' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(Number(/\d+/.exec(words)![0]));
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await plot().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('draw how the latest things behind a point are distributed, and list the largest', async () => {
    const item = { repo_owner: 'octo-org', repo_name: 'work', pr_number: 1, title: 'One', state: 'merged' };
    const about = { metric: 'size', name: 'Size', definition: 'Lines.', unit: 'lines', part: 'all', left_out: [] };
    const matches = (url: URL) => url.pathname === '/api/trends/size/prs';
    await page.route(matches, async (route) => {
      const value = new URL(route.request().url()).searchParams.get('order') === 'value' ? 3000 : 40;
      const items = Array.from({ length: 100 }, () => ({
        ...item,
        author: 'mona',
        at: new Date().toISOString(),
        value,
      }));
      const window = { from: null, to: new Date().toISOString() };
      await route.fulfill({
        json: { ...about, window, value: 300, mean: 300, median: 40, n: 400, items, total: 400, hasMore: true },
      });
    });
    await page.goto(`/trends?figure=size&from=${monday(2)}&to=${monday(0)}`);
    await page.getByRole('img', { name: /, 2 weeks; the last full week: / }).waitFor();
    await plot().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByRole('img', { name: /^Distribution: 0-50: 100, 51-200: 0, / }).waitFor();
    await dialog.getByText('Of the latest 100.').waitFor();
    await dialog.getByRole('button', { name: 'See the 400 pull requests' }).click();
    await dialog.getByText('The largest 100 of 400.').waitFor();
    expect(await dialog.getByRole('listitem').first().innerText()).toContain('3,000');
    await page.unroute(matches);
  });

  it('lift a line that is pointed at, and pin one that is pressed, in the address', async () => {
    await page.goto('/trends?figure=opened&split=size');
    const end = page.getByRole('button', { name: /^0-50/ });
    await end.click();
    await expect.poll(() => end.getAttribute('aria-pressed')).toBe('true');
    expect(new URL(page.url()).searchParams.get('pinned')).toBe('0-50');
    await page.reload();
    await expect.poll(() => end.getAttribute('aria-pressed')).toBe('true');
    await end.click();
    await expect.poll(() => new URL(page.url()).searchParams.get('pinned')).toBeNull();
  });

  it('are downloaded as they are shown', async () => {
    await page.goto('/trends?figure=opened&split=size');
    await chart().waitFor();
    const { buckets, complete, lines } = await answered(`figure=opened&split=size&from=${monday(25)}`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^trends_\d{4}-\d{2}-\d{2}\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    const rows = text
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .map((row) => row.slice(1, -1).split('","'));
    expect(rows).toEqual([
      ['from', 'complete', ...lines.flatMap(({ name }) => [name, `${name}, n`])],
      ...buckets.map((bucket, at) => [
        bucket,
        String(complete[at]),
        ...lines.flatMap(({ points }) => [String(points[at]!.value ?? ''), String(points[at]!.n)]),
      ]),
    ]);
  });

  it('stand beside each other, up to six, on one time axis', async () => {
    await page.goto('/trends');
    await page.getByRole('button', { name: 'Add a figure' }).click();
    const figures = page.getByRole('dialog', { name: 'Figures' });
    for (const name of ['Time to merge', 'Pull requests merged', 'Pull request size', 'Merge rate', 'Reviews'])
      await figures.getByRole('checkbox', { name, exact: true }).check();
    expect(await figures.getByRole('checkbox', { name: 'Review cycles', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByText('Six figures on one time axis, per week').waitFor();
    await expect.poll(() => page.getByRole('img', { name: /26 weeks/ }).count()).toBe(6);
    const merged = page.getByRole('region', { name: 'Pull requests merged', exact: true });
    const other = page.getByRole('region', { name: 'Merge rate', exact: true });
    await merged.getByRole('group').hover({ position: { x: 60, y: 40 } });
    const pointers = page.locator('[class*="pointer"]');
    await expect.poll(() => pointers.count()).toBe(6);
    expect(await other.locator('[class*="pointer"]').getAttribute('style')).toBe(
      await merged.locator('[class*="pointer"]').getAttribute('style'),
    );
    await page.mouse.move(0, 0);
    await inspect(page, 'trends-multiples');
    await page.getByRole('button', { name: 'Show as tables' }).click();
    await expect.poll(() => page.getByRole('heading', { name: /^Every number: / }).count()).toBe(6);
  });

  it('have all numbers on paper', async () => {
    await page.goto('/trends?split=size');
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 8);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 26);
    await screenshot(page, 'trends-print');
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => numbers().getByRole('row').count()).toBe(1 + 8);
  });

  it('draw what happened meanwhile', async () => {
    await page.request.post(`${product.url}/api/notes`, {
      headers: { origin: product.url },
      data: { at: monday(10), text: 'Release freeze' },
    });
    const undo = await answering(({ items }) => {
      for (const { events } of items)
        events.unshift(
          {
            at: `${monday(20)}T10:00:00Z`,
            kind: 'ai_reviewer',
            text: 'helper[bot] reviewed for the first time: a/b#1',
          },
          {
            at: `${monday(16)}T10:00:00Z`,
            kind: 'definitions',
            text: 'The definitions of figures changed (version 9)',
          },
          {
            at: `${monday(15)}T10:00:00Z`,
            kind: 'thresholds',
            text: 'Thresholds changed: lines of a big one 400 → 500',
          },
        );
    });
    await page.goto('/trends?figure=opened');
    const events = page.getByRole('list', { name: 'What happened meanwhile' });
    await expect.poll(() => events.getByRole('listitem').count()).toBe(5);
    await events.getByRole('button', { name: 'first review by helper', exact: true }).waitFor();
    // It would touch the one before: its words are told only when it is pointed at, or pressed.
    await events.getByRole('button', { name: 'thresholds changed' }).click();
    await page
      .getByRole('dialog', { name: 'What happened' })
      .getByText('Thresholds changed: lines of a big one 400 → 500')
      .waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog', { name: 'What happened' }).count()).toBe(0);
    await events.getByRole('button', { name: 'Release freeze' }).waitFor();
    expect(await events.getByRole('button', { name: `${TEAM_REPOSITORY.split('/')[1]} connected` }).count()).toBe(1);
    // The one that was pressed may have the focus and the pointer again, and with them its words, which come and go.
    await page.mouse.move(0, 0);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.locator('#tip').waitFor({ state: 'hidden' });
    await inspect(page, 'trends-events', { aState: true });
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('region', { name: 'What happened' }).getByText('Release freeze').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await undo();
  });

  it('draw eight lines over 104 weeks, with gaps and few, that can be read', async () => {
    const names = ['storefront', 'ledger', 'courier', 'pricing', 'courier-web', 'depot-tools', 'quayside', 'others'];
    const undo = await answering(({ items }) => {
      for (const item of items)
        item.lines = names.map((name, line) => ({
          ...item.lines[0]!,
          key: name,
          name,
          points: item.buckets.map((_, at) => {
            const n = (at * (line + 3)) % (40 - 4 * line);
            const value = n === 0 ? null : 8 + 4 * line + 6 * Math.sin(at / (5 + line)) + ((at * 7 + line * 13) % 9);
            return { value, n };
          }),
          usual: { from: 6 + 4 * line, to: 20 + 4 * line },
        }));
    });
    await page.goto('/trends?weeks=104&split=base');
    await page.getByRole('button', { name: /^depot-tools/ }).waitFor();
    const ends = await page.locator('button[aria-pressed][title]').all();
    expect(ends).toHaveLength(8);
    const tops = (await Promise.all(ends.map(async (end) => (await end.boundingBox())!.y))).toSorted((a, b) => a - b);
    for (const [at, top] of tops.entries()) if (at > 0) expect(top - tops[at - 1]!).toBeGreaterThanOrEqual(20);
    await inspect(page, 'trends-eight-lines');
    await page.getByRole('button', { name: /^depot-tools/ }).click();
    await page.mouse.move(0, 0);
    await screenshot(page, 'trends-eight-lines-pinned');
    await page.emulateMedia({ media: 'print' });
    await screenshot(page, 'trends-eight-lines-print');
    await page.emulateMedia({ media: 'screen' });
    await undo();
  });

  it('propose months where weeks hold little', async () => {
    await page.goto('/trends?figure=merged');
    await page.getByText('The median week has fewer than 5 pull requests: months say more.').waitFor();
    await page.getByRole('button', { name: 'Show months' }).click();
    await page.getByText('Pull requests merged, per month').waitFor();
    expect(new URL(page.url()).searchParams.get('bucket')).toBe('month');
  });

  it('have all controls in a sheet on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/trends?split=size&authorship=human');
    await page.getByText('p50 · week · 26 weeks · by size · 1 filter').waitFor();
    await page.getByText('Size, last full week').waitFor();
    await page.getByRole('button', { name: 'Options' }).click();
    const sheet = page.getByRole('dialog', { name: 'Options' });
    await sheet.getByLabel('Split', { exact: true }).selectOption({ label: 'Split by nothing' });
    await accessible(page, 'trends-options');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Options' }).click();
    await sheet.getByRole('button', { name: 'Show the chart' }).click();
    await page.getByText('p50 · week · 26 weeks · 1 filter').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('say when there is nothing, and when they could not be fetched', async () => {
    await page.goto('/trends?authorship=ghost&figure=merged');
    await page.getByText('Nothing was merged in this window.').waitFor();
    await inspect(page, 'trends-empty', { aState: true });

    const undo = await failing(page, '/api/trends', { error: 'Not now.', code: 'x', request_id: 'r-5' });
    await page.goto('/trends?figure=opened');
    await page.getByText('Failed to fetch trends').waitFor();
    await screenshot(page, 'trends-failed');
    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await chart().waitFor();
  });
});
