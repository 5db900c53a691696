import { Button } from '@mantine/core';
import { DownloadIcon, PlusIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { counted } from '#domain/counted.ts';
import { askTeams } from '../../api/questions.ts';
import { periodWords, useChosenNames } from '../../filters/choice-of-figures.ts';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetPickers } from '../../filters/head-pickers.tsx';
import { WindowPicker } from '../../filters/window-picker.tsx';
import { Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { useHostName } from '../../session/session.tsx';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { MissingScope, SignInAgain } from '../../teams/missing-scope.tsx';
import { askAvailableTeams } from '../../teams/questions.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { Comparison } from './comparison.tsx';
import { askComparison } from './questions.ts';
import { OWN_WINDOW, readTeamsSearch } from './search.ts';

/** Teams side by side, and one figure of each week by week (docs/product.md#teams). */
export function TeamsScreen() {
  const search = readTeamsSearch(useSearch({ strict: false }));
  const host = useHostName();
  const teams = useQuery(askTeams());
  const rows = useQuery(askComparison(search)).data?.rows.filter(({ key }) => key === 'team');
  const repository = useChosenNames()[0] ?? null;
  const present = teams.data?.filter(({ archived_at }) => archived_at === null);
  const none = present?.length === 0;
  // Asks the host: only where something may be missing.
  const mayMiss = none || teams.data?.some(({ stale_since }) => stale_since !== null) === true;
  const available = useQuery({ ...askAvailableTeams(), enabled: mayMiss }).data;
  const { caption, before } = periodWords(search.period, search.period !== OWN_WINDOW);
  const parent = teams.data?.find(({ id }) => id === search.parent);
  const [active, clear] = useSetPickers(['teams', 'parent']);
  const shown = rows?.filter(({ team }) => search.teams.includes(team?.id ?? 0)) ?? [];
  const count = shown.length === 0 ? rows?.length : shown.length;
  const title = `No teams yet. Import them from ${host}, or make a group.`;
  return (
    <Page
      title={headings.teams}
      subtitle={
        none
          ? 'Teams of the host and groups of your own'
          : [
              count === undefined ? 'Teams' : counted(count, 'team'),
              ...(parent === undefined ? [] : [`that ${count === 1 ? 'is' : 'are'} part of ${parent.name}`]),
              `side by side, ${caption} against ${before}`,
            ].join(' ') + (repository === null ? '' : `, ${repository}`)
      }
      actions={
        <>
          {!none && (
            <Filters active={active} onClear={clear}>
              <WindowPicker own={OWN_WINDOW} withoutDays />
              <RepositoryFilter />
            </Filters>
          )}
          {!none && <Ways host={host} />}
        </>
      }
    >
      <SyncMessages />
      <ImportNotice />
      {!none && <MissingScope available={available} />}
      {teams.data === undefined && teams.error !== null ? (
        <Panel label="Teams">
          <ErrorState title="Failed to fetch teams" error={teams.error} onRetry={() => void teams.refetch()} />
        </Panel>
      ) : none ? (
        <Panel label="Teams">
          <ConnectFirst title={title}>
            <EmptyState
              title={title}
              why={available?.message ?? 'A team is a filter of every figure, and stands beside others here.'}
              next={
                <Ways host={host} primary>
                  {available?.missing_scope === 'read:org' ? <SignInAgain primary /> : undefined}
                </Ways>
              }
            />
          </ConnectFirst>
        </Panel>
      ) : (
        <Comparison search={search} teams={present ?? []} />
      )}
    </Page>
  );
}

interface WaysProps {
  readonly host: string;
  readonly primary?: boolean;
  /** Stands in place of the import. */
  readonly children?: React.ReactNode;
}

/** The two ways to a team. */
function Ways({ host, primary = false, children }: WaysProps) {
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '0.75rem', justifyContent: 'center' }}>
      {children ?? (
        <Button
          renderRoot={(props) => <Link to="/settings" search={{ import: 'true' } as RawSearch} {...props} />}
          variant={primary ? 'filled' : 'default'}
          leftSection={<DownloadIcon size={14} />}
        >
          Import from {host}
        </Button>
      )}
      <Button
        renderRoot={(props) => <Link to="/settings" search={{ group: 'new' } as RawSearch} {...props} />}
        variant="default"
        leftSection={<PlusIcon size={14} />}
      >
        New group
      </Button>
    </div>
  );
}
