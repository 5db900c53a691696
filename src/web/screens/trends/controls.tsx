import { Button } from '@mantine/core';
import { FilterIcon, PlusIcon, SlidersIcon } from '@primer/octicons-react';
import { lazy, useState } from 'react';
import type { TrendFigureDescription } from '#contract/trends.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { part } from '../../api/part.ts';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { rememberTeam } from '../../filters/remembered-team.ts';
import { TeamFilter } from '../../filters/team-filter.tsx';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { Select } from '../../kit/select.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { ButtonPopover } from './button-popover.tsx';
import classes from './controls.module.css';
import { FigureList } from './figure-list.tsx';
import { MoreFilters } from './more-filters.tsx';
import { PeriodChoice, PeriodFields } from './period-choice.tsx';
import { aggregateOf, authorships, buckets, hasPercentiles, splitsOfAll, type TrendsSearch } from './search.ts';
import { useTrendsSearch } from './use-trends-search.ts';
import { authorshipWords, bucketWords, populationOf, spanWords, splitWords } from './words.ts';

const FilterSheet = lazy(part(() => import('../../filters/filter-sheet.tsx')));

const OWN_FIGURE = 'time_to_first_review';
/** What narrows the pull requests that count. */
const filters = ['repository', 'team', 'team_as', 'authorship', 'size', 'labels', 'all_bases'] as const;

interface Props {
  /** Undefined until they are there. */
  readonly figures: readonly TrendFigureDescription[] | undefined;
}

/** What is shown, over which time, of which pull requests: two rows, and on a phone the figure and a sheet with all else. */
export function Controls(props: Props) {
  return usePhone() ? <PhoneControls {...props} /> : <WideControls {...props} />;
}

function WideControls({ figures }: Props) {
  const search = useTrendsSearch();
  const active = search.labels.length + Number(search.allBases);
  return (
    <div className={classes.controls} data-screen-only>
      <div className={classes.row}>
        {search.figures.length === 1 ? (
          <FigureChoice figures={figures} />
        ) : (
          <span className={classes.count}>{search.figures.length} figures</span>
        )}
        <ButtonPopover
          label="Figures"
          words={search.figures.length === 1 ? 'Add a figure' : 'Choose figures'}
          icon={search.figures.length === 1 ? <PlusIcon size={14} /> : <SlidersIcon size={14} />}
          isQuiet={search.figures.length === 1}
          width={320}
        >
          {() => <FigureList figures={figures ?? []} />}
        </ButtonPopover>
        <div className={classes.end}>
          <AggregateChoice />
          <BucketChoice />
          <PeriodChoice />
        </div>
      </div>
      <div className={classes.row}>
        <SplitChoice />
        <span className={classes.hairline} />
        <RepositoryFilter />
        <TeamFilter byRole />
        <AuthorshipChoice />
        <SizeChoice />
        <ButtonPopover
          label="More filters"
          words={active > 0 ? `More filters (${active})` : 'More filters'}
          icon={<FilterIcon size={14} />}
          isChosen={active > 0}
          isQuiet
          width={288}
        >
          {() => <MoreFilters />}
        </ButtonPopover>
        <span className={classes.population}>{populationOf(search)}</span>
      </div>
    </div>
  );
}

function PhoneControls({ figures }: Props) {
  const search = useTrendsSearch();
  const change = useChangeSearch();
  const [opened, setOpened] = useState(false);
  const clear = () => {
    rememberTeam(undefined);
    change(Object.fromEntries(filters.map((name) => [name, undefined])));
  };
  return (
    <div className={classes.phone} data-screen-only>
      <div className={classes.row}>
        {search.figures.length === 1 ? (
          <FigureChoice figures={figures} />
        ) : (
          <span className={classes.count}>{search.figures.length} figures</span>
        )}
        <Button
          variant="default"
          leftSection={<SlidersIcon size={16} />}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(true)}
        >
          Options
        </Button>
      </div>
      <p className={classes.caption}>{captionOf(search)}</p>
      {opened && (
        <LazyPart onFail={() => setOpened(false)}>
          <FilterSheet
            onClose={() => setOpened(false)}
            onClear={filtersIn(search) > 0 ? clear : null}
            words={{ title: 'Options', done: 'Show the chart' }}
          >
            <AggregateChoice />
            <BucketChoice />
            <SplitChoice />
            <RepositoryFilter />
            <TeamFilter byRole />
            <AuthorshipChoice />
            <SizeChoice />
            <MoreFilters />
            <PeriodFields onChosen={() => undefined} />
            <details>
              <summary>Add a figure</summary>
              <FigureList figures={figures ?? []} />
            </details>
          </FilterSheet>
        </LazyPart>
      )}
    </div>
  );
}

function filtersIn({ repository, team, authorship, size, labels, allBases }: TrendsSearch): number {
  return [repository, team, authorship, size, labels[0], allBases || undefined].filter((set) => set !== undefined)
    .length;
}

/** "p50 · week · 26 weeks · by repository · 2 filters". */
function captionOf(search: TrendsSearch): string {
  const aggregate = search.figures.length === 1 ? aggregateOf(search.figures[0]!, search) : 'value';
  const set = filtersIn(search);
  return [
    ...(aggregate === 'value' ? [] : [aggregate]),
    search.bucket,
    search.dates === null ? spanWords[search.weeks as keyof typeof spanWords].toLowerCase() : 'chosen days',
    ...(search.split === 'none' ? [] : [`by ${splitWords[search.split]}`]),
    ...(set === 0 ? [] : [set === 1 ? '1 filter' : `${set} filters`]),
  ].join(' · ');
}

function FigureChoice({ figures = [] }: Props) {
  const { figures: chosen } = useTrendsSearch();
  const change = useChangeSearch();
  const known = figures.length > 0 ? figures : [{ key: chosen[0]!, name: 'Figure' }];
  return (
    <Select
      aria-label="Figure"
      className={classes.figure}
      value={chosen[0]!}
      onChange={({ currentTarget: { value } }) =>
        change({ figure: value === OWN_FIGURE ? undefined : value, pinned: undefined })
      }
      data={known.map(({ key, name }) => ({ value: key, label: name }))}
    />
  );
}

function AggregateChoice() {
  const search = useTrendsSearch();
  const change = useChangeSearch();
  const measured = search.figures.find(hasPercentiles);
  const aggregate = measured === undefined ? 'value' : aggregateOf(measured, search);
  const own = measured === undefined ? 'value' : aggregateOf(measured, { aggregate: undefined });
  const isOwn = (value: string) => value === own || (value === 'mean' && own === 'value');
  return (
    <SegmentedFilter<string>
      label="What of the values"
      options={[
        { value: 'p50', label: 'p50' },
        { value: 'p75', label: 'p75' },
        { value: 'p90', label: 'p90' },
        { value: 'mean', label: 'Mean' },
      ]}
      value={aggregate === 'value' ? (measured === undefined ? '' : 'mean') : aggregate}
      onChange={(value) => change({ aggregate: isOwn(value) && search.figures.length === 1 ? undefined : value })}
      why={measured === undefined ? 'Only durations and sizes have a mean and percentiles.' : undefined}
    />
  );
}

function BucketChoice() {
  const { bucket, isTooLongForDays } = useTrendsSearch();
  const change = useChangeSearch();
  return (
    <SegmentedFilter<string>
      label="Points"
      options={buckets.map((value) => ({
        value,
        label: bucketWords[value],
        why: value === 'day' && isTooLongForDays ? 'A line has at most 400 points: choose a shorter time.' : undefined,
      }))}
      value={bucket}
      onChange={(value) => change({ bucket: value === 'week' ? undefined : value })}
    />
  );
}

function SplitChoice() {
  const { split, figures } = useTrendsSearch();
  const change = useChangeSearch();
  return (
    <Select
      aria-label="Split"
      className={`${classes.split} ${split === 'none' ? '' : classes.narrowed}`}
      value={split}
      onChange={({ currentTarget: { value } }) =>
        change({ split: value === 'none' ? undefined : value, pinned: undefined })
      }
      data={splitsOfAll(figures).map((value) => ({ value, label: `Split by ${splitWords[value]}` }))}
    />
  );
}

function AuthorshipChoice() {
  const { authorship } = useTrendsSearch();
  const [, choose] = useUrlFilter('authorship');
  return (
    <Select
      aria-label="Authorship"
      className={`${classes.field} ${authorship === undefined ? '' : classes.narrowed}`}
      value={authorship ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
      data={[
        { value: '', label: 'Anyone’s PRs' },
        ...authorships.map((value) => ({ value, label: authorshipWords[value] })),
      ]}
    />
  );
}

function SizeChoice() {
  const { size } = useTrendsSearch();
  const [, choose] = useUrlFilter('size');
  return (
    <Select
      aria-label="Size"
      className={`${classes.field} ${size === undefined ? '' : classes.narrowed}`}
      value={size ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
      data={[
        { value: '', label: 'Any size' },
        ...sizeBuckets.map((value) => ({
          value,
          label: `${value.replace('-', ' to ').replace('1000+', 'Over 1,000')} lines`,
        })),
      ]}
    />
  );
}
