import { agentOf } from './account-kind.ts';
import { type History, isSamePerson } from './history.ts';
import {
  type CommentRecord,
  type CommitRecord,
  type Hours,
  hoursBetween,
  type Instant,
  type PersonRef,
  type PullRequestRecord,
} from './pull-request.ts';

/** What became of a finding until its pull request ended, in the order in which it is told (docs/metrics.md#ai-reviewers). */
export const fates = ['changed', 'resolved', 'answered', 'dismissed_by_hand', 'ignored'] as const;
export type Fate = (typeof fates)[number];

/** Among reviewers the people, all of them together: no tool has this name. */
export const PEOPLE = '';

/**
 * By which rules the acts of reviewers are computed. Stored ones of a lower number are computed again behind the running server. Raise it
 * with any change of what follows.
 */
export const REVIEWER_ACTS_VERSION = 4;

/** What one reviewer, a tool with all its accounts or the people but the author, did in a pull request of another's. */
export interface ReviewerActs {
  /** The tool, or `PEOPLE`. */
  readonly reviewer: string;
  /** The account that acted last. */
  readonly person: PersonRef;
  /** When, ascending: each submitted review, inline comment and, of what is known to review, general comment from the opening to the end. */
  readonly acted_at: readonly Instant[];
  /** From ready, or the latest request until the first act that names it, to that act; null of what never became ready. */
  readonly wait: Hours | null;
  /** Its reviews that count, of a tool those that would if a person gave them. */
  readonly reviews: number;
  /** Its inline comments that open a thread. */
  readonly findings: number;
  /** Of those of which it is known; all 0 while the pull request is open. */
  readonly fates: Readonly<Record<Fate, number>>;
  /** Of these the ignored ones, those hidden by hand, and those with more 👎 than 👍. */
  readonly noisy: number;
  readonly thumbs_up: number;
  readonly thumbs_down: number;
}

/** Every reviewer of a pull request that became ready at `readyAt`, by name, people first (docs/metrics.md#ai-reviewers). */
export function reviewerActsOf(history: History, readyAt: Instant | null): ReviewerActs[] {
  const { reviews, comments } = history;
  const all = [
    ...reviews.map((review) => ({ author: review.author, at: review.submittedAt, comment: null, role: review.role })),
    ...comments.map((comment) => ({ author: comment.author, at: comment.createdAt, comment, role: null })),
  ];
  const acts = all.flatMap(({ author, at, comment, role }): Act[] => {
    const reviewer = author === null ? null : reviewerOf(author, comment, history);
    return author === null || reviewer === null || at < history.createdAt || at > history.end
      ? []
      : [{ reviewer, author, at, comment, counts: role === 'counting' || role === 'automated' }];
  });
  const laterActs = laterActsOf(history);
  return [...Map.groupBy(acts, ({ reviewer }) => reviewer)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reviewer, of]) => actsOf(reviewer, of, history, laterActs, readyAt));
}

interface Act {
  readonly reviewer: string;
  readonly author: PersonRef;
  readonly at: Instant;
  readonly comment: CommentRecord | null;
  /** It is a review that counts. */
  readonly counts: boolean;
}

/** As which reviewer an account acts in a pull request of another's; null where it does not. */
function reviewerOf(author: PersonRef, comment: CommentRecord | null, { record }: History): string | null {
  if (author.kind === 'human') return isSamePerson(author, record.author) ? null : PEOPLE;
  if (author.kind !== 'agent') return null;
  const { knownIds } = record.attribution;
  const { tool, does } = agentOf(author, knownIds);
  if (record.author?.kind === 'agent' && agentOf(record.author, knownIds).tool === tool) return null;
  // A coding agent that answers in the conversation reviews nothing, nor does automation that reports there and that a team calls an agent.
  const reviewsInConversation = does === 'reviews' || does === 'both';
  return comment?.kind === 'general' && !reviewsInConversation ? null : tool;
}

function actsOf(
  reviewer: string,
  acts: readonly Act[],
  history: History,
  laterActs: LaterActs,
  readyAt: Instant | null,
): ReviewerActs {
  const inOrder = acts.toSorted((a, b) => a.at - b.at);
  const findings = acts.flatMap(({ comment }) =>
    comment?.kind === 'inline' && comment.inReplyTo === null ? [comment] : [],
  );
  const first = inOrder[0]!.at;
  const counted: Record<Fate, number> = { changed: 0, resolved: 0, answered: 0, dismissed_by_hand: 0, ignored: 0 };
  let noisy = 0;
  for (const finding of findings) {
    const fate = fateOf(finding, history, laterActs);
    if (fate === null) continue;
    counted[fate] += 1;
    if (fate === 'ignored' || fate === 'dismissed_by_hand' || isDisliked(finding)) noisy += 1;
  }
  const thumbs = (of: 'thumbsUp' | 'thumbsDown') =>
    findings.reduce((sum, { marks }) => sum + (marks === null ? 0 : marks[of]), 0);
  return {
    reviewer,
    person: lastOf(inOrder),
    acted_at: inOrder.map(({ at }) => at),
    wait: readyAt === null ? null : hoursBetween(Math.min(askedAt(reviewer, first, history, readyAt), first), first),
    reviews: acts.filter(({ counts }) => counts).length,
    findings: findings.length,
    fates: counted,
    noisy,
    thumbs_up: thumbs('thumbsUp'),
    thumbs_down: thumbs('thumbsDown'),
  };
}

/** Whoever acted last, of two at once the first by login. */
function lastOf(inOrder: readonly Act[]): PersonRef {
  const { at: last } = inOrder.at(-1)!;
  const of = inOrder.flatMap(({ at, author }) => (at === last ? [author] : []));
  return of.reduce((a, b) => (b.login.toLowerCase() < a.login.toLowerCase() ? b : a));
}

function isDisliked({ marks }: CommentRecord): boolean {
  return marks !== null && marks.thumbsDown > marks.thumbsUp;
}

/** When a reviewer could begin: ready, or the latest request until its first act that names one of its accounts. */
function askedAt(reviewer: string, first: Instant, { events, record }: History, readyAt: Instant): Instant {
  const isNamed = (person: PersonRef | null) =>
    reviewer === PEOPLE
      ? person?.kind === 'human'
      : person?.kind === 'agent' && agentOf(person, record.attribution.knownIds).tool === reviewer;
  const request = events.findLast(
    ({ type, at, reviewer: named }) => type === 'review_requested' && at <= first && isNamed(named),
  );
  return Math.max(readyAt, request?.at ?? readyAt);
}

/**
 * What became of a finding until the end (docs/metrics.md#ai-reviewers); null while the pull request is open, and where it was not read.
 */
function fateOf(finding: CommentRecord, history: History, laterActs: LaterActs): Fate | null {
  const { marks, author, resolvedBy } = finding;
  if (history.endedAt === null || marks === null) return null;
  if (marks.outdated && isPushedAfter(finding, history, laterActs)) return 'changed';
  if (resolvedBy?.kind === 'human' && laterActs.hasAgents) return 'resolved';
  if (laterActs.answers.get(finding.id)?.some((person) => !isSamePerson(person, author))) return 'answered';
  return marks.minimized !== null && marks.minimized !== 'resolved' ? 'dismissed_by_hand' : 'ignored';
}

/** What decides what became of findings: gathered once, however many there are. */
interface LaterActs {
  /** Whoever pushed, null for nobody that is known, and when last. */
  readonly pushes: readonly (readonly [by: PersonRef | null, last: Instant])[];
  /** The people who answered in each thread, by the comment that opens it. */
  readonly answers: ReadonlyMap<string, readonly PersonRef[]>;
  readonly hasAgents: boolean;
}

function laterActsOf({ record, events, comments, end, createdAt }: History): LaterActs {
  // What a bot made in a person's name is not that person's.
  const madeBy = ({ author, authorIsBot }: CommitRecord) => (authorIsBot && author?.kind === 'human' ? null : author);
  const pushes = [
    ...record.commits.map((commit) => ({
      by: madeBy(commit),
      at: Math.min(Math.max(commit.committedAt, createdAt), end),
    })),
    ...events.flatMap(({ type, at, actor }) => (type === 'force_push' && at <= end ? [{ by: actor, at }] : [])),
  ];
  const inline = comments.filter(({ kind }) => kind === 'inline');
  const opens = threadFinder(inline);
  const answers = inline.flatMap(({ inReplyTo, author, createdAt }) =>
    inReplyTo !== null && author?.kind === 'human' && createdAt <= end ? [{ thread: opens(inReplyTo), author }] : [],
  );
  return {
    pushes: [...Map.groupBy(pushes, ({ by }) => by?.id ?? null).values()].map(
      (of) => [of[0]!.by, of.reduce((last, { at }) => Math.max(last, at), -Infinity)] as const,
    ),
    answers: new Map(
      [...Map.groupBy(answers, ({ thread }) => thread)].map(([thread, of]) => [
        thread,
        [...new Map(of.map(({ author }) => [author.id, author])).values()],
      ]),
    ),
    hasAgents: hasAgentsInlineComment(record),
  };
}

/** Finds the comment that opens the thread of another one. */
function threadFinder(inline: readonly CommentRecord[]): (id: string) => string {
  const parents = new Map(inline.map(({ id, inReplyTo }) => [id, inReplyTo]));
  const known = new Map<string, string>();
  return (id) => {
    const chain = new Set<string>();
    let at = id;
    for (let above: string | null = id; above !== null && !chain.has(above); above = parents.get(above) ?? null) {
      at = known.get(above) ?? above;
      if (at !== above) break;
      chain.add(above);
    }
    for (const one of chain) known.set(one, at);
    return at;
  };
}

/**
 * Whether the threads of a pull request count, which are read once it has ended: those with an agent's inline comment. Where only somebody's
 * own marks make an account an agent, they are read for that person, and everybody else is told what they were told before.
 */
export function hasAgentsInlineComment({ comments }: Pick<PullRequestRecord, 'comments'>): boolean {
  return comments.some(({ kind, author }) => kind === 'inline' && author?.kind === 'agent');
}

/** Whether anybody but its author, of a tool any of its accounts, pushed between a finding and the end. */
function isPushedAfter({ author, createdAt }: CommentRecord, { record }: History, { pushes }: LaterActs): boolean {
  return pushes.some(([by, last]) => last > createdAt && !isSameReviewer(by, author, record.attribution.knownIds));
}

function isSameReviewer(a: PersonRef | null, b: PersonRef | null, knownIds: boolean): boolean {
  if (isSamePerson(a, b)) return true;
  return a?.kind === 'agent' && b?.kind === 'agent' && agentOf(a, knownIds).tool === agentOf(b, knownIds).tool;
}
