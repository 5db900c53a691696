import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { hoursBetween } from '#domain/pull-request.ts';

export interface Milestone {
  readonly name: string;
  readonly at: number;
  /** Hours since the milestone that it is measured from; null for the first one. */
  readonly hours: number | null;
}

/**
 * The moments that the figures are based on, in time order. Reviews are measured from "ready for review", the first one by a person without
 * the time as a draft, as everywhere; the approval from the first review, the end
 * from the approval, else from the first review; each from the opening where that is missing.
 */
export function milestonesOf(
  detail: Pick<PullRequestDetail, 'created_at' | 'merged_at' | 'closed_at' | 'time_metrics'>,
): Milestone[] {
  const { ready_at, first_review_at, time_to_first_review, first_agent_review_at, approved_at } = detail.time_metrics;
  const opened = Date.parse(detail.created_at);
  const asDraft = ready_at !== detail.created_at;
  const after = (name: string, at: string | null, from: string | null): Milestone[] => {
    if (at === null) return [];
    const instant = Date.parse(at);
    const since = from === null || Date.parse(from) > instant ? opened : Date.parse(from);
    return [{ name, at: instant, hours: hoursBetween(since, instant) }];
  };
  const later = [
    ...(asDraft ? after('Ready for review', ready_at, null) : []),
    ...after('First agent review', first_agent_review_at, ready_at),
    ...after('First review', first_review_at, ready_at).map((first) => ({
      ...first,
      hours: time_to_first_review ?? first.hours,
    })),
    ...after('Approved', approved_at, first_review_at),
    ...(detail.merged_at !== null
      ? after('Merged', detail.merged_at, approved_at ?? first_review_at)
      : after('Closed', detail.closed_at, approved_at ?? first_review_at)),
  ];
  const first = { name: asDraft ? 'Opened as a draft' : 'Opened', at: opened, hours: null };
  return [first, ...later.sort((a, b) => a.at - b.at)];
}
