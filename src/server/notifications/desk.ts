import type { WorkItem } from '#contract/my-work.ts';
import { isTurn } from '#domain/my-work.ts';
import type { Instant } from '#domain/pull-request.ts';
import { type Recipient, subscriptionTo } from './recipients.ts';

/** An item as it is told, with the repository's row id. */
export interface DeskItem {
  readonly item: WorkItem;
  readonly repository_id: number;
  /** Until when an agent is left to answer the person before it is their turn; null where none is. */
  readonly agent_until: Instant | null;
}

/** What waits in one place of a list, in its order. */
export interface DeskSection {
  readonly key: string;
  readonly total: number;
  readonly items: readonly DeskItem[];
}

/**
 * What lies on a recipient's desk now, by what is stored: of a person their items but those that they snoozed, of the channel of a team what is
 * open in it. Nothing for whoever may not sign in, has no valid token, or sees nothing. Of these repositories
 * alone where they are given. Injected by compose.ts.
 */
export type DeskOf = (recipient: Recipient, now: Date, within?: readonly number[]) => Promise<readonly DeskSection[]>;

/** Whether an item's wait is told by `stuck`. */
export function isWatched(to: Recipient, item: WorkItem): boolean {
  const stuck = subscriptionTo(to, 'stuck');
  if (stuck === null) return false;
  const { mine = false } = stuck.options;
  if (to.team === null) return isTurn(item.kind) || (mine && item.kind === 'yours_waits');
  return isOfAuthors(to, item) && !isLeftOutFailing(to, item);
}

/** Whether it would be told by `stuck`, were it not that its checks fail while it waits for reviewers. */
export function isLeftOutFailing(to: Recipient, item: WorkItem): boolean {
  const skips = subscriptionTo(to, 'stuck')?.options.skip_failing ?? false;
  return skips && isOfAuthors(to, item) && item.waiting_on === 'reviewers' && item.checks === 'failing';
}

function isOfAuthors(to: Recipient, item: WorkItem): boolean {
  const humansAlone = subscriptionTo(to, 'stuck')?.options.humans_only ?? false;
  return !humansAlone || item.author_kind === 'human';
}

/** Whether an item is told by `turn`. */
export function isTurnTold(to: Recipient, item: WorkItem): boolean {
  const turn = subscriptionTo(to, 'turn');
  return turn !== null && isTurn(item.kind) && (item.kind !== 'team_review' || turn.options.team_review);
}
