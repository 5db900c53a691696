import { sql } from 'kysely';
import { REAPPLIED_WITHIN_DAYS, REVERTED_WITHIN_DAYS } from '#domain/metrics/thresholds.ts';
import type { HealthSettings, OwnSignalKey, SignalMetric } from '#domain/signals.ts';
import { allOf } from './conditions.ts';
import type { Counted, LeftOut } from './counted.ts';
import { healthIn, mergedForSignals, openAt } from './sources/for-signals.ts';
import { reviews } from './sources/reviews.ts';
import type { HealthView, Source, Sql, Viewpoint } from './sources/source.ts';

const days = (count: number) => sql`make_interval(days => ${count}::int)`;

/** It is computed, and its branch is known to be one that is asked for, so that it can be told of. */
export const isKnown = sql`it.known`;
const isReviewed = sql`it.last_review_at is not null`;

/** One of no file is not: the host counts none in the largest. */
const isTrivial = (asked: Viewpoint) => {
  const { lines, files } = healthIn(asked).settings.trivial;
  return sql`(it.lines_counted < ${lines}::int and it.changed_files between 1 and ${files}::int)`;
};

/** Few are: they are read once, not looked for beside each. */
const isDismissed = (key: OwnSignalKey) => sql`((it.repository_id, it.number) in (
  select repository_id, number from signal_dismissals where key = ${sql.lit(key)}))`;

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
  readonly own?: Counted['own'];
  readonly during?: Omit<NonNullable<Counted['during']>, 'where'>;
}

/** What is so at moments, in some `span` of the pull request, and holds of it once it is later than another moment. */
function atMoments({ dismissedAs, ...during }: Pick<Rule, 'dismissedAs'> & NonNullable<Rule['during']>): Rule {
  const covers = sql`(span.begins is null or span.begins <= it.at) and (span.ends is null or span.ends > it.at)`;
  return {
    from: openAt,
    dismissedAs,
    during,
    among: () => sql`exists (select from ${during.spans} span where ${covers})`,
    value: (asked) => sql`exists (select from ${during.spans} span where ${covers} and it.at > ${during.after(asked)})`,
  };
}

function signal(rule: Rule): Counted {
  const { from = mergedForSignals, unknown, dismissedAs, value, made, own, during } = rule;
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
    ...(own && { own }),
    ...(during && { during: { ...during, where: (asked) => allOf([...judgedOf(rule, asked), ...stands]) } }),
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

/** Whom a rule is about; of what is not computed yet everything that may be. */
function populationOf({ among }: Rule, asked: Viewpoint): Sql[] {
  return among === undefined ? [] : [sql`(not ${isKnown} or ${among(asked)})`];
}

/** Of whom it can be told. */
function judgedOf({ unknown, notTrivial }: Rule, asked: Viewpoint): Sql[] {
  return [
    isKnown,
    ...(unknown === undefined ? [] : [sql`not ${unknown}`]),
    ...(notTrivial ? [sql`not ${isTrivial(asked)}`] : []),
  ];
}

/** When a pull request was no draft. */
const asNoDraft = sql`(select it.draft_changes[change] as begins, it.draft_changes[change + 1] as ends
  from generate_series(0, coalesce(cardinality(it.draft_changes), 0)) change
  where coalesce(it.opened_as_draft, false) = (change % 2 = 1))`;
/** When it was approved. */
const asApproved = sql`(select (phase->>'from')::timestamptz as begins, (phase->>'to')::timestamptz as ends
  from jsonb_array_elements(it.phases) phase where phase->>'phase' = 'approved')`;
/** Reverts `v` of `it`, merged as `y`, that came in time and were not taken back soon. */
export const revertsInTime = sql`reverts v
  join pull_request_facts y on y.repository_id = v.repository_id and y.number = v.number
  where v.repository_id = it.repository_id and v.target = it.number and y.ended_at <= it.ended_at + ${days(REVERTED_WITHIN_DAYS)}
    and not exists (select from reverts again
      join pull_request_facts z on z.repository_id = again.repository_id and z.number = again.number
      where again.repository_id = v.repository_id and again.target = v.number
        and z.ended_at <= y.ended_at + ${days(REAPPLIED_WITHIN_DAYS)})`;

/**
 * What sets `it` right, `u` merged as `y`, credited to the same person, or to one who reviewed it: read of the few that anything may set right,
 * of which is computed who is credited with them.
 */
export const followUpsThatTell = sql`follow_ups u
  join pull_request_facts y on y.repository_id = u.repository_id and y.number = u.by_number
  join pull_request_facts x on x.repository_id = u.repository_id and x.number = u.number
  where u.repository_id = it.repository_id and u.number = it.number
    and (y.credited_id = x.credited_id or y.credited_id = any(x.reviewer_ids))`;

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
  long_open: atMoments({
    dismissedAs: 'long_open',
    spans: asNoDraft,
    after: (asked) => sql`it.created_at + ${days(healthIn(asked).settings.long_open_days)}`,
  }),
  stale_approval: atMoments({
    dismissedAs: 'stale_approval',
    spans: asApproved,
    after: (asked) => sql`span.begins + ${days(healthIn(asked).settings.stale_approval_days)}`,
  }),
  reverted: { dismissedAs: 'reverted', value: () => sql`exists (select from ${revertsInTime})` },
  followed_up: {
    unknown: sql`not it.files_known`,
    dismissedAs: 'followed_up',
    value: () => sql`exists (select from ${followUpsThatTell})`,
  },
  ci_wait: {
    unknown: sql`it.ci_wait_hours is null`,
    dismissedAs: null,
    value: () => sql`it.ci_wait_hours`,
    made: 'mean',
    own: 'p50',
  },
};

const ofPullRequests = Object.fromEntries(
  Object.entries(rules).map(([key, rule]) => [key, signal(rule)]),
) as unknown as Record<keyof typeof rules, Counted>;

/** The metrics of the signals (docs/metrics.md#signals). */
export const signals: Readonly<Record<SignalMetric, Counted>> = {
  ...ofPullRequests,
  concentration: { from: reviews, where: () => sql`it.counts`, made: 'half' },
};

/** Of which pull requests a signal is told, and which of these have it, whatever somebody says of it. */
export function ruleOf(key: OwnSignalKey): { readonly from: Source; readonly holds: (asked: Viewpoint) => Sql } {
  const rule = rules[key];
  return {
    from: rule.from ?? mergedForSignals,
    holds: (asked) => allOf([...populationOf(rule, asked), ...judgedOf(rule, asked), rule.value(asked)]),
  };
}

/** By whom a signal is about at most; nobody answers for a bot's. */
const anybodys: ReadonlySet<string> = new Set(['human', 'assisted', 'agent']);

/** How signals are asked for: of people's pull requests, assisted ones too, on the default branch, unless said. */
export function healthViewOf(
  settings: HealthSettings,
  query: { readonly authorship?: readonly string[] | undefined; readonly all_bases?: 'true' | 'false' | undefined },
): HealthView {
  return {
    settings,
    authorship: (query.authorship ?? ['human', 'assisted']).filter((kind) => anybodys.has(kind)),
    allBases: query.all_bases === 'true',
  };
}
