import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf, phaseTimes } from '#domain/facts.ts';
import { edgeHistory } from '../support/edge-history.ts';
import { type RandomHistory, randomHistory, zones } from '../support/random-history.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';
import { rounded } from '../twin/arithmetic.ts';
import { HOUR, readAll, type TwinPull } from '../twin/pull-request.ts';

if (!isRecorded) console.warn('SKIPPED: the facts of recorded pull requests, because their recordings are not there.');

/** What the product says of a pull request, in the shape of what the plain loops say. */
function byTheProduct({ pull }: TwinPull, now: number) {
  const facts = factsOf(pull, now);
  const times = phaseTimes(facts, now);
  const reviews = (role: string) =>
    facts.reviews
      .filter((review) => review.role === role)
      .map((review) => [review.id, review.submitted_at, review.comments_count, review.response_time]);
  return {
    ready_at: facts.ready_at,
    first_review_at: facts.first_review_at,
    last_review_at: facts.last_review_at,
    first_agent_review_at: facts.first_agent_review_at,
    time_to_first_review: facts.time_to_first_review,
    time_to_merge: facts.time_to_merge,
    review_cycles: facts.review_cycles,
    counting: reviews('counting'),
    automated: reviews('automated'),
    phases: facts.phases.map(({ phase, from, to }): (string | number | null)[] => [phase, from, to]),
    active_development_time: times.active_development_time,
    waiting_for_review_time: times.waiting_for_review_time,
    post_approval_time: times.post_approval_time,
    approved_at: facts.approved_at,
    waiting_on: facts.waiting_on,
    waiting_since: facts.waiting_since,
    waiting_reason: facts.waiting_reason,
    latest_opinion: facts.latest_opinion,
    approved_first_time: facts.approved_first_time,
    last_human_activity_at: facts.last_human_activity_at,
  };
}

function byPlainLoops(twin: TwinPull): ReturnType<typeof byTheProduct> {
  const reviews = (list: TwinPull['counting']) =>
    list.map(({ review, at, comments, response }) => [review.id, at, comments, response]);
  const { spans, development, waiting, afterApproval, approvedAt, turn } = twin.phases;
  return {
    ready_at: twin.readyAt,
    first_review_at: twin.firstReviewAt,
    last_review_at: twin.counting.at(-1)?.at ?? null,
    first_agent_review_at: twin.firstAgentReviewAt,
    time_to_first_review: twin.firstReviewHours,
    time_to_merge: twin.mergeHours,
    review_cycles: twin.rounds,
    counting: reviews(twin.counting),
    automated: reviews(twin.automated),
    phases: spans.map((span) => [...span]),
    active_development_time: development / HOUR,
    waiting_for_review_time: waiting / HOUR,
    post_approval_time: afterApproval === null ? null : afterApproval / HOUR,
    approved_at: approvedAt,
    waiting_on: (turn?.on ?? null) as ReturnType<typeof byTheProduct>['waiting_on'],
    waiting_since: turn?.since ?? null,
    waiting_reason: (turn?.reason ?? null) as ReturnType<typeof byTheProduct>['waiting_reason'],
    latest_opinion: twin.latestOpinion as ReturnType<typeof byTheProduct>['latest_opinion'],
    approved_first_time: twin.approvedFirst,
    last_human_activity_at: twin.humanActivityAt,
  };
}

function expectBothToAgree(history: RandomHistory): void {
  const names = history.repositories.map(({ owner, name }) => `${owner}/${name}`);
  for (const twin of readAll(history, names)) {
    const expected = byPlainLoops(twin);
    expect(rounded(byTheProduct(twin, history.now), expected), `#${twin.pull.number}`).toEqual(expected);
  }
}

describe('the facts of a pull request are those that plain loops give', () => {
  it('on random histories', { timeout: 60_000 }, () => {
    const seed = Number(process.env.TWIN_SEED ?? 20_260_310);
    const numRuns = Number(process.env.TWIN_RUNS ?? 300);
    const run = fc.check(fc.property(randomHistory, expectBothToAgree), { seed, numRuns, endOnFailure: true });
    if (run.failed) throw new Error(`seed ${run.seed}, path "${run.counterexamplePath}"`, { cause: run.errorInstance });
  });

  it('where everything happens at the edge of a window', { timeout: 60_000 }, () => {
    for (const zone of zones) expectBothToAgree(edgeHistory(Date.parse('2026-03-29T01:00:00Z'), zone));
  });

  it.skipIf(!isRecorded)('on a real repository', () => {
    const pulls = recordedPullRequests().map((pull) => ({ ...pull, files: [] }));
    const now = Math.max(...pulls.map(({ updatedAt }) => updatedAt)) + HOUR;
    expectBothToAgree({ now, repositories: [{ owner: 'bitcoin-core', name: 'gui', pulls }] });
    expect(pulls.length).toBeGreaterThan(500);
  });
});
