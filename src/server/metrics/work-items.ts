import { sql } from 'kysely';
import type { WorkItem } from '#contract/my-work.ts';
import { checksState, isCalledBack, isTurn, OVERDUE_AFTER_HOURS } from '#domain/my-work.ts';
import { hoursBetween, type Instant } from '#domain/pull-request.ts';
import { attributionColumns } from '../db/attribution-columns.ts';
import { type AwaitedReviewers, awaitedReviewers, reviewerNames } from '../db/reviewer-names.ts';

/** What of an item is so for whoever it is shown to. */
type ToldItem = Pick<WorkItem, 'kind' | 'reason' | 'team' | 'reviewed' | 'snooze'> & {
  readonly asked_at: Instant | null;
  readonly since: Instant;
};

/** The columns of an item that are the same for everybody, as they are read. */
export type WorkItemRow = Omit<
  WorkItem,
  | keyof ToldItem
  | 'created_at'
  | 'waited_hours'
  | 'waited_working_hours'
  | 'overdue'
  | 'overdue_after_hours'
  | 'checks'
  | 'waits_for'
> & {
  readonly created_at: Date;
  readonly checks: Parameters<typeof checksState>[0];
  readonly waits_for: AwaitedReviewers | null;
};

/** These columns of the pull request `p` with the facts `f`, in the repository `r`, by the author `a`. */
export const workItemColumns = sql`
  r.owner as repo_owner, r.name as repo_name, p.number as pr_number, p.title, p.url as github_url,
  coalesce(a.login, 'ghost') as author, a.avatar_url as author_avatar_url, coalesce(a.kind, 'ghost') as author_kind,
  f.by_agent, ${attributionColumns}, p.lines_changed, p.changed_files, p.draft, p.created_at, f.waiting_on, ${reviewerNames} as reviewers,
  ${awaitedReviewers} as waits_for,
  (select coalesce(json_agg(json_build_object('name', it.name, 'outcome', it.outcome)
      order by coalesce(it.started_at, it.finished_at), it.host_id), '[]')
    from checks it where it.repository_id = p.repository_id and it.number = p.number) as checks`;

/** The item of a row with these columns alone (docs/metrics.md#my-work). */
export function workItemOf(row: WorkItemRow, { asked_at, since, ...told }: ToldItem, now: Date): WorkItem {
  const waited_hours = Math.max(0, hoursBetween(since, now.getTime()));
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    ...told,
    asked_at: asked_at === null ? null : toIso(asked_at),
    since: toIso(since),
    waited_hours,
    waited_working_hours: null,
    overdue: isTurn(told.kind) && waited_hours > OVERDUE_AFTER_HOURS,
    overdue_after_hours: OVERDUE_AFTER_HOURS,
    checks: checksState(row.checks),
    waits_for: namesOf(row.waits_for, now),
  };
}

/** Those who are asked, then those who are called back. */
function namesOf(awaited: AwaitedReviewers | null, now: Date): string[] {
  if (awaited === null) return [];
  const { asked, reviewed } = awaited;
  const calledBack = reviewed.filter(({ reviewed_at, opinion }) =>
    isCalledBack(awaited, { reviewedAt: reviewed_at, opinion }, now.getTime()),
  );
  return [...asked, ...calledBack.map(({ login }) => login)];
}

const toIso = (at: Instant) => new Date(at).toISOString();
