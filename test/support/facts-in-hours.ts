import { factsOf, type PullRequestFacts, phaseTimes } from '#domain/facts.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import { hour, OPENED_AT } from './builders.ts';

/** The facts of a built pull request as a table can state them: instants as hours after the opening, phases as "development 0-3". */
export function factsInHours(pullRequest: PullRequestRecord, now: number) {
  const facts = factsOf(pullRequest, hour(now));
  const { phases, ended_at, ...rest } = facts;
  return {
    ...rest,
    ...instants(facts),
    ...phaseTimes(facts, hour(now)),
    phases: phases.map(({ phase, from, to }) => `${phase} ${inHours(from)}-${to === null ? '' : inHours(to)}`),
    counting: facts.reviews.filter(({ role }) => role === 'counting').length,
    response_times: facts.reviews.filter(({ role }) => role === 'counting').map(({ response_time }) => response_time),
  };
}

const inHours = (at: number) => (at - OPENED_AT) / 3_600_000;

function instants(facts: PullRequestFacts) {
  const orNull = (at: number | null) => (at === null ? null : inHours(at));
  return {
    ready_at: orNull(facts.ready_at),
    first_review_at: orNull(facts.first_review_at),
    last_review_at: orNull(facts.last_review_at),
    first_agent_review_at: orNull(facts.first_agent_review_at),
    approved_at: orNull(facts.approved_at),
    waiting_since: orNull(facts.waiting_since),
    last_human_activity_at: inHours(facts.last_human_activity_at),
  };
}
