import { mean } from './percentiles.ts';
import { type Hours, hoursBetween, type Instant } from './pull-request.ts';

/** A timeline event as far as people are concerned. */
export interface ActedEvent {
  /** Who did it, by login or id; null for checks and deleted accounts, which are skipped everywhere here. */
  readonly actor: string | null;
  readonly at: Instant;
}

export interface Handoff {
  readonly from: string;
  readonly to: string;
  readonly hours: Hours;
}

/** At most this many handoffs are listed (docs/product.md#collaboration). */
export const LISTED_HANDOFFS = 10;

type ByAnAccount = { readonly actor: string; readonly at: Instant };

function withAccount(events: readonly ActedEvent[]): ByAnAccount[] {
  return events.flatMap(({ actor, at }) => (actor === null ? [] : { actor, at }));
}

/** The pairs of consecutive timeline events with different accounts, in order (docs/metrics.md#one-pull-request). */
export function handoffsOf(timeline: readonly ActedEvent[]): Handoff[] {
  const events = withAccount(timeline);
  return events.flatMap((to, index) => {
    const from = events[index - 1];
    if (from === undefined || from.actor === to.actor) return [];
    return { from: from.actor, to: to.actor, hours: hoursBetween(from.at, to.at) };
  });
}

/** The mean time between two hands, in hours; null without a handoff (`pull_request.avg_handoff`). */
export function averageHandoff(handoffs: readonly Handoff[]): Hours | null {
  return mean(handoffs.map(({ hours }) => hours));
}

/** How a handoff's badge looks: under 4 h default, under 24 h secondary, else destructive. */
export function handoffBadge(hours: Hours): 'default' | 'secondary' | 'destructive' {
  if (hours < 4) return 'default';
  return hours < 24 ? 'secondary' : 'destructive';
}

/** Everyone who did something, in order of their first event (`pull_request.participants`). */
export function participantsOf(timeline: readonly ActedEvent[]): string[] {
  return [...new Set(withAccount(timeline).map(({ actor }) => actor))];
}

/**
 * The number of events by accounts other than the author (`pull_request.interactions`); all of them when the author is a deleted
 * account.
 */
export function interactionsOf(timeline: readonly ActedEvent[], author: string | null): number {
  return withAccount(timeline).filter(({ actor }) => actor !== author).length;
}

/** How many events an account has. */
export function actionsOf(timeline: readonly ActedEvent[], account: string): number {
  return withAccount(timeline).filter(({ actor }) => actor === account).length;
}

/** An account's share of the interactions, 0–100; null when there are none. */
export function interactionShare(
  timeline: readonly ActedEvent[],
  author: string | null,
  account: string,
): number | null {
  const all = interactionsOf(timeline, author);
  return all === 0 ? null : (100 * actionsOf(timeline, account)) / all;
}

/** The caption of the participants: more than 3 reviewers or more than 5 participants work across teams. */
export function collaborationLabel(reviewers: number, participants: number): string {
  return reviewers > 3 || participants > 5 ? 'Cross-team collaboration' : 'Team collaboration';
}
