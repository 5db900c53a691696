import type { PullRequestDetail, TimelineEvent } from '#contract/pull-requests.ts';
import { hoursBetween } from '#domain/pull-request.ts';
import { shownLogin } from '../../people/person-name.tsx';
import { formatCount } from '../../time/moment.ts';
import { type ZoneDay, zoneDays } from '../../time/zone-days.ts';

/** The kinds of event that the timeline can be narrowed to; `all` is not narrowed. */
export const eventKinds = ['all', 'commits', 'force-pushes', 'reviews', 'comments', 'checks', 'states'] as const;

export type EventKind = (typeof eventKinds)[number];

const kindOfType: Readonly<Record<string, EventKind>> = {
  commit: 'commits',
  force_push: 'force-pushes',
  review: 'reviews',
  review_requested: 'reviews',
  review_request_removed: 'reviews',
  review_dismissed: 'reviews',
  inline_comment: 'reviews',
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
      readonly kind: 'run';
      readonly events: readonly PlacedEvent[];
      readonly opened: boolean;
    }
);

/** A gap longer than this is emphasised, and never hidden within a group (hours). */
export const LONG_GAP = 4;

/** From this many commits in a row on they are one row that can be opened; other rows are when two of them read the same. */
const COMMITS_FROM = 3;
const EQUAL_FROM = 2;

export interface Shown {
  readonly kind: EventKind;
  /** Keys of the runs that were opened. */
  readonly opened: ReadonlySet<string>;
  readonly zone: string;
}

/**
 * The timeline as rows: narrowed to a kind of event, days headed, and runs of commits and of events that read the same gathered, as far as
 * they lie on one day and no long gap parts them. An opened run is followed by its events.
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
    const run = runFrom(shown, index, days);
    if (run.length < (first.event.type === 'commit' ? COMMITS_FROM : EQUAL_FROM)) {
      add({ kind: 'event', key: first.event.id, heading: null, first });
      index += 1;
      continue;
    }
    const key = `run-${first.event.id}`;
    const isOpened = opened.has(key);
    add({ kind: 'run', key, heading: null, first, events: run, opened: isOpened });
    if (isOpened) for (const placed of run) add({ kind: 'event', key: placed.event.id, heading: null, first: placed });
    index += run.length;
  }
  return rows;
}

function runFrom(shown: readonly PlacedEvent[], from: number, days: (at: number) => number): PlacedEvent[] {
  const first = shown[from] as PlacedEvent;
  let to = from + 1;
  for (; to < shown.length; to += 1) {
    const next = shown[to] as PlacedEvent;
    if (!belongTogether(first.event, next.event)) break;
    if ((next.gap ?? 0) > LONG_GAP || days(next.at) !== days(first.at)) break;
  }
  return shown.slice(from, to);
}

/** Commits belong together whoever made them; comments, answers, force-pushes and checks where they say the same of the same account. */
function belongTogether(first: TimelineEvent, next: TimelineEvent): boolean {
  if (first.type !== next.type) return false;
  if (first.type === 'commit') return true;
  if (first.actor !== next.actor || first.actor_kind !== next.actor_kind) return false;
  if (first.type === 'review') return first.metadata.replies !== null && next.metadata.replies !== null;
  const isEqual = first.description === next.description && first.metadata.check_status === next.metadata.check_status;
  return isEqual && ['comment', 'inline_comment', 'force_push', 'status_check'].includes(first.type);
}

/** What a run of events says, to be read after who did it: "pushed 4 commits", "replied 14 times". */
export function runWords(events: readonly PlacedEvent[]): string {
  const { type, description } = (events[0] as PlacedEvent).event;
  if (type === 'commit') return `pushed ${formatCount(events.length)} commits`;
  if (type === 'status_check') return `${description}, ${formatCount(events.length)} times`;
  const replies = events.reduce((sum, { event }) => sum + (event.metadata.replies ?? 0), 0);
  return type === 'review'
    ? `replied ${formatCount(replies)} times`
    : `${description} ${formatCount(events.length)} times`;
}

/** What an event says, to be read after who did it; the bots that it names are called as everywhere on screens. */
export function eventWords({ type, description }: TimelineEvent): string {
  return type.startsWith('review_request') ? description.replaceAll('[bot]', '') : description;
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
  if (event.actor_kind === 'agent' || event.actor_kind === 'bot') return 'not counted';
  if (event.actor === author) return 'By the author, not counted';
  if (event.actor === null) return 'Deleted account, not counted';
  const end = merged_at ?? closed_at;
  return end !== null && event.timestamp > end ? 'After the end, not counted' : 'Replies, not counted';
}

/** Who acts, in words, for a group of commits: "mona", "mona and octo", "mona and 3 others". */
export function actorsOf(events: readonly PlacedEvent[]): string {
  const names = [
    ...new Set(events.map(({ event }) => (event.actor === null ? 'somebody unknown' : shownLogin(event.actor)))),
  ];
  const [first = '', second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`;
}
