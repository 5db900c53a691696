import { knownTools, toolName } from '#domain/known-tools.ts';
import { waitingOnLabel } from '#domain/whose-turn.ts';
import { Choice, PropertyFilter } from '../../filters/choice.tsx';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters as FilterButton } from '../../filters/filter-button.tsx';
import { rememberTeam } from '../../filters/remembered-team.ts';
import { AskedFilter, TeamFilter } from '../../filters/team-filter.tsx';
import type { Sorting } from '../../kit/sort-bar.tsx';
import { turns } from '../../pull-requests/turns.ts';
import { useUser } from '../../session/session.tsx';
import classes from './prs.module.css';
import { authorships, countFilters, noFilters, type PullRequestsSearch } from './search.ts';

const authorshipWords: Readonly<Record<(typeof authorships)[number], string>> = {
  human: 'By a person alone',
  assisted: 'With an agent',
  agent: 'By an agent',
  bot: 'By a bot',
};

interface Props {
  readonly search: PullRequestsSearch;
  readonly onChange: (next: PullRequestsSearch) => void;
  readonly sort: Sorting;
}

/**
 * What the list shows beside state and search: whom a pull request waits for, drafts, bots and agents with, without or alone, who or what
 * wrote it, who started it, of which repository and team it is, and which team is asked for a review.
 */
export function Filters({ search, onChange, sort }: Props) {
  const { github_username } = useUser();
  const clear = () => {
    rememberTeam(undefined);
    onChange(noFilters('state'));
  };
  return (
    <div className={classes.filters}>
      <FilterButton active={countFilters(search, 'state')} onClear={clear} sort={sort}>
        <Choice
          label="Whose turn"
          value={search.turn}
          options={turns}
          word={(turn) => waitingOnLabel(turn)}
          neutral="Anyone’s turn"
          onChange={(turn) => onChange({ turn })}
        />
        {(['drafts', 'bots', 'agents'] as const).map((name) => (
          <PropertyFilter
            key={name}
            name={name}
            value={search[name]}
            onChange={(wanted) => onChange({ [name]: wanted })}
          />
        ))}
        <Choice
          label="Written by"
          value={search.authorship}
          options={authorships}
          word={(wanted) => authorshipWords[wanted]}
          neutral="Written by anyone"
          onChange={(authorship) => onChange({ authorship })}
        />
        <Choice
          label="Tool"
          value={search.tool}
          options={withChosen(knownTools, search.tool)}
          word={toolName}
          neutral="Any tool"
          onChange={(tool) => onChange({ tool })}
        />
        <Choice
          label="Started by"
          value={search.credited_to}
          options={withChosen([github_username, 'none'], search.credited_to)}
          word={(login) =>
            login === github_username
              ? 'Started by me'
              : login === 'none'
                ? 'Started by nobody known'
                : `Started by ${login}`
          }
          neutral="Started by anyone"
          onChange={(credited_to) => onChange({ credited_to })}
        />
        <RepositoryFilter />
        <TeamFilter byRole />
        <AskedFilter />
      </FilterButton>
    </div>
  );
}

/** The options, and what an address names beside them. */
function withChosen(options: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || options.includes(chosen) ? options : [...options, chosen];
}
