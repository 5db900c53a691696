import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { ask } from '../../api/query.ts';
import { Page } from '../../layout/page.tsx';
import { Card } from '../../panels/card.tsx';
import { ErrorState } from '../../panels/error-state.tsx';
import { StatePill } from '../../panels/pull-request-state.tsx';
import { Late, Line } from '../../panels/skeleton.tsx';

const route = getRouteApi('/signed-in/pr/$repoOwner/$repoName/$prNumber');

/** One pull request in depth. */
export function PullRequestScreen() {
  const { repoOwner, repoName, prNumber } = route.useParams();
  const { history } = useRouter();
  const detail = useQuery(ask('getPullRequest', { params: { repoOwner, repoName, prNumber: Number(prNumber) } }));
  return (
    <Page title={detail.data?.title ?? `PR #${prNumber}`} subtitle={`${repoOwner}/${repoName}`}>
      <Card title={`PR #${prNumber}`}>
        {detail.data ? (
          <StatePill state={detail.data.state} draft={detail.data.draft} />
        ) : detail.error ? (
          <>
            <ErrorState title="Failed to load PR details" error={detail.error} />
            <Button variant="default" onClick={() => history.back()}>
              Go Back
            </Button>
          </>
        ) : (
          <Late>
            <Line width="40%" />
          </Late>
        )}
      </Card>
    </Page>
  );
}
