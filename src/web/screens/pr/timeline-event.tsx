import { ChevronDownIcon, ChevronRightIcon } from '@primer/octicons-react';
import { memo } from 'react';
import type { PullRequestDetail, TimelineEvent } from '#contract/pull-requests.ts';
import { formatGap } from '#domain/duration.ts';
import { stateBadge } from '#domain/review-state.ts';
import { Chip, type Meaning } from '../../panels/chip.tsx';
import { EventDot } from '../../panels/event-dot.tsx';
import { eventLook } from '../../panels/event-look.ts';
import { formatCount, formatTime } from '../../panels/moment.ts';
import { Face } from '../../panels/person.tsx';
import { When } from '../../panels/when.tsx';
import { useUser } from '../../session/session.tsx';
import classes from './timeline.module.css';
import { actorsOf, LONG_GAP, type PlacedEvent, reviewNote, type TimelineRow } from './timeline-rows.ts';

interface EventRowProps {
  readonly row: TimelineRow;
  readonly detail: PullRequestDetail;
  /** The rail ends with the last row. */
  readonly last: boolean;
}

/** One event: when, its dot, who, what, its badges, and how long after the one before. Drawn once, however far the list scrolls. */
export const EventRow = memo(function EventRow({ row, detail, last }: EventRowProps) {
  const { event } = row.first;
  const { actor, actor_avatar, actor_kind, description, metadata } = event;
  const note = reviewNote(event, detail);
  return (
    <div className={`${classes.row} ${last ? classes.lastRow : ''}`}>
      <Clock at={row.first.at} />
      <EventDot look={eventLook(event)} />
      <div className={classes.what}>
        {event.type !== 'status_check' && (
          <span className={classes.face}>
            <Face name={actor ?? '?'} avatarUrl={actor_avatar} kind={actor_kind ?? 'human'} />
          </span>
        )}
        <span className={classes.words}>
          {event.type !== 'status_check' && <b>{actor ?? unnamed(event)} </b>}
          <span className={classes.description}>{description}</span>{' '}
          {metadata.sha !== null && <code className={classes.sha}>{metadata.sha.slice(0, 7)}</code>}{' '}
          {metadata.review_state !== null && (
            <span className={classes.badge}>
              <Chip meaning={reviewMeaning(metadata.review_state)}>{stateBadge(metadata.review_state)}</Chip>
            </span>
          )}
          {metadata.check_status !== null && (
            <span className={classes.badge}>
              <Chip meaning={metadata.check_status === 'success' ? 'good' : 'bad'}>
                {stateBadge(metadata.check_status)}
              </Chip>
            </span>
          )}{' '}
          {note !== null && <span className={classes.note}>{note}</span>}
        </span>
      </div>
      <Since placed={row.first} />
    </div>
  );
});

interface PushesRowProps {
  readonly row: Extract<TimelineRow, { kind: 'pushes' }>;
  readonly onToggle: (key: string) => void;
}

/** A run of commits as one row, with a button that lists them. */
export const PushesRow = memo(function PushesRow({ row, onToggle }: PushesRowProps) {
  const { events, opened, first } = row;
  const { actor, actor_avatar, actor_kind } = first.event;
  const Arrow = opened ? ChevronDownIcon : ChevronRightIcon;
  return (
    <div className={classes.row}>
      <Clock at={first.at} />
      <EventDot look={eventLook(first.event)} />
      <div className={classes.what}>
        <span className={classes.face}>
          <Face name={actor ?? '?'} avatarUrl={actor_avatar} kind={actor_kind ?? 'human'} />
        </span>
        <span className={classes.words}>
          <b>{actorsOf(events)} </b>
          <span className={classes.description}>pushed {formatCount(events.length)} commits</span>{' '}
          <button type="button" className={classes.toggle} aria-expanded={opened} onClick={() => onToggle(row.key)}>
            <Arrow size={12} />
            {opened ? 'Hide commits' : 'Show commits'}
          </button>
        </span>
      </div>
      <Since placed={first} />
    </div>
  );
});

/** A commit may belong to nobody; otherwise only a deleted account has no name. */
function unnamed({ type }: TimelineEvent): string {
  return type === 'commit' ? 'Somebody unknown' : 'A deleted account';
}

function reviewMeaning(state: NonNullable<TimelineEvent['metadata']['review_state']>): Meaning {
  if (state === 'approved') return 'good';
  return state === 'changes_requested' ? 'bad' : 'neutral';
}

function Clock({ at }: { at: number }) {
  const { time_zone } = useUser();
  return (
    <span className={classes.clock} aria-hidden="true">
      {formatTime(at, time_zone)}
    </span>
  );
}

function Since({ placed }: { placed: PlacedEvent }) {
  const { event, gap } = placed;
  return (
    <span className={classes.since}>
      {gap !== null && <span className={gap > LONG_GAP ? classes.long : ''}>{formatGap(gap)}</span>}
      <span className={classes.ago}>
        <When at={event.timestamp} as="ago" />
      </span>
    </span>
  );
}
