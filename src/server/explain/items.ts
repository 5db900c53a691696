import { sql } from 'kysely';
import { leftOutReasons } from '#domain/left-out.ts';
import { type Frame, nothing, type Sql } from './figure.ts';

/** Questions that figures are made of: each answers rows of `repository_id number at value`. */

export const inScope = ({ scope }: Frame) => scope.filter('p');
const byPerson = (table: 'p' | 'f' | 'r', { person_id }: Frame) =>
  person_id === null ? sql`true` : sql`${sql.ref(`${table}.author_id`)} = ${person_id}`;
export const facts = sql`join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number`;

/** Pull requests of the team, or of the person, for which a condition on `p` and `f` holds. */
export const pulls = (at: Sql, value: Sql, condition: (frame: Frame) => Sql) => (frame: Frame) =>
  sql`
  select p.repository_id, p.number, ${at} as at, ${value} as value from pull_requests p ${facts}
  where ${inScope(frame)} and ${frame.scope.filter('f')} and ${byPerson('p', frame)} and ${byPerson('f', frame)}
    and ${condition(frame)}`;

/** Pull requests of the team, or of the person, that were opened in the window; `value` is one of `p`. */
export const opened = (value: Sql) => (frame: Frame) =>
  sql`
  select p.repository_id, p.number, p.created_at as at, ${value} as value from pull_requests p
  where ${inScope(frame)} and p.created_at > ${frame.after} and ${byPerson('p', frame)}`;
export const ended = (value: Sql, condition: Sql = sql`true`) =>
  pulls(sql`p.ended_at`, value, ({ after }) => sql`p.ended_at > ${after} and f.ended_at > ${after} and ${condition}`);
export const merged = (value: Sql, condition: Sql = sql`true`) =>
  ended(value, sql`p.merged_at is not null and ${condition}`);
export const open = (condition: (frame: Frame) => Sql = () => sql`true`) =>
  pulls(sql`p.created_at`, nothing, (frame) => sql`p.state = 'open' and ${condition(frame)}`);

/** Submitted reviews in the window, of the team or given by the person, for which a condition on `r` holds. */
export const submitted = (condition: Sql) => (frame: Frame) =>
  sql`
  select r.repository_id, r.number, r.submitted_at as at, r.response_hours as value
  from reviews r
  where ${frame.scope.filter('r')}
    and ${byPerson('r', frame)}
    and r.submitted_at > ${frame.after} and ${condition}`;

export const given = submitted(sql`(r.counts or r.automated)`);
export const responses = submitted(sql`(r.counts or r.automated) and r.response_hours is not null`);
/** One row for each value of an expression, its latest. */
export const latestPerKey = (expression: Sql, rows: (frame: Frame) => Sql) => (frame: Frame) =>
  sql`
  select distinct on (once) repository_id, number, at, ${nothing} as value
  from (select *, ${expression} as once from (${rows(frame)}) every) marked
  where once is not null order by once, at desc, repository_id, number`;

export const closedUnmerged = { reason: 'Closed without merging', rows: ended(nothing, sql`p.merged_at is null`) };
export const noResponse = {
  reason: 'Reviews during a draft and follow-ups',
  rows: submitted(sql`(r.counts or r.automated) and r.response_hours is null`),
};
export const replies = { reason: leftOutReasons.replies, rows: submitted(sql`r.is_reply`) };
export const byMachines = { reason: leftOutReasons.byMachines, rows: submitted(sql`r.automated`) };
export const others = {
  reason: 'Reviews by the author or a deleted account, or after the end',
  rows: submitted(sql`not (r.counts or r.automated or r.is_reply)`),
};
