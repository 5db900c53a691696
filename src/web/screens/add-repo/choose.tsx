import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AvailableRepositories } from '#contract/connecting.ts';
import { keyOf } from '../../api/query.ts';
import { askJoinable } from '../../api/questions.ts';
import { Banner } from '../../kit/banner.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { addRepositories } from '../../sync/here-already.ts';
import { formatCount } from '../../time/moment.ts';
import { When } from '../../time/when.tsx';
import classes from './choose.module.css';
import { type Chosen, withoutSent } from './chosen.ts';
import { Imports } from './imports.tsx';
import { Narrowing } from './narrowing.tsx';
import { askAvailable, readAgain, type Wanted } from './questions.ts';
import { RepositoryPicker } from './repository-picker.tsx';

/** Chooses repositories from what the person's token can read at the host, and imports them together. */
export function Choose() {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<Wanted>({ q: '', owner: null, archived: false, forks: false, sort: 'pushed' });
  const [q] = useDebouncedValue(wanted.q, 200);
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const list = useInfiniteQuery(askAvailable({ ...wanted, q }));
  const first: AvailableRepositories | undefined = list.data?.pages[0];
  const refreshed = useMutation({
    mutationFn: readAgain,
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('listAvailableRepositories') }),
  });
  const changed = async () => {
    for (const name of ['listAvailableRepositories', 'listConnectedRepositories', 'listRepositories'] as const)
      await queries.invalidateQueries({ queryKey: keyOf(name) });
    await queries.invalidateQueries({ queryKey: keyOf('listJoinableRepositories') });
    await queries.invalidateQueries({ queryKey: keyOf('listImports') });
  };
  const add = useMutation({
    mutationFn: addRepositories,
    onSuccess: (_, sent) => setChosen((before) => withoutSent(before, sent)),
    onSettled: changed,
  });
  const refused = add.data?.results.filter(({ status }) => status === 'refused') ?? [];
  return (
    <div className={classes.screen}>
      <div className={classes.listed} data-tips>
        {first && (
          <span>
            Listed <When at={first.read_at} as="ago" />
          </span>
        )}
        <Button variant="subtle" size="compact-sm" loading={refreshed.isPending} onClick={() => refreshed.mutate()}>
          Refresh
        </Button>
        {refreshed.error && <span role="alert">{causeOf(refreshed.error)}</span>}
      </div>
      <Joinable isAdding={add.isPending} onAdd={(repositories) => add.mutate(repositories)} />
      <Imports began={add.data?.bulk_id ?? null} onEnd={() => void changed()} />
      {add.error && <Banner meaning="bad">{`Failed to add the repositories\n${causeOf(add.error)}`}</Banner>}
      {refused.length > 0 && (
        <Banner meaning="watch">
          {[
            `${formatCount(refused.length)} could not be added:`,
            ...refused.slice(0, 5).map(({ owner, name, reason }) => `${owner}/${name}: ${reason}`),
            ...(refused.length > 5 ? [`and ${formatCount(refused.length - 5)} more`] : []),
          ].join('\n')}
        </Banner>
      )}
      <div className={classes.columns}>
        <Narrowing first={first} wanted={wanted} chosen={chosen} onChange={setWanted} />
        <RepositoryPicker
          list={list}
          wanted={{ ...wanted, q }}
          search={wanted.q}
          onSearch={(text) => setWanted({ ...wanted, q: text })}
          onSort={(sort) => setWanted({ ...wanted, sort })}
          onWiden={(change) => setWanted({ ...wanted, ...change })}
          chosen={chosen}
          onChoose={setChosen}
          isAdding={add.isPending}
          onAdd={() => add.mutate([...chosen.values()])}
        />
      </div>
      <p className={classes.missing}>
        An organisation is missing? It may not have approved this app
        {first?.approval_url == null ? '.' : ': '}
        {first?.approval_url != null && <a href={first.approval_url}>{first.approval_url}</a>}
      </p>
    </div>
  );
}

interface JoinableProps {
  readonly isAdding: boolean;
  readonly onAdd: (repositories: readonly { readonly owner: string; readonly name: string }[]) => void;
}

/** What others have imported already; nothing where there is none. */
function Joinable({ isAdding, onAdd }: JoinableProps) {
  const joinable = useQuery(askJoinable());
  const here = joinable.data ?? [];
  if (here.length === 0) return null;
  const one = here.length === 1;
  return (
    <Banner
      meaning="note"
      aside={
        <Button variant="subtle" size="compact-sm" loading={isAdding} onClick={() => onAdd(here)}>
          {one ? 'Add it' : `Add all ${formatCount(here.length)}`}
        </Button>
      }
    >
      {one
        ? 'A repository that you can read is here already; it is ready at once, and nothing is imported twice.'
        : `${formatCount(here.length)} repositories that you can read are here already; they are ready at once, and nothing is imported twice.`}
    </Banner>
  );
}
