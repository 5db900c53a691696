import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './team.module.css';
import { OldViewNote, type TeamViewAnswer, ViewFailed } from './view-failed.tsx';

const words = { reviewers: 'Reviewers', author: 'Author', merge: 'Ready to merge', nobody: 'Nobody is asked' };

/** Of whom the team's open pull requests wait, as one bar and a row for each. */
export function Waits({ view }: { readonly view: TeamViewAnswer }) {
  const { data } = view;
  return (
    <Card
      title="Who it waits for"
      caption={data && counted(data.open, 'open pull request')}
      outdated={view.isPlaceholderData}
    >
      <OldViewNote view={view} />
      {data === undefined ? (
        view.error ? (
          <ViewFailed view={view} />
        ) : (
          <Late>
            <div className={classes.pending}>
              <Line width="100%" />
              <Line width="60%" />
              <Line width="50%" />
              <Line width="65%" />
              <Line width="45%" />
            </div>
          </Late>
        )
      ) : data.open === 0 ? (
        <EmptyState title="Nothing is open" why="No pull request of the team waits for anybody." goodNews />
      ) : (
        <>
          <div className={classes.bar} aria-hidden="true">
            {data.waits
              .filter(({ count }) => count > 0)
              .map(({ on, count }) => (
                <span key={on} className={classes[on]} style={{ flexGrow: count }} />
              ))}
          </div>
          <dl className={classes.waits}>
            {data.waits.map(({ on, count, longest_hours }) => (
              <div key={on}>
                <dt>
                  <span className={`${classes.swatch} ${classes[on]}`} />
                  {words[on]}
                  {longest_hours !== null && <small>longest {formatDuration(longest_hours)}</small>}
                </dt>
                <dd>{formatCount(count)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Card>
  );
}
