import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { formatDuration } from '#domain/duration.ts';
import { Card } from '../../kit/card.tsx';
import { useUser } from '../../session/session.tsx';
import { formatDay, formatMomentInZone, formatTime } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { milestonesOf } from './milestone-list.ts';
import classes from './pairs.module.css';

/** The moments that the figures are based on. */
export function Milestones({ detail }: { detail: PullRequestDetail }) {
  const now = useNow();
  const { time_zone } = useUser();
  const { first_agent_review_at } = detail.time_metrics;
  const agentsKeptApart = first_agent_review_at === null ? '' : ' The agent’s review is kept apart.';
  return (
    <Card title="Milestones">
      <dl className={classes.pairs}>
        {milestonesOf(detail).map(({ name, at, hours }) => (
          <div key={name} className={classes.pair}>
            <dt>{name}</dt>
            <dd>
              <time
                dateTime={new Date(at).toISOString()}
                className={classes.quiet}
                data-tip={formatMomentInZone(at, now, time_zone)}
              >
                {formatDay(at, now, time_zone)}, {formatTime(at, time_zone)}
              </time>
              <span className={classes.after}>{hours === null ? '' : `+${formatDuration(hours)}`}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>First review counts from “ready for review” and only people.{agentsKeptApart}</p>
    </Card>
  );
}
