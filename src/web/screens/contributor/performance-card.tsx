import type { ReactNode } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { percentWords } from '#domain/percent.ts';
import { mergeRateGrade, mergeTimeRating, reviewCyclesGrade, reviewResponseRating } from '#domain/ratings.ts';
import { Card } from '../../kit/card.tsx';
import { Duration } from '../../kit/figure.tsx';
import { nameOf } from '../../people/person-name.tsx';
import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';
import { FigureName } from './figure-name.tsx';
import { type FigureRow, FigureTable } from './figure-table.tsx';
import { Lines } from './lines-figure.tsx';
import { NoTeamMean } from './no-team-mean.tsx';
import { OtherFigure } from './other-figure.tsx';
import { Graded, RatingChip } from './rating.tsx';

type Means = Compared['figures'];

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
}

/** How fast and how smoothly someone's own pull requests and reviews went. */
export function PerformanceCard({ metrics, compared }: Props) {
  const other = compared?.figures;
  const rated = compared === null;
  const mean = (key: keyof Means, name: ReactNode, show: (value: number | null) => ReactNode): FigureRow => ({
    key,
    name,
    value: show(metrics[key]),
    other: other && (
      <OtherFigure of={`contributor.${key}`} compared={compared}>
        {show(other[key])}
      </OtherFigure>
    ),
  });
  const percentile = (of: 'p50' | 'p75' | 'p95', key: `review_response_time_${typeof of}`): FigureRow => {
    const hours = metrics[key];
    return {
      key,
      name: <FigureName of={`contributor.${key}`}>Review response, {of}</FigureName>,
      value: (
        <Rated chip={rated && of === 'p50' && <RatingChip rating={reviewResponseRating(hours)} />}>
          <Duration hours={hours} />
        </Rated>
      ),
      other: compared?.metrics ? (
        <OtherFigure of={`contributor.${key}`} compared={compared}>
          <Duration hours={compared.metrics[key]} />
        </OtherFigure>
      ) : (
        '–'
      ),
    };
  };
  const rows: FigureRow[] = [
    mean('avg_time_to_merge_hours', <FigureName of="contributor.avg_time_to_merge_hours" />, (hours) => (
      <Rated chip={rated && <RatingChip rating={mergeTimeRating(hours)} />}>
        <Duration hours={hours} />
      </Rated>
    )),
    mean('pr_merge_rate', <FigureName of="contributor.pr_merge_rate" />, (rate) => (
      <Graded grade={mergeRateGrade(rate)}>{rate === null ? null : `${percentWords(rate)}%`}</Graded>
    )),
    mean(
      'avg_review_cycles',
      <FigureName of="contributor.avg_review_cycles">Review cycles per PR</FigureName>,
      (cycles) => <Graded grade={reviewCyclesGrade(cycles)}>{cycles === null ? null : cycles.toFixed(1)}</Graded>,
    ),
    mean('avg_pr_size', <FigureName of="contributor.avg_pr_size" />, (lines) => <Lines count={lines} />),
    mean(
      'avg_review_response_time',
      <FigureName of="contributor.avg_review_response_time">Review response, mean</FigureName>,
      (hours) => <Duration hours={hours} />,
    ),
    percentile('p50', 'review_response_time_p50'),
    percentile('p75', 'review_response_time_p75'),
    percentile('p95', 'review_response_time_p95'),
  ];
  return (
    <Card title="Performance Metrics">
      <FigureTable
        label="Performance metrics"
        rows={rows}
        sides={compared === null ? undefined : [nameOf(metrics.username, metrics.display_name), compared.name]}
      />
      <NoTeamMean compared={compared} of="percentiles" />
    </Card>
  );
}

function Rated({ chip, children }: { chip: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.rated}>
      {chip}
      {children}
    </span>
  );
}
