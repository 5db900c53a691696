import { ArrowRightIcon } from '@primer/octicons-react';
import { useMemo } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { discussionIntensity, engagementLabel } from '#domain/engagement.ts';
import {
  actionsOf,
  averageHandoff,
  collaborationLabel,
  handoffBadge,
  handoffsOf,
  interactionShare,
  interactionsOf,
  LISTED_HANDOFFS,
  participantsOf,
} from '#domain/handoffs.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Card, Panel, Strip, StripCell } from '../../panels/card.tsx';
import { Chip, type Meaning } from '../../panels/chip.tsx';
import { Defined } from '../../panels/definition.tsx';
import { Amount, Duration } from '../../panels/figure.tsx';
import { formatCount } from '../../panels/moment.ts';
import { Person } from '../../panels/person.tsx';
import prClasses from './pr.module.css';
import { counted } from './reviewers-card.tsx';
import { PersonLink } from './reviews-tab.tsx';
import classes from './tab.module.css';

/** Who worked with whom (product specification, section 2, "Collaboration tab"). */
export function CollaborationTab({ detail }: { detail: PullRequestDetail }) {
  const { reviewers } = detail;
  const author = detail.author_kind === 'ghost' ? null : detail.author;
  const timeline = useMemo(
    () => detail.timeline.map(({ actor, timestamp }) => ({ actor, at: Date.parse(timestamp) })),
    [detail.timeline],
  );
  const participants = participantsOf(timeline);
  const handoffs = useMemo(() => handoffsOf(timeline), [timeline]);
  return (
    <>
      <Panel label="Collaboration figures">
        <Strip>
          <StripCell label={<Defined figure="pull_request.participants">Total Participants</Defined>}>
            <div className={prClasses.figure}>
              <Amount figure={formatCount(participants.length)} large />
            </div>
            <div className={prClasses.caption}>{collaborationLabel(reviewers.length, participants.length)}</div>
          </StripCell>
          <StripCell label={<Defined figure="pull_request.interactions">Total Interactions</Defined>}>
            <div className={prClasses.figure}>
              <Amount figure={formatCount(interactionsOf(timeline, author))} large />
            </div>
            <div className={prClasses.caption}>by others than the author</div>
          </StripCell>
          <StripCell label={<Defined figure="pull_request.avg_handoff">Avg Handoff Time</Defined>}>
            <div className={prClasses.figure}>
              <Duration hours={averageHandoff(handoffs)} large />
            </div>
            <div className={prClasses.caption}>mean of {counted(handoffs.length, 'handoff')}</div>
          </StripCell>
        </Strip>
      </Panel>
      <div className={classes.columns}>
        <Contributions detail={detail} timeline={timeline} author={author} />
        <div className={classes.stack}>
          <Handoffs handoffs={handoffs} />
          <Discussion detail={detail} />
        </div>
      </div>
    </>
  );
}

interface ContributionsProps {
  readonly detail: PullRequestDetail;
  readonly timeline: Parameters<typeof participantsOf>[0];
  readonly author: string | null;
}

function Contributions({ detail, timeline, author }: ContributionsProps) {
  const { reviewers, author_avatar_url, author_kind, by_agent } = detail;
  return (
    <Card title="Participant Contributions" caption="the author and the reviewers" flush>
      <ul className={classes.list}>
        <li>
          <span className={classes.who}>
            <Person name={detail.author} avatarUrl={author_avatar_url} kind={author_kind} byAgent={by_agent}>
              {author === null ? detail.author : <PersonLink username={author} />}
            </Person>
          </span>
          <Chip meaning="outlined">Author</Chip>
          <span className={classes.value}>
            {author === null ? NOT_AVAILABLE : counted(actionsOf(timeline, author), 'action')}
          </span>
        </li>
        {reviewers.map(({ username, avatar_url, total_comments }) => {
          const share = interactionShare(timeline, author, username);
          return (
            <li key={username}>
              <span className={classes.who}>
                <Person name={username} avatarUrl={avatar_url}>
                  <PersonLink username={username} />
                </Person>
              </span>
              <Chip meaning="neutral">Engagement: {engagementLabel(total_comments)}</Chip>
              <span className={classes.value}>{share === null ? 'N/A' : `${Math.round(share)}% of interactions`}</span>
              <span className={classes.wide}>
                <ShareBar percent={share ?? 0} tone="chart-4" />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

const handoffMeaning: Readonly<Record<ReturnType<typeof handoffBadge>, Meaning>> = {
  default: 'accent',
  secondary: 'neutral',
  destructive: 'bad',
};

function Handoffs({ handoffs }: { handoffs: ReturnType<typeof handoffsOf> }) {
  const more = handoffs.length - LISTED_HANDOFFS;
  return (
    <Card
      title="Handoff Efficiency"
      caption={counted(handoffs.length, 'handoff')}
      foot={more > 0 ? `+${formatCount(more)} ${more === 1 ? 'more handoff' : 'more handoffs'}` : undefined}
      flush
    >
      {handoffs.length === 0 ? (
        <p className={classes.padded}>Nobody handed anything over: one account did it all.</p>
      ) : (
        <ol className={classes.list}>
          {handoffs.slice(0, LISTED_HANDOFFS).map(({ from, to, hours }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a handoff is its place in the order
            <li key={index}>
              <span className={classes.who}>
                {from} <ArrowRightIcon size={12} aria-label="to" /> {to}
              </span>
              <Chip meaning={handoffMeaning[handoffBadge(hours)]}>{formatDuration(hours)}</Chip>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Discussion({ detail }: { detail: PullRequestDetail }) {
  const { comments, review_comments } = detail;
  return (
    <Card
      title="Discussion Activity"
      controls={<Chip meaning="neutral">{discussionIntensity(comments, review_comments)} intensity</Chip>}
    >
      <dl>
        <div className={classes.pair}>
          <dt>General comments</dt>
          <dd>{formatCount(comments)}</dd>
        </div>
        <div className={classes.pair}>
          <dt>Review comments</dt>
          <dd>{formatCount(review_comments)}</dd>
        </div>
      </dl>
    </Card>
  );
}
