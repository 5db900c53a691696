import { PeopleIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { teamNames } from '#domain/team-names.ts';
import { askTeams } from '../api/questions.ts';
import { Select } from '../kit/select.tsx';
import { useUrlFilter } from '../url/url-filter.ts';
import { onPage, type RawSearch, readPositive } from '../url/url-state.ts';
import { useNarrowing } from './choice-of-figures.ts';
import classes from './filter-box.module.css';
import { rememberTeam } from './remembered-team.ts';

/** The team or group of which a review is asked, kept in the address; nothing where there is no team. */
export function AskedFilter() {
  const [text, choose] = useUrlFilter('asked');
  const asked = readPositive(text);
  const offered = useOffered(asked);
  if (asked === undefined && offered.length === 0) return null;
  return (
    <Select
      className={`${classes.choice} ${asked === undefined ? '' : classes.chosen}`}
      aria-label="Asked for review"
      value={asked ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
      data={[
        { value: '', label: 'Asked of anyone' },
        ...offered.map(({ value, label }) => ({ value, label: `Asked of ${label}` })),
      ]}
    />
  );
}

interface Props {
  /** Of a page about pull requests: also those that members reviewed. */
  readonly byRole?: boolean;
}

/**
 * One of the teams and groups or all of them, kept in the address and remembered on this device (docs/product.md#teams); nothing where
 * there is none.
 */
export function TeamFilter({ byRole = false }: Props) {
  const { team, team_as } = useNarrowing();
  const offered = useOffered(team);
  const navigate = useNavigate();
  const choose = (next: { readonly team?: string | undefined; readonly team_as?: string | undefined }) =>
    void navigate({
      to: '.',
      search: (before: RawSearch): RawSearch => ({ ...before, page: undefined, ...next }),
      ...onPage,
    });
  if (team === undefined && offered.length === 0) return null;
  return (
    <>
      <Select
        className={`${classes.team} ${team === undefined ? '' : classes.narrowed}`}
        aria-label="Team"
        icon={<PeopleIcon size={14} />}
        value={team ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const chosen = value === '' ? undefined : value;
          rememberTeam(chosen);
          choose({ team: chosen, team_as: chosen === undefined ? undefined : team_as });
        }}
        data={[{ value: '', label: 'All teams' }, ...offered]}
      />
      {byRole && team !== undefined && (
        <Select
          className={`${classes.choice} ${team_as === undefined ? '' : classes.chosen}`}
          aria-label="Of the team"
          value={team_as ?? ''}
          onChange={({ currentTarget }) => choose({ team_as: currentTarget.value || undefined })}
          data={[
            { value: '', label: 'Written by' },
            { value: 'reviewer', label: 'Reviewed by' },
          ]}
        />
      )}
    </>
  );
}

/** The teams as a choice has them, without those that are archived unless one is chosen; a chosen one that is not there (any more) too. */
function useOffered(chosen: number | undefined): readonly { readonly value: string; readonly label: string }[] {
  const { data: teams = [], isSuccess } = useQuery(askTeams());
  const offered = teams.filter(({ id, archived_at }) => archived_at === null || id === chosen);
  const names = teamNames(offered);
  const isGone = isSuccess && chosen !== undefined && !offered.some(({ id }) => id === chosen);
  return [
    ...(isGone ? [{ value: String(chosen), label: 'This group is gone.' }] : []),
    ...offered.map(({ id }) => ({ value: String(id), label: names.get(id)! })),
  ];
}
