import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../api/query.ts';
import { Page } from '../../layout/page.tsx';
import { Card } from '../../panels/card.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { useUser } from '../../session/session.tsx';
import { useSignOut } from '../../session/sign-out.ts';

/** The account and the connected repositories. */
export function SettingsScreen() {
  const user = useUser();
  const signOut = useSignOut('/login');
  const repositories = useQuery(ask('listConnectedRepositories', undefined));
  const add = (
    <Button component={Link} to="/add-repo">
      Add Repository
    </Button>
  );
  return (
    <Page title="Settings" actions={add} withoutAsOf>
      <Card title="Account">
        <p>{user.github_username || 'GitHub User'}</p>
        <p>{user.email}</p>
        <Button variant="default" onClick={() => void signOut()}>
          Sign Out
        </Button>
      </Card>
      <Card title="Connected repositories">
        {repositories.data?.length === 0 ? (
          <EmptyState title="Connect Your First Repository" />
        ) : (
          <ul>
            {repositories.data?.map(({ id, full_name }) => (
              <li key={id}>{full_name}</li>
            ))}
          </ul>
        )}
      </Card>
    </Page>
  );
}
