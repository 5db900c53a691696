import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { formatDaysAgo } from '#domain/duration.ts';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { useUser } from '../../session/session.tsx';
import { daysBetween, formatDayInFull } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './timeline.module.css';
import { EventRow, RunRow } from './timeline-event.tsx';
import { type EventKind, type TimelineRow, timelineRows } from './timeline-rows.ts';

/** Rows drawn outside the pane at both ends; a timeline of up to so many rows is drawn whole, so that the browser's own search finds all of it. */
const WHOLE_UP_TO = 200;
const BEYOND = 12;

const ROW_HEIGHT = 38;
const HEADING_HEIGHT = 36;

/**
 * The events of a pull request as an ordered list in a pane of 600 px; only the rows in sight are drawn, so that thousands of events scroll
 * like ten. On paper all of them stand, without a pane.
 */
export function TimelineList({ detail, kind }: { detail: PullRequestDetail; kind: EventKind }) {
  const { time_zone } = useUser();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const pane = useRef<HTMLElement>(null);
  const rows = useMemo(
    () => timelineRows(detail.timeline, { kind, opened, zone: time_zone }),
    [detail.timeline, kind, opened, time_zone],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: (index) => ROW_HEIGHT + (rows[index]?.heading === null ? 0 : HEADING_HEIGHT),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: rows.length <= WHOLE_UP_TO ? rows.length : BEYOND,
  });
  const isPrinting = useIsPrinting();
  const toggle = useCallback((key: string) => {
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must be reachable by keyboard
    <section ref={pane} className={classes.pane} aria-label="Events, oldest first" tabIndex={0}>
      <ol className={classes.list} style={isPrinting ? undefined : { height: virtual.getTotalSize() }}>
        {(isPrinting ? rows.map((_, index) => ({ index, start: null })) : virtual.getVirtualItems()).map(
          ({ index, start }) => {
            const row = rows[index] as TimelineRow;
            return (
              <li
                key={row.key}
                ref={isPrinting ? undefined : virtual.measureElement}
                data-index={index}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                className={start === null ? classes.printed : classes.item}
                style={start === null ? undefined : { transform: `translateY(${start}px)` }}
              >
                {row.heading !== null && <DayHeading at={row.heading} />}
                {row.kind === 'run' ? (
                  <RunRow row={row} detail={detail} last={index === rows.length - 1} onToggle={toggle} />
                ) : (
                  <EventRow row={row} detail={detail} last={index === rows.length - 1} />
                )}
              </li>
            );
          },
        )}
      </ol>
    </section>
  );
}

function DayHeading({ at }: { at: number }) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <h3 className={classes.day}>
      {formatDayInFull(at, now, time_zone)}{' '}
      <span className={classes.ago}>{formatDaysAgo(daysBetween(at, now, time_zone))}</span>
    </h3>
  );
}
