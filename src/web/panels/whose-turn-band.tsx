import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, useMemo } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { durationParts, formatDuration } from '#domain/duration.ts';
import { phaseLabel } from '#domain/time-analysis.ts';
import { WORK_BEGINS, WORK_ENDS } from '#domain/working-hours.ts';
import { useUser } from '../session/session.tsx';
import { axisLabel } from './axis-label.ts';
import {
  type Lane,
  type Mark,
  marksOf,
  type PhaseBlock,
  phaseBlocks,
  scaleOf,
  shadesOf,
  ticksOf,
} from './band-layout.ts';
import { Card } from './card.tsx';
import { EventDot } from './event-dot.tsx';
import { formatMoment, formatTime } from './moment.ts';
import { useNow } from './now.ts';
import { PhaseTotals } from './phase-totals.tsx';
import classes from './whose-turn-band.module.css';
import { zoneDays } from './zone-days.ts';

const HOUR = 3_600_000;

const lanes: readonly (readonly [Lane, string])[] = [
  ['author', 'Author'],
  ['reviewers', 'Reviewers'],
  ['automation', 'Agents, checks'],
];

/** When a pull request ended, or now, in epoch milliseconds. */
export function endOf(
  { merged_at, closed_at }: Pick<PullRequestDetail, 'merged_at' | 'closed_at'>,
  now: number,
): number {
  const ended = merged_at ?? closed_at;
  return ended === null ? now : Date.parse(ended);
}

/** "2.9 days", for a sentence. */
function inWords(hours: number): string {
  const words = { min: 'minutes', h: 'hours', d: 'days' };
  const { figure, unit } = durationParts(hours) ?? { figure: '0', unit: 'min' as const };
  return `${figure} ${words[unit]}`;
}

/**
 * Whose turn it was along the time axis, from the opening to the end, with what everyone did beneath (look, section 9). The drawing is
 * hidden from assistive technology: milestones and timeline say the same.
 */
export function WhoseTurnBand({ detail }: { detail: PullRequestDetail }) {
  const now = useNow();
  const { time_zone } = useUser();
  const { ref, width } = useElementSize();
  const from = Date.parse(detail.created_at);
  const to = Math.max(from, endOf(detail, now));
  const { state } = detail;
  const drawing = useMemo(() => {
    const scale = scaleOf({ from, to }, width);
    const days = zoneDays({ from, to }, time_zone);
    return { scale, ticks: ticksOf(days, scale), shades: shadesOf(days, scale) };
  }, [from, to, width, time_zone]);
  const { scale, ticks, shades } = drawing;
  const marks = useMemo(() => new Map(lanes.map(([lane]) => [lane, marksOf(lane, detail, scale)])), [detail, scale]);
  const until = { open: 'to now', merged: 'to merge', closed: 'to close' }[state];
  const hours = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  const shaded = shades.length > 0 ? `; shaded: outside ${hours(WORK_BEGINS)} to ${hours(WORK_ENDS)}` : '';

  return (
    <Card
      title={`Where the ${inWords((to - from) / HOUR)} went`}
      caption={`from opening ${until}${shaded}`}
      controls={<PhaseTotals times={detail.time_metrics} />}
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
            <span key={shade.from} className={classes.shade} style={place(scale.at(shade.from), scale.at(shade.to))} />
          ))}
          {ticks.map(({ at }) => (
            <span key={at} className={classes.line} style={{ left: at }} />
          ))}
          <div className={classes.phases}>
            {width > 0 &&
              phaseBlocks(detail.time_metrics.phases, to).map((block) => (
                <Phase key={block.from} block={block} from={scale.at(block.from)} to={scale.at(block.to)} />
              ))}
          </div>
          {lanes.map(([lane]) => (
            <div key={lane} className={classes.lane}>
              {width > 0 &&
                (marks.get(lane) ?? []).map((mark) => <MarkOn key={mark.at} mark={mark} width={scale.width} />)}
            </div>
          ))}
          <div className={classes.axis}>
            <span className={classes.start}>{formatMoment(from, now, time_zone)}</span>
            {ticks.map(({ at, day, unit }) => (
              <span key={at} className={classes.tick} style={{ left: at }}>
                {axisLabel(day, unit, now, time_zone)}
              </span>
            ))}
            <span className={classes.end}>{state === 'open' ? 'now' : `${state} ${formatTime(to, time_zone)}`}</span>
          </div>
        </div>
      </div>
    </Card>
  );
}

function place(from: number, to: number): CSSProperties {
  return { left: from, width: to - from };
}

/** From these widths on (pixels) a phase is named in full, in short, or has its time alone. */
const FULL_FROM = 150;
const SHORT_FROM = { development: 124, waiting: 84, approved: 106 };
const TIME_FROM = 40;

function Phase({ block, from, to }: { block: PhaseBlock; from: number; to: number }) {
  const { phase, lost } = block;
  const width = to - from;
  const time = formatDuration((block.to - block.from) / HOUR);
  const word = width >= FULL_FROM ? phaseLabel(phase) : width >= SHORT_FROM[phase] ? phaseLabel(phase, 'short') : null;
  return (
    <span
      className={`${classes.phase} ${classes[phase]} ${lost ? classes.lost : ''}`}
      style={{ left: from, width: Math.max(2, width - 2) }}
      data-tip={`${phaseLabel(phase)} ${time}${lost ? '\nThe approval was lost again; this counts as waiting.' : ''}`}
    >
      {word !== null && <b>{word}</b>}
      {width >= TIME_FROM && <span className={classes.time}>{time}</span>}
    </span>
  );
}

/** How many of the events that fell together the tooltip tells. */
const TOLD = 6;

function MarkOn({ mark, width }: { mark: Mark; width: number }) {
  const { at, look, events } = mark;
  const nearEnd = at > width - 32;
  const told = events
    .slice(0, TOLD)
    .map(({ actor, description }) => (actor === null ? description : `${actor} ${description}`));
  const more = events.length > TOLD ? [`and ${events.length - TOLD} more`] : [];
  return (
    <span
      className={`${classes.mark} ${nearEnd ? classes.nearEnd : ''}`}
      style={nearEnd ? { right: Math.max(0, width - at - 10) } : { left: Math.max(0, at - 10) }}
      data-tip={[...told, ...more].join('\n')}
    >
      <EventDot look={look} small />
      {events.length > 1 && <span className={classes.count}>{events.length}</span>}
    </span>
  );
}
