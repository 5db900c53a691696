import { isDeepStrictEqual } from 'node:util';
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
    if (isDeepStrictEqual(settings, before.settings)) return settings;
    const sameFiles = isDeepStrictEqual(settings.generated, before.settings.generated);
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

/** Whether the lines of some stored pull requests of a host are counted by what held before, or not yet (docs/metrics.md#signals). */
export async function isCountingLines(db: Kysely<Database>, host: string): Promise<boolean> {
  const { revision } = await healthSettingsOf(db, host);
  const { rows } = await sql<{ counting: boolean }>`
    select exists (select from repositories r join pull_request_facts f on f.repository_id = r.id
      where r.host = ${host} and f.signals < ${revision}) as counting`.execute(db);
  return rows[0]!.counting;
}
