import { Button } from '@mantine/core';
import { DownloadIcon, RepoIcon, TriangleDownIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import { type Period, periods } from '#domain/period.ts';
import { part } from '../../api/part.ts';
import { TeamFilter } from '../../filters/team-filter.tsx';
import { MenuButton } from '../../kit/menu-button.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { Select } from '../../kit/select.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import classes from './contributor.module.css';
import { useExportOfPage } from './export-metrics.ts';
import type { RepositoryChoice } from './view.ts';

const ExportMenu = lazy(part(() => import('./export-menu.tsx')));

interface Props {
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
  readonly repositories: RepositoryChoice;
  readonly loading: boolean;
  readonly onRefresh: () => void;
}

/** Period, repository, team, export and refresh of a contributor's page. */
export function HeaderActions({ period, onPeriod, repositories, loading, onRefresh }: Props) {
  const { running } = useExportOfPage();
  const notNow = running || !repositories.settled;
  return (
    <>
      <SegmentedFilter
        label="Time period"
        options={periods.map((value) => ({ value, label: value }))}
        value={period}
        onChange={onPeriod}
      />
      <RepositorySelect {...repositories} />
      <TeamFilter />
      <MenuButton menu={ExportMenu}>
        {(button) => (
          <Button
            variant="default"
            leftSection={<DownloadIcon size={14} />}
            rightSection={<TriangleDownIcon size={14} />}
            {...button}
            {...(notNow && { 'aria-disabled': true, 'data-disabled': true, onClick: undefined })}
          >
            {running ? 'Exporting...' : 'Export'}
          </Button>
        )}
      </MenuButton>
      <Button
        variant="default"
        data-tip="Reload this person’s figures from Mergelight"
        disabled={loading || !repositories.settled}
        onClick={onRefresh}
      >
        Refresh
      </Button>
    </>
  );
}

function RepositorySelect({ all, chosen, error }: RepositoryChoice) {
  const [, choose] = useUrlFilter('repository');
  const options =
    all.length === 0
      ? [{ value: '', label: error === null ? 'Loading repositories...' : 'Failed to fetch repositories' }]
      : [
          { value: '', label: 'All repositories' },
          ...all.map(({ id, full_name }) => ({ value: String(id), label: full_name })),
        ];
  return (
    <Select
      className={classes.repository}
      aria-label="Repository"
      icon={<RepoIcon size={14} />}
      value={chosen === null ? '' : String(chosen.id)}
      onChange={(event) => choose(event.currentTarget.value || undefined)}
      data={options}
    />
  );
}
