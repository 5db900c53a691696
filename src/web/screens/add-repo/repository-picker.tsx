import { Button, TextInput } from '@mantine/core';
import { ArchiveIcon, CheckIcon, LockIcon, RepoForkedIcon, RepoIcon, SearchIcon } from '@primer/octicons-react';
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { AvailableRepositories, AvailableRepository } from '#contract/connecting.ts';
import { counted } from '#domain/counted.ts';
import { Banner } from '../../kit/banner.tsx';
import { Panel } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { Key } from '../../kit/key.tsx';
import { Select } from '../../kit/select.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { formatCount } from '../../time/moment.ts';
import { When } from '../../time/when.tsx';
import classes from './choose.module.css';
import { type Chosen, isFree, MOST_AT_ONCE, withTicks } from './chosen.ts';
import { askEstimate, everyAvailable, type Wanted } from './questions.ts';

const ROW = { wide: 44, phone: 60 };

interface Props {
  readonly list: UseInfiniteQueryResult<InfiniteData<AvailableRepositories>>;
  readonly wanted: Wanted;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly onSort: (sort: Wanted['sort']) => void;
  /** Lists more kinds, or everybody's. */
  readonly onWiden: (change: Partial<Wanted>) => void;
  readonly chosen: Chosen;
  readonly onChoose: (change: (before: Chosen) => Chosen) => void;
  readonly isAdding: boolean;
  readonly onAdd: () => void;
}

/** The list to tick repositories in: only what is seen is drawn, and further pages come while one scrolls. */
export function RepositoryPicker(props: Props) {
  const { list, wanted, search, onSearch, onSort, chosen, onChoose } = props;
  const field = useRef<HTMLInputElement>(null);
  const isPhone = usePhone();
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  const connected = items.filter((item) => !isFree(item)).length;
  return (
    <div className={classes.picker}>
      <Panel label="Repositories">
        <div className={classes.pickerHead}>
          <h2 className={classes.heading}>
            {wanted.owner ?? 'All owners'}{' '}
            {list.data && (
              <span className={classes.quiet}>
                {formatCount(total)} shown{connected > 0 && `, ${formatCount(connected)} connected`}
              </span>
            )}
          </h2>
          <TextInput
            ref={field}
            className={classes.search ?? ''}
            type="search"
            aria-label="Search repositories"
            placeholder="Search repositories..."
            leftSection={<SearchIcon size={16} />}
            rightSection={<Key>/</Key>}
            value={search}
            onChange={({ currentTarget }) => onSearch(currentTarget.value)}
          />
          <Select
            aria-label="Sort"
            value={wanted.sort}
            onChange={({ currentTarget }) => onSort(currentTarget.value === 'name' ? 'name' : 'pushed')}
            data={[
              { value: 'pushed', label: 'Last pushed first' },
              { value: 'name', label: 'By name' },
            ]}
          />
        </div>
        {list.data === undefined && list.error !== null ? (
          <ErrorState title="Failed to list your repositories" error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <Late>
            <div className={classes.pending}>
              {['70%', '55%', '62%', '48%', '66%'].map((width) => (
                <Line key={width} width={width} />
              ))}
            </div>
          </Late>
        ) : total === 0 ? (
          <NoRepositories {...props} partial={list.data.pages[0]?.partial ?? []} />
        ) : (
          <List
            // Rows of another height are measured from the beginning.
            key={String(isPhone)}
            {...props}
            isPhone={isPhone}
            items={items}
            total={total}
            isOfBefore={list.isPlaceholderData}
            onSlash={() => field.current?.focus()}
            onMore={() => {
              if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage();
            }}
          />
        )}
        {list.isFetchNextPageError && (
          <Banner
            meaning="bad"
            aside={
              <Button variant="default" size="compact-sm" onClick={() => void list.refetch()}>
                Retry
              </Button>
            }
          >
            {`Failed to list your repositories\n${causeOf(list.error)}`}
          </Banner>
        )}
        <Foot chosen={chosen} onClear={() => onChoose(() => new Map())} isAdding={props.isAdding} onAdd={props.onAdd} />
      </Panel>
      <p className={classes.keys} aria-hidden="true">
        <Key>↑</Key>
        <Key>↓</Key> move <Key>Space</Key> ticks <Key>Shift</Key>
        <Key>Space</Key> ticks a range <Key>/</Key> searches
      </p>
    </div>
  );
}

/** Why the list is empty, and what shows more. */
function NoRepositories({
  wanted: { owner, archived, forks },
  search,
  onSearch,
  onWiden,
  partial,
}: Props & { readonly partial: AvailableRepositories['partial'] }) {
  if (search.trim() !== '')
    return (
      <EmptyState
        title={`No repository matches “${search.trim()}”`}
        next={
          <Button variant="default" onClick={() => onSearch('')}>
            Clear
          </Button>
        }
      />
    );
  const why = partial[0]?.message;
  const here = owner === null ? 'No repositories' : `No repositories of ${owner}`;
  const hidden = [...(archived ? [] : ['archived ones']), ...(forks ? [] : ['forks'])].join(' and ');
  if (hidden !== '')
    return (
      <EmptyState
        title={`${here} without ${hidden}`}
        why={why}
        next={
          <Button variant="default" onClick={() => onWiden({ archived: true, forks: true })}>
            {`Show ${hidden}`}
          </Button>
        }
      />
    );
  if (owner !== null)
    return (
      <EmptyState
        title={here}
        why={why}
        next={
          <Button variant="default" onClick={() => onWiden({ owner: null })}>
            All owners
          </Button>
        }
      />
    );
  return (
    <EmptyState
      title="Your account can read no repository there."
      why={why ?? 'It owns none, and no organisation lets it read one.'}
    />
  );
}

interface ListProps extends Props {
  readonly items: readonly AvailableRepository[];
  readonly total: number;
  /** What was found before is shown until the next answer is there. */
  readonly isOfBefore: boolean;
  readonly onSlash: () => void;
  readonly onMore: () => void;
  readonly isPhone: boolean;
}

function List({ items, total, isOfBefore, wanted, chosen, onChoose, onSlash, onMore, isPhone }: ListProps) {
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  /** Where a range of ticks begins. */
  const [anchor, setAnchor] = useState(0);
  const asked = JSON.stringify(wanted);
  const [shownFor, setShownFor] = useState(asked);
  if (shownFor !== asked && !isOfBefore) {
    setShownFor(asked);
    setCurrent(0);
    setAnchor(0);
  }
  const [isSelecting, setSelecting] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const row = isPhone ? ROW.phone : ROW.wide;
  const virtual = useVirtualizer({
    count: Math.max(items.length, Math.min(total, items.length + 3)),
    getScrollElement: () => scroll.current,
    estimateSize: () => row,
    overscan: 8,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 5 && items.length < total) onMore();
  }, [last, items.length, total, onMore]);

  const at = Math.min(current, Math.max(0, items.length - 1));
  const free = items.filter(isFree);
  const tickedHere = free.filter(({ full_name }) => chosen.has(full_name)).length;
  const allTicked = free.length > 0 && tickedHere === free.length && items.length >= total;

  const move = (to: number) => {
    const next = Math.max(0, Math.min(items.length - 1, to));
    setCurrent(next);
    virtual.scrollToIndex(next);
  };
  const tick = (index: number, range: boolean) => {
    const repository = items[index];
    if (repository === undefined) return;
    const ticked = !chosen.has(repository.full_name);
    const [from, to] = range ? [Math.min(anchor, index), Math.max(anchor, index)] : [index, index];
    onChoose((before) => withTicks(before, items.slice(from, to + 1), range || ticked));
    setAnchor(index);
    setCurrent(index);
  };
  const tickAll = async () => {
    setFailure(null);
    if (allTicked) return onChoose((before) => withTicks(before, items, false));
    setSelecting(true);
    try {
      const all = await everyAvailable(wanted);
      onChoose((before) => withTicks(before, all, true));
    } catch (error) {
      setFailure(error);
    } finally {
      setSelecting(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const step = steps[event.key];
    if (step !== undefined) move(at + step);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(items.length - 1);
    else if (event.key === ' ') tick(at, event.shiftKey);
    else if (event.key === '/') onSlash();
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) void tickAll();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className={classes.head}>
        <button
          type="button"
          className={classes.tickAll}
          aria-label={allTicked ? 'Take all ticks away' : 'Tick all shown'}
          onClick={() => void tickAll()}
        >
          <Tick state={allTicked ? 'on' : tickedHere > 0 ? 'some' : 'off'} />
        </button>
        <span role="status">
          {formatCount(chosen.size)} chosen{chosen.size >= MOST_AT_ONCE && `, the most at once`}
        </span>
        {!allTicked && (
          <Button variant="subtle" size="compact-sm" loading={isSelecting} onClick={() => void tickAll()}>
            {`Select all ${formatCount(total)} shown`}
          </Button>
        )}
        {failure !== null && <span role="alert">{causeOf(failure)}</span>}
        <span className={classes.headVisibility}>Visibility</span>
        <span className={classes.headCount}>Pull requests</span>
        <span className={classes.headPushed}>Pushed</span>
      </div>
      <div
        ref={scroll}
        className={classes.rows}
        role="listbox"
        aria-label="Repositories"
        data-outdated={isOfBefore || undefined}
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: virtual.getTotalSize() }} role="presentation">
          {shown.map(({ index, start }) => {
            const repository = items[index];
            const style = { height: row, transform: `translateY(${start}px)` };
            if (repository === undefined)
              return (
                <div key={index} className={classes.row} style={style} role="presentation">
                  <span />
                  <span />
                  <Line width="12rem" />
                </div>
              );
            const { full_name, connected } = repository;
            const isTicked = connected || chosen.has(full_name);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the list's, whose current option this is
              // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its current option
              <div
                key={full_name}
                id={`${id}-${index}`}
                className={`${classes.row} ${index === at ? classes.currentRow : ''} ${connected ? classes.fixed : ''}`}
                style={style}
                role="option"
                aria-selected={isTicked}
                aria-disabled={connected}
                aria-setsize={total}
                aria-posinset={index + 1}
                onClick={(event) => {
                  if (connected) setCurrent(index);
                  else tick(index, event.shiftKey);
                }}
              >
                <Tick state={isTicked ? 'on' : 'off'} isFixed={connected} />
                <Kind repository={repository} />
                <span className={classes.name}>
                  {wanted.owner === null && <span className={classes.quiet}>{repository.owner}/</span>}
                  {repository.name}
                  {connected && <span className={classes.quiet}> connected</span>}
                  {!connected && repository.imported_here && (
                    <Chip meaning="neutral" icon={CheckIcon}>
                      here already
                    </Chip>
                  )}
                </span>
                <span className={classes.visibility}>{repository.private ? 'Private' : 'Public'}</span>
                <span className={classes.count}>
                  {repository.pull_requests === null ? 'N/A' : formatCount(repository.pull_requests)}
                  <span className={classes.unit}> PRs</span>
                </span>
                <span className={classes.pushed}>
                  {repository.pushed_at === null ? 'never' : <When at={repository.pushed_at} as="ago" />}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

function Tick({ state, isFixed = false }: { readonly state: 'on' | 'off' | 'some'; readonly isFixed?: boolean }) {
  return (
    <span className={`${classes.tick} ${classes[state]} ${isFixed ? classes.fixedTick : ''}`} aria-hidden="true">
      {state === 'on' ? <CheckIcon size={12} /> : state === 'some' ? '–' : null}
    </span>
  );
}

function Kind({ repository }: { readonly repository: AvailableRepository }) {
  if (repository.archived) return <ArchiveIcon size={16} aria-label="archived" />;
  if (repository.fork) return <RepoForkedIcon size={16} aria-label="fork" />;
  return repository.private ? <LockIcon size={16} /> : <RepoIcon size={16} />;
}

interface FootProps {
  readonly chosen: Chosen;
  readonly onClear: () => void;
  readonly isAdding: boolean;
  readonly onAdd: () => void;
}

/** What it takes to import what is ticked, and the one button. */
function Foot({ chosen, onClear, isAdding, onAdd }: FootProps) {
  const estimate = useQuery(askEstimate([...chosen.values()]));
  const told = chosen.size === 0 ? undefined : estimate.data;
  const count = chosen.size;
  return (
    <div className={count === 0 ? classes.foot : `${classes.foot} ${classes.atHand}`}>
      <div role="status" className={classes.estimate}>
        {count === 0 ? (
          <span className={classes.quiet}>Choose repositories to see what it takes</span>
        ) : told === undefined ? (
          <span className={classes.quiet}>{estimate.error ? causeOf(estimate.error) : 'Asking what it takes …'}</span>
        ) : (
          <>
            <b>
              {told.repositories === 0
                ? 'Nothing has to be imported'
                : `About ${counted(told.pull_requests, 'pull request')}: ${counted(told.points, 'point')}${hoursWords(told.hours)}`}
            </b>
            <span className={classes.quiet}>
              {[
                ...(told.here_already > 0
                  ? [
                      `${formatCount(told.here_already)} ${told.here_already === 1 ? 'is' : 'are'} here already and ready at once.`,
                    ]
                  : []),
                ...(told.repositories > 0 ? ['The current month is there after some minutes.'] : []),
                ...(told.unreadable > 0 ? [`${formatCount(told.unreadable)} cannot be read.`] : []),
              ].join(' ')}
            </span>
          </>
        )}
      </div>
      <Button variant="subtle" disabled={count === 0} onClick={onClear}>
        Clear
      </Button>
      <Button disabled={count === 0} loading={isAdding} onClick={onAdd}>
        {count === 0 ? 'Add repositories' : `Add ${counted(count, 'repository', 'repositories')}`}
      </Button>
    </div>
  );
}

function hoursWords(hours: number | null): string {
  if (hours === null) return '';
  const minutes = Math.max(1, Math.ceil(hours * 60));
  if (hours < 1.5) return `, about ${counted(minutes, 'minute')}`;
  return `, about ${formatCount(Math.round(hours))} hours`;
}
