import type {
  AccountKind,
  CommentMarks,
  CommentRecord,
  EventRecord,
  EventType,
  PersonRef,
  PullRequestRecord,
  ReviewRecord,
  SubmittedState,
} from '#domain/pull-request.ts';

/** The opening of every built pull request: Monday 2 March 2026, 09:00 UTC. All times below are hours after it. */
export const OPENED_AT = Date.parse('2026-03-02T09:00:00Z');

/** The instant so many hours after the opening. */
export function hour(hours: number): number {
  return OPENED_AT + Math.round(hours * 3_600_000);
}

/** An account; its id is its login. A login that starts with `bot-` or `agent-` is of that kind. */
export function aPerson(login: string, overrides: Partial<PersonRef> = {}): PersonRef {
  const kind: AccountKind = login.startsWith('bot-') ? 'bot' : login.startsWith('agent-') ? 'agent' : 'human';
  return { id: login, login, kind, displayName: null, avatarUrl: null, ...overrides };
}

/** The author of every built pull request that names no other. */
export const AUTHOR = 'ada';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Building = Mutable<PullRequestRecord> & {
  commits: PullRequestRecord['commits'][number][];
  reviews: ReviewRecord[];
  comments: CommentRecord[];
  events: EventRecord[];
  checks: PullRequestRecord['checks'][number][];
  requested: PullRequestRecord['requested'][number][];
};

/** Something that happens to a pull request. */
export type Happening = (pullRequest: Building) => void;

/**
 * A pull request of ada's, open, no draft, with a size of 10 lines, to which some things happen in the given order.
 * Ids are given in that order, so things of one second keep it.
 */
export function aPullRequest(
  overrides: Partial<PullRequestRecord> = {},
  ...happenings: Happening[]
): PullRequestRecord {
  const pullRequest: Building = {
    number: 1,
    state: 'open',
    draft: false,
    author: aPerson(AUTHOR),
    createdAt: OPENED_AT,
    mergedAt: null,
    closedAt: null,
    additions: 8,
    deletions: 2,
    changedFiles: 1,
    headRef: 'topic',
    baseRef: 'main',
    mergedBy: null,
    files: [{ path: 'src/file.ts', additions: 8, deletions: 2 }],
    commits: [],
    reviews: [],
    comments: [],
    events: [],
    checks: [],
    requested: [],
    attribution: noAttribution,
  };
  for (const happen of happenings) happen(pullRequest);
  return { ...pullRequest, ...overrides };
}

/** Nothing tells of an agent, or of whoever started it. */
export const noAttribution: PullRequestRecord['attribution'] = {
  isRead: true,
  areCommitsRead: true,
  labels: [],
  assignments: [],
  descriptionMarks: [],
  requestedBy: [],
  sessionActor: null,
  issueActors: [],
  namedLabels: [],
  knownIds: true,
  correctedAuthorship: null,
  correctedCredit: null,
};

const who = (login: string | null) => (login === null ? null : aPerson(login));

/** The next id: higher than any before in this pull request. */
function nextId({ commits, reviews, comments, events, checks }: Building): string {
  return String(1000 + commits.length + reviews.length + comments.length + events.length + checks.length);
}

/** A commit, by the author unless named; null for nobody known. */
export function pushed(
  at: number,
  by: string | null = AUTHOR,
  overrides: Partial<PullRequestRecord['commits'][number]> = {},
): Happening {
  return (pullRequest) => {
    pullRequest.commits.push({
      sha: nextId(pullRequest).padStart(40, '0'),
      author: who(by),
      authorIsBot: false,
      authoredAt: hour(at),
      committedAt: hour(at),
      headline: 'Change something',
      byAgent: false,
      marks: [],
      coAuthors: [],
      ...overrides,
    });
  };
}

interface ReviewContents {
  /** A name, so that it can be dismissed. */
  readonly id?: string;
  readonly body?: boolean;
  /** Of how many words its text is; null where they are not known. */
  readonly words?: number | null;
  /** How many inline comments open threads, and how many answer in existing ones. */
  readonly threads?: number;
  readonly replies?: number;
}

/** An inline comment that nothing was done to. */
export const unmarked: CommentMarks = { outdated: false, minimized: null, thumbsUp: 0, thumbsDown: 0 };

function reviewed(at: number, by: string | null, state: SubmittedState, contents: ReviewContents): Happening {
  return (pullRequest) => {
    const id = contents.id ?? nextId(pullRequest);
    pullRequest.reviews.push({
      id,
      author: who(by),
      state,
      stateAtSubmission: null,
      submittedAt: hour(at),
      hasBody: contents.body ?? contents.words !== undefined,
      bodyWords: contents.words === undefined ? ((contents.body ?? false) ? 3 : 0) : contents.words,
    });
    for (let index = 0; index < (contents.threads ?? 0) + (contents.replies ?? 0); index += 1) {
      pullRequest.comments.push({
        id: nextId(pullRequest),
        kind: 'inline',
        author: who(by),
        createdAt: hour(at),
        reviewId: id,
        inReplyTo: index < (contents.threads ?? 0) ? null : 'an-earlier-comment',
        path: 'src/file.ts',
        bodyWords: null,
        marks: unmarked,
        resolvedBy: null,
      });
    }
  };
}

/** An approval, without text unless given. */
export function approves(at: number, by: string | null, contents: ReviewContents = {}): Happening {
  return reviewed(at, by, 'approved', contents);
}

/** A request for changes, with a text unless said otherwise. */
export function requestsChanges(at: number, by: string | null, contents: ReviewContents = {}): Happening {
  return reviewed(at, by, 'changes_requested', { body: true, ...contents });
}

/** A commented review, with a text unless said otherwise. */
export function comments(at: number, by: string | null, contents: ReviewContents = {}): Happening {
  return reviewed(at, by, 'commented', { body: true, ...contents });
}

/** A review that only answers in existing threads. */
export function replies(at: number, by: string | null, count = 1): Happening {
  return reviewed(at, by, 'commented', { body: false, replies: count });
}

/** An inline comment by itself, which opens a thread unless it answers; null for `marks` where these were not read. */
export function finds(
  at: number,
  by: string | null,
  marks: Partial<CommentMarks> | null = {},
  details: Partial<CommentRecord> = {},
): Happening {
  return (pullRequest) => {
    pullRequest.comments.push({
      id: nextId(pullRequest),
      kind: 'inline',
      author: who(by),
      createdAt: hour(at),
      reviewId: null,
      inReplyTo: null,
      path: 'src/file.ts',
      bodyWords: null,
      marks: marks && { ...unmarked, ...marks },
      resolvedBy: null,
      ...details,
    });
  };
}

/** A comment in the conversation. */
export function says(at: number, by: string | null, words: number | null = 3): Happening {
  return (pullRequest) => {
    pullRequest.comments.push({
      id: nextId(pullRequest),
      kind: 'general',
      author: who(by),
      createdAt: hour(at),
      reviewId: null,
      inReplyTo: null,
      path: null,
      bodyWords: words,
      marks: null,
      resolvedBy: null,
    });
  };
}

function event(type: EventType, at: number, by: string | null = AUTHOR, details: Partial<EventRecord> = {}): Happening {
  return (pullRequest) => {
    pullRequest.events.push({
      id: nextId(pullRequest),
      type,
      at: hour(at),
      actor: who(by),
      reviewer: null,
      team: null,
      reviewId: null,
      previousState: null,
      ...details,
    });
  };
}

/** Marked ready for review. */
export const ready = (at: number, by: string | null = AUTHOR) => event('ready_for_review', at, by);

/** Converted to a draft; it is one now unless `ready` follows. */
export const draft = (at: number, by: string | null = AUTHOR) => event('convert_to_draft', at, by);

export const forcePushed = (at: number, by: string | null = AUTHOR) => event('force_push', at, by);

/** A review asked of a person, or of a team where the name starts with @. */
export function asks(at: number, whom: string, by: string | null = AUTHOR): Happening {
  return event('review_requested', at, by, whom.startsWith('@') ? { team: whom } : { reviewer: aPerson(whom) });
}

/** The request taken back. */
export function asksNoMore(at: number, whom: string, by: string | null = AUTHOR): Happening {
  return event('review_request_removed', at, by, whom.startsWith('@') ? { team: whom } : { reviewer: aPerson(whom) });
}

/** A review, named by its id, is dismissed: the host keeps `dismissed` and tells in the event what it was. */
export function dismisses(at: number, reviewId: string, by: string | null = AUTHOR): Happening {
  return (pullRequest) => {
    const index = pullRequest.reviews.findIndex(({ id }) => id === reviewId);
    const review = pullRequest.reviews[index];
    if (review === undefined || review.state === 'dismissed')
      throw new Error(`There is no review ${reviewId} to dismiss.`);
    pullRequest.reviews[index] = { ...review, state: 'dismissed' };
    event('review_dismissed', at, by, { reviewId, previousState: review.state })(pullRequest);
  };
}

/** Merged; as on the host, it closes in the same second. */
export function merged(at: number, by: string | null = AUTHOR): Happening {
  return (pullRequest) => {
    Object.assign(pullRequest, { state: 'merged', mergedAt: hour(at), closedAt: hour(at) });
    event('merged', at, by)(pullRequest);
    event('closed', at, by)(pullRequest);
  };
}

/** Closed without merging. */
export function closed(at: number, by: string | null = AUTHOR): Happening {
  return (pullRequest) => {
    Object.assign(pullRequest, { state: 'closed', closedAt: hour(at) });
    event('closed', at, by)(pullRequest);
  };
}

/** Open again. */
export function reopened(at: number, by: string | null = AUTHOR): Happening {
  return (pullRequest) => {
    Object.assign(pullRequest, { state: 'open', closedAt: null });
    event('reopened', at, by)(pullRequest);
  };
}

/** A check of the head commit that finished. */
export function checked(
  at: number,
  outcome = 'success',
  from: number | null = null,
  name: string = 'build',
): Happening {
  return (pullRequest) => {
    const startedAt = from === null ? null : hour(from);
    pullRequest.checks.push({ id: nextId(pullRequest), name, outcome, completedAt: hour(at), startedAt });
  };
}

/** Reviews that are requested now, of people or teams. */
export function pending(...whom: string[]): Happening {
  return (pullRequest) => {
    for (const name of whom) {
      pullRequest.requested.push(name.startsWith('@') ? { team: name } : { person: aPerson(name) });
    }
  };
}
