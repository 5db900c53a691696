import { useQuery } from '@tanstack/react-query';
import type { TeamRow } from '#contract/teams.ts';
import type { Trend } from '#contract/trends.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { teamNames } from '#domain/team-names.ts';
import { ask } from '../../api/query.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { Card } from '../../kit/card.tsx';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { Select } from '../../kit/select.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { useUser } from '../../session/session.tsx';
import { dayOf, formatCount, formatDay, formatMean } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { weeksBegin } from '../../time/weeks.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { type TeamsSearch, type WeeklyFigure, weeklyFigures } from './search.ts';
import classes from './weeks.module.css';

const names: Readonly<Record<WeeklyFigure, string>> = {
  time_to_first_review: 'Time to first review',
  time_to_merge: 'Time to merge',
  merged: 'Merged',
  opened: 'Opened',
  size: 'Size',
  rounds: 'Rounds',
};
const counted: readonly WeeklyFigure[] = ['merged', 'opened'];
/** So many are drawn. */
const MOST = 8;
/** Of each, with the running one. */
const WEEKS = 12;

interface Props {
  readonly search: TeamsSearch;
  /** In the order in which they stand above. */
  readonly teams: readonly NonNullable<TeamRow['team']>[];
}

/** One figure of each team week by week, all on one scale, so that heights can be compared. */
export function Weeks({ search: { figure, repository }, teams }: Props) {
  const [, choose] = useUrlFilter('figure');
  const now = useNow();
  const { time_zone } = useUser();
  const shown = teams.slice(0, MOST);
  const answer = useQuery({
    ...ask('getTrends', {
      query: {
        figure: [figure],
        aggregate: counted.includes(figure) ? 'value' : 'p50',
        split: 'team',
        bucket: 'week',
        from: weeksBegin(WEEKS, dayOf(now, time_zone)),
        team: shown.map(({ id }) => id),
        ...(repository !== undefined && { repository: [repository] }),
      },
    }),
    enabled: shown.length > 0,
  });
  // The answer about another figure doesn't stand in for this one's.
  const trend = answer.data?.items.find((item) => item.figure === figure);
  // A team without a line has nothing in any week, unless the answer is about other teams.
  const zeros = trend?.buckets.map(() => ({ value: 0, n: 0 }));
  const nothing = (counted.includes(figure) && !answer.isPlaceholderData && zeros) || [];
  const pointsOf = (id: number) => trend?.lines.find(({ key }) => key === String(id))?.points ?? nothing;
  const top = Math.max(0, ...shown.flatMap(({ id }) => pointsOf(id).flatMap(({ value }) => value ?? [])));
  return (
    <Card
      title="Week by week"
      caption={`${counted.includes(figure) ? 'count' : 'median'}, last ${WEEKS} weeks, one scale for all${teams.length > MOST ? `, the first ${MOST} teams` : ''}`}
      controls={
        <Select
          aria-label="Figure of each week"
          value={figure}
          onChange={({ currentTarget: { value } }) => choose(value === 'time_to_first_review' ? undefined : value)}
          data={weeklyFigures.map((key) => ({ value: key, label: names[key] }))}
        />
      }
      outdated={answer.isPlaceholderData && trend !== undefined}
    >
      <OldAnswerNote title="Failed to fetch trends" answer={answer} />
      {answer.data === undefined && answer.error !== null ? (
        <ErrorState title="Failed to fetch trends" error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <ul className={classes.cells} aria-label={`${names[figure]}, week by week`}>
          {[...teamNames(shown)].map(([id, name]) => {
            const points = pointsOf(id);
            const full = points.filter((_, at) => trend?.complete[at] === true);
            const values = full.flatMap(({ value }) => value ?? []);
            const last = full.at(-1)?.value ?? null;
            const running = full.length < points.length ? points.at(-1) : undefined;
            return (
              <li key={id} className={classes.cell}>
                <span className={classes.name} dir="auto">
                  {name}
                </span>
                <span className={classes.value}>{trend === undefined ? '' : told(trend, last)}</span>
                <div className={classes.line}>
                  {trend === undefined ? (
                    <Late>
                      <Line width="100%" />
                    </Late>
                  ) : (
                    <Sparkline
                      points={points.map(({ value, n }, at) => ({
                        value,
                        tip: `Week of ${formatDay(Date.parse(`${trend.buckets[at]}T12:00:00Z`), now, 'UTC')}: ${told(trend, value)}, n ${formatCount(n)}${trend.complete[at] ? '' : ', running'}`,
                      }))}
                      running={running !== undefined}
                      scale={{ from: 0, to: top }}
                      group="Each week’s value"
                      label={`${name}: ${
                        values.length === 0
                          ? 'no values'
                          : `from ${told(trend, Math.min(...values))} to ${told(trend, Math.max(...values))}, in the last full week ${told(trend, last)}`
                      }${running === undefined ? '' : `, in the running one ${told(trend, running.value)}`}`}
                    />
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

function told({ unit, figure }: Trend, value: number | null): string {
  if (value === null) return NOT_AVAILABLE;
  if (unit === 'hours') return formatDuration(value);
  return figure === 'rounds' ? formatMean(value) : formatCount(Math.round(value));
}
