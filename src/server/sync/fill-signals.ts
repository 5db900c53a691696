import { type Kysely, sql } from 'kysely';
import { REVIEWER_ACTS_VERSION } from '#domain/reviewer-acts.ts';
import type { Database } from '../db/database.ts';
import { healthSettingsOf } from '../db/health-settings.ts';
import { type Pace, paceBetween } from '../db/pace.ts';
import type { Queue } from '../jobs/jobs.ts';
import { eachAlone } from './each-alone.ts';
import { rebuild } from './rebuild-facts.ts';

/** Signals and acts of reviewers of what was stored before they were computed, or by other rules than those of today: in one process. */
export const fillSignalsQueue: Queue = { name: 'fill-signals', cron: '* * * * *', time_limit: 3600 };

interface Filling {
  readonly db: Kysely<Database>;
  readonly now: () => Date;
  readonly stepFailed: (step: 'fill_signals', error: unknown, about: { repository_id: number }) => void;
}

/**
 * Computes the signals and the acts of reviewers of what has none yet, or older ones, the newest pull requests of each repository first,
 * from what is stored. Until then these are left out of the shares as not known, and nobody reviewed them. What is done is stored batch by batch; a repository that fails rests until the
 * next time.
 */
export async function fillSignals({ db, now, stepFailed }: Filling, signal: AbortSignal): Promise<void> {
  const pace = paceBetween(10, 200);
  const { rows } = await sql<{ id: number; host: string }>`
    select id, host from repositories r
    where not exists (select from recounts c where c.repository_id = r.id) order by id`.execute(db);
  await eachAlone(
    rows,
    signal,
    async ({ id, host }) => {
      const { revision } = await healthSettingsOf(db, host);
      while (!signal.aborted && (await fillBatch(db, id, revision, pace, now())) > 0);
    },
    (error, { id }) => stepFailed('fill_signals', error, { repository_id: id }),
  );
}

async function fillBatch(
  db: Kysely<Database>,
  repository_id: number,
  revision: number,
  pace: Pace,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    (select number from pull_request_facts where repository_id = ${repository_id} and signals < ${revision}
      order by signals, number desc limit ${pace.batch})
    union
    (select number from pull_request_facts where repository_id = ${repository_id} and acts < ${REVIEWER_ACTS_VERSION}
      order by acts, number desc limit ${pace.batch})`.execute(db);
  if (rows.length === 0) return 0;
  const started = performance.now();
  const numbers = rows.map(({ number }) => number);
  await rebuild(db, repository_id, numbers, now);
  pace.took(numbers.length, performance.now() - started);
  return numbers.length;
}
