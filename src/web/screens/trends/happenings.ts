import type { Trend } from '#contract/trends.ts';
import { dayOf, formatCount } from '../../time/moment.ts';

const DAY = 24 * 3_600_000;

export type TrendEvent = Trend['events'][number];

/** What stands at one place of the time axis: an event, or several of one kind and day. */
export interface Happening {
  readonly key: string;
  /** Of the places of points, or between two. */
  readonly place: number;
  readonly day: string;
  readonly kind: TrendEvent['kind'];
  /** In few words. */
  readonly words: string;
  readonly events: readonly TrendEvent[];
}

/** Accounts are shown without what marks bots. */
const withoutMark = (text: string) => text.replaceAll('[bot]', '');

/** The events of a trend on its axis, the earliest first. */
export function happeningsOf({ events, buckets }: Pick<Trend, 'events' | 'buckets'>, timeZone: string): Happening[] {
  const groups = Map.groupBy(events, ({ at, kind, text }) => {
    const day = dayOf(Date.parse(at), timeZone);
    return kind === 'repository_connected' ? `${day} ${kind}` : `${day} ${kind} ${text}`;
  });
  return [...groups].map(([key, of]) => {
    const { at, kind } = of[0]!;
    const day = dayOf(Date.parse(at), timeZone);
    return {
      key,
      place: placeOf(day, buckets),
      day,
      kind,
      words: withoutMark(wordsOf(of)),
      events: of.map((event) => ({ ...event, text: withoutMark(event.text) })),
    };
  });
}

/** Where a day lies on an axis of points that each begin with a date. */
export function placeOf(day: string, buckets: readonly string[]): number {
  const at = Math.max(
    0,
    buckets.findLastIndex((date) => date <= day),
  );
  const [begins, next] = [Date.parse(buckets[at] ?? day), Date.parse(buckets[at + 1] ?? '')];
  if (Number.isNaN(next)) return at;
  return Math.max(0, at + (Date.parse(day) - begins) / (next - begins || DAY));
}

function wordsOf(events: readonly TrendEvent[]): string {
  const { kind, text } = events[0]!;
  if (kind === 'repository_connected')
    return events.length > 1
      ? `${formatCount(events.length)} repositories connected`
      : text.slice(text.indexOf('/') + 1);
  if (kind === 'ai_reviewer') return text.replace(/^(.+) reviewed for the first time.*$/, 'first review by $1');
  if (kind === 'definitions') return 'definitions changed';
  return kind === 'thresholds' ? 'thresholds changed' : text;
}
