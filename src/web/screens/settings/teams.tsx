import { ActionIcon, Button } from '@mantine/core';
import { DownloadIcon, PlusIcon, SyncIcon, TrashIcon } from '@primer/octicons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Team } from '#contract/teams.ts';
import { api } from '../../api/client.ts';
import { unlessGone } from '../../api/query.ts';
import { askTeams } from '../../api/questions.ts';
import { Card } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { LossDialog } from '../../kit/loss-dialog.tsx';
import { useHostName } from '../../session/session.tsx';
import { ReadWhen } from '../../teams/read-when.tsx';
import { TeamMark } from '../../teams/team-mark.tsx';
import { useTeamsChanged } from '../../teams/use-teams-changed.ts';
import { handleWords, peopleWords } from '../../teams/words.ts';
import { formatCount } from '../../time/moment.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { readPositive } from '../../url/url-state.ts';
import { GroupDialog } from './group-dialog.tsx';
import { ImportTeams } from './import-teams.tsx';
import classes from './settings.module.css';
import { Unlisted } from './unlisted.tsx';

const HEAD = 'teams';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Teams
  </span>
);

/** Teams that are imported and groups, and the ways to more of both (docs/product.md#settings). */
export function Teams() {
  const host = useHostName();
  const teams = useQuery(askTeams());
  const [importing, setImporting] = useUrlFilter('import');
  const [group, setGroup] = useUrlFilter('group');
  const changedTeams = useTeamsChanged();
  const all = teams.data;
  const changed = all?.find(({ id, mine, source }) => id === readPositive(group) && source === 'own' && mine);
  return (
    <Card
      title={head}
      caption={all && all.length > 0 && formatCount(all.length)}
      controls={
        <div className={classes.acts}>
          <Button variant="default" leftSection={<DownloadIcon size={14} />} onClick={() => setImporting('true')}>
            Import from {host}
          </Button>
          <Button variant="default" leftSection={<PlusIcon size={14} />} onClick={() => setGroup('new')}>
            New group
          </Button>
        </div>
      }
      flush
    >
      {all === undefined ? (
        <Unlisted title="Failed to fetch teams" query={teams} />
      ) : all.length === 0 ? (
        <p className={classes.none}>{`No teams yet. Import them from ${host}, or make a group.`}</p>
      ) : (
        <ul aria-label="Teams">
          {all.map((team) => (
            <TeamLine key={team.id} team={team} onChange={() => setGroup(String(team.id))} />
          ))}
        </ul>
      )}
      {importing !== undefined && <ImportTeams onClose={() => setImporting(undefined)} onChanged={changedTeams} />}
      {group === 'new' && (
        <GroupDialog group={null} teams={all ?? []} onClose={() => setGroup(undefined)} onChanged={changedTeams} />
      )}
      {changed !== undefined && (
        <GroupDialog group={changed} teams={all ?? []} onClose={() => setGroup(undefined)} onChanged={changedTeams} />
      )}
    </Card>
  );
}

interface LineProps {
  readonly team: Team;
  readonly onChange: () => void;
}

function TeamLine({ team, onChange }: LineProps) {
  const { id, source, name, members_now, visibility, archived_at, mine } = team;
  const [asking, setAsking] = useState(false);
  const changed = useTeamsChanged();
  const refresh = useMutation({ mutationFn: () => api.refreshTeam({ params: { id } }), onSuccess: changed });
  const isOfHost = source === 'host';
  return (
    <li data-tips>
      <div className={classes.repository}>
        <span className={classes.icon}>
          <TeamMark of={source} />
        </span>
        <div className={classes.what}>
          <div className={classes.name}>
            <Link to="/team/$id" params={{ id: String(id) }}>
              <b dir="auto">{name}</b>
            </Link>
          </div>
          <div className={classes.facts}>
            <span>{handleWords(team)}</span>
            <span>{peopleWords(members_now)}</span>
            {visibility === 'secret' && <span>secret</span>}
            {archived_at !== null ? <span>archived</span> : isOfHost && <ReadWhen team={team} />}
          </div>
        </div>
        <div className={classes.acts}>
          {isOfHost && archived_at === null && (
            <ActionIcon
              variant="default"
              size={32}
              aria-label={`Read ${name} again`}
              data-tip="Read again"
              loading={refresh.isPending}
              onClick={() => refresh.mutate()}
            >
              <SyncIcon size={14} />
            </ActionIcon>
          )}
          {!isOfHost && mine && (
            <Button variant="default" aria-label={`Change ${name}`} onClick={onChange}>
              Change
            </Button>
          )}
          {(isOfHost || mine) && (
            <ActionIcon
              className={classes.removeQuietly ?? ''}
              variant="default"
              size={32}
              aria-label={isOfHost ? `Take back the import of ${name}` : `Delete ${name}`}
              data-tip={isOfHost ? 'Take back the import' : 'Delete'}
              onClick={() => setAsking(true)}
            >
              <TrashIcon size={14} />
            </ActionIcon>
          )}
        </div>
      </div>
      {refresh.error && (
        <p className={classes.failed} role="alert">{`The team could not be read again. ${causeOf(refresh.error)}`}</p>
      )}
      {asking && <RemoveTeam team={team} onClose={() => setAsking(false)} />}
    </li>
  );
}

function RemoveTeam({
  team: { id, source, name, visibility },
  onClose,
}: {
  readonly team: Team;
  readonly onClose: () => void;
}) {
  const changed = useTeamsChanged();
  const remove = useMutation({
    mutationFn: () => api.deleteTeam({ params: { id } }).catch(unlessGone),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  const isOfHost = source === 'host';
  return (
    <LossDialog
      title={isOfHost ? 'Take back the import' : 'Delete group'}
      action={isOfHost ? 'Take back' : 'Delete group'}
      failure={isOfHost ? 'The import could not be taken back.' : 'The group could not be deleted.'}
      loss={remove}
      onClose={onClose}
      otherwise={HEAD}
    >
      <p>
        <b dir="auto">{name}</b>
      </p>
      <p className={classes.why}>
        {isOfHost
          ? 'You import it no longer. Once nobody does, it goes with what is known of who was in it when; imported again, the past of those who are in it then is assumed.'
          : `It goes with the times of its members${visibility === 'everyone' ? ', for you and for everyone' : ''}. Kept views of it say that the group is gone. No figure of anybody else changes.`}
      </p>
    </LossDialog>
  );
}
