import { Link } from '@tanstack/react-router';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { NOT_AVAILABLE } from '#domain/duration.ts';
import { engagementBar, engagementLabel } from '#domain/engagement.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Card, Panel, Strip, StripCell } from '../../panels/card.tsx';
import { Chip } from '../../panels/chip.tsx';
import { Defined } from '../../panels/definition.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { Amount, Duration } from '../../panels/figure.tsx';
import { formatCount } from '../../panels/moment.ts';
import { Person } from '../../panels/person.tsx';
import { When } from '../../panels/when.tsx';
import prClasses from './pr.module.css';
import { counted, ReviewChip } from './reviewers-card.tsx';
import classes from './tab.module.css';

/** Who reviewed what and how (product specification, section 2, "Reviews tab"). */
export function ReviewsTab({ detail }: { detail: PullRequestDetail }) {
  const { reviews, time_metrics } = detail;
  const total = reviews.reduce((sum, { comments_count }) => sum + comments_count, 0);
  const inState = (wanted: string) => reviews.filter(({ state }) => state === wanted).length;
  const cells = [
    { figure: 'pull_request.review_cycles', label: 'Review Rounds', count: time_metrics.review_cycles },
    { figure: 'pull_request.total_comments', label: 'Total Comments', count: total },
    { figure: null, label: 'Approvals', count: inState('approved') },
    { figure: null, label: 'Changes Requested', count: inState('changes_requested') },
  ] as const;
  return (
    <>
      <Panel label="Review figures">
        <Strip>
          {cells.map(({ figure, label, count }) => (
            <StripCell key={label} label={figure === null ? label : <Defined figure={figure}>{label}</Defined>}>
              <div className={prClasses.figure}>
                <Amount figure={formatCount(count)} large />
              </div>
            </StripCell>
          ))}
        </Strip>
      </Panel>
      <div className={classes.columns}>
        <ReviewHistory detail={detail} />
        <ReviewerPerformance detail={detail} />
      </div>
    </>
  );
}

const noReviews = (
  <EmptyState title="No reviews" why="Nobody but the author, bots or agents has reviewed this pull request." />
);

function ReviewHistory({ detail }: { detail: PullRequestDetail }) {
  const { reviews } = detail;
  return (
    <Card title="Review History" caption={counted(reviews.length, 'review')} flush>
      {reviews.length === 0 ? (
        noReviews
      ) : (
        <ol className={classes.list}>
          {reviews.map(({ id, reviewer, reviewer_avatar, state, submitted_at, comments_count, response_time }) => (
            <li key={id}>
              <span className={classes.who}>
                <Person name={reviewer} avatarUrl={reviewer_avatar}>
                  <PersonLink username={reviewer} />
                </Person>
              </span>
              <ReviewChip state={state} />
              <span className={classes.facts}>
                <When at={submitted_at} as="ago" />
                <span>{counted(comments_count, 'comment')}</span>
                <span>
                  response <b>{response_time === null ? NOT_AVAILABLE : <Duration hours={response_time} />}</b>
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function ReviewerPerformance({ detail }: { detail: PullRequestDetail }) {
  const { reviewers } = detail;
  return (
    <Card title="Reviewer Performance" caption={counted(reviewers.length, 'reviewer')} flush>
      {reviewers.length === 0 ? (
        noReviews
      ) : (
        <ul className={classes.list}>
          {reviewers.map(({ username, avatar_url, ...figures }) => (
            <li key={username}>
              <span className={classes.who}>
                <Person name={username} avatarUrl={avatar_url}>
                  <PersonLink username={username} />
                </Person>
              </span>
              <Chip meaning="neutral">Engagement: {engagementLabel(figures.total_comments)}</Chip>
              <dl className={classes.figures}>
                <Fact name="Reviews" value={formatCount(figures.reviews_submitted)} />
                <Fact name="Comments" value={formatCount(figures.total_comments)} />
                <Fact
                  name={<Defined figure="pull_request.response_time">Avg response</Defined>}
                  value={<Duration hours={figures.avg_response_time} />}
                />
                <Fact
                  name={<Defined figure="pull_request.approval_rate">Approval rate</Defined>}
                  value={figures.approval_rate === null ? NOT_AVAILABLE : `${Math.round(figures.approval_rate)}%`}
                />
              </dl>
              <span className={classes.wide}>
                <ShareBar percent={engagementBar(figures.total_comments)} tone="chart-4" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Fact({ name, value }: { name: React.ReactNode; value: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A name that opens its person's page. */
export function PersonLink({ username }: { username: string }) {
  return (
    <Link className={classes.person} to="/contributor/{-$username}" params={{ username }}>
      {username}
    </Link>
  );
}
