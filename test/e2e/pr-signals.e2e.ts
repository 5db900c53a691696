import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { ago } from './support/deep-dive.ts';
import { connectAndSync, failing, signInAsMona } from './support/team.ts';

const REPOSITORY = 'octo-org/signals';
const SENTENCE = 'Pushed after the last approval: 2 commits that nobody reviewed.';

/*
 * #1, by mona, 500 lines: hubot approves, mona pushes twice, hubot merges. Octo looks on. #2 has no signal.
 */
describe('the signals of a pull request', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  let octo: Page;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' });
    browser = await startBrowser();
    const { host } = product;
    const [owner, name] = REPOSITORY.split('/');
    const createdAt = Date.now() - 200 * 24 * 3_600_000;
    await host.control('repos', { owner, name, createdAt, readers: ['octo'], admins: ['mona'] });
    const pulls = `repos/${REPOSITORY}/pulls`;
    const approved = (hours: number) =>
      ago(hours, 'review', 'hubot', { state: 'APPROVED', bodyLength: 20, comments: [{}] });
    const size = { additions: 350, deletions: 150, files: [{ path: 'src/a.ts', additions: 350, deletions: 150 }] };
    await host.control(pulls, { author: 'mona', title: 'Move the cart', createdAt: Date.now() - 60 * 3_600_000, size });
    await host.control(`${pulls}/1/entries`, [
      approved(50),
      ago(40, 'commits', 'mona', { count: 2 }),
      ago(30, 'merged', 'hubot'),
    ]);
    await host.control(pulls, { author: 'mona', title: 'Plain', createdAt: Date.now() - 60 * 3_600_000 });
    await host.control(`${pulls}/2/entries`, [approved(50), ago(30, 'merged', 'hubot')]);
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product, REPOSITORY);
    octo = await openPage(browser, product.url);
    await octo.request.post(`${product.url}/auth/token`, {
      headers: { origin: product.url },
      data: { token: 'ghp_octo' },
    });
    await connectAndSync(octo, product, REPOSITORY);
    for (const one of [page, octo]) await one.goto(`/pr/${REPOSITORY}/1`);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const line = (of: Page) => of.getByRole('list', { name: 'Signals' });
  const textOf = async (of: Page) => (await line(of).innerText()).replaceAll(/\s+/g, ' ');
  const dialog = () => page.getByRole('dialog', { name: 'Signals of this pull request' });
  const pushed = () => dialog().getByRole('form', { name: 'pushed after approval (2 commits)' });

  it('stand in a line, and there is none where it has none', async () => {
    await line(page).waitFor();
    expect(await textOf(page)).toBe('Signals: pushed after approval (2 commits) big (500 lines)');

    await octo.goto(`/pr/${REPOSITORY}/2`);
    await octo.getByRole('tabpanel').waitFor();
    await expect.poll(() => line(octo).count()).toBe(0);
    await octo.goBack();
  });

  it('have their rule behind them, by keyboard, too, and what would make it wrong', async () => {
    await page.getByRole('button', { name: 'pushed after approval (2 commits)' }).focus();
    await page.keyboard.press('Enter');
    const popover = page.getByRole('dialog', { name: 'Explain this number' });
    await popover.getByText(SENTENCE).waitFor();
    await popover.getByText('Wrong where the author rebased.').waitFor();
    await inspect(page, 'pr-signals-rule', { aState: true });
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'hidden' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain('pushed after approval');
  });

  it('can be said not to be so by whoever took part alone', async () => {
    await line(octo).waitFor();
    await expect.poll(() => octo.getByRole('button', { name: 'Not so …' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Not so …' }).click();
    await pushed().getByText(SENTENCE).waitFor();
    await inspect(page, 'pr-signals-not-so', { aState: true });
    const reason = pushed().getByLabel('Why is it not so?');
    await reason.fill('x'.repeat(300));
    expect(await reason.inputValue()).toHaveLength(200);
    await reason.fill('We paired on the last two');
    await page.keyboard.press('Enter');
    await pushed().getByText('Said not to be so: We paired on the last two').waitFor();
    await inspect(page, 'pr-signals-said', { aState: true });
    await page.keyboard.press('Escape');
    await expect.poll(() => textOf(page)).toContain('pushed after approval (2 commits) not so');
    await inspect(page, 'pr-signals');
  });

  it('are seen with what was said by everybody else', async () => {
    await octo.reload();
    await expect.poll(() => textOf(octo)).toContain('pushed after approval (2 commits) not so');
    await octo.getByRole('button', { name: 'pushed after approval (2 commits)' }).click();
    await octo.getByText('Somebody who took part says that it is not so: We paired on the last two').waitFor();
  });

  it('say why it could not be saved, keep what was typed, and come back', async () => {
    await page.getByRole('button', { name: 'Not so …' }).click();
    const undo = await failing(page, `/api/pr/${REPOSITORY}/1/signals/big`, {
      error: 'Not now.',
      code: 'x',
      request_id: 'r-3',
    });
    const big = dialog().getByRole('form', { name: 'big (500 lines)' });
    await big.getByLabel('Why is it not so?').fill('Moved only');
    await big.getByRole('button', { name: 'It is not so' }).click();
    await big.getByText('Not now.').waitFor();
    expect(await big.getByLabel('Why is it not so?').inputValue()).toBe('Moved only');
    await undo();

    await pushed().getByRole('button', { name: 'Take it back: it is so' }).click();
    await pushed().getByLabel('Why is it not so?').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('It is not so');
    await page.keyboard.press('Escape');
    await expect.poll(() => textOf(page)).toBe('Signals: pushed after approval (2 commits) big (500 lines)');
  });
});
