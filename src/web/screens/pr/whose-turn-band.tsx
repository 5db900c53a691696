import { useMemo } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { durationParts, formatDuration } from '#domain/duration.ts';
import { phaseLabel } from '#domain/time-analysis.ts';
import { workingHoursText } from '#domain/working-hours.ts';
import { Card } from '../../kit/card.tsx';
import { useWidth } from '../../kit/use-width.ts';
import { shownLogin } from '../../people/person-name.tsx';
import { EventDot } from '../../pull-requests/event-dot.tsx';
import { useUser } from '../../session/session.tsx';
import { formatDay, formatMoment, formatTime } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { zoneDays } from '../../time/zone-days.ts';
import { axisLabel } from './axis-label.ts';
import {
  hasNights,
  isCompact,
  isNearEnd,
  type Lane,
  type Mark,
  marksOf,
  type PhaseBlock,
  phaseBlocks,
  type Scale,
  scaleOf,
  shadesOf,
  ticksOf,
} from './band-layout.ts';
import { lifeOf } from './life.ts';
import { PhaseTotals } from './phase-totals.tsx';
import { eventWords } from './timeline-rows.ts';
import classes from './whose-turn-band.module.css';

const HOUR = 3_600_000;

const lanes: readonly (readonly [Lane, string])[] = [
  ['author', 'Author'],
  ['reviewers', 'Reviewers'],
  ['automation', 'Agents, checks'],
];

/** "the 2.9 days", for a sentence; "the time" where it is under a minute. */
function inWords(hours: number): string {
  const words = { min: 'minutes', h: 'hours', d: 'days' };
  const parts = durationParts(hours);
  return parts === null || ['0', '<1'].includes(parts.figure) ? 'the time' : `the ${parts.figure} ${words[parts.unit]}`;
}

/**
 * Whose turn it was along the time axis, from the opening to the end, with what everyone did beneath (docs/product.md#timeline). The
 * drawing is hidden from assistive technology: milestones and timeline say the same.
 */
export function WhoseTurnBand({ detail }: { detail: PullRequestDetail }) {
  const now = useNow();
  const { time_zone } = useUser();
  const { ref, width } = useWidth();
  const { from, to } = lifeOf(detail);
  const { state } = detail;
  const drawing = useMemo(() => {
    const scale = scaleOf({ from, to }, width);
    const days = zoneDays({ from, to }, time_zone);
    return { scale, ticks: ticksOf(days, scale), shades: shadesOf(days, scale), nights: hasNights(days, scale) };
  }, [from, to, width, time_zone]);
  const { scale, ticks, shades, nights } = drawing;
  const marks = useMemo(() => new Map(lanes.map(([lane]) => [lane, marksOf(lane, detail, scale)])), [detail, scale]);
  const blocks = phaseBlocks(detail.time_metrics.phases, to);
  const until = { open: 'to now', merged: 'to merge', closed: 'to close' }[state];
  const shaded = shades.length > 0 ? `; shaded: ${nights ? `outside ${workingHoursText}` : 'weekends'}` : '';

  return (
    <Card
      title={`Where ${inWords((to - from) / HOUR)} went`}
      caption={`from opening ${until}${shaded}`}
      controls={<PhaseTotals times={detail.time_metrics} />}
      foot={
        blocks.some(({ lost }) => lost)
          ? 'A dashed edge marks an approval that was lost again; its time counts as waiting.'
          : undefined
      }
    >
      <div className={classes.band} aria-hidden="true">
        <div className={classes.names}>
          <span className={classes.phaseName}>Phase</span>
          {lanes.map(([lane, name]) => (
            <span key={lane} className={classes.laneName}>
              {name}
            </span>
          ))}
        </div>
        <div className={classes.drawing} ref={ref}>
          {shades.map((shade) => (
            <span
              key={shade.from}
              className={classes.shade}
              style={{
                left: share(scale.at(shade.from), scale),
                width: share(scale.at(shade.to) - scale.at(shade.from), scale),
              }}
            />
          ))}
          {ticks.map(({ at }) => (
            <span key={at} className={classes.line} style={{ left: share(at, scale) }} />
          ))}
          <div className={classes.phases}>
            {width > 0 && blocks.map((block) => <Phase key={block.from} block={block} scale={scale} />)}
          </div>
          {lanes.map(([lane]) => (
            <div key={lane} className={classes.lane}>
              {width > 0 && (marks.get(lane) ?? []).map((mark) => <MarkOn key={mark.at} mark={mark} scale={scale} />)}
            </div>
          ))}
          <div className={classes.axis}>
            <span className={classes.start}>
              {isCompact(scale) ? formatDay(from, now, time_zone) : formatMoment(from, now, time_zone)}
            </span>
            {ticks
              .filter(({ labelled }) => labelled)
              .map(({ at, day, unit }) => (
                <span key={at} className={classes.tick} style={{ left: share(at, scale) }}>
                  {axisLabel(day, unit, time_zone)}
                </span>
              ))}
            <span className={classes.end}>
              {state === 'open' ? 'now' : isCompact(scale) ? state : `${state} ${formatTime(to, time_zone)}`}
            </span>
          </div>
        </div>
      </div>
    </Card>
  );
}

/** A place on the axis as a share of its width, so that the drawing follows its box without being measured again. */
function share(pixels: number, { width }: Scale): string {
  return `${width === 0 ? 0 : (100 * pixels) / width}%`;
}

/** From this width on (pixels) a phase is named in full; below it in short, or it has its time alone. */
const FULL_FROM = 150;
/** Padding, the gap between word and time, and the width of a character. */
const ROOM = { around: 10, between: 6, each: 6.2 };

function Phase({ block, scale }: { block: PhaseBlock; scale: Scale }) {
  const { phase, lost } = block;
  const from = scale.at(block.from);
  const width = scale.at(block.to) - from;
  const time = formatDuration((block.to - block.from) / HOUR);
  const room = width - ROOM.around - ROOM.each * time.length;
  const isFitting = (word: string) => ROOM.between + ROOM.each * word.length <= room;
  const words = width >= FULL_FROM ? [phaseLabel(phase), phaseLabel(phase, 'short')] : [phaseLabel(phase, 'short')];
  const word = words.find(isFitting);
  return (
    <span
      className={`${classes.phase} ${classes[phase]} ${lost ? classes.lost : ''}`}
      style={{ left: share(from, scale), width: `max(2px, ${share(width, scale)} - 2px)` }}
      data-tip={`${phaseLabel(phase)} ${time}${lost ? '\nThe approval was lost again; this counts as waiting.' : ''}`}
    >
      {word !== undefined && <b>{word}</b>}
      {room >= 0 && <span className={classes.time}>{time}</span>}
    </span>
  );
}

/** How many of the events that fell together the tooltip tells. */
const TOLD = 6;

function MarkOn({ mark, scale }: { mark: Mark; scale: Scale }) {
  const { at, look, events } = mark;
  const nearEnd = isNearEnd(at, scale);
  const told = events
    .slice(0, TOLD)
    .map((event) => (event.actor === null ? eventWords(event) : `${shownLogin(event.actor)} ${eventWords(event)}`));
  const more = events.length > TOLD ? [`and ${events.length - TOLD} more`] : [];
  return (
    <span
      className={`${classes.mark} ${nearEnd ? classes.nearEnd : ''}`}
      style={
        nearEnd
          ? { right: `calc(${share(scale.width - at, scale)} - 10px)` }
          : { left: `calc(${share(at, scale)} - 10px)` }
      }
      data-tip={[...told, ...more].join('\n')}
    >
      <EventDot look={look} small />
      {events.length > 1 && <span className={classes.count}>{events.length}</span>}
    </span>
  );
}
