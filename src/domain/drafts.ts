import type { EventRecord, Instant } from './pull-request.ts';

export interface DraftChange {
  readonly at: Instant;
  /** What it becomes. */
  readonly draft: boolean;
}

export interface Drafts {
  readonly openedAsDraft: boolean;
  /** In the order in which they took effect; each changes the state. */
  readonly changes: readonly DraftChange[];
}

/**
 * When it was a draft, from its draft events in time order and whether it is a draft now. It was opened as one if its first draft
 * event is ready_for_review, or it has none and is a draft now (docs/metrics.md#one-pull-request). Where both kinds are first, in one
 * second, it was opened so that it ends as it is now and most of the events change it.
 * Draft events of one second alternate, so those that change nothing in the given order are put where they do, or left out.
 */
export function draftsOf(events: readonly EventRecord[], draftNow: boolean): Drafts {
  const draftEvents = events
    .filter((event) => event.type === 'ready_for_review' || event.type === 'convert_to_draft')
    .map((event) => ({ at: event.at, draft: event.type === 'convert_to_draft' }));
  const first = draftEvents[0];
  if (first === undefined) return { openedAsDraft: draftNow, changes: [] };
  const asListed = alternating(draftEvents, !first.draft);
  const isOrderKnown = draftEvents.every(({ at, draft }) => at !== first.at || draft === first.draft);
  if (isOrderKnown) return asListed;
  const swapped = alternating(draftEvents, first.draft);
  const endsRight = (drafts: Drafts) => wasDraft(drafts, Infinity) === draftNow;
  if (endsRight(asListed) !== endsRight(swapped)) return endsRight(asListed) ? asListed : swapped;
  return swapped.changes.length > asListed.changes.length ? swapped : asListed;
}

function alternating(draftEvents: readonly DraftChange[], openedAsDraft: boolean): Drafts {
  const waiting = [...draftEvents];
  const changes: DraftChange[] = [];
  let draft = openedAsDraft;
  while (waiting.length > 0) {
    const at = waiting[0]?.at;
    const next = waiting.findIndex((change) => change.at === at && change.draft !== draft);
    const [change] = waiting.splice(Math.max(next, 0), 1);
    if (next >= 0 && change !== undefined) {
      draft = change.draft;
      changes.push(change);
    }
  }
  return { openedAsDraft, changes };
}

/** Whether it was a draft at an instant; a change at that instant has already happened. */
export function wasDraft(drafts: Drafts, at: Instant): boolean {
  return drafts.changes.findLast((change) => change.at <= at)?.draft ?? drafts.openedAsDraft;
}

/** The milliseconds between two instants in which it was no draft. */
export function timeOutOfDraft(drafts: Drafts, from: Instant, to: Instant): number {
  let total = 0;
  let start = from;
  let draft = wasDraft(drafts, from);
  for (const change of drafts.changes) {
    if (change.at <= from || change.at >= to) continue;
    if (!draft) total += change.at - start;
    start = change.at;
    draft = change.draft;
  }
  return draft ? total : total + (to - start);
}
