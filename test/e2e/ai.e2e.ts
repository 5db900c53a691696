import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AiAuthorship } from '../../src/contract/ai-authorship.ts';
import type { AiReviewer, AiReviewerInDepth } from '../../src/contract/ai-reviewers.ts';
import type { Explanation } from '../../src/contract/explain.ts';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days: an agent's pull request from before every other. */
const LONG_AGO = 300;
const CODERABBIT = 'coderabbitai[bot]';
const DEVIN = 'devin-ai-integration[bot]';

/**
 * Besides the team's: 24 of ben's that ended lately, of which the AI reviewer looked at 16 within minutes, on half of these with two
 * findings, the first of which led to a push, on one with twelve; cleo had a finding in each, taken up in every other; six have the trace of
 * an agent. Three opened by an agent: one says who asked for it, one was thrown away within hours, and of the third nobody knows; nor of a
 * fourth, of months ago.
 */
async function addHistory({ host }: RunningProduct) {
  const pulls = `repos/${TEAM_REPOSITORY}/pulls`;
  for (const login of [CODERABBIT, DEVIN]) await host.control('accounts', { login, type: 'Bot' });
  let id = 900_000;
  const made = async (opening: object, entries: readonly object[]) => {
    const { number } = (await host.control(pulls, opening)) as { number: number };
    await host.control(`${pulls}/${number}/entries`, entries);
  };
  const findings = (count: number) => Array.from({ length: count }, () => ({ id: ++id }));
  for (let at = 0; at < 24; at += 1) {
    const createdAt = Date.now() - (3 + at) * DAY;
    const count = at === 0 ? 12 : at % 2 === 0 ? 2 : 0;
    const its = findings(at < 16 ? count : 0);
    const hers = findings(1);
    const after = (hours: number) => createdAt + hours * HOUR;
    const headRef = at % 4 === 1 ? `claude/shelf-${at}` : `shelf-${at}`;
    await made({ author: 'ben', title: `Sort the shelf, part ${at}`, createdAt, headRef }, [
      ...(at < 16
        ? [{ at: after(0.1), kind: 'review', by: CODERABBIT, state: 'COMMENTED', bodyLength: 300, comments: its }]
        : []),
      { at: after(1), kind: 'review', by: 'cleo', state: 'COMMENTED', bodyLength: 20, comments: hers },
      ...(at % 2 === 0 ? [{ at: after(2), kind: 'commits', by: 'ben' }] : []),
      ...[...its.slice(0, 1), ...(at % 2 === 0 ? hers : [])].map((comment) => ({
        ...{ at: after(2), kind: 'comment_outdated', by: 'ben', comment: comment.id },
      })),
      { at: after(3), kind: 'review', by: 'cleo', state: 'APPROVED', bodyLength: 20, comments: [] },
      { at: after(4), kind: 'merged', by: 'ben' },
    ]);
  }
  const createdAt = Date.now() - 5 * DAY;
  const approved = [
    { at: createdAt + HOUR, kind: 'review', by: 'cleo', state: 'APPROVED', bodyLength: 9, comments: [] },
    { at: createdAt + 2 * HOUR, kind: 'merged', by: 'cleo' },
  ];
  const body = 'Do it.\n\nRequested by: @ben\n';
  await made({ author: DEVIN, title: 'Paint the shelf', createdAt, body }, approved);
  await made({ author: DEVIN, title: 'Move the shelf', createdAt }, [
    { at: createdAt + 3 * HOUR, kind: 'closed', by: 'ben' },
  ]);
  await made({ author: DEVIN, title: 'Count every shelf', createdAt: createdAt + 1_000 }, approved);
  await made({ author: DEVIN, title: 'Weigh the shelf', createdAt: Date.now() - LONG_AGO * DAY }, [
    { at: Date.now() - (LONG_AGO - 3) * DAY, kind: 'closed', by: 'ben' },
  ]);
}

describe('AI in review', () => {
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
  const answered = async <Answer>(path: string) =>
    (await (await page.request.get(`${product.url}/api/ai/${path}`)).json()) as Answer;
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name });
  /** Answers as the server does, with something changed. */
  const changing = async <Answer>(isIt: (path: string) => boolean, change: (answer: Answer) => Answer) => {
    await page.route(
      ({ pathname }) => isIt(pathname),
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: change((await response.json()) as Answer) });
      },
    );
    return () => page.unrouteAll({ behavior: 'wait' });
  };
  const isReviewers = (path: string) => path === '/api/ai/reviewers';
  const isAuthorship = (path: string) => path === '/api/ai/authorship';

  it('leads to the first repository when there is none', async () => {
    await page.goto('/ai');
    await page.getByText('No repository is connected yet.').waitFor();
    await accessible(page, 'ai-nothing-connected');
  });

  it('is the last of the navigation, under “More” where that is, and found by its words', async () => {
    await connectAndSync(page, product);
    await page.goto('/dashboard');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.filter({ hasText: 'AI in review' }).click();
    await tab('Reviewers').waitFor();
    expect(await page.title()).toContain('AI in review');

    await page.setViewportSize({ width: 1024, height: 900 });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' }).click();
    await expect.poll(() => page.getByRole('menuitem').last().innerText()).toBe('AI in review');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('who started it');
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /^AI in review/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('shows what a reviewer gives with people beside it, as it is answered', async () => {
    await page.goto('/ai');
    const [one] = await answered<AiReviewer[]>('reviewers');
    const { acted_on, control, lift, coverage } = one!;
    expect([acted_on.n, control.acted_on.n > 20, lift !== null]).toEqual([26, true, true]);

    await card('coderabbitai').waitFor();
    const text = await card('coderabbitai').innerText();
    expect(text).toContain(`16 of ${coverage.n} ready PRs`);
    expect(text).toMatch(new RegExp(`coderabbitai\\s+${Math.round(100 * acted_on.value!)} %\\s+n 26`));
    expect(text).toMatch(
      new RegExp(`People\\s+${Math.round(100 * control.acted_on.value!)} %\\s+n ${control.acted_on.n}`),
    );
    expect(text).toContain('points to people');
    await card('What became of the findings')
      .getByRole('img', { name: /^coderabbitai: \d+ % of 26 led to a changed line; People: / })
      .waitFor();
    await card('What became of the findings').getByRole('button', { name: 'Show as table' }).click();
    expect(await card('What became of the findings').getByRole('row').allInnerTexts()).toHaveLength(3);
    await page.evaluate(() => scrollTo(0, 0));
    await inspect(page, 'ai-reviewers');
  });

  it('has people beside every figure of a reviewer that is told of them, and over how many both are', async () => {
    await page.goto('/ai');
    const [one] = await answered<AiReviewer[]>('reviewers');
    const { control, ...own } = one!;
    await card('coderabbitai').waitFor();
    const text = (await card('coderabbitai').innerText()).replaceAll(/\s+/g, ' ');
    const percent = (share: number | null) => Math.round(100 * share!);
    const n = (of: { readonly n: number }) => `n ${of.n}`;
    for (const [words, figure, limit] of [
      ['Noise', 'noise', 'at most '],
      ['More than ten findings', 'talkative', ''],
      ['No finding', 'silent', ''],
    ] as const) {
      const [its, people] = [own[figure], control[figure]];
      expect(text).toMatch(
        new RegExp(
          `${words} ${percent(its.value)} %( of its PRs)? ${n(its)} people ${limit}${percent(people.value)} % ${n(people)}`,
        ),
      );
    }
    expect(text).toMatch(
      new RegExp(`Findings per PR .*${n(own.findings_per_pr)} people [\\d.]+, ${n(control.findings_per_pr)}`),
    );
  });

  it('opens what a figure is made of', async () => {
    await page.goto('/ai');
    await card('coderabbitai').getByRole('button', { name: 'Acted on' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByText('Of the findings, the share whose lines changed').waitFor();
    await dialog.getByText(/^Based on/).waitFor();
    const said = await dialog.innerText();
    expect(said).toMatch(/Based on\s+\d+ findings?\b/);
    expect(said).toMatch(/See the \d+ pull requests?\b/);
    await dialog.getByRole('button', { name: 'How it is computed' }).click();
    const link = dialog.getByRole('link', { name: 'Every number, and how it is computed' });
    expect(await link.getAttribute('href')).toBe('/docs/metrics#ai-reviewers');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('opens the difference to people, the time of people and what became of findings to both sides, by pointer and keyboard', async () => {
    await page.goto('/ai');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    const close = async () => {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    };
    const coderabbit = card('coderabbitai');
    await coderabbit.getByRole('button', { name: /points to people/ }).press('Enter');
    await dialog.getByText('Lift: coderabbitai').waitFor();
    await dialog.getByText(/^Difference/).waitFor();
    expect(await dialog.innerText()).toMatch(
      /coderabbitai\s+\d+ %, n 26\s+People\s+\d+ %, n \d+\s+Difference\s+[+−]\d+ points/,
    );
    await accessible(page, 'ai-lift');
    await dialog.getByRole('button', { name: /^See the \d+ pull requests: People$/ }).press('Enter');
    await dialog.getByRole('link').first().waitFor();
    await close();

    await coderabbit.getByRole('button', { name: /\d up/ }).click();
    await dialog.getByText('The 👍 that anybody left on the findings.').waitFor();
    await close();
    await coderabbit.getByRole('button', { name: /^people at most/ }).click();
    await dialog.getByText(/elsewhere what people resolved counts as answered or ignored/).waitFor();
    await close();

    const fates = card('What became of the findings');
    await fates.locator('[data-part^="changed coderabbitai"]').click();
    await dialog.getByText('Line changed: coderabbitai').waitFor();
    await close();
    await fates.getByRole('button', { name: 'Show as table' }).click();
    await fates
      .getByRole('row', { name: /^People/ })
      .getByRole('button')
      .first()
      .press('Enter');
    await dialog.getByText('Line changed: People').waitFor();
    await close();

    const time = card('People’s time beside it');
    await time.getByRole('button', { name: 'Time to merge' }).press('Enter');
    await dialog.getByText(/^Time to merge, beside it/).waitFor();
    expect(await dialog.innerText()).toMatch(/It spoke first[\s\S]*Without it[\s\S]*Difference/);
    await close();
    await time.getByText('Before, after').click();
    await time.getByRole('button', { name: 'Rounds' }).press('Enter');
    await dialog.getByText(/^Rounds, before and after it came/).waitFor();
    await close();
    await page.goto('/ai');
  });

  it('lists where it said much and where nothing, the most first', async () => {
    const list = card('Where it said much, and nothing');
    await list.getByRole('link', { name: 'Sort the shelf, part 0' }).waitFor();
    expect(await list.innerText()).toContain('1 of 1 pull request with more than ten findings');
    await list.getByText('Silent').click();
    await list.getByText('6 of 8 pull requests without a finding').waitFor();
    expect(new URL(page.url()).search).toBe('?said=silent');
    await list.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => list.getByRole('link').count()).toBe(8);
    await list.getByRole('link', { name: 'Sort the shelf, part 1', exact: true }).waitFor();

    // Its numbers were told before more was imported.
    const undo = await changing<AiReviewer[]>(isReviewers, (reviewers) =>
      reviewers.map((one) => ({ ...one, silent: { value: 0.75, n: 8 } })),
    );
    await page.goto('/ai?said=silent');
    await list.getByText('6 of 6 pull requests without a finding').waitFor();
    await expect
      .poll(() =>
        list
          .getByRole('row')
          .filter({ has: page.getByRole('link') })
          .count(),
      )
      .toBe(6);
    const found = await list
      .getByRole('row')
      .filter({ has: page.getByRole('link') })
      .allInnerTexts();
    expect(found.map((row) => row.trim().split(/\s+/).at(-1))).toEqual(['0', '0', '0', '0', '0', '0']);
    await undo();
  });

  it('fades what was told of another choice until that of this one is there', async () => {
    await page.goto('/ai');
    const told = ['People’s time beside it', 'Where it said much, and nothing'];
    await card(told[0]!).getByText('Too early to say').or(card(told[0]!).getByText(/^n \d/)).first().waitFor();
    await card(told[1]!).getByRole('link', { name: 'Sort the shelf, part 0' }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/(ai\/reviewers|explain)\/.*[?&]repository=/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByLabel('Repository', { exact: true }).selectOption({ index: 1 });
    for (const name of told)
      await page
        .locator('section[data-outdated]')
        .filter({ has: page.getByRole('heading', { name }) })
        .waitFor();
    held.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await expect.poll(() => page.locator('[data-outdated]').count()).toBe(0);
  });

  it('says when it is too early, and that a comparison is a hint', async () => {
    await page.goto('/ai');
    const time = card('People’s time beside it');
    await time.getByText('These differ in more than the reviewer: read it as a hint.').waitFor();
    await card('coderabbitai').getByRole('button', { name: 'Details of coderabbitai' }).click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('People’s time beside it');
    await expect.poll(() => new URL(page.url()).searchParams.get('reviewer')).toBe('coderabbitai');
    await time.getByText('Before, after').click();
    await expect.poll(() => time.getByText('Too early to say').count()).toBe(10);

    const sides = { value: 12, n: 40 };
    const human = {
      ...{ time_to_first_review: sides, reviews: sides, human_findings: sides, rounds: sides },
      time_to_merge: sides,
    };
    const undo = await changing<AiReviewerInDepth>(
      (path) => path.startsWith('/api/ai/reviewers/'),
      (answer) => ({
        ...answer,
        before_after: {
          together: { before: human, after: { ...human, time_to_merge: { value: 18, n: 40 } } },
          repositories: [],
        },
      }),
    );
    await page.goto('/ai?beside=before');
    await expect
      .poll(() => time.getByRole('row', { name: /Time to merge/ }).innerText())
      .toMatch(/18\.0 h[\s\S]*12\.0 h[\s\S]*50%/);
    await undo();
  });

  it('tells few in grey and without a comparison', async () => {
    const undo = await changing<AiReviewer[]>(isReviewers, (reviewers) =>
      reviewers.map((one) => ({ ...one, acted_on: { value: 0.31, n: 16 }, lift: null })),
    );
    await page.goto('/ai');
    await card('coderabbitai').getByText('16 findings: too few to compare').waitFor();
    expect(await card('coderabbitai').innerText()).not.toContain('points');
    await accessible(page, 'ai-few');
    await undo();
  });

  it('says what there is nothing of, what failed, and that it tries again', async () => {
    let undo = await changing<AiReviewer[]>(isReviewers, () => []);
    await page.goto('/ai');
    await page.getByText('No AI reviewer has been seen in this window.').waitFor();
    await undo();
    undo = await changing<AiAuthorship>(isAuthorship, (answer) => ({
      ...answer,
      bots_with_trace: 0,
      groups: answer.groups.filter(({ key }) => key === 'human' || key === 'none'),
    }));
    await page.goto('/ai?tab=authors');
    await page.getByText('No trace of an agent in this window. Traces can be stripped; this says at least.').waitFor();
    await undo();
    const mend = await failing(page, '/api/ai/reviewers', { error: 'The database is away' });
    await page.goto('/ai');
    await page.getByText('Failed to fetch AI figures').waitFor();
    await accessible(page, 'ai-failed');
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await card('coderabbitai').waitFor();
  });

  it('goes to the other tab by keyboard, keeps it in the address, and says at least', async () => {
    await tab('Reviewers').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=authors');
    await page.getByText('traces can be stripped, so this says at least').waitFor();
    const { credited } = await answered<AiAuthorship>('authorship');
    expect([credited.n, credited.of]).toEqual([1, 3]);
    await card('Who started them').getByText('1 of 3 are credited to a person').waitFor();
    await inspect(page, 'ai-authors', { aState: true });
  });

  it('names weeks inside of the drawing and none over another, also on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    for (const period of ['30d', '90d', '6mo']) {
      await page.goto(`/ai?tab=authors&period=${period}`);
      await page.getByText('this week', { exact: true }).waitFor();
      const misplaced = await page.evaluate(() => {
        const axis = [...document.querySelectorAll('span > span')].find((one) => one.textContent === 'this week')!
          .parentElement!.parentElement!;
        const boxes = [...axis.querySelectorAll('span > span')].map((one) => one.getBoundingClientRect());
        const end = axis.getBoundingClientRect().right;
        return boxes.flatMap((box, at) =>
          (at > 0 && box.left < boxes[at - 1]!.right) || box.right > end + 1 ? [at] : [],
        );
      });
      expect(misplaced, period).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('says of each group how many were tried and thrown away, of how many, and opens each', async () => {
    await page.goto('/ai?tab=authors');
    const { groups } = await answered<AiAuthorship>('authorship');
    const fares = card('How they fare');
    await fares.getByText(/Tried and thrown away within a day/).waitFor();
    for (const [key, name] of [
      ['human', 'No trace of one'],
      ['assisted', 'With an agent'],
      ['agent', 'By an agent'],
    ] as const) {
      const { tried, figures } = groups.find((group) => group.key === key)!;
      await fares.getByRole('button', { name: `${name} ${tried} of ${figures.merge_rate.n}`, exact: true }).waitFor();
    }
    await fares.getByRole('button', { name: 'By an agent 1 of 3', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByText('Tried and thrown away: By an agent').waitFor();
    await dialog.getByRole('button', { name: 'See the 1 pull request' }).press('Enter');
    await dialog.getByRole('link', { name: 'Move the shelf' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('opens a value within the same sizes to both sides, and to what each size comes to and weighs', async () => {
    await page.goto('/ai?tab=authors&statistic=p90');
    const fares = card('How they fare');
    const value = fares.getByRole('button', { name: /^Time to merge, With an agent: / });
    const told = (await value.getAttribute('aria-label'))!;
    // Over fewer than 20 it stands beside nothing.
    const [, own, n] = /: (.+), \(n = (\d+)\); explain$/.exec(told) ?? [];
    expect([own, n]).toEqual(['4.0 h', '6']);
    await value.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByText('Time to merge, p90, within the same sizes: With an agent').waitFor();
    await dialog.getByText(/^Difference/).waitFor();
    const text = (await dialog.innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(new RegExp(`With an agent ${own}, n ${n} No trace of one [\\d.]+ [hd], n `));
    expect(text).toMatch(/Size With an agent No trace of one Weight .*lines 4\.0 h n 6 .* n \d+ 6 /);
    await accessible(page, 'ai-within-sizes');
    // Another width draws another value in the place of the one that was pressed.
    await value.press('Enter');
    await dialog.getByRole('button', { name: 'See the 6 pull requests: With an agent' }).press('Enter');
    await expect.poll(() => dialog.getByRole('link').count()).toBe(6);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await page.goto('/ai?tab=authors&statistic=p90&sizes=mixed');
    const ofAllSizes = fares.getByRole('button', { name: /^Time to merge, No trace of one: / });
    const [, percentile] = /: (.+), n \d+; explain$/.exec((await ofAllSizes.getAttribute('aria-label'))!) ?? [];
    await ofAllSizes.press('Enter');
    await dialog.getByText('Time to merge, p90: No trace of one').waitFor();
    await dialog.getByText(/^Based on/).waitFor();
    expect((await dialog.innerText()).replaceAll(/\s+/g, ' ')).toContain(`Value ${percentile} Mean`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('compares within the same size until that is switched off, and opens each value by keyboard', async () => {
    await page.goto('/ai?tab=authors');
    const fares = card('How they fare');
    await fares.getByRole('switch', { name: 'Within the same size' }).press('Space');
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=authors&sizes=mixed');
    await fares.getByRole('button', { name: /^Merge rate, No trace of one: / }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const value = fares.getByRole('button', { name: /^Merge rate, By an agent: 67 %, \(n = 3\); explain/ });
    expect(await value.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByText('Merge rate: By an agent').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await value.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('asks who started what nobody is credited with, and takes it back', async () => {
    await page.goto('/ai?tab=authors');
    const nobody = card('Nobody known');
    await nobody.getByText('2 of 3').waitFor();
    const ask = nobody.getByRole('button', { name: 'Who started it? Count every shelf' });
    await ask.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Who started Count every shelf?' });
    await dialog.getByRole('button', { name: /cleo/ }).waitFor();
    await dialog.getByRole('searchbox').fill('ada');
    await dialog.getByRole('button', { name: /ada/ }).press('Enter');
    await nobody.getByText('ada, said by mona').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');
    await card('Who started them').getByText('2 of 3 are credited to a person').waitFor();
    await accessible(page, 'ai-said');

    await nobody.getByRole('button', { name: 'Undo: ada for Count every shelf' }).press('Enter');
    await ask.waitFor();
    await expect.poll(() => ask.evaluate((button) => button === document.activeElement)).toBe(true);
    await card('Who started them').getByText('1 of 3 are credited to a person').waitFor();
  });

  it('lists those of nobody in the window that is chosen, and says as good news only what is so', async () => {
    const nobody = card('Nobody known');
    const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
    await page.goto(`/ai?tab=authors&from=${day(LONG_AGO + 5)}&to=${day(LONG_AGO - 5)}`);
    await nobody.getByText('1 of 1').waitFor();
    await nobody.getByRole('link', { name: 'Weigh the shelf' }).waitFor();
    expect(await nobody.getByRole('link').count()).toBe(1);
    await page.goto('/ai?tab=authors');
    await nobody.getByRole('link', { name: 'Count every shelf' }).waitFor();
    expect(await nobody.getByRole('link').count()).toBe(2);

    const good = nobody.getByText('Somebody is known to have started each.');
    const empty = await changing<object>(
      (path) => path === '/api/explain/ai.credited',
      (answer) => ({ ...answer, items: [], n: 0, total: 0 }),
    );
    await page.goto('/ai?tab=authors&period=90d');
    await nobody.getByText('The list is not up to date yet.').waitFor();
    expect(await good.count()).toBe(0);
    const known = await changing<AiAuthorship>(isAuthorship, (answer) => ({
      ...answer,
      credited: { ...answer.credited, n: answer.credited.of },
    }));
    await page.goto('/ai?tab=authors&period=7d');
    await good.waitFor();
    await known();
    await empty();
  });

  it('lists those of nobody to the last, a hundred at a time', async () => {
    const pages: number[] = [];
    await changing<AiAuthorship>(isAuthorship, (answer) => ({
      ...answer,
      credited: { ...answer.credited, of: 250, n: 0 },
    }));
    const path = '/api/explain/ai.credited';
    const first = (await (await page.request.get(`${product.url}${path}?part=none`)).json()) as Explanation;
    await page.route(
      (url) => url.pathname === path,
      async (route) => {
        const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
        pages.push(offset);
        const items = Array.from({ length: Math.min(100, 250 - offset) }, (_, at) => ({
          ...first.items[0],
          ...{ at: new Date(Date.now() - (offset + at) * HOUR).toISOString() },
          ...{ pr_number: 9000 - offset - at, title: `Shelf ${offset + at + 1}` },
        }));
        await route.fulfill({ json: { ...first, n: 250, total: 250, hasMore: offset + 100 < 250, items } });
      },
    );
    await page.goto('/ai?tab=authors');
    const nobody = card('Nobody known');
    await nobody.getByRole('button', { name: 'Show 100', exact: true }).click();
    await nobody.getByRole('link', { name: 'Shelf 100', exact: true }).waitFor();
    await nobody.getByRole('button', { name: 'Show 100 more' }).click();
    await nobody.getByRole('link', { name: 'Shelf 200', exact: true }).waitFor();
    await nobody.getByRole('button', { name: 'Show 50 more' }).click();
    await nobody.getByRole('link', { name: 'Shelf 250', exact: true }).waitFor();
    await expect.poll(() => nobody.getByRole('link').count()).toBe(250);
    expect([...new Set(pages)]).toEqual([0, 100, 200]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('opens by which rule it is known who started one', async () => {
    await page.goto('/ai?tab=authors');
    const { credited } = await answered<AiAuthorship>('authorship');
    const started = card('Who started them');
    await started.getByRole('button', { name: '1 of 3 are credited to a person' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Explain this number' });
    await dialog.getByText(/^Based on/).waitFor();
    expect(await dialog.innerText()).toMatch(/Value\s+33 %[\s\S]*Based on\s+3 pull requests/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await started
      .getByRole('listitem')
      .filter({ hasText: 'Line' })
      .getByRole('button', { name: String(credited.by.line), exact: true })
      .press('Enter');
    await dialog.getByText('Credited to a person: Line').waitFor();
    await dialog.getByRole('button', { name: 'See the 1 pull request' }).press('Enter');
    await dialog.getByRole('link', { name: 'Paint the shelf' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('tells visitors of the demo that they only read before they choose', async () => {
    const undo = await changing<object>(
      (path) => path === '/auth/me',
      (user) => ({ ...user, host: 'demo' }),
    );
    const corrections: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && corrections.push(request.url()));
    await page.goto('/ai?tab=authors');
    await card('Nobody known').getByRole('button', { name: 'Who started it? Count every shelf' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Who started Count every shelf?' });
    await dialog.getByText(/^Visitors of the demo only read\./).waitFor();
    const cleo = dialog.getByRole('button', { name: /cleo/ });
    expect(await cleo.getAttribute('aria-disabled')).toBe('true');
    await cleo.press('Enter');
    await dialog.waitFor();
    expect(corrections).toEqual([]);
    await undo();
  });
});
