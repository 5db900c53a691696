import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TeamView } from '#contract/teams.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser, titleShown } from './support/browser.ts';

const theRest = {
  ...{ repo_owner: 'atlas', repo_name: 'core', author: 'dev-1', author_display_name: null, author_avatar_url: null },
  ...{ author_kind: 'human', lines_changed: 10, waited_hours: 30 },
};

describe('a person who comes to a company that is here already', () => {
  let product: RunningProduct;
  let browser: Browser;
  let colleague: Page;
  let page: Page;

  beforeAll(async () => {
    product = await startProduct({ world: 'company', more: ['--count', '6000'] }, { DEMO: 'false' });
    browser = await startBrowser();
    colleague = await signedIn('dev-1', '/add-repo?from=host');
    await importNext(colleague, 3);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  async function signedIn(login: string, path: string): Promise<Page> {
    const fresh = await openPage(browser, product.url);
    await fresh.goto(`/login?return_to=${encodeURIComponent(path)}`);
    await fresh.getByPlaceholder('Paste a token').fill(`ghp_${login}`);
    await fresh.keyboard.press('Enter');
    await fresh.waitForURL(`**${path}`);
    await titleShown(fresh);
    return fresh;
  }

  const rows = (of: Page) => of.getByRole('listbox', { name: 'Repositories' }).getByRole('option');

  /** Chooses the next that everybody of atlas reads, and waits until they are imported. */
  async function importNext(of: Page, count: number): Promise<void> {
    const begun = of.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/bulk'),
    );
    await tickNext(of, count);
    const { bulk_id } = (await (await begun).json()) as { bulk_id: string };
    const imports = () => api<{ id: string; state: string }[]>(of, '/api/repos/bulk');
    await vi.waitUntil(async () => (await imports()).some(({ id, state }) => id === bulk_id && state === 'done'), {
      timeout: 60_000,
      interval: 200,
    });
    await of.getByText('Imported.', { exact: true }).waitFor();
    await of.getByText(`${count} of ${count} done`).waitFor();
  }
  async function tickNext(of: Page, count: number): Promise<void> {
    await of
      .getByRole('region', { name: 'Owners' })
      .getByRole('button', { name: /^atlas/ })
      .click();
    await of.locator('[role=listbox]:not([data-outdated])').waitFor();
    const open = of.locator('[role=option]:not([aria-disabled=true])');
    await open.first().waitFor();
    for (let at = 0; at < count; at += 1) await open.nth(at).click();
    const name = count === 1 ? 'Add 1 repository' : `Add ${count} repositories`;
    await of.getByRole('button', { name }).click();
  }

  it('is led by what they can read to a dashboard that is full at once', async () => {
    page = await signedIn('dev-6', '/dashboard');
    const start = page.getByRole('region', { name: 'First steps' });
    await start.getByRole('heading', { name: '3 repositories that you can read are here already' }).waitFor();
    await start.getByRole('button', { name: 'Add all' }).waitFor();
    await start.getByRole('link', { name: 'Choose …' }).waitFor();
    await inspect(page, 'dashboard-here-already');
    await product.host.control('counters', undefined, 'DELETE');

    await start.getByRole('button', { name: 'Add all' }).click();
    await start.waitFor({ state: 'detached' });
    const { operations } = (await product.host.control('counters')) as { operations: Record<string, number> };

    expect(operations.PullRequests, 'nothing is imported again').toBeUndefined();
    await expect.poll(() => mergedOf(page)).toBeGreaterThan(0);
  });

  it('chooses several more, sees them come as one import, and then on the dashboard', async () => {
    const before = await mergedOf(page);
    await product.host.control('faults', {
      match: { operation: 'PullRequests' },
      effect: { name: 'latency', milliseconds: 60_000 },
    });
    await page.goto('/add-repo?from=host');
    await rows(page).first().waitFor();
    await tickNext(page, 4);
    const progress = page.getByRole('region', { name: 'Import' });
    await progress.getByText('Importing. You can leave this page; it goes on.').waitFor();
    await progress.getByRole('progressbar', { name: 'Import' }).waitFor();
    await progress.getByText(/running/).waitFor();
    await inspect(page, 'choose-repositories-importing', { aState: true });
    // The button that asks is the one that keeps going.
    await progress.getByRole('button', { name: 'Cancel' }).press('Enter');
    await progress.getByText('Stop for good? What was connected stays.').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Keep going');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Cancel');
    await product.host.control('faults', undefined, 'DELETE');
    await progress.getByText('4 of 4 done').waitFor();

    await page.goto('/dashboard');
    await titleShown(page);
    await expect.poll(() => mergedOf(page)).toBeGreaterThan(before);
  });

  it('finds in the settings, in a quiet line, what comes here later', async () => {
    const namesOf = async (of: Page) =>
      (await api<{ full_name: string }[]>(of, '/api/repos')).map(({ full_name }) => full_name);
    const missing = async () => new Set(await namesOf(colleague)).difference(new Set(await namesOf(page))).size;
    // The next of the colleague may be the ones that the person has chosen.
    do await importNext(colleague, 6);
    while ((await missing()) < 2);
    await page.goto('/settings');
    const line = page.getByRole('status').filter({ hasText: 'here already' });
    await line.getByText(`${await missing()} repositories`).waitFor();
    await inspect(page, 'settings-here-already', { aState: true });
    await line.getByRole('button', { name: /^Add/ }).click();
    await line.waitFor({ state: 'detached' });
  });

  const dialog = (name: string) => page.getByRole('dialog', { name });

  it('imports the teams of the organisation, children with their parents', async () => {
    await page.goto('/teams');
    await page
      .getByText(/^No teams yet. Import them from .+, or make a group.$/)
      .first()
      .waitFor();
    await inspect(page, 'teams-none');
    await page
      .getByRole('link', { name: /^Import from / })
      .first()
      .click();
    const tree = page.getByRole('dialog', { name: /^Import teams from / }).getByRole('group', { name: /^atlas/ });
    const boxes = tree.getByRole('checkbox');
    await boxes.first().waitFor();
    expect(await tree.getByRole('button', { name: 'Import teams of atlas' }).isDisabled()).toBe(true);
    await boxes.first().check();
    const ticked = await tree.locator('input:checked').count();
    expect(ticked, 'children come along').toBeGreaterThan(1);
    await inspect(page, 'teams-import', { aState: true });
    await tree.getByRole('button', { name: 'Import teams of atlas' }).click();
    await tree.getByRole('status').waitFor();
    await page.keyboard.press('Escape');
    const list = page.getByRole('list', { name: 'Teams' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(ticked);
    await inspect(page, 'settings-teams');
  });

  it('makes a group of a colleague, changes when they belong to it, and deletes it behind a question', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'New group' }).click();
    const make = dialog('New group');
    await make.getByLabel('Name').first().fill('Release crew');
    await make.getByLabel('Add somebody by name or exact login').fill('nobody-at-all');
    await page.keyboard.press('Enter');
    await make.getByRole('button', { name: 'Make group' }).click();
    await make.getByText('We know nobody called nobody-at-all').waitFor();
    // A click beside it loses nothing of what is filled in.
    await page.mouse.click(4, 4);
    await make.getByRole('button', { name: 'Take nobody-at-all out' }).press('Space');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('People');
    // Shortcuts of the page rest while it is open, wherever the focus is.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    for (const key of ['g', 'd']) await page.keyboard.press(key);
    await make.getByLabel('Add somebody by name or exact login').fill('dev-1');
    await page.keyboard.press('Enter');
    await make.getByLabel('dev-1 from, period 1').fill('2026-01-05');
    // From the top: what lies halfway below the page's head is a small target.
    await page.evaluate(() => window.scrollTo(0, 0));
    await inspect(page, 'group-new', { aState: true });
    await make.getByRole('button', { name: 'Make group' }).click();
    await page.getByRole('heading', { level: 1, name: 'Release crew' }).waitFor();
    await page.getByText('own group, mine').waitFor();

    await page.getByRole('link', { name: 'Change' }).click();
    const change = dialog('Change group');
    await expect.poll(() => change.getByLabel('dev-1 from, period 1').inputValue()).toBe('2026-01-05');
    await change.getByLabel('Name').first().fill('Night crew');
    await change.getByRole('button', { name: 'Save' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'Night crew' });
    await line.waitFor();

    // What was changed is there when the dialog is opened again.
    await line.getByRole('button', { name: 'Change Night crew' }).click();
    await expect.poll(() => change.getByLabel('Name').first().inputValue()).toBe('Night crew');
    await change.getByRole('button', { name: 'Cancel' }).click();

    // What others change while it is open stays, where the form says nothing of it.
    await line.getByRole('button', { name: 'Change Night crew' }).click();
    await change.getByLabel('dev-1 from, period 1').waitFor();
    const groups = await api<{ id: number; name: string }[]>(page, '/api/teams');
    const path = `/api/teams/${groups.find(({ name }) => name === 'Night crew')!.id}`;
    const headers = { origin: product.url };
    const people = await api<{ username: string }[]>(page, '/api/contributors');
    const { username } = people.find((one) => /^dev-\d+$/.test(one.username) && one.username !== 'dev-1')!;
    await page.request.put(`${product.url}${path}/members/${username}`, { headers, data: { from: null, to: null } });
    await page.request.patch(`${product.url}${path}`, { headers, data: { name: 'Day crew' } });
    const asked = page.waitForResponse(
      (response) => response.url().endsWith(path) && response.request().method() === 'GET',
    );
    await page.evaluate(() => new BroadcastChannel('live-updates dev-6').postMessage({ type: 'opened' }));
    await asked;
    await change.getByLabel('dev-1 from, period 1').fill('2026-01-06');
    await change.getByRole('button', { name: 'Save' }).click();
    await change.waitFor({ state: 'detached' });
    const stored = await api<{ name: string; members: { username: string }[] }>(page, path);
    expect(stored.name).toBe('Day crew');
    expect(new Set(stored.members.map((one) => one.username))).toEqual(new Set(['dev-1', username]));
    await page.request.patch(`${product.url}${path}`, { headers, data: { name: 'Night crew' } });
    await page.reload();

    await line.getByRole('button', { name: 'Delete Night crew' }).click();
    await dialog('Delete group').getByText('Kept views of it say that the group is gone.').waitFor();
    await dialog('Delete group').getByRole('button', { name: 'Cancel' }).click();
    expect(await line.count()).toBe(1);
    await line.getByRole('button', { name: 'Delete Night crew' }).click();
    await dialog('Delete group').getByRole('button', { name: 'Delete group' }).click();
    await line.waitFor({ state: 'detached' });
  });

  it('looks at two teams side by side, and opens one', async () => {
    await page.goto('/teams');
    const table = page.getByRole('table', { name: 'Teams' });
    await table.getByText('Everything').waitFor();
    const [parent] = await api<{ id: number; parent_id: number | null }[]>(page, '/api/teams');
    const level = page.getByLabel('Which teams');
    const ofLevel = page.waitForResponse((response) => /\/compare\?.*parent=/.test(response.url()));
    await level.selectOption(String(parent!.parent_id ?? parent!.id));
    await ofLevel;
    const children = await api<{ name: string; parent_id: number | null }[]>(page, '/api/teams');
    const child = children.find(({ parent_id }) => parent_id === (parent!.parent_id ?? parent!.id))!;
    await table.getByRole('link', { name: child.name, exact: true }).waitFor();
    const boxes = table.getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: 'Compare these 2' }).press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('teams')).toMatch(/^\d+,\d+$/);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toMatch(/^Show all \d+$/);
    await page.getByRole('list', { name: 'Time to first review, week by week' }).getByRole('listitem').nth(1).waitFor();
    await inspect(page, 'teams-two');

    await table.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Who it waits for' }).waitFor();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await inspect(page, 'team-one');
  });

  it('shows the first of what a team is asked, and the rest where they are wanted', async () => {
    const [team] = await api<{ id: number }[]>(page, '/api/teams');
    const view = await api<TeamView>(page, `/api/teams/${team!.id}/view`);
    const asked = { ...theRest, team: 'atlas/platform', since: view.window.from };
    const items = Array.from({ length: 12 }, (_, at) => ({ ...asked, pr_number: at + 1, title: `Change ${at + 1}` }));
    await page.route(
      (url) => url.pathname.endsWith('/view'),
      (route) => route.fulfill({ json: { ...view, requests: { total: 112, items } } }),
    );
    await page.goto(`/team/${team!.id}`);
    const card = page.getByRole('region', { name: 'Asked of the team, without an answer' });
    const links = card.getByRole('table').getByRole('link', { name: /^Change \d+$/ });
    await card.getByText('7 of 112').waitFor();
    expect(await links.count()).toBe(7);

    await card.getByRole('button', { name: 'Show more' }).press('Enter');
    await card.getByText('12 of 112').waitFor();
    expect(await links.count()).toBe(12);

    await card.getByRole('button', { name: 'Show the first 7' }).press('Enter');
    await card.getByText('7 of 112').waitFor();
    await page.unrouteAll();
  });

  it('keeps the team from screen to screen, and on this device', async () => {
    const [team] = await api<{ id: number; name: string }[]>(page, '/api/teams');
    await page.goto('/dashboard');
    await titleShown(page);
    await page.getByLabel('Team', { exact: true }).selectOption(String(team!.id));
    await expect.poll(() => new URL(page.url()).searchParams.get('team')).toBe(String(team!.id));
    await page.getByRole('navigation').getByRole('link', { name: 'Reviewers' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?team=${team!.id}`);
    await page.goto('/prs');
    await expect.poll(() => new URL(page.url()).search).toBe(`?team=${team!.id}`);
    await page.getByLabel('Team', { exact: true }).selectOption('');
    await page.goto('/dashboard');
    await titleShown(page);
    expect(new URL(page.url()).search).toBe('');
  });

  const mergedOf = async (of: Page) => (await api<{ merged_prs: number }>(of, '/api/team-stats')).merged_prs;
  async function api<T>(of: Page, path: string): Promise<T> {
    return (await (await of.request.get(`${product.url}${path}`)).json()) as T;
  }
});
