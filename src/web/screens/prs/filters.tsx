import { waitingOnLabel } from '#domain/whose-turn.ts';
import { Choice, PropertyFilter } from '../../filters/choice.tsx';
import { Filters as FilterButton } from '../../filters/filter-button.tsx';
import type { Sorting } from '../../kit/sort-bar.tsx';
import classes from './prs.module.css';
import { countFilters, noFilters, type PullRequestsSearch, turns } from './search.ts';

interface Props {
  readonly search: PullRequestsSearch;
  readonly onChange: (next: PullRequestsSearch) => void;
  readonly sort: Sorting;
}

/** What the list shows beside state and search: whom a pull request waits for, and drafts, bots and agents with, without or alone. */
export function Filters({ search, onChange, sort }: Props) {
  return (
    <div className={classes.filters}>
      <FilterButton active={countFilters(search, 'state')} onClear={() => onChange(noFilters('state'))} sort={sort}>
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
      </FilterButton>
    </div>
  );
}
