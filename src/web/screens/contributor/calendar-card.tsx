import type { ContributorMetrics } from '#contract/contributors.ts';
import { activityInsight, streaksOf } from '#domain/activity-calendar.ts';
import { weekdays } from '#domain/review-hours.ts';
import { Chart } from '../../charts/chart.tsx';
import { HeatGrid, HeatKey, type HeatLevel } from '../../charts/heat-grid.tsx';
import { Card } from '../../panels/card.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { formatCount, formatDay } from '../../panels/moment.ts';
import { useNow } from '../../panels/now.ts';
import { weeksOf } from './calendar-weeks.ts';
import classes from './contributor.module.css';

const short = weekdays.map((day) => day.slice(0, 3));

/** What was done on each day of the last 12 weeks, with streaks and what it says. */
export default function CalendarCard({ metrics }: { metrics: ContributorMetrics }) {
  const now = useNow();
  const days = metrics.activity_calendar;
  const weeks = weeksOf(days);
  const active = days.filter(({ count }) => count > 0).length;
  const streaks = streaksOf(days);
  const dayWords = (date: string) => formatDay(Date.parse(`${date}T12:00:00Z`), now, 'UTC');
  return (
    <Card title="Activity Calendar" caption="12 weeks" flush>
      {active === 0 ? (
        <EmptyState title="No activity calendar data available" why="Nothing was done in the last 12 weeks." />
      ) : (
        <>
          <Chart
            summary={`Active on ${active} of ${days.length} days.`}
            heads={['Week from', 'Contributions']}
            rows={weeks.map((week) => [
              dayWords(week.monday).replace(/^\w+ /, ''),
              week.days.flatMap((day, at) => (day && day.count > 0 ? `${short[at]} ${day.count}` : [])).join(', ') ||
                '0',
            ])}
          >
            <div className={classes.drawing}>
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
                          tip: `${dayWords(day.date)}: ${formatCount(day.count)} ${day.count === 1 ? 'contribution' : 'contributions'}`,
                        },
                  ),
                )}
              />
            </div>
          </Chart>
          <div className={classes.streaks}>
            <p>
              <b>{streaks.current}</b> day streak · longest <b>{streaks.max}</b>
            </p>
            <HeatKey />
          </div>
          <ul className={classes.insights}>
            {activityInsight(metrics.active_days, streaks).sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
