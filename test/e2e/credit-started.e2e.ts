import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { ago, connectAndSync, signInAsMona } from './support/team.ts';

const HOUR = 3_600_000;
const AGENT = 'copilot-swe-agent[bot]';
const REPOSITORY = 'octo-org/started';

/** mona opened and merged one, and two more are by her agent; dora did nothing but start one, which is merged. */
async function startWithAgents(): Promise<RunningProduct> {
  const product = await startProduct({ world: 'tiny' });
  const { host } = product;
  await host.control('accounts', { login: 'dora', name: 'Dora Finch' });
  await host.control('accounts', { login: AGENT, type: 'Bot' });
  const [owner, name] = REPOSITORY.split('/');
  await host.control('repos', { owner, name, createdAt: Date.now() - 200 * 24 * HOUR, readers: [], admins: ['mona'] });
  const pulls = `repos/${REPOSITORY}/pulls`;
  const open = async (author: string, title: string, hours: number, ...entries: readonly object[]) => {
    const made = await host.control(pulls, { author, title, createdAt: Date.now() - hours * HOUR });
    await host.control(`${pulls}/${(made as { number: number }).number}/entries`, entries);
  };
  const startedBy = (who: string, hours: number) => ago(hours - 0.01, 'assigned', 'mona', { who });
  await open('mona', 'Count by hand', 100, ago(90, 'merged', 'mona'));
  await open(AGENT, 'Count by machine', 80, startedBy('mona', 80), ago(70, 'merged', 'mona'));
  await open(AGENT, 'Count once more', 60, startedBy('mona', 60));
  await open(AGENT, 'Draw what is counted', 50, startedBy('dora', 50), ago(40, 'merged', 'mona'));
  return product;
}

describe('agents’ pull requests counted to who started them', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startWithAgents();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product, REPOSITORY);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const choice = () => page.getByRole('checkbox', { name: 'Count agents’ pull requests to who started them' });
  /** With nothing under the mouse, whose tooltip would be open. */
  const look = async (name: string) => {
    await page.mouse.move(0, 0);
    await inspect(page, name);
  };
  const search = () => new URL(page.url()).search;
  const dialog = () => page.getByRole('dialog');

  it('are a choice of the developers, which the address, the figures, their explanations and the download keep', async () => {
    await page.goto('/developer-stats');
    const people = () => page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
    await expect.poll(people).toEqual([expect.stringMatching(/^mona.*Top Contributor1/)]);
    await choice().focus();
    await page.keyboard.press('Space');

    await expect
      .poll(people)
      .toEqual([expect.stringMatching(/^mona.*Top Contributor2/), expect.stringMatching(/dora1/)]);
    expect(search()).toBe('?credit=started');
    await page.getByText(/, agents’ pull requests counted to who started them, too$/).waitFor();
    await page.getByRole('status').filter({ hasText: 'are counted to who started them' }).waitFor();
    await page.getByRole('button', { name: /^Merged 2/ }).click();
    await dialog().getByRole('button', { name: 'See the 2 pull requests' }).click();
    await expect
      .poll(() => dialog().getByRole('link').allInnerTexts())
      .toEqual(
        expect.arrayContaining([expect.stringContaining('Count by machine'), expect.stringContaining('Count by hand')]),
      );
    await page.keyboard.press('Escape');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const [head, first] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
    expect([head, first]).toEqual([expect.stringMatching(/,"credit"$/), expect.stringMatching(/,"started"$/)]);
    await look('developers-with-agents');
  });

  it('lead to the page of whoever did nothing else, who is unknown without them', async () => {
    await page.goto('/developer-stats?credit=started');
    await page.locator('tbody').getByRole('link', { name: 'dora' }).click();
    await page.getByText('Dora Finch').first().waitFor();
    expect(search()).toBe('?credit=started');
    await page.getByText(/With agents’ pull requests counted to who started them, too\./).waitFor();
    await page.getByRole('region', { name: 'Pull Requests' }).getByText('Draw what is counted').waitFor();
    await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
    await look('contributor-with-agents');
    expect(await page.getByText(/^With agents:/).count()).toBe(0);
    await choice().uncheck();
    // Parts of the page may fail a moment before the whole of it says so.
    const whole = page.getByRole('region', { name: 'Contributor', exact: true });
    await whole.getByText(/nobody called dora opened or reviewed/).waitFor();
    await choice().check();
    await page.getByText('Dora Finch').first().waitFor();
  });

  it('say on one’s own page alone with how many an agent took part', async () => {
    await page.goto('/contributor/mona');
    await page.getByText('With agents: 2 of 3 opened', { exact: true }).waitFor();
    const opened = page.getByRole('region', { name: /^Profile of / });
    await expect.poll(() => opened.innerText()).toMatch(/PRs opened\s+1\s/);
    await choice().check();
    await expect.poll(() => opened.innerText()).toMatch(/PRs opened\s+3\s/);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    const [head, first] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
    expect(head).toContain('"team","credit","period"');
    expect(first).toContain('"all","started",');
  });

  it('stand in the list of contributors, too, last who was never active', async () => {
    await page.goto('/contributors');
    const cards = page.getByRole('list', { name: 'Contributors' }).getByRole('listitem');
    await expect.poll(() => cards.count()).toBe(1);
    await choice().check();
    await expect.poll(() => cards.count()).toBe(2);
    await expect.poll(() => cards.last().innerText()).toMatch(/Dora Finch[\s\S]*No recent activity[\s\S]*Opened\s+1/);
    await cards
      .first()
      .getByRole('button', { name: /^Opened 3/ })
      .click();
    await dialog().getByRole('button', { name: 'See the 3 pull requests' }).waitFor();
    await page.keyboard.press('Escape');
    await look('contributors-with-agents');
  });

  it('say in the tooltip of the chip why it is thought so', async () => {
    await page.goto('/prs?credited_to=dora');
    await page.getByText('by Copilot for @dora').hover();
    await page.getByText('dora is assigned to it').waitFor();
    await page.getByRole('link', { name: 'Draw what is counted' }).click();
    await page.getByRole('button', { name: 'Why do we think so?' }).waitFor();
    await page.mouse.move(0, 0);
    await page.getByText('by Copilot for @dora').first().hover();
    await page
      .getByText(/Opened by copilot-swe-agent/)
      .first()
      .waitFor();
    await page.goto('/prs');
    await page.getByLabel('Started by').selectOption('Started by nobody known');
    await page
      .getByText(/No pull requests/)
      .first()
      .waitFor();
    expect(search()).toBe('?credited_to=none');
  });
});
