import { type Kysely, sql } from 'kysely';
import type { Hosts } from '../context.ts';
import type { Database } from '../db/database.ts';
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
      return pullRequestSubjects(await openOnBranch(db, repository_id, subject.branch));
    case 'commit':
      return [{ kind: 'commit', sha: subject.sha }, ...pullRequestSubjects(subject.numbers)];
    case 'repository':
    case 'deleted':
      return [{ kind: subject.kind }];
  }
}

async function openOnBranch(db: Kysely<Database>, repository_id: number, branch: string): Promise<number[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .select('number')
    .where('repository_id', '=', repository_id)
    .where('state', '=', 'open')
    .where('head_ref', '=', branch)
    .execute();
  return rows.map((row) => row.number);
}
