import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOut } from '../../src/domain/notifications/texts.ts';
import { mailOf } from '../../src/server/notifications/render/mail.ts';
import { everyMessage, messagesAt } from '../support/messages.ts';
import { inspect, startBrowser } from './support/browser.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
});

test.each(Object.entries(everyMessage))(
  'the mail %s can be read by everybody, also on a phone, loads nothing and leads only to us and the host',
  async (name, message) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.setContent(mailOf(layOut(message, messagesAt)).html);
    // The background is the mail client's.
    const dark = '@media (prefers-color-scheme: dark) { html { background: #1e1e1e } }';
    await page.addStyleTag({ content: dark });

    await inspect(page, `mail-${name}`, { aState: true });

    expect(requested).toEqual([]);
    const links = await page.locator('a').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).origin));
    expect(new Set(links).difference(new Set([messagesAt, 'https://github.com']))).toEqual(new Set());
    expect(await page.locator('body').innerText()).not.toMatch(/\b(undefined|null|NaN)\b/);
    page.removeAllListeners('request');
  },
);
