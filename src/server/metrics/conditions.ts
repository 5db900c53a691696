import { type RawBuilder, sql } from 'kysely';
import {
  AWAITING_AFTER_HOURS,
  COMPLEX_FROM_COMMENTS,
  STALE_AFTER_DAYS,
  STUCK_AFTER_HOURS,
} from '#domain/metrics/thresholds.ts';
import { mostLines, sizeBuckets } from '#domain/size-buckets.ts';
import type { Scope } from './scope.ts';

const HOUR = 3_600_000;

/*
 * Conditions on stored rows that metrics and lists of pull requests share, by the alias that a question gives them.
 */

/** True of everything where there are no conditions. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** The lines with which each size but the first begins. */
const leastLines = sizeBuckets.slice(0, -1).map((size) => mostLines[size] + 1);

/** The size of a number of lines. */
export function sizeOf(lines: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(${sizeBuckets}::text[])[1 + width_bucket(${lines}, ${leastLines}::int[])]`;
}

/** What the account is that has this row id; a deleted one, which has none, a ghost. */
export function kindOf(person: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce((select kind from people where id = ${person}), 'ghost')`;
}

/** Of an open pull request: opened too long before `now` to wait on (docs/metrics.md#the-team-and-its-people). */
export function isOld(pull: string, now: Date): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${pull}.created_at`)} < ${new Date(now.getTime() - STUCK_AFTER_HOURS * HOUR)}`;
}

/** Of the facts of an open one: in review, and waiting for reviewers for too long at `now` (docs/metrics.md#the-team-and-its-people). */
export function isAwaiting(facts: string, now: Date): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${facts}.${name}`);
  return sql<boolean>`not ${column('draft')} and ${column('waiting_on')} = 'reviewers'
    and ${column('waiting_since')} < ${new Date(now.getTime() - AWAITING_AFTER_HOURS * HOUR)}`;
}

/** Of the facts of an open one: in review, and no person did anything for `STALE_AFTER_DAYS` (docs/metrics.md#one-person). */
export function isStale(facts: string, now: Date): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${facts}.${name}`);
  return sql<boolean>`not ${column('draft')}
    and ${column('last_activity_at')} <= ${new Date(now.getTime() - STALE_AFTER_DAYS * 24 * HOUR)}`;
}

/** Of a review: one that took work (docs/metrics.md#the-team-and-its-people). */
export function isComplex(review: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${review}.comments_count`)} >= ${COMPLEX_FROM_COMMENTS}
    or ${sql.ref(`${review}.state`)} = 'changes_requested')`;
}

/** Of a person's kept numbers: they authored a pull request or gave a counting review, of bots and agents what stands for one. */
export function contributes(kept: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${kept}.${name}`);
  return sql<boolean>`${column('opened')} + ${column('counting_reviews')} + ${column('automated_reviews')} > 0`;
}

/** Of what is kept of all a person did: they opened a pull request or submitted a review, which makes them a contributor (docs/server.md#lists-and-searches). */
export function takesPart(totals: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${totals}.opened`)} + ${sql.ref(`${totals}.submitted_reviews`)} > 0`;
}

/** Of the row id of a person: they exist as a contributor in the scope. */
export function isContributor(scope: Scope, person: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from contributor_totals t
    where ${scope.filter('t')} and t.person_id = ${person} and ${takesPart('t')})`;
}

/** Of the row id of a person: they take part in a repository of the scope, or their review is requested there. */
export function appearsIn(scope: Scope, person: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from contributor_totals t where ${scope.filter('t')} and t.person_id = ${person})
    or exists (select from review_requests request where ${scope.filter('request')} and request.person_id = ${person}))`;
}
