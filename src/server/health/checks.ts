import { type Kysely, sql } from 'kysely';
import type { Signal } from '#contract/health.ts';
import type { Database } from '../db/database.ts';
import { byRepository } from '../db/repository-order.ts';
import { isKnown, signals } from '../metrics/signals.ts';
import { mergedForSignals } from '../metrics/sources/for-signals.ts';
import type { AskedHealth } from './view.ts';

/** So many repositories, checks and jobs are told of, those with the most first. */
const LONGEST_LIST = 50;

type CheckWaits = NonNullable<Signal['check_waits']>;
type Reruns = NonNullable<Signal['reruns']>;

/** How long checks were waited for, by repository and by the name of the check (docs/metrics.md#waiting-for-checks). */
export async function checkWaits(db: Kysely<Database>, { asked }: AskedHealth): Promise<CheckWaits> {
  const { from, where } = mergedForSignals.rows(asked, 'each');
  const told = sql`
    select it.repository_id, it.number, it.ci_wait_hours as hours from ${from}
    where ${where} and ${signals.ci_wait.where!(asked)}`;
  const spread = sql`percentile_cont(0.5) within group (order by hours) as median,
    percentile_cont(0.9) within group (order by hours) as p90, count(*)::int as n`;
  const { rows: repositories } = await sql<CheckWaits['repositories'][number]>`
    select r.owner || '/' || r.name as repository, ${spread} from (${told}) told
    join repositories r on r.id = told.repository_id group by r.id order by n desc, ${byRepository} limit ${LONGEST_LIST}`.execute(
    db,
  );
  // The last push lies so many hours before the last check was done.
  const { rows: checks } = await sql<CheckWaits['checks'][number]>`
    with told as materialized (${told}), done as (
      select told.repository_id, told.number, told.hours, c.name, c.at from told cross join lateral (
        select name, max(finished_at) as at from checks
        where repository_id = told.repository_id and number = told.number and finished_at is not null group by name) c
    ), waits as (
      select name, greatest(0, hours - extract(epoch from max(at) over (partition by repository_id, number) - at)::float8 / 3600) as hours
      from done
    )
    select name, ${spread} from waits group by name order by n desc, lower(name) collate "C", name collate "C" limit ${LONGEST_LIST}`.execute(
    db,
  );
  return { repositories, checks };
}

/** What is told where no token may read the runs of any of these repositories. */
const MAY_NOT = 'The token may not read Actions';

/** What was run again, and which jobs are flaky, of the same pull requests (docs/metrics.md#waiting-for-checks). */
export async function rerunsOf(db: Kysely<Database>, { asked }: AskedHealth): Promise<Reruns> {
  const { rows: repositories } = await sql<{ repository: string; allowed: boolean | null; known: boolean }>`
    select r.owner || '/' || r.name as repository, w.allowed, w.known_from is not null as known
    from repositories r left join workflow_reads w on w.repository_id = r.id
    where ${asked.scope.filter('r', 'id')} order by ${byRepository}`.execute(db);
  const may_not_read = repositories.filter(({ allowed }) => allowed === false).map(({ repository }) => repository);
  if (!repositories.some(({ allowed, known }) => allowed === true && known)) {
    const message = may_not_read.length > 0 ? MAY_NOT : 'Workflow runs have not been read yet';
    return {
      runs: 0,
      rerun_share: null,
      rerun_wait: null,
      flaky_jobs: null,
      by_head: 0,
      waiting: 0,
      may_not_read,
      message,
    };
  }
  const { from, where } = mergedForSignals.rows(asked, 'each');
  const tied = sql`
    with told as materialized (
      select it.repository_id, it.number from ${from}
      join workflow_reads w on w.repository_id = it.repository_id and w.allowed
      where ${where} and ${isKnown}
    ), tied as materialized (
      select t.repository_id, t.number, t.run_id, t.by_head, u.workflow, u.jobs_due, u.jobs_attempt, u.reruns, u.rerun_wait_hours
      from told join workflow_run_pull_requests t on t.repository_id = told.repository_id and t.number = told.number
      join workflow_runs u on u.repository_id = t.repository_id and u.run_id = t.run_id
    ), waiting as materialized (select distinct repository_id, number from tied where jobs_due),
    runs as materialized (
      select repository_id, run_id, workflow, reruns, rerun_wait_hours, bool_and(by_head) as by_head from tied
      where jobs_attempt is not null and (repository_id, number) not in (select repository_id, number from waiting)
      group by 1, 2, 3, 4, 5
    )`;
  const { rows: totals } = await sql<
    Pick<Reruns, 'runs' | 'rerun_share' | 'by_head' | 'waiting'> & NonNullable<Reruns['rerun_wait']>
  >`
    ${tied}
    select count(*)::int as runs, avg((reruns > 0)::int)::float8 as rerun_share, count(*) filter (where by_head)::int as by_head,
      (select count(*)::int from waiting) as waiting, count(rerun_wait_hours)::int as n,
      percentile_cont(0.5) within group (order by rerun_wait_hours) as median,
      percentile_cont(0.9) within group (order by rerun_wait_hours) as p90
    from runs`.execute(db);
  const { rows: flaky_jobs } = await sql<NonNullable<Reruns['flaky_jobs']>[number]>`
    ${tied}
    select r.owner || '/' || r.name as repository, runs.workflow, j.name as job, avg(j.flaky::int)::float8 as flaky_share,
      count(*)::int as n
    from runs join workflow_jobs j on j.repository_id = runs.repository_id and j.run_id = runs.run_id
    join repositories r on r.id = runs.repository_id
    group by r.id, runs.workflow, j.name having bool_or(j.flaky)
    order by flaky_share desc, n desc, ${byRepository}, lower(runs.workflow) collate "C", lower(j.name) collate "C", j.name collate "C" limit ${LONGEST_LIST}`.execute(
    db,
  );
  const { median, p90, n, ...told } = totals[0]!;
  return { ...told, rerun_wait: { median, p90, n }, flaky_jobs, may_not_read, message: null };
}
