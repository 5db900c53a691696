import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { ContributorMetrics, HeatmapCell } from '#contract/contributors.ts';
import { counted } from '#domain/counted.ts';
import { hourLevel, reviewHoursSentence, weekdays } from '#domain/review-hours.ts';
import { Chart } from '../../charts/chart.tsx';
import { HeatGrid } from '../../charts/heat-grid.tsx';
import { Defined } from '../../explain/definition.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { nameOf } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';
import { NoTeamMean } from './no-team-mean.tsx';
import { PartFigure, usePart } from './part-figure.tsx';
import { askReviewHours, type View } from './questions.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const short = weekdays.map((day) => day.slice(0, 3));

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
  readonly view: View;
}

/** At which weekday and hour of the viewer's time zone reviews were given in the last 90 days; the other person's beside it. */
export default function ReviewHoursCard({ metrics, compared, view }: Props) {
  const { time_zone } = useUser();
  const beside = compared?.metrics ?? null;
  const answer = useQuery(askReviewHours(view));
  const others = useQuery({
    ...askReviewHours({ ...view, username: beside?.username ?? '' }),
    enabled: beside !== null,
  });
  const cells = answer.data;
  const otherCells = beside === null ? undefined : others.data;
  return (
    <Card
      title={<Defined figure="contributor.review_heatmap">Review Heat Map</Defined>}
      caption={`reviews by weekday and hour, 90 days, ${time_zone}`}
      outdated={answer.isPlaceholderData || (beside !== null && others.isPlaceholderData)}
      flush
    >
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
      ) : cells.length === 0 && (otherCells === undefined || otherCells.length === 0) ? (
        <EmptyState title="No reviews in the last 90 days" why="Reviews given appear here by weekday and hour." />
      ) : (
        <Hours
          cells={cells}
          name={nameOf(metrics.username, metrics.display_name)}
          other={
            otherCells && compared
              ? { name: compared.name, username: compared.metrics?.username, cells: otherCells }
              : null
          }
        />
      )}
      {beside !== null && others.error && (
        <ErrorState title="Failed to load comparison data" error={others.error} onRetry={() => void others.refetch()} />
      )}
      <NoTeamMean compared={compared} of="hours" flush />
    </Card>
  );
}

interface Side {
  readonly name: string;
  /** Whose hours they are, unless those of the person on the page. */
  readonly username?: string | undefined;
  readonly cells: readonly HeatmapCell[];
}

interface HoursProps {
  readonly cells: readonly HeatmapCell[];
  readonly name: string;
  readonly other: Side | null;
}

function Hours({ cells, name, other }: HoursProps) {
  const most = Math.max(0, ...[...cells, ...(other?.cells ?? [])].map(({ count }) => count));
  const sentence = reviewHoursSentence(cells) ?? 'No reviews.';
  return (
    <Chart
      summary={
        other === null ? sentence : `${sentence} ${other.name}: ${reviewHoursSentence(other.cells) ?? 'no reviews.'}`
      }
      heads={['Hour', 'Reviews', ...(other ? [other.name] : [])]}
      rows={hours.flatMap((hour) => {
        const sides: Side[] = [{ name, cells }, ...(other ? [other] : [])];
        if (sides.every((side) => side.cells.every((cell) => cell.hour !== hour))) return [];
        return [[`${hour}:00`, ...sides.map((side) => <OneHour key={side.name} {...side} hour={hour} />)]];
      })}
    >
      {other === null ? (
        <div className={classes.drawing}>
          <Grid name={name} cells={cells} most={most} />
        </div>
      ) : (
        <div className={classes.sides}>
          {[{ name, cells }, other].map((side) => (
            <div key={side.name} className={classes.side}>
              <p className={classes.sideTitle}>{side.name}</p>
              <Grid {...side} most={most} />
            </div>
          ))}
        </div>
      )}
    </Chart>
  );
}

const METRIC = 'contributor.review_heatmap';
const hourWords = (weekday: number, hour: number) => `${short[weekday - 1]} ${hour}:00`;

/** The reviews of one hour by weekday as text, "Mon 2, Thu 1", each of which explains itself; 0 without any. */
function OneHour({ cells, username, hour }: Side & { readonly hour: number }) {
  const given = cells.filter((cell) => cell.hour === hour);
  if (given.length === 0) return <>0</>;
  return given.map(({ weekday, count }, at) => (
    <Fragment key={weekday}>
      {at > 0 && ', '}
      <PartFigure of={METRIC} part={`${weekday}-${hour}`} name={hourWords(weekday, hour)} username={username}>
        {short[weekday - 1]} {count}
      </PartFigure>
    </Fragment>
  ));
}

function Grid({ cells, username, most }: Side & { readonly most: number }) {
  const about = usePart();
  const counts = new Map(cells.map(({ weekday, hour, count }) => [`${weekday}-${hour}`, count]));
  const explain = (part: string) => {
    const [weekday = 1, hour = 0] = part.split('-').map(Number);
    return about(METRIC, part, hourWords(weekday, hour), username);
  };
  return (
    <PressableParts explain={explain}>
      <HeatGrid
        rows={short}
        columns={hours.map(String)}
        columnsAt="bottom"
        cells={short.flatMap((_, row) =>
          hours.map((hour) => {
            const part = `${row + 1}-${hour}`;
            const count = counts.get(part) ?? 0;
            const tip = `${hourWords(row + 1, hour)}: ${counted(count, 'review')}`;
            return { row, column: hour, level: hourLevel(count, most), tip, part: count === 0 ? undefined : part };
          }),
        )}
      />
    </PressableParts>
  );
}
