import { createMemoryHistory, createRootRoute, createRoute, createRouter, isRedirect } from '@tanstack/react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { rememberPeriod, withRememberedPeriod } from './questions.ts';

afterEach(() => vi.unstubAllGlobals());

/** Where an address leads on a device that remembers a period, or answers as it does; from a kept view where `partsMissing` says so. */
async function opened(
  address: string,
  remembered: string | null | (() => never),
  partsMissing?: boolean,
): Promise<string> {
  vi.stubGlobal('localStorage', { getItem: typeof remembered === 'function' ? remembered : () => remembered });
  const root = createRootRoute();
  const contributor = createRoute({ getParentRoute: () => root, path: '/contributor/{-$username}' });
  const history = createMemoryHistory();
  const state = partsMissing === undefined ? {} : { partsMissing };
  history.replace(address, state);
  const router = createRouter({ routeTree: root.addChildren([contributor]), history });
  await router.load();
  const { location, matches } = router.state;
  try {
    withRememberedPeriod({ location, params: matches.at(-1)!.params });
  } catch (redirect) {
    if (!isRedirect(redirect)) throw redirect;
    expect(redirect.options).toMatchObject({ replace: true, state });
    return router.buildLocation({ ...redirect.options, _fromLocation: location } as never).href;
  }
  return location.href;
}

it('the period that a device remembers is written into the address, as the rest of what is shown', async () => {
  expect(await opened('/contributor/ada', '90d')).toBe('/contributor/ada?period=90d');
  expect(await opened('/contributor/ada?repository=7', '90d')).toBe('/contributor/ada?repository=7&period=90d');
  expect(await opened('/contributor/ada', 'forever')).toBe('/contributor/ada?period=30d');
});

it('a device that refuses its storage remembers none', async () => {
  const refused = (address: string) =>
    opened(address, () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });

  expect(await refused('/contributor/ada')).toBe('/contributor/ada');
  expect(() => rememberPeriod('90d')).not.toThrow();
});

it('an address that names a period keeps it, and where nothing is remembered or nobody chosen none is added', async () => {
  expect(await opened('/contributor/ada?period=7d', '90d')).toBe('/contributor/ada?period=7d');
  expect(await opened('/contributor/ada', null)).toBe('/contributor/ada');
  expect(await opened('/contributor', '90d')).toBe('/contributor');
});

it('a kept view without a period is one of 30 days on every device', async () => {
  expect(await opened('/contributor/ada', '90d', false)).toBe('/contributor/ada?period=30d');
  expect(await opened('/contributor/ada', null, false)).toBe('/contributor/ada');
});
