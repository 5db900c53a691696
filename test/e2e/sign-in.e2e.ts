import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { clearPage, inspect, openPage, openPageIn, startBrowser } from './support/browser.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Afterwards the browser was never here. */
const forget = async () => {
  await clearPage(page);
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
};

describe('a server that offers every way to sign in', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { DEMO: 'true' });
    page = await openPage(browser, product.url);
  });
  afterAll(() => product?.stop());
  afterEach(forget);

  it('offers them on an accessible page', async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: /^Sign in with / }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'View Demo' }).count()).toBe(1);
    await expect.poll(() => page.getByText(/^By signing in you agree to the terms/).count()).toBe(1);
    await inspect(page, 'login');
  });

  it('says what signing in asks for, and signs in for public repositories only', async () => {
    await page.goto('/login?return_to=%2Fprs');
    await page.getByText(/has no read-only scope for private repositories/).waitFor();

    await page.getByRole('link', { name: 'public repositories only' }).click();
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();

    const asked = new URL(page.url()).searchParams.get('scope')?.split(' ');
    expect(asked).toEqual(['read:org', 'read:user', 'user:email']);
    await page.getByRole('button', { name: /mona/ }).click();
    await page.waitForURL(`${product.url}/prs`);
  });

  it('signs in with a token and opens the dashboard', async () => {
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');

    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Engineering Metrics Dashboard' }).waitFor();
  });

  it('asks before a token that may read less takes the place of the one in use', async () => {
    await product.host.control('repos', { owner: 'octo', name: 'hidden', private: true, readers: ['octo'] });
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_octo');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');
    const added = await page.request.post('/api/repos', {
      data: { owner: 'octo', name: 'hidden' },
      headers: { origin: product.url },
    });
    expect(added.status()).toBe(201);
    await page.context().clearCookies();

    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_octo_read:user');
    await page.keyboard.press('Enter');
    await page.getByText('This token may read less than the one in use. Replace it?').waitFor();
    await inspect(page, 'login-weaker-token');
    await page.getByRole('button', { name: 'Replace it' }).click();

    await page.waitForURL('**/dashboard');
    expect(await (await page.request.get('/api/repositories')).json()).toEqual([]);
  });

  it('asks the same after a sign-in at the host, and repeats that when the token is to be replaced', async () => {
    await page.goto('/login?error=weaker_token&access=public&return_to=%2Fprs');
    const login = page.waitForRequest(/\/auth\/login/);
    await page.getByRole('button', { name: 'Replace it' }).click();

    const { searchParams } = new URL((await login).url());
    expect(Object.fromEntries(searchParams)).toEqual({
      return_to: '/prs',
      access: 'public',
      replace: 'true',
      time_zone: expect.any(String),
    });
  });

  it('sends a signed-in person on to the dashboard', async () => {
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');

    await page.goto('/login');
    await page.waitForURL('**/dashboard');
  });

  it('tells a signed-in person why signing in again failed, and leads back', async () => {
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');

    await page.goto('/login?error=unknown&request_id=7f3c91&return_to=%2Fprs');
    await page
      .getByRole('alert')
      .getByText('Login failed. Nothing was saved. Please try again. Request 7f3c91.')
      .waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();

    await page.waitForURL('**/prs');
    await page.goto('/login?error=weaker_token&return_to=%2Fprs');
    await page.getByRole('button', { name: 'Replace it' }).waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.waitForURL('**/prs');
  });

  it('says that a token was not accepted and keeps the page', async () => {
    await page.goto('/login');
    await page.getByPlaceholder('Paste a token').fill('ghp_nobody_at_all');
    await page.keyboard.press('Enter');

    await page
      .getByRole('alert')
      .getByText(/did not accept this token/)
      .waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await inspect(page, 'login-error');
  });

  it('asks to sign in again, and comes back, when the session has ended elsewhere', async () => {
    await page.goto('/login?return_to=%2Fprs');
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.getByText('No pull requests found matching your criteria').waitFor();
    await page.context().clearCookies();

    await page.getByRole('button', { name: 'Refresh Data' }).click();
    await page.getByText(/Your session has ended/).waitFor();
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/prs');
  });

  it('notices in every tab that another one signed out, or signed somebody else in', async () => {
    const signIn = (token: string) =>
      page.request.post('/auth/token', { headers: { origin: product.url }, data: { token } });
    // Of two sessions none is the last, before which is asked what becomes of the token.
    for (const _session of ['first', 'second']) await signIn('ghp_mona');
    const place = '/prs?state=merged#rows';
    await page.goto(place);
    const account = (login: string) => page.getByRole('button', { name: `Account of ${login}` });
    await account('mona').waitFor();
    const other = await openPageIn(page.context());
    await other.goto('/settings');
    await other.getByRole('button', { name: 'Account of mona' }).click();
    await other.getByRole('menuitem', { name: 'Log out' }).click();
    await other.waitForURL(`${product.url}/`);

    await page.getByText(/^Your session has ended\./).waitFor();
    expect(new URL(page.url()).searchParams.get('return_to')).toBe(place);
    await page.getByPlaceholder('Paste a token').fill('ghp_mona');
    await page.keyboard.press('Enter');
    await page.waitForURL(product.url + place);
    await account('mona').waitFor();

    await other.context().clearCookies();
    await other.goto('/login?return_to=%2Fprs%3Fstate%3Dopen%23rows');
    await other.getByPlaceholder('Paste a token').fill('ghp_octo');
    await other.keyboard.press('Enter');
    await account('octo').waitFor();
    expect(page.url()).toBe(product.url + place);
    expect(await page.evaluate(() => localStorage.getItem('user'))).not.toBeNull();
    await other.waitForURL(`${product.url}/prs?state=open#rows`);
    // Whoever is signed in is sent on to the very place.
    await other.goto(`/login?return_to=${encodeURIComponent(place)}`);
    await other.waitForURL(product.url + place);
    await other.close();
  });

  it('stays with the news of a sign-out that failed, though another tab is signed in as before', async () => {
    // Of two sessions none is the last, before which is asked what becomes of the token.
    for (const _session of ['first', 'second'])
      await page.request.post('/auth/token', { headers: { origin: product.url }, data: { token: 'ghp_mona' } });
    await page.goto('/prs');
    const account = (on: Page) => on.getByRole('button', { name: 'Account of mona' });
    await account(page).waitFor();
    const other = await openPageIn(page.context());
    await other.goto('/settings');
    await account(other).waitFor();
    await other.route('**/auth/logout', (route) => route.fulfill({ status: 503 }));
    const asked: string[] = [];
    other.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const heard = other.evaluate(
      () =>
        new Promise<void>((resolve) =>
          addEventListener('storage', ({ key, newValue }) => {
            if (key === 'user' && newValue !== null) resolve();
          }),
        ),
    );
    await account(other).click();
    await other.getByRole('menuitem', { name: 'Log out' }).click();

    await heard;
    // Whatever it asked when it heard that was asked before this.
    await other.evaluate(async () => await (await fetch('/auth/me')).text());
    expect(asked.filter((path) => path === '/auth/me')).toHaveLength(1);
    await other.getByText(/^Logout failed\./).waitFor();
    await other.getByPlaceholder('Paste a token').fill('ghp_mona');
    await other.keyboard.press('Enter');
    await account(other).waitFor();
    await other.close();
  });

  it('goes on in a tab whose session has ended once another tab signs in', async () => {
    const place = '/prs?state=merged#rows';
    await page.goto('/login?return_to=%2Fprs%3Fstate%3Dmerged%23rows&error=session_expired');
    await page.getByText(/^Your session has ended\./).waitFor();
    const other = await openPageIn(page.context());
    await other.goto('/login');
    await other.getByPlaceholder('Paste a token').fill('ghp_mona');
    await other.keyboard.press('Enter');

    await page.waitForURL(product.url + place);
    await page.getByRole('button', { name: 'Account of mona' }).waitFor();
    await other.close();
  });

  it('keeps nothing in a tab, such as a sync to go on with, of a person who signed out in another one', async () => {
    const signIn = async (token: string) => {
      await page.getByPlaceholder('Paste a token').fill(token);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/prs');
    };
    await page.goto('/login?return_to=%2Fprs');
    await signIn('ghp_mona');
    await page.evaluate(() => sessionStorage.setItem('kept by mona', 'yes'));
    const other = await openPageIn(page.context());
    await other.goto('/');
    await other.request.post('/auth/logout', { headers: { origin: product.url }, data: { background: true } });
    await other.evaluate(() => localStorage.clear());
    await other.close();
    await page.getByText(/^Your session has ended\./).waitFor();

    await signIn('ghp_octo');
    await page.getByRole('button', { name: 'Account of octo' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('kept by mona'))).toBeNull();
  });

  it('signs in, and leads everywhere, where the browser refuses its storage', async () => {
    const other = await openPage(browser, product.url);
    await other.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
    });
    await other.goto('/login');
    await other.getByPlaceholder('Paste a token').fill('ghp_mona');
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: 'Engineering Metrics Dashboard' }).waitFor();
    await other.goto('/prs');
    await other.getByRole('button', { name: 'Account of mona' }).waitFor();
    await other.context().close();
  });

  it('opens the demo', async () => {
    await page.goto('/login');
    // Right after the start the demo's world may still be being built; the server waits for it.
    await page.getByRole('button', { name: 'View Demo' }).click();

    await page.waitForURL('**/dashboard');
  });
});

describe('a server with a GitHub App', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct({ world: 'tiny' }, { GITHUB_APP_ID: '7', GITHUB_APP_SLUG: 'mergelight' });
    await product.host.control('app', { id: 7, slug: 'mergelight', expiring: true });
  });
  afterAll(() => product?.stop());

  it('says where the App is installed, asks for no scope, and signs in', async () => {
    page = await openPage(browser, product.url);
    await page.goto('/login');
    const install = page.getByRole('link', { name: /^Install it on / });
    await install.waitFor();
    await inspect(page, 'login-github-app', { aState: true });

    expect(await install.getAttribute('href')).toBe(`${product.host.url}/github-apps/mergelight/installations/new`);
    await page.getByRole('button', { name: /^Sign in with / }).click();
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
    expect(new URL(page.url()).searchParams.has('scope')).toBe(false);
    await page.getByRole('button', { name: /mona/ }).click();
    await page.waitForURL('**/dashboard');
    await page.context().close();
  });
});

describe('a freshly installed server', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct(
      { world: 'tiny' },
      { GITHUB_CLIENT_ID: undefined, GITHUB_CLIENT_SECRET: undefined, DEMO: 'true' },
    );
  });
  afterAll(() => product?.stop());

  it('offers what works first, nothing that does not, and says in its own pages how GitHub sign-in is set up', async () => {
    page = await openPage(browser, product.url, { timezoneId: 'America/New_York' });
    await page.goto('/login');
    const demo = page.getByRole('button', { name: 'View Demo' });
    await demo.waitFor();
    const token = page.getByPlaceholder('Paste a token');
    const [first, second] = [await demo.boundingBox(), await token.boundingBox()];
    expect(first?.y).toBeLessThan(second?.y ?? 0);
    await expect.poll(() => page.getByRole('button', { disabled: true }).allInnerTexts()).toEqual(['Sign in']);
    expect(await demo.getAttribute('data-variant')).toBe('filled');
    await inspect(page, 'login-fresh');

    await page.getByRole('link', { name: 'how to set it up' }).click();
    await page.getByRole('heading', { name: 'Signing in with GitHub' }).waitFor();
    await inspect(page, 'documentation', { aState: true });
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.getByRole('link', { name: 'Licence' }).waitFor();
    await inspect(page, 'documentation-list', { aState: true });
    await page.context().close();
  });

  it('takes the time zone of the browser that views the demo first, and says it where the clock is', async () => {
    page = await openPage(browser, product.url, { timezoneId: 'America/New_York' });
    await page.goto('/login');
    await page.getByRole('button', { name: 'View Demo' }).click();
    await page.waitForURL('**/dashboard');

    const me = (await (await page.request.get('/auth/me')).json()) as { time_zone: string };
    expect(me.time_zone).toBe('America/New_York');
    const asOf = page.getByText(/^Data as of /);
    await asOf.waitFor();
    expect(await asOf.getAttribute('data-tip')).toContain('Times are those of America/New York');
    await page.context().close();
  });
});

describe('a server without an OAuth app, tokens or demo', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct(
      { world: 'tiny' },
      { GITHUB_CLIENT_ID: undefined, GITHUB_CLIENT_SECRET: undefined, ALLOW_TOKEN_SIGN_IN: 'false', DEMO: 'false' },
    );
    page = await openPage(browser, product.url);
  });
  afterAll(() => product?.stop());
  afterEach(forget);

  it('says how to switch the sign-in on', async () => {
    await page.goto('/login');

    await page.getByText(/Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Sign in with / }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'View Demo' }).count()).toBe(0);
    await expect.poll(() => page.getByPlaceholder('Paste a token').count()).toBe(0);
    await inspect(page, 'login-not-set-up', { aState: true });
  });

  const problems = [
    ['access_denied', /did not confirm the sign-in\. Nothing was saved/],
    ['state_mismatch', /started in another window or took too long/],
    ['code_rejected', /did not accept the sign-in/],
    ['token_rejected', /did not accept this token/],
    ['host_unavailable', /did not answer\. Nothing was saved/],
    ['not_allowed', /may not sign in to this installation/],
    ['sso_required', /requires single sign-on/],
    ['demo_not_ready', /demo is still being prepared/],
    ['demo_full', /Very many people view the demo/],
    ['too_many_requests', /^Too many tries/],
    ['session_expired', /Your session has ended/],
    ['oauth_not_configured', /is not set up on this server/],
    ['something_new', /^Login failed/],
  ] as const;
  it.each(problems)('words the error %s', async (code, words) => {
    await page.goto(`/login?error=${code}`);

    await page.getByRole('alert').getByText(words).waitFor();
  });
});
