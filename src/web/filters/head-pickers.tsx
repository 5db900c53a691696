import { usePhone } from '../kit/use-phone.ts';
import { RepositoryFilter } from './filter-box.tsx';
import { Filters } from './filter-button.tsx';
import { useSetFilters } from './set-filters.ts';
import { TeamFilter } from './team-filter.tsx';
import { type OwnWindow, WindowPicker } from './window-picker.tsx';

/** How many of a page's pickers, and of other filters beside them, are set, and how to reset all. */
export function useSetPickers(others: readonly string[] = []) {
  return useSetFilters(['period', 'from', 'repository', 'team', ...others], ['to', 'team_as']);
}

/** The pickers of a page's head; on a phone one button. */
export default function HeadPickers(window: OwnWindow) {
  const [active, clear] = useSetPickers();
  return (
    <Filters active={active} onClear={clear}>
      <WindowPicker {...window} />
      <RepositoryFilter />
      <TeamFilter byRole />
    </Filters>
  );
}

/** Those of a page whose list has filters of its own: on a phone they are in the list's button. */
export function HeadPickersBesideList(window: OwnWindow) {
  if (usePhone()) return null;
  return (
    <>
      <WindowPicker {...window} />
      <RepositoryFilter />
      <TeamFilter />
    </>
  );
}
