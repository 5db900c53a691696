import { type Kysely, sql } from 'kysely';
import type { WorkItem } from '#contract/my-work.ts';
import type { Database } from '../db/database.ts';
import { isOpen } from '../db/open-pull-requests.ts';
import { byRepository } from '../db/repository-order.ts';
import { HttpError } from '../http/errors.ts';
import { isOfScopeTeam } from '../metrics/belongs.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { type WorkItemRow, workItemColumns, workItemOf } from '../metrics/work-items.ts';
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
  const { rows } = await sql<WorkItemRow & { repository_id: number; reason: WorkItem['reason']; since: Date }>`
    select ${workItemColumns}, p.repository_id, f.waiting_reason as reason, f.waiting_since as since
    from pull_request_facts f
    join pull_requests p on p.repository_id = f.repository_id and p.number = f.number
    join repositories r on r.id = p.repository_id
    left join people a on a.id = p.author_id
    where ${scope.filter('f')} and ${isOpen} and not p.draft and f.waiting_since is not null
      and ${isOfScopeTeam(scope, 'p', 'f')}
    order by f.waiting_since, ${byRepository}, p.number`.execute(db);
  const found = Map.groupBy(rows, ({ waiting_on }) => kindOf[waiting_on]);
  return order.map((key) => {
    const items = (found.get(key) ?? []).map(({ repository_id, reason, since, ...row }) => ({
      ...{ repository_id, agent_until: null },
      item: workItemOf(
        row,
        { kind: key, reason, since: since.getTime(), team: null, asked_at: null, reviewed: false, snooze: null },
        now,
      ),
    }));
    return { key, total: items.length, items };
  });
}
