import { factsOfHistory, type PullRequestFacts, phaseTimes, type ReviewFacts } from '#domain/facts.ts';
import { historyOf } from '#domain/history.ts';
import { type OutcomeFacts, outcomeOf } from '#domain/outcomes.ts';
import { phasesOf } from '#domain/phases.ts';
import type { Instant, PullRequestRecord } from '#domain/pull-request.ts';
import { type MergeFacts, type SignalFacts, signalFactsOf } from '#domain/review-signals.ts';
import { REVIEWER_ACTS_VERSION, type ReviewerActs, reviewerActsOf } from '#domain/reviewer-acts.ts';
import type { StoredHealthSettings } from '../db/health-settings.ts';
import type { JsonRow } from './rows.ts';

/** The columns of reviews that are computed; the others come from the host. */
export const reviewColumns = [
  'position',
  'is_reply',
  'counts',
  'automated',
  'latest',
  'comments_count',
  'response_hours',
] as const;
type ReviewRow = Pick<JsonRow<'reviews'>, 'host_id' | (typeof reviewColumns)[number]>;
type FactsRow = Omit<JsonRow<'pull_request_facts'>, 'repository_id'>;
type ActsRow = Omit<JsonRow<'reviewer_acts'>, 'repository_id'>;

/** What the columns of reviews, oldest first, of `pull_request_facts` and of `reviewer_acts` say about one pull request; instants as ISO text. */
export interface FactRows {
  readonly reviews: readonly ReviewRow[];
  readonly facts: FactsRow;
  readonly acts: readonly ActsRow[];
}

/** Computes what is stored about one pull request (docs/metrics.md#one-pull-request). `idOf` answers a person's row id by the host's id. */
export function factRowsOf(
  record: PullRequestRecord,
  idOf: (host_id: string) => number,
  now: Date,
  health: StoredHealthSettings,
): FactRows {
  const history = historyOf(record, now.getTime());
  const facts = factsOfHistory(history);
  const { attribution } = facts;
  const signals = signalFactsOf(history, phasesOf(history), attribution.creditedTo, health.settings.generated);
  return {
    reviews: facts.reviews.map(reviewRow),
    facts: {
      ...factsRow(record, facts, idOf),
      ...signalsRow(record, facts, signals),
      ...outcomeOf(history, attribution),
      signals: health.revision,
      acts: REVIEWER_ACTS_VERSION,
    },
    acts: reviewerActsOf(history, facts.ready_at).map((acts) => actsRow(record, facts, acts, idOf)),
  };
}

function actsRow(
  record: PullRequestRecord,
  { ready_at }: PullRequestFacts,
  { person, acted_at, wait, fates, ...acts }: ReviewerActs,
  idOf: (host_id: string) => number,
): ActsRow {
  return {
    number: record.number,
    person_id: idOf(person.id),
    acted_at: acted_at.map((at) => new Date(at)),
    first_act_at: iso(acted_at[0]!),
    last_act_at: iso(acted_at.at(-1)!),
    wait_hours: wait,
    ...acts,
    ...fates,
    ready_at: iso(ready_at),
    ended_at: iso(record.mergedAt ?? record.closedAt),
  };
}

type SignalColumn =
  | 'signals'
  | 'base_ref'
  | 'changed_files'
  | 'opened_as_draft'
  | Exclude<keyof SignalFacts, 'atMerge'>
  | keyof MergeFacts;

function signalsRow(
  record: PullRequestRecord,
  { opened_as_draft }: PullRequestFacts,
  { atMerge, draft_changes, ...facts }: SignalFacts,
): Pick<FactsRow, Exclude<SignalColumn, 'signals'>> {
  return {
    base_ref: record.baseRef,
    changed_files: record.changedFiles,
    opened_as_draft,
    draft_changes: draft_changes.length === 0 ? null : draft_changes.map((at) => new Date(at)),
    ...facts,
    ...(atMerge ?? notMerged),
  };
}

const notMerged = {
  standing_approvals: null,
  standing_requests: null,
  commented_by_others: null,
  inline_by_others: null,
  self_merged: null,
  review_words: null,
  approval_lag_minutes: null,
  commits_after_approval: null,
  forced_after_approval: null,
  turns_in_a_day: null,
} satisfies Record<keyof MergeFacts, null>;

function reviewRow(review: ReviewFacts, position: number): ReviewRow {
  return {
    host_id: review.id,
    position,
    is_reply: review.role === 'reply',
    counts: review.role === 'counting',
    automated: review.role === 'automated',
    latest: review.is_latest,
    comments_count: review.comments_count,
    response_hours: review.response_time,
  };
}

function factsRow(
  record: PullRequestRecord,
  facts: PullRequestFacts,
  idOf: (host_id: string) => number,
): Omit<FactsRow, SignalColumn | keyof OutcomeFacts | 'acts'> {
  // Up to where the last phase began: a question adds the rest for the open ones.
  const times = phaseTimes(facts, facts.phase_since);
  const { attribution } = facts;
  const counting = facts.reviews.flatMap((review) =>
    review.role === 'counting' && review.author !== null ? [review.author.id] : [],
  );
  return {
    number: record.number,
    version: facts.version,
    ended_at: iso(record.mergedAt ?? record.closedAt),
    author_id: record.author === null ? null : idOf(record.author.id),
    draft: record.draft,
    created_at: iso(record.createdAt),
    lines_changed: record.additions + record.deletions,
    ready_at: iso(facts.ready_at),
    first_review_at: iso(facts.first_review_at),
    last_review_at: iso(facts.last_review_at),
    first_agent_review_at: iso(facts.first_agent_review_at),
    approved_at: iso(facts.approved_at),
    last_activity_at: new Date(facts.last_human_activity_at).toISOString(),
    time_to_first_review: facts.time_to_first_review,
    time_to_merge: facts.time_to_merge,
    active_development_time: times.active_development_time,
    waiting_for_review_time: times.waiting_for_review_time,
    post_approval_time: facts.ended_at === null ? null : times.post_approval_time,
    review_cycles: facts.review_cycles,
    waiting_on: facts.waiting_on,
    waiting_since: iso(facts.waiting_since),
    waiting_reason: facts.waiting_reason,
    phases: facts.phases.map(({ phase, from, to }) => ({ phase, from: new Date(from).toISOString(), to: iso(to) })),
    reviewer_ids: [...new Set(counting)].map(idOf),
    latest_opinion: facts.latest_opinion,
    approved_first_time: facts.approved_first_time,
    by_agent: attribution.byAgent,
    authorship: attribution.authorship,
    agents: [...attribution.agents],
    evidence: [...attribution.evidence],
    credited_id: attribution.creditedTo === null ? null : idOf(attribution.creditedTo.id),
    credit_by: attribution.creditBy,
    provisional_until: iso(facts.provisional_until),
  };
}

function iso(at: Instant): string;
function iso(at: Instant | null): string | null;
function iso(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
