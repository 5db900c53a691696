import type { PullRequestDetail, TimelineEvent } from '#contract/pull-requests.ts';
import { hoursBetween } from '#domain/pull-request.ts';
import { type ZoneDay, zoneDays } from '../../panels/zone-days.ts';

/** The kinds of event that the timeline can be narrowed to; `all` is not narrowed. */
export const eventKinds = ['all', 'commits', 'reviews', 'comments', 'checks', 'states'] as const;

export type EventKind = (typeof eventKinds)[number];

const kindOfType: Readonly<Record<string, EventKind>> = {
  commit: 'commits',
  force_push: 'commits',
  review: 'reviews',
  review_requested: 'reviews',
  review_request_removed: 'reviews',
  review_dismissed: 'reviews',
  comment: 'comments',
  status_check: 'checks',
};

/** The kind of an event; opening, draft changes, closing, merging and anything unknown are changes of state. */
export function kindOf(event: TimelineEvent): EventKind {
  return kindOfType[event.type] ?? 'states';
}

/** An event beside what is said about it. */
export interface PlacedEvent {
  readonly event: TimelineEvent;
  readonly at: number;
  /** Hours since the event before it in the whole timeline; null for the first one. */
  readonly gap: number | null;
}

export type TimelineRow = {
  readonly key: string;
  /** The first instant of the day that begins with this row; null within a day. */
  readonly heading: number | null;
  readonly first: PlacedEvent;
} & (
  | { readonly kind: 'event' }
  | {
      readonly kind: 'pushes';
      readonly events: readonly PlacedEvent[];
      readonly opened: boolean;
    }
);

/** A gap longer than this is emphasised, and never hidden within a group (hours). */
export const LONG_GAP = 4;

/** From this many commits in a row on they are one row that can be opened. */
const GROUP_FROM = 3;

export interface Shown {
  readonly kind: EventKind;
  /** Keys of the groups of pushes that were opened. */
  readonly opened: ReadonlySet<string>;
  readonly zone: string;
}

/**
 * The timeline as rows: narrowed to a kind of event, days headed, and runs of commits gathered, as far as they lie on one day and no long gap
 * parts them. An opened group is followed by its commits.
 */
export function timelineRows(timeline: readonly TimelineEvent[], { kind, opened, zone }: Shown): TimelineRow[] {
  const placed = timeline.map((event, index): PlacedEvent => {
    const at = Date.parse(event.timestamp);
    const before = timeline[index - 1];
    return { event, at, gap: before === undefined ? null : hoursBetween(Date.parse(before.timestamp), at) };
  });
  const shown = kind === 'all' ? placed : placed.filter(({ event }) => kindOf(event) === kind);
  const days = dayFinder(shown, zone);
  const rows: TimelineRow[] = [];
  let today: number | null = null;
  const add = (row: TimelineRow) => {
    const day = days(row.first.at);
    rows.push({ ...row, heading: day === today ? null : day });
    today = day;
  };
  for (let index = 0; index < shown.length; ) {
    const first = shown[index] as PlacedEvent;
    const run = runOfCommits(shown, index, days);
    if (run.length < GROUP_FROM) {
      add({ kind: 'event', key: first.event.id, heading: null, first });
      index += 1;
      continue;
    }
    const key = `pushes-${first.event.id}`;
    const isOpened = opened.has(key);
    add({ kind: 'pushes', key, heading: null, first, events: run, opened: isOpened });
    if (isOpened) for (const commit of run) add({ kind: 'event', key: commit.event.id, heading: null, first: commit });
    index += run.length;
  }
  return rows;
}

function runOfCommits(shown: readonly PlacedEvent[], from: number, days: (at: number) => number): PlacedEvent[] {
  const first = shown[from] as PlacedEvent;
  let to = from;
  for (; to < shown.length; to += 1) {
    const next = shown[to] as PlacedEvent;
    if (next.event.type !== 'commit') break;
    if (to > from && ((next.gap ?? 0) > LONG_GAP || days(next.at) !== days(first.at))) break;
  }
  return shown.slice(from, to);
}

/** Finds the first instant of the day that an instant falls on. */
function dayFinder(shown: readonly PlacedEvent[], zone: string): (at: number) => number {
  const first = shown[0];
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return (at) => at;
  const starts = zoneDays({ from: first.at, to: last.at }, zone).map((day: ZoneDay) => day.from);
  let place = 0;
  return (at) => {
    while (place > 0 && (starts[place] as number) > at) place -= 1;
    while (place + 1 < starts.length && (starts[place + 1] as number) <= at) place += 1;
    return starts[place] as number;
  };
}

/** What is said beside a review: that it is the first one, or why it doesn't count as one; null for any other. */
export function reviewNote(
  event: TimelineEvent,
  detail: Pick<PullRequestDetail, 'author' | 'reviews' | 'time_metrics' | 'merged_at' | 'closed_at'>,
): string | null {
  if (event.type !== 'review') return null;
  const { author, reviews, time_metrics, merged_at, closed_at } = detail;
  if (reviews.some(({ id }) => event.id === `review-${id}`)) {
    return event.timestamp === time_metrics.first_review_at ? 'First review' : null;
  }
  if (event.actor_kind === 'agent') return 'Agent, not counted as first review';
  if (event.actor_kind === 'bot') return 'Bot, not counted as first review';
  if (event.actor === author) return 'By the author, not counted';
  if (event.actor === null) return 'Deleted account, not counted';
  const end = merged_at ?? closed_at;
  return end !== null && event.timestamp > end ? 'After the end, not counted' : 'Replies, not counted';
}

/** Who acts, in words, for a group of commits: "mona", "mona and octo", "mona and 3 others". */
export function actorsOf(events: readonly PlacedEvent[]): string {
  const names = [...new Set(events.map(({ event }) => event.actor ?? 'somebody unknown'))];
  const [first = '', second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`;
}
