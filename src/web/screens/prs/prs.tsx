import { Button, Loader, TextInput } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Page } from '../../layout/page.tsx';
import { useSingleKeysSwitch } from '../../layout/single-keys-switch.ts';
import type { Sort } from '../../layout/url-state.ts';
import { Card } from '../../panels/card.tsx';
import { CountChip } from '../../panels/chip.tsx';
import { DataTable } from '../../panels/data-table.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { Key } from '../../panels/key.tsx';
import { formatCount } from '../../panels/moment.ts';
import { SegmentedFilter } from '../../panels/segmented-filter.tsx';
import { useHostName } from '../../session/session.tsx';
import { columnsFor, PhoneRow } from './columns.tsx';
import { Filters } from './filters.tsx';
import { useListKeys } from './list-keys.ts';
import { type PageOfList, pageOf } from './paging.ts';
import classes from './prs.module.css';
import { askForList, newestFirst, sortOf } from './question.ts';
import type { PullRequestsSearch } from './search.ts';

const route = getRouteApi('/signed-in/prs');

const states = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'merged', label: 'Merged' },
  { value: 'closed', label: 'Closed' },
] as const;

/** Every pull request of the connected repositories: filter, search, page, open (product specification, section 2). */
export function PullRequestsScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const host = useHostName();
  const { state, turn: whoseTurn, drafts, bots, agents } = search;
  const typed = search.q ?? '';
  const list = useQuery(askForList(search));
  const change = (next: PullRequestsSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true, resetScroll: false });
  const filters = [state, whoseTurn, drafts, bots, agents];
  const clear = () =>
    change({ state: undefined, q: undefined, turn: undefined, drafts: undefined, bots: undefined, agents: undefined });
  const filtered = typed !== '' || filters.some((filter) => filter !== undefined);
  const page = list.data && pageOf(list.data, typed, search.page ?? 1);
  const unsearched = list.data?.counts[state ?? 'all'] ?? 0;
  const turn = (to: number) => {
    void navigate({ search: (before) => ({ ...before, page: to === 1 ? undefined : to }) });
    // While searching the question stays the same from page to page; it is asked again all the same.
    if (typed.trim() !== '') void list.refetch();
  };
  // An address may name a page that is no longer there: the last one is shown instead.
  const lastPage = page !== undefined && !list.isPlaceholderData && (search.page ?? 1) > page.pages ? page.pages : null;
  useEffect(() => {
    if (lastPage === null) return;
    void navigate({ search: (before) => ({ ...before, page: lastPage === 1 ? undefined : lastPage }), replace: true });
  }, [lastPage, navigate]);
  const box = useListKeys();

  const clearFilters = (
    <Button variant="subtle" color="gray" onClick={clear}>
      Clear Filters
    </Button>
  );
  return (
    <Page title="Pull Request Management" subtitle="View and manage all pull requests across your repositories">
      <Card
        title="Pull Requests"
        caption={
          page ? (
            <CountChip count={unsearched} word="total" />
          ) : (
            list.error === null && <Loader size={14} aria-label="Loading" />
          )
        }
        controls={
          <>
            {filtered && clearFilters}
            <SearchBox ref={box} value={typed} onChange={(q) => change({ q })} />
            <SegmentedFilter
              label="State"
              options={states.map((option) => ({ ...option, count: list.data?.counts[option.value] }))}
              value={state ?? 'all'}
              onChange={(to) => change({ state: to === 'all' ? undefined : to })}
            />
          </>
        }
        foot={
          page &&
          page.total > 0 && (
            <Pages
              page={page}
              searching={typed.trim() !== ''}
              unsearched={unsearched}
              busy={list.isPlaceholderData || list.isFetching}
              onTurn={turn}
            />
          )
        }
        flush
      >
        <Filters search={search} onChange={change} />
        <DataTable
          label="Pull requests"
          columns={columnsFor(host)}
          rowKey={(row) => row.github_id}
          rowHeight={54}
          expectedRows={14}
          answer={{ data: page?.rows, error: list.error, refetch: () => list.refetch() }}
          failure="Failed to fetch PRs"
          empty={
            <EmptyState
              title="No pull requests found matching your criteria"
              why={filtered ? undefined : 'Pull requests appear here with the first sync of a repository.'}
              next={filtered ? clearFilters : undefined}
            />
          }
          sort={sortOf(search)}
          onSort={(sort) => change({ sort: sortText(sort) })}
          sortedByServer
          phoneRow={(row) => <PhoneRow row={row} host={host} />}
        />
      </Card>
    </Page>
  );
}

function sortText({ column, descending }: Sort): string | undefined {
  const untouched = column === newestFirst.column && descending;
  return untouched ? undefined : `${descending ? '-' : ''}${column}`;
}

interface SearchBoxProps {
  readonly ref: React.Ref<HTMLInputElement>;
  readonly value: string;
  readonly onChange: (typed: string) => void;
}

/** Shows every keystroke at once and tells of it 300 ms after the last one. */
function SearchBox({ ref, value, onChange }: SearchBoxProps) {
  const [shown, setShown] = useState(value);
  const [keysOn] = useSingleKeysSwitch();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(timer.current);
    setShown(value);
  }, [value]);
  return (
    <TextInput
      ref={ref}
      type="search"
      className={classes.search ?? ''}
      aria-label="Search pull requests"
      placeholder="Search by title, author, or repository..."
      leftSection={<SearchIcon size={14} />}
      rightSection={keysOn && shown === '' && <Key>/</Key>}
      rightSectionPointerEvents="none"
      value={shown}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setShown(typed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(typed), 300);
      }}
    />
  );
}

interface PagesProps {
  readonly page: PageOfList<unknown>;
  readonly searching: boolean;
  /** How many there are in this state whatever is searched for. */
  readonly unsearched: number;
  readonly busy: boolean;
  readonly onTurn: (page: number) => void;
}

/** 'Showing X to Y of Z results', or 'Showing X to Y of Z search results (filtered from T total)', and the way to other pages. */
function Pages({ page, searching, unsearched, busy, onTurn }: PagesProps) {
  const results = searching
    ? `Showing ${page.from} to ${page.to} of ${formatCount(page.total)} search results (filtered from ${formatCount(unsearched)} total)`
    : `Showing ${page.from} to ${page.to} of ${formatCount(page.total)} results`;
  return (
    <>
      <span className={classes.counts} role="status">
        {results}
      </span>
      <nav className={classes.pages} aria-label="Pages">
        <Button variant="default" disabled={busy || page.page === 1} onClick={() => onTurn(page.page - 1)}>
          Previous
        </Button>
        <span>{`Page ${formatCount(page.page)} of ${formatCount(page.pages)}`}</span>
        <Button variant="default" disabled={busy || page.page === page.pages} onClick={() => onTurn(page.page + 1)}>
          Next
        </Button>
      </nav>
    </>
  );
}
