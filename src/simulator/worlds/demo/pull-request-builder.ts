import type {
  CheckOutcome,
  Commit,
  Entry,
  InlineComment,
  PullRequestHistory,
  ReviewState,
  Size,
  Who,
} from '../../history.ts';
import type { Actor } from './actors.ts';
import { GITHUB_ACTIONS } from './automation.ts';
import { MINUTE, SECOND, wholeSecond } from './calendar.ts';
import type { Dice } from './dice.ts';
import type { Culture } from './repositories.ts';
import { drawPath, grown } from './sizes.ts';

/** Every pull request has this many ids of its own, so that none depends on what happens elsewhere. */
const IDS_PER_PULL_REQUEST = 4_096;
/** From here on, a pull request's ids belong to what `ai-reviews.ts` adds. */
const FIRST_AI_REVIEW_ID = 1_024;
/** From here on, a pull request's ids belong to what `pulse.ts` adds. */
const FIRST_PULSE_ID = 2_048;
/** Room for this many pull requests in a repository; with eight of them all ids stay below 2^31. */
const PULL_REQUESTS_PER_REPOSITORY = 32_768;

/** The first of the ids of the pull request that is the `ordinal`-th of the repository with this index. */
export function idBlock(repositoryIndex: number, ordinal: number): number {
  return (repositoryIndex * PULL_REQUESTS_PER_REPOSITORY + ordinal + 1) * IDS_PER_PULL_REQUEST;
}

/** The `index`-th id of a pull request that is set aside for reviews added to its story; below 1,024. */
export function aiReviewId(pullRequestId: number, index: number): number {
  return pullRequestId + FIRST_AI_REVIEW_ID + index;
}

/** The `index`-th id of a pull request that is set aside for its pulse; null when they are used up. */
export function pulseId(pullRequestId: number, index: number): number | null {
  return index < IDS_PER_PULL_REQUEST - FIRST_PULSE_ID ? pullRequestId + FIRST_PULSE_ID + index : null;
}

export interface Opening {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly author: Actor;
  readonly at: number;
  readonly draft: boolean;
  readonly baseRef: string;
  readonly headRef: string;
  readonly bodyLength: number;
  readonly size: Size;
  /** Messages of the commits it is opened with, oldest first. */
  readonly messages: readonly string[];
  /** Appended to commit messages; null for none. */
  readonly trailer: string | null;
}

export interface ReviewText {
  readonly bodyLength: number;
  readonly comments: number;
}

/** Writes down one pull request while its story is told: gives ids and shas, keeps the size, runs the checks. */
export class PullRequestBuilder {
  readonly #culture: Culture;
  readonly #dice: Dice;
  readonly #opening: Opening;
  readonly #commits: Commit[];
  #listed: Commit[];
  #size: Size;
  #entries: Entry[] = [];
  #nextId: number;

  constructor(culture: Culture, dice: Dice, opening: Opening) {
    this.#culture = culture;
    this.#dice = dice;
    this.#opening = opening;
    this.#nextId = opening.id + 1;
    this.#size = opening.size;
    let at = opening.at - dice.integer(20, 600) * SECOND;
    const commits: Commit[] = [];
    for (const message of [...opening.messages].reverse()) {
      commits.unshift(this.#commit(at, opening.author, message));
      at = wholeSecond(at - Math.min(dice.logNormal(40, 1), 300) * MINUTE);
    }
    this.#commits = commits;
    this.#listed = [...commits];
  }

  id(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
  }

  get head(): string | null {
    return this.#listed.at(-1)?.sha ?? null;
  }

  /** Commits pushed by someone; the checks of the new head follow by `runChecks`. */
  push(at: number, by: Actor, messages: readonly string[]): void {
    this.#size = grown(this.#size, this.#culture.name, by.owner, this.#dice);
    const commits = messages.map((message, index) =>
      this.#commit(at - (messages.length - 1 - index) * this.#dice.integer(40, 240) * SECOND, by, message),
    );
    commits.sort((one, other) => one.committedAt - other.committedAt);
    this.#listed.push(...commits);
    this.add({ kind: 'commits', at, by: by.who, commits, size: this.#size });
  }

  /** A rebase: every listed commit gets a new sha and commit date. */
  forcePush(at: number, by: Actor): void {
    const before = this.head;
    this.#listed = this.#listed.map((commit) => ({ ...commit, sha: this.#dice.hex(40), committedAt: at }));
    this.add({
      kind: 'force_push',
      at,
      by: by.who,
      before,
      after: this.head,
      commits: [...this.#listed],
      size: this.#size,
    });
  }

  /** The check runs of the head commit; returns when the last one finished and whether all went well. */
  runChecks(at: number, canFail: boolean): { doneAt: number; passed: boolean } {
    const failing = canFail && this.#dice.chance(0.11) ? this.#dice.pick(this.#culture.checks) : null;
    let doneAt = at;
    for (const name of this.#culture.checks) {
      doneAt = Math.max(doneAt, this.#check(at, name, name === failing ? 'FAILURE' : 'SUCCESS'));
    }
    if (this.#culture.statusContext !== null) {
      const reportedAt = wholeSecond(at + this.#dice.uniform(1, 9) * MINUTE);
      const context = this.#culture.statusContext;
      this.add({ kind: 'status', at: reportedAt, by: 'brasswick-ci[bot]', id: this.id(), context, state: 'SUCCESS' });
    }
    if (failing === null) return { doneAt, passed: true };
    if (this.#dice.chance(0.45)) return { doneAt, passed: false };
    const rerunAt = doneAt + this.#dice.integer(60, 1_200) * SECOND;
    return { doneAt: this.#check(rerunAt, failing, 'SUCCESS'), passed: true };
  }

  #check(at: number, name: string, outcome: CheckOutcome): number {
    const startedAt = at + this.#dice.integer(4, 50) * SECOND;
    const doneAt = wholeSecond(startedAt + Math.min(this.#dice.logNormal(4, 0.7), 45) * MINUTE);
    const by = GITHUB_ACTIONS.login;
    this.add({ kind: 'check', at: doneAt, by, id: this.id(), name, app: 'github-actions', startedAt, outcome });
    return doneAt;
  }

  /** A submitted review with new threads; returns the ids of the review and of the comments that opened them. */
  review(at: number, by: Actor, state: ReviewState, text: ReviewText): { id: number; threads: readonly number[] } {
    const comments: InlineComment[] = [];
    for (let index = 0; index < text.comments; index++) {
      const path = this.#size.files[this.#dice.integer(0, this.#size.files.length - 1)]?.path ?? 'README.md';
      comments.push({ id: this.id(), at, author: by.who, path, inReplyTo: null });
    }
    const id = this.id();
    this.add({ kind: 'review', at, by: by.who, id, state, bodyLength: text.bodyLength, comments, commit: this.head });
    return { id, threads: comments.map((comment) => comment.id) };
  }

  /** An answer in a thread: the host makes it a commented review without a body. */
  reply(at: number, by: Actor, thread: number): void {
    const path = this.#threadPath(thread);
    const comments: InlineComment[] = [{ id: this.id(), at, author: by.who, path, inReplyTo: thread }];
    const id = this.id();
    this.add({ kind: 'review', at, by: by.who, id, state: 'COMMENTED', bodyLength: 0, comments, commit: this.head });
  }

  comment(at: number, by: Who): void {
    this.add({ kind: 'comment', at, by, id: this.id() });
  }

  /** Drops everything told for later than the end; what is added from then on happened after it. */
  cutAt(end: number): void {
    this.#entries = this.#entries.filter((entry) => entry.at <= end);
  }

  /** Entries in time order; those of one instant as they were told. */
  history(): PullRequestHistory {
    const { id, number, title, author, at, draft, baseRef, headRef, bodyLength, size } = this.#opening;
    return {
      id,
      number,
      title,
      author: author.who,
      createdAt: at,
      openedAsDraft: draft,
      baseRef,
      headRef,
      bodyLength,
      commits: this.#commits,
      size,
      entries: this.#entries.sort((one, other) => one.at - other.at),
    };
  }

  #threadPath(thread: number): string {
    for (const entry of this.#entries) {
      if (entry.kind !== 'review') continue;
      const opener = entry.comments.find((comment) => comment.id === thread);
      if (opener !== undefined) return opener.path;
    }
    return drawPath(this.#culture.name, 0, this.#dice);
  }

  #commit(at: number, by: Actor, message: string): Commit {
    const { trailer } = this.#opening;
    const signed = trailer !== null && by === this.#opening.author;
    const moment = wholeSecond(at);
    return {
      sha: this.#dice.hex(40),
      account: this.#dice.chance(0.004) ? null : by.who,
      authorName: by.gitName,
      authorEmail: by.gitEmail,
      authoredAt: moment,
      committedAt: moment,
      message: signed ? `${message}\n\n${trailer}` : message,
    };
  }
}
