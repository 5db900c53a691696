import type { Kysely } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { getHealth } from '#contract/health.ts';
import type { HealthSettings } from '#domain/signals.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { asking } from '../metrics/asked.ts';
import { type AskedWindow, windowAsked } from '../metrics/asked-window.ts';
import { withReviewed } from '../metrics/person-numbers.ts';
import { scopeOf, scopeOfSeveral } from '../metrics/scope.ts';
import { healthViewOf } from '../metrics/signals.ts';
import type { Asked } from '../metrics/sources/source.ts';

type HealthQuery = Pick<
  QueryOf<typeof getHealth>,
  'period' | 'from' | 'to' | 'repository' | 'team' | 'team_as' | 'authorship' | 'all_bases'
>;

/** What is asked about the review practice. */
export interface AskedHealth {
  readonly asked: Asked;
  readonly window: AskedWindow;
  readonly settings: HealthSettings;
}

const DEFAULT_DAYS = 90;

/**
 * Of whom and when, by which thresholds.
 * @throws HttpError 400 for a window that makes no sense, 404 for a repository that is not theirs
 */
export async function healthAsked(
  db: Kysely<Database>,
  user: SignedIn,
  query: HealthQuery,
  now: Date,
): Promise<AskedHealth> {
  const window = windowAsked(query, DEFAULT_DAYS, now, user.time_zone);
  const scope = await withReviewed(
    db,
    query.repository === undefined
      ? await scopeOf(db, user.id, undefined, query)
      : await scopeOfSeveral(db, user.id, query.repository, query),
  );
  const { settings } = await healthSettingsOf(db, user.host);
  const health = healthViewOf(settings, query);
  return { asked: asking(scope, now, user.time_zone, { window: window.span, health }), window, settings };
}
