import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Page } from '../../layout/page.tsx';
import { contributorHeading } from '../../layout/pages.ts';
import { BackToDashboard, Columns } from './columns.tsx';
import { OneContributor } from './one-contributor.tsx';

const route = getRouteApi('/signed-in/contributor/{-$username}');

/** One contributor's figures, or the search for one (docs/product.md#a-contributor). */
export function ContributorScreen() {
  const { username } = route.useParams();
  return username === undefined ? (
    <NoContributor />
  ) : (
    <OneContributor key={username.toLowerCase()} username={username} />
  );
}

/** The page without a username: figures that were loaded for someone are let go. */
function NoContributor() {
  const queries = useQueryClient();
  useEffect(() => {
    for (const name of ['getContributorMetrics', 'listContributorPullRequests', 'getReviewHeatmap']) {
      queries.removeQueries({ queryKey: [name] });
    }
  }, [queries]);
  return (
    <Page title={contributorHeading(undefined)} subtitle={<BackToDashboard />}>
      <Columns current={undefined}>
        <Panel label="Contributor">
          <EmptyState title="No contributor selected" why="Search for a contributor to view their metrics" />
        </Panel>
      </Columns>
    </Page>
  );
}
