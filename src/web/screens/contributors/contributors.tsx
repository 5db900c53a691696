import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { ArrowLeftIcon, GearIcon, SearchIcon, SyncIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import type { Contributor } from '#contract/contributors.ts';
import { matchesSearch } from '#domain/search.ts';
import { rowsOf } from '../../api/query.ts';
import { askEveryAccount } from '../../api/questions.ts';
import { useMembers } from '../../filters/choice-of-figures.ts';
import { useCredit } from '../../filters/credit.ts';
import { CreditChoice } from '../../filters/credit-choice.tsx';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetFilters } from '../../filters/set-filters.ts';
import { TeamFilter } from '../../filters/team-filter.tsx';
import { useTypedText } from '../../filters/typed-text.ts';
import { Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { passFocusOut } from '../../kit/focus-soon.ts';
import { usePhone } from '../../kit/use-phone.ts';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { AccountsFoot, isPerson, useAllAccounts } from '../../people/accounts-foot.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { inOrder } from '../../table/sort-rows.ts';
import { formatCount } from '../../time/moment.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { type Sort, useUrlSort } from '../../url/url-state.ts';
import { CardGrid, CardGridSkeleton } from './card-grid.tsx';
import { completeContributor } from './complete-contributor.ts';
import classes from './contributors.module.css';
import { listFailure } from './list-failure.ts';

/** What the cards can be sorted by, each in the direction that is asked for. */
const orders = [
  { id: 'active', title: 'Latest activity', descending: true, value: (of: Contributor) => of.last_activity },
  {
    id: 'name',
    title: 'Name',
    descending: false,
    value: (of: Contributor) => (of.display_name ?? of.username).toLowerCase(),
  },
  { id: 'opened', title: 'Most opened', descending: true, value: (of: Contributor) => of.total_prs_opened },
  { id: 'merged', title: 'Most merged', descending: true, value: (of: Contributor) => of.total_prs_merged },
  { id: 'open', title: 'Most open now', descending: true, value: (of: Contributor) => of.current_open_prs },
] as const;

const latestFirst: Sort = { column: 'active', descending: true };
const SEARCH = 'search-contributors';
/** So many cards are shown at first on a phone. */
const ON_PHONE = 12;

/** Everyone who authored or reviewed, as cards that open their page (docs/product.md#contributors). */
export function ContributorsScreen() {
  const members = useMembers();
  const credit = useCredit();
  const of = { ...members, ...credit };
  const contributors = useQuery(askEveryAccount(of));
  const [all] = useAllAccounts();
  const [typed = '', setTyped] = useUrlFilter('q');
  const { shown: inField, set } = useTypedText(typed, (text) => setTyped(text || undefined));
  const wanted = useDeferredValue(typed);
  const listed = contributors.data?.map(completeContributor);
  const people = listed?.filter(isPerson);
  const everyone = all ? listed : people;
  const [sort, onSort] = useUrlSort('sort', latestFirst, orders);
  const shown = rowsOf(
    contributors,
    everyone?.filter(({ username, display_name }) => matchesSearch([username, display_name], wanted)),
  );
  const filtered = typed.trim() !== '';
  const phone = usePhone();
  const faded = { 'data-outdated': contributors.isPlaceholderData || undefined };
  const [unfolded, setUnfolded] = useState(false);
  const isLong = phone && (shown?.length ?? 0) > ON_PHONE;
  const clear = () => setTyped(undefined);
  // On a phone the field is in the sheet of the filters.
  const pass = phone ? passFocusOut : passFocus(SEARCH);
  const [active, clearAll] = useSetFilters(['q', 'repository', 'team']);

  return (
    <Page
      title={headings.contributors}
      subtitle={
        <Link to="/dashboard" className={classes.back} data-screen-only>
          <ArrowLeftIcon size={14} />
          Back to Dashboard
        </Link>
      }
      actions={
        <>
          {!phone && (
            <>
              <RepositoryFilter />
              <TeamFilter />
            </>
          )}
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
      <ImportNotice />
      <div className={classes.bar}>
        <Filters active={active} onClear={clearAll}>
          {phone && (
            <>
              <RepositoryFilter />
              <TeamFilter />
            </>
          )}
          <TextInput
            id={SEARCH}
            type="search"
            className={classes.search ?? ''}
            aria-label="Filter contributors by name or username"
            placeholder="Filter by name or username..."
            leftSection={<SearchIcon size={14} />}
            value={inField}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
          <NativeSelect
            className={classes.sort ?? ''}
            aria-label="Sort by"
            value={sort.column}
            onChange={({ currentTarget }) => {
              const order = orders.find(({ id }) => id === currentTarget.value) ?? orders[0];
              onSort({ column: order.id, descending: order.descending });
            }}
            data={orders.map(({ id, title }) => ({ value: id, label: title }))}
          />
        </Filters>
        {filtered && (
          <Button ref={pass} variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        )}
        <CreditChoice />
        {shown && everyone && everyone.length > 0 && (
          <span className={classes.count} role="status" {...faded}>
            {`Showing ${formatCount(shown.length)} of ${formatCount(everyone.length)} contributors`}
          </span>
        )}
      </div>
      <OldAnswerNote title="Failed to fetch contributors" answer={contributors} />
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
          {!filtered && listed && listed.length > 0 ? (
            <EmptyState
              title="No contributors found"
              why="Only bots and agents opened or reviewed pull requests here."
            />
          ) : !filtered && Object.keys(members).length > 0 ? (
            <EmptyState
              title="No contributors found"
              why={
                of.team === undefined
                  ? 'Nobody opened or reviewed a pull request in this repository.'
                  : 'Nobody opened or reviewed a pull request as a member of this team.'
              }
              next={
                <Button ref={pass} variant="default" onClick={clearAll}>
                  Clear
                </Button>
              }
            />
          ) : filtered ? (
            <EmptyState
              title="No contributors found"
              why={`No username or name contains "${typed.trim()}".`}
              next={
                <Button ref={pass} variant="default" onClick={clear}>
                  Clear
                </Button>
              }
            />
          ) : (
            <EmptyState
              title="No contributors available"
              why="Whoever opens or reviews a pull request appears here with the first sync of a repository."
              next={<Link to="/add-repo">Connect a repository</Link>}
            />
          )}
        </Panel>
      ) : (
        <div {...faded}>
          <CardGrid
            contributors={inOrder(shown, orders, sort).slice(0, isLong && !unfolded ? ON_PHONE : undefined)}
            of={of}
          />
        </div>
      )}
      {isLong && shown && (
        <Button variant="default" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? `Show the first ${ON_PHONE}` : `Show all ${formatCount(shown.length)}`}
        </Button>
      )}
      {contributors.data && contributors.data.length > 0 && (
        <p className={classes.accounts} {...faded}>
          <AccountsFoot others={contributors.data.length - (people?.length ?? 0)} />
        </p>
      )}
    </Page>
  );
}
