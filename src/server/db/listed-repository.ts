import type { ListedRepository } from '../host/repository.ts';

/** A repository of somebody's list at the host, as it is stored: instants as text, and how many pull requests it has, null where unknown. */
export interface StoredListedRepository extends Omit<ListedRepository, 'pushed_at'> {
  readonly pushed_at: string | null;
  readonly pull_requests: number | null;
}
