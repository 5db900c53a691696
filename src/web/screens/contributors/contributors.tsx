import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../api/query.ts';
import { Page } from '../../layout/page.tsx';
import { Card } from '../../panels/card.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { ErrorState } from '../../panels/error-state.tsx';
import { Person } from '../../panels/person.tsx';
import { Late, Line } from '../../panels/skeleton.tsx';

/** Everyone who authored or reviewed, as cards that open their page. */
export function ContributorsScreen() {
  const contributors = useQuery(ask('listContributors', { query: {} }));
  return (
    <Page title="Contributors">
      <Card title="Contributors">
        {contributors.data === undefined ? (
          contributors.error ? (
            <ErrorState
              title="Error Loading Contributors"
              error={contributors.error}
              onRetry={() => void contributors.refetch()}
              retryLabel="Try Again"
            />
          ) : (
            <Late>
              <Line width="40%" />
            </Late>
          )
        ) : contributors.data.length === 0 ? (
          <EmptyState title="No contributors available" />
        ) : (
          <ul>
            {contributors.data.map(({ username, avatar_url, kind }) => (
              <li key={username}>
                <Person name={username} avatarUrl={avatar_url} kind={kind}>
                  <Link to="/contributor/{-$username}" params={{ username }}>
                    {username}
                  </Link>
                </Person>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Page>
  );
}
