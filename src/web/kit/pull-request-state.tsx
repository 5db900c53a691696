import {
  GitMergeIcon,
  GitPullRequestClosedIcon,
  GitPullRequestDraftIcon,
  GitPullRequestIcon,
} from '@primer/octicons-react';
import type { PullRequestState } from '#domain/pull-request.ts';
import classes from './pull-request-state.module.css';

const icons = {
  open: GitPullRequestIcon,
  draft: GitPullRequestDraftIcon,
  merged: GitMergeIcon,
  closed: GitPullRequestClosedIcon,
};

const words: Readonly<Record<PullRequestState, string>> = { open: 'Open', merged: 'Merged', closed: 'Closed' };

/** The word of a pull request's state; draft is a flag beside it. */
export function stateWord(state: PullRequestState): string {
  return words[state];
}

interface Props {
  readonly state: PullRequestState;
  readonly draft?: boolean;
}

/** The host's icon for a state, in its colour; decorative unless `labelled`. */
export function PullRequestIcon({ state, draft = false, labelled = false }: Props & { labelled?: boolean }) {
  const look = state === 'open' && draft ? 'draft' : state;
  const Icon = icons[look];
  const label = look === 'draft' ? 'Draft' : words[state];
  return <Icon size={16} className={`${classes.icon} ${classes[look]}`} {...(labelled && { 'aria-label': label })} />;
}

/** The filled pill of the deep dive: open blue, merged purple, closed red. */
export function StatePill({ state, draft = false }: Props) {
  const Icon = icons[state === 'open' && draft ? 'draft' : state];
  return (
    <span className={`${classes.pill} ${classes[state]}`}>
      <Icon size={16} />
      {words[state]}
    </span>
  );
}
