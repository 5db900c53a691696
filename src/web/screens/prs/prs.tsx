import { Button, Loader, TextInput } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { rememberTeam } from '../../filters/remembered-team.ts';
import { useTypedText } from '../../filters/typed-text.ts';
import { Card } from '../../kit/card.tsx';
import { Chip, CountChip } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { useIsPrinting, useScreen } from '../../kit/is-printing.ts';
import { Key } from '../../kit/key.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { useSingleKeysSwitch } from '../../kit/single-keys-switch.ts';
import { usePhone } from '../../kit/use-phone.ts';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { useHostName, useUser } from '../../session/session.tsx';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { PageTurner } from '../../table/page-turner.tsx';
import { formatCount, formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { onPage, type Sort } from '../../url/url-state.ts';
import { SEARCH_LIMIT } from './asked-page.ts';
import { columnsFor, PhoneRow } from './columns.tsx';
import { Filters } from './filters.tsx';
import { useListKeys } from './list-keys.ts';
import { type PageOfList, pageOf } from './paging.ts';
import classes from './prs.module.css';
import { askForList, newestFirst, sortOf } from './questions.ts';
import { countFilters, noFilters, type PullRequestsSearch } from './search.ts';

const route = getRouteApi('/signed-in/prs');

const SEARCH = 'search-pull-requests';

/** So many rows of a page are drawn on a phone before the others are asked for. */
const ON_PHONE = 25;

const states = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'merged', label: 'Merged' },
  { value: 'closed', label: 'Closed' },
] as const;

/** Every pull request of the connected repositories: filter, search, page, open (docs/product.md#all-pull-requests). */
export function PullRequestsScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const host = useHostName();
  const { state } = search;
  const typed = search.q ?? '';
  const list = useQuery(askForList(search));
  const change = (next: PullRequestsSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), ...onPage });
  const clear = () => {
    rememberTeam(undefined);
    change({ ...noFilters(), q: undefined });
  };
  const filtered = typed !== '' || countFilters(search) > 0;
  // There is a total of each state.
  const narrowed = typed !== '' || countFilters(search, 'state') > 0;
  const page = list.data && pageOf(list.data, typed, search.page ?? 1);
  const unsearched = list.data?.counts[state ?? 'all'] ?? 0;
  const searching = typed.trim() !== '';
  // Rows of another question, which stand in until the answer is there, don't tell how many match.
  const isCounted = !(list.isPlaceholderData && searching);
  const turn = (to: number) =>
    void navigate({ search: (before) => ({ ...before, page: to === 1 ? undefined : to }), state: onPage.state });
  // Every other page, filter or search is asked for again, one that stands in the cache and the next page of a search, too.
  const address = JSON.stringify(search);
  const asked = useRef(address);
  const refetch = list.refetch;
  useEffect(() => {
    if (asked.current === address) return;
    asked.current = address;
    void refetch({ cancelRefetch: false });
  }, [address, refetch]);
  // An address may name a page that is no longer there: the last one is shown instead.
  const lastPage = page !== undefined && !list.isPlaceholderData && (search.page ?? 1) > page.pages ? page.pages : null;
  useEffect(() => {
    if (lastPage === null) return;
    void navigate({ search: (before) => ({ ...before, page: lastPage === 1 ? undefined : lastPage }), ...onPage });
  }, [lastPage, navigate]);
  const box = useListKeys();
  const columns = columnsFor(host, typed, useScreen('(max-width: 61.99em)', false));
  // Beside seven columns titles have room from the kit's `lg` breakpoint on; the table itself leaves out no more than below `md`.
  const isWide = useScreen('(min-width: 75em)', true);
  const phone = usePhone();
  const isPrinting = useIsPrinting();
  const [unfolded, setUnfolded] = useState<string>();
  const beyondFirst = phone && !isPrinting ? (page?.rows.slice(ON_PHONE).length ?? 0) : 0;
  const isUnfolded = unfolded === address;

  const clearFilters = (
    <Button ref={passFocus(SEARCH)} variant="subtle" color="gray" onClick={clear}>
      Clear Filters
    </Button>
  );
  return (
    <Page title={headings.prs} subtitle="View and manage all pull requests across your repositories">
      <ImportNotice />
      <Card
        title="Pull Requests"
        caption={
          page && isCounted ? (
            <TotalChip
              found={list.data?.found?.[state ?? 'all'] ?? (narrowed ? list.data?.total : undefined)}
              total={list.data?.counts[state ?? 'all'] ?? 0}
            />
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
              options={states.map((option) => ({
                ...option,
                count: (list.data?.found ?? list.data?.counts)?.[option.value],
              }))}
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
              searching={searching}
              isCounted={isCounted}
              unsearched={unsearched}
              busy={list.isPlaceholderData}
              onTurn={turn}
            />
          )
        }
        outdated={list.isPlaceholderData}
        flush
      >
        <Filters
          search={search}
          onChange={change}
          sort={{ columns, sort: sortOf(search), onSort: (sort) => change({ sort: sortText(sort) }) }}
        />
        {(search.authorship ?? search.tool ?? search.credited_to) !== undefined && (
          <StillRead since={list.data?.attributed_since ?? null} />
        )}
        {searching && isCounted && list.data !== undefined && list.data.total > SEARCH_LIMIT && (
          <p className={classes.note} role="status">
            These are the first {formatCount(SEARCH_LIMIT)} of {formatCount(list.data.total)} matches. Type more of the
            title, or choose a state, to reach the others.
          </p>
        )}
        <DataTable
          label="Pull requests"
          columns={isWide ? columns : columns.filter(({ wideOnly }) => !wideOnly)}
          rowKey={(row) => row.github_id}
          rowHeight={54}
          expectedRows={14}
          answer={{
            data: beyondFirst > 0 && !isUnfolded ? page?.rows.slice(0, ON_PHONE) : page?.rows,
            error: list.error,
            refetch: () => list.refetch(),
            isPlaceholderData: list.isPlaceholderData,
          }}
          failure="Failed to fetch PRs"
          empty={
            filtered ? (
              <EmptyState title="No pull requests found matching your criteria" next={clearFilters} />
            ) : (
              <ConnectFirst title="No pull requests found matching your criteria">
                <EmptyState
                  title="No pull requests found matching your criteria"
                  why="Pull requests appear here with the first sync of a repository."
                />
              </ConnectFirst>
            )
          }
          sort={sortOf(search)}
          onSort={(sort) => change({ sort: sortText(sort) })}
          sortedByServer
          sortInSheet
          phoneRow={(row) => <PhoneRow row={row} host={host} typed={typed} />}
        />
        {beyondFirst > 0 && (
          <Button
            variant="default"
            className={classes.rest ?? ''}
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(isUnfolded ? undefined : address)}
          >
            {isUnfolded ? `Show the first ${ON_PHONE}` : `Show ${formatCount(beyondFirst)} more of this page`}
          </Button>
        )}
      </Card>
    </Page>
  );
}

/** Who wrote earlier pull requests is still being read after an upgrade: a list of some of them may miss others. */
function StillRead({ since }: { since: string | null }) {
  const now = useNow();
  const { time_zone } = useUser();
  if (since === null) return null;
  return (
    <p className={classes.note} role="status">
      Who wrote pull requests is known since {formatDay(Date.parse(since), now, time_zone)}; earlier ones are still
      being read, so there may be more.
    </p>
  );
}

/** '5,831 total', and with a search or a filter other than the state how many of them there are: '76 of 5,831 total'. */
function TotalChip({ found, total }: { found: number | undefined; total: number }) {
  if (found === undefined) return <CountChip count={total} word="total" />;
  return <Chip meaning="neutral">{`${formatCount(found)} of ${formatCount(total)} total`}</Chip>;
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

/**
 * Shows every keystroke at once and tells of it 300 ms after the last one. Escape clears it, a second one leaves it; the arrow down
 * goes to the first row.
 */
function SearchBox({ ref, value, onChange }: SearchBoxProps) {
  const { shown, type, set } = useTypedText(value, onChange);
  const [keysOn] = useSingleKeysSwitch();
  return (
    <TextInput
      ref={ref}
      id={SEARCH}
      type="search"
      className={classes.search ?? ''}
      aria-label="Search pull requests"
      placeholder="Search by title, author, or repository..."
      leftSection={<SearchIcon size={14} />}
      rightSection={keysOn && shown === '' && <Key>/</Key>}
      rightSectionPointerEvents="none"
      value={shown}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={(event) => {
        const { key, currentTarget } = event;
        if (key === 'ArrowDown') document.querySelector<HTMLElement>('[data-row-link]')?.focus();
        else if (key !== 'Escape') return;
        else if (shown === '') currentTarget.blur();
        else set('');
        event.preventDefault();
      }}
    />
  );
}

interface PagesProps {
  readonly page: PageOfList<unknown>;
  readonly searching: boolean;
  /** Whether it is known how many there are. */
  readonly isCounted: boolean;
  /** How many there are in this state whatever is searched for. */
  readonly unsearched: number;
  readonly busy: boolean;
  readonly onTurn: (page: number) => void;
}

/** 'Showing X to Y of Z results', or 'Showing X to Y of Z search results (filtered from T total)', and the way to other pages. */
function Pages({ page, searching, isCounted, unsearched, busy, onTurn }: PagesProps) {
  const results = searching
    ? `Showing ${formatCount(page.from)} to ${formatCount(page.to)} of ${formatCount(page.total)} search results (filtered from ${formatCount(unsearched)} total)`
    : `Showing ${formatCount(page.from)} to ${formatCount(page.to)} of ${formatCount(page.total)} results`;
  return (
    <>
      <span className={classes.counts} role="status">
        {isCounted && results}
      </span>
      <PageTurner page={page.page} pages={page.pages} busy={busy} onTurn={onTurn} />
    </>
  );
}
