import type { Account, PullRequestHistory } from '../../history.ts';
import { type Actor, automationActor } from './actors.ts';
import { RELEASE_TRAIN } from './automation.ts';
import { DAY, HOUR, MINUTE, SECOND, wholeSecond } from './calendar.ts';
import type { Dice } from './dice.ts';
import { PullRequestBuilder } from './pull-request-builder.ts';
import type { Culture } from './repositories.ts';
import { humanReview } from './reviewing.ts';
import { sizeOf } from './sizes.ts';
import { branchSlug } from './titles.ts';

/** A pull request that a machine opens by the calendar. */
export interface Routine {
  readonly culture: Culture;
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly openedAt: number;
  readonly account: Account;
  readonly reviewer: Actor | null;
}

/** A dependency update: a person waves it through within days, or a newer one takes its place ("Bots"). */
export function tellBump(routine: Routine, dice: Dice): PullRequestHistory {
  const { openedAt, reviewer, account } = routine;
  const author = automationActor(account, dice);
  const lines = Math.max(2, Math.round(dice.logNormal(16, 1.1)));
  const deletions = Math.floor(lines / 2);
  const files = [
    { path: 'package.json', additions: 1, deletions: 1 },
    { path: 'package-lock.json', additions: lines - deletions, deletions },
  ];
  const story = begin(routine, author, files, dice);
  const { doneAt } = story.runChecks(openedAt, true);
  if (reviewer === null || dice.chance(0.38)) {
    const end = wholeSecond(openedAt + dice.uniform(3, 17) * DAY);
    story.comment(end - SECOND, account.login);
    story.add({ kind: 'closed', at: end, by: account.login });
    story.add({ kind: 'head_ref_deleted', at: end + 2 * SECOND, by: account.login });
    return story.history();
  }
  const approvedAt = reviewer.act(Math.max(doneAt, openedAt + dice.logNormal(5, 1.3) * HOUR));
  humanReview(story, approvedAt, reviewer, 'APPROVED', dice);
  const mergedAt = wholeSecond(approvedAt + dice.uniform(0.3, 12) * MINUTE);
  story.add({ kind: 'merged', at: mergedAt, by: reviewer.who, commit: dice.hex(40) });
  story.add({ kind: 'head_ref_deleted', at: mergedAt + 2 * SECOND, by: account.login });
  return story.history();
}

/** A release, merged by the script that opened it, half the time after somebody looked. */
export function tellRelease(routine: Routine, dice: Dice): PullRequestHistory {
  const { openedAt, reviewer } = routine;
  const author = automationActor(RELEASE_TRAIN, dice);
  const changelog = { path: 'CHANGELOG.md', additions: dice.integer(6, 40), deletions: 0 };
  const story = begin(routine, author, [changelog, { path: 'package.json', additions: 1, deletions: 1 }], dice);
  let { doneAt } = story.runChecks(openedAt, false);
  if (reviewer !== null && dice.chance(0.5)) {
    doneAt = reviewer.act(doneAt + dice.uniform(2, 50) * MINUTE);
    humanReview(story, doneAt, reviewer, 'APPROVED', dice);
  }
  story.add({ kind: 'merged', at: doneAt + 15 * SECOND, by: RELEASE_TRAIN.login, commit: dice.hex(40) });
  return story.history();
}

function begin(routine: Routine, author: Actor, files: Parameters<typeof sizeOf>[0], dice: Dice): PullRequestBuilder {
  const { culture, id, number, title, openedAt, account } = routine;
  const prefix = account.login.split(/[[-]/)[0] ?? 'bot';
  const story = new PullRequestBuilder(culture, dice, {
    id,
    number,
    title,
    author,
    at: openedAt,
    draft: false,
    baseRef: culture.defaultBranch,
    headRef: `${prefix}/${branchSlug(title)}`,
    bodyLength: dice.integer(400, 3_000),
    size: sizeOf(files),
    messages: [title],
    trailer: null,
  });
  if (account !== RELEASE_TRAIN) {
    story.add({ kind: 'labeled', at: openedAt + SECOND, by: account.login, label: 'dependencies' });
  }
  return story;
}
