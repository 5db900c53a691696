import { Button } from '@mantine/core';
import { AlertIcon, SyncIcon } from '@primer/octicons-react';
import { ApiError } from '../api/client.ts';
import { Banner } from './banner.tsx';
import { passFocusOut } from './focus-soon.ts';
import classes from './notice.module.css';

/** The cause of a failure in one line, with the request id where the server gave one. */
export function causeOf(error: unknown): string {
  const message = error instanceof Error && error.message !== '' ? error.message : 'An unexpected error occurred';
  if (!(error instanceof ApiError) || error.requestId === null) return message;
  return `${message}${/[.!?…]$/.test(message) ? '' : '.'} Request ${error.requestId}.`;
}

interface Props {
  /** What failed, in a sentence without its full stop: 'Failed to fetch stuck PRs'. */
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Another word on the button than 'Retry'. */
  readonly retryLabel?: string;
}

/** What stands in place of content that could not be fetched; the other panels stay alive. */
export function ErrorState({ title, error, onRetry, retryLabel = 'Retry' }: Props) {
  const cause = causeOf(error);
  return (
    <div className={classes.state} role="alert">
      <AlertIcon size={24} className={`${classes.stateIcon} ${classes.failed}`} />
      <p className={classes.title}>{title}</p>
      {cause !== title && <p className={classes.why}>{cause}</p>}
      {onRetry && (
        <Button
          ref={passFocusOut}
          className={classes.next ?? ''}
          variant="default"
          leftSection={<SyncIcon size={14} />}
          onClick={onRetry}
        >
          {retryLabel}
        </Button>
      )}
    </div>
  );
}

interface OldAnswerProps {
  /** What failed, in a sentence without its full stop. */
  readonly title: string;
  /** The state of the question, as TanStack Query tells it. */
  readonly answer: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
}

/** Above what was fetched before, where it could not be fetched again: why, and another try. */
export function OldAnswerNote({ title, answer: { data, error, refetch } }: OldAnswerProps) {
  if (!error || data === undefined) return null;
  return (
    <Banner
      meaning="watch"
      aside={
        <Button ref={passFocusOut} variant="subtle" onClick={() => refetch()}>
          Retry
        </Button>
      }
    >
      {title}. {causeOf(error)} This is what was fetched before.
    </Banner>
  );
}
