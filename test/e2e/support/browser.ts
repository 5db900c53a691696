import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import axe, { type RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { expect } from 'vitest';

const keepsPictures = !process.env.CI;
const artifacts = resolve(import.meta.dirname, '../../../test-artifacts');
const usual = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/**
 * Pages live for seconds here: code that is optimized as early as for people, and a collector that begins with little room, take an eighth of
 * their processor time.
 */
const shortLived =
  '--js-flags=--invocation-count-for-maglev=20000 --invocation-count-for-turbofan=200000 --min-semi-space-size=32';

/** Of all files of this worker; it ends with the process. */
let ofThisWorker: Browser | null = null;

/** The browser of this worker, another one where it crashed. `close` takes away what was opened by what this returned, and lets it live on. */
export async function startBrowser(): Promise<Browser> {
  if (!ofThisWorker?.isConnected()) ofThisWorker = await launch();
  const browser = ofThisWorker;
  const opened: BrowserContext[] = [];
  const own: Pick<Browser, 'newContext' | 'newPage' | 'close'> = {
    async newContext(options) {
      const context = await browser.newContext(options);
      opened.push(context);
      return context;
    },
    async newPage(options) {
      const page = await browser.newPage(options);
      opened.push(page.context());
      return page;
    },
    async close() {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
  return new Proxy(browser, { get: (target, key) => Reflect.get(key in own ? own : target, key) });
}

/** The machine's own Chromium: `CHROMIUM_PATH`, else where systems usually put it. */
async function launch(): Promise<Browser> {
  const path = [process.env.CHROMIUM_PATH, ...usual].find((candidate) => candidate && existsSync(candidate));
  if (path === undefined) {
    throw new Error('No Chromium was found. Install it (apt-get install chromium) or set CHROMIUM_PATH.');
  }
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', shortLived] });
}

const USUAL = { width: 1440, height: 900 };

/** A page in a context of its own: no cookies, nothing stored, 1440 × 900. Fails the test on a script error, and on what the Content-Security-Policy forbids. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  more: { readonly timezoneId?: string } = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    ...more,
    viewport: USUAL,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(() => {
    addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, sourceFile, lineNumber, sample }) => {
        throw new Error(`${effectiveDirective} forbids ${blockedURI} of ${sourceFile}:${lineNumber} ${sample}`);
      },
    );
  });
  return await openPageIn(context);
}

/** One more page in a context of `openPage`: its cookies and what is stored there are those of the others. */
export async function openPageIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  return page;
}

/**
 * Makes a page as good as new for the next test, except for what its context keeps. A new one, or `about:blank` between two, takes another
 * process, in which all of the front end's code is compiled again.
 */
export async function clearPage(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
  await page.goto('/mark.svg');
  await page.evaluate(() => sessionStorage.clear());
  await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: null });
  await page.setViewportSize(USUAL);
  await page.mouse.move(0, 0);
}

/** Waits until a signed-in screen is there with its title, and not only what stands in for it. */
export async function titleShown(page: Page): Promise<void> {
  await page.locator('#content h1').waitFor();
}

const schemes = ['light', 'dark'] as const;
const widths = [1440, 900, 360] as const;

interface Inspection {
  /** Looks for violations light and wide, dark and narrow, and not in all four; for a screen's states beside the screen itself. */
  readonly aState?: boolean;
}

/** Draws the page in both schemes at three widths into `test-artifacts/` and checks for sideways scrolling, and for accessibility. */
export async function inspect(page: Page, name: string, { aState = false }: Inspection = {}): Promise<void> {
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const width of widths) {
      // The middle width draws the same elements; leaving it out halves the time.
      const isLooked = aState ? width === (scheme === 'light' ? 1440 : 360) : width !== 900;
      // In dark everything is as wide as in light.
      if (scheme === 'dark' && !isLooked && !keepsPictures) continue;
      await resize(page, width);
      // A browser scrolls a page that it opens again to where it was: the bar at the top would cover half a button, which can be scrolled free.
      if (!aState) await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(aState ? 50 : 150);
      await screenshot(page, width === 1440 ? `${name}-${scheme}` : `${name}-${scheme}-${width}`);
      expect(await sidewaysScroll(page), `${name} at ${width} px scrolls sideways`).toBe(0);
      // What has been looked at in light has other colours in dark, and nothing else.
      const rules = scheme === 'dark' && !aState ? ofColours : everyRule;
      if (isLooked) expect(await violations(page, rules), `${name}, ${scheme}, ${width} px`).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await resize(page, 1440);
}

/** The least that a state of a page owes beside one that was inspected: accessible as it is, and no sideways scrolling on a phone. */
export async function accessible(page: Page, name: string): Promise<void> {
  await screenshot(page, name);
  expect(await violations(page), name).toEqual([]);
  await resize(page, 360);
  await page.waitForTimeout(50);
  await screenshot(page, `${name}-360`);
  expect(await sidewaysScroll(page), `${name} at 360 px scrolls sideways`).toBe(0);
  await resize(page, 1440);
}

async function resize(page: Page, width: (typeof widths)[number]): Promise<void> {
  await page.setViewportSize({ width, height: width === 360 ? 800 : 900 });
  // What the mouse stood on, or what moved under it since, has no tip here.
  await page.mouse.move(0, 0);
  // What depends on the width hears of it in one frame and is drawn in the next.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Keeps what the page looks like now as `test-artifacts/{name}.png`; not on a build machine, where nobody looks at it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!keepsPictures) return;
  await mkdir(artifacts, { recursive: true });
  await page.screenshot({ path: `${artifacts}/${name}.png`, fullPage: true });
}

async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Waits until what opens or closes has done so, and what was told before has given way to what was asked for: colours half way through are no
 * finding. A spinner never ends and is left alone.
 */
async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[data-outdated]') === null);
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/**
 * What stands for the weak maps and sets of axe, which keep each part of a colour apart: read thousands of times, and what remains of them
 * collected, they take half of what it does. Here it is kept with the object itself, as long as that lives.
 */
class WithObject {
  readonly key = Symbol();
  has = (object: object) => Object.hasOwn(object, this.key);
  get = (object: object) => (object as Record<symbol, unknown>)[this.key];
  delete = (object: object) => this.has(object) && Reflect.deleteProperty(object, this.key);
  add = (object: object) => this.set(object, true);
  set = (object: object, value: unknown) => {
    (object as Record<symbol, unknown>)[this.key] = value;
    return this;
  };
}

/** Of axe, not among its types: a colour, which reads itself from CSS. */
interface AxeColor {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString(text: string): AxeColor;
}

/** Runs in the page: axe reads the same few colours thousands of times. */
function readColoursOnce(): void {
  const { Color } = (window as unknown as { axe: { commons: { color: { Color: { prototype: AxeColor } } } } }).axe
    .commons.color;
  const read = Color.prototype.parseString;
  const known = new Map<string, readonly [r: number, g: number, b: number, alpha: number]>();
  Color.prototype.parseString = function (text) {
    const colour = known.get(text);
    if (colour !== undefined) [this.r, this.g, this.b, this.alpha] = colour;
    else known.set(text, [read.call(this, text).r, this.g, this.b, this.alpha]);
    return this;
  };
}

/** axe as a script that gives the page the same answers in half to three quarters of the time; it keeps no copy of each element's HTML, which nobody reads. */
const quickAxe = `((WeakMap, WeakSet) => { ${axe.source} })(...Array(2).fill(${WithObject})); (${readColoursOnce})(); axe.configure({ noHtml: true });`;

type Rules = NonNullable<RunOptions['runOnly']>;

const everyRule: Rules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const ofColours: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * What axe finds against WCAG 2.2 AA, one readable line each. There are no frames to look into, and what passes is not told. It takes a while:
 * a page that changed meanwhile is looked at again, since elements that were never there together would be told of as a pair.
 */
async function violations(page: Page, rules = everyRule, looks = 5): Promise<string[]> {
  await atRest(page);
  // Once a page: it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(quickAxe);
  const options: RunOptions = { runOnly: rules, resultTypes: ['violations'] };
  const { found, changed } = await page.evaluate(async (options) => {
    let changed = false;
    const observer = new MutationObserver(() => {
      changed = true;
    });
    observer.observe(document.body, { subtree: true, childList: true });
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    observer.disconnect();
    // With what is wrong, as told: what a page was like cannot be seen afterwards.
    const found = violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help} at ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
    );
    return { found, changed };
  }, options);
  return changed && found.length > 0 && looks > 1 ? await violations(page, rules, looks - 1) : found;
}
