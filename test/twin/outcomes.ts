import { commitsByAgents, whoWrote } from './ai-accounts.ts';
import { startedBy } from './ai-credit.ts';
import { checksOf } from './my-work.ts';
import { DAY, isHuman, type TwinPull } from './pull-request.ts';

/*
 * What became of one pull request, as told of agents' beside people's (docs/metrics.md#agents-pull-requests-beside-peoples).
 */

/** Reviews that count by anyone but who started it. */
export function independentReviews(on: TwinPull): number {
  const starter = startedBy(on).person?.id;
  return on.counting.filter(({ by }) => by.id !== starter).length;
}

/** One of an agent that was merged: by that alone it can be on somebody's own word. */
export const isMergedOfAgent = ({ pull }: TwinPull) => pull.state === 'merged' && whoWrote(pull) === 'agent';

/** Nobody but who started it looked at it, as far as reviews that count and comments until the merge tell. */
export function isOnOwnWord(on: TwinPull): boolean {
  const starter = startedBy(on).person?.id;
  const isOther = (id: string) => id !== starter && id !== on.pull.author?.id;
  if (independentReviews(on) > 0) return false;
  return !on.pull.comments.some(
    ({ author, createdAt }) => isHuman(author) && isOther(author.id) && createdAt <= on.endedAt!,
  );
}

/** The share of its commits that agents made; null without any. */
export function shareByAgents({ pull }: TwinPull): number | null {
  return pull.commits.length === 0 ? null : commitsByAgents(pull) / pull.commits.length;
}

/** Inline comments by people but its author that open a thread, until its end. */
export function humanFindings({ pull, endedAt }: TwinPull): number {
  return pull.comments.filter(
    ({ kind, inReplyTo, author, createdAt }) =>
      kind === 'inline' &&
      inReplyTo === null &&
      isHuman(author) &&
      author.id !== pull.author?.id &&
      (endedAt === null || createdAt <= endedAt),
  ).length;
}

/** Whether a check failed at the last push; null without checks, and while one runs and none has failed. */
export function isFailing({ pull }: TwinPull): boolean | null {
  const state = checksOf(pull.checks);
  return state === 'failing' || state === 'passing' ? state === 'failing' : null;
}

/** Tried and thrown away: closed within a day, and nobody reviewed it. */
export const isTried = ({ pull, createdAt, endedAt, counting }: TwinPull) =>
  pull.state === 'closed' && endedAt! - createdAt <= DAY && counting.length === 0;
