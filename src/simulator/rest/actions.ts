import { iso } from '../clock.ts';
import type { WorkflowAttempt, WorkflowJob, WorkflowRun } from '../history.ts';
import { RestFailure } from '../http.ts';
import { nodeId } from '../state/node-ids.ts';
import type { RepositoryState } from '../state/pull-request.ts';
import { fullName } from '../state/repository.ts';
import { mayReadActions, notAccessibleBy } from '../tokens.ts';
import { paged, type RestAsk, type RestRoute, repositoryIn } from './ask.ts';

/** Results of one search, whatever the page (GitHub documentation, REST: list workflow runs for a repository). */
const RESULTS = 1000;

const FAILED: readonly string[] = ['FAILURE', 'TIMED_OUT'];

/** A job of one attempt, with the number of the attempt. */
interface ListedJob {
  readonly job: WorkflowJob;
  readonly attempt: number;
}

/** The repository whose workflow runs are asked for; 403 for a token without the permission. */
function readable(ask: RestAsk): RepositoryState {
  const repository = repositoryIn(ask);
  if (mayReadActions(ask.token, repository)) return repository;
  throw new RestFailure(403, notAccessibleBy(ask.token), {}, { 'x-accepted-github-permissions': 'actions=read' });
}

function runIn(ask: RestAsk): { readonly repository: RepositoryState; readonly run: WorkflowRun } {
  const repository = readable(ask);
  const run = repository.runs.get(Number(ask.params.run));
  if (run === undefined || run.createdAt > ask.now) throw new RestFailure(404, 'Not Found');
  return { repository, run };
}

/** The attempts that have begun; the first one has with the run. */
function begun({ attempts, createdAt }: WorkflowRun, now: number): readonly WorkflowAttempt[] {
  return attempts.filter(({ startedAt }, index) => (index === 0 ? createdAt : startedAt) <= now);
}

/** The number of the attempt in the path. */
function attemptIn(ask: RestAsk, run: WorkflowRun): number {
  const attempt = Number(ask.params.attempt);
  if (begun(run, ask.now)[attempt - 1] === undefined) throw new RestFailure(404, 'Not Found');
  return attempt;
}

const isDone = ({ completedAt }: WorkflowJob, now: number) => completedAt <= now;

function conclusionOf({ cancelled, jobs }: WorkflowAttempt): string {
  if (cancelled === true) return 'cancelled';
  const outcomes = jobs.map(({ outcome }) => outcome);
  if (outcomes.some((outcome) => FAILED.includes(outcome))) return 'failure';
  return outcomes.includes('CANCELLED') ? 'cancelled' : 'success';
}

/**
 * Those that are open now and that caused it or have its branch; none of a fork (GitHub documentation, REST: workflow runs, "do not
 * necessarily indicate pull requests that triggered the run").
 */
function namedBy(run: WorkflowRun, { byNumber }: RepositoryState): readonly number[] {
  if (run.pullRequests.length === 0) return [];
  return [...byNumber.values()]
    .filter(
      ({ number, state, headRef }) =>
        state === 'OPEN' && (run.pullRequests.includes(number) || headRef === run.headRef),
    )
    .map(({ number }) => number);
}

/** One run as of an attempt. */
function runShape(ask: RestAsk, repository: RepositoryState, run: WorkflowRun, number: number) {
  const attempt = run.attempts[number - 1] as WorkflowAttempt;
  const url = `${ask.shapes.api}/repos/${fullName(repository)}/actions/runs/${run.id}`;
  const finished = attempt.jobs.every((job) => isDone(job, ask.now));
  const ends = attempt.jobs.map(({ completedAt }) => completedAt).filter((at) => at <= ask.now);
  const named = namedBy(run, repository);
  const mine = { id: repository.id, name: repository.name, full_name: fullName(repository) };
  const shape: Record<string, unknown> = {
    id: run.id,
    name: run.workflow,
    node_id: nodeId('WFR', run.id),
    head_branch: run.headRef,
    head_sha: run.headSha,
    path: `.github/workflows/${run.workflow.toLowerCase().replace(/\W+/g, '-')}.yml`,
    run_number: run.id % 100_000,
    run_attempt: number,
    event: run.event,
    status: finished ? 'completed' : 'in_progress',
    conclusion: finished ? conclusionOf(attempt) : null,
    url,
    html_url: url,
    jobs_url: `${url}/jobs`,
    previous_attempt_url: number > 1 ? `${url}/attempts/${number - 1}` : null,
    pull_requests: named.map((pull) => ({
      number: pull,
      head: { ref: run.headRef, sha: run.headSha, repo: mine },
      base: { ref: repository.byNumber.get(pull)?.baseRef, sha: '0'.repeat(40), repo: mine },
    })),
    created_at: iso(run.createdAt),
    updated_at: iso(Math.max(attempt.startedAt, run.createdAt, ...ends)),
    run_started_at: iso(attempt.startedAt),
    display_title: run.workflow,
    repository: mine,
  };
  return { ...shape, ...run.instead };
}

function jobShape(ask: RestAsk, run: WorkflowRun, { job, attempt }: ListedJob) {
  const done = isDone(job, ask.now);
  return {
    id: job.id,
    run_id: run.id,
    node_id: nodeId('CR', job.id),
    run_attempt: attempt,
    head_sha: run.headSha,
    head_branch: run.headRef,
    workflow_name: run.workflow,
    name: job.name,
    status: done ? 'completed' : job.startedAt <= ask.now ? 'in_progress' : 'queued',
    conclusion: done ? job.outcome.toLowerCase() : null,
    created_at: iso(job.startedAt),
    started_at: iso(job.startedAt),
    completed_at: done ? iso(job.completedAt) : null,
    labels: ['ubuntu-latest'],
    steps: [],
  };
}

/** The times between which `created` asks, as in `2026-01-01..2026-02-01`, `>=2026-01-01` or `<=2026-02-01`. */
function createdWithin(text: string | null): (at: number) => boolean {
  if (text === null) return () => true;
  const [from = '', to = ''] = text.includes('..')
    ? text.split('..')
    : text.startsWith('>=')
      ? [text.slice(2), '*']
      : ['*', text.replace(/^<=/, '')];
  const moment = (given: string, otherwise: number) => (given === '*' ? otherwise : Date.parse(given));
  const [least, most] = [moment(from, Number.NEGATIVE_INFINITY), moment(to, Number.POSITIVE_INFINITY)];
  if (Number.isNaN(least) || Number.isNaN(most)) throw new RestFailure(422, 'Validation Failed');
  return (at) => at >= least && at <= most;
}

function list(ask: RestAsk) {
  const repository = readable(ask);
  const isWithin = createdWithin(ask.query.get('created'));
  const event = ask.query.get('event');
  const runs = [...repository.runs.values()]
    .filter((run) => run.createdAt <= ask.now && isWithin(run.createdAt) && (event === null || run.event === event))
    .sort((one, other) => other.createdAt - one.createdAt || other.id - one.id);
  const answer = paged(ask, runs, (run) => runShape(ask, repository, run, begun(run, ask.now).length), RESULTS);
  return { ...answer, body: { total_count: runs.length, workflow_runs: answer.body } };
}

function jobs(ask: RestAsk, run: WorkflowRun, listed: readonly ListedJob[]) {
  const answer = paged(ask, listed, (one) => jobShape(ask, run, one));
  return { ...answer, body: { total_count: listed.length, jobs: answer.body } };
}

function jobsOf({ attempts }: WorkflowRun, attempt: number): readonly ListedJob[] {
  return (attempts[attempt - 1]?.jobs ?? []).map((job) => ({ job, attempt }));
}

const ONE = '/repos/:owner/:repo/actions/runs/:run';

export const actionsRoutes: readonly RestRoute[] = [
  { method: 'GET', pattern: '/repos/:owner/:repo/actions/runs', handle: list },
  {
    method: 'GET',
    pattern: ONE,
    handle: (ask) => {
      const { repository, run } = runIn(ask);
      return { status: 200, body: runShape(ask, repository, run, begun(run, ask.now).length) };
    },
  },
  {
    method: 'GET',
    pattern: `${ONE}/jobs`,
    handle: (ask) => {
      const { run } = runIn(ask);
      const numbers = begun(run, ask.now).map((_, index) => index + 1);
      const asked = ask.query.get('filter') === 'all' ? numbers : numbers.slice(-1);
      return jobs(
        ask,
        run,
        asked.flatMap((attempt) => jobsOf(run, attempt)),
      );
    },
  },
  {
    method: 'GET',
    pattern: `${ONE}/attempts/:attempt`,
    handle: (ask) => {
      const { repository, run } = runIn(ask);
      return { status: 200, body: runShape(ask, repository, run, attemptIn(ask, run)) };
    },
  },
  {
    method: 'GET',
    pattern: `${ONE}/attempts/:attempt/jobs`,
    handle: (ask) => {
      const { run } = runIn(ask);
      return jobs(ask, run, jobsOf(run, attemptIn(ask, run)));
    },
  },
];
