import { Fragment } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { activityInsight, streaksOf, streakWords } from '#domain/activity-calendar.ts';
import { counted } from '#domain/counted.ts';
import { weekdays } from '#domain/review-hours.ts';
import { Chart } from '../../charts/chart.tsx';
import { HeatGrid, HeatKey, type HeatLevel } from '../../charts/heat-grid.tsx';
import { Defined } from '../../explain/definition.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { nameOf } from '../../people/person-name.tsx';
import { formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { type CalendarDay, type CalendarWeek, weeksOf } from './calendar-weeks.ts';
import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';
import { NoTeamMean } from './no-team-mean.tsx';
import { PartFigure, usePart } from './part-figure.tsx';

const short = weekdays.map((day) => day.slice(0, 3));

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
}

/** What was done on each day of the last 12 weeks, with streaks and what it says; the other person's days beside it. */
export default function CalendarCard({ metrics, compared }: Props) {
  const now = useNow();
  const days = metrics.activity_calendar;
  const otherDays = compared?.metrics?.activity_calendar;
  const weeks = weeksOf(days);
  const otherWeeks = otherDays && weeksOf(otherDays);
  const nothing = activeIn(days) === 0 && (otherDays === undefined || activeIn(otherDays) === 0);
  const name = nameOf(metrics.username, metrics.display_name);
  const other = compared?.metrics?.username;
  const streaks = streaksOf(days);
  return (
    <Card title={<Defined figure="contributor.activity_calendar">Activity Calendar</Defined>} caption="12 weeks" flush>
      {nothing ? (
        <EmptyState title="No activity calendar data available" why="Nothing was done in the last 12 weeks." />
      ) : (
        <>
          <Chart
            summary={[
              `Active on ${activeIn(days)} of ${days.length} days.`,
              ...(otherDays ? [`${compared?.name}: on ${activeIn(otherDays)}.`] : []),
            ].join(' ')}
            heads={['Week from', 'Contributions', ...(otherWeeks ? [compared?.name ?? ''] : [])]}
            rows={weeks.map((week, at) => [
              dayWords(week.monday, now).replace(/^\w+ /, ''),
              <BusyDays key="own" week={week} />,
              ...(otherWeeks ? [<BusyDays key="other" week={otherWeeks[at]} username={other} />] : []),
            ])}
          >
            {otherWeeks && otherDays ? (
              <div className={classes.sides}>
                <Side title={name} weeks={weeks} days={days} />
                <Side title={compared?.name ?? ''} username={other} weeks={otherWeeks} days={otherDays} />
              </div>
            ) : (
              <div className={classes.drawing}>
                <Days weeks={weeks} />
              </div>
            )}
          </Chart>
          <div className={classes.streaks}>
            {otherDays ? (
              <p>{name}</p>
            ) : (
              <p>
                <b>{streakWords(streaks.current)}</b> · longest <b>{streaks.max}</b>
              </p>
            )}
            <HeatKey />
          </div>
          <ul className={classes.insights}>
            {activityInsight(metrics.active_days, streaks).sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      <NoTeamMean compared={compared} of="days" flush />
    </Card>
  );
}

interface SideProps {
  readonly title: string;
  /** Whose days they are, unless those of the person on the page. */
  readonly username?: string | undefined;
  readonly weeks: readonly CalendarWeek[];
  readonly days: readonly CalendarDay[];
}

function Side({ title, username, weeks, days }: SideProps) {
  const { current, max } = streaksOf(days);
  return (
    <div className={classes.side}>
      <p className={classes.sideTitle}>{title}</p>
      <Days weeks={weeks} username={username} />
      <p className={classes.note}>
        {streakWords(current)} · longest {max}
      </p>
    </div>
  );
}

const METRIC = 'contributor.activity_calendar';

function Days({ weeks, username }: Pick<SideProps, 'weeks' | 'username'>) {
  const now = useNow();
  const about = usePart();
  return (
    <PressableParts explain={(date) => about(METRIC, date, dayWords(date, now), username)}>
      <HeatGrid
        rows={short.map((day, at) => (at === 0 || at === 2 || at === 4 ? day : ''))}
        columns={weeks.map(({ month }) => month)}
        columnsAt="top"
        cells={weeks.flatMap((week, column) =>
          week.days.flatMap((day, row) =>
            day === null
              ? []
              : {
                  row,
                  column,
                  level: day.level as HeatLevel,
                  part: day.count === 0 ? undefined : day.date,
                  tip: `${dayWords(day.date, now)}: ${counted(day.count, 'contribution')}`,
                },
          ),
        )}
      />
    </PressableParts>
  );
}

function activeIn(days: readonly CalendarDay[]): number {
  return days.filter(({ count }) => count > 0).length;
}

/** A week as text, "Mon 2, Thu 1", whose days explain themselves; 0 for a quiet one. */
function BusyDays({ week, username }: { week: CalendarWeek | undefined; username?: string | undefined }) {
  const now = useNow();
  const busy = week?.days.flatMap((day, at) => (day && day.count > 0 ? [{ ...day, weekday: short[at] }] : [])) ?? [];
  if (busy.length === 0) return <>0</>;
  return busy.map(({ date, count, weekday }, at) => (
    <Fragment key={date}>
      {at > 0 && ', '}
      <PartFigure of={METRIC} part={date} name={dayWords(date, now)} username={username}>
        {weekday} {count}
      </PartFigure>
    </Fragment>
  ));
}

function dayWords(date: string, now: number): string {
  return formatDay(Date.parse(`${date}T12:00:00Z`), now, 'UTC');
}
