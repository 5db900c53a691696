import { Button } from '@mantine/core';
import { AlertIcon, RepoIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import type { WantedProperties } from '#domain/pull-request-properties.ts';
import { askRepositories } from '../api/questions.ts';
import { causeOf } from '../kit/error-state.tsx';
import { Select } from '../kit/select.tsx';
import { useUrlFilter } from '../url/url-filter.ts';
import { PropertyFilter } from './choice.tsx';
import classes from './filter-box.module.css';
import { usePropertyFilter, useRepositoryFilter } from './filters.ts';

/** One of the connected repositories or all of them, kept in the address. */
export function RepositoryFilter() {
  const chosen = useRepositoryFilter();
  const [, choose] = useUrlFilter('repository');
  const repositories = useQuery(askRepositories());
  if (repositories.data === undefined && repositories.error !== null) {
    return (
      <span className={classes.failed} role="alert" data-tip={causeOf(repositories.error)}>
        <AlertIcon size={14} />
        Failed to fetch repositories
        <Button variant="subtle" size="compact-sm" onClick={() => void repositories.refetch()}>
          Retry
        </Button>
      </span>
    );
  }
  const isGone = chosen !== undefined && repositories.data?.every(({ id }) => id !== chosen);
  return (
    <Select
      className={`${classes.repository} ${chosen === undefined ? '' : classes.narrowed}`}
      aria-label="Repository"
      icon={<RepoIcon size={14} />}
      value={chosen ?? ''}
      onChange={(event) => choose(event.currentTarget.value || undefined)}
      data={[
        { value: '', label: 'All repositories' },
        ...(isGone ? [{ value: String(chosen), label: 'This repository is gone.' }] : []),
        ...repositoryWords(repositories.data ?? []).map(([id, words]) => ({ value: String(id), label: words })),
      ]}
    />
  );
}

interface Named {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
}

/** What each repository is called where there is little room: its name, and with its owner where two are called alike. */
function repositoryWords(repositories: readonly Named[]): readonly (readonly [id: number, words: string])[] {
  return repositories.map(({ id, name, full_name }) => {
    const alone = repositories.filter((other) => other.name === name).length === 1;
    return [id, alone ? name : full_name];
  });
}

/** One property's choice, kept in the address. */
export function UrlPropertyFilter({ name }: { name: keyof WantedProperties }) {
  const [choice, setChoice] = usePropertyFilter(name);
  return <PropertyFilter name={name} value={choice} onChange={setChoice} />;
}
