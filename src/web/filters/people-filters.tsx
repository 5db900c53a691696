import type { Sorting } from '../kit/sort-bar.tsx';
import { usePhone } from '../kit/use-phone.ts';
import { RepositoryFilter } from './filter-box.tsx';
import { Filters } from './filter-button.tsx';
import { useSetPickers } from './head-pickers.tsx';
import { PersonFilter } from './person-filter.tsx';
import { TeamFilter } from './team-filter.tsx';
import { type OwnWindow, WindowPicker } from './window-picker.tsx';

interface ListProps extends OwnWindow {
  readonly sort: Sorting;
}

/** The filters of a list of people, on a phone with the pickers of the page's head. */
export function PeopleFilters({ sort, ...window }: ListProps) {
  const [active, clear] = useSetPickers(['person']);
  const phone = usePhone();
  return (
    <Filters active={active} onClear={clear} sort={sort}>
      {phone && (
        <>
          <WindowPicker {...window} />
          <RepositoryFilter />
          <TeamFilter />
        </>
      )}
      <PersonFilter />
    </Filters>
  );
}
