import { sql } from 'kysely';
import { followUpsThatTell, revertsInTime } from './signals.ts';
import type { Sql } from './sources/source.ts';

/** The columns of `SignalNumbers`, of the facts `it` at a moment. */
export function numbersOfSignals(at: Sql): Sql {
  const days = (since: Sql) => sql`floor(extract(epoch from ${at} - ${since}) / 86400)::int`;
  const approvedSince = sql`(select (span->>'from')::timestamptz from jsonb_array_elements(it.phases) span
    where span->>'phase' = 'approved' and (span->>'from')::timestamptz <= ${at} order by 1 desc limit 1)`;
  return sql`it.review_cycles, it.standing_requests, it.approval_lag_minutes, it.commits_after_approval, it.forced_after_approval,
    it.turns_in_a_day, it.lines_counted, ${days(sql`it.created_at`)} as open_days, ${days(approvedSince)} as approved_days,
    (select v.number from ${revertsInTime} order by y.ended_at limit 1) as reverted_by,
    (select u.by_number from ${followUpsThatTell} order by y.ended_at limit 1) as followed_up_by`;
}
