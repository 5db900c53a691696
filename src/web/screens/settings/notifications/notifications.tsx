import { Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationSettings } from '#contract/notifications.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { Banner } from '../../../kit/banner.tsx';
import { Panel } from '../../../kit/card.tsx';
import { causeOf, ErrorState } from '../../../kit/error-state.tsx';
import { Late, Line } from '../../../kit/skeleton.tsx';
import { Page } from '../../../layout/page.tsx';
import { headings } from '../../../layout/pages.ts';
import { useUser } from '../../../session/session.tsx';
import { SettingsParts } from '../settings-parts.tsx';
import { Channels } from './channels.tsx';
import { Inbox } from './inbox.tsx';
import { Log } from './log.tsx';
import classes from './notifications.module.css';
import { PauseEverything } from './pause-everything.tsx';
import { Preview } from './preview.tsx';
import { askNotifications } from './questions.ts';
import { Quiet } from './quiet.tsx';
import { useSaving } from './use-saving.ts';
import { WhatReachesMe } from './what-reaches-me.tsx';

/** What reaches this person, when, and where (docs/product.md#notifications). */
export function NotificationsScreen() {
  const user = useUser();
  // A link in a mail may have changed it in another tab.
  const settings = useQuery({ ...askNotifications(), refetchOnWindowFocus: 'always' });
  return (
    <Page
      title={headings.settings}
      subtitle="Notifications: what reaches you, when, and where"
      actions={settings.data && <PauseSwitch settings={settings.data} />}
      withoutAsOf
    >
      <SettingsParts current="/settings/notifications">
        {settings.data === undefined ? (
          <Panel label="Notifications">
            {settings.error ? (
              <ErrorState
                title="Failed to fetch your notifications"
                error={settings.error}
                onRetry={() => void settings.refetch()}
              />
            ) : (
              <Late>
                <div className={classes.loading}>
                  <Line width="30%" />
                  <Line width="70%" />
                  <Line width="60%" />
                </div>
              </Late>
            )}
          </Panel>
        ) : (
          <>
            {settings.data.paused && (
              <Banner meaning="watch">
                Everything is paused: nothing is sent to you, and what falls due meanwhile is not sent later. Channels
                that several people read go on.
              </Banner>
            )}
            <WhatReachesMe settings={settings.data} />
            <div className={classes.beside}>
              <div className={classes.quietPlace}>
                <Quiet settings={settings.data} />
              </div>
              <div className={classes.previewPlace}>
                <Preview />
              </div>
            </div>
          </>
        )}
        <Channels />
        {user.host === DEMO_HOST && <Inbox />}
        <Log />
      </SettingsParts>
    </Page>
  );
}

function PauseSwitch({ settings }: { readonly settings: NotificationSettings }) {
  const saving = useSaving();
  const [asking, setAsking] = useState(false);
  return (
    <>
      {saving.error && (
        <span className={classes.failed} role="alert">
          {`This could not be saved. ${causeOf(saving.error)}`}
        </span>
      )}
      <Switch
        className={classes.switch ?? ''}
        label="Pause everything"
        labelPosition="left"
        checked={settings.paused}
        aria-disabled={saving.isPending}
        onChange={({ currentTarget }) => {
          if (saving.isPending) return;
          if (currentTarget.checked) setAsking(true);
          else saving.save({ paused: false }, 'Messages come again');
        }}
      />
      {asking && <PauseEverything onClose={() => setAsking(false)} />}
    </>
  );
}
