import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct, TEAM_REPOSITORY } from './support/team.ts';

describe('how a pull request reaches the page', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const path = (number: number, repository = TEAM_REPOSITORY) => `/pr/${repository}/${number}`;
  const alert = () => page.getByRole('alert');
  /** Opens one on the host of which the product has heard nothing yet. */
  const openOnHost = async (title: string): Promise<number> => {
    const made = await product.host.control(`repos/${TEAM_REPOSITORY}/pulls`, { title, author: 'ada' });
    return (made as { number: number }).number;
  };
  const requestsFor = async (operation: string) => {
    const { operations } = (await product.host.control('counters')) as { operations: Record<string, number> };
    return operations[operation] ?? 0;
  };

  it('shows the page’s outline at once and its figures in the same place', async () => {
    let release = () => {};
    const held = new Promise<void>((go) => {
      release = go;
    });
    await page.route(`**/api${path(3)}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(path(3));
    await page.locator('[aria-busy="true"]').getByText('Loading the pull request').waitFor();
    const figures = page.getByRole('region', { name: 'Key figures' });
    await figures.getByText('Cycle Time').waitFor();
    await expect.poll(() => page.getByRole('tab').count()).toBe(0);
    const before = await figures.boundingBox();

    release();

    await page.getByRole('tabpanel').waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    const after = await figures.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(4);
    expect(Math.abs((after?.height ?? 0) - (before?.height ?? 0))).toBeLessThanOrEqual(4);
    await page.unroute(`**/api${path(3)}`);
  });

  it('leads back to the list it was opened from, and to the plain list from a tab of its own', async () => {
    await page.goto('/prs?q=labels');
    await page.locator('tbody [data-row-link]').first().click();
    await page.getByRole('tabpanel').waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.waitForURL('**/prs?q=labels');

    const [own] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .locator('tbody')
        .getByRole('link', { name: /^Details/ })
        .click(),
    ]);
    await own.getByRole('tabpanel').waitFor();
    await own.getByRole('button', { name: 'Back', exact: true }).click();
    await own.waitForURL('**/prs');
    await own.close();

    const direct = await page.context().newPage();
    await direct.goto(path(9999));
    await direct.getByRole('button', { name: 'Go Back' }).click();
    await direct.waitForURL('**/prs');
    await direct.close();
  });

  it('is fetched from the host when it is not stored yet, once', async () => {
    const number = await openOnHost('Carry parcels by boat');
    const before = await requestsFor('PullRequestByNumber');

    await page.goto(path(number));
    await page.getByRole('heading', { level: 1, name: 'Carry parcels by boat' }).waitFor();
    await page.getByRole('tabpanel').waitFor();
    await page.reload();
    await page.getByRole('tabpanel').waitFor();

    expect(await requestsFor('PullRequestByNumber')).toBe(before + 1);
    await page.goto('/prs?q=boat');
    await page.locator('tbody tr', { hasText: 'Carry parcels by boat' }).waitFor();
  });

  it('is not found where the host has none of that number, and not asked for in a repository that is not connected', async () => {
    const before = await requestsFor('PullRequestByNumber');
    await page.goto(path(4711));
    await alert().getByText('PR not found').waitFor();
    expect(await requestsFor('PullRequestByNumber')).toBe(before + 1);

    await page.goto(path(1, 'octo-org/elsewhere'));
    await alert().getByText('PR not found').waitFor();
    expect(await requestsFor('PullRequestByNumber')).toBe(before + 1);
  });

  it('says that the host failed, and is fetched on Retry once it is back', async () => {
    const number = await openOnHost('Carry parcels by train');
    await product.host.control('faults', {
      match: { operation: 'PullRequestByNumber' },
      effect: { name: 'bad_gateway' },
    });
    await page.goto(path(number));
    await alert().getByText('Failed to load PR details').waitFor();
    await page.getByText(/did not compute the answer in time \(status 502\)\. Request /).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Go Back' }).isVisible()).toBe(true);

    await product.host.control('faults', undefined, 'DELETE');
    await page.getByRole('button', { name: 'Retry' }).click();

    await page.getByRole('heading', { level: 1, name: 'Carry parcels by train' }).waitFor();
  });

  it('changes by itself while it is open when the host tells of something new', async () => {
    const repositories = (await (await page.request.get(`${product.url}/api/repos`)).json()) as { id: number }[];
    const hook = await page.request.post(`${product.url}/api/repos/${repositories[0]?.id}/webhook`, {
      headers: { origin: product.url },
      data: {},
    });
    expect(hook.status()).toBe(201);
    await page.goto(path(6));
    await page.getByText(/Reviewers · never reviewed/).waitFor();

    const entries = `repos/${TEAM_REPOSITORY}/pulls/6/entries`;
    await product.host.control(entries, { kind: 'review', by: 'ben', state: 'CHANGES_REQUESTED', bodyLength: 20 });

    await page.getByText('ben asked for changes').waitFor();
    await page.getByText(/Author · changes requested/).waitFor();
    await product.host.control(entries, { kind: 'merged', by: 'ben' });
    await page.locator('main header').first().getByText('Merged', { exact: true }).waitFor();
  });

  it('is gone with the repository when the host no longer lets this person see it', async () => {
    await product.host.control('webhooks', { paused: true });
    const number = await openOnHost('Carry parcels by night');
    await product.host.control(
      `repos/${TEAM_REPOSITORY}`,
      { private: true, readers: ['ada'], admins: ['ada'] },
      'PATCH',
    );

    await page.goto(path(number));
    await alert().getByText('PR not found').waitFor();

    await page.goto(path(1));
    await alert().getByText('PR not found').waitFor();
    await page.goto('/prs');
    await page.getByText('No pull requests found matching your criteria').waitFor();
  });
});
