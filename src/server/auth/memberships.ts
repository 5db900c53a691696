import { type Kysely, sql } from 'kysely';
import { pauseReasons } from '#domain/notifications/subscriptions.ts';
import type { PersonalClient } from '../context.ts';
import { pauseChannelsOf } from '../db/channel-pauses.ts';
import type { Database } from '../db/database.ts';
import type { ChangedMembership } from '../host/delivery.ts';
import { HostError } from '../host/errors.ts';
import type { Log } from '../log.ts';
import { throttled } from '../throttle.ts';
import { type Allowed, isAllowed } from './allowed.ts';

/** While somebody is active, the host is asked for their memberships so often, in minutes. */
const MINUTES_BETWEEN_QUESTIONS = 50;
const MINUTES_ACTIVE = 60;
/** And so often, in minutes, of whoever is told things without coming here. */
const MINUTES_BETWEEN_QUESTIONS_AWAY = 12 * 60;
/** An answer of later than this many minutes ahead is of before the clock was set back. */
const MOST_MINUTES_AHEAD = 5;
/** People asked about in one round of a minute. */
const PEOPLE_AT_ONCE = 50;

export interface MembershipDeps {
  readonly db: Kysely<Database>;
  readonly allowed: Allowed;
  /** The host that people sign in to: nobody of another one is in the lists. */
  readonly host: string;
  readonly clientFor: (user_id: number) => Promise<PersonalClient | null>;
  readonly rejectToken: (user_id: number, grant_id: number) => Promise<boolean>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/**
 * Asks the host again for the memberships of people who are active, are told things or have personal tokens, where they decide who may use
 * this server; one that fails stops no other.
 */
export async function refreshMemberships(deps: MembershipDeps, signal: AbortSignal): Promise<void> {
  if (deps.allowed.orgs === null) return;
  const before = (minutes: number) => new Date(deps.now().getTime() - minutes * 60_000);
  const isOlderThan = (minutes: number) => sql<boolean>`(organizations_at < ${before(minutes)}
    or organizations_at > ${before(-MOST_MINUTES_AHEAD)})`;
  const rows = await deps.db
    .selectFrom('users')
    .select('id')
    .where('host', '=', deps.host)
    // Of others nobody can be asked, and they would come first for ever.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('credentials as k')
          .select('k.user_id')
          .whereRef('k.user_id', '=', 'users.id')
          .where('k.rejected_at', 'is', null),
      ),
    )
    .where(({ and, or, eb, exists, selectFrom }) =>
      or([
        and([eb('seen_at', '>', before(MINUTES_ACTIVE)), isOlderThan(MINUTES_BETWEEN_QUESTIONS)]),
        and([
          isOlderThan(MINUTES_BETWEEN_QUESTIONS_AWAY),
          or([
            exists(selectFrom('notification_subscriptions as s').select('s.id').whereRef('s.user_id', '=', 'users.id')),
            exists(
              selectFrom('api_tokens as t')
                .select('t.id')
                .whereRef('t.user_id', '=', 'users.id')
                .where('t.expires_at', '>', deps.now()),
            ),
          ]),
        ]),
      ]),
    )
    // By age those whom the host fails for again and again would keep all others from their turn.
    .orderBy(sql`random()`)
    .limit(PEOPLE_AT_ONCE)
    .execute();
  for (const { id } of rows) {
    if (signal.aborted) return;
    await refreshMembershipsOf(deps, id);
  }
}

/** However many deliveries name somebody, the host is asked for their memberships at most once in so many milliseconds. */
const BETWEEN_DELIVERIES = 60_000;

/**
 * For deliveries that say that memberships may have changed: the host is asked at once, with the token of each person concerned, and
 * once more a minute later where more deliveries name them meanwhile. Whoever has left is signed out. Never rejects.
 */
export function membershipChecks(
  deps: MembershipDeps & { readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void> },
  signal: AbortSignal,
): (of: ChangedMembership) => Promise<void> {
  const check = throttled((user_id: number) => refreshMembershipsOf(deps, user_id), {
    ...{ milliseconds: BETWEEN_DELIVERIES, sleep: deps.sleep, signal },
  });

  return async ({ organization, account_id }) => {
    // Who is in another one may use this server or not, whatever becomes of that.
    if (!deps.allowed.orgs?.includes(organization)) return;
    try {
      const people = await deps.db
        .selectFrom('users')
        .select('id')
        .where('host', '=', deps.host)
        .where('organizations_at', 'is not', null)
        .$if(account_id !== null, (query) => query.where('host_id', '=', account_id))
        .orderBy('id')
        .execute();
      for (const { id } of people) {
        if (signal.aborted) return;
        await check(id);
      }
    } catch (err) {
      deps.log.warn({ err }, 'failed to look up whose memberships may have changed');
    }
  };
}

/** Asks the host for one person's memberships, at once. Never rejects: what the host does not say now stays as it was, until it is too old. */
async function refreshMembershipsOf(deps: MembershipDeps, user_id: number): Promise<void> {
  if (deps.allowed.orgs === null) return;
  try {
    const personal = await deps.clientFor(user_id);
    if (personal === null) return;
    try {
      const organizations = [...(await personal.client.organizations(deps.allowed.orgs))];
      const person = await deps.db
        .updateTable('users')
        .set({ organizations, organizations_at: deps.now() })
        .where('id', '=', user_id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (await isAllowed(deps.db, person, deps.allowed, deps.now())) return;
      await deps.db.transaction().execute(async (within) => {
        await within.deleteFrom('sessions').where('user_id', '=', user_id).execute();
        await pauseChannelsOf(within, user_id, pauseReasons.not_allowed, deps.now());
      });
    } catch (error) {
      if (!(error instanceof HostError) || error.kind !== 'unauthorized') throw error;
      await deps.rejectToken(user_id, personal.grant_id);
    }
  } catch (err) {
    deps.log.warn({ err, user: user_id }, 'memberships could not be asked for');
  }
}
