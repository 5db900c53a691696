import { sql } from 'kysely';
import { type ReviewerMetric, TALKATIVE_ABOVE } from '#domain/ai-reviewers.ts';
import { type Fate, fates } from '#domain/reviewer-acts.ts';
import type { Counted } from './counted.ts';
import { readyAndReviewed, readyForAll, readyForReviewers, reviewedByReviewers } from './sources/reviewer-acts.ts';
import type { Sql } from './sources/source.ts';

/** Findings of which it is known what became of them. */
const known = sql`(${sql.join(
  fates.map((fate) => sql.ref(`it.${fate}`)),
  sql` + `,
)})`;

/** Over findings: each pull request stands for as many as it has. */
const ofFindings = (value: Sql, made: 'rate' | 'sum' = 'rate'): Counted => ({
  from: reviewedByReviewers,
  where: () => sql`${known} > 0`,
  value: () => value,
  made,
  ...(made === 'rate' && { over: known }),
  things: known,
  addsNothing: true,
  leftOut: [
    {
      reason: 'Pull requests without a finding of which it is known what became',
      from: reviewedByReviewers,
      where: () => sql`${known} = 0`,
    },
  ],
});
const sumOf = (column: string) => ofFindings(sql.ref(`it.${column}`), 'sum');
/** Findings of which it is not known what became have thumbs, too. */
const ofThumbs = (column: string): Counted => {
  const { addsNothing: _, ...counted } = sumOf(column);
  return counted;
};

const counts = Object.fromEntries(fates.map((fate) => [`ai_${fate}`, sumOf(fate)])) as Record<`ai_${Fate}`, Counted>;

/** The metrics of AI reviewers, and of people by the same rules (docs/metrics.md#ai-reviewers). */
export const reviewers: Readonly<Record<ReviewerMetric, Counted>> = {
  ai_coverage: {
    from: readyForReviewers,
    value: () => sql`it.first_act_at is not null`,
    made: 'share',
    byReviewer: { all: readyForAll, reviewed: readyAndReviewed },
  },
  ai_time_to_agent_review: {
    from: readyAndReviewed,
    value: () => sql`it.wait_hours`,
    made: 'mean',
    own: 'p50',
    leftOut: [{ reason: 'Not reviewed by it', from: readyForReviewers, where: () => sql`it.first_act_at is null` }],
  },
  ai_before_human: {
    from: readyAndReviewed,
    where: () => sql`it.first_review_at is not null`,
    value: () => sql`it.first_act_at < it.first_review_at`,
    made: 'share',
    leftOut: [
      {
        reason: 'Not reviewed by both, it and a person',
        from: readyForReviewers,
        where: () => sql`(it.first_act_at is null or it.first_review_at is null)`,
      },
    ],
  },
  ai_on_automation: {
    from: reviewedByReviewers,
    // These few are read once, not an account for each pull request.
    value: () => sql`coalesce(it.author_id in (select id from people where kind in ('bot', 'agent')), false)`,
    made: 'share',
  },
  ai_acted_on: ofFindings(sql`it.changed`),
  ai_noise: ofFindings(sql`it.noisy`),
  ai_silent: { from: reviewedByReviewers, value: () => sql`it.findings = 0`, made: 'share' },
  ai_talkative: { from: reviewedByReviewers, value: () => sql`it.findings > ${TALKATIVE_ABOVE}::int`, made: 'share' },
  ai_findings_per_pr: {
    from: reviewedByReviewers,
    value: () => sql`it.findings::float8`,
    column: sql`it.findings`,
    made: 'mean',
  },
  ai_findings_per_100_lines: {
    from: reviewedByReviewers,
    value: () => sql`100 * it.findings`,
    made: 'rate',
    over: sql`it.lines_changed`,
  },
  ...counts,
  ai_thumbs_up: ofThumbs('thumbs_up'),
  ai_thumbs_down: ofThumbs('thumbs_down'),
};
