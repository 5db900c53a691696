import type {
  Commit,
  Entry,
  InlineComment,
  PullRequestHistory,
  RepositoryHistory,
  ReviewState,
  Size,
} from '../history.ts';
import { shaOf } from '../random.ts';
import { type People, spread, weeksUpTo } from './recording.ts';

/** A line of the data set, as far as it is used. Times are ISO texts. */
export interface GuiRow {
  readonly number: number;
  readonly github_id: number;
  readonly title: string;
  readonly author_login: string | null;
  readonly author_type: string | null;
  readonly author_avatar_url: string | null;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly base_ref: string;
  readonly merged_by: string | null;
  readonly additions: number;
  readonly deletions: number;
  readonly changed_files: number;
  readonly commits_count: number;
  readonly comments_count: number;
  readonly review_comments_count: number;
  readonly requested_reviewers: readonly string[];
  readonly body_length: number;
  readonly commits: readonly {
    readonly sha: string;
    readonly author_name: string;
    readonly author_id: string;
    readonly authored_at: string;
    readonly committed_at: string;
    readonly message_headline: string;
  }[];
  readonly reviews: readonly {
    readonly id: number;
    readonly reviewer: string | null;
    readonly reviewer_type: string | null;
    readonly state: string;
    readonly submitted_at: string;
    readonly commit_sha: string | null;
    readonly body_length: number;
  }[];
  readonly comments: readonly GuiComment[];
  readonly events: readonly {
    readonly event: string;
    /** Missing for a deleted account. */
    readonly actor?: string | null;
    readonly created_at: string;
    readonly requested_reviewer?: string;
    readonly label?: string;
    readonly sha?: string;
    readonly rename?: { readonly from: string; readonly to: string };
    readonly dismissed_review?: { readonly state: string; readonly review_id: number };
  }[];
}

interface GuiComment {
  readonly id: number;
  readonly kind: 'issue' | 'review';
  readonly author: string | null;
  readonly author_type: string | null;
  readonly created_at: string;
  readonly review_id?: number;
  readonly in_reply_to_id?: number | null;
  readonly path?: string;
}

/**
 * bitcoin-core/gui. Recorded: everything but what follows, which the recording lacks and the host would have.
 * - A lone inline comment whose review isn't recorded gets it: commented, without a text, by the comment's author at its time.
 * - Commits carry no account: a git author is taken for the account that opened the pull requests of which they are the only git author,
 *   where that is one account in nine cases of ten.
 * - Commits beyond the 250 that were listed are filled up to the recorded count, by nobody, at the time of the last listed one.
 * - File names come from inline comments, others are made up; sizes are spread over them. Branch names are made up.
 */
export function guiRepository(rows: readonly GuiRow[], people: People, now: number): RepositoryHistory {
  const newest = Math.max(
    ...rows.flatMap((row) => [row.updated_at, ...row.events.map((event) => event.created_at)].map(Date.parse)),
  );
  const shift = weeksUpTo(newest, now);
  const authors = gitAuthors(rows);
  for (const row of rows) meetAll(row, people);
  const createdAt = Math.min(...rows.map((row) => Date.parse(row.created_at))) + shift;
  return {
    id: 273181216,
    owner: 'bitcoin-core',
    name: 'gui',
    private: false,
    archived: false,
    defaultBranch: 'master',
    createdAt: createdAt - 86_400_000,
    readers: [],
    admins: ['hebasto', 'epage'],
    pullRequests: rows.map((row) => history(row, shift, authors)),
  };
}

/** A login that GitHub spells out in an avatar's address: `https://avatars.githubusercontent.com/u/32963518?v=4`. */
const AVATAR_ID = /\/u\/(\d+)/;

function meetAll(row: GuiRow, people: People): void {
  const id = AVATAR_ID.exec(row.author_avatar_url ?? '')?.[1];
  const avatarUrl = row.author_avatar_url;
  people.meet(row.author_login, {
    ...(id === undefined ? {} : { id: Number(id) }),
    avatarUrl,
    ...typed(row.author_type),
  });
  people.meet(row.merged_by);
  for (const review of row.reviews) people.meet(review.reviewer, typed(review.reviewer_type));
  for (const comment of row.comments) people.meet(comment.author, typed(comment.author_type));
  for (const event of row.events) {
    people.meet(event.actor ?? null);
    people.meet(event.requested_reviewer ?? null);
  }
  for (const login of row.requested_reviewers) people.meet(login);
}

function typed(type: string | null): { type?: 'User' | 'Bot' | 'Mannequin' | 'Organization' } {
  return type === 'User' || type === 'Bot' || type === 'Mannequin' || type === 'Organization' ? { type } : {};
}

function gitAuthors(rows: readonly GuiRow[]): ReadonlyMap<string, string> {
  const opened = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const ids = new Set(row.commits.map((commit) => commit.author_id));
    const [only] = ids;
    if (ids.size !== 1 || only === undefined || row.author_login === null) continue;
    const logins = opened.get(only) ?? new Map<string, number>();
    logins.set(row.author_login, (logins.get(row.author_login) ?? 0) + 1);
    opened.set(only, logins);
  }
  const found = new Map<string, string>();
  for (const [id, logins] of opened) {
    const [most] = [...logins].sort((one, other) => other[1] - one[1]);
    const all = [...logins.values()].reduce((sum, count) => sum + count, 0);
    if (most !== undefined && most[1] >= 0.9 * all) found.set(id, most[0]);
  }
  return found;
}

function history(row: GuiRow, shift: number, authors: ReadonlyMap<string, string>): PullRequestHistory {
  const at = (time: string) => Date.parse(time) + shift;
  const drafts = row.events.filter(({ event }) => event === 'ready_for_review' || event === 'convert_to_draft');
  return {
    id: row.github_id,
    number: row.number,
    title: titleAtFirst(row),
    author: row.author_login,
    createdAt: at(row.created_at),
    openedAsDraft: drafts.length === 0 ? row.draft : drafts[0]?.event === 'ready_for_review',
    baseRef: row.base_ref,
    headRef: `change-${row.number}`,
    bodyLength: row.body_length,
    commits: commitsOf(row, at, authors),
    size: sizeOf(row),
    entries: entriesOf(row, at),
    recorded: {
      additions: row.additions,
      deletions: row.deletions,
      changedFiles: row.changed_files,
      commits: row.commits_count,
      comments: row.comments_count,
      reviewComments: row.review_comments_count,
      updatedAt: at(row.updated_at),
      draft: row.draft,
    },
  };
}

function titleAtFirst(row: GuiRow): string {
  return row.events.find(({ rename }) => rename !== undefined)?.rename?.from ?? row.title;
}

function commitsOf(row: GuiRow, at: (time: string) => number, authors: ReadonlyMap<string, string>): readonly Commit[] {
  const listed = row.commits.map((commit) => ({
    sha: commit.sha,
    account: authors.get(commit.author_id) ?? null,
    authorName: commit.author_name,
    authorEmail: `${commit.author_id}@mail.example`,
    authoredAt: at(commit.authored_at),
    committedAt: at(commit.committed_at),
    message: commit.message_headline,
  }));
  const last = listed.at(-1);
  const missing = last === undefined ? 0 : row.commits_count - listed.length;
  const filled = Array.from({ length: Math.max(0, missing) }, (_, index): Commit => {
    const time = last?.committedAt ?? 0;
    return {
      sha: shaOf(`${row.github_id}/unlisted/${index}`),
      account: null,
      authorName: 'Not recorded',
      authorEmail: 'not-recorded@mail.example',
      authoredAt: time,
      committedAt: time,
      message: 'A commit beyond those that were recorded',
    };
  });
  // The head is the last one that was recorded.
  return [...filled, ...listed];
}

function sizeOf(row: GuiRow): Size {
  const paths = [...new Set(row.comments.flatMap(({ path }) => path ?? []))].slice(0, row.changed_files);
  while (paths.length < row.changed_files) paths.push(`src/not-recorded/file-${paths.length + 1}`);
  return spread(row.additions, row.deletions, paths);
}

function entriesOf(row: GuiRow, at: (time: string) => number): readonly Entry[] {
  const entries: Entry[] = [];
  for (const comment of row.comments) {
    if (comment.kind === 'issue')
      entries.push({ at: at(comment.created_at), by: comment.author, kind: 'comment', id: comment.id });
  }
  entries.push(...reviewsOf(row, at));
  for (const event of row.events) {
    const entry = eventOf(event, at(event.created_at));
    if (entry !== null) entries.push(entry);
  }
  const requested = new Set(
    row.events.filter(({ event }) => event === 'review_requested').map(({ requested_reviewer: login }) => login),
  );
  // Whoever is asked now without an event about it was asked when it was opened.
  for (const login of row.requested_reviewers) {
    if (requested.has(login)) continue;
    entries.push({
      at: at(row.created_at),
      by: row.author_login,
      kind: 'review_requested',
      reviewer: { account: login },
    });
  }
  return entries.sort((one, other) => one.at - other.at);
}

function reviewsOf(row: GuiRow, at: (time: string) => number): readonly Entry[] {
  const written = new Map<number, GuiComment[]>();
  for (const comment of row.comments) {
    if (comment.kind !== 'review' || comment.review_id === undefined) continue;
    written.set(comment.review_id, [...(written.get(comment.review_id) ?? []), comment]);
  }
  const comments = (id: number): InlineComment[] =>
    (written.get(id) ?? []).map((comment) => ({
      id: comment.id,
      at: at(comment.created_at),
      author: comment.author,
      path: comment.path ?? '',
      inReplyTo: comment.in_reply_to_id ?? null,
    }));
  const dismissed = new Map(
    row.events.flatMap(({ dismissed_review: review }) =>
      review === undefined ? [] : [[review.review_id, review.state] as const],
    ),
  );
  const recorded = row.reviews.map((review): Entry => {
    const state = (dismissed.get(review.id) ?? review.state).toUpperCase() as ReviewState;
    return {
      at: at(review.submitted_at),
      by: review.reviewer,
      kind: 'review',
      id: review.id,
      state,
      bodyLength: review.body_length,
      commit: review.commit_sha,
      comments: comments(review.id),
    };
  });
  const known = new Set(row.reviews.map(({ id }) => id));
  const lone = [...written].flatMap(([id, [first]]): Entry[] =>
    known.has(id) || first === undefined
      ? []
      : [
          {
            at: at(first.created_at),
            by: first.author,
            kind: 'review',
            id,
            state: 'COMMENTED',
            bodyLength: 0,
            commit: null,
            comments: comments(id),
          },
        ],
  );
  return [...recorded, ...lone];
}

function eventOf(event: GuiRow['events'][number], at: number): Entry | null {
  const by = event.actor ?? null;
  switch (event.event) {
    case 'review_requested':
    case 'review_request_removed':
      return event.requested_reviewer === undefined
        ? null
        : { at, by, kind: event.event, reviewer: { account: event.requested_reviewer } };
    case 'review_dismissed':
      return event.dismissed_review === undefined
        ? null
        : { at, by, kind: 'review_dismissed', review: event.dismissed_review.review_id };
    case 'ready_for_review':
    case 'convert_to_draft':
    case 'closed':
    case 'reopened':
    case 'head_ref_deleted':
      return { at, by, kind: event.event };
    case 'merged':
      return { at, by, kind: 'merged', commit: event.sha ?? null };
    case 'head_ref_force_pushed':
      return { at, by, kind: 'force_push', before: null, after: event.sha ?? null };
    case 'renamed':
      return event.rename === undefined ? null : { at, by, kind: 'renamed', ...event.rename };
    case 'labeled':
    case 'unlabeled':
      return { at, by, kind: event.event, label: event.label ?? '' };
    default:
      return { at, by, kind: 'other', event: event.event };
  }
}
