import type { Account, Entry, InlineComment, PullRequestHistory, Who } from '../../history.ts';
import { AUTOMATION, CODERABBIT, COPILOT_REVIEWER, GEMINI } from './automation.ts';
import { HOUR, MINUTE, SECOND, wholeSecond } from './calendar.ts';
import { Dice } from './dice.ts';
import type { RepositoryName } from './people.ts';
import { aiReviewId } from './pull-request-builder.ts';
import { endOf } from './pulse.ts';

/** An AI reviewer that comes to a repository. Shares are between 0 and 1. */
interface Arrival {
  readonly account: Account;
  readonly repository: RepositoryName;
  /** The week of the demo's history. */
  readonly since: number;
  /** Of people's and agents' pull requests, and of bots', how many it reviews. */
  readonly share: number;
  readonly ofBots: number;
  /** Of its reviews, how many say nothing of any line, and how many go on and on. */
  readonly silent: number;
  readonly talkative: number;
}

/**
 * Besides the reviewers that repositories have from the beginning: one that came to the infrastructure 18 weeks before the demo is opened
 * for the first time and comments on everything, and one that a few try.
 */
const ARRIVALS: readonly Arrival[] = [
  {
    ...{ account: CODERABBIT, repository: 'quayside', since: 60, share: 0.85, ofBots: 0.95 },
    ...{ silent: 0.2, talkative: 0.14 },
  },
  {
    ...{ account: CODERABBIT, repository: 'courier-web', since: 0, share: 0.1, ofBots: 0.95 },
    ...{ silent: 0, talkative: 0.9 },
  },
  {
    ...{ account: GEMINI, repository: 'pricing', since: 74, share: 0.16, ofBots: 0 },
    ...{ silent: 0.4, talkative: 0 },
  },
];

/** What people make of the findings of a reviewer. Shares are between 0 and 1. */
interface Reception {
  /** Of the findings that a push follows, those whose line it changes. */
  readonly changed: number;
  /** Of the reviews with findings that nobody pushes after, those after which the author does. */
  readonly pushes: number;
  readonly resolved: number;
  readonly hidden: number;
  /** Of the author's answers, those that are given. */
  readonly answered: number;
  readonly thumbsUp: number;
  readonly thumbsDown: number;
}

const RECEPTIONS: Readonly<Record<string, Reception>> = {
  [COPILOT_REVIEWER.login]: {
    ...{ changed: 0.8, pushes: 0.55, resolved: 0.4, hidden: 0.01, answered: 0.8 },
    ...{ thumbsUp: 0.14, thumbsDown: 0.02 },
  },
  [CODERABBIT.login]: {
    ...{ changed: 0.4, pushes: 0.15, resolved: 0.12, hidden: 0.12, answered: 0.2 },
    ...{ thumbsUp: 0.02, thumbsDown: 0.13 },
  },
};

/** Of a reviewer that nothing else is said of, and of people. */
const USUAL: Reception = {
  ...{ changed: 0.92, pushes: 0, resolved: 0.3, hidden: 0.01, answered: 1 },
  ...{ thumbsUp: 0.04, thumbsDown: 0.005 },
};

/** How often it looks again after a push. */
const SECOND_LOOK = 0.3;

const MACHINES: ReadonlySet<Who> = new Set(AUTOMATION.map(({ login }) => login));
const BOTS = /^(deps-bot|dependabot|github-actions|brasswick-)/;

/**
 * The same pull request with the reviews of AI reviewers that came to its repository, and with what became of all findings in it. Draws of
 * its own: what people do stays as it is, but for answers to findings that nobody cares for.
 */
export function withAiReviews(
  pull: PullRequestHistory,
  repository: RepositoryName,
  week: number,
  seed: number,
): PullRequestHistory {
  const dice = new Dice(seed, 'ai reviews', pull.id);
  const added = ARRIVALS.filter((arrival) => arrival.repository === repository && week >= arrival.since).flatMap(
    (arrival, index) => reviewsOf(arrival, pull, index * 128, dice),
  );
  const reviewed = inOrder({ ...pull, entries: [...pull.entries, ...added] });
  return withFates(withPush(reviewed, dice), dice);
}

/** The author pushes once more before any person has looked, where an AI reviewer found something that they take up. */
function withPush(pull: PullRequestHistory, dice: Dice): PullRequestHistory {
  const { author, entries } = pull;
  const first = entries.find((entry) => entry.kind === 'review' && entry.comments.length > 0 && entry.by !== author);
  const pushes = RECEPTIONS[first?.by ?? '']?.pushes ?? 0;
  const last = pull.commits.at(-1);
  if (first === undefined || last === undefined || author === null || !dice.chance(pushes)) return pull;
  const at = wholeSecond(first.at + dice.uniform(8, 55) * MINUTE);
  const stops = entries.find(
    (entry) => (isPush(entry) && entry.at > first.at) || (entry.kind === 'review' && !MACHINES.has(entry.by)),
  );
  const isTooLate = at >= Math.min(stops?.at ?? at + 1, endOf(pull) - 30 * MINUTE);
  const isSettled = entries.some(
    (entry) => entry.kind === 'force_push' || (entry.kind === 'status' && entry.state === 'FAILURE'),
  );
  if (isTooLate || last.account !== author || isSettled) return pull;
  const commit = {
    ...last,
    sha: dice.hex(40),
    authoredAt: at,
    committedAt: at,
    message: 'Take up what the review found',
  };
  const names = new Map(entries.flatMap((entry) => (entry.kind === 'check' ? [[entry.name, entry]] : [])));
  const checks = [...names.values()].map((check, index): Entry => {
    const startedAt = at + dice.integer(5, 40) * SECOND;
    const doneAt = startedAt + dice.integer(90, 700) * SECOND;
    return { ...check, id: aiReviewId(pull.id, 900 + index), at: doneAt, startedAt, outcome: 'SUCCESS' };
  });
  return inOrder({ ...pull, entries: [...entries, { kind: 'commits', at, by: author, commits: [commit] }, ...checks] });
}

function inOrder(pull: PullRequestHistory): PullRequestHistory {
  return { ...pull, entries: [...pull.entries].sort((one, other) => one.at - other.at) };
}

function isPush({ kind }: Entry): boolean {
  return kind === 'commits' || kind === 'force_push';
}

function reviewsOf(arrival: Arrival, pull: PullRequestHistory, firstId: number, dice: Dice): readonly Entry[] {
  const isOfBot = BOTS.test(pull.author ?? '');
  if (!dice.chance(isOfBot ? arrival.ofBots : arrival.share)) return [];
  const end = endOf(pull);
  const ready = pull.openedAsDraft ? pull.entries.find(({ kind }) => kind === 'ready_for_review')?.at : pull.createdAt;
  if (ready === undefined) return [];
  const push = pull.entries.find((entry) => isPush(entry) && entry.at > ready);
  const again = push !== undefined && dice.chance(SECOND_LOOK) ? [push.at] : [];
  const by = arrival.account.login;
  let used = firstId;
  const id = () => {
    used += 1;
    return aiReviewId(pull.id, used);
  };
  return [ready, ...again].flatMap((from): Entry[] => {
    const at = wholeSecond(from + dice.uniform(2, 9) * MINUTE);
    const count = findings(arrival, dice);
    if (at >= end) return [];
    const comments = Array.from({ length: count }, (): InlineComment => {
      const path = dice.pick(pull.size.files).path;
      return { id: id(), at, author: by, path, inReplyTo: null };
    });
    const review = { kind: 'review', state: 'COMMENTED', bodyLength: dice.integer(300, 2_600) } as const;
    const commit = pull.commits.at(-1)?.sha ?? null;
    return [
      { kind: 'comment', at: at - 30 * SECOND, by, id: id() },
      { ...review, at, by, id: id(), comments, commit },
    ];
  });
}

function findings({ silent, talkative }: Arrival, dice: Dice): number {
  const draw = dice.next();
  if (draw < talkative) return dice.integer(11, 27);
  return draw < talkative + silent ? 0 : 1 + dice.geometric(1.1);
}

interface Finding {
  readonly id: number;
  readonly at: number;
  readonly by: Who;
}

/** What became of each finding: its line changed, its thread resolved, hidden, praised, or none of it. */
function withFates(pull: PullRequestHistory, dice: Dice): PullRequestHistory {
  const end = endOf(pull);
  const human = MACHINES.has(pull.author) ? pull.entries.findLast(({ by }) => !MACHINES.has(by))?.by : pull.author;
  const unanswered = new Set<number>();
  const added: Entry[] = [];
  for (const { id: comment, at, by } of findingsOf(pull, end)) {
    const { changed, resolved, hidden, answered, thumbsUp, thumbsDown } = RECEPTIONS[by ?? ''] ?? USUAL;
    const push = pull.entries.find((entry) => isPush(entry) && entry.at > at && entry.at <= end && entry.by !== by);
    const later = wholeSecond(at + Math.min(dice.uniform(0.2, 4) * HOUR, Math.max(0, (end - at) * 0.9)));
    if (!dice.chance(answered)) unanswered.add(comment);
    if (push !== undefined && dice.chance(changed))
      added.push({ kind: 'comment_outdated', at: push.at, by: push.by, comment });
    if (human === undefined || human === null) continue;
    if (dice.chance(resolved)) added.push({ kind: 'thread_resolved', at: later, by: human, comment });
    if (dice.chance(hidden)) {
      const reason = dice.pick(['off-topic', 'outdated', 'resolved']);
      added.push({ kind: 'comment_minimized', at: later, by: human, comment, reason });
    }
    for (const [content, share] of [['THUMBS_UP', thumbsUp] as const, ['THUMBS_DOWN', thumbsDown] as const]) {
      if (dice.chance(share)) added.push({ kind: 'reacted', at: later, by: human, comment, content, count: 1 });
    }
  }
  const entries = pull.entries.filter((entry) => !isAnswerTo(unanswered, entry, pull.author));
  return inOrder({ ...pull, entries: [...entries, ...added] });
}

/** Comments that open a thread, by anybody but the author, up to the end. */
function findingsOf({ author, entries }: PullRequestHistory, end: number): readonly Finding[] {
  return entries.flatMap((entry) =>
    entry.kind === 'review' && entry.by !== author && entry.at <= end
      ? entry.comments.flatMap(({ id, at, inReplyTo }) => (inReplyTo === null ? [{ id, at, by: entry.by }] : []))
      : [],
  );
}

/** A review of the author's that is nothing but an answer to one of these findings. */
function isAnswerTo(findings: ReadonlySet<number>, entry: Entry, author: Who): boolean {
  if (entry.kind !== 'review' || entry.by !== author || entry.bodyLength > 0) return false;
  return entry.comments.length === 1 && findings.has(entry.comments[0]?.inReplyTo ?? 0);
}
