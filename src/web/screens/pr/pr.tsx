import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { hourly } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Panel } from '../../kit/card.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { useDocumentTitle } from '../../layout/page.tsx';
import { useUser } from '../../session/session.tsx';
import { readPositive } from '../../url/url-state.ts';
import { Cards } from './cards.tsx';
import { useGoBack } from './go-back.ts';
import { Header } from './header.tsx';
import classes from './pr.module.css';
import { PullRequestSkeleton } from './pr-skeleton.tsx';
import { askPullRequest } from './questions.ts';
import { Signals } from './signals.tsx';
import { PullRequestTabs } from './tabs.tsx';

/** How often an open pull request's figures are fetched, in milliseconds. */
const whileOpen = 5 * 60_000;

const route = getRouteApi('/signed-in/pr/$repoOwner/$repoName/$prNumber');

/** One pull request in depth (docs/product.md#a-pull-request). */
export function PullRequestScreen() {
  const { repoOwner, repoName, prNumber } = route.useParams();
  const number = readPositive(prNumber);
  const user = useUser();
  const isComplete = user !== null && repoOwner !== '' && repoName !== '' && number !== undefined;
  const address = { repoOwner, repoName, prNumber: number ?? 0 };
  const answer = useQuery({
    ...askPullRequest(address),
    enabled: isComplete,
    // What is open runs on: its figures are those of the moment they were made.
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? whileOpen : hourly),
    // The answer before is another pull request.
    placeholderData: () => undefined,
  });
  useDocumentTitle(answer.data === undefined ? `PR #${prNumber}` : `${answer.data.title} · PR #${prNumber}`);

  if (answer.data !== undefined) {
    const detail = answer.data;
    return (
      <div className={classes.page}>
        {answer.error !== null && (
          <Banner meaning="watch" aside={<RetryLink onRetry={() => answer.refetch()} />}>
            Failed to fetch PR details. {causeOf(answer.error)} The figures are those of before.
          </Banner>
        )}
        <Header key={detail.html_url} detail={detail} address={address} />
        <Cards detail={detail} />
        <Signals key={`${detail.html_url}#signals`} detail={detail} address={address} />
        <PullRequestTabs detail={detail} />
      </div>
    );
  }
  const wanted = `${repoOwner}/${repoName}#${prNumber}`;
  if (isComplete && answer.error === null) return <PullRequestSkeleton wanted={wanted} />;
  return <Failure wanted={wanted} error={answer.error} onRetry={() => answer.refetch()} />;
}

function RetryLink({ onRetry }: { onRetry: () => unknown }) {
  return (
    <Button variant="subtle" onClick={onRetry}>
      Retry
    </Button>
  );
}

interface FailureProps {
  /** `owner/name#number` as the address has it. */
  readonly wanted: string;
  /** Null where there was nothing to ask for. */
  readonly error: Error | null;
  readonly onRetry: () => unknown;
}

/** In place of the pull request: that there is none, or why it could not be fetched, and the way back. */
function Failure({ wanted, error, onRetry }: FailureProps) {
  const goBack = useGoBack();
  const isMissing = error === null || (error instanceof ApiError && error.status === 404);
  const why = new Error(`Nothing is known of ${wanted}. It may not exist, or its repository is not connected.`);
  return (
    <>
      <h1 className={classes.failureTitle}>{wanted}</h1>
      <Panel label="Pull request">
        <ErrorState
          title={isMissing ? 'PR not found' : 'Failed to load PR details'}
          error={isMissing ? why : error}
          {...(isMissing ? {} : { onRetry })}
        />
        <div className={classes.goBack}>
          <Button variant="default" onClick={goBack}>
            Go Back
          </Button>
        </div>
      </Panel>
    </>
  );
}
