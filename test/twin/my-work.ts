import type { CheckRecord, PersonRef } from '#domain/pull-request.ts';
import { creditedOf } from './ai-credit.ts';
import { submittedAs } from './phases.ts';
import { DAY, isHuman, STUCK, type TwinPull, type TwinReview } from './pull-request.ts';

/*
 * What each open pull request is to each person (docs/metrics.md#my-work), told from what happened alone.
 */

/** A team of the host and the ids of who are its members now. */
export interface AskableTeam {
  readonly handle: string;
  readonly members: ReadonlySet<string>;
}

export interface TwinWork {
  readonly number: number;
  readonly kind: string;
  readonly reason: string;
  readonly since: number;
  readonly asked_at: number | null;
  readonly team: string | null;
  readonly overdue: boolean;
  readonly checks: string | null;
}

/** What it is to a person; null where it is nothing to them. */
function workOf(
  on: TwinPull,
  me: PersonRef,
  teams: readonly AskableTeam[],
  now: number,
): Omit<TwinWork, 'number' | 'overdue' | 'checks'> | null {
  const { pull } = on;
  const turn = on.phases.turn!;
  const isCredited = creditedOf(on)?.id === me.id;
  const none = { asked_at: null, team: null };
  if (pull.draft) return isCredited ? { kind: 'draft', reason: turn.reason, since: turn.since, ...none } : null;

  const isAsked = pull.requested.some((request) => 'person' in request && request.person.id === me.id);
  const asked_at = isAsked ? askedAt(on, (event) => event.reviewer?.id === me.id, now) : null;
  const at = { asked_at, team: null };
  const mine = on.counting.filter(({ by }) => by.id === me.id);
  if (isCredited && turn.on === 'author') {
    const isAgents = pull.author?.kind === 'agent' && mine.some((review) => review.at === turn.since);
    return isAgents && now - turn.since < DAY
      ? { kind: 'yours_waits', reason: 'agent', since: turn.since, ...at }
      : { kind: 'author', reason: turn.reason, since: turn.since, ...at };
  }
  if (isCredited && turn.on === 'merge') return { kind: 'merge', reason: turn.reason, since: turn.since, ...at };

  const opinion = opinionOf(on, mine);
  if (turn.on === 'reviewers') {
    if (isAsked) return { kind: 'review', reason: 'requested', since: Math.max(asked_at!, turn.since), ...at };
    if (isCalledBack(on, mine, now)) {
      const secondOf = (at: number) => Math.floor(at / 1000);
      const lostApprovals = pull.reviews.filter(
        ({ id, author }) =>
          author?.id === me.id &&
          pull.events.some(
            ({ type, reviewId, previousState, at }) =>
              type === 'review_dismissed' &&
              reviewId === id &&
              previousState === 'approved' &&
              secondOf(at) >= secondOf(turn.since),
          ),
      );
      const lost = turn.reason === 'review_dismissed' && lostApprovals.length > 0 ? 'dismissed' : 'updated';
      return {
        ...{ kind: 'review_again', since: turn.since, ...at },
        reason: opinion === 'changes_requested' ? 'answered' : lost,
      };
    }
    const through = teams
      .filter(({ members }) => members.has(me.id))
      .filter(({ handle }) => pull.requested.some((request) => 'team' in request && request.team === handle))
      .map(({ handle }) => ({ handle, at: askedAt(on, ({ team }) => team === handle, now) }))
      .filter(({ at }) => !mine.some((review) => review.at >= at))
      .sort((a, b) => a.at - b.at || (a.handle < b.handle ? -1 : 1))[0];
    if (through !== undefined && pull.author?.id !== me.id)
      return {
        ...{ kind: 'team_review', reason: 'requested_of_team', since: Math.max(through.at, turn.since) },
        ...{ asked_at: through.at, team: through.handle },
      };
    if (isCredited) return { kind: 'yours_waits', reason: turn.reason, since: turn.since, ...at };
  }
  if (pull.author?.id === me.id || (mine.length === 0 && !isAsked)) return null;
  const own = opinion === 'approved' ? 'approved_by_you' : 'faded';
  return {
    ...{ kind: 'reviewed_waits', since: turn.since, ...at },
    reason: turn.on === 'reviewers' ? own : turn.reason,
  };
}

/** The same of all open ones, those left out to which it is nothing, in any order. */
export function workList(
  pulls: readonly TwinPull[],
  me: PersonRef,
  teams: readonly AskableTeam[],
  now: number,
): TwinWork[] {
  return pulls.flatMap((on) => {
    const work = workOf(on, me, teams, now);
    if (work === null) return [];
    const isTurn = ['author', 'merge', 'review', 'review_again', 'team_review'].includes(work.kind);
    return [
      {
        ...{ number: on.pull.number, ...work },
        overdue: isTurn && now - work.since > STUCK,
        checks: checksOf(on.pull.checks),
      },
    ];
  });
}

/** One section in its order. */
export function inOrder(works: readonly TwinWork[]): TwinWork[] {
  const fails = ({ checks }: TwinWork) => (checks === 'failing' ? 1 : 0);
  const late = ({ overdue }: TwinWork) => (overdue ? 0 : 1);
  return [...works].sort((a, b) => {
    const [first, second] = a.kind === 'merge' ? [fails, late] : [late, fails];
    return first(a) - first(b) || second(a) - second(b) || a.since - b.since || a.number - b.number;
  });
}

/** It waits for reviewers, no person and no team is asked, and no review calls its reviewer back. */
export function waitsForNobody(on: TwinPull, now: number): boolean {
  if (on.pull.draft || on.phases.turn?.on !== 'reviewers') return false;
  if (on.pull.requested.some((asked) => 'team' in asked || isHuman(asked.person))) return false;
  return [...new Set(on.counting.map(({ by }) => by.id))].every(
    (id) =>
      !isCalledBack(
        on,
        on.counting.filter(({ by }) => by.id === id),
        now,
      ),
  );
}

/** Somebody's opinion that stands, by all their reviews. */
function opinionOf({ pull }: TwinPull, theirs: readonly TwinReview[]): string | null {
  const last = theirs.findLast(({ review }) => submittedAs(pull, review) !== 'commented');
  return last === undefined || last.review.state === 'dismissed' ? null : last.review.state;
}

function isCalledBack(on: TwinPull, theirs: readonly TwinReview[], now: number): boolean {
  const opinion = opinionOf(on, theirs);
  if (theirs.length === 0 || opinion === 'approved') return false;
  const { since } = on.phases.turn!;
  if (opinion === 'changes_requested' && now - since <= 365 * DAY) return true;
  return since - theirs.at(-1)!.at <= 30 * DAY && now - since <= 90 * DAY;
}

/** The latest request that nobody took back; else when it was ready. Never before it last became so. */
function askedAt(
  { pull, readyAt, createdAt }: TwinPull,
  names: (event: TwinPull['pull']['events'][number]) => boolean,
  now: number,
): number {
  const all = (type: string, some: typeof names = () => true) =>
    pull.events.filter((event) => event.type === type && some(event)).map(({ at }) => Math.min(at, now));
  const removed = all('review_request_removed', names);
  const asked = all('review_requested', names).filter((at) => removed.every((gone) => gone <= at));
  const told = asked.length > 0 ? Math.max(...asked) : (readyAt ?? createdAt);
  return Math.max(told, ...all('ready_for_review'));
}

/** Of one name the latest counts. */
export function checksOf(checks: readonly CheckRecord[]): string | null {
  const begun = ({ startedAt, completedAt }: CheckRecord) => startedAt ?? completedAt ?? Number.POSITIVE_INFINITY;
  const counted = checks
    .filter(({ outcome }) => outcome !== 'cancelled' && outcome !== 'stale')
    .sort((a, b) => begun(a) - begun(b) || (a.id < b.id ? -1 : 1));
  const latest = counted.filter(({ name }, at) => counted.findLastIndex((other) => other.name === name) === at);
  if (latest.length === 0) return null;
  const bad = ['failure', 'timed_out', 'startup_failure', 'action_required', 'error'];
  if (latest.some(({ outcome }) => bad.includes(outcome ?? ''))) return 'failing';
  return latest.some(({ outcome }) => outcome === null) ? 'running' : 'passing';
}
