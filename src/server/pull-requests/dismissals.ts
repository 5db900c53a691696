import { type Kysely, sql } from 'kysely';
import type { OwnSignalKey } from '#domain/signals.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { scopeOf, scopeWithoutFigures } from '../metrics/scope.ts';
import { findRepository } from './pull-request-detail.ts';
import { signalsOfPullRequest } from './signals.ts';

/**
 * The call by which somebody who took part says that a signal is not so (docs/metrics.md#signals). What they say is written to `shared`: a
 * person's own view of the database is for reading alone.
 */
export function signalRoutes(
  { db, now }: Pick<Context, 'db' | 'now'>,
  shared: Kysely<Database>,
): Handlers<'dismissSignal'> {
  return {
    dismissSignal: async ({ user, params: { repoOwner, repoName, prNumber, key }, body }) => {
      const readable = await scopeWithoutFigures(db, user.id);
      const repository = await findRepository(db, readable, repoOwner, repoName);
      if (repository === null) throw notFound('PR not found');
      const scope = await scopeOf(db, user.id, repository.id);
      const place = { repository_id: repository.id, number: prNumber };
      const { settings } = await healthSettingsOf(db, user.host);
      const { signals, may_dismiss_signals } = await signalsOfPullRequest(db, scope, place, settings, now());
      const found = signals.find((signal) => signal.key === key);
      if (found === undefined) throw notFound(`This pull request has no signal called ${key}.`);
      if (!may_dismiss_signals) throw new HttpError('took_no_part');
      await setDismissed(shared, user, { ...place, key: found.key }, body.dismissed ? body.reason : null, now());
      const { dismissed } = body;
      return { ...found, dismissed, reason: dismissed && body.reason !== '' ? body.reason : null };
    },
  };
}

/** `reason` null takes it back. */
async function setDismissed(
  db: Kysely<Database>,
  user: SignedIn,
  { repository_id, number, key }: { repository_id: number; number: number; key: OwnSignalKey },
  reason: string | null,
  now: Date,
): Promise<void> {
  if (reason === null)
    await sql`
      delete from signal_dismissals
      where repository_id = ${repository_id} and number = ${number} and key = ${key}`.execute(db);
  else
    await sql`
      insert into signal_dismissals (repository_id, number, key, reason, set_by, set_at)
      values (${repository_id}, ${number}, ${key}, ${reason}, ${user.id}, ${now})
      on conflict (repository_id, number, key)
        do update set reason = excluded.reason, set_by = excluded.set_by, set_at = excluded.set_at`.execute(db);
}
