import {
  AgentIcon,
  CheckIcon,
  CommentIcon,
  DotFillIcon,
  EyeIcon,
  FileDiffIcon,
  GitCommitIcon,
  GitMergeIcon,
  GitPullRequestClosedIcon,
  GitPullRequestDraftIcon,
  GitPullRequestIcon,
  HubotIcon,
  type Icon,
  IssueReopenedIcon,
  PersonAddIcon,
  PersonIcon,
  RepoPushIcon,
  UndoIcon,
  XIcon,
} from '@primer/octicons-react';
import type { TimelineEvent } from '#contract/pull-requests.ts';

/** The colour of an event's dot (docs/product.md#timeline). */
export type EventTone = 'opened' | 'plain' | 'comment' | 'good' | 'bad' | 'reviewed' | 'merged';

export interface EventLook {
  readonly Icon: Icon;
  readonly tone: EventTone;
  /** Of several events in one place the weightiest one is shown. */
  readonly weight: number;
}

const plain = (Icon: Icon, weight: number): EventLook => ({ Icon, tone: 'plain', weight });

const looks: Readonly<Record<string, EventLook>> = {
  opened: { Icon: GitPullRequestIcon, tone: 'opened', weight: 9 },
  commit: plain(GitCommitIcon, 2),
  comment: { Icon: CommentIcon, tone: 'comment', weight: 4 },
  inline_comment: { Icon: CommentIcon, tone: 'comment', weight: 4 },
  review_requested: plain(PersonAddIcon, 3),
  review_request_removed: plain(PersonIcon, 2),
  review_dismissed: plain(UndoIcon, 5),
  ready_for_review: plain(EyeIcon, 6),
  convert_to_draft: plain(GitPullRequestDraftIcon, 6),
  force_push: plain(RepoPushIcon, 3),
  reopened: plain(IssueReopenedIcon, 7),
  merged: { Icon: GitMergeIcon, tone: 'merged', weight: 10 },
  closed: { Icon: GitPullRequestClosedIcon, tone: 'bad', weight: 10 },
};

/** The icon and colour of an event; a type that nobody knows gets a plain dot. */
export function eventLook({ type, metadata, actor_kind }: TimelineEvent): EventLook {
  if (type === 'status_check') {
    return metadata.check_status === 'success'
      ? { Icon: CheckIcon, tone: 'good', weight: 1 }
      : { Icon: XIcon, tone: 'bad', weight: 5 };
  }
  if (type === 'review') {
    const look = reviewLook(metadata.review_state);
    if (actor_kind === 'agent') return { ...look, Icon: AgentIcon };
    return actor_kind === 'bot' ? { ...look, Icon: HubotIcon } : look;
  }
  return looks[type] ?? plain(DotFillIcon, 1);
}

function reviewLook(state: TimelineEvent['metadata']['review_state']): EventLook {
  if (state === 'approved') return { Icon: CheckIcon, tone: 'good', weight: 8 };
  if (state === 'changes_requested') return { Icon: FileDiffIcon, tone: 'bad', weight: 8 };
  return { Icon: EyeIcon, tone: 'reviewed', weight: 6 };
}
