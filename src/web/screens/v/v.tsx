import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../api/client.ts';
import { noPlaceholder } from '../../api/query.ts';
import { Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { Page } from '../../layout/page.tsx';
import { PageLoading } from '../../layout/page-loading.tsx';
import { askView } from './questions.ts';

/** Leads on to the address that a kept view holds for whoever opens it; of one that is unknown it says so (docs/product.md#kept-views). */
export function KeptViewScreen() {
  const { slug = '' } = useParams({ strict: false });
  const view = useQuery({ ...askView(slug), placeholderData: noPlaceholder, refetchInterval: false });
  const navigate = useNavigate();
  const { path, missing, team_gone } = view.data ?? {};
  // What was answered the last time may name what is gone since.
  const isCurrent = view.isSuccess && !view.isFetching;
  useEffect(() => {
    if (isCurrent && path !== undefined && missing !== undefined)
      void navigate({ href: path, replace: true, state: { partsMissing: team_gone ? 'group' : missing } });
  }, [isCurrent, path, missing, team_gone, navigate]);
  if (view.error === null) return <PageLoading />;
  const unknown = view.error instanceof ApiError && view.error.status === 404;
  const title = unknown ? 'View not found' : 'Kept view';
  return (
    <Page title={title} withoutAsOf>
      <Panel label={title}>
        {unknown ? (
          <EmptyState
            title="There is no view at this address"
            why="It may have been deleted, or whoever keeps it keeps it for themselves."
            next={
              <Button component={Link} to="/dashboard" variant="default">
                Go to the dashboard
              </Button>
            }
          />
        ) : (
          <ErrorState title="Failed to fetch the view" error={view.error} onRetry={() => void view.refetch()} />
        )}
      </Panel>
    </Page>
  );
}
