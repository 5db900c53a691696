import { type Kysely, sql } from 'kysely';
import type { WorkItem } from '#contract/my-work.ts';
import { checksState, OVERDUE_AFTER_HOURS } from '#domain/my-work.ts';
import { hoursBetween } from '#domain/pull-request.ts';
import { attributionColumns } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { isOpen } from '../db/open-pull-requests.ts';
import { reviewerNames } from '../db/reviewer-names.ts';
import { HttpError } from '../http/errors.ts';
import { pullRequestBelongs } from '../metrics/belongs.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import type { DeskSection } from './desk.ts';
import type { Recipient } from './recipients.ts';

/**
 * What the channel of a team may show: what its owner sees, narrowed to its repositories and team; null where that is nothing, such as a
 * team that is gone.
 */
export async function channelScope(db: Kysely<Database>, to: Recipient): Promise<Scope | null> {
  const { team_id, all_repositories } = to.team!;
  try {
    const scope = await scopeOf(db, to.user_id, undefined, team_id === null ? {} : { team: team_id });
    if (all_repositories) return scope;
    const chosen = await db
      .selectFrom('notification_channel_repositories')
      .select('repository_id')
      .where('channel_id', '=', to.channel_id!)
      .execute();
    return scope.within(chosen.map(({ repository_id }) => repository_id));
  } catch (error) {
    // Unknown to its owner, or being recounted.
    if (error instanceof HttpError && (error.status === 404 || error.status === 503)) return null;
    throw error;
  }
}

type Row = Omit<
  WorkItem,
  | 'created_at'
  | 'checks'
  | 'since'
  | 'kind'
  | 'waited_hours'
  | 'waited_working_hours'
  | 'overdue'
  | 'overdue_after_hours'
  | 'snooze'
  | 'team'
  | 'asked_at'
> & {
  repository_id: number;
  created_at: Date;
  since: Date;
  checks: readonly { readonly name: string; readonly outcome: string | null }[];
};

const kindOf = { reviewers: 'review', author: 'author', merge: 'merge' } as const;
const order = ['review', 'author', 'merge'] as const;

/** What is open and no draft in the channel of a team, by whom it waits for, longest first. */
export async function channelDesk(
  db: Kysely<Database>,
  to: Recipient,
  now: Date,
  within?: readonly number[],
): Promise<DeskSection[]> {
  const all = await channelScope(db, to);
  const scope = within === undefined ? all : (all?.within(within) ?? null);
  if (scope === null || scope.repository_ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select p.repository_id, r.owner as repo_owner, r.name as repo_name, p.number as pr_number, p.title, p.url as github_url,
      coalesce(a.login, 'ghost') as author, a.avatar_url as author_avatar_url, coalesce(a.kind, 'ghost') as author_kind,
      f.by_agent, ${attributionColumns}, p.lines_changed, p.changed_files, p.draft, p.created_at,
      f.waiting_reason as reason, f.waiting_since as since, f.waiting_on, ${reviewerNames} as reviewers,
      (select coalesce(json_agg(json_build_object('name', it.name, 'outcome', it.outcome)
          order by coalesce(it.started_at, it.finished_at) nulls first, it.host_id), '[]')
        from checks it where it.repository_id = p.repository_id and it.number = p.number) as checks
    from pull_request_facts f
    join pull_requests p on p.repository_id = f.repository_id and p.number = f.number
    join repositories r on r.id = p.repository_id
    left join people a on a.id = p.author_id
    where ${scope.filter('f')} and ${isOpen} and not p.draft and f.waiting_since is not null
      and ${scope.team === null ? sql`true` : pullRequestBelongs(scope.team, 'p', 'f')}
    order by f.waiting_since, r.owner, r.name, p.number`.execute(db);
  const found = Map.groupBy(rows, ({ waiting_on }) => kindOf[waiting_on]);
  return order.map((key) => {
    const items = (found.get(key) ?? []).map(({ repository_id, ...row }) => ({
      repository_id,
      item: itemOf(row, now),
    }));
    return { key, total: items.length, items };
  });
}

function itemOf(row: Omit<Row, 'repository_id'>, now: Date): WorkItem {
  const waited_hours = hoursBetween(row.since.getTime(), now.getTime());
  return {
    ...row,
    checks: checksState(row.checks),
    created_at: row.created_at.toISOString(),
    kind: kindOf[row.waiting_on],
    team: null,
    asked_at: null,
    since: row.since.toISOString(),
    waited_hours,
    waited_working_hours: null,
    overdue: waited_hours > OVERDUE_AFTER_HOURS,
    overdue_after_hours: OVERDUE_AFTER_HOURS,
    snooze: null,
  };
}
