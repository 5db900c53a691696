import { ArrowRightIcon } from '@primer/octicons-react';
import { useMemo } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { counted } from '#domain/counted.ts';
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
import { isAutomationKind } from '#domain/history.ts';
import { percentWords } from '#domain/percent.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Defined } from '../../explain/definition.tsx';
import { Card, Panel, Strip, StripCell } from '../../kit/card.tsx';
import { Chip, type Meaning } from '../../kit/chip.tsx';
import { Amount, Duration } from '../../kit/figure.tsx';
import { Person } from '../../people/person.tsx';
import { formatCount } from '../../time/moment.ts';
import prClasses from './pr.module.css';
import { PersonLink } from './reviews-tab.tsx';
import classes from './tab.module.css';

/** Who worked with whom (docs/product.md#collaboration). */
export function CollaborationTab({ detail }: { detail: PullRequestDetail }) {
  const { reviewers } = detail;
  const author = detail.author_kind === 'ghost' ? null : detail.author;
  const timeline = useMemo(
    () => detail.timeline.map(({ actor, timestamp }) => ({ actor, at: Date.parse(timestamp) })),
    [detail.timeline],
  );
  const participants = participantsOf(timeline);
  const accounts = useMemo(() => accountsOf(detail), [detail]);
  const withAutomation = participants.some((name) => isAutomationKind(accounts.get(name)?.actor_kind));
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
            <div className={prClasses.caption}>
              mean of {counted(handoffs.length, 'handoff')}
              {withAutomation && ', bots and agents included'}
            </div>
          </StripCell>
        </Strip>
      </Panel>
      <div className={classes.columns}>
        <div className={classes.stack}>
          <Contributions detail={detail} timeline={timeline} author={author} accounts={accounts} />
          <Discussion detail={detail} />
        </div>
        <Handoffs handoffs={handoffs} accounts={accounts} />
      </div>
    </>
  );
}

/** How an account is drawn. */
interface Account extends Pick<PullRequestDetail['timeline'][number], 'actor_avatar' | 'actor_kind'> {
  /** They have a page of their own. */
  readonly isContributor: boolean;
}

/** Everyone in the timeline by their login. */
function accountsOf({ timeline, contributors }: PullRequestDetail): ReadonlyMap<string, Account> {
  const known = new Set(contributors);
  return new Map(
    timeline.flatMap(({ actor, actor_avatar, actor_kind }) =>
      actor === null ? [] : [[actor, { actor_avatar, actor_kind, isContributor: known.has(actor) }] as const],
    ),
  );
}

/** Somebody in the timeline with their face, a link only to the page of a person who has one. */
function Participant({ name, accounts }: { name: string; accounts: ReadonlyMap<string, Account> }) {
  const account = accounts.get(name);
  const { actor_avatar = null, actor_kind = null } = account ?? {};
  const kind = actor_kind ?? 'human';
  return isAutomationKind(actor_kind) || !account?.isContributor ? (
    <Person name={name} avatarUrl={actor_avatar} kind={kind} />
  ) : (
    <Person name={name} avatarUrl={actor_avatar} kind={kind}>
      <PersonLink username={name} />
    </Person>
  );
}

interface ContributionsProps {
  readonly detail: PullRequestDetail;
  readonly timeline: Parameters<typeof participantsOf>[0];
  readonly author: string | null;
  readonly accounts: ReadonlyMap<string, Account>;
}

/** Everyone in the timeline: the author, the reviewers, and whoever else took part. */
function Contributions({ detail, timeline, author, accounts }: ContributionsProps) {
  const { reviewers, author_avatar_url, author_kind } = detail;
  const reviewed = new Set(reviewers.map(({ username }) => username));
  const others = participantsOf(timeline).filter((name) => name !== author && !reviewed.has(name));
  const shareOf = (name: string) => interactionShare(timeline, author, name);
  const done = (name: string) => {
    const share = shareOf(name);
    const actions = counted(actionsOf(timeline, name), 'action');
    return share === null ? actions : `${actions}, ${percentWords(share / 100)}% of interactions`;
  };
  return (
    <Card title="Participant Contributions" caption="everyone in the timeline" flush>
      <ul className={classes.list}>
        <li>
          <span className={classes.who}>
            <Person name={detail.author} avatarUrl={author_avatar_url} kind={author_kind}>
              {author === null ? detail.author : <PersonLink username={author} />}
            </Person>
          </span>
          <Chip meaning="outlined">Author</Chip>
          <span className={classes.value}>
            {author === null ? NOT_AVAILABLE : counted(actionsOf(timeline, author), 'action')}
          </span>
        </li>
        {reviewers.map(({ username, avatar_url, total_comments }) => (
          <li key={username}>
            <span className={classes.who}>
              <Person name={username} avatarUrl={avatar_url}>
                <PersonLink username={username} />
              </Person>
            </span>
            <Chip meaning="neutral">Engagement: {engagementLabel(total_comments)}</Chip>
            <span className={classes.value}>{done(username)}</span>
            <span className={classes.wide}>
              <ShareBar percent={shareOf(username) ?? 0} tone="chart-4" />
            </span>
          </li>
        ))}
        {others.map((name) => (
          <li key={name}>
            <span className={classes.who}>
              <Participant name={name} accounts={accounts} />
            </span>
            <span className={classes.value}>{done(name)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const handoffMeaning: Readonly<Record<ReturnType<typeof handoffBadge>, Meaning>> = {
  default: 'accent',
  secondary: 'neutral',
  destructive: 'bad',
};

interface HandoffsProps {
  readonly handoffs: ReturnType<typeof handoffsOf>;
  readonly accounts: ReadonlyMap<string, Account>;
}

function Handoffs({ handoffs, accounts }: HandoffsProps) {
  const more = handoffs.length - LISTED_HANDOFFS;
  return (
    <Card
      title="Handoff Efficiency"
      caption={counted(handoffs.length, 'handoff')}
      foot={more > 0 ? `+${counted(more, 'more handoff')}` : undefined}
      flush
    >
      {handoffs.length === 0 ? (
        <p className={classes.padded}>Nobody handed anything over: one account did it all.</p>
      ) : (
        <ol className={classes.list}>
          {handoffs.slice(0, LISTED_HANDOFFS).map(({ from, to, hours }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a handoff is its place in the order
            <li key={index}>
              <span className={classes.handoff}>
                <Participant name={from} accounts={accounts} />
                <ArrowRightIcon size={12} aria-label="to" />
                <Participant name={to} accounts={accounts} />
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
          <dt>
            Review comments <span className={classes.quiet}>inline threads, bots and agents included</span>
          </dt>
          <dd>{formatCount(review_comments)}</dd>
        </div>
      </dl>
    </Card>
  );
}
