import { PeopleIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { PullRequestDetail, RequestedReviewer, ReviewOfPullRequest } from '#contract/pull-requests.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { reviewStateLabel } from '#domain/review-state.ts';
import { Card } from '../../kit/card.tsx';
import { Chip, type Meaning } from '../../kit/chip.tsx';
import { Face } from '../../people/person.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { formatMomentInZone, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { askedWords, countedAndAsked, unanswered } from './asked.ts';
import { opinionOf } from './opinion.ts';
import classes from './reviewers-card.module.css';

/** Who reviewed, how much, and what they think now; and who is asked and has not answered. */
export function ReviewersCard({ detail }: { detail: PullRequestDetail }) {
  const { reviewers, reviews, requested_reviewers } = detail;
  const asked = unanswered(detail);
  return (
    <Card title="Reviewers" caption={countedAndAsked(reviews.length, 'review', detail)}>
      {reviewers.length + asked.length === 0 ? (
        <p className={classes.none}>No reviewers</p>
      ) : (
        <ul className={classes.list}>
          {reviewers.map(({ username, avatar_url, reviews_submitted, total_comments, avg_response_time }) => {
            const again = requested_reviewers.find(({ reviewer }) => reviewer === username);
            return (
              <li key={username} className={classes.reviewer}>
                <Face name={username} avatarUrl={avatar_url} size={28} />
                <div className={classes.words}>
                  <Link className={classes.name} to="/contributor/{-$username}" params={{ username }}>
                    {shownLogin(username)}
                  </Link>
                  <div className={classes.facts}>
                    {counted(reviews_submitted, 'review')}, {counted(total_comments, 'comment')} in all
                    {avg_response_time !== null && `, avg response ${formatDuration(avg_response_time)}`}
                  </div>
                  {again !== undefined && <div className={classes.facts}>{askedWords(again, detail, true)}</div>}
                </div>
                <ReviewChip state={opinionOf(reviews, username)} />
              </li>
            );
          })}
          {asked.map((one) => (
            <AskedRow key={one.reviewer} asked={one} detail={detail} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A person or a team who is asked for a review and has given none. */
export function AskedRow({ asked, detail }: { asked: RequestedReviewer; detail: PullRequestDetail }) {
  const now = useNow();
  const { time_zone } = useUser();
  const { reviewer, avatar_url, asked_at } = asked;
  const isTeam = reviewer.startsWith('@');
  return (
    <li className={classes.reviewer}>
      {isTeam ? (
        <span className={classes.team}>
          <PeopleIcon size={16} />
        </span>
      ) : (
        <Face name={reviewer} avatarUrl={avatar_url} size={28} />
      )}
      <div className={classes.words}>
        {/* Missing where a process of the version before answers, while a server is upgraded. */}
        {detail.contributors?.includes(reviewer) ? (
          <Link className={classes.name} to="/contributor/{-$username}" params={{ username: reviewer }}>
            {reviewer}
          </Link>
        ) : (
          <span className={classes.name}>{reviewer}</span>
        )}
        <div className={classes.facts}>
          <span data-tip={formatMomentInZone(instantOf(asked_at), now, time_zone)}>{askedWords(asked, detail)}</span>
        </div>
      </div>
    </li>
  );
}

const meanings: Readonly<Record<ReturnType<typeof reviewStateLabel>, Meaning>> = {
  Approved: 'good',
  'Changes Requested': 'bad',
  Commented: 'neutral',
};

/** A review's state as a badge. */
export function ReviewChip({ state }: { state: ReviewOfPullRequest['state'] }) {
  const label = reviewStateLabel(state);
  return <Chip meaning={meanings[label]}>{label}</Chip>;
}
