import type { ConnectedRepository } from '#contract/repositories.ts';

export const orders = ['name', 'synced', 'pull_requests', 'failing'] as const;
export type Order = (typeof orders)[number];

/** What wants somebody's attention: it cannot be read, was never synced, or its deliveries are refused. */
function isFailing({ access, last_synced_at, webhook_message }: ConnectedRepository): boolean {
  return (
    access.state === 'lost' || webhook_message !== null || (access.state === 'readable' && last_synced_at === null)
  );
}

/** Those whose full name holds a text, in an order; equal ones by name. */
export function inOrder(
  repositories: readonly ConnectedRepository[],
  text: string,
  order: Order,
): readonly ConnectedRepository[] {
  const sought = text.trim().toLowerCase();
  const found = repositories.filter(({ full_name }) => full_name.toLowerCase().includes(sought));
  const rank = (repository: ConnectedRepository): number => {
    switch (order) {
      case 'name':
        return 0;
      // What was synced longest ago, or never, comes first: that is what one looks for.
      case 'synced':
        return repository.last_synced_at === null ? 0 : Date.parse(repository.last_synced_at);
      case 'pull_requests':
        return -(repository.pull_requests ?? 0);
      case 'failing':
        return isFailing(repository) ? 0 : 1;
    }
  };
  return found.toSorted(
    (one, other) => rank(one) - rank(other) || (one.full_name.toLowerCase() < other.full_name.toLowerCase() ? -1 : 1),
  );
}
