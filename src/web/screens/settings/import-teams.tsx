import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AvailableOrganization } from '#contract/teams.ts';
import { counted } from '#domain/counted.ts';
import { api } from '../../api/client.ts';
import { Banner } from '../../kit/banner.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { Face } from '../../people/person.tsx';
import { useHostName } from '../../session/session.tsx';
import { MissingScope } from '../../teams/missing-scope.tsx';
import { askAvailableTeams } from '../../teams/questions.ts';
import { peopleWords } from '../../teams/words.ts';
import classes from './team-dialogs.module.css';
import { type Ticks, withTick } from './team-ticks.ts';

interface Props {
  readonly onClose: () => void;
  /** Teams have been imported. */
  readonly onChanged: () => Promise<void>;
}

/** Which teams of which organisation are imported: ticks in their tree, or all of them with those to come. */
export function ImportTeams({ onClose, onChanged }: Props) {
  const host = useHostName();
  const available = useQuery(askAvailableTeams());
  const organizations = available.data?.organisations ?? [];
  return (
    <Dialog title={`Import teams from ${host}`} onClose={onClose}>
      {available.data === undefined ? (
        available.error ? (
          <ErrorState title="Failed to fetch teams" error={available.error} onRetry={() => void available.refetch()} />
        ) : (
          <Late>
            <div className={classes.fields}>
              {['60%', '45%', '52%'].map((width) => (
                <Line key={width} width={width} />
              ))}
            </div>
          </Late>
        )
      ) : (
        <div className={classes.fields}>
          <MissingScope available={available.data} />
          {organizations.length === 0 && available.data.missing_scope === null && (
            <EmptyState
              title="No organisation to import from"
              why="Teams are those of organisations that you belong to and of which you have connected a repository."
            />
          )}
          {organizations.map((organization) => (
            <Organization key={organization.login} organization={organization} onChanged={onChanged} />
          ))}
        </div>
      )}
    </Dialog>
  );
}

function Organization({
  organization,
  onChanged,
}: Pick<Props, 'onChanged'> & { readonly organization: AvailableOrganization }) {
  const { login, name, avatar_url, teams, partial, standing } = organization;
  const imported = teams.filter(({ imported_id }) => imported_id !== null).map(({ slug }) => slug);
  const [ticks, setTicks] = useState<Ticks>(new Set());
  const [isAllChosen, setAll] = useState(false);
  const all = standing || isAllChosen;
  const add = useMutation({
    mutationFn: () =>
      api.importTeams({
        body: all
          ? { organisation: login, all: true as const }
          : { organisation: login, slugs: [...ticks], with_children: false },
      }),
    onSuccess: async () => {
      setTicks(new Set());
      await onChanged();
    },
  });
  const free = teams.filter(({ imported_id }) => imported_id === null);
  return (
    <fieldset className={classes.tree}>
      <legend className={classes.legend}>
        <Face name={login} avatarUrl={avatar_url} size={20} />
        <b dir="auto">{name ?? login}</b>
        <span className={classes.quiet}>{counted(teams.length, 'team')}</span>
      </legend>
      {partial && (
        <p className={classes.quiet}>The host told only a part of them: others may appear when it is asked again.</p>
      )}
      {teams.length === 0 && !partial && <p className={classes.quiet}>Your account sees no team there.</p>}
      <Branches
        organization={organization}
        parent={null}
        ticks={all ? new Set(teams.map(({ slug }) => slug)) : ticks}
        fixed={new Set(all ? teams.map(({ slug }) => slug) : imported)}
        onTick={(slug, on) => setTicks(withTick(ticks, organization.teams, slug, on))}
      />
      {teams.length > 0 && (
        <Checkbox
          label="All of them, and those that appear later"
          description={standing ? 'So it is now. Taking back the import of one of them ends it.' : undefined}
          checked={all}
          disabled={standing}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
      )}
      {add.error && <Banner meaning="bad">{`The teams could not be imported. ${causeOf(add.error)}`}</Banner>}
      {add.data && (
        <p role="status">{`${counted(add.data.imported, 'team')} with ${peopleWords(add.data.people)} are here. Their past is counted for them, too: who was in them before is not known to the host.`}</p>
      )}
      {teams.length > 0 && (
        <div className={classes.answer}>
          <Button
            disabled={all ? standing && free.length === 0 : ticks.size === 0}
            loading={add.isPending}
            aria-label={`Import teams of ${login}`}
            onClick={() => add.mutate()}
          >
            {all ? 'Import all' : ticks.size === 0 ? 'Import' : `Import ${counted(ticks.size, 'team')}`}
          </Button>
          {free.length === 0 && <span className={classes.quiet}>All of them are imported.</span>}
        </div>
      )}
    </fieldset>
  );
}

interface BranchesProps {
  readonly organization: AvailableOrganization;
  readonly parent: string | null;
  readonly ticks: Ticks;
  /** They are imported, and their ticks stay. */
  readonly fixed: Ticks;
  readonly onTick: (slug: string, on: boolean) => void;
}

/** Teams below one, or those below none: also those whose parent one does not see. */
function Branches({ organization, parent, ...of }: BranchesProps) {
  const known = new Set(organization.teams.map(({ slug }) => slug));
  const children = organization.teams.filter(({ parent_slug }) =>
    parent === null ? parent_slug === null || !known.has(parent_slug) : parent_slug === parent,
  );
  if (children.length === 0) return null;
  return (
    <ul className={classes.branches}>
      {children.map(({ slug, name, privacy, members, imported_id }) => (
        <li key={slug}>
          <Checkbox
            label={
              <>
                <span dir="auto">{name}</span>{' '}
                <span className={classes.quiet}>
                  {[
                    peopleWords(members),
                    ...(privacy === 'secret' ? ['secret'] : []),
                    ...(imported_id === null ? [] : ['imported']),
                  ].join(', ')}
                </span>
              </>
            }
            checked={of.ticks.has(slug) || of.fixed.has(slug)}
            disabled={of.fixed.has(slug)}
            onChange={({ currentTarget }) => of.onTick(slug, currentTarget.checked)}
          />
          <Branches organization={organization} parent={slug} {...of} />
        </li>
      ))}
    </ul>
  );
}
