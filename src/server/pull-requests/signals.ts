import { type Kysely, sql } from 'kysely';
import type { OwnSignal } from '#contract/pull-requests.ts';
import { labelOf, type SignalNumbers, whyOf } from '#domain/signal-why.ts';
import { type HealthSettings, type OwnSignalKey, ownSignalKeys } from '#domain/signals.ts';
import type { Database } from '../db/database.ts';
import { always, asking } from '../metrics/asked.ts';
import type { Scope } from '../metrics/scope.ts';
import { numbersOfSignals } from '../metrics/signal-numbers.ts';
import { healthViewOf, ruleOf } from '../metrics/signals.ts';
import type { Asked, Sql } from '../metrics/sources/source.ts';

interface Told {
  readonly signals: OwnSignal[];
  readonly may_dismiss_signals: boolean;
}

/** The signals that a pull request has now or had when it was merged, by these thresholds, and whether the user of the scope took part in it. */
export async function signalsOfPullRequest(
  db: Kysely<Database>,
  scope: Scope,
  { repository_id, number }: { readonly repository_id: number; readonly number: number },
  settings: HealthSettings,
  now: Date,
): Promise<Told> {
  const health = healthViewOf(settings, { authorship: ['human', 'assisted', 'agent'] });
  const asked = asking(scope.within([repository_id]), now, 'UTC', { window: always, health });
  const here = sql`it.repository_id = ${repository_id} and it.number = ${number}`;
  const numbers = await holding(db, asked, here);
  const { rows } = await sql<{ took_part: boolean; dismissals: readonly { key: string; reason: string }[] }>`
    select exists (select from users u join people p on p.host = u.host and p.host_id = u.host_id
        where u.id = ${scope.user_id} and (p.id in (f.author_id, f.credited_id) or exists (select from reviews v
          where v.repository_id = f.repository_id and v.number = f.number and v.author_id = p.id))) as took_part,
      (select coalesce(json_agg(json_build_object('key', d.key, 'reason', d.reason)), '[]') from signal_dismissals d
        where d.repository_id = f.repository_id and d.number = f.number) as dismissals
    from pull_request_facts f where f.repository_id = ${repository_id} and f.number = ${number}`.execute(db);
  const [its] = rows;
  const reasons = new Map(its?.dismissals.map(({ key, reason }) => [key, reason]));
  return {
    signals: ownSignalKeys.flatMap((key) => {
      const row = numbers.get(key);
      if (row === undefined) return [];
      const reason = reasons.get(key);
      const words = { name: labelOf(key, row), why: whyOf(key, row, settings) };
      return [{ key, ...words, dismissed: reason !== undefined, reason: reason || null }];
    }),
    may_dismiss_signals: its?.took_part ?? false,
  };
}

/** Which of them hold, each with the numbers of the pull request. */
async function holding(db: Kysely<Database>, asked: Asked, here: Sql): Promise<Map<OwnSignalKey, SignalNumbers>> {
  const bySource = Map.groupBy(ownSignalKeys, (key) => ruleOf(key).from);
  const found = await Promise.all(
    [...bySource].map(async ([source, keys]) => {
      const { from, where } = source.rows(asked, 'each');
      const held = keys.map((key) => sql`(${ruleOf(key).holds(asked)}) as ${sql.ref(key)}`);
      const at = source.among !== undefined ? sql`it.at` : sql`it.ended_at`;
      const { rows } = await sql<SignalNumbers & Record<OwnSignalKey, boolean>>`
        select ${sql.join(held)}, ${numbersOfSignals(at)} from ${from} where ${where} and ${here}`.execute(db);
      return keys.flatMap((key) => rows.flatMap((row) => (row[key] ? [[key, row] as const] : [])));
    }),
  );
  return new Map(found.flat());
}
