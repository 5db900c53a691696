import { iso } from '../../clock.ts';
import { living } from '../../state/account.ts';
import { nodeId } from '../../state/node-ids.ts';
import type {
  CommentState,
  EventState,
  ListedCommit,
  PullState,
  ReviewRecord,
  ThreadState,
} from '../../state/pull-request.ts';
import type { Token } from '../../tokens.ts';
import { connect, type PageArgs, timed } from '../connection.ts';
import { refusalOfContents, refuseWithoutContents, refuseWithoutMembers } from '../failures.ts';
import type { Fields } from '../schema.ts';
import { commitOf } from './commits.ts';
import { seesReview } from './reviews.ts';

type Item = EventState | CommentState | ReviewRecord | ThreadState | ListedCommit;

interface TimelineArgs extends PageArgs {
  readonly itemTypes?: readonly string[] | null;
  readonly since?: string | null;
  readonly skip?: number | null;
}

const timeOf = (item: Item) => (item.typeName === 'PullRequestCommit' ? item.commit.committedAt : item.at);

/** `ReadyForReviewEvent` is asked for as `READY_FOR_REVIEW_EVENT`. */
const enumNames = new Map<string, string>();
function enumName(typeName: string): string {
  let name = enumNames.get(typeName);
  if (name === undefined) {
    name = typeName.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase();
    enumNames.set(typeName, name);
  }
  return name;
}

/** Sorting a long timeline once per change is enough. */
const kept = new WeakMap<PullState, { readonly version: number; readonly items: readonly Item[] }>();

function itemsOf(pull: PullState): readonly Item[] {
  const known = kept.get(pull);
  if (known?.version === pull.version) return known.items;
  const items: Item[] = [
    ...pull.commits,
    ...pull.comments,
    ...pull.reviews,
    ...pull.threads.filter(({ comments }) => comments.some(({ review }) => review === null)),
    ...pull.events.filter(({ typeName }) => Object.hasOwn(EVENTS, typeName)),
  ];
  items.sort((one, other) => timeOf(one) - timeOf(other) || one.seq - other.seq);
  kept.set(pull, { version: pull.version, items });
  return items;
}

/**
 * The timeline. Where the documentation is silent the least helpful reading is taken, so that no client relies on more:
 * `totalCount` counts every item whatever `itemTypes` says; `pageCount` is what tells a complete page; of threads only those stand in it
 * that hold a comment of no review.
 */
export function timelineOf(pull: PullState, args: TimelineArgs, token: Token) {
  const viewer = token.account;
  const all = itemsOf(pull).filter((item) => item.typeName !== 'PullRequestReview' || seesReview(item, viewer));
  const since = args.since == null ? Number.NEGATIVE_INFINITY : Date.parse(args.since);
  const types = args.itemTypes ?? null;
  const wanted = all.filter(
    (item) =>
      timeOf(item) >= since &&
      (types === null ? item.typeName !== 'PullRequestReviewThread' : types.includes(enumName(item.typeName))),
  );
  const page = connect(
    timed(wanted.slice(args.skip ?? 0), (item) => [timeOf(item), item.seq]),
    args,
  );
  const hidden = refusalOfContents(pull.repository, token);
  return {
    nodes: page.nodes.map((item) => (hidden !== null && item.typeName === 'PullRequestCommit' ? hidden : item)),
    edges: page.edges,
    pageInfo: page.pageInfo,
    totalCount: all.length,
    pageCount: page.nodes.length,
    filteredCount: wanted.length,
    updatedAt: iso(pull.timelineUpdatedAt),
  };
}

const event: Fields<EventState> = {
  id: (item) => nodeId('EV', item.pull.id, item.seq),
  createdAt: (item) => iso(item.at),
  actor: (item) => living(item.actor),
};
const ofPull: Fields<EventState> = { ...event, pullRequest: (item) => item.pull };
const asked: Fields<EventState> = {
  ...ofPull,
  requestedReviewer: ({ requestedReviewer = null }, _args, { token }) => {
    if (requestedReviewer?.typeName === 'Team') refuseWithoutMembers(token);
    return requestedReviewer;
  },
};
const commit = (item: EventState, sha: string | null | undefined, token: Token) => {
  if (sha == null) return null;
  refuseWithoutContents(item.pull.repository, token);
  return commitOf(item.pull.repository, sha);
};

const EVENTS: Record<string, Fields<EventState>> = {
  ReadyForReviewEvent: ofPull,
  ConvertToDraftEvent: ofPull,
  ReviewRequestedEvent: asked,
  ReviewRequestRemovedEvent: asked,
  ReviewDismissedEvent: {
    ...ofPull,
    previousReviewState: (item) => item.review?.given ?? 'COMMENTED',
    review: (item) => item.review ?? null,
    dismissalMessage: () => null,
  },
  MergedEvent: {
    ...ofPull,
    commit: (item, _args, { token }) => commit(item, item.sha, token),
    mergeRefName: (item) => item.pull.baseRef,
  },
  ClosedEvent: { ...event, closer: () => null },
  ReopenedEvent: event,
  HeadRefForcePushedEvent: {
    ...ofPull,
    beforeCommit: (item, _args, { token }) => commit(item, item.before, token),
    afterCommit: (item, _args, { token }) => commit(item, item.after, token),
  },
  HeadRefDeletedEvent: { ...ofPull, headRefName: (item) => item.pull.headRef },
  HeadRefRestoredEvent: ofPull,
  BaseRefChangedEvent: {
    ...ofPull,
    previousRefName: (item) => item.from ?? '',
    currentRefName: (item) => item.to ?? '',
  },
  RenamedTitleEvent: { ...event, previousTitle: (item) => item.from ?? '', currentTitle: (item) => item.to ?? '' },
  LabeledEvent: { ...event, label: (item) => ({ typeName: 'Label', name: item.label ?? '', pull: item.pull }) },
  UnlabeledEvent: { ...event, label: (item) => ({ typeName: 'Label', name: item.label ?? '', pull: item.pull }) },
  AutoMergeEnabledEvent: ofPull,
  AutoMergeDisabledEvent: ofPull,
  AddedToMergeQueueEvent: ofPull,
  RemovedFromMergeQueueEvent: { ...ofPull, reason: () => null },
  CommentDeletedEvent: event,
  MentionedEvent: event,
  SubscribedEvent: event,
  UnsubscribedEvent: event,
  LockedEvent: event,
  UnlockedEvent: event,
  AssignedEvent: { ...event, assignee: (item) => living(item.assignee ?? null) },
  UnassignedEvent: { ...event, assignee: (item) => living(item.assignee ?? null) },
  MilestonedEvent: event,
  DemilestonedEvent: event,
  ReferencedEvent: event,
  CrossReferencedEvent: event,
};

export const timelineAnswers: Record<string, Fields<never>> = EVENTS;
