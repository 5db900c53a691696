import { ChevronDownIcon, ChevronRightIcon } from '@primer/octicons-react';
import { memo } from 'react';
import type { PullRequestDetail, TimelineEvent } from '#contract/pull-requests.ts';
import { formatGap } from '#domain/duration.ts';
import { stateBadge } from '#domain/review-state.ts';
import { Chip, type Meaning } from '../../kit/chip.tsx';
import { Face, Person } from '../../people/person.tsx';
import { EventDot } from '../../pull-requests/event-dot.tsx';
import { eventLook } from '../../pull-requests/event-look.ts';
import { useUser } from '../../session/session.tsx';
import { formatMomentInZone, formatTime } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './timeline.module.css';
import {
  actorsOf,
  eventWords,
  LONG_GAP,
  type PlacedEvent,
  reviewNote,
  runWords,
  type TimelineRow,
} from './timeline-rows.ts';

interface EventRowProps {
  readonly row: TimelineRow;
  readonly detail: PullRequestDetail;
  /** The rail ends with the last row. */
  readonly last: boolean;
}

/** One event: when, its dot, who, what, its badges, and how long after the one before. Drawn once, however far the list scrolls. */
export const EventRow = memo(function EventRow({ row, detail, last }: EventRowProps) {
  const { event } = row.first;
  return (
    <div className={`${classes.row} ${last ? classes.lastRow : ''}`}>
      <Clock at={row.first.at} />
      <EventDot look={eventLook(event)} />
      <span className={classes.words}>
        <Actor event={event} /> <span className={classes.description}>{eventWords(event)}</span>{' '}
        {event.metadata.sha !== null && <code className={classes.sha}>{event.metadata.sha.slice(0, 7)}</code>}{' '}
        <Badges event={event} note={reviewNote(event, detail)} />
      </span>
      <Since placed={row.first} />
    </div>
  );
});

interface RunRowProps extends EventRowProps {
  readonly row: Extract<TimelineRow, { kind: 'run' }>;
  readonly onToggle: (key: string) => void;
}

/** A run of commits, or of events that read the same, as one row with a button that lists them. */
export const RunRow = memo(function RunRow({ row, detail, last, onToggle }: RunRowProps) {
  const { events, opened, first } = row;
  const Arrow = opened ? ChevronDownIcon : ChevronRightIcon;
  const noun = first.event.type === 'commit' ? 'commits' : 'each';
  return (
    <div className={`${classes.row} ${last ? classes.lastRow : ''}`}>
      <Clock at={first.at} />
      <EventDot look={eventLook(first.event)} />
      <span className={classes.words}>
        <Actor event={first.event} names={first.event.type === 'commit' ? actorsOf(events) : undefined} />{' '}
        <span className={classes.description}>{runWords(events)}</span>{' '}
        <Badges event={first.event} note={reviewNote(first.event, detail)} />{' '}
        <button type="button" className={classes.toggle} aria-expanded={opened} onClick={() => onToggle(row.key)}>
          <Arrow size={12} />
          {opened ? `Hide ${noun}` : `Show ${noun}`}
        </button>
      </span>
      <Since placed={first} />
    </div>
  );
});

/** Who did it, with their face; a check has the face of a machine and its name as what happened. */
function Actor({ event, names }: { event: TimelineEvent; names?: string | undefined }) {
  const { type, actor, actor_avatar, actor_kind } = event;
  if (type === 'status_check') {
    return (
      <span className={classes.face}>
        <Face name="?" avatarUrl={null} kind="bot" />
      </span>
    );
  }
  const isSeveral = names !== undefined && names !== actor;
  return (
    <b>
      <Person
        name={isSeveral ? names : (actor ?? unnamed(event))}
        avatarUrl={actor_avatar}
        kind={isSeveral ? 'human' : (actor_kind ?? 'human')}
      />
    </b>
  );
}

function Badges({ event, note }: { event: TimelineEvent; note: string | null }) {
  const { review_state, check_status } = event.metadata;
  return (
    <>
      {review_state !== null && (
        <span className={classes.badge}>
          <Chip meaning={reviewMeaning(review_state)}>{stateBadge(review_state)}</Chip>
        </span>
      )}
      {check_status !== null && (
        <span className={classes.badge}>
          <Chip meaning={check_status === 'success' ? 'good' : 'bad'}>{stateBadge(check_status)}</Chip>
        </span>
      )}{' '}
      {note !== null && <span className={classes.note}>{note}</span>}
    </>
  );
}

/** A commit may belong to nobody; otherwise only a deleted account has no name. */
function unnamed({ type }: TimelineEvent): string {
  return type === 'commit' ? 'Somebody unknown' : 'A deleted account';
}

function reviewMeaning(state: NonNullable<TimelineEvent['metadata']['review_state']>): Meaning {
  if (state === 'approved') return 'good';
  return state === 'changes_requested' ? 'bad' : 'neutral';
}

/** The time of day; the day and how long ago it was stand in the day's heading. */
function Clock({ at }: { at: number }) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <time
      className={classes.clock}
      dateTime={new Date(at).toISOString()}
      data-tip={formatMomentInZone(at, now, time_zone)}
    >
      {formatTime(at, time_zone)}
    </time>
  );
}

function Since({ placed: { gap } }: { placed: PlacedEvent }) {
  const words = gap === null ? null : formatGap(gap);
  if (gap === null || words === null) return null;
  return (
    <span className={classes.since}>
      <span className={gap > LONG_GAP ? classes.long : ''}>{words}</span>
    </span>
  );
}
