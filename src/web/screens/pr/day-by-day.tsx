import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { phaseLabel } from '#domain/time-analysis.ts';
import { WORK_BEGINS, WORK_ENDS } from '#domain/working-hours.ts';
import { Card } from '../../kit/card.tsx';
import { Duration } from '../../kit/figure.tsx';
import { useUser } from '../../session/session.tsx';
import { formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { phaseBlocks } from './band-layout.ts';
import classes from './day-by-day.module.css';
import { type DayLane, dayLanes } from './day-lanes.ts';
import { lifeOf } from './life.ts';
import { PhaseKey } from './phase-totals.tsx';

const axis = [0, 3, 6, WORK_BEGINS, 12, 15, WORK_ENDS, 21, 24];

/** Each day of a pull request's life from midnight to midnight, with its phases and the working time in it. */
export function DayByDay({ detail }: { detail: PullRequestDetail }) {
  const now = useNow();
  const { time_zone } = useUser();
  const { from, to } = lifeOf(detail);
  const { first, folded, last } = dayLanes(phaseBlocks(detail.time_metrics.phases, to), { from, to }, time_zone);
  return (
    <Card
      title="Day by day"
      caption="each row is one day, 00:00 to 24:00; the lit part is working time"
      controls={<PhaseKey times={detail.time_metrics} />}
    >
      <div className={classes.head} aria-hidden="true">
        <span className={classes.axis}>
          {axis.map((hour) => (
            <span
              key={hour}
              className={hour === WORK_BEGINS || hour === WORK_ENDS ? classes.work : classes.hour}
              style={{ left: `${(100 * hour) / 24}%` }}
            >
              {String(hour).padStart(2, '0')}:00
            </span>
          ))}
        </span>
        <span className={classes.worked}>Working time</span>
      </div>
      <ol className={classes.days}>
        {first.map((lane) => (
          <Lane key={lane.day.from} lane={lane} now={now} zone={time_zone} />
        ))}
        {folded > 0 && <li className={classes.folded}>… {counted(folded, 'more day')}</li>}
        {last.map((lane) => (
          <Lane key={lane.day.from} lane={lane} now={now} zone={time_zone} />
        ))}
      </ol>
    </Card>
  );
}

/** A piece narrower than this share of the day has no room for its time. */
const TIME_FROM = 0.07;

function Lane({ lane, now, zone }: { lane: DayLane; now: number; zone: string }) {
  const { day, pieces, work, workedHours } = lane;
  const told = pieces.map(({ phase, hours }) => `${phaseLabel(phase)} ${formatDuration(hours)}`).join(', ');
  return (
    <li className={classes.day}>
      <span className={classes.date}>{formatDay(day.from, now, zone)}</span>
      <span className={classes.track} role="img" aria-label={told === '' ? 'Nothing' : told}>
        {work !== null && <span className={classes.lit} style={percents(work)} />}
        {pieces.map(({ phase, from, to, hours }) => (
          <span
            key={from}
            className={`${classes.piece} ${classes[phase]}`}
            style={percents({ from, to })}
            data-tip={`${phaseLabel(phase)} ${formatDuration(hours)}`}
          >
            {to - from >= TIME_FROM && <span className={classes.time}>{formatDuration(hours)}</span>}
          </span>
        ))}
      </span>
      <span className={classes.worked}>
        <Duration hours={workedHours} />
      </span>
    </li>
  );
}

function percents({ from, to }: { from: number; to: number }) {
  return { left: `${100 * from}%`, width: `${100 * (to - from)}%` };
}
