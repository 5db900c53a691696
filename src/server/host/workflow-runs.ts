/** How an attempt of a workflow run, or a job in one, ended; `other` where it says nothing about the code: skipped, neutral. */
export type HostRunOutcome = 'succeeded' | 'failed' | 'cancelled' | 'other';

/** A run of a workflow that a pull request caused, as of its latest attempt. */
export interface HostWorkflowRun {
  readonly id: string;
  readonly workflow: string;
  readonly head_branch: string | null;
  readonly head_sha: string;
  readonly created_at: Date;
  /** The number of the latest attempt. */
  readonly attempts: number;
  /** Null while it runs. */
  readonly outcome: HostRunOutcome | null;
  /** Open pull requests of the repository with this head; the host names none of a fork, and none that has ended. */
  readonly pull_requests: readonly number[];
}

export interface WorkflowRunPage {
  /** Which repository these are of; null where the page names none. */
  readonly repository_id: string | null;
  /** Those that could be understood. */
  readonly runs: readonly HostWorkflowRun[];
  readonly has_more: boolean;
}

/** A job in one attempt of a workflow run. */
export interface HostWorkflowJob {
  readonly name: string;
  readonly attempt: number;
  /** Null while it runs. */
  readonly outcome: HostRunOutcome | null;
  readonly finished_at: Date | null;
}

export interface HostRunJobs {
  readonly jobs: readonly HostWorkflowJob[];
  /** The numbers of the attempts that somebody stopped. */
  readonly cancelled_attempts: readonly number[];
}
