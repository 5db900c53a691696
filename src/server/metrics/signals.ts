import { sql } from 'kysely';
import type { HealthSettings, OwnSignalKey, SignalMetric } from '#domain/signals.ts';
import { authorshipOf } from '../db/attribution-columns.ts';
import { allOf } from './conditions.ts';
import type { Counted, LeftOut } from './counted.ts';
import type { HealthView, Source, Sql, Viewpoint } from './sources.ts';
import * as sources from './sources.ts';

/** Days within which a revert and what sets another right tell, and hours in which a reapplication does. */
export const REVERTED_WITHIN_DAYS = 30;
export const FOLLOWED_WITHIN_DAYS = 7;
const REAPPLIED_WITHIN_DAYS = 7;

const days = (count: number) => sql`make_interval(days => ${count}::int)`;

/** By whom a signal is about at most; nobody answers for a bot's. */
const anybodys: ReadonlySet<string> = new Set(['human', 'assisted', 'agent']);

/** What a signal is about at all: by those who are asked for, merged into the default branch. */
function isPopulation(asked: Viewpoint): Sql {
  const { authorship, allBases } = healthIn(asked);
  const authors = authorship.filter((kind) => anybodys.has(kind));
  const kind = authorshipOf('it', sql`(select kind from people where id = it.author_id)`);
  const onBase = sql`exists (select from repositories r where r.id = it.repository_id
    and (it.base_ref = r.default_branch or it.base_ref = any(r.former_default_branches)))`;
  // Of what is not computed yet the base is not known; it is left out as unknown.
  return sql`${kind} = any(${authors}::text[]) and ${allBases ? sql`true` : sql`(it.signals = 0 or ${onBase})`}`;
}

const isMerged = sql`it.time_to_merge is not null`;
const isKnown = sql`(it.signals > 0)`;
const isReviewed = sql`it.last_review_at is not null`;

const isTrivial = (asked: Viewpoint) => {
  const { lines, files } = healthIn(asked).settings.trivial;
  return sql`(it.lines_counted < ${lines}::int and it.changed_files <= ${files}::int)`;
};

const isDismissed = (key: OwnSignalKey) => sql`exists (select from signal_dismissals d
  where d.repository_id = it.repository_id and d.number = it.number and d.key = ${sql.lit(key)})`;

interface Rule {
  readonly from?: Source;
  /** What it is asked of, beyond what all signals are. */
  readonly among?: (asked: Viewpoint) => Sql;
  /** Too little to be reviewed does not count. */
  readonly notTrivial?: true;
  /** It cannot be told of these. */
  readonly unknown?: Sql;
  /** Under which of its own names somebody says that it is not so; null where nobody can. */
  readonly dismissedAs: OwnSignalKey | null;
  readonly value: (asked: Viewpoint) => Sql;
  readonly made?: 'mean';
}

function signal(rule: Rule): Counted {
  const { from = ended, unknown, dismissedAs, value, made } = rule;
  const stands = dismissedAs === null ? [] : [sql`not ${isDismissed(dismissedAs)}`];
  const left = (reason: string, why: NonNullable<LeftOut['why']>, where: (asked: Viewpoint) => Sql[]): LeftOut => ({
    reason,
    why,
    from,
    where: (asked) => allOf([...populationOf(rule, asked), ...where(asked)]),
  });
  return {
    from,
    where: (asked) => allOf([...populationOf(rule, asked), ...judgedOf(rule, asked), ...stands]),
    value,
    made: made ?? 'share',
    leftOut: [
      ...(rule.notTrivial ? [left('Too small to be reviewed', 'trivial', (asked) => [isKnown, isTrivial(asked)])] : []),
      ...(dismissedAs === null
        ? []
        : [left('Said not to be so', 'dismissed', (asked) => [...judgedOf(rule, asked), isDismissed(dismissedAs)])]),
      left('Not known', 'unknown', (asked) => [
        unknown === undefined
          ? sql`not ${isKnown}`
          : sql`(not ${isKnown} or ${allOf([...(rule.notTrivial ? [sql`not ${isTrivial(asked)}`] : []), unknown])})`,
      ]),
    ],
  };
}

/** Whether a pull request is one that signals are about, and is computed. */
export function isToldOf(asked: Viewpoint): Sql {
  return allOf([isMerged, isPopulation(asked), isKnown]);
}

/** Whom a rule is about; of what is not computed yet everything that may be. */
function populationOf({ from = ended, among }: Rule, asked: Viewpoint): Sql[] {
  return [
    ...(from === ended ? [isMerged] : []),
    isPopulation(asked),
    ...(among === undefined ? [] : [sql`(not ${isKnown} or ${among(asked)})`]),
  ];
}

/** Of whom it can be told. */
function judgedOf({ unknown, notTrivial }: Rule, asked: Viewpoint): Sql[] {
  return [
    isKnown,
    ...(unknown === undefined ? [] : [sql`not ${unknown}`]),
    ...(notTrivial ? [sql`not ${isTrivial(asked)}`] : []),
  ];
}

const { ended, openAt } = sources;

/** Of a state at a moment. */
const wasDraft = sql`(coalesce(it.opened_as_draft, false) <> ((select count(*) from unnest(it.draft_changes) change where change <= it.at) % 2 = 1))`;
const approvedSince = sql`(select (span->>'from')::timestamptz from jsonb_array_elements(it.phases) span
  where span->>'phase' = 'approved' and (span->>'from')::timestamptz <= it.at
    and (span->>'to' is null or (span->>'to')::timestamptz > it.at) limit 1)`;

/** A revert that came in time and was not taken back soon. */
const isReverted = sql`exists (select from reverts v
  join pull_request_facts y on y.repository_id = v.repository_id and y.number = v.number
  where v.repository_id = it.repository_id and v.target = it.number and y.ended_at <= it.ended_at + ${days(REVERTED_WITHIN_DAYS)}
    and not exists (select from reverts again
      join pull_request_facts z on z.repository_id = again.repository_id and z.number = again.number
      where again.repository_id = v.repository_id and again.target = v.number
        and z.ended_at <= y.ended_at + ${days(REAPPLIED_WITHIN_DAYS)}))`;

const creditedOf = (facts: string) =>
  sql`coalesce(${sql.ref(`${facts}.credited_id`)}, case when ${sql.ref(`${facts}.authorship`)} is null then ${sql.ref(`${facts}.author_id`)} end)`;

/** What sets it right comes from the same person, or from one who reviewed it. */
const isFollowedUp = sql`exists (select from follow_ups u
  join pull_request_facts y on y.repository_id = u.repository_id and y.number = u.by_number
  where u.repository_id = it.repository_id and u.number = it.number
    and (${creditedOf('y')} = ${creditedOf('it')} or ${creditedOf('y')} = any(it.reviewer_ids)))`;

const rules: Readonly<Record<Exclude<SignalMetric, 'concentration'>, Rule>> = {
  merged_unreviewed: {
    notTrivial: true,
    dismissedAs: 'merged_unreviewed',
    value: () => sql`not ${isReviewed} and not it.commented_by_others`,
  },
  merged_on_comment: {
    notTrivial: true,
    dismissedAs: 'merged_unreviewed',
    value: () => sql`not ${isReviewed} and it.commented_by_others`,
  },
  merged_unapproved: {
    notTrivial: true,
    dismissedAs: 'merged_unapproved',
    value: () => sql`it.standing_approvals = 0`,
  },
  merged_over_objection: {
    notTrivial: true,
    dismissedAs: 'merged_over_objection',
    value: () => sql`it.standing_requests > 0`,
  },
  self_merged: {
    notTrivial: true,
    unknown: sql`it.self_merged is null`,
    dismissedAs: 'self_merged',
    value: () => sql`it.self_merged and it.standing_approvals = 0`,
  },
  stamped: {
    notTrivial: true,
    dismissedAs: 'stamped',
    value: (asked) => {
      const { words, minutes, lines_per_minute } = healthIn(asked).settings.stamped;
      return sql`coalesce(not it.inline_by_others and it.review_words <= ${words}::int
        and it.approval_lag_minutes <= greatest(${minutes}::float8, it.lines_counted / ${lines_per_minute}::float8), false)`;
    },
  },
  approved_then_pushed: {
    among: () => sql`it.standing_approvals > 0`,
    dismissedAs: 'approved_then_pushed',
    value: () => sql`(it.commits_after_approval > 0 and not it.forced_after_approval)`,
  },
  pushed_by_force: {
    among: () => sql`it.standing_approvals > 0`,
    dismissedAs: 'approved_then_pushed',
    value: () => sql`it.forced_after_approval`,
  },
  review_depth: {
    among: () => isReviewed,
    dismissedAs: null,
    value: () => sql`it.human_findings::float8`,
    made: 'mean',
  },
  without_findings: { among: () => isReviewed, dismissedAs: null, value: () => sql`it.human_findings = 0` },
  ping_pong: {
    among: () => isReviewed,
    dismissedAs: 'ping_pong',
    value: (asked) => {
      const { rounds, turns } = healthIn(asked).settings.ping_pong;
      return sql`(it.review_cycles >= ${rounds}::int or it.turns_in_a_day >= ${turns}::int)`;
    },
  },
  big: {
    dismissedAs: 'big',
    value: (asked) => sql`it.lines_counted > ${healthIn(asked).settings.big}::int`,
  },
  long_open: {
    from: openAt,
    among: () => sql`not ${wasDraft}`,
    dismissedAs: 'long_open',
    value: (asked) => sql`it.created_at < it.at - ${days(healthIn(asked).settings.long_open_days)}`,
  },
  stale_approval: {
    from: openAt,
    among: () => sql`${approvedSince} is not null`,
    dismissedAs: 'stale_approval',
    value: (asked) => sql`${approvedSince} < it.at - ${days(healthIn(asked).settings.stale_approval_days)}`,
  },
  reverted: { dismissedAs: 'reverted', value: () => isReverted },
  followed_up: {
    unknown: sql`not it.files_known`,
    dismissedAs: 'followed_up',
    value: () => isFollowedUp,
  },
  ci_wait: {
    unknown: sql`it.ci_wait_hours is null`,
    dismissedAs: null,
    value: () => sql`it.ci_wait_hours`,
    made: 'mean',
  },
};

const ofPullRequests = Object.fromEntries(
  Object.entries(rules).map(([key, rule]) => [key, signal(rule)]),
) as unknown as Record<keyof typeof rules, Counted>;

/** The metrics of the signals (docs/metrics.md#signals). */
export const signals: Readonly<Record<SignalMetric, Counted>> = {
  ...ofPullRequests,
  concentration: { from: sources.reviews, where: () => sql`it.counts`, made: 'half' },
};

/**
 * By what signals are told.
 * @throws Error where a question about one was asked without
 */
export function healthIn({ health }: Viewpoint): HealthView {
  if (health === null) throw new Error('A signal is asked for without thresholds.');
  return health;
}

/** Of which pull requests a signal is told, and which of these have it, whatever somebody says of it. */
export function ruleOf(key: OwnSignalKey): { readonly from: Source; readonly holds: (asked: Viewpoint) => Sql } {
  const rule = rules[key];
  return {
    from: rule.from ?? ended,
    holds: (asked) => allOf([...populationOf(rule, asked), ...judgedOf(rule, asked), rule.value(asked)]),
  };
}

/** How signals are asked for: of people's pull requests, assisted ones too, on the default branch, unless said. */
export function healthViewOf(
  settings: HealthSettings,
  query: { readonly authorship?: readonly string[] | undefined; readonly all_bases?: 'true' | 'false' | undefined },
): HealthView {
  return {
    settings,
    authorship: query.authorship ?? ['human', 'assisted'],
    allBases: query.all_bases === 'true',
    moments: null,
  };
}
