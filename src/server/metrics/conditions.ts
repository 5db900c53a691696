import { type RawBuilder, sql } from 'kysely';
import {
  AWAITING_AFTER_HOURS,
  COMPLEX_FROM_COMMENTS,
  STALE_AFTER_DAYS,
  STUCK_AFTER_HOURS,
} from '#domain/metrics/thresholds.ts';

const HOUR = 3_600_000;

/*
 * Conditions on stored rows that more than one question has, by the aliases that questions give them: `p` a pull request, `f` its facts.
 */

/** Opened too long before `now` to wait on; of those that are open they are the stuck ones (docs/metrics.md#the-team-and-its-people). */
export function isOld(now: Date): RawBuilder<boolean> {
  return sql<boolean>`p.created_at < ${new Date(now.getTime() - STUCK_AFTER_HOURS * HOUR)}`;
}

/** Of an open one: in review, and waiting for reviewers for too long at `now` (docs/metrics.md#the-team-and-its-people). */
export function isAwaiting(now: Date): RawBuilder<boolean> {
  return sql<boolean>`not f.draft and f.waiting_on = 'reviewers'
    and f.waiting_since < ${new Date(now.getTime() - AWAITING_AFTER_HOURS * HOUR)}`;
}

/** Open and in review, and no person did anything for `STALE_AFTER_DAYS` (docs/metrics.md#one-person). */
export function isStale(now: Date): RawBuilder<boolean> {
  return sql<boolean>`p.state = 'open' and not p.draft and f.last_activity_at <= ${new Date(now.getTime() - STALE_AFTER_DAYS * 24 * HOUR)}`;
}

/** Of a row of `reviews`: one that took work (docs/metrics.md#the-team-and-its-people). */
export function isComplexReview(table: string | null = null): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(table === null ? name : `${table}.${name}`);
  return sql<boolean>`(${column('comments_count')} >= ${COMPLEX_FROM_COMMENTS} or ${column('state')} = 'changes_requested')`;
}
