import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona } from './support/team.ts';

interface Team {
  readonly id: number;
  readonly name: string;
}

describe('teams, when not all is well', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'false' });
    const { host } = product;
    await host.control('organizations/octo-org', { members: { mona: 'MEMBER', octo: 'ADMIN' } }, 'PATCH');
    await host.control('teams/octo-org/greeters', { members: { mona: 'MEMBER' } }, 'PATCH');
    const team = { organization: 'octo-org', members: [{ login: 'octo', maintainer: true, from: null, to: null }] };
    await host.control('teams', { ...team, slug: 'waving', name: 'Waving', parent: 'greeters' });
    await host.control('teams', { ...team, slug: 'nodding', name: 'Nodding', parent: 'greeters' });
    await host.control('teams', { ...team, slug: 'writers', name: 'Writers' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product, 'octo-org/hello');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'wait' });
  });

  const tree = () =>
    page.getByRole('dialog', { name: /^Import teams from / }).getByRole('group', { name: /^octo org/ });
  const ticked = () =>
    tree()
      .locator('input:checked')
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).labels?.[0]?.innerText.split(' ')[0]));
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return element?.labels?.[0]?.innerText ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
  const openImport = async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: /^Import from / }).focus();
    await page.keyboard.press('Enter');
    await tree().getByRole('checkbox').first().waitFor();
  };
  /** What the server says of teams, changed on its way. */
  const telling = async (more: object) => {
    await page.route(/\/api\/teams(\/\d+)?(\?all=true)?$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const answer = await route.fetch();
      const body = (await answer.json()) as object | object[];
      const change = (team: object) => ({ ...team, ...('name' in team && team.name === 'Greeters' && more) });
      await route.fulfill({ json: Array.isArray(body) ? body.map(change) : change(body) });
    });
  };
  const greeters = async () => {
    const teams = (await (await page.request.get('/api/teams')).json()) as Team[];
    return `/team/${teams.find(({ name }) => name === 'Greeters')?.id}`;
  };

  it('a token that may not read teams is told apart from having none, on both screens, with the way out', async () => {
    const narrow = await openPage(browser, product.url);
    await narrow.request.post('/auth/token', { headers: { origin: product.url }, data: { token: 'ghp_octo_repo' } });
    await connectAndSync(narrow, product, 'octo-org/hello');
    await narrow.goto('/teams');
    const sentence = 'Your token may not read teams. Sign in again, or give it read:org.';
    await narrow.getByText(sentence).waitFor();
    await narrow.getByRole('button', { name: 'Sign in again' }).waitFor();
    await inspect(narrow, 'teams-missing-scope', { aState: true });
    await narrow.goto('/settings?import=true');
    const dialog = narrow.getByRole('dialog', { name: /^Import teams from / });
    await dialog.getByText(sentence).waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(0);
    await inspect(narrow, 'teams-import-missing-scope', { aState: true });
    await narrow.context().close();
  });

  it('are ticked in their tree, imported and closed by keyboard alone', async () => {
    await openImport();
    const walked: string[] = [];
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 12 && !name.test(await focused()); presses += 1) {
        await page.keyboard.press('Tab');
        walked.push(await focused());
      }
      expect(await focused(), walked.join(' | ')).toMatch(name);
    };
    await tabTo(/^Greeters/);
    await page.keyboard.press('Space');
    expect((await ticked()).sort()).toEqual(['Greeters', 'Nodding', 'Waving']);
    await tabTo(/^Nodding/);
    await page.keyboard.press('Space');
    expect((await ticked()).sort()).toEqual(['Greeters', 'Waving']);
    await tabTo(/^Import teams of octo-org/);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Import 2 teams');
    await page.keyboard.press('Enter');
    await tree()
      .getByText(/^2 teams with 2 people are here\./)
      .waitFor();
    await expect
      .poll(() =>
        tree()
          .getByRole('checkbox', { name: /^Greeters/ })
          .isDisabled(),
      )
      .toBe(true);
    await page.keyboard.press('Escape');
    await tree().waitFor({ state: 'detached' });
    await expect.poll(focused).toMatch(/^Import from /);
    await expect
      .poll(() => page.getByRole('list', { name: 'Teams' }).getByRole('listitem').getByRole('link').allInnerTexts())
      .toEqual(['Greeters', 'Waving']);
  });

  it('one that is archived says so on its page and in the settings, is read no more and is offered nowhere', async () => {
    await telling({ archived_at: new Date(Date.now() - 3 * 86_400_000).toISOString() });
    await page.goto(await greeters());
    await page
      .getByText(/^Archived at the host, noticed on .+\. Its figures stay; it is offered nowhere any more\.$/)
      .waitFor();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    expect(await page.getByRole('button', { name: 'Read again' }).count()).toBe(0);
    await inspect(page, 'team-archived', { aState: true });
    await page.goto('/settings');
    const line = page.getByRole('list', { name: 'Teams' }).getByRole('listitem').filter({ hasText: 'Greeters' });
    await line.getByText('archived', { exact: true }).waitFor();
    expect(await line.getByRole('button', { name: 'Read Greeters again' }).count()).toBe(0);
    await page.goto('/dashboard');
    await page.getByLabel('Team', { exact: true }).waitFor();
    expect(await page.getByLabel('Team', { exact: true }).locator('option').allInnerTexts()).toEqual([
      'All teams',
      'Waving',
    ]);
  });

  it.each([
    [1, false],
    [5, true],
  ])('one that was not updated for %d days says since when', async (days, isLong) => {
    const since = new Date(Date.now() - days * 86_400_000).toISOString();
    await telling({ stale_since: since, read_at: since });
    await page.goto(await greeters());
    const words = page.getByText(/^not updated since \d+ \w+( \d{4})?$/);
    await words.waitFor();
    expect((await words.getAttribute('class'))?.includes('stale')).toBe(isLong);
    await inspect(page, `team-not-updated-${days}`, { aState: true });
    await page.goto('/settings');
    await page
      .getByRole('list', { name: 'Teams' })
      .getByText(/^not updated since/)
      .waitFor();
  });

  it.each([
    ['/teams', '/api/teams', 'Failed to fetch teams', () => page.getByRole('table', { name: 'Teams' }).first()],
    ['/settings', '/api/teams', 'Failed to fetch teams', () => page.getByRole('list', { name: 'Teams' })],
    ['/settings?import=true', '/api/teams/available', 'Failed to fetch teams', () => tree()],
  ] as const)('%s says that %s could not be fetched, and tries again', async (path, call, words, there) => {
    const undo = await failing(page, call, { error: 'The host is away.', code: 'x', request_id: '7f3c91' });
    await page.goto(path);
    const alert = page.getByRole('alert').filter({ hasText: words });
    await alert.getByText('The host is away. Request 7f3c91.').waitFor();
    await inspect(page, `failed${path.replaceAll(/\W/g, '-')}`, { aState: true });
    await undo();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await there().waitFor();
  });

  it('a team’s page says which of its parts could not be fetched, the others stay', async () => {
    const path = await greeters();
    const undoView = await failing(page, `/api/teams/${path.slice(6)}/view`, {
      error: 'Not now.',
      code: 'x',
      request_id: 'r',
    });
    await page.goto(path);
    await page.getByRole('alert').filter({ hasText: 'Failed to fetch the team’s view' }).first().waitFor();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await inspect(page, 'team-view-failed', { aState: true });
    await undoView();
    // All of them ask the same.
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);

    const undo = await failing(page, `/api/teams/${path.slice(6)}`, { error: 'Not now.', code: 'x', request_id: 'r' });
    await page.goto(path);
    await page
      .getByRole('alert')
      .filter({ hasText: 'Failed to fetch the team' })
      .getByText('Not now. Request r.')
      .waitFor();
    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { level: 1, name: 'Greeters' }).waitFor();
  });

  it('one that the device remembers and that is gone is forgotten, and the page opens without it', async () => {
    const remembered = () => page.evaluate(() => localStorage.getItem('team'));
    const address = () => page.url().replace(product.url, '');
    await page.goto('/settings');
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => localStorage.setItem('team', '999999'));
      await page.goto('/reviewer-stats');
      await expect.poll(remembered).toBeNull();
      await expect.poll(address).toBe('/reviewer-stats');
      await expect.poll(() => page.getByText('Team not found').count()).toBe(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    // What somebody chose themselves stays in the address, and another team remembered.
    await page.evaluate(() => localStorage.setItem('team', '5'));
    await page.goto('/reviewer-stats?team=999999');
    await page.getByRole('alert').getByText('Team not found').waitFor();
    const chosen = page.getByLabel('Team', { exact: true }).locator('option:checked');
    await expect.poll(() => chosen.textContent()).toBe('This group is gone.');
    expect(address()).toBe('/reviewer-stats?team=999999');
    expect(await remembered()).toBe('5');

    // A link that means everybody means so with a team remembered, too.
    await page.goto('/dashboard?period=7d');
    await page.getByRole('link', { name: 'View all stuck PRs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Stuck PRs' }).waitFor();
    expect(address()).toBe('/stuck-prs');
    const repository = page.getByLabel('Repository', { exact: true });
    await repository.selectOption({ index: 1 });
    await expect.poll(address).toMatch(/^\/stuck-prs\?repository=/);
    await repository.selectOption({ index: 0 });
    await expect.poll(address).toBe('/stuck-prs');

    // So does what remains of an address that was changed on its page.
    const headers = { origin: product.url };
    const made = await page.request.post('/api/teams', { headers, data: { name: `Own ${Date.now()}` } });
    const { id } = (await made.json()) as Team;
    await page.evaluate((team) => localStorage.setItem('team', String(team)), id);
    for (const [path, group, choice] of [
      ['/prs?state=open', 'State', /^All/],
      ['/reviewer-stats?period=30d', 'Time period', /^7d$/],
    ] as const) {
      await page.goto(path);
      await page.getByRole('radiogroup', { name: group }).getByText(choice).click();
      await page.waitForTimeout(500);
      expect(address()).toBe(path.replace(/\?.*/, ''));
    }
    for (const [link, heading, path] of [
      ['All reviewers', 'Reviewers', '/reviewer-stats'],
      ['All developers', 'Developers', '/developer-stats'],
    ] as const) {
      await page.goto('/dashboard?repository=999999');
      await repository.selectOption({ index: 0 });
      await expect.poll(address).toBe('/dashboard');
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(address()).toBe(path);
    }
    await page.request.delete(`/api/teams/${id}`, { headers });
    await page.evaluate(() => localStorage.removeItem('team'));
  });

  it('of which all are imported, those to come too, says so when the dialog is opened again', async () => {
    await openImport();
    const all = () => tree().getByRole('checkbox', { name: /^All of them, and those that appear later/ });
    expect(await all().isChecked()).toBe(false);
    await all().check();
    await tree().getByRole('button', { name: 'Import teams of octo-org' }).click();
    await tree().getByRole('status').waitFor();
    await page.keyboard.press('Escape');
    await tree().waitFor({ state: 'detached' });

    await openImport();
    await expect.poll(() => all().isChecked()).toBe(true);
    expect(await all().isDisabled()).toBe(true);
    await tree().getByText('So it is now. Taking back the import of one of them ends it.').waitFor();
    await tree().getByText('All of them are imported.').waitFor();
    expect(await tree().getByRole('button', { name: 'Import teams of octo-org' }).isDisabled()).toBe(true);
    await inspect(page, 'teams-import-standing', { aState: true });
    await page.keyboard.press('Escape');
    await titleShown(page);
  });
});
