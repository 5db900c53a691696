import { expect, it } from 'vitest';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { inOrder, orders } from './repository-order.ts';

const repository = (full_name: string, more: Partial<ConnectedRepository> = {}) =>
  ({
    full_name,
    access: { state: 'readable' },
    last_synced_at: '2026-11-01T00:00:00Z',
    pull_requests: 1,
    webhook_message: null,
    ...more,
  }) as ConnectedRepository;
const all = [
  repository('acme/Web', { pull_requests: 5 }),
  repository('acme/api', { last_synced_at: null }),
  repository('other/app', { webhook_message: 'refused', last_synced_at: '2026-10-01T00:00:00Z' }),
  repository('other/lost', {
    access: { state: 'lost' } as never,
    pull_requests: null,
    last_synced_at: '2026-11-02T00:00:00Z',
  }),
];

it.each([
  ['name', ['acme/api', 'acme/Web', 'other/app', 'other/lost']],
  ['synced', ['acme/api', 'other/app', 'acme/Web', 'other/lost']],
  ['pull_requests', ['acme/Web', 'acme/api', 'other/app', 'other/lost']],
  ['failing', ['acme/api', 'other/app', 'other/lost', 'acme/Web']],
] as const)('by %s', (order, names) => {
  expect(inOrder(all, '', order).map(({ full_name }) => full_name)).toEqual(names);
});

it('finds a part of the full name, whatever its case', () => {
  for (const order of orders)
    expect(inOrder(all, ' ACME/w ', order).map(({ full_name }) => full_name)).toEqual(['acme/Web']);
});
