import type { CommentRecord, PersonRef } from '#domain/pull-request.ts';
import { isReviewing, toolOf } from './ai-accounts.ts';
import { dateOf, meanOf, percentileOf } from './arithmetic.ts';
import type { TwinTime } from './health.ts';
import { DAY, HOUR, isHuman, type TwinPull } from './pull-request.ts';

/*
 * What AI reviewers give, and people beside them (docs/metrics.md#ai-reviewers), counted from what the host tells, one pull request after
 * the other.
 */

export interface AskedOfReviewers {
  /** Of all repositories that are asked about. */
  readonly pulls: readonly TwinPull[];
  /** Whether a pull request is among those that are asked about. */
  readonly isWanted: (on: TwinPull) => boolean;
  /** The repositories of which all history is imported. */
  readonly complete: ReadonlySet<string>;
  readonly window: TwinTime;
  readonly now: number;
  readonly zone: string;
}

export const sizes = ['0-50', '51-200', '201-500', '501-1000', '1000+'] as const;
export const sizeOf = ({ size }: TwinPull) => sizes[[50, 200, 500, 1000].filter((bound) => size > bound).length]!;

/** Something that somebody does to another's pull request before it ends. */
interface Act {
  readonly at: number;
  readonly by: PersonRef;
  /** Null for a review. */
  readonly comment: CommentRecord | null;
}

/** Everything that anybody does to it between its opening and its end, whoever opened it, oldest first. */
function doneTo({ pull, createdAt, endedAt }: TwinPull, now: number): Act[] {
  const acts: Act[] = [];
  for (const { author, submittedAt } of pull.reviews)
    if (author !== null) acts.push({ at: Math.min(submittedAt, now), by: author, comment: null });
  for (const comment of pull.comments)
    if (comment.author !== null) acts.push({ at: Math.min(comment.createdAt, now), by: comment.author, comment });
  return acts.filter(({ at }) => at >= createdAt && at <= (endedAt ?? now)).sort((a, b) => a.at - b.at);
}

const isTool = (tool: string) => (person: PersonRef | null) => person?.kind === 'agent' && toolOf(person) === tool;

/** Of one side, an AI reviewer or all people: the acts of theirs, and which of them are findings. */
type Side = (on: TwinPull, now: number) => { acts: Act[]; findings: Act[] };

const isFinding = ({ comment }: Act) => comment?.kind === 'inline' && comment.inReplyTo === null;

function sideOf(isTheirs: (act: Act, on: TwinPull) => boolean): Side {
  return (on, now) => {
    const acts = doneTo(on, now).filter((act) => isTheirs(act, on));
    return { acts, findings: acts.filter(isFinding) };
  };
}

/** An AI reviewer acts on what it has not opened itself; with general comments where its account reviews. */
const reviewerSide = (tool: string): Side =>
  sideOf(
    ({ by, comment }, { pull }) =>
      isTool(tool)(by) && !isTool(tool)(pull.author) && (comment?.kind !== 'general' || isReviewing(by)),
  );

const people = sideOf(({ by }, { pull }) => isHuman(by) && by.id !== pull.author?.id);

type Fate = 'changed' | 'resolved' | 'answered' | 'dismissed_by_hand' | 'ignored';

/** What became of a finding until the end. */
function fateOf(on: TwinPull, { by, comment, at }: Act): Fate {
  const { pull, createdAt } = on;
  const end = on.endedAt!;
  const found = comment!;
  const marks = pull.marks?.[found.id];
  const isSame = (person: PersonRef | null) =>
    person !== null && (by.kind === 'agent' ? isTool(toolOf(by))(person) : person.id === by.id);

  let isPushed = false;
  for (const { author, authorIsBot, committedAt } of pull.commits) {
    const pushed = Math.max(createdAt, Math.min(end, committedAt));
    const pusher = authorIsBot && isHuman(author) ? null : author;
    if (pushed > at && !isSame(pusher)) isPushed = true;
  }
  for (const event of pull.events)
    if (event.type === 'force_push' && event.at > at && event.at <= end && !isSame(event.actor)) isPushed = true;
  if (marks?.outdated && isPushed) return 'changed';

  // Hosts are asked about threads where an agent commented.
  const isAsked = pull.comments.some(({ kind, author }) => kind === 'inline' && author?.kind === 'agent');
  const thread = isAsked ? pull.threads?.[found.id] : undefined;
  if (thread?.resolved && isHuman(thread.by)) return 'resolved';

  for (const reply of pull.comments)
    if (rootOf(pull.comments, reply) === found.id && reply.createdAt <= end && isHuman(reply.author))
      if (!isSame(reply.author)) return 'answered';

  return marks != null && marks.minimized !== null && marks.minimized !== 'resolved' ? 'dismissed_by_hand' : 'ignored';
}

/** The comment that opened the thread in which one answers; null for one that opens one. */
function rootOf(comments: readonly CommentRecord[], { inReplyTo }: CommentRecord): string | null {
  let root = inReplyTo;
  for (let above = root; above !== null; ) {
    root = above;
    above = comments.find(({ id }) => id === root)?.inReplyTo ?? null;
  }
  return root;
}

const valued = (value: number | null, n: number) => ({ value, n });
const shareOf = <T>(items: readonly T[], fits: (item: T) => boolean) =>
  valued(items.length === 0 ? null : items.filter(fits).length / items.length, items.length);
const isIn = ({ from, to }: TwinTime, at: number | null) => at !== null && at >= from && at < to;

/** What is told alike of both sides, over pull requests that ended. */
function comparedOn(ended: readonly TwinPull[], side: Side, now: number) {
  const reviewed = ended
    .map((on) => ({ on, ...side(on, now) }))
    .filter(({ acts }) => acts.length > 0)
    .map(({ on, findings }) => ({
      on,
      found: findings.map((finding) => ({
        fate: fateOf(on, finding),
        ...(on.pull.marks?.[finding.comment!.id] ?? { up: 0, down: 0 }),
      })),
    }));
  const all = reviewed.flatMap(({ found }) => found);
  const counts = reviewed.map(({ found }) => found.length);
  const lines = reviewed.reduce((sum, { on }) => sum + on.size, 0);
  const fates: Record<Fate, number> = { changed: 0, resolved: 0, answered: 0, dismissed_by_hand: 0, ignored: 0 };
  for (const { fate } of all) fates[fate] += 1;
  return {
    told: {
      acted_on: shareOf(all, ({ fate }) => fate === 'changed'),
      noise: shareOf(all, ({ fate, up, down }) => fate === 'ignored' || fate === 'dismissed_by_hand' || down > up),
      silent: shareOf(counts, (count) => count === 0),
      talkative: shareOf(counts, (count) => count > 10),
      findings_per_pr: {
        ...valued(meanOf(counts), counts.length),
        p50: percentileOf(counts, 0.5),
        p90: percentileOf(counts, 0.9),
      },
      findings_per_100_lines: valued(lines === 0 ? null : (100 * all.length) / lines, reviewed.length),
      fates,
    },
    on_automation: shareOf(reviewed, ({ on }) => on.pull.author?.kind === 'bot' || on.pull.author?.kind === 'agent'),
    thumbs: {
      up: all.reduce((sum, { up }) => sum + up, 0),
      down: all.reduce((sum, { down }) => sum + down, 0),
    },
  };
}

type Compared = ReturnType<typeof comparedOn>['told'];

function liftOf(theirs: Compared, control: Compared): number | null {
  if (theirs.acted_on.n < 20 || control.acted_on.n < 20) return null;
  return theirs.acted_on.value! - control.acted_on.value!;
}

/** Everything but what is known of the reviewer itself, over pull requests that are asked about. */
function figuresOf(wanted: readonly TwinPull[], tool: string, window: TwinTime, now: number) {
  const side = reviewerSide(tool);
  const others = wanted.filter(({ pull }) => !isTool(tool)(pull.author));
  const ready = others.filter(({ readyAt }) => isIn(window, readyAt));
  const firsts = ready.flatMap((on) => {
    const [first] = side(on, now).acts;
    return first === undefined ? [] : [{ on, at: first.at }];
  });
  const waits = firsts.map(({ on, at }) => {
    let asked = on.readyAt!;
    for (const event of on.pull.events)
      if (event.type === 'review_requested' && isTool(tool)(event.reviewer) && event.at <= at)
        asked = Math.max(asked, event.at);
    return Math.max(0, at - asked) / HOUR;
  });
  const ended = wanted.filter(({ endedAt }) => isIn(window, endedAt));
  const { told, on_automation, thumbs } = comparedOn(ended, side, now);
  const control = comparedOn(ended, people, now).told;
  return {
    ...told,
    coverage: valued(ready.length === 0 ? null : firsts.length / ready.length, ready.length),
    time_to_agent_review: { ...valued(percentileOf(waits, 0.5), waits.length), p90: percentileOf(waits, 0.9) },
    before_human: shareOf(
      firsts.filter(({ on }) => on.firstReviewAt !== null),
      ({ on, at }) => at < on.firstReviewAt!,
    ),
    on_automation,
    thumbs,
    resolution: null,
    control,
    lift: liftOf(told, control),
  };
}

/** Every tool that does anything to another's, with its acts. */
function actsByTool(pulls: readonly TwinPull[], now: number): Map<string, Act[]> {
  const tools = new Set<string>();
  for (const on of pulls) for (const { by } of doneTo(on, now)) if (by.kind === 'agent') tools.add(toolOf(by));
  return new Map([...tools].map((tool) => [tool, pulls.flatMap((on) => reviewerSide(tool)(on, now).acts)] as const));
}

/** Which account a tool's reviewer is called after. */
function calledAfter(acts: readonly Act[]): PersonRef {
  const last = Math.max(...acts.map(({ at }) => at));
  const accounts = acts.filter(({ at }) => at === last).map(({ by }) => by);
  return accounts.sort((a, b) => (a.login.toLowerCase() < b.login.toLowerCase() ? -1 : 1))[0]!;
}

/** Every AI reviewer with an act in the window, as the list tells them. */
export function reviewersOf(asked: AskedOfReviewers) {
  const { pulls, isWanted, window, now } = asked;
  const wanted = pulls.filter(isWanted);
  const inWindow = actsByTool(wanted, now);
  const told = [...actsByTool(pulls, now)].flatMap(([tool, acts]) => {
    const within = (inWindow.get(tool) ?? []).filter(({ at }) => isIn(window, at));
    return within.length === 0 ? [] : [rowOf(tool, acts)];
  });
  function rowOf(tool: string, acts: readonly Act[]) {
    return {
      tool,
      row: {
        reviewer: calledAfter(acts).login,
        avatar_url: calledAfter(acts).avatarUrl,
        tools: [tool],
        first_seen: new Date(Math.min(...acts.map(({ at }) => at))).toISOString(),
        last_seen: new Date(Math.max(...acts.map(({ at }) => at))).toISOString(),
        ...figuresOf(wanted, tool, window, now),
      },
    };
  }
  return told.sort((a, b) => {
    const [one, other] = [a.row.coverage.value ?? -1, b.row.coverage.value ?? -1];
    return other - one || (a.row.reviewer.toLowerCase() < b.row.reviewer.toLowerCase() ? -1 : 1);
  });
}

/** The pull requests with findings of a reviewer, or without one of people, that ended in the window, each with what became of them. */
export function fatesByPull({ pulls, isWanted, window, now }: AskedOfReviewers, tool: string | null) {
  const side = tool === null ? people : reviewerSide(tool);
  const told = pulls
    .filter((on) => isWanted(on) && isIn(window, on.endedAt))
    .map((on) => [`${on.repository}#${on.pull.number}`, comparedOn([on], side, now).told] as const)
    .filter(([, { acted_on }]) => acted_on.n > 0);
  return new Map(told.map(([address, { fates }]) => [address, fates]));
}

/** What stands beside the figures of one reviewer. */
export function inDepth(asked: AskedOfReviewers, tool: string) {
  const { pulls, isWanted, window, now, zone } = asked;
  const wanted = pulls.filter(isWanted);
  return {
    series: weeksOf(asked).map((week) => {
      const { coverage, acted_on, noise, findings_per_pr, fates, control } = figuresOf(wanted, tool, week, now);
      const { acted_on: a, noise: n, findings_per_pr: f, fates: fs } = control;
      return {
        week: mondayOf(dateOf(zone, week.from)),
        ...{ coverage, acted_on, noise, findings_per_pr, fates },
        control: { acted_on: a, noise: n, findings_per_pr: f, fates: fs },
      };
    }),
    sizes: sizes.map((size) => {
      const { on_automation, time_to_agent_review, before_human, thumbs, resolution, ...told } = figuresOf(
        wanted.filter((on) => sizeOf(on) === size),
        tool,
        window,
        now,
      );
      return { size, ...told };
    }),
    groups: groupsOf(wanted, tool, window, now),
    before_after: beforeAfter(asked, wanted, tool),
  };
}

export function mondayOf(date: string): string {
  const day = Temporal.PlainDate.from(date);
  return day.subtract({ days: day.dayOfWeek - 1 }).toString();
}

/** A window in the weeks that begin on Mondays of a zone and before now, the first and the last cut. */
export function weeksOf({
  window: { from, to },
  zone,
  now,
}: Pick<AskedOfReviewers, 'window' | 'zone' | 'now'>): TwinTime[] {
  const starts = [from];
  let day = Temporal.PlainDate.from(dateOf(zone, from));
  for (;;) {
    day = day.add({ days: 1 });
    const start = day.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
    if (start >= Math.min(to, now)) break;
    if (day.dayOfWeek === 1) starts.push(start);
  }
  return starts.map((start, index) => ({ from: start, to: starts[index + 1] ?? to }));
}

export type HumanTime = 'time_to_first_review' | 'reviews' | 'human_findings' | 'rounds' | 'time_to_merge';
const humanTimes: Readonly<Record<HumanTime, (on: TwinPull, now: number) => number | null>> = {
  time_to_first_review: ({ firstReviewHours }) => firstReviewHours,
  reviews: ({ counting }) => counting.length,
  human_findings: (on, now) => people(on, now).findings.length,
  rounds: ({ rounds }) => rounds,
  time_to_merge: ({ mergeHours }) => mergeHours,
};

function humanTimeOf(
  told: (value: (on: TwinPull) => number | null) => { value: number | null; n: number },
  now: number,
) {
  return Object.fromEntries(
    Object.entries(humanTimes).map(([key, value]) => [key, told((on) => value(on, now))]),
  ) as Record<HumanTime, { value: number | null; n: number }>;
}

const valuesOf = (pulls: readonly TwinPull[], value: (on: TwinPull) => number | null) =>
  pulls.map(value).filter((one) => one !== null);

/** A pull request of one side of a difference, with what it contributes. */
interface SideThing {
  readonly on: TwinPull;
  readonly part: string;
  readonly value: number;
}

/** A difference as it explains itself. */
export interface TwinDifference {
  readonly value: number | null;
  readonly n: number;
  readonly sides: readonly { part: string; value: number | null; n: number; total: number }[];
  readonly things: readonly SideThing[];
  readonly leftOut: readonly number[];
}

function differenceOf(
  sides: readonly { part: string; value: number | null; n: number; total: number }[],
  value: number | null,
  things: readonly SideThing[],
  leftOut: readonly number[],
): TwinDifference {
  return { value, n: sides.reduce((sum, { n }) => sum + n, 0), sides, things, leftOut };
}

const less = (one: number | null, other: number | null) => (one === null || other === null ? null : one - other);

/** The lift of a reviewer, with the pull requests that have findings of it or of people, whose share of findings acted on each tells. */
export function liftExplained({ pulls, isWanted, window, now }: AskedOfReviewers, tool: string): TwinDifference {
  const ended = pulls.filter((on) => isWanted(on) && isIn(window, on.endedAt));
  const both = [
    { part: 'reviewer', side: reviewerSide(tool) },
    { part: 'people', side: people },
  ].map(({ part, side }) => {
    const reviewed = ended.filter((on) => side(on, now).acts.length > 0);
    const { acted_on } = comparedOn(ended, side, now).told;
    const things = reviewed.flatMap((on): SideThing[] => {
      const { value } = comparedOn([on], side, now).told.acted_on;
      return value === null ? [] : [{ on, part, value }];
    });
    const told = { part, ...acted_on, total: things.length };
    return { told, things, leftOut: reviewed.length - things.length };
  });
  const [own, other] = both.map(({ told }) => told);
  return differenceOf(
    [own!, other!],
    own!.n < 20 || other!.n < 20 ? null : less(own!.value, other!.value),
    both.flatMap(({ things }) => things),
    both.map(({ leftOut }) => leftOut),
  );
}

/** Of ended pull requests of others where a reviewer spoke first, where it did not review, and where it came after a person. */
function grouped(wanted: readonly TwinPull[], tool: string, window: TwinTime, now: number) {
  const [first, without, late]: [TwinPull[], TwinPull[], TwinPull[]] = [[], [], []];
  for (const on of wanted) {
    if (!isIn(window, on.endedAt) || isTool(tool)(on.pull.author)) continue;
    const [theirs] = reviewerSide(tool)(on, now).acts;
    const [human] = people(on, now).acts;
    if (theirs === undefined) without.push(on);
    else if (human === undefined || theirs.at < human.at) first.push(on);
    else late.push(on);
  }
  return { first, without, late };
}

/** One median of people's time beside a reviewer, with the pull requests of the sizes that are compared. */
export function groupsExplained(asked: AskedOfReviewers, tool: string, figure: HumanTime): TwinDifference {
  const { pulls, isWanted, window, now } = asked;
  const wanted = pulls.filter(isWanted);
  const { first, without, late } = grouped(wanted, tool, window, now);
  const sides = { reviewed_first: first, not_reviewed: without };
  const all = Object.entries(sides).flatMap(([part, some]) =>
    some.map((on) => ({ on, part, value: humanTimes[figure](on, now) })),
  );
  const known = all.flatMap(({ value, ...thing }) => (value === null ? [] : [{ ...thing, value }]));
  const things = known.filter(({ on }) =>
    Object.keys(sides).every(
      (part) => known.filter((one) => one.part === part && sizeOf(one.on) === sizeOf(on)).length >= 5,
    ),
  );
  const { within_sizes } = groupsOf(wanted, tool, window, now);
  const told = (['reviewed_first', 'not_reviewed'] as const).map((part) => {
    const total = things.filter((thing) => thing.part === part).length;
    return { part, ...within_sizes[part][figure], total };
  });
  return differenceOf(told, less(told[0]!.value, told[1]!.value), things, [
    ...[late.length, all.length - known.length, known.length - things.length],
  ]);
}

/** One median of people's time after and before a reviewer came, with the pull requests of both. */
export function beforeAfterExplained(asked: AskedOfReviewers, tool: string, figure: HumanTime): TwinDifference {
  const { pulls, isWanted, now } = asked;
  const around = aroundFirstActs(asked, pulls.filter(isWanted), tool);
  const enough = around.filter(({ isEnough }) => isEnough);
  const all = (['after', 'before'] as const).flatMap((part) =>
    enough.flatMap((repository) =>
      repository[part].map((on) => ({ on, part: part as string, value: humanTimes[figure](on, now) })),
    ),
  );
  const things = all.flatMap(({ value, ...thing }) => (value === null ? [] : [{ ...thing, value }]));
  const told = ['after', 'before'].map((part) => {
    const values = things.filter((thing) => thing.part === part).map(({ value }) => value);
    return { part, ...valued(percentileOf(values, 0.5), values.length), total: values.length };
  });
  const early = around.filter(({ isEnough }) => !isEnough).flatMap(({ before, after }) => [...before, ...after]);
  return differenceOf(told, less(told[0]!.value, told[1]!.value), things, [all.length - things.length, early.length]);
}

function groupsOf(wanted: readonly TwinPull[], tool: string, window: TwinTime, now: number) {
  const { first, without } = grouped(wanted, tool, window, now);
  const within = (these: readonly TwinPull[], others: readonly TwinPull[]) =>
    humanTimeOf((value) => {
      let sum = 0;
      let weights = 0;
      let n = 0;
      for (const size of sizes) {
        const [own, other] = [these, others].map((some) =>
          valuesOf(
            some.filter((on) => sizeOf(on) === size),
            value,
          ),
        );
        if (own!.length < 5 || other!.length < 5) continue;
        const weight = Math.min(own!.length, other!.length);
        sum += weight * percentileOf(own!, 0.5)!;
        weights += weight;
        n += own!.length;
      }
      return valued(weights === 0 ? null : sum / weights, n);
    }, now);
  return {
    reviewed_first: first.length,
    not_reviewed: without.length,
    within_sizes: { reviewed_first: within(first, without), not_reviewed: within(without, first) },
  };
}

/** For each repository in which a reviewer acted: the ended pull requests of others in the 90 days before its first act and after it. */
function aroundFirstActs({ pulls, complete, now }: AskedOfReviewers, wanted: readonly TwinPull[], tool: string) {
  return [...Map.groupBy(pulls, ({ repository }) => repository)].flatMap(([repository, all]) => {
    const acts = all.flatMap((on) => reviewerSide(tool)(on, now).acts);
    if (acts.length === 0) return [];
    const at = Math.min(...acts.map((act) => act.at));
    const begins = Math.min(...all.map(({ createdAt }) => createdAt));
    const those = wanted.filter((on) => on.repository === repository && !isTool(tool)(on.pull.author));
    const before = those.filter(({ endedAt }) => isIn({ from: at - 90 * DAY, to: at }, endedAt));
    const after = those.filter(({ endedAt }) => isIn({ from: at, to: at + 90 * DAY }, endedAt));
    const isWhole = complete.has(repository) && begins <= at - 90 * DAY && at + 90 * DAY <= now;
    return [{ repository, at, before, after, isEnough: isWhole && before.length >= 20 && after.length >= 20 }];
  });
}

function beforeAfter(asked: AskedOfReviewers, wanted: readonly TwinPull[], tool: string) {
  const { now } = asked;
  const medians = (some: readonly TwinPull[]) =>
    humanTimeOf((value) => {
      const values = valuesOf(some, value);
      return valued(percentileOf(values, 0.5), values.length);
    }, now);
  const told = aroundFirstActs(asked, wanted, tool).filter(({ isEnough }) => isEnough);
  return {
    together:
      told.length === 0
        ? null
        : {
            before: medians(told.flatMap(({ before }) => before)),
            after: medians(told.flatMap(({ after }) => after)),
          },
    repositories: told
      .map(({ repository, at, before, after }) => ({
        repository,
        first_act: new Date(at).toISOString(),
        before: { ...medians(before), n: before.length },
        after: { ...medians(after), n: after.length },
      }))
      .sort((a, b) => (a.repository.toLowerCase() < b.repository.toLowerCase() ? -1 : 1)),
  };
}
