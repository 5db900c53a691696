import type { Entry, PullRequestHistory, RepositoryHistory } from '../history.ts';
import { createRandom } from '../random.ts';
import { type People, spread, weeksUpTo } from './recording.ts';

/** A line of the data set, as far as it is used. Times are ISO texts. */
export interface CargoRow {
  readonly number: number;
  readonly title: string;
  readonly state: 'merged' | 'unmerged';
  readonly author_login: string | null;
  readonly author_name: string | null;
  readonly author_handle: string;
  readonly author_is_bot: boolean;
  readonly opened_at_est: string;
  readonly last_commit_at: string;
  readonly merged_at: string | null;
  readonly base_branch: string | null;
  readonly landing_sha: string | null;
  readonly landing_kind: string | null;
  readonly merged_by: string | null;
  readonly additions: number;
  readonly deletions: number;
  readonly changed_files: number;
  readonly commits_count: number;
  readonly commits: readonly {
    readonly sha: string;
    readonly author: string;
    readonly author_id: string;
    readonly authored_at: string;
    readonly committed_at: string;
  }[];
  readonly reviewers: readonly {
    readonly login: string | null;
    readonly name: string | null;
    readonly handle: string;
  }[];
}

const DAY = 86_400_000;
/** Unmerged pull requests whose last commit lies within so many days of the newest merge are open; older ones were closed. */
const STILL_OPEN = 60 * DAY;
/** How long after its last commit an unmerged pull request was closed. */
const CLOSED_AFTER = 14 * DAY;
/** Above the ids of the other recording. */
const FIRST_ID = 5_000_000_000;

/**
 * rust-lang/cargo. Recorded: number, title, author, landing, sizes, commits and the names of the reviewers. MADE UP, since git doesn't know:
 * - each named reviewer other than the author approves once, without a text, at an evenly drawn time between the last commit and the merge;
 * - a pull request that wasn't merged is open if its last commit lies within 60 days of the newest merge, else its author closed it 14 days
 *   after the last commit;
 * - file names, and how the lines are spread over them; `github-merge-queue[bot]` and `bors` merge what they landed; no comments.
 * Opening times are the data set's estimate.
 */
export function cargoRepository(rows: readonly CargoRow[], people: People, now: number): RepositoryHistory {
  const newest = Math.max(...rows.map((row) => Date.parse(row.merged_at ?? row.opened_at_est)));
  const shift = weeksUpTo(newest, now);
  const handles = new Set<string>();
  for (const row of rows) {
    const name = row.author_name === null ? {} : { name: row.author_name };
    people.meet(row.author_handle, row.author_is_bot ? { ...name, type: 'Bot' } : name);
    handles.add(row.author_handle.toLowerCase());
    for (const reviewer of row.reviewers) {
      people.meet(reviewer.handle, reviewer.name === null ? {} : { name: reviewer.name });
    }
  }
  people.meet('bors');
  people.meet('github-merge-queue[bot]');
  return {
    id: 1725199,
    owner: 'rust-lang',
    name: 'cargo',
    private: false,
    archived: false,
    defaultBranch: 'master',
    createdAt: Math.min(...rows.map((row) => Date.parse(row.opened_at_est))) + shift - DAY,
    readers: [],
    admins: ['hebasto', 'epage'],
    pullRequests: rows.map((row) => history(row, shift, newest, handles)),
  };
}

function history(row: CargoRow, shift: number, newest: number, handles: ReadonlySet<string>): PullRequestHistory {
  const at = (time: string) => Date.parse(time) + shift;
  const createdAt = at(row.opened_at_est);
  const paths = Array.from({ length: row.changed_files }, (_, index) => `src/not-recorded/file-${index + 1}`);
  return {
    id: FIRST_ID + row.number,
    number: row.number,
    title: row.title,
    author: row.author_handle,
    createdAt,
    openedAsDraft: false,
    baseRef: row.base_branch ?? 'master',
    headRef: `change-${row.number}`,
    bodyLength: 0,
    commits: row.commits.map((commit) => ({
      sha: commit.sha,
      account: handles.has(commit.author.toLowerCase()) ? commit.author : null,
      authorName: commit.author,
      authorEmail: `${commit.author_id}@mail.example`,
      authoredAt: at(commit.authored_at),
      committedAt: at(commit.committed_at),
      message: row.title,
    })),
    size: spread(row.additions, row.deletions, paths),
    entries: entriesOf(row, at, newest, createdAt),
    recorded: {
      additions: row.additions,
      deletions: row.deletions,
      changedFiles: row.changed_files,
      commits: row.commits_count,
    },
  };
}

function entriesOf(row: CargoRow, at: (time: string) => number, newest: number, createdAt: number): readonly Entry[] {
  const lastCommit = at(row.last_commit_at);
  if (row.merged_at === null) {
    if (newest - Date.parse(row.last_commit_at) <= STILL_OPEN) return [];
    return [{ at: Math.max(createdAt, lastCommit) + CLOSED_AFTER, by: row.author_handle, kind: 'closed' }];
  }
  const merged = at(row.merged_at);
  const from = Math.min(Math.max(createdAt, lastCommit), merged);
  const random = createRandom(row.number);
  const reviewers = new Set(row.reviewers.map(({ handle }) => handle).filter((handle) => handle !== row.author_handle));
  const approvals = [...reviewers].map((handle, index): Entry => {
    const time = Math.floor((from + random.next() * (merged - from)) / 1000) * 1000;
    return {
      at: time,
      by: handle,
      kind: 'review',
      id: FIRST_ID + row.number * 100 + index,
      state: 'APPROVED',
      bodyLength: 0,
      commit: row.commits.at(-1)?.sha ?? null,
      comments: [],
    };
  });
  approvals.sort((one, other) => one.at - other.at);
  const landed = row.landing_kind === 'queue' ? 'github-merge-queue[bot]' : row.landing_kind === 'bors' ? 'bors' : null;
  return [...approvals, { at: merged, by: landed, kind: 'merged', commit: row.landing_sha }];
}
