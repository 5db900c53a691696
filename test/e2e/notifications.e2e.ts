import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, failing, signInAsMona, startTeamProduct } from './support/team.ts';

/** Otherwise the header, which stays, lies over half a row. */
async function inspectFromTop(page: Page, ...how: [name: string, options?: { aState: boolean }]): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  await inspect(page, ...how);
}

describe('the settings of notifications', () => {
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
  const channels = () => page.getByRole('list', { name: 'Channels' }).getByRole('listitem');
  const stored = async () =>
    (await (await page.request.get(`${product.url}/api/notifications`)).json()) as {
      quiet_hours: { from: string; weekdays: number[] };
      paused: boolean;
    };

  it('are reached from the settings, and say what is not set up on this server', async () => {
    await page.goto('/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('table', { name: 'What reaches me' }).waitFor();

    await page.getByText('Mail isn’t set up on this server. Ask whoever runs it to set SMTP_URL.').waitFor();
    expect(await page.getByRole('switch', { name: 'Stuck by mail' }).isDisabled()).toBe(true);
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(0);
    await page.getByText('No channels yet.').waitFor();
    await page.getByText('Nothing was sent in the last 30 days.').waitFor();
    await inspectFromTop(page, 'notifications-off');
  });

  it('change when messages may come at once, and take it back', async () => {
    await page.getByRole('textbox', { name: 'From', exact: true }).fill('7:30');
    await page.keyboard.press('Enter');
    await page.getByText('Messages may come 07:30 to 19:00, Mon to Fri.').waitFor();
    await expect.poll(async () => (await stored()).quiet_hours.from).toBe('07:30');

    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(async () => (await stored()).quiet_hours.from).toBe('08:00');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('When it is quiet');
    await page.getByRole('button', { name: 'Saturday' }).press('Space');
    await expect.poll(async () => (await stored()).quiet_hours.weekdays).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('save no other time in the place of one that is none', async () => {
    const from = page.getByRole('textbox', { name: 'From', exact: true });
    await from.fill('25:99');
    await page.keyboard.press('Enter');
    await page.getByText(/^This could not be saved/).waitFor();
    expect((await stored()).quiet_hours.from).toBe('08:00');
    await expect.poll(() => from.inputValue()).toBe('08:00');
  });

  it('say why a change could not be saved, and show what is stored', async () => {
    const undo = await failing(page, '/api/notifications', { error: 'Not now.', code: 'x', request_id: 'r-1' });
    await page.getByRole('button', { name: 'Sunday' }).click();
    await page.getByText('This could not be saved. Not now. Request r-1.').waitFor();
    await undo();
    await page.reload();
    await page.getByRole('button', { name: 'Sunday' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sunday' }).getAttribute('aria-pressed')).toBe('false');
  });

  it('keep the options of a message until it is switched on', async () => {
    await page.getByRole('button', { name: 'Change the options of Stuck' }).press('Enter');
    const form = page.getByRole('form', { name: 'Stuck: options' });
    await form.getByLabel('Hours, 1 to 720').fill('48');
    await form.getByLabel('Again').selectOption('Each 24 h');
    await inspectFromTop(page, 'notifications-options', { aState: true });
    await form.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('after 48 h, again each 24 h').waitFor();
  });

  it('give the focus back to where options were asked for', async () => {
    const button = page.getByRole('button', { name: 'Change the options of Stuck' });
    await button.press('Enter');
    await page.getByLabel('Hours, 1 to 720').press('Escape');
    await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true);
  });

  it('make a webhook, say who will see what, and show its secret this once', async () => {
    await page.getByRole('button', { name: 'Add channel' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New channel' });
    await dialog.getByText('Webhook', { exact: true }).click();
    await dialog.getByLabel('Name').fill('On-call board');
    await dialog.getByLabel('Address').fill('http://board.example/hooks');
    await dialog.getByText('Everyone in that channel will see titles of 1 repository, 0 of them private.').waitFor();
    await dialog.getByRole('button', { name: 'Make channel' }).click();
    await dialog.getByText('must begin with https://').waitFor();
    await inspectFromTop(page, 'notifications-new-channel', { aState: true });
    // A click beside it loses neither what is filled in nor what is shown this once.
    await page.mouse.click(4, 4);

    await dialog.getByLabel('Address').fill('https://board.example/hooks/abcdefghijklmnop9f04');
    await dialog.getByRole('checkbox', { name: 'Stuck' }).check();
    await dialog.getByRole('button', { name: 'Make channel' }).click();
    const secret = page.getByRole('dialog', { name: 'Secret of On-call board' });
    await secret.getByText('it is shown this once', { exact: false }).waitFor();
    expect(await secret.locator('code').innerText()).toMatch(/^[\w-]{32,}$/);
    await inspectFromTop(page, 'notifications-secret', { aState: true });
    await page.mouse.click(4, 4);
    await secret.getByRole('button', { name: 'Done' }).click();

    await expect
      .poll(() => channels().innerText())
      .toMatch(
        /On-call board\s+Webhook\s+https:\/\/board\.example\/…9f04 · stuck after 24 h · daily 09:00, Mon to Fri/,
      );
    expect(await page.getByText('titles of 1 repository, 0 of them private.').count()).toBe(1);
  });

  it('tell what became of a test in the row, and in the log', async () => {
    await page.getByRole('button', { name: 'Send a test to On-call board' }).click();
    await channels()
      .getByText(/^Failed|^Arrived/)
      .waitFor();
    await inspectFromTop(page, 'notifications-tested', { aState: true });
  });

  it('change a channel and keep its address', async () => {
    await page.getByRole('button', { name: 'Edit On-call board' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit On-call board' });
    await dialog.getByLabel('Name').fill('Night board');
    await dialog.getByRole('checkbox', { name: 'Send titles' }).uncheck();
    const preview = page.waitForRequest(/\/api\/notifications\/preview\//);
    const saved = page.waitForRequest((request) => request.method() === 'PATCH');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // What another tab has changed since stays.
    expect((await saved).postDataJSON()).toEqual({ name: 'Night board', titles: false });
    // What would be sent now has changed with it.
    await preview;
    await expect
      .poll(() => channels().innerText())
      .toMatch(/Night board[\s\S]*Sends owner\/name#number without titles\./);
  });

  it('say since when and why a channel is paused, and go on with it', async () => {
    await page.route('**/api/channels', async (route) => {
      const answer = await route.fetch();
      const all = (await answer.json()) as object[];
      const paused = { since: '2026-11-17T10:00:00.000Z', reason: 'the address is gone' };
      await route.fulfill({ response: answer, json: all.map((one) => ({ ...one, paused })) });
    });
    await page.reload();
    await channels().getByText('the address is gone').waitFor();
    await channels()
      .getByText(/^Paused since/)
      .waitFor();
    await inspectFromTop(page, 'notifications-paused-channel', { aState: true });
    await page.getByRole('button', { name: 'Resume Night board' }).click();
    await channels()
      .getByText(/^It could not be resumed\./)
      .waitFor();
    await page.unroute('**/api/channels');
    await page.reload();
  });

  it('replace the secret and delete the channel only after asking', async () => {
    const previewOf = page.getByLabel('Channel of the preview');
    await previewOf.selectOption('Night board');
    await page.getByRole('button', { name: 'New secret for Night board' }).click();
    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByRole('dialog', { name: 'Secret of Night board' }).getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Delete Night board' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete channel' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await channels().count()).toBe(1);
    await page.getByRole('button', { name: 'Delete Night board' }).click();
    await dialog.waitFor();
    // Another tab was faster.
    const of = `${product.url}/api/channels`;
    const [channel] = (await (await page.request.get(of)).json()) as { id: number }[];
    await page.request.delete(`${of}/${channel!.id}`, { headers: { origin: product.url } });
    await dialog.getByRole('button', { name: 'Delete channel' }).click();
    await page.getByText('No channels yet.').waitFor();
    expect(await previewOf.inputValue()).toBe('mail');
    await page.getByRole('region', { name: 'Preview' }).getByText('Nothing would be sent now.').waitFor();
  });

  it('pause everything only after saying what is lost', async () => {
    const pause = page.getByRole('switch', { name: 'Pause everything' });
    await pause.press('Space');
    const dialog = page.getByRole('dialog', { name: 'Pause everything' });
    await dialog.getByText('what falls due meanwhile is not sent later', { exact: false }).waitFor();
    expect((await stored()).paused).toBe(false);
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText(/^Everything is paused/).waitFor();
    expect((await stored()).paused).toBe(true);
    await pause.press('Space');
    await expect.poll(async () => (await stored()).paused).toBe(false);
  });

  it('page through the log, and say of each message what became of it', async () => {
    const at = new Date(Date.now() - 3_600_000).toISOString();
    const one = {
      at,
      kind: 'turn',
      channel: 'mail',
      subject: 'Mergelight: 2 waiting for you',
      attempts: 1,
      last_error: null,
    };
    const states = [
      { ...one, state: 'sent', items: ['octo-org/work#1', 'octo-org/work#2', 'octo-org/work#3'] },
      { ...one, kind: 'weekly', state: 'failed', last_error: '550 No such user', items: [] },
      { ...one, kind: 'stuck', state: 'unknown', items: [] },
      { ...one, kind: 'daily', channel: 9, state: 'dropped', last_error: 'There was nothing to say', items: [] },
      { ...one, kind: 'sync', state: 'held', items: [] },
      { ...one, kind: 'test', state: 'pending', attempts: 2, items: [] },
    ];
    await page.route('**/api/notifications/log?*', (route) =>
      route.fulfill({
        json: { deliveries: route.request().url().includes('offset=0') ? states : states.slice(1, 2), total: 26 },
      }),
    );
    await page.reload();
    const log = page.getByRole('region', { name: 'Log' });
    await log.getByText('octo-org/work#1, octo-org/work#2 and 1 more').waitFor();
    for (const words of ['May have arrived; not sent again', 'Dropped: There was nothing to say', 'A channel'])
      await log.getByText(words).waitFor();
    await log.getByText('Tried 2 times').waitFor();
    await inspectFromTop(page, 'notifications-log', { aState: true });
    await log.getByRole('button', { name: 'Next' }).press('Enter');
    await log.getByText('Page 2 of 2').waitFor();
    await expect.poll(() => log.getByRole('row').count()).toBe(2);
    await page.unroute('**/api/notifications/log?*');
  });

  it('keep what can be shown where a part could not be fetched', async () => {
    const undo = await failing(page, '/api/channels', { error: 'Not now.', code: 'x', request_id: 'r-2' });
    await page.reload();
    await page.getByText('Failed to fetch your channels').waitFor();
    await page.getByRole('table', { name: 'What reaches me' }).waitFor();
    await inspectFromTop(page, 'notifications-failed', { aState: true });
    await undo();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('No channels yet.').waitFor();
  });

  it('say nothing of what a channel will show while the repositories are not known', async () => {
    const undo = await failing(page, '/api/repos', { error: 'Not now.', code: 'x', request_id: 'r-4' });
    await page.reload();
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'New channel' });
    await dialog.getByText('Failed to fetch repositories').waitFor();
    const words = dialog.getByText(/^Everyone in that channel will see titles/);
    expect(await words.count()).toBe(0);
    expect(await dialog.getByRole('option', { name: 'Some' }).isDisabled()).toBe(true);
    await inspectFromTop(page, 'notifications-channel-unknown', { aState: true });
    await undo();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await words.waitFor();
    await dialog.getByLabel('Repositories').selectOption('Some');
    expect(await dialog.getByRole('checkbox', { name: 'octo-org/work' }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
  });
});

describe('the notifications of a visitor of the demo', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await page.request.post(`${product.url}/auth/demo`, { headers: { origin: product.url } });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('can all be tried: what would be sent arrives in an inbox beside the settings, and nowhere else', async () => {
    await page.goto('/settings/notifications');
    await page.getByText('Nothing has arrived yet.').waitFor();
    const inbox = page.getByRole('list', { name: 'Inbox of the demo' }).getByRole('listitem');

    await page.getByRole('switch', { name: 'Daily by mail' }).press('Space');
    await page.getByText('Daily by mail is on.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole('switch', { name: 'Daily by mail' }).isChecked()).toBe(true);

    const preview = page.getByRole('region', { name: 'Preview' });
    for (const kind of ['Stuck', 'Daily', 'Weekly', 'Sync trouble', 'Your turn']) {
      await preview.getByLabel('Message of the preview').selectOption(kind);
      await preview.getByText(/Nothing would be sent now|This would be sent now/).waitFor();
    }

    await page.getByRole('button', { name: 'Send a test by mail' }).press('Enter');
    await page.getByText(/^Arrived in [\d.]+ s, 200$/).waitFor();
    await inbox.getByRole('button', { name: 'Mergelight: a test' }).press('Enter');
    await inbox.getByText('This is Mergelight. It works.').waitFor();
    await inbox.getByRole('button', { name: 'Exactly what is sent' }).press('Enter');
    await inbox.getByText('Open My work:').waitFor();

    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'New channel' });
    await dialog.getByText('Webhook', { exact: true }).click();
    await dialog.getByLabel('Name').fill('On-call board');
    await dialog.getByLabel('Address').fill('https://board.example/hooks');
    await dialog.getByRole('button', { name: 'Make channel' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Send a test to On-call board' }).click();
    await expect.poll(() => inbox.count()).toBe(2);
    await inbox.first().getByRole('button', { name: 'Mergelight: a test' }).click();
    await inbox.getByRole('button', { name: 'Exactly what is sent' }).click();
    await inbox.getByText('"kind": "test"').waitFor();
    const log = page.getByRole('region', { name: 'Log' });
    await expect.poll(() => log.getByText('Sent').count()).toBe(2);
    await log.getByText('On-call board').waitFor();
    await inspectFromTop(page, 'notifications-demo');
  });

  it('take no options back with the switch that was pressed before they were saved', async () => {
    await page.goto('/settings/notifications');
    const stuck = page.getByRole('switch', { name: 'Stuck by mail' });
    await stuck.press('Space');
    await page.getByText('Stuck by mail is on.').waitFor();
    await page.getByRole('button', { name: 'Change the options of Stuck' }).press('Enter');
    const form = page.getByRole('form', { name: 'Stuck: options' });
    await form.getByLabel('Hours, 1 to 720').fill('36');
    const preview = page.waitForRequest(/\/api\/notifications\/preview\//);
    await form.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('table', { name: 'What reaches me' }).getByText('after 36 h').waitFor();
    await preview;

    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await stuck.press('Space');
    await page.getByText('Stuck by mail is off.').waitFor();
  });

  it('leave off what a link in a mail has switched off since they were opened', async () => {
    const path = `${product.url}/api/notifications`;
    const kinds = async () => {
      const { subscriptions } = (await (await page.request.get(path)).json()) as { subscriptions: { kind: string }[] };
      return subscriptions.map(({ kind }) => kind);
    };
    expect(await kinds()).toContain('daily');
    await page.request.put(path, { headers: { origin: product.url }, data: { subscriptions: [] } });
    expect(await page.getByRole('switch', { name: 'Daily by mail' }).isChecked()).toBe(true);

    await page.getByRole('switch', { name: 'Stuck by mail' }).press('Space');
    await page.getByText('Stuck by mail is on.').waitFor();
    expect(await kinds()).toEqual(['stuck']);
    await expect.poll(() => page.getByRole('switch', { name: 'Daily by mail' }).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(kinds).toEqual([]);
  });

  it('say that one of two changes could not be saved, and save the one that was made meanwhile', async () => {
    const both = Promise.withResolvers<void>();
    let isFirst = true;
    await page.route('**/api/notifications', async (route) => {
      if (route.request().method() !== 'PUT' || !isFirst) return await route.fallback();
      isFirst = false;
      await both.promise;
      await route.fulfill({ status: 500, json: { error: 'Not now.', code: 'x', request_id: 'r-3' } });
    });
    const [stuck, daily] = ['Stuck by mail', 'Daily by mail'].map((name) => page.getByRole('switch', { name }));
    await stuck!.press('Space');
    await daily!.press('Space');
    both.resolve();
    const problem = page.getByText('This could not be saved. Not now. Request r-3.');
    await problem.waitFor();
    await page.getByText('Daily by mail is on.').waitFor();
    expect(await problem.count()).toBe(1);
    await expect.poll(() => stuck!.isChecked()).toBe(false);
    expect(await daily!.isChecked()).toBe(true);

    await daily!.press('Space');
    await page.getByText('Daily by mail is off.').waitFor();
    expect(await problem.count()).toBe(0);
    await page.unroute('**/api/notifications');
  });

  it('have another mail address confirmed by the link that arrives in the inbox', async () => {
    const another = page.getByRole('button', { name: 'Use another' });
    await another.press('Enter');
    await page.getByLabel('Another address').press('Escape');
    await expect.poll(() => another.evaluate((it) => it === document.activeElement)).toBe(true);
    await another.press('Enter');
    await page.getByLabel('Another address').fill('somewhere@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('somewhere@example.org isn’t confirmed yet', { exact: false }).waitFor();
    await inspectFromTop(page, 'notifications-unconfirmed', { aState: true });
    const inbox = page.getByRole('list', { name: 'Inbox of the demo' }).getByRole('listitem');
    await inbox.getByRole('button', { name: 'Mergelight: confirm this address' }).click();
    await inbox.getByRole('link', { name: /\/confirm\// }).click();
    await page.getByRole('button').click();
    await page.goto('/settings/notifications');
    await page.getByText('Mail goes to somewhere@example.org.').waitFor();
  });
});
