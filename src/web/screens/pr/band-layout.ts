import type { PullRequestDetail, TimelineEvent, TimeMetrics } from '#contract/pull-requests.ts';
import { isAutomationKind } from '#domain/history.ts';
import { type EventLook, eventLook } from '../../pull-requests/event-look.ts';
import type { Span, ZoneDay } from '../../time/zone-days.ts';

/** Who is shown in a lane of the band. */
export type Lane = 'author' | 'reviewers' | 'automation';

export interface Mark {
  readonly lane: Lane;
  /** Pixels from the start to the mark's middle. */
  readonly at: number;
  /** Of the weightiest of the events that fell together. */
  readonly look: EventLook;
  readonly events: readonly TimelineEvent[];
}

/** Marks closer than this fold into one (pixels); one with a count beside it needs more room. */
const APART = 24;
const COUNT_GAP = 6;
/** Half of a mark: it never leaves the drawing. */
const HALF = 10;
const DIGIT = 7;

function roomOf(events: readonly TimelineEvent[]): number {
  return events.length === 1 ? APART : APART + COUNT_GAP + DIGIT * String(events.length).length;
}

/** Whether a mark stands so near to the end that its count goes to its left. */
export function isNearEnd(at: number, { width }: Scale): boolean {
  return at > width - 36;
}

/** Whose lane an event belongs to: the author's, other people's, or that of agents, bots and checks. */
export function laneOf({ type, actor, actor_kind }: TimelineEvent, author: string): Lane {
  if (type === 'status_check' || isAutomationKind(actor_kind)) return 'automation';
  const byNobody = actor === null && (type === 'opened' || type === 'commit' || type === 'force_push');
  return actor === author || byNobody ? 'author' : 'reviewers';
}

/** The marks of a lane from left to right; what lies too close together becomes one mark with the events behind it. */
export function marksOf(
  lane: Lane,
  { timeline, author }: Pick<PullRequestDetail, 'timeline' | 'author'>,
  scale: Scale,
): Mark[] {
  const groups: { at: number; events: TimelineEvent[] }[] = [];
  for (const event of timeline) {
    if (laneOf(event, author) !== lane) continue;
    const at = Math.max(HALF, Math.min(scale.width - HALF, scale.at(Date.parse(event.timestamp))));
    const last = groups.at(-1);
    if (last !== undefined && at - last.at < roomOf(last.events)) last.events.push(event);
    else groups.push({ at, events: [event] });
  }
  makeRoomAtTheEnd(groups, scale);
  return groups.map(({ at, events }) => {
    const looks = events.map((event) => eventLook(event));
    const look = looks.reduce((best, next) => (next.weight > best.weight ? next : best));
    return { lane, at, look, events };
  });
}

/** The last mark's count stands at its left, where the mark before it may have its own. */
function makeRoomAtTheEnd(groups: { at: number; events: TimelineEvent[] }[], scale: Scale): void {
  for (let last = groups.at(-1); last !== undefined && isNearEnd(last.at, scale); last = groups.at(-1)) {
    const before = groups.at(-2);
    const needed = roomOf(last.events) + (before === undefined ? 0 : roomOf(before.events) - APART);
    if (before === undefined || last.at - before.at >= needed) return;
    groups.splice(-2, 2, { at: last.at, events: [...before.events, ...last.events] });
  }
}

/** A linear axis from the opening to the end. */
export interface Scale extends Span {
  readonly width: number;
  /** Pixels from the start. */
  readonly at: (instant: number) => number;
}

/** An axis over a span on a number of pixels; what lies outside of the span stands at its edges. */
export function scaleOf({ from, to }: Span, width: number): Scale {
  const length = Math.max(1, to - from);
  const at = (instant: number) => (width * (Math.min(Math.max(instant, from), to) - from)) / length;
  return { from, to, width, at };
}

export interface Tick {
  readonly at: number;
  /** Whether there is room for its date. */
  readonly labelled: boolean;
  readonly day: ZoneDay;
  readonly unit: TickUnit;
}

export type TickUnit = 'day' | 'week' | 'month' | 'year';

/** Beyond this many days weeks replace days on the axis, then months, then years. */
const DAYS_UP_TO = 14;
const WEEKS_UP_TO = 26 * 7;
const MONTHS_UP_TO = 3 * 366;
const LABEL_ROOM = 76;
/** Below this width (pixels) the labels of the start and the end are short. */
const COMPACT_BELOW = 600;

/** Whether an axis has room for short labels only. */
export function isCompact({ width }: Scale): boolean {
  return width < COMPACT_BELOW;
}

/** The lines on the axis: midnights, Mondays, first days of months or years; a label that would touch another is left out. */
export function ticksOf(days: readonly ZoneDay[], scale: Scale): Tick[] {
  const unit = unitOf(days.length);
  const ticks: Tick[] = [];
  // The labels of the start and the end stand at the edges.
  const atEdges = isCompact(scale) ? { start: 1.4, end: 1.5 } : { start: 2, end: 2 };
  let free = LABEL_ROOM * atEdges.start;
  for (const day of days.slice(1)) {
    if (!begins(unit, day) || day.from > scale.to) continue;
    const at = scale.at(day.from);
    const labelled = at >= free && at <= scale.width - LABEL_ROOM * atEdges.end;
    ticks.push({ at, labelled, day, unit });
    if (labelled) free = at + LABEL_ROOM;
  }
  return ticks;
}

function unitOf(days: number): TickUnit {
  if (days <= DAYS_UP_TO + 1) return 'day';
  if (days <= WEEKS_UP_TO) return 'week';
  return days <= MONTHS_UP_TO ? 'month' : 'year';
}

function begins(unit: TickUnit, { weekday, day, month }: ZoneDay): boolean {
  if (unit === 'day') return true;
  if (unit === 'week') return weekday === 1;
  return day === 1 && (unit === 'month' || month === 1);
}

/** From this many pixels per day the nights are shaded, below it weekends only, and below the second nothing. */
const NIGHTS_FROM = 24;
const WEEKENDS_FROM = 5;

const perDayOf = (days: readonly ZoneDay[], { width }: Scale) => width / Math.max(1, days.length);

/** Whether there is room to shade the nights, too. */
export function hasNights(days: readonly ZoneDay[], scale: Scale): boolean {
  return perDayOf(days, scale) >= NIGHTS_FROM;
}

/** The spans outside working hours that are wide enough to be seen, joined where they touch. */
export function shadesOf(days: readonly ZoneDay[], scale: Scale): Span[] {
  if (perDayOf(days, scale) < WEEKENDS_FROM) return [];
  const nights = hasNights(days, scale);
  const free: Span[] = days.flatMap((day) => {
    if (day.work === null) return [{ from: day.from, to: day.to }];
    if (!nights) return [];
    return [
      { from: day.from, to: day.work.from },
      { from: day.work.to, to: day.to },
    ];
  });
  const joined: Span[] = [];
  for (const { from, to } of free) {
    if (to <= scale.from || from >= scale.to) continue;
    const last = joined.at(-1);
    if (last?.to === from) joined[joined.length - 1] = { from: last.from, to };
    else joined.push({ from, to });
  }
  return joined;
}

export interface PhaseBlock extends Span {
  readonly phase: TimeMetrics['phases'][number]['phase'];
  /** An approval that was lost again; its time counts as waiting. */
  readonly lost: boolean;
}

/** The phases as spans of time, the running one until `end`. */
export function phaseBlocks(phases: TimeMetrics['phases'], end: number): PhaseBlock[] {
  return phases.map(({ phase, from, to }, index) => ({
    phase,
    from: Date.parse(from),
    to: to === null ? end : Date.parse(to),
    lost: phase === 'approved' && index < phases.length - 1,
  }));
}
