import { Link } from '@tanstack/react-router';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { counted } from '#domain/counted.ts';
import { formatAgo, NOT_AVAILABLE } from '#domain/duration.ts';
import { engagementBar, engagementLabel, engagementWords } from '#domain/engagement.ts';
import { percentWords } from '#domain/percent.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Defined } from '../../explain/definition.tsx';
import { Card, Panel, Strip, StripCell } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Amount, Duration } from '../../kit/figure.tsx';
import { Person } from '../../people/person.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { formatCount, formatMoment, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { countedAndAsked, unanswered } from './asked.ts';
import prClasses from './pr.module.css';
import { AskedRow, ReviewChip } from './reviewers-card.tsx';
import classes from './tab.module.css';

/** Who reviewed what and how (docs/product.md#reviews). */
export function ReviewsTab({ detail }: { detail: PullRequestDetail }) {
  const { reviews, time_metrics } = detail;
  const total = reviews.reduce((sum, { comments_count }) => sum + comments_count, 0);
  const ofReviews = `of ${counted(reviews.length, 'review')}`;
  const inState = (wanted: string) => reviews.filter(({ state }) => state === wanted).length;
  const cells = [
    {
      figure: 'pull_request.review_cycles',
      label: 'Review Rounds',
      count: time_metrics.review_cycles,
      caption: countedAndAsked(reviews.length, 'review', detail),
    },
    {
      figure: 'pull_request.total_comments',
      label: 'Total Comments',
      count: total,
      caption: 'human review comments',
    },
    { figure: null, label: 'Approvals', count: inState('approved'), caption: ofReviews },
    { figure: null, label: 'Changes Requested', count: inState('changes_requested'), caption: ofReviews },
  ] as const;
  return (
    <>
      <Panel label="Review figures">
        <Strip>
          {cells.map(({ figure, label, count, caption }) => (
            <StripCell key={label} label={figure === null ? label : <Defined figure={figure}>{label}</Defined>}>
              <div className={prClasses.figure}>
                <Amount figure={formatCount(count)} large />
              </div>
              <div className={prClasses.caption}>{caption}</div>
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
        <ol className={`${classes.list} ${classes.history}`}>
          {reviews.map(({ id, reviewer, reviewer_avatar, state, submitted_at, comments_count, response_time }) => (
            <li key={id}>
              <span className={classes.who}>
                <Person name={reviewer} avatarUrl={reviewer_avatar}>
                  <PersonLink username={reviewer} />
                </Person>
              </span>
              <span>
                <ReviewChip state={state} />
              </span>
              <Submitted at={submitted_at} />
              <span>{counted(comments_count, 'comment')}</span>
              <span>
                response <b>{response_time === null ? NOT_AVAILABLE : <Duration hours={response_time} />}</b>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

/** When a review was given, as a day and a time; how long ago as its tooltip. */
function Submitted({ at }: { at: string }) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <time dateTime={at} data-tip={formatAgo(instantOf(at), now)}>
      {formatMoment(instantOf(at), now, time_zone)}
    </time>
  );
}

function ReviewerPerformance({ detail }: { detail: PullRequestDetail }) {
  const { reviewers } = detail;
  const asked = unanswered(detail);
  return (
    <Card title="Reviewer Performance" caption={countedAndAsked(reviewers.length, 'reviewer', detail)} flush>
      {reviewers.length + asked.length === 0 ? (
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
                <Fact name="Comments in all" value={formatCount(figures.total_comments)} />
                <Fact
                  name={<Defined figure="pull_request.response_time">Avg response</Defined>}
                  value={<Duration hours={figures.avg_response_time} />}
                />
                <Fact
                  name={<Defined figure="pull_request.approval_rate">Approval rate</Defined>}
                  value={
                    figures.approval_rate === null ? NOT_AVAILABLE : `${percentWords(figures.approval_rate / 100)}%`
                  }
                />
              </dl>
              <span className={classes.wide}>
                <span className={classes.quiet}>Engagement: {engagementWords(figures.total_comments)}</span>
                <ShareBar percent={engagementBar(figures.total_comments)} tone="chart-4" />
              </span>
            </li>
          ))}
          {asked.map((one) => (
            <AskedRow key={one.reviewer} asked={one} detail={detail} />
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
      {shownLogin(username)}
    </Link>
  );
}
