import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import pg from 'pg';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

const COPIES = 10_000;

/** Only a server's data can be multiplied from outside; the embedded database belongs to the product's process. */
const hasServer = inject('postgresql') !== undefined;
if (!hasServer) console.error('PostgreSQL is not installed: the tests of 10,000 pull requests are LEFT OUT.');

/** Multiplies the pull request that ada opened a day ago, with its facts. */
async function multiply(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const table of ['pull_requests', 'pull_request_facts']) {
    const { rows } = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    const values = names.map((name) =>
      name === 'number' || name === 'host_id' || name === 'node_id'
        ? `(100000 + copy)${name === 'number' ? '' : '::text'}`
        : name === 'title'
          ? `'Copy ' || copy || '.'`
          : name,
    );
    const last = `select * from ${table} where number = (select number from pull_requests where title = 'Say when a parcel arrives')`;
    await client.query(
      `insert into ${table} (${names}) select ${values} from (${last}) original, generate_series(1, ${COPIES}) copy`,
    );
  }
  await client.query('analyze');
  await client.end();
}

describe.skipIf(!hasServer)('a contributor with 10,000 pull requests', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    await multiply(product.env.DATABASE_URL!);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  const table = () => page.getByRole('region', { name: 'Pull Requests', exact: true });
  const rows = () => table().locator('tbody tr');
  const startExport = async (format: string) => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click();
  };

  it('is drawn 25 rows at a time, and filtered and sorted over all of them', async () => {
    await page.goto('/contributor/ada');
    await table().getByText('All 10,006').waitFor();
    expect(await rows().count()).toBe(25);

    await table().getByText('Merged 0').click();
    await table().getByText('0 of 10,006').waitFor();
    await table().getByText('All 10,006').click();
    await table().getByRole('button', { name: 'Time open' }).click();
    await expect.poll(() => rows().first().innerText()).toMatch(/Store the ledger in one table/);
    expect(await rows().count()).toBe(25);
  });

  it('stays usable while all of it is exported, as json with every row', async () => {
    const held: (() => void)[] = [];
    await page.route(
      (url) => url.pathname === '/api/contributors/export',
      (route) => {
        held.push(() => void route.continue());
      },
    );
    await startExport('JSON');
    await expect.poll(() => held.length).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: 'Exporting...' }).isDisabled()).toBe(true);
    await table().getByText('Closed 0').click();
    await table().getByText('No closed pull requests found').waitFor();
    await page.getByRole('button', { name: 'Hide Team Averages' }).click();
    await page.getByRole('button', { name: 'Show Team Averages' }).waitFor();

    const [file] = await Promise.all([page.waitForEvent('download'), Promise.resolve(held.pop()?.())]);
    const read: { pull_requests: { title: string }[] } = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(new Set(read.pull_requests.map(({ title }) => title)).size).toBe(COPIES + 6);
    expect(read.pull_requests).toHaveLength(COPIES + 6);
    await expect.poll(() => page.getByRole('button', { name: 'Export', exact: true }).isEnabled()).toBe(true);
    await page.unrouteAll();
  });

  it('downloads its table with every row, not only those on the screen', async () => {
    await table().getByText('All 10,006').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      table().getByRole('button', { name: 'Download CSV' }).click(),
    ]);

    const read: { title: string }[] = parse(await readFile(await file.path()), { columns: true, bom: true });
    expect(new Set(read.map(({ title }) => title)).size).toBe(COPIES + 6);
    expect(read).toHaveLength(COPIES + 6);
  });

  it('answers others while it draws the report, whose every page has its number', async () => {
    const done: string[] = [];
    const headers = { origin: product.url };
    const report = page.request
      .post(`${product.url}/api/contributors/export`, {
        headers,
        data: { username: 'ada', period: '30d', format: 'pdf' },
        timeout: 110_000,
      })
      .then(async (answer) => {
        const content = await answer.body();
        done.push('report');
        return content;
      });
    for (let asked = 0; asked < 3; asked++) {
      const answer = await page.request.get(`${product.url}/api/contributors?accounts=all`);
      expect(answer.status()).toBe(200);
      done.push('list');
    }

    const pdf = await getDocument({ data: new Uint8Array(await report), verbosity: 0 }).promise;
    expect(done[0]).toBe('list');
    expect(pdf.numPages).toBe(1 + Math.ceil((COPIES + 6) / 41));
    const last = await (await pdf.getPage(pdf.numPages)).getTextContent();
    expect(last.items.map((item) => ('str' in item ? item.str : '')).join(' ')).toContain(
      `Page ${pdf.numPages} of ${pdf.numPages}`,
    );
  });
});
