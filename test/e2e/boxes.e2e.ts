import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { boxTroubles, standing } from './support/boxes.ts';
import { openPage, screenshot, startBrowser } from './support/browser.ts';
import { goToScreen, screens } from './support/screens.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 900 },
  { width: 390, height: 844 },
] as const;
/** Of a page on a phone, in CSS pixels. */
const HIGHEST = 5_000;

describe('the boxes of every screen', () => {
  let product: RunningProduct;
  let browser: Browser;
  /** Each shows one screen after the other: a new page would compile all of the front end's code again. */
  let visitor: Page;
  let nobody: Page;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true' }, { wholeDemo: true });
    browser = await startBrowser();
    visitor = await openPage(browser, product.url);
    nobody = await openPage(browser, product.url);
    await visitor.request.post('/auth/demo', { headers: { origin: product.url } });
    const isImported = async () => {
      const repositories = (await (await visitor.request.get('/api/repos')).json()) as { last_synced_at: unknown }[];
      return repositories.length > 0 && repositories.every(({ last_synced_at }) => last_synced_at !== null);
    };
    while (!(await isImported())) await visitor.waitForTimeout(1_000);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it.each(screens)('$name stand where they should at 1440, 900 and 390 px, light and dark', async (screen) => {
    const page = screen.isPublic ? nobody : visitor;
    // As the one before left it: dark and narrow.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    for (const size of sizes) {
      await page.setViewportSize(size);
      // What opens over a screen may close when the window changes its size.
      if (size === sizes[0] || screen.reach !== undefined) await goToScreen(page, screen);
      let inLight: string | null = null;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const where = `${screen.name}, ${size.width} px, ${colorScheme}`;
        // Measuring takes seconds: what stands in dark as it did in light was measured.
        if (inLight === null || inLight !== (await standing(page)))
          // What another width asks for first may take a moment.
          await expect.poll(() => boxTroubles(page, screen), { message: where, timeout: 10_000 }).toEqual([]);
        inLight ??= await standing(page);
        await screenshot(page, `screens/${screen.name}-${size.width}-${colorScheme}`);
      }
      const [width, height] = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return [scrollWidth, scrollHeight] as const;
      });
      expect(width, `${screen.name} at ${size.width} px scrolls sideways`).toBe(size.width);
      if (size.width === 390) expect(height, `the height of ${screen.name} on a phone`).toBeLessThan(HIGHEST);
    }
  });
});
