import { describe, expect, it } from 'vitest';
import { NOW, SINCE, world } from '../../../../test/support/demo.ts';
import { countBy, isMachine, quantile, stateAt } from '../../../../test/support/demo-figures.ts';
import type { Entry, PullRequestHistory } from '../../history.ts';
import { DAY, HOUR, MINUTE, WEEK } from './calendar.ts';
import { CHANGE_WEEK } from './practice.ts';
import { endOf } from './pulse.ts';

interface Merge {
  readonly repository: string;
  readonly pull: PullRequestHistory;
  readonly at: number;
}

/** What people opened and somebody merged. */
const merges = world.repositories.flatMap(({ name, pullRequests }) =>
  pullRequests
    .filter((pull) => !isMachine(pull.author) && stateAt(pull, NOW) === 'merged')
    .map((pull): Merge => ({ repository: name, pull, at: endOf(pull) })),
);
const lately = merges.filter(({ at }) => at > NOW - 90 * DAY);
const changedAt = SINCE + CHANGE_WEEK * WEEK;

type Review = Entry & { readonly kind: 'review' };

/** Reviews by people other than the author, up to the merge; replies in threads are none. */
function reviewsOf({ pull, at }: Merge): readonly Review[] {
  return pull.entries.filter(
    (entry): entry is Review =>
      entry.kind === 'review' &&
      entry.at <= at &&
      entry.by !== pull.author &&
      !isMachine(entry.by) &&
      (entry.state !== 'COMMENTED' ||
        entry.bodyLength > 0 ||
        entry.comments.some(({ inReplyTo }) => inReplyTo === null)),
  );
}

/** Who approves and who asks for changes at the merge, and since when. */
function opinionsOf(merge: Merge): readonly Review[] {
  const dismissed = merge.pull.entries.flatMap((entry) =>
    entry.kind === 'review_dismissed' && entry.at <= merge.at ? [entry.review] : [],
  );
  const opinions = reviewsOf(merge).filter(({ state }) => state !== 'COMMENTED');
  const last = new Map(opinions.map((review) => [review.by, review]));
  return [...last.values()].filter(({ id }) => !dismissed.includes(id));
}

const approvalsOf = (merge: Merge) => opinionsOf(merge).filter(({ state }) => state === 'APPROVED');
const isUnapproved = (merge: Merge) => approvalsOf(merge).length === 0;
const linesOf = ({ pull }: Merge) => pull.size.additions + pull.size.deletions;
const isBig = (merge: Merge) => linesOf(merge) > 400;

/** Approved within minutes, and nobody said a word. */
function isStamped(merge: Merge): boolean {
  const reviews = reviewsOf(merge);
  const first = reviews.find(({ state }) => state === 'APPROVED');
  const isSilent = reviews.every(({ bodyLength, comments }) => bodyLength === 0 && comments.length === 0);
  const asked = merge.pull.entries.findLast((entry) => entry.kind === 'ready_for_review')?.at ?? merge.pull.createdAt;
  return first !== undefined && isSilent && first.at - asked < 5 * MINUTE;
}

function share<T>(items: readonly T[], is: (item: T) => boolean): number {
  return items.filter(is).length / items.length;
}

/** Commits and force pushes after the last approval. */
function latePushesOf(merge: Merge): readonly Entry[] {
  const approvedAt = Math.max(...approvalsOf(merge).map(({ at }) => at));
  return merge.pull.entries.filter(
    ({ kind, at }) => (kind === 'commits' || kind === 'force_push') && at > approvedAt && at < merge.at,
  );
}

function roundsOf(merge: Merge): number {
  const pushes = merge.pull.entries.filter(({ kind }) => kind === 'commits' || kind === 'force_push');
  const reviews = reviewsOf(merge);
  return reviews.filter(
    (review, index) => index === 0 || pushes.some(({ at }) => at > reviews[index - 1]!.at && at <= review.at),
  ).length;
}

describe('the demo’s field team', () => {
  const team = merges.filter(({ repository }) => repository === 'courier' || repository === 'courier-web');
  const before = team.filter(({ pull, at }) => at < changedAt && pull.createdAt > changedAt - 12 * WEEK);
  const after = team.filter(({ pull }) => pull.createdAt >= changedAt);
  const hoursToReview = (of: readonly Merge[]) =>
    of.flatMap((merge) => {
      const [first] = reviewsOf(merge);
      return first === undefined ? [] : [(first.at - merge.pull.createdAt) / HOUR];
    });

  it.each([
    ['merged without approval', isUnapproved, 0.3, 0.08],
    ['big', isBig, 0.2, 0.1],
    ['likely stamps', isStamped, 0.1, 0.06],
  ] as const)('changed its practice six weeks ago, as the share shows of those that are %s', (_, is, least, most) => {
    expect(share(before, is)).toBeGreaterThan(least);
    expect(share(after, is)).toBeLessThan(most);
  });

  it('waits for its first reviews less than half as long since', () => {
    expect(quantile(hoursToReview(after), 0.5)).toBeLessThan(quantile(hoursToReview(before), 0.5) / 2);
  });

  it('changes what the whole company shows: less than half as much is merged without approval', () => {
    const within = (from: number, to: number) => merges.filter(({ at }) => at >= from && at < to);

    const unapproved = share(within(changedAt - 6 * WEEK, changedAt), isUnapproved);

    expect(unapproved).toBeGreaterThan(0.08);
    expect(share(within(changedAt + WEEK, NOW), isUnapproved)).toBeLessThan(unapproved / 2);
  });
});

describe('of what the demo’s company merged in the last 90 days there is', () => {
  it('one repository where a third is merged though nobody looked, and hardly any elsewhere since the change', () => {
    const nobodyLooked = (merge: Merge) => reviewsOf(merge).length === 0;
    const [tools, others] = [true, false].map((is) =>
      merges.filter(({ repository, at }) => (repository === 'depot-tools') === is && at > NOW - 180 * DAY),
    );

    expect(share(tools!, nobodyLooked)).toBeGreaterThan(0.33);
    expect(
      share(
        others!.filter(({ pull }) => pull.createdAt > changedAt),
        nobodyLooked,
      ),
    ).toBeLessThan(0.05);
  });

  it('one repository where one person gives three quarters of the reviews, and in some of its areas nearly all', () => {
    const repository = world.repositories.find(({ name }) => name === 'quayside')!;
    const given = repository.pullRequests.flatMap((pull) =>
      reviewsOf({ repository: 'quayside', pull, at: Math.min(endOf(pull), NOW) })
        .filter(({ at }) => at > NOW - 90 * DAY)
        .map(({ by }) => ({ pull, by: by ?? 'ghost' })),
    );
    const topShare = (people: readonly string[]) => Math.max(...countBy(people).values()) / people.length;
    const byArea = Map.groupBy(
      given.flatMap(({ pull, by }) =>
        [...new Set(pull.size.files.map(({ path }) => path.split('/').slice(0, -1).slice(0, 2).join('/')))].map(
          (area) => ({ area, pull, by }),
        ),
      ),
      ({ area }) => area,
    );
    const atRisk = [...byArea.values()].filter(
      (reviews) =>
        new Set(reviews.map(({ pull }) => pull.id)).size >= 20 && topShare(reviews.map(({ by }) => by)) >= 0.8,
    );

    expect(topShare(given.map(({ by }) => by))).toBeGreaterThan(0.75);
    expect(atRisk.length).toBeGreaterThan(1);
  });

  it.each([
    [
      'merged while somebody asked for changes',
      4,
      (merge: Merge) => opinionsOf(merge).some(({ state }) => state === 'CHANGES_REQUESTED'),
    ],
    ['pushed to after its approval', 15, (merge: Merge) => !isUnapproved(merge) && latePushesOf(merge).length > 0],
    [
      'pushed to by force after its approval',
      3,
      (merge: Merge) => !isUnapproved(merge) && latePushesOf(merge).some(({ kind }) => kind === 'force_push'),
    ],
    ['reviewed in four rounds or more', 5, (merge: Merge) => roundsOf(merge) >= 4],
  ] as const)('something %s', (_, least, is) => {
    expect(lately.filter(is).length).toBeGreaterThanOrEqual(least);
  });
});

describe('what the demo’s company merged', () => {
  const byKey = new Map(merges.map((merge) => [`${merge.repository} ${merge.pull.number}`, merge]));
  /** Merged ones whose branch says which other one they are about, with that one. */
  const about = (branch: RegExp) =>
    merges.flatMap((merge) => {
      const number = branch.exec(merge.pull.headRef)?.[1];
      const other = number === undefined ? undefined : byKey.get(`${merge.repository} ${number}`);
      return other === undefined ? [] : [{ merge, other }];
    });

  it('is at times reverted by the host’s button, and lies in the days before', () => {
    const reverts = about(/^revert-(\d+)-/);

    expect(reverts.filter(({ merge }) => merge.at > NOW - 120 * DAY).length).toBeGreaterThan(5);
    for (const { merge, other } of reverts) {
      expect(merge.pull.title).toContain('Revert "');
      expect(merge.pull.body).toBe(`Reverts brasswick/${merge.repository}#${other.pull.number}\n`);
      expect(merge.pull.createdAt).toBeGreaterThanOrEqual(other.at);
    }
  });

  it('is at times reverted by hand, which its title and its commit tell', () => {
    const byHand = merges.filter(({ pull }) => pull.headRef.startsWith('back-out/'));

    expect(byHand.length).toBeGreaterThan(5);
    expect(byHand.every(({ pull }) => pull.title.startsWith('Revert "'))).toBe(true);
    expect(byHand.every(({ pull }) => /This reverts commit [0-9a-f]{40}\./.test(pull.commits[0]!.message))).toBe(true);
  });

  it('is at times reapplied within a week of the revert', () => {
    const soon = about(/^reapply-(\d+)-/).filter(({ merge }) => {
      const revert = merges.find(
        ({ repository, pull }) =>
          repository === merge.repository && `Reapply${pull.title.slice('Revert'.length)}` === merge.pull.title,
      );
      return revert !== undefined && merge.at > revert.at && merge.at - revert.at < WEEK;
    });

    expect(soon.length).toBeGreaterThan(3);
  });

  it('is at times set right within a week, in a few lines of the same files', () => {
    const fixes = about(/^fix\/after-(\d+)$/).filter(({ merge, other }) => {
      const paths = new Set(
        other.pull.entries
          .concat()
          .flatMap((entry) => (entry.kind === 'commits' ? (entry.size?.files ?? []) : []))
          .concat(other.pull.size.files)
          .map(({ path }) => path),
      );
      return (
        merge.at - other.at < WEEK && linesOf(merge) < 50 && merge.pull.size.files.every(({ path }) => paths.has(path))
      );
    });

    expect(fixes.filter(({ merge }) => merge.at > NOW - 90 * DAY).length).toBeGreaterThan(10);
  });
});
