import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { accessible, inspect, openPage, openPageIn, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

describe('the settings', () => {
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
  const repositories = () => page.getByRole('list', { name: 'Connected repositories' });

  it('lead to the first repository when there is none', async () => {
    await page.goto('/settings');
    await page.getByText('Connect Your First Repository').waitFor();

    await expect.poll(() => page.getByRole('link', { name: 'Add Repository', exact: true }).count()).toBe(2);
  });

  it('show the account and the connected repositories with their state', async () => {
    await connectAndSync(page, product);
    await page.goto('/settings');
    const row = repositories().getByRole('listitem');
    await row.getByText('octo-org/work').waitFor();

    await expect
      .poll(() => page.getByRole('region', { name: 'Account', exact: true }).innerText())
      .toMatch(/Username\s+mona/);
    await expect.poll(() => row.innerText()).toMatch(/Connected[\s\S]*11 pull requests[\s\S]*Synced [\s\S]* ago/);
    await expect.poll(() => row.innerText()).toContain('No webhook deliveries yet');
    await inspect(page, 'settings');
  });

  it('lead from the list of their parts to each, which then stands below the bar that stays in sight', async () => {
    await page.setViewportSize({ width: 1440, height: 500 });
    const bar = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())!;
    for (const title of ['Teams', 'Kept views']) {
      await page.evaluate(() => scrollTo(0, 0));
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: title, exact: true }).click();
      const top = async () => (await page.getByRole('heading', { name: title, exact: true }).boundingBox())!.y;
      await expect.poll(top).toBeLessThan(200);
      expect(await top(), title).toBeGreaterThanOrEqual(bar.height);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/settings');
  });

  it('show the webhook set-up again, the secret only when asked', async () => {
    await page.getByRole('button', { name: 'Webhook set-up' }).click();
    await page.getByText('Pull requests, Pull request reviews').waitFor();

    await expect.poll(() => page.getByText(`${product.url}/webhooks/github/`).count()).toBe(1);
    await page.getByRole('button', { name: 'Show Secret' }).waitFor();
    await page.getByRole('button', { name: 'Hide webhook' }).click();
    await page.getByText('Pull requests, Pull request reviews').waitFor({ state: 'hidden' });
  });

  it('replace the secret after asking, by keyboard, and say until when the old one is accepted', async () => {
    await page.getByRole('button', { name: 'Webhook set-up' }).click();
    await page.getByRole('button', { name: 'Show Secret' }).click();
    const secret = () => page.locator('code').nth(1).innerText();
    const before = await secret();
    await page.getByRole('button', { name: 'New secret' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New webhook secret for octo-org/work' });
    await dialog.waitFor();
    await inspect(page, 'settings-new-secret', { aState: true });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('New secret');
    expect(await secret()).toBe(before);

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByText('This is the new secret. Give it to', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Show Secret' }).click();

    expect(await secret()).toMatch(/^[0-9a-f]{64}$/);
    expect(await secret()).not.toBe(before);
    await inspect(page, 'settings-webhook', { aState: true });
    await page.getByRole('button', { name: 'Hide webhook' }).click();
  });

  it('keep address and secret from whoever is no admin of the repository, and say who can help', async () => {
    await product.host.control('repos/octo-org/work', { admins: ['octo'], readers: ['mona'] }, 'PATCH');
    await page.getByRole('button', { name: 'Webhook set-up' }).click();
    await page.getByText(/^Only an admin of octo-org\/work on .* can see the address and the secret/).waitFor();

    expect(await page.getByText('/webhooks/github/').count()).toBe(0);
    await expect.poll(() => page.getByText('Waiting for the first delivery').count()).toBe(1);
    await inspect(page, 'settings-webhook-withheld', { aState: true });
    await page.getByRole('button', { name: 'Hide webhook' }).click();
    await product.host.control('repos/octo-org/work', { admins: ['mona'], readers: [] }, 'PATCH');
  });

  it('offer no webhook to whoever signs in by a GitHub App, which cannot create one, and say what to do instead', async () => {
    const kinds = {
      app: /^The GitHub App that you sign in with tells Mergelight what happens in octo-org\/work: there is nothing to set up/,
      by_hand: /^The GitHub App that you sign in with cannot create webhooks: create this one by hand/,
    };
    for (const [webhook_by, words] of Object.entries(kinds)) {
      await page.route('**/api/repos', async (route) => {
        if (route.request().method() !== 'POST') return await route.fallback();
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...(await answer.json()), webhook_by } });
      });
      await page.getByRole('button', { name: 'Webhook set-up' }).click();
      await page.getByText(words).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Create it for me' }).count()).toBe(0);
      await inspect(page, `settings-webhook-${webhook_by}`, { aState: true });
      await page.getByRole('button', { name: 'Hide webhook' }).click();
      await page.unroute('**/api/repos');
    }
  });

  it('say when deliveries are refused, and what to do', async () => {
    await page.route('**/api/repos', async (route) => {
      const answer = await route.fetch();
      const all = (await answer.json()) as object[];
      const refused = { webhook_message: 'Deliveries are refused: give GitHub the new secret' };
      await route.fulfill({ response: answer, json: all.map((one) => ({ ...one, ...refused })) });
    });
    await page.reload();
    await repositories().getByText('Deliveries are refused: give GitHub the new secret').waitFor();
    await accessible(page, 'settings-deliveries-refused');
    await page.unroute('**/api/repos');
    await page.reload();
  });

  it('say in one line how far earlier pull requests are read again, and nothing once all are', async () => {
    const line = page.getByText(/^Labels, assignees and agents’ traces of earlier pull requests are being read/);
    expect(await line.count()).toBe(0);
    let reading_again = { done: 0, total: 8000, since: null as string | null };
    await page.route('**/api/repos', async (route) => {
      const answer = await route.fetch();
      const all = (await answer.json()) as object[];
      await route.fulfill({ response: answer, json: all.map((one) => ({ ...one, reading_again })) });
    });
    await page.reload();
    await line.waitFor();
    await expect
      .poll(() => line.innerText())
      .toMatch(/being read: 0 %, 0 of 8,000\. All figures are shown meanwhile\.$/);

    reading_again = { done: 7999, total: 8000, since: '2024-03-05T12:00:00.000Z' };
    await page.reload();
    await expect.poll(() => line.innerText()).toMatch(/being read: 99 %, 7,999 of 8,000, since Tue 5 Mar 2024\. All/);
    await inspect(page, 'settings-reading-again', { aState: true });
    await page.unroute('**/api/repos');
    await page.reload();
    await repositories().getByText('octo-org/work').waitFor();
    await expect.poll(() => line.count()).toBe(0);
  });

  it('keep the time zone', async () => {
    const kept = async () =>
      ((await (await page.request.get(`${product.url}/auth/me`)).json()) as { time_zone: string }).time_zone;
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await expect.poll(kept).toBe('Asia/Tokyo');
    await page.reload();
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');

    // The last one chosen is kept, also where the server takes its time with the one before.
    const slow = Promise.withResolvers<void>();
    await page.route('**/auth/me', async (route) => {
      if (route.request().postData()?.includes('Europe/Berlin')) await slow.promise;
      await route.continue();
    });
    const answered = (zone: string) =>
      page.waitForResponse((response) => response.request().postData()?.includes(zone) === true);
    const [first, last] = [answered('Europe/Berlin'), answered('Asia/Tokyo')];
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.waitForTimeout(500);
    slow.resolve();
    await Promise.all([first, last]);
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
    expect(await kept()).toBe('Asia/Tokyo');
    await page.unroute('**/auth/me');
  });

  it('take a time zone that was chosen in another tab once this one is looked at', async () => {
    const other = await openPageIn(page.context());
    await other.goto('/settings');
    const before = await other.getByLabel('Time zone').inputValue();
    const zone = before === 'Pacific/Auckland' ? 'Pacific/Chatham' : 'Pacific/Auckland';
    await other.getByLabel('Time zone').selectOption(zone);
    // What was asked a moment ago is not asked again.
    await page.waitForTimeout(5_500);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe(zone);
    await other.close();
  });

  it('say when a time zone could not be kept', async () => {
    const undo = await failing(page, '/auth/me', { error: 'Not now.', code: 'x', request_id: 'r-2' });
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByText('Not now. Request r-2.').waitFor();
    await undo();
  });

  it('choose the colours, and a reload keeps them', async () => {
    await page.getByText('Dark', { exact: true }).click();
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    await expect.poll(scheme).toBe('dark');
    await page.reload();
    await page.getByText('octo-org/work').waitFor();
    expect(await scheme()).toBe('dark');
    await page.getByText('As the system', { exact: true }).click();
    await expect.poll(scheme).toBe('light');
  });

  it('switch the single-key shortcuts off', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'All shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.waitForTimeout(300);

    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('Single-key shortcuts').check();
  });

  it('mark an account, list it and take the mark back', async () => {
    await page.getByLabel('Username').fill('ben');
    await page.getByLabel('is a').selectOption('agent');
    const told = Promise.withResolvers<void>();
    await page.route('**/api/account-kinds/ben', async (route) => {
      await told.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    // Whom one goes on with meanwhile is kept.
    await page.getByLabel('Username').fill('cleo');
    told.resolve();
    const marked = page.getByRole('list', { name: 'Marked accounts' }).getByRole('listitem');
    await marked.getByText('Agent').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe('cleo');
    await expect.poll(() => marked.innerText()).toMatch(/ben[\s\S]*Agent[\s\S]*for you, /);
    // The figures follow in the background, and the page says so until they have.
    await expect.poll(() => marked.innerText(), { timeout: 30_000 }).not.toContain('Counting …');
    // From the top: what lies halfway below the page's head is a small target.
    await page.evaluate(() => window.scrollTo(0, 0));
    await inspect(page, 'settings-marked');

    await page.getByRole('button', { name: 'Undo the mark of ben' }).press('Enter');
    await page.getByText('No account is marked.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Bots, agents and humans');
  });

  it('offer no Undo of a mark that holds for everyone to whoever administers no more, though it is theirs', async () => {
    const mark = { username: 'ben', display_name: null, avatar_url: null, kind: 'bot', counting: false };
    await page.route('**/api/account-kinds', (route) =>
      route.fulfill({ json: [{ ...mark, set_by: 'mona', set_at: new Date().toISOString(), own: false }] }),
    );
    await page.reload();
    await page.getByText(/^for everyone, by you, /).waitFor();
    expect(await page.getByRole('button', { name: 'Undo the mark of ben' }).count()).toBe(0);
    await page.unroute('**/api/account-kinds');
    await page.reload();
  });

  it('say that nobody is called so', async () => {
    await page.getByLabel('Username').fill('nobody-at-all');
    await page.getByRole('button', { name: 'Mark', exact: true }).click();

    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('nobody-at-all');
  });

  it('say at once that nothing is removed without a network, and remove nothing once it is back', async () => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Remove octo-org/work' }).click();
    await page.context().setOffline(true);
    await page.getByText(/^You are offline\./).waitFor();
    await dialog.getByRole('button', { name: 'Remove repository' }).click();
    await dialog.getByText('Failed to delete repository. The server did not answer.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.context().setOffline(false);
    await page.getByText(/^You are offline\./).waitFor({ state: 'hidden' });
    await page.waitForTimeout(500);
    const left = (await (await page.request.get(`${product.url}/api/repos`)).json()) as object[];
    expect(left).toHaveLength(1);
  });

  it('go on asking about those of several that could not be removed, and about no others', async () => {
    const headers = { origin: product.url };
    await page.request.post(`${product.url}/api/repos`, { headers, data: { owner: 'octo-org', name: 'hello' } });
    await page.reload();
    const listed = (await (await page.request.get(`${product.url}/api/repos`)).json()) as {
      id: number;
      name: string;
    }[];
    const nameOf = (url: string) => listed.find(({ id }) => url.endsWith(`/${id}`))?.name;
    const tried: (string | undefined)[] = [];
    await page.route(/\/api\/repos\/\d+$/, async (route) => {
      const name = nameOf(route.request().url());
      tried.push(name);
      if (name === 'hello') return await route.continue();
      const status = tried.length < 3 ? 500 : 404;
      await route.fulfill({ status, json: { error: 'Not now.', code: 'internal', request_id: '7f3c91' } });
    });
    await page.getByRole('checkbox', { name: 'Select all 2 shown' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove repositories' }).click();

    // One alone is listed as before there were several: what is asked about them stays.
    await expect.poll(() => repositories().getByRole('listitem').count()).toBe(1);
    const dialog = page.getByRole('dialog', { name: 'Remove 1 repository' });
    await dialog.getByText('octo-org/work: Not now.').waitFor();
    await dialog.getByRole('button', { name: 'Remove repositories' }).click();
    await dialog.waitFor({ state: 'hidden' });

    expect(tried).toEqual(['hello', 'work', 'work']);
    await page.unroute(/\/api\/repos\/\d+$/);
    await page.reload();
  });

  it('say of several webhooks which were made when the host fails over the others', async () => {
    const [one] = (await (await page.request.get(`${product.url}/api/repos`)).json()) as { id: number }[];
    const many = Array.from({ length: 21 }, (_, at) => ({ ...one, id: 1_000 + at, full_name: `octo-org/r${at}` }));
    await page.route('**/api/repos', (route) => route.fulfill({ json: many }));
    await page.route('**/api/repos/webhooks', async (route) => {
      const { ids } = route.request().postDataJSON() as { ids: number[] };
      if (ids.length < 20) return await route.fulfill({ status: 500, json: { error: 'Not now.', code: 'internal' } });
      const made = { status: 'created', reason: null };
      const refused = { status: 'refused', reason: 'Hooks are off.' };
      await route.fulfill({ json: { results: ids.map((id) => ({ id, ...(id === 1_003 ? refused : made) })) } });
    });
    await page.reload();
    await page.getByRole('checkbox', { name: 'Select all 21 shown' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Create webhooks' }).click();

    await page.getByText('19 created, 0 there already.').waitFor();
    await page.getByText('Failed for the other 1. Not now.').waitFor();
    // A search does not take the names away.
    await page.getByLabel('Search connected repositories').fill('r20');
    await page.getByRole('checkbox', { name: 'Select all 1 shown' }).waitFor();
    await page.getByText('octo-org/r3: Hooks are off.').waitFor();
    await page.getByLabel('Search connected repositories').fill('');
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
  });

  it('remove no more of several once the dialog is closed, and show those that are left', async () => {
    const headers = { origin: product.url };
    await page.request.post(`${product.url}/api/repos`, { headers, data: { owner: 'octo-org', name: 'hello' } });
    await page.reload();
    const removed: string[] = [];
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/repos\/\d+$/, async (route) => {
      removed.push(route.request().method());
      await held.promise;
      await route.continue();
    });
    await page.getByRole('checkbox', { name: 'Select all 2 shown' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove 2 repositories' });
    await dialog.getByRole('button', { name: 'Remove repositories' }).click();
    await expect.poll(() => removed).toEqual(['DELETE']);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    held.resolve();

    await expect.poll(() => repositories().getByRole('listitem').count()).toBe(1);
    await repositories().getByText('octo-org/work').waitFor();
    await page.unroute(/\/api\/repos\/\d+$/);
    expect(removed).toEqual(['DELETE']);
  });

  it('remove a repository only after asking, and say what goes with it', async () => {
    await page.getByRole('button', { name: 'Remove octo-org/work' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Are you sure you want to remove this repository?').waitFor();
    await dialog.getByText(/^Its 11 pull requests leave your dashboards/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => repositories().getByRole('listitem').count()).toBe(1);
    const remove = page.getByRole('button', { name: 'Remove octo-org/work' });
    await expect.poll(() => remove.evaluate((button) => button === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove repository' }).press('Enter');
    await page.getByText('Connect Your First Repository').waitFor();
    // The button is gone with its row; the list it stood in is where one goes on.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Connected repositories');
    await page.keyboard.press('Tab');
    const next = page.getByRole('region', { name: 'Connected repositories' }).getByRole('link');
    await expect.poll(() => next.evaluate((link) => link === document.activeElement)).toBe(true);
  });

  it('take for removed what another tab has removed a moment before', async () => {
    const headers = { origin: product.url };
    await page.request.post(`${product.url}/api/repos`, { headers, data: { owner: 'octo-org', name: 'hello' } });
    await page.reload();
    await page.route(/\/api\/repos\/\d+$/, async (route) => {
      expect((await page.request.delete(route.request().url(), { headers })).status()).toBe(204);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Remove octo-org/hello' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove repository' }).click();

    await page.getByText('Connect Your First Repository').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.unroute(/\/api\/repos\/\d+$/);
  });

  it('say nothing of the sync of a repository that is removed while it runs, only of the others', async () => {
    const headers = { origin: product.url };
    for (const name of ['hello', 'work'])
      await page.request.post(`${product.url}/api/repos`, { headers, data: { owner: 'octo-org', name } });
    await page.reload();
    await page.getByRole('button', { name: 'Remove octo-org/work' }).waitFor();
    await product.host.control('faults', {
      match: { kind: 'graphql', repository: 'octo-org/work' },
      effect: { name: 'latency', milliseconds: 20_000 },
    });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Sync', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Full sync/ }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Remove octo-org/work' }).click();
    await dialog.getByRole('button', { name: 'Remove repository' }).click();

    await page.getByText(/^Successfully synced \d+ PRs/).waitFor();
    expect(await page.getByText('Sync completed with errors').count()).toBe(0);
    await product.host.control('faults', undefined, 'DELETE');
    const [left] = (await (await page.request.get(`${product.url}/api/repos`)).json()) as { id: number }[];
    await page.request.delete(`${product.url}/api/repos/${left?.id}`, { headers });
  });

  it('say why a sync cannot go on, or not even begin, once its repository was removed elsewhere', async () => {
    const headers = { origin: product.url };
    const call = async (method: 'post' | 'delete', path: string, data?: object) =>
      (await page.request[method](product.url + path, { headers, ...(data && { data }) })).json().catch(() => null);
    const connect = async (name: string) =>
      ((await call('post', '/api/repos', { owner: 'octo-org', name })) as { id: number }).id;
    const dialog = page.getByRole('dialog');
    const sync = async () => {
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await page.getByRole('menuitem', { name: /^Smart sync/ }).click();
    };
    const work = await connect('work');
    await page.reload();
    await page.getByRole('button', { name: 'Remove octo-org/work' }).waitFor();
    await product.host.control('faults', {
      match: { kind: 'graphql' },
      effect: { name: 'latency', milliseconds: 4_000 },
    });
    const started = page.waitForResponse('**/api/sync-repo-complete');
    await sync();
    const { session_id } = (await (await started).json()) as { session_id: string };
    await call('post', `/api/sync-cancel/${session_id}`);
    await dialog.getByText(/octo-org\/work: The sync was cancelled\./).waitFor();
    await product.host.control('faults', undefined, 'DELETE');
    await call('delete', `/api/repos/${work}`);
    await dialog.getByRole('button', { name: /^Retry/ }).click();
    await dialog.getByText(/octo-org\/work: Repository not found/).waitFor();

    await dialog.getByRole('button', { name: 'Clear Sync State' }).click();
    const hello = await connect('hello');
    await connect('work');
    await page.reload();
    await page.getByRole('button', { name: 'Remove octo-org/hello' }).waitFor();
    const refusal = { status: 422, json: { error: 'Token lacks access', code: 'host_refused', request_id: '7f3c91' } };
    await page.route('**/api/sync-repo-complete', (route) => route.fulfill(refusal));
    await sync();
    await dialog.getByText(/octo-org\/work: Token lacks access/).waitFor();
    await page.unroute('**/api/sync-repo-complete');
    await call('delete', `/api/repos/${hello}`);
    const line = dialog.getByRole('listitem').filter({ hasText: 'hello' });
    await line.getByRole('button', { name: /^Retry/ }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Close');
    await dialog.getByText(/octo-org\/hello: Repository not found/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  it('ask before the last session ends what becomes of the token, and sign out to the sign-in page', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep reading in the background?' });
    await dialog.getByText(/syncs, mails, Slack messages and personal tokens stop until you sign in again/).waitFor();
    await dialog.getByText(/your channels are paused until you resume them/).waitFor();
    const no = dialog.getByRole('button', { name: 'No, log out' });
    await expect.poll(() => no.evaluate((button) => button === document.activeElement)).toBe(true);
    await inspect(page, 'settings-sign-out', { aState: true });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Sign Out', exact: true }).press('Enter');
    await dialog.waitFor();
    const sent = page.waitForRequest('**/auth/logout');
    await page.keyboard.press('Enter');

    expect((await sent).postDataJSON()).toEqual({ background: false });
    await page.waitForURL('**/login');
  });

  it('keep the token when the person wants to be read for', async () => {
    await signInAsMona(page, product);
    await page.goto('/settings');
    await page.getByRole('list', { name: 'Sessions' }).waitFor();
    const undo = await failing(page, '/auth/sessions', { error: 'Not now.', code: 'x', request_id: 'r-3' });
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
    await page.getByText(/^If this is your last session, /).waitFor();
    await page.keyboard.press('Escape');
    await undo();
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
    await page.getByText('This is your last session.').waitFor();
    const sent = page.waitForRequest('**/auth/logout');
    await page.getByRole('button', { name: 'Yes, log out and keep reading' }).click();

    expect((await sent).postDataJSON()).toEqual({ background: true });
    await page.waitForURL('**/login');
  });

  it('delete the account once its name has been typed, and say why when that fails', async () => {
    await signInAsMona(page, product);
    await page.goto('/settings');
    const name = page.getByLabel('Type mona to confirm');
    const remove = page.getByRole('button', { name: 'Delete account' });
    await name.fill('octo');
    await expect.poll(() => remove.isDisabled()).toBe(true);
    await name.fill('Mona');
    const undo = await failing(page, '/auth/me', { error: 'Not now.', code: 'x', request_id: 'r-3' });
    await remove.click();
    await page.getByText('Your account could not be deleted. Not now. Request r-3.').waitFor();
    await inspect(page, 'settings-delete-account', { aState: true });
    await undo();

    await name.press('Enter');
    await page.waitForURL(`${product.url}/`);
    await page.goto('/prs');
    await page.waitForURL(/\/login\?/);
  });
});
