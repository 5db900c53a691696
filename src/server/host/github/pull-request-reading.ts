import type { z } from 'zod';
import {
  type AssignmentAnswer,
  type CheckAnswer,
  type CommentAnswer,
  type CommitAnswer,
  checkAnswer,
  commentAnswer,
  commitAnswer,
  type EventAnswer,
  type FileAnswer,
  fileAnswer,
  type InlineCommentAnswer,
  inlineCommentAnswer,
  type LabelingAnswer,
  type PullRequestAnswer,
  type ReviewAnswer,
  type ReviewRequestAnswer,
  reviewAnswer,
  reviewRequestAnswer,
  type ThreadAnswer,
  type TimelineAnswer,
  threadAnswer,
  timelineAnswer,
} from './answers.ts';
import { type GraphqlError, passingError } from './failures.ts';
import { isOfChecks } from './github-graphql.ts';
import { NestedList } from './nested-list.ts';
import type { QueryName } from './queries.ts';

/** A list of whatever items, as far as reading it on goes. */
export type AnyList = Omit<NestedList<unknown>, 'items'> & { readonly items: readonly unknown[] };

type Named<T extends TimelineAnswer['__typename']> = Extract<TimelineAnswer, { __typename: T }>;

/** What has a list of its own beside the timeline, and what its items are called there. */
const OWN_LISTS = {
  'more-reviews': 'PullRequestReview',
  'more-comments': 'IssueComment',
  'more-commits': 'PullRequestCommit',
} as const;
type OwnList = keyof typeof OWN_LISTS;

/**
 * One pull request whose lists are being read. What happened to it comes from its timeline; where that tells fewer reviews, comments or
 * commits than the host counts, they come from their own list. Review requests, checks and inline comments are read by their keys,
 * where there are any.
 */
export class PullRequestReading {
  readonly answer: PullRequestAnswer;
  readonly files: NestedList<FileAnswer>;
  readonly reviewRequests: NestedList<ReviewRequestAnswer>;
  /** A failure inside it that may pass. */
  failed: string | null = null;
  /** Several where it is long: each is a stretch of it. */
  readonly #timeline: readonly NestedList<TimelineAnswer>[];
  readonly #own = new Map<OwnList, NestedList<ReviewAnswer> | NestedList<CommentAnswer> | NestedList<CommitAnswer>>();
  /** By the key of the review. */
  readonly #inline = new Map<string, NestedList<InlineCommentAnswer>>();
  readonly #threads = new Map<string, NestedList<InlineCommentAnswer>>();
  /** Where that is cheaper than to ask for the comments of each review. */
  #threadList: NestedList<ThreadAnswer> | null = null;
  #checks: NestedList<CheckAnswer> | null;
  #mayReadCommits = true;

  /** `errors` are those of its part of the answer. */
  constructor(answer: PullRequestAnswer, errors: readonly GraphqlError[]) {
    const { id } = answer;
    this.answer = answer;
    this.noteErrors(errors);
    this.#timeline = timelineOf(answer);
    this.files = new NestedList('more-files', id, fileAnswer);
    // Null stands for changes that are too much for the host to compute.
    if (answer.files !== null) this.files.take(answer.files);
    this.reviewRequests = listOf('more-review-requests', id, reviewRequestAnswer, answer.reviewRequests.totalCount);
    const rollup = answer.statusCheckRollup;
    const unreadable = errors.some(isOfChecks) || (rollup !== null && rollup.contexts === undefined);
    this.#checks = unreadable
      ? null
      : listOf('more-checks', rollup?.id ?? id, checkAnswer, rollup?.contexts?.totalCount ?? 0);
    const { requestsNow, checksNow, threadsNow } = answer;
    if (requestsNow !== undefined) this.reviewRequests.take(requestsNow);
    if (checksNow?.contexts !== undefined) this.#checks?.take(checksNow.contexts);
    if (threadsNow !== undefined) {
      this.#threadList = threadsOf(answer);
      this.#threadList.take(threadsNow);
    }
  }

  get reviews(): readonly ReviewAnswer[] {
    return this.#listed('more-reviews', this.#named('PullRequestReview'));
  }

  /** General ones. */
  get comments(): readonly CommentAnswer[] {
    return this.#listed('more-comments', this.#named('IssueComment'));
  }

  /** Null where the token may not read commits. */
  get commits(): readonly CommitAnswer[] | null {
    if (!this.#mayReadCommits) return null;
    return this.#listed('more-commits', this.#named('PullRequestCommit'));
  }

  get events(): readonly EventAnswer[] {
    return this.#items().filter((item): item is EventAnswer => 'actor' in item);
  }

  /** Who was assigned and no longer, in the host's order. */
  get assignments(): readonly AssignmentAnswer[] {
    return this.#items().filter((item): item is AssignmentAnswer => 'assignee' in item);
  }

  /** Labels set and taken away, in the host's order. */
  get labelings(): readonly LabelingAnswer[] {
    return this.#items().filter((item): item is LabelingAnswer => 'label' in item);
  }

  /** Null where the token may not read checks. */
  get checks(): readonly CheckAnswer[] | null {
    return this.#checks?.items ?? null;
  }

  /** Each once, whether found with its review or in its thread; without those of reviews that are not submitted yet. */
  get inlineComments(): readonly InlineCommentAnswer[] {
    const pending = new Set(this.reviews.flatMap(({ id, state }) => (state === 'PENDING' ? id : [])));
    const all = [...this.#inline.values(), ...this.#threads.values()].flatMap(({ items }) => items);
    const submitted = all.filter(({ pullRequestReview: review }) => review === null || !pending.has(review.id));
    return [...new Map(submitted.map((comment) => [comment.id, comment])).values()];
  }

  /** The lists that are to be read on next. What they tell may add others: empty means that all are at their ends. */
  unread(): readonly AnyList[] {
    this.#findOthers();
    return this.#lists().filter((list) => list.next !== null);
  }

  /** Why it cannot be taken as it is; null where it can. */
  get flaw(): string | null {
    const flawed = this.#lists().find((list) => list.broken !== null || (list.short !== null && !this.#isAgreed(list)));
    return flawed ? (flawed.broken ?? flawed.short) : this.failed;
  }

  /** Whether the host left out part of what it was asked. */
  get isCut(): boolean {
    return this.#lists().some((list) => list.short !== null);
  }

  /** What cannot be understood in it. */
  get broken(): string | null {
    return this.#lists().find((list) => list.broken !== null)?.broken ?? null;
  }

  /** In which list the host counts more than it lists. */
  get short(): string | null {
    return this.#lists().find((list) => list.short !== null)?.short ?? null;
  }

  /** Begins again with the lists that ended too early. */
  restartShort(): void {
    for (const list of this.#lists()) if (list.short !== null) list.restart();
  }

  /** `errors` are those of what is read on of it: what the host failed over is null in a list, as what it hides is. */
  noteErrors(errors: readonly GraphqlError[]): void {
    this.failed ??= passingError(errors)?.message ?? null;
  }

  /** The token may not read checks after all. */
  forgetChecks(): void {
    this.#checks = null;
  }

  /** The token may not read commits. */
  forgetCommits(): void {
    this.#mayReadCommits = false;
    this.#own.delete('more-commits');
  }

  #lists(): AnyList[] {
    const { files, reviewRequests } = this;
    const checks = this.#checks === null ? [] : [this.#checks];
    const threads = this.#threadList === null ? [] : [this.#threadList];
    const more = [this.#own, this.#inline, this.#threads].flatMap((lists) => [...lists.values()] as AnyList[]);
    return [...this.#timeline, files, reviewRequests, ...checks, ...threads, ...more];
  }

  #findOthers(): void {
    if (this.#timeline.some(({ next, short, broken }) => next !== null || short !== null || broken !== null)) return;
    const { id, reviews, comments, commits } = this.answer;
    const fewer = (query: OwnList, { totalCount }: { totalCount: number }) =>
      this.#named(OWN_LISTS[query]).length < totalCount && !this.#own.has(query);
    const begin = <T>(query: OwnList, item: z.ZodType<T>, { totalCount }: { totalCount: number }) =>
      listOf(query, id, item, totalCount);
    if (fewer('more-reviews', reviews)) this.#own.set('more-reviews', begin('more-reviews', reviewAnswer, reviews));
    if (fewer('more-comments', comments))
      this.#own.set('more-comments', begin('more-comments', commentAnswer, comments));
    if (this.#mayReadCommits && fewer('more-commits', commits))
      this.#own.set('more-commits', begin('more-commits', commitAnswer, commits));
    if ([...this.#own.values()].some((list) => list.next !== null)) return;
    this.#findThreads();
    if (this.#threadList?.next != null || [...this.#threads.values()].some((list) => list.next !== null)) return;
    const found = new Map<string, number>();
    for (const { items } of this.#threads.values())
      for (const { pullRequestReview: review } of items)
        if (review !== null) found.set(review.id, (found.get(review.id) ?? 0) + 1);
    for (const review of this.#commented()) {
      const { totalCount } = review.comments;
      if (totalCount <= (found.get(review.id) ?? 0) || this.#inline.has(review.id)) continue;
      this.#inline.set(review.id, listOf('more-inline-comments', review.id, inlineCommentAnswer, totalCount));
    }
  }

  /** All threads with their comments where few of them were written in many reviews; else those that the timeline names alone. */
  #findThreads(): void {
    const { reviewThreads } = this.answer;
    if (
      this.#threadList === null &&
      reviewThreads.totalCount > 0 &&
      reviewThreads.totalCount < this.#commented().length
    ) {
      this.#threadList = threadsOf(this.answer);
      this.#threadList.next = { after: null };
    }
    for (const thread of this.#threadList?.items ?? []) {
      if (this.#threads.has(thread.id)) continue;
      const comments = new NestedList('more-thread-comments', thread.id, inlineCommentAnswer);
      comments.take(thread.comments);
      this.#threads.set(thread.id, comments);
    }
    if (this.#threadList !== null) return;
    for (const { id: thread } of this.#named('PullRequestReviewThread')) {
      if (this.#threads.has(thread)) continue;
      // How many it holds is not counted in a timeline; nearly always fewer than a page.
      this.#threads.set(thread, listOf('more-thread-comments', thread, inlineCommentAnswer, 1));
    }
  }

  /** Submitted reviews with inline comments. */
  #commented(): readonly ReviewAnswer[] {
    return this.reviews.filter(({ state, comments }) => state !== 'PENDING' && comments.totalCount > 0);
  }

  /** The timeline's, each once: its stretches overlap. */
  #items(): readonly TimelineAnswer[] {
    const [first, ...more] = this.#timeline;
    if (more.length === 0) return first?.items ?? [];
    return [...new Map(this.#timeline.flatMap(({ items }) => items).map((item) => [item.id, item])).values()];
  }

  #named<T extends TimelineAnswer['__typename']>(type: T): readonly Named<T>[] {
    return this.#items().filter((item): item is Named<T> => item.__typename === type);
  }

  /** Of one kind: from its own list where that holds more. */
  #listed<T>(query: OwnList, told: readonly T[]): readonly T[] {
    const own = this.#own.get(query)?.items as readonly T[] | undefined;
    return own !== undefined && own.length > told.length ? own : told;
  }

  /** True of a list that ends before the host's count where the timeline does, too: that is all that the host lists. */
  #isAgreed(list: AnyList): boolean {
    const type = OWN_LISTS[list.query as OwnList] as (typeof OWN_LISTS)[OwnList] | undefined;
    return type !== undefined && list.items.length === this.#named(type).length;
  }
}

/** The most that a page lists of a timeline at once, and what goes on with it. */
const [PAGE, STRETCH] = [50, 100];
/** The most items that may vanish from a timeline while it is read without one between two stretches being missed. */
const OVERLAP = 5;

/** The timeline as it came with its pull request, and where the host counts many more items, the stretches after it, read side by side. */
function timelineOf(answer: PullRequestAnswer): NestedList<TimelineAnswer>[] {
  const { id, reviews, comments, commits } = answer;
  const known = reviews.totalCount + comments.totalCount + commits.totalCount;
  const starts: number[] = [];
  for (let at = PAGE - OVERLAP; at < known; at += STRETCH - OVERLAP) starts.push(at);
  const first = new NestedList('more-timeline', id, timelineAnswer, { onePage: starts.length > 1 });
  first.take(answer.timelineItems);
  if (!first.onePage || first.short !== null || first.broken !== null) return [first];
  const stretches = starts.map((skip, index) => {
    const stretch = new NestedList('more-timeline', id, timelineAnswer, { skip, onePage: index < starts.length - 1 });
    stretch.next = { after: null };
    return stretch;
  });
  return [first, ...stretches];
}

/** The threads of a pull request, unread. */
function threadsOf({ id, reviewThreads }: PullRequestAnswer): NestedList<ThreadAnswer> {
  const threads = new NestedList('more-threads', id, threadAnswer, { nested: true });
  threads.total = reviewThreads.totalCount;
  return threads;
}

/** A list of `total` items that is read by a key from its beginning on; one of none is at its end. */
function listOf<T>(query: QueryName, of: string, item: z.ZodType<T>, total: number): NestedList<T> {
  const list = new NestedList(query, of, item);
  list.total = total;
  if (total > 0) list.next = { after: null };
  return list;
}
