import { NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Card } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { useSingleKeysSwitch } from '../../kit/single-keys-switch.ts';
import { browserTimeZone } from '../../session/browser-time-zone.ts';
import { useSession, useUser } from '../../session/session.tsx';
import { zoneWords } from '../../time/moment.ts';
import classes from './settings.module.css';

/** How this person sees the product: time zone, colours, shortcuts. */
export function Preferences() {
  return (
    <Card title={<span id="preferences">Preferences</span>}>
      <div className={classes.fields}>
        <TimeZone />
        <Colours />
        <Shortcuts />
      </div>
    </Card>
  );
}

/** Every zone that the browser knows, with the present one and UTC in any case. */
function zones(present: string): readonly string[] {
  return [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])].sort();
}

function TimeZone() {
  const { time_zone } = useUser();
  const { signedIn } = useSession();
  const queries = useQueryClient();
  const here = browserTimeZone() ?? 'UTC';
  const change = useMutation({
    // One after the other: an answer that came late would bring an earlier choice back.
    scope: { id: 'time-zone' },
    mutationFn: (zone: string) => api.updateSession({ body: { time_zone: zone } }),
    onSuccess: async (user) => {
      signedIn(user);
      await queries.invalidateQueries();
    },
  });
  return (
    <div>
      <NativeSelect
        label="Time zone"
        description="Days, weekdays and working hours are counted in it."
        value={change.isPending ? change.variables : time_zone}
        onChange={(event) => change.mutate(event.currentTarget.value)}
        data={[...zones(time_zone)]}
        error={change.error && causeOf(change.error)}
      />
      {here !== time_zone && !change.isPending && (
        <button type="button" className={classes.link} onClick={() => change.mutate(here)}>
          Use this device’s zone, {zoneWords(here)}
        </button>
      )}
    </div>
  );
}

function Colours() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <div>
      <div className={classes.label}>Colours</div>
      <SegmentedFilter
        label="Colours"
        value={colorScheme}
        onChange={setColorScheme}
        options={[
          { value: 'auto', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </div>
  );
}

function Shortcuts() {
  const [on, turn] = useSingleKeysSwitch();
  return (
    <label className={classes.check}>
      <input type="checkbox" checked={on} onChange={(event) => turn(event.currentTarget.checked)} />
      <span>
        Single-key shortcuts
        <span className={classes.why}>
          Such as / for search and ? for all shortcuts. Ctrl or ⌘ K works in any case.
        </span>
      </span>
    </label>
  );
}
