import type { PullRequestHistory, Size, Who } from '../../history.ts';
import { type Actor, personActor } from './actors.ts';
import { type Calendar, DAY, HOUR, MINUTE, SECOND } from './calendar.ts';
import { Dice } from './dice.ts';
import { ORGANIZATION, PEOPLE } from './people.ts';
import type { Practice } from './practice.ts';
import { PullRequestBuilder } from './pull-request-builder.ts';
import type { Culture } from './repositories.ts';
import { humanReview } from './reviewing.ts';
import { sizeOf } from './sizes.ts';
import type { Staff } from './staff.ts';
import { branchSlug } from './titles.ts';

/** A pull request that comes of another one's merge, known before its number is. */
export interface Consequence {
  readonly openedAt: number;
  readonly tell: (id: number, number: number, dice: Dice) => PullRequestHistory;
  /** What comes of its own merge. */
  readonly consequences: (told: PullRequestHistory) => readonly Consequence[];
}

/** Where and by whom it happens. */
export interface Surroundings {
  readonly culture: Culture;
  readonly staff: Staff;
  readonly calendar: Calendar;
  readonly seed: number;
  readonly practice: Practice;
}

interface Merge {
  readonly number: number;
  readonly title: string;
  readonly at: number;
  readonly sha: string;
  readonly size: Size;
}

const none = () => [];

/**
 * What comes of a merged pull request: a revert by the login that answers for it, some of which are reapplied, or a fix of the same files.
 * Draws of its own: whether there is any changes nothing in the pull request itself.
 */
export function consequencesOf(
  told: PullRequestHistory,
  surroundings: Surroundings,
  answersForIt: Who = told.author,
): readonly Consequence[] {
  const { calendar, culture, practice, seed } = surroundings;
  const merge = mergeOf(told, culture.defaultBranch);
  if (merge === null || answersForIt === null) return [];
  const dice = new Dice(seed, 'aftermath', told.id);
  const author = actorOf(answersForIt, calendar, dice);
  if (author === null) return [];
  const draw = dice.next();
  if (draw < practice.reverted) return revert(merge, author, surroundings, dice);
  return draw < practice.reverted + practice.followedUp ? followUp(merge, author, surroundings, dice) : [];
}

function mergeOf({ number, title, baseRef, size, entries }: PullRequestHistory, base: string): Merge | null {
  const merged = entries.find((entry) => entry.kind === 'merged');
  if (merged?.kind !== 'merged' || merged.commit === null) return null;
  const isOnBase = baseRef === base || entries.some((entry) => entry.kind === 'base_changed' && entry.to === base);
  if (!isOnBase) return null;
  const renamed = entries.findLast((entry) => entry.kind === 'renamed');
  const grown = entries.findLast((entry) => entry.kind === 'commits' && entry.size !== undefined);
  return {
    number,
    title: renamed?.kind === 'renamed' ? renamed.to : title,
    at: merged.at,
    sha: merged.commit,
    size: (grown?.kind === 'commits' ? grown.size : undefined) ?? size,
  };
}

function actorOf(login: string, calendar: Calendar, dice: Dice): Actor | null {
  const person = PEOPLE.find((one) => one.account.login === login && !one.deleted);
  return person === undefined ? null : personActor(person, calendar, dice);
}

/** By the host's button, or by hand under a branch of one's own; a quarter come back within days. */
function revert(merge: Merge, author: Actor, surroundings: Surroundings, dice: Dice): readonly Consequence[] {
  const openedAt = author.act(merge.at + Math.min(dice.logNormal(9, 1.3), 24 * 20) * HOUR);
  const title = `Revert "${merge.title}"`;
  const isButton = dice.chance(0.7);
  const change: Change = {
    title,
    headRef: isButton ? `revert-${merge.number}-${branchSlug(merge.title)}` : `back-out/${branchSlug(merge.title)}`,
    body: isButton ? `Reverts ${ORGANIZATION}/${surroundings.culture.name}#${merge.number}\n` : null,
    message: `${title}\n\nThis reverts commit ${merge.sha}.`,
    size: sizeOf(
      merge.size.files.map(({ path, additions, deletions }) => ({ path, additions: deletions, deletions: additions })),
    ),
  };
  const comesBack = dice.chance(0.25);
  return [
    {
      openedAt,
      tell: tellChange(change, author, openedAt, surroundings),
      consequences: comesBack ? (told) => reapplication(told, merge, author, surroundings, dice) : none,
    },
  ];
}

function reapplication(
  told: PullRequestHistory,
  merge: Merge,
  author: Actor,
  surroundings: Surroundings,
  dice: Dice,
): readonly Consequence[] {
  const reverted = mergeOf(told, surroundings.culture.defaultBranch);
  if (reverted === null) return [];
  const openedAt = author.act(reverted.at + dice.uniform(0.5, 2.5) * DAY);
  const title = `Reapply "${merge.title}"`;
  const change: Change = {
    title,
    headRef: `reapply-${merge.number}-${branchSlug(merge.title)}`,
    body: `Reapplies #${merge.number} with the case that was missing.\n`,
    message: title,
    size: merge.size,
  };
  return [{ openedAt, tell: tellChange(change, author, openedAt, surroundings), consequences: none }];
}

/** A few lines in the same files, within days. */
function followUp(merge: Merge, author: Actor, surroundings: Surroundings, dice: Dice): readonly Consequence[] {
  const openedAt = author.act(merge.at + dice.uniform(0.05, 4) * DAY);
  const paths = merge.size.files.map(({ path }) => path).slice(0, 1 + dice.geometric(0.7));
  const size = sizeOf(
    paths.slice(0, 4).map((path) => ({ path, additions: dice.integer(2, 9), deletions: dice.integer(0, 2) })),
  );
  const what = dice.pick(['Fix what', 'Fix the case that', 'Hotfix for what', 'Repair what']);
  const title = `${what} #${merge.number} ${dice.pick(['broke', 'left out', 'made slow'])}`;
  const change: Change = { title, headRef: `fix/after-${merge.number}`, body: null, message: title, size };
  return [{ openedAt, tell: tellChange(change, author, openedAt, surroundings), consequences: none }];
}

interface Change {
  readonly title: string;
  readonly headRef: string;
  readonly body: string | null;
  readonly message: string;
  readonly size: Size;
}

/** Approved and merged within the hour or soon after, by whoever opened it. */
function tellChange(
  { title, headRef, body, message, size }: Change,
  author: Actor,
  openedAt: number,
  { culture, staff, practice }: Surroundings,
): Consequence['tell'] {
  return (id, number, dice) => {
    const story = new PullRequestBuilder(culture, dice, {
      id,
      number,
      title,
      author,
      at: openedAt,
      draft: false,
      baseRef: culture.defaultBranch,
      headRef,
      bodyLength: dice.integer(40, 400),
      size,
      messages: [message],
      trailer: null,
    });
    const { doneAt } = story.runChecks(openedAt, false);
    const reviewer = staff.reviewer(openedAt, [author], dice, practice.soleReviewer);
    let readyAt = doneAt;
    if (reviewer !== null) {
      readyAt = Math.max(doneAt, reviewer.act(openedAt + dice.uniform(6, 50) * MINUTE));
      humanReview(story, readyAt, reviewer, 'APPROVED', dice);
    }
    const mergedAt = author.act(readyAt + dice.integer(60, 1_800) * SECOND);
    story.add({ kind: 'merged', at: mergedAt, by: author.who, commit: dice.hex(40) });
    const history = story.history();
    return body === null ? history : { ...history, body };
  };
}
