import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { Card } from '../../kit/card.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import { readOneOf } from '../../url/url-state.ts';
import { Milestones } from './milestones.tsx';
import { ReviewersCard } from './reviewers-card.tsx';
import classes from './timeline.module.css';
import { TimelineList } from './timeline-list.tsx';
import { type EventKind, eventKinds, kindOf } from './timeline-rows.ts';
import { WhoseTurnBand } from './whose-turn-band.tsx';

const words: Readonly<Record<EventKind, string>> = {
  all: 'All',
  commits: 'Commits',
  'force-pushes': 'Force-pushes',
  reviews: 'Review events',
  comments: 'General comments',
  checks: 'Checks',
  states: 'States',
};

/** What happened, when and by whom (docs/product.md#timeline). */
export function TimelineTab({ detail }: { detail: PullRequestDetail }) {
  const [chosen, choose] = useUrlFilter('events');
  const kind = readOneOf(chosen, eventKinds) ?? 'all';
  const counts = countByKind(detail);
  return (
    <>
      <WhoseTurnBand detail={detail} />
      <div className={classes.columns}>
        <Card
          title="PR Timeline"
          caption={subtitleOf(detail)}
          controls={
            <SegmentedFilter
              label="Kind of event"
              options={eventKinds
                .filter((value) => value === 'all' || value === kind || counts[value] > 0)
                .map((value) => ({ value, label: words[value], count: counts[value] }))}
              value={kind}
              onChange={(value) => choose(value === 'all' ? undefined : value)}
            />
          }
          flush
        >
          <div className={classes.box}>
            <TimelineList key={kind} detail={detail} kind={kind} />
          </div>
        </Card>
        <div className={classes.aside}>
          <Milestones detail={detail} />
          <ReviewersCard detail={detail} />
        </div>
      </div>
    </>
  );
}

function countByKind({ timeline }: PullRequestDetail): Record<EventKind, number> {
  const counts = { all: timeline.length, commits: 0, 'force-pushes': 0, reviews: 0, comments: 0, checks: 0, states: 0 };
  for (const event of timeline) counts[kindOf(event)] += 1;
  return counts;
}

/** The line beside the title, worded by how far the pull request came. */
function subtitleOf({ merged_at, closed_at }: PullRequestDetail): string {
  if (merged_at !== null) return 'Complete lifecycle from opening to merge';
  return closed_at !== null
    ? 'Complete lifecycle from opening to close'
    : 'Complete lifecycle from opening to current state';
}
