import { overlapHours, type Span, type ZoneDay, zoneDays } from '../../time/zone-days.ts';
import type { PhaseBlock } from './band-layout.ts';

/** A part of a day's row; `from` and `to` are 0–1 of the day. */
export interface DayPiece {
  readonly phase: PhaseBlock['phase'];
  readonly from: number;
  readonly to: number;
  readonly hours: number;
}

export interface DayLane {
  readonly day: ZoneDay;
  readonly pieces: readonly DayPiece[];
  /** The lit part of the row, 0–1 of the day; null on weekends. */
  readonly work: { readonly from: number; readonly to: number } | null;
  /** Hours of the pull request's life within working hours. */
  readonly workedHours: number;
}

export interface DayLanes {
  readonly first: readonly DayLane[];
  /** How many days in the middle are left out. */
  readonly folded: number;
  readonly last: readonly DayLane[];
}

/** Beyond this many days the middle folds. */
const DAYS_UP_TO = 10;
const AT_EACH_END = 5;

/** The phases day by day on the clocks of a zone; of a long life its first and last days. */
export function dayLanes(blocks: readonly PhaseBlock[], span: Span, zone: string): DayLanes {
  // A day that it only touches at midnight has nothing to show.
  const days = zoneDays(span, zone).filter(({ from }, index) => index === 0 || from < span.to);
  const lane = (day: ZoneDay) => laneOfDay(day, blocks, span);
  if (days.length <= DAYS_UP_TO) return { first: days.map(lane), folded: 0, last: [] };
  return {
    first: days.slice(0, AT_EACH_END).map(lane),
    folded: days.length - 2 * AT_EACH_END,
    last: days.slice(-AT_EACH_END).map(lane),
  };
}

function laneOfDay(day: ZoneDay, blocks: readonly PhaseBlock[], span: Span): DayLane {
  const share = (instant: number) => (instant - day.from) / (day.to - day.from);
  const pieces = blocks.flatMap((block): DayPiece[] => {
    const from = Math.max(block.from, day.from);
    const to = Math.min(block.to, day.to);
    if (to <= from) return [];
    return [{ phase: block.phase, from: share(from), to: share(to), hours: (to - from) / 3_600_000 }];
  });
  const { work } = day;
  return {
    day,
    pieces,
    work: work === null ? null : { from: share(work.from), to: share(work.to) },
    workedHours: work === null ? 0 : overlapHours(work, span),
  };
}
