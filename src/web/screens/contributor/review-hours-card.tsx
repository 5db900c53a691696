import { useQuery } from '@tanstack/react-query';
import { hourLevel, reviewHoursSentence, weekdays } from '#domain/review-hours.ts';
import { Chart } from '../../charts/chart.tsx';
import { HeatGrid } from '../../charts/heat-grid.tsx';
import { Card } from '../../panels/card.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { ErrorState } from '../../panels/error-state.tsx';
import { Late, Line } from '../../panels/skeleton.tsx';
import { useUser } from '../../session/session.tsx';
import classes from './contributor.module.css';
import { askReviewHours } from './questions.ts';
import { useView } from './view.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const short = weekdays.map((day) => day.slice(0, 3));

/** At which weekday and hour of the viewer's time zone reviews were given in the last 90 days. */
export default function ReviewHoursCard() {
  const answer = useQuery(askReviewHours(useView()));
  const { time_zone } = useUser();
  const cells = answer.data;
  const counts = new Map(cells?.map(({ weekday, hour, count }) => [`${weekday} ${hour}`, count]));
  const countAt = (row: number, hour: number) => counts.get(`${row + 1} ${hour}`) ?? 0;
  const most = Math.max(0, ...counts.values());
  const sentence = reviewHoursSentence(cells ?? []);
  return (
    <Card title="Review Heat Map" caption={`reviews by weekday and hour, 90 days, ${time_zone}`} flush>
      {cells === undefined ? (
        answer.error ? (
          <ErrorState
            title="Failed to fetch the review heat map"
            error={answer.error}
            onRetry={() => void answer.refetch()}
          />
        ) : (
          <div className={classes.waiting}>
            <Late>
              <Line width="60%" />
            </Late>
          </div>
        )
      ) : sentence === null ? (
        <EmptyState title="No reviews in the last 90 days" why="Reviews given appear here by weekday and hour." />
      ) : (
        <Chart
          summary={sentence}
          heads={['Hour', 'Reviews']}
          rows={hours.flatMap((hour) => {
            const given = short.flatMap((day, row) => (countAt(row, hour) > 0 ? `${day} ${countAt(row, hour)}` : []));
            return given.length === 0 ? [] : [[`${hour}:00`, given.join(', ')]];
          })}
        >
          <div className={classes.drawing}>
            <HeatGrid
              rows={short}
              columns={hours.map(String)}
              columnsAt="bottom"
              cells={short.flatMap((day, row) =>
                hours.map((hour) => {
                  const count = countAt(row, hour);
                  const tip = `${day} ${hour}:00: ${count} ${count === 1 ? 'review' : 'reviews'}`;
                  return { row, column: hour, level: hourLevel(count, most), tip };
                }),
              )}
            />
          </div>
        </Chart>
      )}
    </Card>
  );
}
