import { Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { AlertIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AvailableRepositories } from '#contract/connecting.ts';
import { api } from '../../api/client.ts';
import { keyOf } from '../../api/query.ts';
import { Panel } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { useHostName } from '../../session/session.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './choose.module.css';
import { type Chosen, ticksByOwner } from './chosen.ts';
import { askFollowing, type Wanted } from './questions.ts';

interface Props {
  readonly first: AvailableRepositories | undefined;
  readonly wanted: Wanted;
  readonly chosen: Chosen;
  readonly onChange: (wanted: Wanted) => void;
}

/** Whose repositories are listed, which kinds, and what the list leaves out. */
export function Narrowing({ first, wanted, chosen, onChange }: Props) {
  const host = useHostName();
  const ticks = ticksByOwner(chosen);
  const all = first?.owners.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={classes.side}>
      <Panel label="Owners">
        <h2 className={classes.heading}>
          Owners {all !== undefined && <span className={classes.quiet}>{formatCount(all)}</span>}
        </h2>
        {first === undefined ? (
          <Late>
            <div className={classes.pending}>
              <Line width="60%" />
              <Line width="45%" />
            </div>
          </Late>
        ) : (
          <div className={classes.owners}>
            {[null, ...first.owners].map((owner) => {
              const login = owner?.login ?? null;
              const count = owner === null ? (all ?? 0) : owner.count;
              const ticked = login === null ? chosen.size : (ticks.get(login) ?? 0);
              return (
                <button
                  key={login ?? ''}
                  type="button"
                  className={`${classes.owner} ${wanted.owner === login ? classes.current : ''}`}
                  aria-pressed={wanted.owner === login}
                  onClick={() => onChange({ ...wanted, owner: login })}
                >
                  {owner?.avatar_url != null && <img src={owner.avatar_url} alt="" width={20} height={20} />}
                  <span className={classes.ownerName}>{login ?? 'All owners'}</span>
                  {ticked > 0 && <span className={classes.ticked}>{formatCount(ticked)} chosen</span>}
                  <span className={classes.quiet}>{formatCount(count)}</span>
                </button>
              );
            })}
          </div>
        )}
      </Panel>
      <Panel label="Kinds">
        <div className={classes.switches}>
          <Switch
            label="Archived"
            checked={wanted.archived}
            onChange={({ currentTarget }) => onChange({ ...wanted, archived: currentTarget.checked })}
          />
          <Switch
            label="Forks"
            checked={wanted.forks}
            onChange={({ currentTarget }) => onChange({ ...wanted, forks: currentTarget.checked })}
          />
          {wanted.owner !== null && <Follow owner={wanted.owner} />}
        </div>
      </Panel>
      {first?.partial.map(({ owner, message, url }) => (
        <Panel key={`${owner} ${message}`} label={owner ?? 'Left out'}>
          <div className={classes.partial}>
            <AlertIcon size={16} />
            <div>
              <p>{message}</p>
              {url !== null && <a href={url}>Authorise at {host}</a>}
            </div>
          </div>
        </Panel>
      ))}
    </div>
  );
}

/** Whether what others import of this owner is added for the person by itself. */
function Follow({ owner }: { readonly owner: string }) {
  const queries = useQueryClient();
  const following = useQuery(askFollowing());
  const isOther = (one: string) => one.toLowerCase() !== owner.toLowerCase();
  const isFollowed = !(following.data?.owners ?? []).every(isOther);
  const save = useMutation({
    mutationFn: async (follow: boolean) => {
      // The list is replaced: what another tab has made of it since this one asked has to stay.
      const others = (await api.getFollowing()).owners.filter(isOther);
      return api.saveFollowing({ body: { owners: follow ? [...others, owner] : others } });
    },
    onSettled: async () => {
      for (const name of ['getFollowing', 'listAvailableRepositories', 'listConnectedRepositories'] as const)
        await queries.invalidateQueries({ queryKey: keyOf(name) });
    },
  });
  return (
    <div className={classes.follow}>
      <Switch
        label={`Add what others import of ${owner}`}
        description="What is here, or comes here, is added for you by itself. What you removed stays removed."
        checked={isFollowed}
        disabled={following.data === undefined}
        aria-disabled={save.isPending}
        onChange={({ currentTarget }) => save.isPending || save.mutate(currentTarget.checked)}
      />
      {save.error && <p role="alert">{causeOf(save.error)}</p>}
    </div>
  );
}
