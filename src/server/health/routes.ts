import { type HealthSettings, type SignalKey, signalKeys } from '#domain/signals.ts';
import type { Administrators, Context, SignedIn } from '../context.ts';
import { changeHealthSettings, healthSettingsOf, isCountingLines } from '../db/health-settings.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { activeInWindow } from './active-people.ts';
import { pullRequestsBehind } from './behind.ts';
import { areasOf, sizesOf } from './beside.ts';
import { signalsOf } from './signals.ts';
import { healthAsked } from './view.ts';

/** The calls about the review practice (docs/metrics.md#signals). */
export function healthRoutes({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Handlers<'getHealth' | 'listSignalPullRequests'> {
  return {
    getHealth: async ({ user, query }) => {
      const health = await healthAsked(db, user, query, now());
      const { from, to } = health.window;
      const active = await activeInWindow(db, health.asked);
      // What takes longest begins first.
      const [areas, signals, sizes] = await Promise.all([
        areasOf(db, health, active),
        signalsOf(db, health, active),
        sizesOf(db, health),
      ]);
      return { window: { from: new Date(from).toISOString(), to: new Date(to).toISOString() }, signals, sizes, areas };
    },
    listSignalPullRequests: async ({ user, params, query, csv }) => {
      const key = signalKeys.find((one) => one === params.key);
      if (key === undefined) throw notFound(`There is no signal called ${params.key}.`);
      return await pullRequestsBehind(
        db,
        key as SignalKey,
        await healthAsked(db, user, query, csv?.now ?? now()),
        query,
      );
    },
  };
}

export interface HealthSettingsDeps extends Pick<Context, 'db' | 'now'> {
  readonly administrators: Pick<Administrators, 'require'>;
}

/** The calls about the thresholds of signals, which hold for everybody. */
export function healthSettingsRoutes({
  db,
  now,
  administrators,
}: HealthSettingsDeps): Handlers<'getHealthSettings' | 'saveHealthSettings'> {
  const told = async ({ host }: SignedIn, settings: HealthSettings) => ({
    ...settings,
    generated: [...settings.generated],
    counting: await isCountingLines(db, host),
  });
  return {
    getHealthSettings: async ({ user }) => await told(user, (await healthSettingsOf(db, user.host)).settings),
    saveHealthSettings: async ({ user, body }) => {
      await administrators.require(user);
      const change = (settings: HealthSettings): HealthSettings => ({
        trivial: { ...settings.trivial, ...without(body.trivial) },
        stamped: { ...settings.stamped, ...without(body.stamped) },
        ping_pong: { ...settings.ping_pong, ...without(body.ping_pong) },
        big: body.big ?? settings.big,
        long_open_days: body.long_open_days ?? settings.long_open_days,
        stale_approval_days: body.stale_approval_days ?? settings.stale_approval_days,
        generated: body.generated ?? settings.generated,
      });
      return await told(user, await changeHealthSettings(db, user, change, now()));
    },
  };
}

type Said<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** What is said of some of them. */
function without<T extends object>(said: Said<T> | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(said ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}
