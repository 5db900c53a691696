import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { totalTime } from '#domain/time-analysis.ts';
import type { Span } from '../../time/zone-days.ts';

const HOUR = 3_600_000;

/**
 * From the opening of a pull request to its end. An open one ends when its figures were made, so that everything that runs on says the same
 * on every tab, however long the page stays open.
 */
export function lifeOf(
  detail: Pick<PullRequestDetail, 'created_at' | 'merged_at' | 'closed_at' | 'time_metrics'>,
): Span {
  const from = Date.parse(detail.created_at);
  const ended = detail.merged_at ?? detail.closed_at;
  const to = ended === null ? from + Math.round(totalTime(detail.time_metrics) * HOUR) : Date.parse(ended);
  return { from, to: Math.max(from, to) };
}
