import { type Kysely, sql } from 'kysely';
import { defaultHealthSettings, type HealthSettings } from '#domain/signals.ts';
import type { Database } from './database.ts';

/** The thresholds of a host's repositories, and what facts that depend on them are computed by. */
export interface StoredHealthSettings {
  readonly settings: HealthSettings;
  /** 1 and up: it grows with each change by which stored facts are computed again. */
  readonly revision: number;
}

/** The thresholds that hold (docs/metrics.md#signals). */
export async function healthSettingsOf(db: Kysely<Database>, host: string): Promise<StoredHealthSettings> {
  const row = await db
    .selectFrom('health_settings')
    .select(['settings', 'revision'])
    .where('host', '=', host)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? { settings: defaultHealthSettings, revision: 1 } : row;
}

/** Changes some of them; answers all that hold then. */
export async function changeHealthSettings(
  db: Kysely<Database>,
  user: { readonly id: number; readonly host: string },
  change: (settings: HealthSettings) => HealthSettings,
  now: Date,
): Promise<HealthSettings> {
  return await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('health_settings'), hashtext(${user.host}))`.execute(transaction);
    const before = await healthSettingsOf(transaction, user.host);
    const settings = change(before.settings);
    const isSame = JSON.stringify(settings) === JSON.stringify(before.settings);
    if (isSame) return settings;
    const sameFiles = settings.generated.join('\n') === before.settings.generated.join('\n');
    await transaction
      .insertInto('health_settings')
      .values({
        host: user.host,
        settings: JSON.stringify(settings),
        revision: sameFiles ? before.revision : before.revision + 1,
        set_by: user.id,
        set_at: now,
      })
      .execute();
    return settings;
  });
}
