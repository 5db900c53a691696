import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Hosts } from '../context.ts';
import type { Database } from '../db/database.ts';
import { POINTS_OF_A_CHECK, reserveCheck, settleQuota } from '../db/hint-limits.ts';
import { addHints, type HintSubject, pullRequestSubjects } from '../db/hints.ts';
import type { ChangedMembership, DeliverySubject } from '../host/delivery.ts';
import type { DeliveryLimits } from './deliveries.ts';

/** Dependencies of every webhook route. */
export interface WebhookDeps {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  readonly now: () => Date;
  readonly limits: DeliveryLimits;
  /** Ends early when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Tells this process's worker, if it has one, that there is something to look at. */
  readonly nudge: () => void;
}

/** Dependencies of the routes whose webhooks also hear of an organisation's members and teams. */
export interface OrganizationChecks {
  /** Asks the host at once for the memberships of organisations that may have changed; never rejects. */
  readonly checkMembership: (of: ChangedMembership) => Promise<void>;
  /** Has an organisation's teams read again, soon; never throws. */
  readonly checkTeams: (of: {
    readonly host: string;
    readonly organization_id: string;
    readonly account_id: string | null;
  }) => void;
}

/** Has what a delivery names looked at as soon as a worker looks. */
export async function remember(
  deps: Pick<WebhookDeps, 'db' | 'now' | 'nudge'>,
  repository_id: number,
  subject: DeliverySubject | null,
): Promise<void> {
  const { db, now, nudge } = deps;
  const subjects = subject === null ? [] : await hintsOf(db, repository_id, subject);
  await addHints(db, repository_id, subjects, now());
  if (subjects.length > 0) nudge();
}

/** @throws Error when the repository is gone */
export async function noteDelivery(
  { db, now }: Pick<WebhookDeps, 'db' | 'now'>,
  repository_id: number,
  event: string,
): Promise<void> {
  const noted = await sql`
    update repositories set webhook_last_delivery_at = ${now()}, webhook_last_event = ${event.slice(0, 100) || null}, webhook_refused_since = null
    where id = ${repository_id}`.execute(db);
  if (noted.numAffectedRows === 0n) throw new Error('The repository was removed.');
}

/**
 * Notes that the host signs with a secret that has ended, unless a delivery was accepted since it did: then it is another webhook's. A secret
 * may be taken for `longer` milliseconds after its end.
 */
export async function noteRefusedDelivery(
  { db, now }: Pick<WebhookDeps, 'db' | 'now'>,
  repository_id: number,
  longer: number,
): Promise<void> {
  await sql`
    update repositories r set webhook_refused_since = ${now()}
    where r.id = ${repository_id} and r.webhook_refused_since is null and coalesce(r.webhook_last_delivery_at < (
      select max(o.taken_until) + make_interval(secs => ${longer / 1000}) from webhook_old_secrets o
      where o.repository_id = r.id and o.taken_until <= ${now()}), true)`.execute(db);
}

/**
 * Has what people see checked as soon as a worker looks, each of them within their own quota: the connections for which `concerned` holds, a
 * condition on `r`, the repository, and `u`, the person. Where that is `everybody`, for nobody is named, what was checked within the last minute is
 * when that is over, and less of the quota is used. One person's failure is logged and stops no other's.
 */
export async function checkAccessAtOnce(
  deps: Pick<WebhookDeps, 'db' | 'now' | 'nudge'>,
  host: string,
  concerned: RawBuilder<boolean>,
  of: 'somebody' | 'everybody',
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const { db, now, nudge } = deps;
  const { rows } = await sql<{ user_id: number; repository_ids: number[] }>`
    select c.user_id, array_agg(c.repository_id order by c.readable desc, c.repository_id) as repository_ids
    from connections c join repositories r on r.id = c.repository_id join users u on u.id = c.user_id
    where c.check_due_at > ${soonest(now(), of)} and r.host = ${host} and (${concerned})
    group by c.user_id order by c.user_id`.execute(db);
  for (const { user_id, repository_ids } of rows) {
    try {
      await checkWithinQuota(deps, user_id, repository_ids, of);
    } catch (err) {
      log.warn({ err, user: user_id }, 'failed to have the access of somebody checked');
    }
  }
  nudge();
}

/** When a row `c` of `connections` is to be checked again, from an instant on. */
const soonest = (at: Date, of: 'somebody' | 'everybody') =>
  sql<Date>`greatest(${at}::timestamptz, c.checked_at + make_interval(secs => ${of === 'somebody' ? 0 : 60}))`;

/** Has one person's access checked as far as hints may use their quota; the rest waits until there is some again. */
async function checkWithinQuota(
  { db, now }: Pick<WebhookDeps, 'db' | 'now'>,
  user_id: number,
  repository_ids: readonly number[],
  of: 'somebody' | 'everybody',
): Promise<void> {
  const due = async (ids: readonly number[], at: Date) =>
    await db
      .updateTable('connections as c')
      .set({ check_due_at: soonest(at, of) })
      .where('c.user_id', '=', user_id)
      .where('c.repository_id', 'in', ids)
      .where('c.check_due_at', '>', soonest(at, of))
      .execute();
  const waiting = [...repository_ids];
  while (waiting.length > 0) {
    const reserved = await reserveCheck(db, user_id, now(), of);
    if ('again' in reserved) {
      await due(waiting, reserved.again);
      return;
    }
    const some = waiting.splice(0, Math.max(1, Math.floor(reserved.points / POINTS_OF_A_CHECK)));
    await due(some, now());
    await settleQuota(db, user_id, 'hints', reserved.points, some.length * POINTS_OF_A_CHECK, null);
  }
}

async function hintsOf(
  db: Kysely<Database>,
  repository_id: number,
  subject: DeliverySubject,
): Promise<readonly HintSubject[]> {
  switch (subject.kind) {
    case 'test':
      return [];
    case 'pull_requests':
      return pullRequestSubjects(subject.numbers);
    case 'branch':
      return pullRequestSubjects(await openOnBranch(db, repository_id, subject));
    case 'commit':
      return [
        { kind: subject.on_branch ? 'head' : 'commit', sha: subject.sha },
        ...pullRequestSubjects(subject.numbers),
      ];
    case 'repository':
    case 'deleted':
      return [{ kind: subject.kind }];
  }
}

/** What default branches are called where it is not known: to a token that may not read contents the host does not say it. */
const USUAL_DEFAULTS = ['main', 'master'];

/** Where no stored head tells which pull requests are of the branch that was pushed to, at most this many are looked at. */
const FEW = 10;

/**
 * The open pull requests that a push to a branch of the repository itself may have changed: those whose stored head is one that the branch
 * had. Without any, a push may have been missed: a few of the branch's name, newest first. Branches of forks have that name, too, most often
 * the default branch's, whose pushes are about no other pull request than by their heads.
 */
async function openOnBranch(
  db: Kysely<Database>,
  repository_id: number,
  { branch, heads }: Extract<DeliverySubject, { kind: 'branch' }>,
): Promise<number[]> {
  const { rows } = await sql<{ number: number; is_head: boolean }>`
    select p.number, coalesce(p.head_sha = any(${[...heads]}::text[]), false) as is_head
    from pull_requests p join repositories r on r.id = p.repository_id
    where p.repository_id = ${repository_id} and p.state = 'open' and p.head_ref = ${branch}
      and (p.head_sha = any(${[...heads]}::text[]) or coalesce(${branch} <> r.default_branch, not ${USUAL_DEFAULTS.includes(branch)}))
    order by p.number desc`.execute(db);
  const of_heads = rows.filter(({ is_head }) => is_head);
  return (of_heads.length > 0 ? of_heads : rows.slice(0, FEW)).map(({ number }) => number);
}
