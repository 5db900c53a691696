import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { counted } from '#domain/counted.ts';
import { part } from '../../api/part.ts';
import { askConnectedRepositories, askTeam } from '../../api/questions.ts';
import { useChoice, useChosenTeam, useNarrowing, useWindowWords } from '../../filters/choice-of-figures.ts';
import { Banner } from '../../kit/banner.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { askOldestStuck } from '../../pull-requests/questions.ts';
import { StuckTable } from '../../pull-requests/stuck-table.tsx';
import { readTurn } from '../../pull-requests/turns.ts';
import { isUnsettled, readableRepositories } from '../../sync/readable-repositories.ts';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { TeamStatsStrip } from '../../teams/team-stats-strip.tsx';
import { useNow } from '../../time/now.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { askViews } from '../../views/questions.ts';
import classes from './dashboard.module.css';

const ImportNotice = lazy(part(async () => ({ default: (await import('../../sync/import-notice.tsx')).ImportNotice })));
const FirstImport = lazy(part(() => import('../../sync/first-import.tsx')));
// Before there is anything the first is needed, later the second.
const FirstRun = lazy(part(() => import('./first-run.tsx')));
const HeadPickers = lazy(part(() => import('../../filters/head-pickers.tsx')));
const PinnedViews = lazy(part(() => import('./pinned-views.tsx')));
const PeopleTables = lazy(part(() => import('./people-tables.tsx')));

const TITLE = headings.dashboard;

/** The team at a glance: figures, what is stuck, who reviews and who develops; before there is anything, the way to it. */
export function DashboardScreen() {
  const repositories = useQuery(askConnectedRepositories());
  const now = useNow();
  const chosen = useChoice();
  const words = useWindowWords('30d');
  const team = useChosenTeam();
  const figures = useQuery(askTeam(chosen));
  const people = figures.isPlaceholderData ? undefined : figures.data?.total_contributors;
  const stuck = useQuery(askOldestStuck(useNarrowing(), readTurn(useUrlFilter('turn')[0])));
  const pinned = useQuery(askViews()).data?.filter((view) => view.pinned) ?? [];
  const connected = repositories.data && readableRepositories(repositories.data);
  const withheld = repositories.data?.filter(({ access }) => access.state !== 'readable') ?? [];
  // Its news outlasts the imports.
  const [hadImports, setHadImports] = useState(false);
  if (!hadImports && connected && connected.length > 1 && connected.some((one) => one.last_synced_at === null))
    setHadImports(true);
  const nothingYet =
    withheld.length === 0 &&
    connected?.every(({ pull_requests, last_synced_at }) => pull_requests === 0 && last_synced_at === null);
  if (connected !== undefined && nothingYet) {
    return (
      <Page title={TITLE} subtitle={connected.length === 0 ? 'No repositories yet' : 'No data yet'}>
        <SyncMessages />
        <Suspense>
          <FirstRun repositories={connected.length} />
        </Suspense>
      </Page>
    );
  }
  const parts = [words.alone];
  if (team !== null) parts.push(team);
  const repository = connected?.find(({ id }) => id === chosen.repository);
  if (repository !== undefined) parts.push(repository.full_name);
  else if (connected !== undefined) parts.push(counted(connected.length, 'repository', 'repositories'));
  if (people !== undefined) parts.push(counted(people, 'person', 'people'));
  return (
    <Page
      title={TITLE}
      subtitle={parts.join(', ')}
      actions={
        <LazyPart fallback={<span className={classes.pickers} />}>
          <HeadPickers own="30d" mixed />
        </LazyPart>
      }
    >
      <SyncMessages />
      {connected === undefined && repositories.error !== null && (
        <Banner
          meaning="bad"
          aside={
            <Button variant="default" onClick={() => void repositories.refetch()}>
              Retry
            </Button>
          }
        >
          {`Failed to fetch repositories. ${causeOf(repositories.error)}`}
        </Banner>
      )}
      {connected?.length === 0 && withheld.some(({ access }) => access.state === 'lost') && (
        <Banner
          meaning="watch"
          aside={
            <Button component={Link} to="/settings" variant="default">
              See why
            </Button>
          }
        >
          Your account may read none of your connected repositories at the moment.
        </Banner>
      )}
      {connected?.some((one) => isUnsettled(one, now)) && (
        <LazyPart isQuiet>
          <ImportNotice />
        </LazyPart>
      )}
      {pinned.length > 0 && (
        <LazyPart>
          <PinnedViews views={pinned} />
        </LazyPart>
      )}
      <TeamStatsStrip />
      {hadImports && (
        <LazyPart isQuiet>
          <FirstImport />
        </LazyPart>
      )}
      <StuckTable />
      {!stuck.isPending && (
        // Where they stand depends on how many are stuck; drawn before that they would jump.
        <LazyPart>
          <PeopleTables />
        </LazyPart>
      )}
    </Page>
  );
}
