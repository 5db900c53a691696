import { sql } from 'kysely';
import { type AuthorshipMetric, TRIED_WITHIN_HOURS } from '#domain/ai-authorship.ts';
import type { Counted } from './counted.ts';
import { ended, openedFacts } from './sources/pull-requests.ts';

const isMerged = sql`it.time_to_merge is not null`;
const isReviewed = sql`it.last_review_at is not null`;

/** The metrics that tell agents' pull requests beside people's; what is not computed yet counts in none (docs/metrics.md#agents-pull-requests-beside-peoples). */
export const authorship: Readonly<Record<AuthorshipMetric, Counted>> = {
  changed_files: {
    from: openedFacts,
    where: () => sql`it.changed_files is not null`,
    value: () => sql`it.changed_files::float8`,
    made: 'mean',
  },
  commits_by_agent: {
    from: openedFacts,
    where: () => sql`it.commits_by_agent is not null`,
    value: () => sql`it.commits_by_agent`,
    made: 'mean',
    own: 'p50',
  },
  merged_on_own_word: {
    from: ended,
    where: () => sql`it.merged_on_own_word is not null`,
    value: () => sql`it.merged_on_own_word`,
    made: 'share',
  },
  independent_reviews: {
    from: ended,
    where: () => sql`it.merged_on_own_word is not null`,
    value: () => sql`it.independent_reviews::float8`,
    made: 'mean',
  },
  waiting_for_review_time: { from: ended, value: () => sql`it.waiting_for_review_time`, made: 'mean' },
  review_cycles: {
    from: ended,
    where: () => isReviewed,
    value: () => sql`it.review_cycles::float8`,
    made: 'mean',
    leftOut: [{ reason: 'Without a review', from: ended, where: () => sql`not ${isReviewed}` }],
  },
  human_findings: {
    from: ended,
    where: () => sql`it.human_findings is not null`,
    value: () => sql`it.human_findings::float8`,
    made: 'mean',
  },
  failing_at_last_push: {
    from: ended,
    where: () => sql`it.failing_at_last_push is not null`,
    value: () => sql`it.failing_at_last_push`,
    made: 'share',
    leftOut: [
      { reason: 'Without checks, or while one ran', from: ended, where: () => sql`it.failing_at_last_push is null` },
    ],
  },
  tried: {
    from: ended,
    where: () => sql`not (${isMerged}) and not (${isReviewed})
      and it.ended_at <= it.created_at + make_interval(hours => ${TRIED_WITHIN_HOURS}::int)`,
    made: 'count',
  },
};
