import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { openPage, startBrowser } from './support/browser.ts';
import { connectAndSync, signInAsMona, startTeamProduct } from './support/team.ts';

/** Each screen with what is on it only once its data has come. */
const screens = [
  ['/dashboard', 'Store the ledger in one table'],
  ['/stuck-prs', 'Store the ledger in one table'],
  ['/stuck-prs?repository=1', 'Store the ledger in one table'],
  ['/reviewer-stats', 'Top Reviewer'],
  ['/developer-stats', 'Top Contributor'],
  ['/review-load', 'Review Load Details'],
  ['/contributors', 'Showing 3 of 3 contributors'],
  ['/contributor/ben', 'Move the cart, part 1'],
  ['/contributor/ben?period=90d', 'Move the cart, part 1'],
  ['/prs', 'Showing 1 to 11 of 11 results'],
  ['/prs?state=merged&q=cart', 'Move the cart, part 1'],
  ['/pr/octo-org/work/1', 'Store the ledger in one table'],
  ['/settings', 'No account is marked. Known bots and agents are recognized by themselves.'],
  ['/add-repo', 'Choose the repository'],
] as const;

describe('from the navigation to data on screen', () => {
  let product: RunningProduct;
  let browser: Browser;
  let cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
  beforeAll(async () => {
    product = await startTeamProduct();
    browser = await startBrowser();
    const page = await openPage(browser, product.url);
    await signInAsMona(page, product);
    await connectAndSync(page, product);
    cookies = await page.context().cookies();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it.each(screens)(
    '%s asks for everything beside the session: no question waits for another’s answer',
    async (path, shown) => {
      const page = await openPage(browser, product.url);
      await page.context().addCookies(cookies);
      const asked: string[] = [];
      let answer = () => {};
      const answering = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(/\/(api|auth)\//, async (route) => {
        if (route.request().resourceType() === 'eventsource') return route.continue();
        asked.push(new URL(route.request().url()).pathname);
        await answering;
        await route.continue();
      });
      // The page's load is over when all that its code asks for at once is on its way.
      await page.goto(path);
      await expect.poll(() => asked).toContain('/auth/me');
      await page.waitForTimeout(200);
      const atOnce = [...asked];

      answer();
      await page.getByText(shown, { exact: true }).first().waitFor();
      expect(asked).toEqual(atOnce);
      await page.context().close();
    },
  );
});
