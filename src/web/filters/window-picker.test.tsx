import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { type OwnWindow, WindowPicker } from './window-picker.tsx';

/** The option of the select that is chosen. */
async function chosen(window: OwnWindow, address: string): Promise<string | undefined> {
  const html = await drawn(<WindowPicker {...window} />, undefined, address);
  return html.match(/<option[^>]* selected=""[^>]*>([^<]*)</)?.[1];
}

it('shows the window of the figures where the address names days that lie ahead', async () => {
  expect(await chosen({ own: '30d' }, '/?from=2026-01-05&to=2026-01-12')).not.toBe('Last 30 days');
  expect(await chosen({ own: '30d' }, '/?from=2999-01-05&to=2999-01-12')).toBe('Last 30 days');
});

it('shows the window of the figures, and the default where they have several and nothing is chosen', async () => {
  expect(await chosen({ own: '30d' }, '/')).toBe('Last 30 days');
  expect(await chosen({ own: '30d', mixed: true }, '/')).toBe('Default periods');
  expect(await chosen({ own: '30d', mixed: true }, '/?period=30d')).toBe('Last 30 days');
});
