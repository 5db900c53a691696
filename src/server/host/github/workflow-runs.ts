import { z } from 'zod';
import { HostError } from '../errors.ts';
import type { RepositoryName } from '../repository.ts';
import type {
  HostRunJobs,
  HostRunOutcome,
  HostWorkflowJob,
  HostWorkflowRun,
  WorkflowRunPage,
} from '../workflow-runs.ts';
import { type GithubGraphql, understand } from './github-graphql.ts';

/** The longest page (GitHub documentation, REST: workflow runs). */
const PAGE = 100;
/** More jobs of one run than these pages hold are not read. */
const PAGES_OF_JOBS = 5;
/** Of so many attempts at most the host is asked whether they were stopped. */
const ATTEMPTS_ASKED = 3;
/** How much of a name is kept. */
const LONGEST_NAME = 200;

const text = (longest: number) =>
  z.string().transform((value) => value.toWellFormed().replaceAll('\0', '').slice(0, longest));
const id = z.number().int().positive();
const instant = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

const repositoryAnswer = z.object({ id }).nullish();
const runAnswer = z.object({
  id,
  name: text(LONGEST_NAME).nullish(),
  path: text(LONGEST_NAME).nullish(),
  head_branch: text(LONGEST_NAME).nullish(),
  head_sha: text(64),
  run_attempt: z.number().int().min(1).max(10_000).nullish(),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  created_at: instant,
  repository: repositoryAnswer,
  pull_requests: z
    .array(z.object({ number: id.max(2 ** 31 - 1), base: z.object({ repo: repositoryAnswer }).nullish() }))
    .nullish(),
});
const runsAnswer = z.object({ workflow_runs: z.array(z.unknown()).max(PAGE) });

/** A page of the workflow runs that pull requests caused; one that makes no sense to us is left out. */
export async function readWorkflowRuns(
  github: GithubGraphql,
  { owner, name }: RepositoryName,
  { from, until, page }: { readonly from: Date; readonly until: Date; readonly page: number },
  signal?: AbortSignal,
): Promise<WorkflowRunPage> {
  const answer = await github.rest(
    'GET /repos/{owner}/{repo}/actions/runs',
    {
      ...{ owner, repo: name, event: 'pull_request', per_page: PAGE, page },
      created: `${seconds(from)}..${seconds(until)}`,
    },
    signal,
  );
  const { workflow_runs } = understand(runsAnswer, answer.body, github.label);
  const runs = workflow_runs.flatMap((run) => runAnswer.safeParse(run).data ?? []);
  const repository = runs.find((run) => run.repository != null)?.repository ?? null;
  return {
    repository_id: repository === null ? null : String(repository.id),
    runs: runs.map(runOf),
    has_more: answer.headers.link?.includes('rel="next"') ?? false,
  };
}

function runOf(run: z.infer<typeof runAnswer>): HostWorkflowRun {
  const own = run.repository?.id;
  return {
    id: String(run.id),
    workflow: run.name || run.path || 'unnamed',
    head_branch: run.head_branch ?? null,
    head_sha: run.head_sha,
    created_at: run.created_at,
    attempts: run.run_attempt ?? 1,
    outcome: outcomeOf(run),
    // A run of a fork can name pull requests of the fork.
    pull_requests: (run.pull_requests ?? []).flatMap(({ number, base }) =>
      own === undefined || base?.repo == null || base.repo.id === own ? [number] : [],
    ),
  };
}

const jobAnswer = z.object({
  name: text(LONGEST_NAME),
  run_attempt: z.number().int().min(1).nullish(),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  completed_at: instant.nullish(),
});
const jobsAnswer = z.object({ jobs: z.array(z.unknown()).max(PAGE) });

/**
 * The jobs of all attempts of a run (GitHub documentation, REST: list jobs for a workflow run, `filter=all`). An attempt was stopped
 * where jobs of it were and none failed; where both, and it is not the latest, the host is asked for its own word.
 * @throws HostError `refused` for a run with too many jobs
 */
export async function readWorkflowJobs(
  github: GithubGraphql,
  { owner, name }: RepositoryName,
  run: Pick<HostWorkflowRun, 'id' | 'attempts' | 'outcome'>,
  signal?: AbortSignal,
): Promise<HostRunJobs> {
  const repository = { owner, repo: name, run_id: run.id };
  const jobs: HostWorkflowJob[] = [];
  for (let page = 1, more = true; more; page += 1) {
    if (page > PAGES_OF_JOBS) throw new HostError('refused', 'The workflow run has too many jobs to be read.');
    const answer = await github.rest(
      'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
      { ...repository, filter: 'all', per_page: PAGE, page },
      signal,
    );
    const listed = understand(jobsAnswer, answer.body, github.label).jobs;
    jobs.push(...listed.flatMap((job) => jobOf(jobAnswer.safeParse(job).data)));
    more = answer.headers.link?.includes('rel="next"') ?? false;
  }
  const cancelled: number[] = run.outcome === 'cancelled' ? [run.attempts] : [];
  const ambiguous: number[] = [];
  for (const [attempt, of] of Map.groupBy(jobs, (job) => job.attempt)) {
    const found = new Set(of.map(({ outcome }) => outcome));
    if (attempt !== run.attempts && found.has('cancelled')) (found.has('failed') ? ambiguous : cancelled).push(attempt);
  }
  for (const attempt of ambiguous.slice(0, ATTEMPTS_ASKED))
    if ((await attemptOutcome(github, repository, attempt, signal)) === 'cancelled') cancelled.push(attempt);
  return { jobs, cancelled_attempts: cancelled };
}

const attemptAnswer = z.object({ status: z.string().nullable(), conclusion: z.string().nullable() });

async function attemptOutcome(
  github: GithubGraphql,
  repository: { readonly owner: string; readonly repo: string; readonly run_id: string },
  attempt: number,
  signal?: AbortSignal,
): Promise<HostRunOutcome | null> {
  const answer = await github.rest(
    'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt}',
    { ...repository, attempt },
    signal,
  );
  return outcomeOf(understand(attemptAnswer, answer.body, github.label));
}

function jobOf(job: z.infer<typeof jobAnswer> | undefined): HostWorkflowJob[] {
  if (job === undefined) return [];
  const outcome = outcomeOf(job);
  return [
    {
      name: job.name,
      attempt: job.run_attempt ?? 1,
      outcome,
      finished_at: outcome === null ? null : (job.completed_at ?? null),
    },
  ];
}

const outcomes: Readonly<Record<string, HostRunOutcome>> = {
  success: 'succeeded',
  failure: 'failed',
  timed_out: 'failed',
  startup_failure: 'failed',
  cancelled: 'cancelled',
};

function outcomeOf({
  status,
  conclusion,
}: {
  status: string | null;
  conclusion: string | null;
}): HostRunOutcome | null {
  if (status !== 'completed' || conclusion === null) return null;
  return outcomes[conclusion] ?? 'other';
}

/** To the second, as the host writes moments. */
function seconds(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
