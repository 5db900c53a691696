import { Choice } from '../../filters/choice.tsx';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetPickers } from '../../filters/head-pickers.tsx';
import { TeamFilter } from '../../filters/team-filter.tsx';
import { WindowPicker } from '../../filters/window-picker.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import { authorships } from './search.ts';

const authorshipWords = { human: 'By people alone', assisted: 'With an AI tool', agent: 'By agents' } as const;

/** What the whole page is narrowed by; on a phone one button. */
export function HealthFilters() {
  const [authorship, setAuthorship] = useUrlFilter('authorship');
  const [allBases, setAllBases] = useUrlFilter('all_bases');
  const [active, clear] = useSetPickers(['authorship', 'all_bases']);
  return (
    <Filters active={active} onClear={clear}>
      <WindowPicker own="90d" />
      <RepositoryFilter />
      <TeamFilter byRole />
      <Choice
        label="Authorship"
        value={authorships.find((known) => known === authorship)}
        options={authorships}
        word={(key) => authorshipWords[key]}
        neutral="By people"
        onChange={setAuthorship}
      />
      <Choice
        label="Base branch"
        value={allBases === 'true' ? allBases : undefined}
        options={['true'] as const}
        word={() => 'Any branch'}
        neutral="Default branch"
        onChange={setAllBases}
      />
    </Filters>
  );
}
