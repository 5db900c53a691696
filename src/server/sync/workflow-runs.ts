import { type Kysely, sql, type Transaction } from 'kysely';
import { type WorkflowRunFacts, workflowRunFacts } from '#domain/workflow-runs.ts';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HostError, type HostErrorKind } from '../host/errors.ts';
import type { HostWorkflowRun, WorkflowRunPage } from '../host/workflow-runs.ts';
import type { Queue } from '../jobs/jobs.ts';
import { isReadForSyncs } from '../metrics/kept-in-sync.ts';
import type { SyncDeps } from './context.ts';
import { failureRules, pauseLasts } from './failures.ts';
import { type Pause, type Run, unlessItFails } from './read-again.ts';
import { repositoryBy } from './refresh.ts';
import { RetryingHostClient } from './retrying-host-client.ts';
import { json } from './rows.ts';
import type { StoredRepository } from './sessions.ts';

/** Workflow runs of pull requests are read behind the running server, in one process. */
export const workflowRunsQueue: Queue = { name: 'workflow-runs', cron: '* * * * *', time_limit: 3600 };

/** The list of a repository's runs is read again after so long. */
const HOURS_BETWEEN_LISTS = 24;
/** How far back it goes the first time, and later: a run can be started again for 30 days (GitHub documentation, re-running workflows). */
const DAYS_AT_FIRST = 90;
const DAYS_LATER = 30;
/** Older runs are forgotten. */
const DAYS_KEPT = 400;
/** Of so many runs of one repository at most jobs are asked for between two lists. */
const RUNS_BETWEEN_LISTS = 2000;
/** Of one search the host gives this many pages (GitHub documentation, REST: list workflow runs for a repository). */
const PAGES_OF_A_SEARCH = 10;
/** A run whose jobs the host did not give so often is left without. */
const TRIES = 3;
/** The jobs of one run take so many requests at most. */
const MOST_REQUESTS = 8;
const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Reads the workflow runs of each repository that is due, page by page and newest first, then the jobs of their attempts, until nothing is
 * left or nobody's share of the quota (docs/server.md#workflow-runs). Where it stands is stored with each answer.
 */
export async function readWorkflowRuns(context: SyncDeps, pause: Pause, signal: AbortSignal): Promise<void> {
  const run: Run = { context, purpose: 'actions', pause, resting: new Set(), signal };
  while (!signal.aborted && !pauseLasts(pause.until, context.now())) {
    const repository_id = await nextRepository(context.db, [...run.resting], context.now());
    if (repository_id === null) return;
    let refused = false;
    const outcome = await unlessItFails(run, 'read_runs', repository_id, async (personal, points) => {
      try {
        await readSome({ context, personal, repository: await repositoryBy(context, repository_id), signal }, points);
        return true;
      } catch (error) {
        if (!(error instanceof HostError) || !isRefusal(error.kind)) throw error;
        refused = true;
        return false;
      }
    });
    if (outcome === 'nobody may' && refused) await noteRefusal(context, repository_id);
  }
}

/** The token may not read workflow runs: this says nothing about whether it may read the repository. */
function isRefusal(kind: HostErrorKind): boolean {
  return kind === 'forbidden' || kind === 'not_found' || kind === 'missing_scope';
}

interface Reading {
  readonly context: SyncDeps;
  readonly personal: PersonalClient;
  readonly repository: StoredRepository;
  readonly signal: AbortSignal;
}

/** A list that is due further ahead than it can be is of before the clock was set back. */
const isListDue = (now: Date) =>
  sql<boolean>`(w.due_at <= ${now} or w.due_at > ${now}::timestamptz + make_interval(hours => ${HOURS_BETWEEN_LISTS + 1}))`;

/** The one that was read least lately of those whose list is due or begun, or whose runs lack jobs. Its history comes first: runs are tied to it. */
async function nextRepository(db: Kysely<Database>, resting: readonly number[], now: Date): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select r.id from repositories r left join workflow_reads w on w.repository_id = r.id
    where not (r.id = any(${resting}::int[])) and r.history_completed_at is not null
      and (w.repository_id is null or ${isListDue(now)} or w.until_at is not null or (w.allowed and w.jobs_left > 0
        and exists (select from workflow_runs u where u.repository_id = r.id and u.jobs_due)))
      and exists (select from connections c where c.repository_id = r.id and ${isReadForSyncs})
      and not exists (select from recounts where recounts.repository_id = r.id)
    order by w.read_at nulls first, r.id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** As much as may be read with so many requests. */
async function readSome(reading: Reading, points: number): Promise<void> {
  const { context, personal, repository, signal } = reading;
  const { db, now } = context;
  const requests = () => personal.client.usage().requests.points;
  const first = requests();
  const isWithin = () => {
    // What was held back before the host had told its limit may be too much.
    const limit = personal.client.usage().requests.rate_limit?.limit ?? Number.POSITIVE_INFINITY;
    return requests() === first || requests() + MOST_REQUESTS <= first + Math.min(points, limit / 100);
  };
  let list = await beginList(db, repository.id, now());
  while (!signal.aborted && isWithin()) {
    if (list.until_at !== null && list.from_at !== null)
      list = await readPage(reading, list.from_at, list.until_at, list.page);
    else if (!(await readNextJobs(reading))) break;
  }
  await sql`update repositories set changed_at = ${now()} where id = ${repository.id}`.execute(db);
}

interface List {
  readonly from_at: Date | null;
  readonly until_at: Date | null;
  readonly page: number;
}

/** The list that is being read; a new one where that is due. */
async function beginList(db: Kysely<Database>, repository_id: number, now: Date): Promise<List> {
  const earliest = (days: number) => new Date(now.getTime() - days * DAY);
  const isDue = sql<boolean>`(w.until_at is null and ${isListDue(now)})`;
  const { rows } = await sql<List>`
    insert into workflow_reads as w (repository_id, due_at, read_at, from_at, until_at)
    values (${repository_id}, ${now}, ${now}, ${earliest(DAYS_AT_FIRST)}, ${now})
    on conflict (repository_id) do update set read_at = excluded.read_at,
      from_at = case when ${isDue} then case when w.known_from is null then excluded.from_at
        else greatest(excluded.from_at, least(${earliest(DAYS_LATER)}::timestamptz, w.due_at - make_interval(hours => ${2 * HOURS_BETWEEN_LISTS}))) end
        else w.from_at end,
      until_at = case when ${isDue} then excluded.until_at else w.until_at end,
      page = case when ${isDue} then 1 else w.page end
    returning from_at, until_at, page`.execute(db);
  return rows[0]!;
}

/** Reads one page of the list and stores it with what is to be read next. */
async function readPage(
  { context, personal, repository, signal }: Reading,
  from: Date,
  until: Date,
  page: number,
): Promise<List> {
  const { db, now } = context;
  const hostClient = new RetryingHostClient(context, personal, repository, signal, null);
  const answer = await hostClient.ask(async (of) => {
    const found = await personal.client.workflowRuns(of, { from, until, page }, signal);
    // Another repository has the name that this one had.
    if (found.repository_id !== null && found.repository_id !== repository.host_id)
      throw new HostError('not_found', 'The repository has moved.');
    return found;
  });
  const next = nextOf(answer, until, page);
  await db.transaction().execute(async (transaction) => {
    await saveRuns(transaction, repository.id, answer.runs);
    if (next === null) await endList(transaction, repository.id, from, now());
    else
      await sql`
        update workflow_reads set allowed = true, until_at = ${next.until_at}, page = ${next.page}
        where repository_id = ${repository.id}`.execute(transaction);
  });
  return next === null ? { from_at: null, until_at: null, page: 1 } : { from_at: from, ...next };
}

/** Each page begins anew at the oldest run of the one before, since the host gives 1,000 runs of one search; null after the last. */
function nextOf(
  { runs, has_more }: WorkflowRunPage,
  until: Date,
  page: number,
): { until_at: Date; page: number } | null {
  if (!has_more) return null;
  const oldest = Math.min(...runs.map(({ created_at }) => created_at.getTime()));
  if (oldest < until.getTime() - SECOND) return { until_at: new Date(oldest), page: 1 };
  if (page < PAGES_OF_A_SEARCH) return { until_at: until, page: page + 1 };
  return { until_at: new Date(until.getTime() - SECOND), page: 1 };
}

async function endList(
  transaction: Transaction<Database>,
  repository_id: number,
  from: Date,
  now: Date,
): Promise<void> {
  await sql`
    update workflow_reads set allowed = true, from_at = null, until_at = null, page = 1, known_from = least(known_from, ${from}),
      due_at = ${new Date(now.getTime() + HOURS_BETWEEN_LISTS * HOUR)}, jobs_left = ${RUNS_BETWEEN_LISTS}
    where repository_id = ${repository_id}`.execute(transaction);
  await sql`
    delete from workflow_runs
    where repository_id = ${repository_id} and created_at < ${new Date(now.getTime() - DAYS_KEPT * DAY)}`.execute(
    transaction,
  );
}

/**
 * Stores runs, ties them to pull requests that were open when they were created, by the numbers that the host names or else by branch and
 * commit, and notes of which jobs are to be read. The host names those that are open when it is asked and have the run's branch or commit: a
 * branch that is used again names pull requests of after the run (GitHub documentation, REST: workflow runs).
 */
async function saveRuns(
  transaction: Transaction<Database>,
  repository_id: number,
  runs: readonly HostWorkflowRun[],
): Promise<void> {
  if (runs.length === 0) return;
  const rows = [...new Map(runs.map(({ id, ...run }) => [id, { run_id: id, ...run }])).values()];
  const ids = rows.map(({ run_id }) => run_id);
  await sql`
    insert into workflow_runs as u (repository_id, run_id, workflow, head_branch, head_sha, created_at, attempts, outcome)
    select ${repository_id}, run_id, workflow, head_branch, head_sha, created_at, attempts, outcome
    from json_to_recordset(${json(rows)}::json) as r (run_id text, workflow text, head_branch text, head_sha text,
      created_at timestamptz, attempts integer, outcome text)
    on conflict (repository_id, run_id) do update set workflow = excluded.workflow, attempts = excluded.attempts,
      outcome = excluded.outcome, jobs_tries = case when excluded.attempts > u.attempts then 0 else u.jobs_tries end`.execute(
    transaction,
  );
  await sql`
    insert into workflow_run_pull_requests (repository_id, number, run_id, by_head)
    select p.repository_id, p.number, r.run_id, false
    from json_to_recordset(${json(rows)}::json) as r (run_id text, created_at timestamptz, pull_requests integer[])
    join pull_requests p on p.repository_id = ${repository_id} and p.number = any(r.pull_requests)
      and p.created_at <= r.created_at and (p.ended_at is null or p.ended_at >= r.created_at)
    on conflict do nothing`.execute(transaction);
  await sql`
    insert into workflow_run_pull_requests (repository_id, number, run_id, by_head)
    select p.repository_id, p.number, u.run_id, true
    from workflow_runs u join pull_requests p on p.repository_id = u.repository_id and p.head_ref = u.head_branch
      and p.created_at <= u.created_at and (p.ended_at is null or p.ended_at >= u.created_at)
    where u.repository_id = ${repository_id} and u.run_id = any(${ids}::text[])
      and not exists (select from workflow_run_pull_requests t where t.repository_id = u.repository_id and t.run_id = u.run_id)
      and (p.head_sha = u.head_sha
        or exists (select from commits c where c.repository_id = p.repository_id and c.number = p.number and c.sha = u.head_sha)
        or exists (select from events e where e.repository_id = p.repository_id and e.number = p.number
          and e.type = 'force_push' and e.sha = u.head_sha))`.execute(transaction);
  // One that was stopped at once has no job that counts, and others say nothing.
  await sql`
    update workflow_runs u set jobs_due = true
    where u.repository_id = ${repository_id} and u.run_id = any(${ids}::text[]) and not u.jobs_due and u.jobs_tries < ${TRIES}
      and u.attempts > coalesce(u.jobs_attempt, 0)
      and (u.outcome in ('succeeded', 'failed') or (u.outcome in ('cancelled', 'other') and u.attempts > 1))
      and exists (select from workflow_run_pull_requests t where t.repository_id = u.repository_id and t.run_id = u.run_id)`.execute(
    transaction,
  );
}

type DueRun = Pick<HostWorkflowRun, 'id' | 'attempts' | 'outcome'>;

/** Reads and stores the jobs of the newest run that lacks them; false where none does, or no more may be asked for. */
async function readNextJobs({ context, personal, repository, signal }: Reading): Promise<boolean> {
  const { db } = context;
  const { rows } = await sql<DueRun>`
    select u.run_id as id, u.attempts, u.outcome from workflow_runs u
    join workflow_reads w on w.repository_id = u.repository_id and w.jobs_left > 0
    where u.repository_id = ${repository.id} and u.jobs_due
    order by u.jobs_tries, u.created_at desc, u.run_id desc limit 1`.execute(db);
  const [run] = rows;
  if (run === undefined) return false;
  await sql`
    update workflow_reads set jobs_left = jobs_left - 1 where repository_id = ${repository.id}`.execute(db);
  try {
    const { jobs, cancelled_attempts } = await personal.client.workflowJobs(repository, run, signal);
    const facts = workflowRunFacts(
      jobs.map(({ name, attempt, outcome, finished_at }) => ({
        ...{ name, attempt, outcome },
        finishedAt: finished_at?.getTime() ?? null,
      })),
      run.attempts,
      new Set(cancelled_attempts),
    );
    await db.transaction().execute((transaction) => saveJobs(transaction, repository.id, run, facts));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    // Whom the repository is not shown any more is told so of its jobs: they are asked for in somebody else's name.
    if (error.kind === 'not_found') await personal.client.repositoryById(repository.host_id);
    const forGood = failureRules[error.kind].outcome === 'give_up';
    if (forGood || error.kind === 'unavailable' || error.kind === 'not_found')
      await noteFailure(db, repository.id, run.id, forGood);
    if (!forGood && error.kind !== 'not_found') throw error;
    context.log.info(
      { repository: `${repository.owner}/${repository.name}`, run: run.id, kind: error.kind },
      'jobs of a workflow run are left out',
    );
  }
  return true;
}

async function saveJobs(
  transaction: Transaction<Database>,
  repository_id: number,
  run: DueRun,
  { jobs, reruns, rerun_wait_hours }: WorkflowRunFacts,
): Promise<void> {
  const { rows } = await sql`
    update workflow_runs set jobs_attempt = ${run.attempts}, jobs_due = attempts > ${run.attempts}::int, reruns = ${reruns},
      rerun_wait_hours = ${rerun_wait_hours}
    where repository_id = ${repository_id} and run_id = ${run.id} returning 1`.execute(transaction);
  if (rows.length === 0) return;
  await sql`delete from workflow_jobs where repository_id = ${repository_id} and run_id = ${run.id}`.execute(
    transaction,
  );
  await sql`
    insert into workflow_jobs (repository_id, run_id, name, flaky)
    select ${repository_id}, ${run.id}, name, flaky from json_to_recordset(${json(jobs)}::json) as j (name text, flaky boolean)
    on conflict do nothing`.execute(transaction);
}

/** The jobs of this run were asked for in vain: others come first, and after a few times, or `forGood`, it is left without. */
async function noteFailure(
  db: Kysely<Database>,
  repository_id: number,
  run_id: string,
  forGood: boolean,
): Promise<void> {
  await sql`
    update workflow_runs set jobs_tries = case when ${forGood}::boolean then ${TRIES} else jobs_tries + 1 end,
      jobs_due = not ${forGood}::boolean and jobs_tries + 1 < ${TRIES}
    where repository_id = ${repository_id} and run_id = ${run_id}`.execute(db);
}

/** Nobody's token may read the runs: asked again with the next list. */
async function noteRefusal({ db, now }: SyncDeps, repository_id: number): Promise<void> {
  const again = new Date(now().getTime() + HOURS_BETWEEN_LISTS * HOUR);
  await sql`
    insert into workflow_reads (repository_id, due_at, read_at, allowed) values (${repository_id}, ${again}, ${now()}, false)
    on conflict (repository_id) do update set due_at = excluded.due_at, read_at = excluded.read_at, allowed = false,
      from_at = null, until_at = null, page = 1`.execute(db);
}
