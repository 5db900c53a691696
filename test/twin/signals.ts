import type { HealthSettings, OwnSignalKey, SignalMetric } from '#domain/signals.ts';
import { whoWrote } from './ai-accounts.ts';
import { creditedOf } from './ai-credit.ts';
import type { Thing } from './metrics.ts';
import { submittedAs } from './phases.ts';
import { DAY, HOUR, isHuman, type TwinPull } from './pull-request.ts';
import { revertsAmong } from './reverts.ts';

/*
 * The signals of the review practice (docs/metrics.md#signals), counted from what the host tells, one pull request after the other.
 */

/** What signals are asked of. */
export interface TwinHealth {
  readonly settings: HealthSettings;
  readonly authorship: readonly string[];
  readonly allBases: boolean;
  /** What the default branch is and was called. */
  readonly bases: readonly string[];
  /** When what is open is looked at. */
  readonly moment: number;
  /** Those of bots, too, where they are among `authorship`. */
  readonly withBots?: true;
}

/** What is told of one signal: the things behind it, and what is left out, of all time. */
export interface TwinSignal {
  readonly things: Thing[];
  readonly trivial: Thing[];
  readonly dismissed: Thing[];
  readonly unknown: Thing[];
}

interface Rule {
  readonly isOpen?: true;
  /** Too small ones are left out. */
  readonly big?: true;
  readonly not?: OwnSignalKey;
  readonly among?: (it: Judged) => boolean;
  readonly isUnknown?: (it: Judged) => boolean;
  readonly value: (it: Judged) => number | boolean;
}

/** A pull request with what the rules ask more than once. */
interface Judged extends TwinHealth {
  readonly on: TwinPull;
  readonly lines: number;
  readonly areFilesKnown: boolean;
  /** By people other than the author, until its end. */
  readonly comments: TwinPull['pull']['comments'];
  readonly isReverted: boolean;
  readonly isFollowedUp: boolean;
  readonly approvedSince: number | null;
}

const unreviewed = ({ on }: Judged) => on.counting.length === 0;
const isApproved = ({ on }: Judged) => on.phases.approvals.length > 0;
const isReviewed = (it: Judged) => !unreviewed(it);
const findings = ({ comments }: Judged) =>
  comments.filter(({ kind, inReplyTo }) => kind === 'inline' && inReplyTo === null).length;

const rules: Readonly<Record<Exclude<SignalMetric, 'concentration'>, Rule>> = {
  merged_unreviewed: {
    big: true,
    not: 'merged_unreviewed',
    value: (it) => unreviewed(it) && it.comments.length === 0,
  },
  merged_on_comment: { big: true, not: 'merged_unreviewed', value: (it) => unreviewed(it) && it.comments.length > 0 },
  merged_unapproved: { big: true, not: 'merged_unapproved', value: (it) => !isApproved(it) },
  merged_over_objection: {
    big: true,
    not: 'merged_over_objection',
    value: ({ on }) => on.phases.requests.length > 0,
  },
  self_merged: {
    big: true,
    not: 'self_merged',
    isUnknown: ({ on }) => !isHuman(on.pull.mergedBy),
    value: (it) => {
      const { author, mergedBy } = it.on.pull;
      return !isApproved(it) && [author?.id, creditedOf(it.on)?.id].includes(mergedBy!.id);
    },
  },
  stamped: { big: true, not: 'stamped', value: isStamped },
  approved_then_pushed: {
    not: 'approved_then_pushed',
    among: isApproved,
    value: (it) => isPushedAfter(it) && !isForcedAfter(it),
  },
  pushed_by_force: { not: 'approved_then_pushed', among: isApproved, value: isForcedAfter },
  review_depth: { among: isReviewed, value: findings },
  without_findings: { among: isReviewed, value: (it) => findings(it) === 0 },
  ping_pong: {
    not: 'ping_pong',
    among: isReviewed,
    value: ({ on, settings: { ping_pong } }) => {
      const back = on.phases.handedBack;
      const isQuick = back.some((at) => back.filter((it) => it >= at && it - at <= DAY).length >= ping_pong.turns);
      return on.rounds >= ping_pong.rounds || isQuick;
    },
  },
  big: { not: 'big', value: ({ lines, settings }) => lines > settings.big },
  long_open: {
    isOpen: true,
    not: 'long_open',
    among: ({ on, moment }) => !on.isDraftAt(moment),
    value: ({ on, moment, settings }) => moment - on.createdAt > settings.long_open_days * DAY,
  },
  stale_approval: {
    isOpen: true,
    not: 'stale_approval',
    among: ({ approvedSince }) => approvedSince !== null,
    value: ({ approvedSince, moment, settings }) => moment - approvedSince! > settings.stale_approval_days * DAY,
  },
  reverted: { not: 'reverted', value: ({ isReverted }) => isReverted },
  followed_up: {
    not: 'followed_up',
    isUnknown: ({ areFilesKnown }) => !areFilesKnown,
    value: ({ isFollowedUp }) => isFollowedUp,
  },
  ci_wait: {
    isUnknown: ({ on }) => checksWait(on) === null,
    value: ({ on }) => checksWait(on)! / HOUR,
  },
};

/** Those that are one value of each thing, not a share. */
export const measuring: readonly string[] = ['review_depth', 'ci_wait'];

/** Every signal, over all that is given. */
export function signalsOf(pulls: readonly TwinPull[], health: TwinHealth): Record<SignalMetric, TwinSignal> {
  const judged = judge(pulls, health);
  const told = Object.entries(rules).map(([key, rule]) => [key, signalOf(rule, judged)]);
  const reviews = pulls.flatMap((on) => on.counting.map(({ at, by }) => ({ on, at, person: by, value: null })));
  return { ...Object.fromEntries(told), concentration: { things: reviews, trivial: [], dismissed: [], unknown: [] } };
}

function signalOf({ isOpen, big, not, among, isUnknown, value }: Rule, judged: readonly Judged[]): TwinSignal {
  const told: TwinSignal = { things: [], trivial: [], dismissed: [], unknown: [] };
  for (const it of judged) {
    const { on, moment, settings } = it;
    const isThere = isOpen
      ? on.createdAt <= moment && (on.endedAt === null || on.endedAt > moment)
      : on.pull.state === 'merged';
    if (!isThere || !isAbout(on, it)) continue;
    if (among !== undefined && !among(it)) continue;
    const thing = { on, at: isOpen ? moment : on.endedAt!, person: on.pull.author };
    const { changedFiles } = on.pull;
    const isTrivial = it.lines < settings.trivial.lines && changedFiles > 0 && changedFiles <= settings.trivial.files;
    if (big && isTrivial) told.trivial.push({ ...thing, value: null });
    else if (isUnknown?.(it)) told.unknown.push({ ...thing, value: null });
    else if (not !== undefined && on.pull.notSo?.includes(not)) told.dismissed.push({ ...thing, value: null });
    else told.things.push({ ...thing, value: Number(value(it)) });
  }
  return told;
}

/** Whether signals are about it at all. */
export function isAbout(on: TwinPull, { authorship, allBases, bases, withBots }: TwinHealth): boolean {
  const kind = whoWrote(on.pull);
  const kinds = ['human', 'assisted', 'agent', ...(withBots ? ['bot'] : [])];
  const isPeoples = kinds.includes(kind) && authorship.includes(kind);
  return isPeoples && (allBases || bases.includes(on.pull.baseRef));
}

function judge(pulls: readonly TwinPull[], health: TwinHealth): Judged[] {
  const lines = new Map(pulls.map((on) => [on, linesOf(on, health.settings)]));
  const reverted = new Set<TwinPull>();
  for (const together of Map.groupBy(pulls, ({ repository }) => repository).values())
    for (const on of revertedAmong(together)) reverted.add(on);
  return pulls.map((on) => ({
    ...health,
    on,
    lines: lines.get(on)!,
    areFilesKnown: areFilesKnown(on),
    comments: on.pull.comments.filter(
      ({ author, createdAt }) =>
        isHuman(author) && author.id !== on.pull.author?.id && (on.endedAt === null || createdAt <= on.endedAt),
    ),
    isReverted: reverted.has(on),
    isFollowedUp: areFilesKnown(on) && pulls.some((later) => follows(on, later, lines.get(later)!)),
    approvedSince:
      on.phases.spans.find(
        ([phase, from, to]) => phase === 'approved' && from <= health.moment && (to === null || to > health.moment),
      )?.[1] ?? null,
  }));
}

const areFilesKnown = ({ pull }: TwinPull) => pull.files.length > 0 && pull.files.length === pull.changedFiles;

/** Lines changed, less those in generated files. */
export function linesOf(on: TwinPull, { generated }: HealthSettings): number {
  let lines = on.size;
  if (areFilesKnown(on))
    for (const { path, additions, deletions } of on.pull.files)
      if (generated.some((glob) => expressionOf(glob).test(path))) lines -= additions + deletions;
  return Math.max(0, lines);
}

/** A pattern as in .gitattributes, as a regular expression over a path. */
function expressionOf(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/^\*\*\//, '<front>')
    .replace(/\/\*\*$/, '<back>')
    .replaceAll('/**/', '<middle>')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replace('<front>', '(?:.*/)?')
    .replace('<back>', '/.+')
    .replaceAll('<middle>', '/(?:.*/)?');
  return new RegExp(glob.includes('/') ? `^${source.replace(/^\//, '')}$` : `(?:^|/)${source}$`);
}

function isStamped(it: Judged): boolean {
  const { on, comments, lines, settings } = it;
  const { words, minutes, lines_per_minute } = settings.stamped;
  const first = on.counting.find(({ review, inDraft }) => !inDraft && submittedAs(on.pull, review) === 'approved');
  if (first === undefined) return false;
  for (const { kind, bodyWords } of comments)
    if (kind === 'inline' || bodyWords === null || bodyWords > words) return false;
  for (const { review } of on.counting)
    if (review.hasBody && (review.bodyWords === null || review.bodyWords > words)) return false;
  return (first.at - first.asked) / 60_000 <= Math.max(minutes, lines / lines_per_minute);
}

/** Commits after the last approval that stands, and no review after the last of them. */
function isPushedAfter({ on: { pull, createdAt, endedAt, counting, phases } }: Judged): boolean {
  const approved = Math.max(...phases.approvals);
  const base = pull.baseRef;
  const later: number[] = [];
  for (const { committedAt, headline } of pull.commits) {
    const at = Math.max(createdAt, Math.min(endedAt!, committedAt));
    const isMerge =
      headline.startsWith(`Merge branch '${base}'`) ||
      headline.startsWith(`Merge ${base} into`) ||
      /^Merge remote-tracking branch '[^/']*\/(.*?)'/.exec(headline)?.[1] === base;
    if (at > approved && !isMerge) later.push(at);
  }
  return later.length > 0 && !counting.some(({ at }) => at >= Math.max(...later));
}

function isForcedAfter({ on: { pull, endedAt, pushes, counting, phases } }: Judged): boolean {
  const approved = Math.max(...phases.approvals);
  const isForced = pull.events.some(({ type, at }) => type === 'force_push' && at > approved && at <= endedAt!);
  const last = Math.max(...pushes.filter((at) => at <= endedAt!));
  return isForced && !counting.some(({ at }) => at >= last);
}

/** Of one repository those that a later one reverted within 30 days, unless that was itself reverted within 7. */
function revertedAmong(pulls: readonly TwinPull[]): TwinPull[] {
  const reverts = revertsAmong(
    pulls[0]!.repository,
    pulls.map(({ pull }) => pull),
  );
  const ofNumber = new Map(pulls.map((on) => [on.pull.number, on]));
  const revertersOf = (number: number) =>
    [...reverts].flatMap(([by, targets]) => (targets.includes(number) ? [ofNumber.get(by)!] : []));
  return pulls.filter(({ pull, endedAt }) =>
    revertersOf(pull.number).some(
      (by) =>
        by.endedAt! - endedAt! <= 30 * DAY &&
        !revertersOf(by.pull.number).some((again) => again.endedAt! - by.endedAt! <= 7 * DAY),
    ),
  );
}

/** Whether a later one sets it right: small, soon, of the same files and people, and it says so. */
function follows(on: TwinPull, later: TwinPull, lines: number): boolean {
  if (on === later || on.repository !== later.repository) return false;
  if (on.pull.state !== 'merged' || later.pull.state !== 'merged') return false;
  const gap = later.endedAt! - on.endedAt!;
  if (gap < 0 || gap > 7 * DAY || lines >= 50 || !areFilesKnown(on) || !areFilesKnown(later)) return false;
  const words = `${later.pull.title} ${later.pull.headRef}`.toLowerCase().replaceAll('follow-up', 'followup');
  const says = ['fix', 'hotfix', 'bugfix', 'followup', 'oops', 'repair'];
  if (!words.split(/[^\p{L}\p{N}]+/u).some((word) => says.includes(word))) return false;
  const paths = on.pull.files.map(({ path }) => path);
  const shared = later.pull.files.filter(({ path }) => paths.includes(path)).length;
  if (shared === 0 || shared * 2 < Math.min(paths.length, later.pull.files.length)) return false;
  const by = creditedOf(later);
  return by !== null && (by.id === creditedOf(on)?.id || on.counting.some((review) => review.by.id === by.id));
}

/** From the last push before the end until the last check was done; null without checks, or while one runs. */
function checksWait({ pull, createdAt, endedAt, pushes }: TwinPull): number | null {
  if (pull.checks.length === 0 || pull.checks.some(({ completedAt }) => completedAt === null)) return null;
  const pushed = Math.max(createdAt, ...pushes.filter((at) => endedAt === null || at <= endedAt));
  return Math.max(0, ...pull.checks.map(({ completedAt }) => completedAt! - pushed));
}

/** The fewest people to whom half of these belong; null of none. */
export function halfOf(things: readonly Thing[]): number | null {
  const counts = countsOf(things);
  return counts.length === 0 ? null : fewestOf(counts);
}

/** How many of these each person did, most first. */
export function countsOf(things: readonly Thing[]): number[] {
  const counts = [...Map.groupBy(things, ({ person }) => person!.id).values()].map(({ length }) => length);
  return counts.sort((a, b) => b - a);
}

/** The fewest people who did half of it. */
export function fewestOf(counts: readonly number[]): number {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  let people = 0;
  for (let sum = 0; sum < half; people += 1) sum += counts[people]!;
  return people;
}
