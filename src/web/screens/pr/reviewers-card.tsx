import { Link } from '@tanstack/react-router';
import type { PullRequestDetail, ReviewOfPullRequest } from '#contract/pull-requests.ts';
import { formatDuration } from '#domain/duration.ts';
import { reviewStateLabel } from '#domain/review-state.ts';
import { Card } from '../../panels/card.tsx';
import { Chip, type Meaning } from '../../panels/chip.tsx';
import { formatCount } from '../../panels/moment.ts';
import { Face } from '../../panels/person.tsx';
import classes from './reviewers-card.module.css';

/** Who reviewed, how much, and what they think now. */
export function ReviewersCard({ detail }: { detail: PullRequestDetail }) {
  const { reviewers, reviews } = detail;
  return (
    <Card title="Reviewers">
      {reviewers.length === 0 ? (
        <p className={classes.none}>No reviewers</p>
      ) : (
        <ul className={classes.list}>
          {reviewers.map(({ username, avatar_url, reviews_submitted, total_comments, avg_response_time }) => (
            <li key={username} className={classes.reviewer}>
              <Face name={username} avatarUrl={avatar_url} size={28} />
              <div className={classes.words}>
                <Link className={classes.name} to="/contributor/{-$username}" params={{ username }}>
                  {username}
                </Link>
                <div className={classes.facts}>
                  {counted(reviews_submitted, 'review')}, {counted(total_comments, 'comment')}
                  {avg_response_time !== null && `, avg response ${formatDuration(avg_response_time)}`}
                </div>
              </div>
              <ReviewChip state={opinionOf(reviews, username)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** "1 review", "2 reviews". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a reviewer thinks now: their latest approval or request for changes, else that they commented. */
export function opinionOf(reviews: readonly ReviewOfPullRequest[], username: string): ReviewOfPullRequest['state'] {
  const opinion = reviews.findLast(
    ({ reviewer, state }) => reviewer === username && (state === 'approved' || state === 'changes_requested'),
  );
  return opinion?.state ?? 'commented';
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
