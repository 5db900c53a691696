import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultHealthSettings, type SignalMetric } from '#domain/signals.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { cargoPullRequests, judgements } from '../../../test/support/judged-signals.ts';
import { recordedPullRequests } from '../../../test/support/recorded-pull-requests.ts';
import { isRecorded } from '../../../test/support/recordings.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import { always, asking } from '../metrics/asked.ts';
import { allOf } from '../metrics/conditions.ts';
import { scopeOf } from '../metrics/scope.ts';
import { healthViewOf, signals } from '../metrics/signals.ts';
import type { Asked } from '../metrics/sources/source.ts';

/** Soon after the recordings end. */
const NOW = new Date('2026-08-20T12:00:00Z');
if (!isRecorded) console.warn('SKIPPED: what a person judged of real pull requests needs their recordings.');

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** What was judged of a repository: `yes` those that have a signal, by number. */
function judgedOf(repository: string) {
  const judged = judgements().filter((one) => one.repository === repository && one.signal in signals);
  return [...Map.groupBy(judged, ({ signal }) => signal as SignalMetric)].map(([signal, ofSignal]) => ({
    signal,
    yes: numbersOf(ofSignal.filter(({ hasIt }) => hasIt)),
    no: numbersOf(ofSignal.filter(({ hasIt }) => !hasIt)),
  }));
}

const numbersOf = (pulls: readonly { readonly number: number }[]) =>
  pulls.map(({ number }) => number).sort((a, b) => a - b);

async function whatIsAsked(db: Kysely<Database>, repository: string): Promise<{ asked: Asked; id: number }> {
  const user = await aUser(db);
  const id = await aRepository(db, repository, [user]);
  await sql`update repositories set default_branch = 'master' where id = ${id}`.execute(db);
  const health = healthViewOf(defaultHealthSettings, {});
  return { asked: asking(await scopeOf(db, user), NOW, 'UTC', { window: always, health }), id };
}

async function numbersWith(db: Kysely<Database>, signal: SignalMetric, asked: Asked): Promise<number[]> {
  const { from: source, where: counts, value } = signals[signal];
  const { from, where } = source.rows(asked, 'each');
  const { rows } = await sql<{ number: number }>`
    select it.number from ${from} where ${allOf([where, counts!(asked), value!(asked)])} order by it.number`.execute(
    db,
  );
  return numbersOf(rows);
}

test.runIf(isRecorded)('every pull request of bitcoin-core/gui that has a signal was judged', async () => {
  const { db } = database;
  const { asked, id } = await whatIsAsked(db, 'bitcoin-core/gui');
  await store(db, id, NOW.getTime(), recordedPullRequests());

  for (const { signal, yes, no } of judgedOf('bitcoin-core/gui')) {
    const numbers = await numbersWith(db, signal, asked);
    expect(numbers, signal).toEqual(yes);
    expect(
      no.filter((number) => numbers.includes(number)),
      signal,
    ).toEqual([]);
  }
});

test.runIf(isRecorded)('the judged pull requests of rust-lang/cargo have their signals', async () => {
  const { db } = database;
  const { asked, id } = await whatIsAsked(db, 'rust-lang/cargo');
  const judged = judgements().filter(({ repository }) => repository === 'rust-lang/cargo');
  const stored = new Set(judged.map(({ number }) => number));
  const pulls = cargoPullRequests();
  await store(
    db,
    id,
    NOW.getTime() + 7 * 24 * 3_600_000,
    pulls.filter(({ number }) => stored.has(number)),
  );

  for (const { signal, yes } of judgedOf('rust-lang/cargo'))
    expect(await numbersWith(db, signal, asked), signal).toEqual(expect.arrayContaining(yes));
});
