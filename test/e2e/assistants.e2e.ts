import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';
import { failing } from './support/team.ts';

describe('assistants in the settings of a visitor of the demo', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  let token: string;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true' });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    const headers = { origin: product.url };
    await page.request.post(`${product.url}/auth/demo`, { headers });
    const data = { name: 'An assistant', scopes: ['read:figures', 'read:mine'], repositories: 'all' };
    const made = await page.request.post(`${product.url}/api/tokens`, { headers, data });
    ({ token } = (await made.json()) as { token: string });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const say = async (body: object) =>
    await fetch(`${product.url}/mcp`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });

  it('say how each is connected, with the address of this server', async () => {
    await page.goto('/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Assistants' }).click();
    await page.getByText('No assistant has asked anything yet.').waitFor();
    const code = () => page.getByRole('region', { name: 'Connect an assistant' }).locator('code').innerText();
    await expect.poll(code).toContain(`claude mcp add --transport http mergelight ${product.url}/mcp`);
    for (const [name, words] of [
      ['Cursor', '"mcpServers"'],
      ['VS Code', '{input:mergelight-token}'],
      ['Others (JSON)', 'Bearer mgl_YOUR_TOKEN'],
    ] as const) {
      await page.getByText(name, { exact: true }).click();
      await expect.poll(code).toContain(words);
    }
    await inspect(page, 'assistants-none', { aState: true });
  });

  it('are tested with a token by keyboard, and say what is wrong with another', async () => {
    const field = page.getByLabel('Token', { exact: true });
    await field.fill(`${token}x`);
    await page.keyboard.press('Enter');
    await page.getByText('This token is not valid.').waitFor();
    await field.fill(token);
    await page.keyboard.press('Enter');
    await page.getByText(/It works: this token has 1\d tools\./).waitFor();
  });

  it('list what was asked last', async () => {
    const answer = await say({ method: 'tools/call', params: { name: 'whats_waiting_for_me', arguments: {} } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('wait for you');
    await say({ method: 'tools/call', params: { name: 'team_figures', arguments: { repository: 'no/where' } } });
    await page.reload();
    const calls = page.getByRole('list', { name: 'Last calls' }).getByRole('listitem');
    await expect
      .poll(() => calls.allInnerTexts())
      .toEqual([
        expect.stringMatching(/team_figures[\s\S]*Refused[\s\S]*ms/),
        expect.stringMatching(/whats_waiting_for_me[\s\S]*ms/),
      ]);
    await inspect(page, 'assistants');
  });

  it('say that they are switched off, and why the last calls are not there', async () => {
    await page.route('**/auth/options', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), assistants: false } });
    });
    const undo = await failing(page, '/api/assistants/calls', { error: 'Something', code: 'x', request_id: 'x' });
    await page.reload();
    await page.getByText('Assistants are switched off on this server.').waitFor();
    await page.getByText('Failed to fetch the last calls').waitFor();
    await undo();
    await page.unrouteAll({ behavior: 'wait' });
  });
});
