import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listener, listenOn, updating } from '../../src/server/http/listener.ts';
import { inspect, openPage, startBrowser } from './support/browser.ts';

let browser: Browser;
let listener: Listener;
beforeAll(async () => {
  browser = await startBrowser();
  listener = await listenOn({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await listener?.close();
  await browser?.close();
});

it('a page that is opened while the server starts says what it is at, and becomes the page that was asked for by itself', async () => {
  const url = `http://127.0.0.1:${(listener.server.address() as AddressInfo).port}`;
  const page = await openPage(browser, url);
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  listener.show(updating('Bringing the database up to this version.'));

  await page.goto('/stuck-prs?turn=author');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Updating …');
  await inspect(page, 'startup');
  listener.show({ code: 'disk_full', heading: 'The disk is full', sentence: 'Mergelight starts when there is room.' });
  await page.getByRole('heading', { name: 'The disk is full' }).waitFor();
  await page.getByText('Mergelight starts when there is room.').waitFor();

  listener.factory((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Here is ${request.url}</h1>`);
  }, {});
  listener.open();
  await page.getByRole('heading', { name: 'Here is /stuck-prs?turn=author' }).waitFor();
  expect(refused).toEqual([]);
});
