import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { clearPage, inspect, openPage, openPageIn, startBrowser, titleShown } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

/** How much of the screen may move, as the browser counts it. */
const STEADY = 0.02;

/** Each screen with what is on it only once its data has come. */
const screens = [
  ['/my-work', 'We haven’t seen you in these repositories yet.'],
  ['/dashboard', 'Store the ledger in one table'],
  ['/stuck-prs?repository=1', 'Store the ledger in one table'],
  ['/reviewer-stats', 'Top Reviewer'],
  ['/developer-stats', 'Top Contributor'],
  ['/review-load', 'Outstanding Reviews'],
  ['/contributors', 'Showing 3 of 3 contributors'],
  ['/contributor/ben?period=90d', 'Move the cart, part 1'],
  ['/prs?state=merged', 'Move the cart, part 1'],
  ['/pr/octo-org/work/1', 'Store the ledger in one table'],
  ['/settings', 'No account is marked. Known bots and agents are recognized by themselves.'],
  ['/add-repo', 'Choose the repository'],
] as const;

describe('at first sight', () => {
  let product: RunningProduct;
  let browser: Browser;
  /** In which mona is signed in, each as wide as its screen. */
  let pages: Readonly<Record<1440 | 360, Page>>;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    const page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    pages = { 1440: page, 360: await openPageIn(page.context()) };
    await page.context().addInitScript(() => {
      const told = window as unknown as { moved: number };
      told.moved = 0;
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
          if (!shift.hadRecentInput) told.moved += shift.value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
  });
  afterEach(async () => {
    for (const page of Object.values(pages)) await clearPage(page);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** A signed-in page whose calls are written down and answered one after the other, none before `answer`. */
  const openSlowly = async (width: keyof typeof pages) => {
    const page = pages[width];
    await page.setViewportSize({ width, height: width === 360 ? 800 : 900 });
    const asked: string[] = [];
    let answered = 0;
    let answer = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/(api|auth)\//, async (route) => {
      // Never opened: one that opens late has the page ask once more, for what changed meanwhile.
      if (route.request().resourceType() === 'eventsource') return;
      const turn = asked.push(route.request().url().replace(product.url, ''));
      await answering;
      await page.waitForTimeout(200 + ((turn * 3) % 7) * 80);
      await route.continue();
      answered += 1;
    });
    const settled = async () => {
      await expect.poll(() => answered).toBe(asked.length);
      await page.waitForTimeout(300);
    };
    const moved = () => page.evaluate(() => (window as unknown as { moved: number }).moved);
    return { page, asked, answer, settled, moved };
  };

  const see = async (path: string, shown: string, width: keyof typeof pages) => {
    const { page, asked, answer, settled, moved } = await openSlowly(width);
    await page.goto(path);
    await expect.poll(() => asked).toContain('/auth/me');
    // Nothing is answered yet: what is asked until nothing more comes waits for no answer.
    for (let before = 0; before < asked.length; ) {
      before = asked.length;
      await page.waitForTimeout(400);
    }
    // The shell waits for no answer: where one is, and where one may go, which on a phone the menu holds.
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' });
    await (width === 360 ? page.getByRole('button', { name: 'Menu' }) : links).waitFor();
    const heading = page.getByRole('heading', { level: 1 });
    await expect.poll(() => heading.count()).toBe(1);
    const headingAtOnce = await heading.innerText();
    const atOnce = [...asked];
    answer();
    await page.getByText(shown, { exact: true }).first().waitFor();
    await settled();
    const headings = [headingAtOnce, await heading.innerText()];
    return { atOnce, asked: [...asked], moved: await moved(), headings };
  };

  it.each(screens)('%s asks for all of its data at once, and nothing jumps when it comes', async (path, shown) => {
    for (const { atOnce, asked, moved, headings } of await Promise.all([
      see(path, shown, 1440),
      see(path, shown, 360),
    ])) {
      // Two round trips, the page's and its data's: no question waits for another's answer, the session's least of all.
      expect(asked).toEqual(atOnce);
      expect(moved).toBeLessThanOrEqual(STEADY);
      // The title of a pull request alone is not known before.
      expect(headings[0]).toBe(path.startsWith('/pr/') ? 'Mergelight' : headings[1]);
    }
  });

  it('shows header, heading and outlines of the page while the API takes its time', async () => {
    const page = pages[1440];
    let answer = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/api\//, async (route) => {
      if (route.request().resourceType() !== 'eventsource') await answering;
      await route.continue();
    });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Account of mona' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Engineering Metrics Dashboard' }).waitFor();
    await expect.poll(() => page.locator('main [class*="skeleton"]').count()).toBeGreaterThan(3);
    await inspect(page, 'loading-slow-api', { aState: true });
    answer();
    await page.getByText('Store the ledger in one table').first().waitFor();
  });

  it('stays in place from screen to screen', async () => {
    const { page, answer, settled, moved } = await openSlowly(1440);
    answer();
    await page.goto('/add-repo');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    for (let at = 0; at < 8; at += 1) {
      const before = await moved();
      await links.nth(at).click();
      await titleShown(page);
      await page.waitForTimeout(500);
      await settled();
      expect((await moved()) - before, await links.nth(at).innerText()).toBeLessThanOrEqual(STEADY);
    }
  });

  it('keeps the room of news about a repository that has not been synced', async () => {
    await pages[1440].request.post('/api/repos', {
      headers: { origin: product.url },
      data: { owner: 'octo-org', name: 'hello' },
    });
    for (const width of [1440, 360] as const) {
      const { moved } = await see('/stuck-prs', 'octo-org/hello has not been synced yet.', width);
      expect(moved, String(width)).toBeLessThanOrEqual(STEADY);
    }
  });
});
