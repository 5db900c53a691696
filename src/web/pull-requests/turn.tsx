import { EyeIcon, GitMergeIcon, PencilIcon } from '@primer/octicons-react';
import { type WaitingOn, type WaitingReason, waitingOnLabel, waitingReasonLabel } from '#domain/whose-turn.ts';
import classes from './turn.module.css';

const icons = { author: PencilIcon, reviewers: EyeIcon, merge: GitMergeIcon };

/** Whose turn an open pull request is and why: "Reviewers · never reviewed"; nothing for one that has ended. */
export function Turn({ on, reason }: { on: WaitingOn | null; reason: WaitingReason | null }) {
  if (on === null) return null;
  const Icon = icons[on];
  return (
    <span className={classes.turn}>
      <span className={`${classes.tile} ${classes[on]}`}>
        <Icon size={12} />
      </span>
      <span className={classes.words}>
        <span className={classes.on}>{waitingOnLabel(on)}</span>
        {reason !== null && ` · ${waitingReasonLabel(reason)}`}
      </span>
    </span>
  );
}
