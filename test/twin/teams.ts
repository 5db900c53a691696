import type { PersonRef } from '#domain/pull-request.ts';
import { percentileOf } from './arithmetic.ts';
import { isDuring, type Period } from './membership.ts';
import { waitsForNobody } from './my-work.ts';
import { DAY, HOUR, isHuman, STUCK, type TwinPull } from './pull-request.ts';

/** Who was a member of a team, or of what it holds, when: by the host's ids, half-open, null without a bound. */
export interface TwinTeam {
  readonly members: readonly (Period & { readonly person: string })[];
}

/** Whom a pull request is credited to, by the host's id; else its author. */
export type CreditedOf = (pull: TwinPull) => PersonRef | null;

export function isMember({ members }: TwinTeam, person: PersonRef | null, at: number): boolean {
  if (!isHuman(person)) return false;
  return members.some((member) => member.person === person.id && isDuring(member, at));
}

/** A team's pull requests. */
export function pullsOf(team: TwinTeam, pulls: readonly TwinPull[], creditedOf: CreditedOf): TwinPull[] {
  return pulls.filter((of) => isMember(team, creditedOf(of), of.pull.createdAt));
}

/** The figures of a row of the comparison of teams. */
export function comparedRow(pulls: readonly TwinPull[], now: number, days: number) {
  const [at, was] = [figures(pulls, now, now, days), figures(pulls, now, now - days * DAY, days)];
  const counted = (key: 'opened' | 'merged' | 'stuck') => ({
    value: at[key],
    trend: change(at[key], was[key]),
    before: was[key],
  });
  const measured = (key: 'time_to_first_review' | 'time_to_merge' | 'size' | 'rounds' | 'reviews_per_merged') => ({
    value: at[key].value,
    n: at[key].n,
    trend: at[key].value === null || was[key].value === null ? null : change(at[key].value!, was[key].value!),
    before: was[key].n,
  });
  return {
    opened: counted('opened'),
    merged: counted('merged'),
    time_to_first_review: measured('time_to_first_review'),
    time_to_merge: measured('time_to_merge'),
    size: measured('size'),
    rounds: measured('rounds'),
    stuck: counted('stuck'),
    reviews_per_merged: measured('reviews_per_merged'),
  };
}

const change = (now: number, before: number) => (before === 0 ? (now > 0 ? 100 : 0) : (100 * (now - before)) / before);

function figures(pulls: readonly TwinPull[], now: number, until: number, days: number) {
  const within = (moment: number | null) => moment !== null && moment > until - days * DAY && moment <= until;
  const median = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return { value: percentileOf(known, 0.5), n: known.length };
  };
  const opened = pulls.filter(({ createdAt }) => within(createdAt));
  const merged = pulls.filter(({ pull, endedAt }) => pull.state === 'merged' && within(endedAt));
  const reviews = merged.flatMap(({ counting }) => counting).length;
  const isOpen = ({ pull, endedAt }: TwinPull) =>
    until === now ? pull.state === 'open' : endedAt === null || endedAt > until;
  return {
    opened: opened.length,
    merged: merged.length,
    time_to_first_review: median(
      pulls.filter(({ firstReviewAt }) => within(firstReviewAt)).map(({ firstReviewHours }) => firstReviewHours),
    ),
    time_to_merge: median(merged.map(({ mergeHours }) => mergeHours)),
    size: median(opened.map(({ size }) => size)),
    rounds: median(merged.map(({ rounds }) => (rounds > 0 ? rounds : null))),
    stuck: pulls.filter((of) => of.createdAt < until - STUCK && isOpen(of)).length,
    reviews_per_merged: { value: merged.length === 0 ? null : reviews / merged.length, n: merged.length },
  };
}

/** What a team's open pull requests wait for, and its reviews across teams, of the last days. */
export function teamView(
  team: TwinTeam,
  pulls: readonly TwinPull[],
  creditedOf: CreditedOf,
  now: number,
  days: number,
) {
  const own = pullsOf(team, pulls, creditedOf);
  const open = own.filter(({ pull }) => pull.state === 'open');
  const waitsFor = (of: TwinPull) => (waitsForNobody(of, now) ? 'nobody' : of.phases.turn!.on);
  const of = (on: string) => open.filter((one) => waitsFor(one) === on);
  const longest = (ones: readonly TwinPull[]) =>
    ones.length === 0 ? null : Math.max(...ones.map(({ phases }) => Math.max(0, now - phases.turn!.since))) / HOUR;
  const given = pulls.flatMap((on) =>
    on.counting
      .filter(({ at }) => at > now - days * DAY && at <= now)
      .map(({ review, by }) => ({
        isOurs: own.includes(on),
        isByUs: isMember(team, by, review.submittedAt),
        isOnHumans: isHuman(on.pull.author),
      })),
  );
  const share = (all: typeof given, some: typeof given) => ({
    value: all.length === 0 ? null : some.length / all.length,
    reviews: some.length,
    n: all.length,
  });
  const received = given.filter(({ isOurs }) => isOurs);
  const byUs = given.filter(({ isByUs, isOnHumans }) => isByUs && isOnHumans);
  const addresses = (ones: readonly TwinPull[]) =>
    ones.map(({ repository, pull }) => `${repository}#${pull.number}`).sort();
  return {
    open: open.length,
    waits: ['reviewers', 'author', 'merge', 'nobody'].map((on) => ({
      on,
      count: of(on).length,
      longest_hours: longest(of(on)),
    })),
    ready_to_merge: addresses(of('merge')),
    nobody_asked: addresses(of('nobody')),
    from_outside: share(
      received,
      received.filter(({ isByUs }) => !isByUs),
    ),
    to_outside: share(
      byUs,
      byUs.filter(({ isOurs }) => !isOurs),
    ),
  };
}
