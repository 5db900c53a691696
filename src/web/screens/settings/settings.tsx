import { Button } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { Card } from '../../kit/card.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { Face } from '../../people/person.tsx';
import { useHostName, useUser } from '../../session/session.tsx';
import { useSignOut } from '../../session/sign-out.ts';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { AccountKinds } from './account-kinds.tsx';
import { AgentLabels } from './agent-labels.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { KeptViews } from './kept-views.tsx';
import { Preferences } from './preferences.tsx';
import { Repositories } from './repositories.tsx';
import { Sessions } from './sessions.tsx';
import classes from './settings.module.css';
import { SettingsParts } from './settings-parts.tsx';
import { Teams } from './teams.tsx';
import { Thresholds } from './thresholds.tsx';

/** The account, what this person sees and how, the connected repositories, and who is a bot or an agent (docs/product.md#settings). */
export function SettingsScreen() {
  return (
    <Page
      title={headings.settings}
      subtitle="Your account, your repositories and how the figures are counted"
      actions={
        <Button component={Link} to="/add-repo" leftSection={<PlusIcon size={14} />}>
          Add Repository
        </Button>
      }
      withoutAsOf
    >
      <SettingsParts current={null}>
        <SyncMessages />
        <Repositories />
        <div className={classes.columns}>
          <Account />
          <Preferences />
        </div>
        <Teams />
        <KeptViews />
        <Sessions />
        <AccountKinds />
        <AgentLabels />
        <Thresholds />
        <DeleteAccount />
      </SettingsParts>
    </Page>
  );
}

function Account() {
  const user = useUser();
  const host = useHostName();
  const signOut = useSignOut('/login');
  const name = user.github_username || 'GitHub User';
  return (
    <Card title={<span id="account">Account</span>}>
      <div className={classes.account}>
        <Face name={name} avatarUrl={user.avatar_url} size={40} />
        <dl className={classes.pairs}>
          <div>
            <dt>Username</dt>
            <dd>{name}</dd>
          </div>
          <div>
            <dt>E-mail</dt>
            <dd>{user.email ?? 'Not shared'}</dd>
          </div>
          <div>
            <dt>Signed in at</dt>
            <dd>{user.host === DEMO_HOST ? 'The demo' : host}</dd>
          </div>
        </dl>
      </div>
      <Button variant="default" onClick={() => void signOut()}>
        Sign Out
      </Button>
    </Card>
  );
}
