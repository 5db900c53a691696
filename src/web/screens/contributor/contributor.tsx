import { getRouteApi } from '@tanstack/react-router';
import { ContributorSearch } from '../../layout/contributor-search.tsx';
import { Page } from '../../layout/page.tsx';
import { Card } from '../../panels/card.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';

const route = getRouteApi('/signed-in/contributor/{-$username}');

/** One contributor's figures, or the search for one. */
export function ContributorScreen() {
  const { username } = route.useParams();
  return (
    <Page title={username === undefined ? 'Contributor View' : `Contributor: ${username}`}>
      <ContributorSearch variant="page" />
      <Card title={username ?? 'Contributor'}>
        {username === undefined && (
          <EmptyState title="No contributor selected" why="Search for a contributor to view their metrics" />
        )}
      </Card>
    </Page>
  );
}
