import type { ReactNode } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { ACTIVE_DAYS_OUT_OF } from '#domain/activity-calendar.ts';
import { activityLevel } from '#domain/ratings.ts';
import { Card } from '../../panels/card.tsx';
import { Chip } from '../../panels/chip.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { formatCount } from '../../panels/moment.ts';
import { OpenPrs } from '../../panels/open-prs.tsx';
import classes from './activity-overview.module.css';
import type { Compared } from './comparison.ts';
import { FigureName } from './figure-name.tsx';
import { NoTeamMean } from './no-team-mean.tsx';

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
}

/** How active someone was, in a row of minor figures. */
export function ActivityOverviewCard({ metrics, compared }: Props) {
  const other = compared?.metrics ?? undefined;
  const nothing =
    metrics.active_days + metrics.total_commits + metrics.current_open_prs + metrics.total_prs_opened === 0 &&
    metrics.total_prs_merged + metrics.total_prs_reviewed === 0;
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
          <Pair
            name={<FigureName of="contributor.active_days" />}
            other={other && `${other.active_days} of ${ACTIVE_DAYS_OUT_OF}`}
          >
            {`${metrics.active_days} of ${ACTIVE_DAYS_OUT_OF}`}
          </Pair>
          <Pair name={<FigureName of="contributor.total_commits" />} other={other && formatCount(other.total_commits)}>
            {formatCount(metrics.total_commits)}
          </Pair>
          <Pair
            name={<FigureName of="contributor.unique_developers_reviewed" />}
            other={other && formatCount(other.unique_developers_reviewed)}
          >
            {formatCount(metrics.unique_developers_reviewed)}
          </Pair>
          <Pair
            name={<FigureName of="contributor.current_open_prs" />}
            other={other && formatCount(other.current_open_prs)}
          >
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
  readonly name: ReactNode;
  readonly other: string | undefined;
  readonly children: ReactNode;
}

function Pair({ name, other, children }: PairProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{children}</b>
        {other !== undefined && <span className={classes.other}>{other}</span>}
      </dd>
    </div>
  );
}
