import type { ReactNode } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { ACTIVE_DAYS_OUT_OF } from '#domain/activity-calendar.ts';
import { periodDays } from '#domain/period.ts';
import { activityLevel } from '#domain/ratings.ts';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { OpenPrs } from '../../people/open-prs.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './activity-overview.module.css';
import type { Compared } from './comparison.ts';
import { FigureName } from './figure-name.tsx';
import { NoTeamMean } from './no-team-mean.tsx';
import { OtherFigure } from './other-figure.tsx';
import { useView } from './view.ts';

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
}

/** How active someone was, in a row of minor figures. */
export function ActivityOverviewCard({ metrics, compared }: Props) {
  const { period } = useView();
  const other = compared?.metrics ?? undefined;
  const nothing =
    metrics.active_days + metrics.total_commits + metrics.current_open_prs + metrics.total_prs_opened === 0 &&
    metrics.total_prs_merged + metrics.total_prs_reviewed === 0 &&
    metrics.activity_calendar.slice(-periodDays(period)).every(({ count }) => count === 0);
  return (
    <Card
      title="Activity Overview"
      {...(!nothing && {
        controls: <Chip meaning="neutral">{`${activityLevel(metrics.active_days)} activity`}</Chip>,
      })}
      flush
    >
      {nothing ? (
        <EmptyState title="No activity data available" why="Nothing was done in this period." />
      ) : (
        <dl className={classes.pairs}>
          <Pair compared={compared} of="active_days" other={(them) => `${them.active_days} of ${ACTIVE_DAYS_OUT_OF}`}>
            {`${metrics.active_days} of ${ACTIVE_DAYS_OUT_OF}`}
          </Pair>
          <Pair compared={compared} of="total_commits" other={(them) => formatCount(them.total_commits)}>
            {formatCount(metrics.total_commits)}
          </Pair>
          <Pair
            compared={compared}
            of="unique_developers_reviewed"
            other={(them) => formatCount(them.unique_developers_reviewed)}
          >
            {formatCount(metrics.unique_developers_reviewed)}
          </Pair>
          <Pair compared={compared} of="current_open_prs" other={(them) => formatCount(them.current_open_prs)}>
            <OpenPrs count={metrics.current_open_prs} />
          </Pair>
        </dl>
      )}
      {other && <p className={classes.key}>In grey: {compared?.name}.</p>}
      {!nothing && <NoTeamMean compared={compared} of="these" flush />}
    </Card>
  );
}

interface PairProps {
  readonly of: 'active_days' | 'total_commits' | 'unique_developers_reviewed' | 'current_open_prs';
  readonly compared: Compared | null;
  /** The same figure of the person who is compared. */
  readonly other: (them: ContributorMetrics) => string;
  readonly children: ReactNode;
}

function Pair({ of, compared, other, children }: PairProps) {
  return (
    <div>
      <dt>
        <FigureName of={`contributor.${of}`} />
      </dt>
      <dd>
        <b>{children}</b>
        {compared?.metrics && (
          <span className={classes.other}>
            <OtherFigure of={`contributor.${of}`} compared={compared}>
              {other(compared.metrics)}
            </OtherFigure>
          </span>
        )}
      </dd>
    </div>
  );
}
