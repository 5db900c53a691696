import type { AvailableRepository } from '#contract/connecting.ts';

/** So many can be added in one go. */
export const MOST_AT_ONCE = 500;

/** Repositories that are ticked, by full name; ticks outlive a search and another owner. */
export type Chosen = ReadonlyMap<string, AvailableRepository>;

/** What can be ticked: whatever is not connected yet. */
export const isFree = ({ connected }: AvailableRepository) => !connected;

/** Ticks what is free of these, or takes their ticks away; never more than fit. */
export function withTicks(before: Chosen, repositories: readonly AvailableRepository[], ticked: boolean): Chosen {
  const after = new Map(before);
  for (const repository of repositories) {
    if (!isFree(repository)) continue;
    if (!ticked) after.delete(repository.full_name);
    else if (after.size < MOST_AT_ONCE) after.set(repository.full_name, repository);
  }
  return after;
}

/** Takes away the ticks of what was sent to be added, and leaves those that came meanwhile. */
export function withoutSent(
  before: Chosen,
  sent: readonly { readonly owner: string; readonly name: string }[],
): Chosen {
  const after = new Map(before);
  for (const { owner, name } of sent) after.delete(`${owner}/${name}`);
  return after;
}

/** How many are ticked of each owner. */
export function ticksByOwner(chosen: Chosen): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { owner } of chosen.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
}
