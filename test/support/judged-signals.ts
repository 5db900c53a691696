import { readFileSync } from 'node:fs';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import { aPerson, aPullRequest } from './builders.ts';
import { recordedRows } from './recordings.ts';

type Verdict = 'right' | 'unclear' | 'wrong';

/** What a person who read the history of a real pull request says of a signal. */
interface Judgement {
  /** The key of the signal or of what stands beside one; `reverts`: whether it names the one that it takes back. */
  readonly signal: string;
  readonly repository: string;
  readonly number: number;
  readonly hasIt: boolean;
  readonly verdict: Verdict;
}

/** Every judgement of test/golden/judged-signals.csv, which gives the reasons, too. */
export function judgements(): readonly Judgement[] {
  const [, ...lines] = readFileSync('test/golden/judged-signals.csv', 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [signal = '', repository = '', number, hasIt, verdict] = line.split(',');
    return { signal, repository, number: Number(number), hasIt: hasIt === 'yes', verdict: verdict as Verdict };
  });
}

interface CargoRow {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly author_handle: string;
  readonly author_is_bot: boolean;
  readonly opened_at_est: string;
  readonly merged_at: string | null;
  readonly base_branch: string | null;
  readonly landing_sha: string | null;
  readonly additions: number;
  readonly deletions: number;
  readonly changed_files: number;
}

type CargoPullRequest = PullRequestRecord & { readonly title: string; readonly mergeSha: string };

/**
 * The merged pull requests of rust-lang/cargo, as far as its git history tells, without reviews, files and commits: these are not recorded,
 * or not whole.
 */
export function cargoPullRequests(): CargoPullRequest[] {
  return recordedRows<CargoRow>('rust-lang/cargo')
    .filter(({ state }) => state === 'merged')
    .map((row) => ({
      ...aPullRequest({
        number: row.number,
        state: 'merged',
        author: aPerson(row.author_is_bot ? `bot-${row.author_handle}` : row.author_handle),
        createdAt: Date.parse(row.opened_at_est),
        mergedAt: Date.parse(row.merged_at!),
        closedAt: Date.parse(row.merged_at!),
        additions: row.additions,
        deletions: row.deletions,
        changedFiles: row.changed_files,
        headRef: `change-${row.number}`,
        baseRef: row.base_branch ?? 'master',
        files: [],
      }),
      title: row.title,
      mergeSha: row.landing_sha ?? '',
    }));
}
