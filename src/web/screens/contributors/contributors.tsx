import { ActionIcon, Button, TextInput } from '@mantine/core';
import { ArrowLeftIcon, GearIcon, SearchIcon, SyncIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { matchesSearch } from '#domain/search.ts';
import { ask } from '../../api/query.ts';
import { Page } from '../../layout/page.tsx';
import { useUrlFilter } from '../../layout/url-filter.ts';
import { AccountsFoot, isPerson, useAllAccounts } from '../../panels/accounts-foot.tsx';
import { Panel } from '../../panels/card.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { ErrorState } from '../../panels/error-state.tsx';
import { formatCount } from '../../panels/moment.ts';
import { CardGrid, CardGridSkeleton } from './card-grid.tsx';
import classes from './contributors.module.css';
import { listFailure } from './list-failure.ts';

/** Everyone who authored or reviewed, as cards that open their page (product specification, section 2, "Contributors"). */
export function ContributorsScreen() {
  // Bots and agents come along always, so that their number can be said; no figure of a person changes by it.
  const contributors = useQuery(ask('listContributors', { query: { accounts: 'all' } }));
  const [all] = useAllAccounts();
  const [typed = '', setTyped] = useUrlFilter('q');
  const wanted = useDeferredValue(typed);
  const people = contributors.data?.filter(isPerson);
  const everyone = all ? contributors.data : people;
  const shown = everyone?.filter(({ username }) => matchesSearch([username], wanted));
  const filtered = typed.trim() !== '';
  const clear = () => setTyped(undefined);

  return (
    <Page
      title="Contributors"
      subtitle={
        <Link to="/dashboard" className={classes.back}>
          <ArrowLeftIcon size={14} />
          Back to Dashboard
        </Link>
      }
      actions={
        <>
          <ActionIcon
            size={32}
            variant="default"
            aria-label="Refresh contributors"
            data-tip="Refresh contributors"
            disabled={contributors.isFetching}
            onClick={() => void contributors.refetch()}
          >
            <SyncIcon size={16} />
          </ActionIcon>
          <ActionIcon
            size={32}
            variant="default"
            aria-label="Settings"
            data-tip="Settings"
            renderRoot={(props) => <Link to="/settings" {...props} />}
          >
            <GearIcon size={16} />
          </ActionIcon>
        </>
      }
    >
      <div className={classes.bar}>
        <TextInput
          type="search"
          className={classes.search ?? ''}
          aria-label="Filter contributors by username"
          placeholder="Filter by username..."
          leftSection={<SearchIcon size={14} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value || undefined)}
        />
        {filtered && (
          <Button variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        )}
        {shown && everyone && everyone.length > 0 && (
          <span className={classes.count} role="status">
            {`Showing ${formatCount(shown.length)} of ${formatCount(everyone.length)} contributors`}
          </span>
        )}
      </div>
      {shown === undefined ? (
        contributors.error ? (
          <Panel label="Contributors">
            <ErrorState
              title="Error Loading Contributors"
              error={listFailure(contributors.error)}
              onRetry={() => void contributors.refetch()}
              retryLabel="Try Again"
            />
          </Panel>
        ) : (
          <CardGridSkeleton />
        )
      ) : shown.length === 0 ? (
        <Panel label="Contributors">
          {filtered ? (
            <EmptyState
              title="No contributors found"
              why={`No username contains "${typed.trim()}".`}
              next={
                <Button variant="default" onClick={clear}>
                  Clear
                </Button>
              }
            />
          ) : (
            <EmptyState
              title="No contributors available"
              why="Whoever opens or reviews a pull request appears here with the first sync of a repository."
              next={<Link to="/add-repo">Add repository</Link>}
            />
          )}
        </Panel>
      ) : (
        <CardGrid contributors={shown} />
      )}
      {contributors.data && contributors.data.length > 0 && (
        <p className={classes.accounts}>
          <AccountsFoot others={contributors.data.length - (people?.length ?? 0)} />
        </p>
      )}
    </Page>
  );
}
