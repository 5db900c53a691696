/*
 * What a browser loads and how long a person waits for data on the chief screens, at a usual processor and one that is four times slower, with
 * nothing kept and with what the first look left. `npm run bench browser [-- SIZE]`, the size in pull requests (200,000), on PostgreSQL. Leaves
 * `bench/browser.md`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { conditions } from './support/conditions.ts';
import { startFilled } from './support/filled-server.ts';
import { spread } from './support/spread.ts';

const ROUNDS = 5;
const SLOWER = 4;

const size = Number(process.argv[2] ?? 200_000);
if (!(Number.isInteger(size) && size >= 4000 && size % 800 === 0)) {
  console.error('Usage: npm run bench browser [-- SIZE], a number of pull requests from 4000 up, a multiple of 800');
  process.exit(1);
}

/** Each with what is there once its data is. */
const screens: readonly { name: string; path: string; data: (page: Page) => Promise<void> }[] = [
  { name: 'dashboard', path: '/dashboard', data: (page) => page.getByText(/^Last 30 days, /).waitFor() },
  { name: 'list', path: '/prs', data: (page) => page.locator('tbody [data-row-link]').first().waitFor() },
  {
    name: 'deep dive',
    path: `/pr/acme/repository-2/${Math.round(size / 4 - 10)}`,
    data: (page) => page.getByRole('tabpanel').waitFor(),
  },
  { name: 'trends', path: '/trends', data: (page) => page.locator('#content [role="img"] svg').first().waitFor() },
];

interface Look {
  /** Milliseconds from asking for the page to its data. */
  readonly time: number;
  /** As they came, compressed, in bytes. */
  readonly script: number;
  readonly style: number;
}

const { server, cookie, stop } = await startFilled('postgresql', size);
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH !== undefined && { executablePath: process.env.CHROMIUM_PATH }),
  args: ['--no-sandbox'],
});
const rows: string[] = [];
try {
  for (const screen of screens) {
    for (const slower of [1, SLOWER]) {
      const looks = await looked(browser, screen, slower);
      for (const [what, kind] of [
        ['nothing kept', 'first'],
        ['again', 'again'],
      ] as const) {
        const of = looks.map((look) => look[kind]);
        const times = of.map(({ time }) => time);
        const bytes = [of[0]!.script, of[0]!.style].map((one) => (one / 1000).toFixed(0));
        rows.push(`| ${[screen.name, `${slower} ×`, what, ...bytes, spread(times, 0)].join(' | ')} |`);
        console.log(rows.at(-1));
      }
    }
  }
} finally {
  await browser.close();
  await stop();
}
writeFileSync(
  join(import.meta.dirname, 'browser.md'),
  `# In the browser

From asking for a page until its data is there, with ${size.toLocaleString('en')} pull requests on PostgreSQL, ${ROUNDS} rounds; slower: on a processor that Chromium slows down so
many times (\`Emulation.setCPUThrottlingRate\`). Script and styles in kB are all that comes until the data is there, compressed, with the heads of the
answers; the build's budget counts only what the entry and the dashboard import statically, by gzip (\`vite.config.ts\`). "Again" is the same page
in the same browser, which has kept its files. \`npm run bench browser\`. ${conditions()}

| screen | slower | | script kB | styles kB | data after ms, median | least | most |
| --- | --: | --- | --: | --: | --: | --: | --: |
${rows.join('\n')}
`,
);

async function looked(
  browser: Browser,
  screen: (typeof screens)[number],
  slower: number,
): Promise<{ first: Look; again: Look }[]> {
  const looks: { first: Look; again: Look }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: server.url }]);
    looks.push({ first: await look(context, screen, slower), again: await look(context, screen, slower) });
    await context.close();
  }
  return looks;
}

async function look(context: BrowserContext, { path, data }: (typeof screens)[number], slower: number): Promise<Look> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await devtools.send('Network.enable');
  const types = new Map<string, string>();
  const bytes = { Script: 0, Stylesheet: 0 };
  devtools.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    if (type === 'Script' || type === 'Stylesheet') bytes[type] += encodedDataLength;
  });
  const began = performance.now();
  await page.goto(path, { waitUntil: 'commit', timeout: 120_000 });
  await data(page);
  const time = performance.now() - began;
  await page.close();
  return { time, script: bytes.Script, style: bytes.Stylesheet };
}
