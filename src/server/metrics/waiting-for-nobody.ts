import { sql } from 'kysely';
import { isCalledBack } from '#domain/my-work.ts';
import type { Instant } from '#domain/pull-request.ts';
import { isAsked, latestReviews } from '../db/asked-reviewers.ts';
import { isOpen } from '../db/open-pull-requests.ts';
import { isOfScopeTeam } from './belongs.ts';
import type { Scope } from './scope.ts';

/** An open pull request that waits for reviewers, of whom nobody is asked. */
export interface Unasked {
  readonly waiting_since: Instant;
  /** The latest of each person. */
  readonly reviews: readonly {
    readonly reviewed_at: Instant;
    readonly opinion: 'approved' | 'changes_requested' | null;
  }[];
}

/** Of an open pull request, `pull` the alias of its row or of its facts, `facts` that of its facts: it waits for reviewers, and nobody is asked. */
export const isUnasked = (pull: string, facts: string) => sql<boolean>`(
  not ${sql.ref(`${pull}.draft`)} and ${sql.ref(`${facts}.waiting_on`)} = 'reviewers' and not ${isAsked(pull)})`;

/** The `reviews` of one that nobody is asked to review, of the pull request of `alias`. */
export const reviewsOfUnasked = (alias: string) => sql<Unasked['reviews']>`(
  select coalesce(json_agg(json_build_object('reviewed_at', ${milliseconds('given.reviewed_at')}, 'opinion', given.opinion)), '[]')
  from ${latestReviews(alias)} given)`;

const milliseconds = (at: string) => sql`(extract(epoch from ${sql.ref(at)}) * 1000)::float8`;

/** All of them in scope: a relation of one row and the column `unasked`. */
export const unaskedRow = (scope: Scope) => sql`(
  select coalesce(json_agg(json_build_object(
    'waiting_since', ${milliseconds('one.waiting_since')}, 'reviews', ${reviewsOfUnasked('one')})), '[]') as unasked
  from (
    select p.repository_id, p.number, f.waiting_since
    from pull_requests p join pull_request_facts f using (repository_id, number)
    where ${scope.filter('p')} and ${isOpen} and ${isOfScopeTeam(scope, 'p', 'f')} and ${isUnasked('p', 'f')}
    offset 0
  ) one)`;

/** Whether it waits for nobody: no review calls back whoever gave it. */
export function waitsForNobody({ waiting_since, reviews }: Unasked, now: Date): boolean {
  return !reviews.some(({ reviewed_at, opinion }) =>
    isCalledBack({ waiting_since }, { reviewedAt: reviewed_at, opinion }, now.getTime()),
  );
}
